"""All that the trainer can tell of a moment, worked out at once: worths, the dealer, the shoe."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from .adviser import ThirtyOneAdvice, ThirtyOnePosition, advise
from .lazy import shoe_dealer_odds
from .odds import dealer_odds, up_card

LOW, HIGH = range(2, 7), (1, 10)
"""The values that the high-low count counts, aces and tens against it."""
DECK = 52


@dataclass(frozen=True, slots=True)
class TrainerData:
    """What each choice is worth, and what the dealer ends on, each with its chance.

    ``whole``: the shoe has cards enough for the round; else worths are sampled, and of the dealer's
    ends one without end stands for it.
    """

    position: ThirtyOnePosition
    advice: ThirtyOneAdvice
    ends: Mapping[int, float]
    whole: bool


def read_trainer_data(position: ThirtyOnePosition) -> TrainerData:
    """Work out all of it, which takes as long as :func:`.adviser.advise`."""
    up, rules, whole = position.up, position.rules, not position.may_run_out
    if whole:
        ends = shoe_dealer_odds.dealer_ends(up, position.left, rules)
    else:
        ends = {end: float(chance) for end, chance in dealer_odds(up_card(up), rules).items()}
    return TrainerData(position, advise(position), ends, whole)


def high_low_count(left: Sequence[int]) -> float:
    """Give the high-low count of a shoe, for each deck that is left of it.

    ``left`` counts the cards by value, aces first. Two to six count 1 once they are gone, aces,
    tens and pictures count -1: in a whole shoe there are as many of the ones as of the others.

    >>> round(high_low_count((8, 0, 8, 8, 8, 8, 8, 8, 8, 32)), 2)  # all twos are gone
    4.33
    """
    running = sum(left[value - 1] for value in HIGH) - sum(left[value - 1] for value in LOW)
    return DECK * running / sum(left) if any(left) else 0.0
