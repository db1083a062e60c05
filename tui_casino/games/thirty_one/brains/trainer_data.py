"""Everything that the trainer shows of a position: EVs, the dealer's odds, the shoe."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from .adviser import ThirtyOneAdvice, ThirtyOnePosition, advise
from .lazy import shoe_dealer_odds
from .odds import card_total, dealer_odds

LOW, HIGH = range(2, 7), (1, 10)
"""The values that the high-low count counts, aces and tens against it."""
DECK = 52


@dataclass(frozen=True, slots=True)
class TrainerData:
    """The value of each choice, and the chance of each total that the dealer may end on.

    ``has_enough_cards``: the shoe has cards enough for the round. Otherwise values are sampled, and
    the dealer's totals are those of an infinite shoe.
    """

    position: ThirtyOnePosition
    advice: ThirtyOneAdvice
    dealer_finals: Mapping[int, float]
    has_enough_cards: bool


def read_trainer_data(position: ThirtyOnePosition) -> TrainerData:
    """Work out all of it, which takes as long as :func:`.adviser.advise`."""
    up_card, rules, has_enough_cards = position.up_card, position.rules, not position.may_run_out
    if has_enough_cards:
        ends = shoe_dealer_odds.dealer_ends(up_card, position.remaining, rules)
    else:
        ends = {
            end: float(chance) for end, chance in dealer_odds(card_total(up_card), rules).items()
        }
    return TrainerData(position, advise(position), ends, has_enough_cards)


def high_low_count(remaining: Sequence[int]) -> float:
    """Give the high-low count of a shoe, for each deck that is left of it.

    ``remaining`` counts the cards by value, aces first. Each missing card from two to six counts 1,
    and each missing ace, ten or picture counts -1; a full shoe has as many of both.

    >>> round(high_low_count((8, 0, 8, 8, 8, 8, 8, 8, 8, 32)), 2)  # all twos are gone
    4.33
    """
    running = sum(remaining[value - 1] for value in HIGH) - sum(
        remaining[value - 1] for value in LOW
    )
    return DECK * running / sum(remaining) if any(remaining) else 0.0
