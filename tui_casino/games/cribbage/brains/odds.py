"""The exact odds of the show: how many hands with a starter score each number of points.

>>> from tui_casino.games.cribbage.machine.rules import TRAINER
>>> odds = odds_of(TRAINER)
>>> odds.hand[29], odds.hand[0], odds.hand.total
(4, 1009008, 12994800)

A hand is any four of the 52 cards, and the starter is any of the other 48. So the cases are the
2,598,960 sets of five cards, with each of the five cards as the starter. Every case is scored;
nothing is sampled. The crib is also assumed to be any four cards, regardless of how players
discard.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction

import numpy as np
from msgspec import Struct

from ....cards.hand_indexing import DEAL_COUNT, all_deals
from ..machine.rules import RuleSet
from .bulk_points import points_of_hands

HANDS = 5 * DEAL_COUNT
_BLOCK = 1 << 16  # hands scored together, few enough for the processor's cache


class ScoreDistribution(Struct, frozen=True):
    """The number of hands with each score, with an entry for every score up to the highest."""

    counts: Mapping[int, int]

    def __getitem__(self, points: int) -> int:
        """Return the number of hands with this many points."""
        return self.counts.get(points, 0)

    @property
    def total(self) -> int:
        """The total number of hands."""
        return sum(self.counts.values())

    @property
    def mean(self) -> Fraction:
        """The average of the points."""
        return Fraction(sum(points * count for points, count in self.counts.items()), self.total)


class Odds(Struct, frozen=True):
    """The point distributions of any four cards with any starter, as a hand and as the crib."""

    hand: ScoreDistribution
    crib: ScoreDistribution


def odds_of(rules: RuleSet) -> Odds:
    """Return the distributions of points over all hands and cribs under these rules.

    This takes less than a second once the tables exist. Raises ``ValueError`` for rules that the
    adviser does not know.
    """
    return Odds(_distribution(rules, crib=False), _distribution(rules, crib=True))


def _distribution(rules: RuleSet, crib: bool) -> ScoreDistribution:
    cards = np.ascontiguousarray(all_deals().T)
    counts: Counter[int] = Counter()
    for begin in range(0, DEAL_COUNT, _BLOCK):
        block = cards[:, begin : begin + _BLOCK]
        for starter in range(5):
            scored = points_of_hands(np.roll(block, starter, axis=0), rules, crib)
            lowest = int(scored.min())  # a rule may take points away
            counts.update(dict(enumerate(np.bincount(scored - lowest).tolist(), lowest)))
    return ScoreDistribution(
        {value: counts[value] for value in range(min(counts), max(counts) + 1)}
    )
