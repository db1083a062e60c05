"""What choices cost and bets expect, where a game knows its odds."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Generic

from ..engine.game import A


@dataclass(frozen=True, slots=True)
class Mistake(Generic[A]):
    """A choice that was not the best: what it costs on average, in the game's units, and which is.

    The cost is above 0.
    """

    cost: Fraction
    better: A


@dataclass(frozen=True, slots=True)
class Expectation:
    """What bets bring back on average, gross like ``won``, and the variance of that.

    In the game's units and their squares. Those of rounds that are independent add up.
    """

    mean: Fraction = Fraction(0)
    variance: Fraction = Fraction(0)

    def __add__(self, other: Expectation) -> Expectation:
        return Expectation(self.mean + other.mean, self.variance + other.variance)
