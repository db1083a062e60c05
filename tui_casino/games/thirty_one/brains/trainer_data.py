"""Everything that the trainer shows for a position: EVs, the dealer's odds, and the shoe."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from .adviser import ThirtyOneAdvice, ThirtyOnePosition, advise
from .lazy import shoe_dealer_odds
from .odds import card_total, dealer_odds

LOW, HIGH = range(2, 7), (1, 10)
"""The values that count up and down in the high-low count."""
DECK = 52


class TrainerData(Struct, frozen=True):
    """The EV of each choice, and the chance of each of the dealer's final totals.

    ``has_enough_cards`` means that the shoe certainly has enough cards for the round. Otherwise the
    EVs are sampled, and the chances of the dealer's totals are those of an infinite shoe.
    """

    position: ThirtyOnePosition
    advice: ThirtyOneAdvice
    dealer_finals: Mapping[int, float]
    has_enough_cards: bool


def read_trainer_data(position: ThirtyOnePosition) -> TrainerData:
    """Compute all data, which takes as long as :func:`.adviser.advise`."""
    up_card, rules, has_enough_cards = position.up_card, position.rules, not position.may_run_out
    if has_enough_cards:
        ends = shoe_dealer_odds.dealer_ends(up_card, position.remaining, rules)
    else:
        ends = {
            end: float(chance) for end, chance in dealer_odds(card_total(up_card), rules).items()
        }
    return TrainerData(position, advise(position), ends, has_enough_cards)


def high_low_count(remaining: Sequence[int]) -> float:
    """Return the high-low count of a shoe per deck left.

    ``remaining`` counts the cards by value, aces first. Each missing card from two to six counts 1,
    and each missing ace, ten or face card counts -1; a full shoe has equal numbers of both groups.

    >>> round(high_low_count((8, 0, 8, 8, 8, 8, 8, 8, 8, 32)), 2)  # all twos are gone
    4.33
    """
    running = sum(remaining[value - 1] for value in HIGH) - sum(
        remaining[value - 1] for value in LOW
    )
    return DECK * running / sum(remaining) if any(remaining) else 0.0
