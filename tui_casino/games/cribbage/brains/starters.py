"""The points of four cards with each possible starter."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from ....cards.card import PACK, Card, Hand
from ..machine.rules import RuleSet, points_of, show_scores

NAMED_STARTERS = 3
"""Starters that are named, of the best and of the worst."""


@dataclass(frozen=True)
class StarterPoints:
    """The points of four cards by the starter, each of those that are not seen as likely.

    ``names`` are the starters as they are called, with their points, in the order of ranks: a bare
    rank is any card of it, or any but those that are named by their suit.
    """

    points: Mapping[Card, int]

    @property
    def mean(self) -> Fraction:
        """What the hand scores on average."""
        return Fraction(sum(self.points.values()), len(self.points))

    @cached_property
    def names(self) -> Mapping[str, int]:
        """The points by what the starters are called."""
        return {
            card.rank.pip if alike else card.symbol: points for card, alike, points in self._named()
        }

    @property
    def letters(self) -> Mapping[str, int]:
        """The same with cards in letters: ``5``, ``JC``."""
        return {
            str(card)[0] if alike else str(card): points for card, alike, points in self._named()
        }

    def _named(self) -> Iterator[tuple[Card, bool, int]]:
        """Give starters, and whether all of the rank that are not named are like this one."""
        for rank in dict.fromkeys(card.rank for card in self.points):
            points_of_card = {card: n for card, n in self.points.items() if card.rank is rank}
            ((most_common, _),) = Counter(points_of_card.values()).most_common(1)
            for card, points in points_of_card.items():
                yield card, points == most_common, points

    @property
    def best(self) -> tuple[str, ...]:
        """The starters with which it scores most."""
        return tuple(sorted(self.names, key=lambda name: -self.names[name])[:NAMED_STARTERS])

    @property
    def worst(self) -> tuple[str, ...]:
        """The starters with which it scores least."""
        return tuple(sorted(self.names, key=self.names.__getitem__)[:NAMED_STARTERS])

    def by_points(self, *, letters: bool = False) -> Iterator[tuple[int, int, tuple[str, ...]]]:
        """Give the points, the most first, with how many starters bring them and their names."""
        counts, names = Counter(self.points.values()), self.letters if letters else self.names
        for points in sorted(counts, reverse=True):
            yield points, counts[points], tuple(n for n, p in names.items() if p == points)


def starters_of(hand: Hand, seen_cards: Sequence[Card], rules: RuleSet) -> StarterPoints:
    """Score four cards with every starter; what else is ``seen_cards`` cannot be turned up."""
    excluded = {*hand, *seen_cards}
    unseen = sorted((card for card in PACK if card not in excluded), key=lambda card: card.rank)
    return StarterPoints({card: points_of(show_scores(hand, card, rules)) for card in unseen})
