"""The points of four cards with each possible starter, and par: the average of good discards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property

from msgspec import Struct

from ....cards.card import PACK, Card, Hand
from ..machine.rules import RuleSet
from .show_points import points_by_starter

NAMED_STARTERS = 3
"""The maximum number of starters that are listed as the best or as the worst."""


class StarterPoints(Struct, frozen=True, dict=True):
    """The points of four cards with each starter; all unseen starters are equally likely.

    ``names`` maps the names of the starters to points, in the order of ranks. A rank without a suit
    stands for all cards of that rank that are not listed with their suit.
    """

    points: Mapping[Card, int]

    @property
    def mean(self) -> Fraction:
        """The average points of the hand."""
        return Fraction(sum(self.points.values()), len(self.points))

    @cached_property
    def names(self) -> Mapping[str, int]:
        """The points with each starter; the keys are names."""
        return {
            card.rank.pip if alike else card.symbol: points for card, alike, points in self._named()
        }

    @property
    def letters(self) -> Mapping[str, int]:
        """The points with each starter; the keys are names in letters: ``5``, ``JC``."""
        return {
            str(card)[0] if alike else str(card): points for card, alike, points in self._named()
        }

    def _named(self) -> Iterator[tuple[Card, bool, int]]:
        """Yield each starter, whether its points are typical of its rank, and its points."""
        for rank in dict.fromkeys(card.rank for card in self.points):
            points_of_card = {card: n for card, n in self.points.items() if card.rank is rank}
            ((most_common, _),) = Counter(points_of_card.values()).most_common(1)
            for card, points in points_of_card.items():
                yield card, points == most_common, points

    @property
    def best(self) -> tuple[str, ...]:
        """The starters with which the hand scores most."""
        return tuple(sorted(self.names, key=lambda name: -self.names[name])[:NAMED_STARTERS])

    @property
    def worst(self) -> tuple[str, ...]:
        """The starters with which the hand scores least."""
        return tuple(sorted(self.names, key=self.names.__getitem__)[:NAMED_STARTERS])

    def by_points(self, *, letters: bool = False) -> Iterator[tuple[int, int, tuple[str, ...]]]:
        """Yield the points, highest first, with the number of starters and their names."""
        counts, names = Counter(self.points.values()), self.letters if letters else self.names
        for points in sorted(counts, reverse=True):
            yield points, counts[points], tuple(n for n, p in names.items() if p == points)


def starters_of(hand: Hand, seen_cards: Sequence[Card], rules: RuleSet) -> StarterPoints:
    """Return the points of four cards with every starter; ``seen_cards`` cannot be turned up."""
    excluded = {*hand, *seen_cards}
    unseen = sorted((card for card in PACK if card not in excluded), key=lambda card: card.rank)
    return StarterPoints(points_by_starter(hand, unseen, rules))


PAR = {True: 12.7, False: 3.4}
"""The EV of hand and crib with the best discards, in points; the key is true for the dealer.

These are means over 50,000 deals against a good player, with a standard error of 0.012. The means
for the two shipped rule sets differ by 0.03.
"""
PAR_CRIB = 4.7
"""The EV of your own crib: half the difference between dealer and pone in :data:`PAR`."""
PAR_HAND = 8.1
"""The EV of a hand without the crib, if you and the opponent deal equally often."""

PLAYED = {"hand": 8.06, "crib": 4.78, "dealer": 12.77, "pone": 3.35}
"""The average points that two such players really score, defined like the figures above.

These are means over 300,000 deals, with standard errors of 0.005 to 0.009. They differ from the
adviser's figures because the adviser assumes that the opponent's two cards come from all unseen
cards, while in play they come from a hand of six.
"""
