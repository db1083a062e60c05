"""The points of hands at the show, from tables computed from the rule set; also with each starter.

Most rules depend on few features of a card. Fifteens, runs and pairs depend on the ranks of the
five cards, whichever of them is the starter. A flush and his nobs depend on the suits, and on which
cards are jacks. So there are two classes of cards. For each class, the rules are evaluated once for
every distinguishable hand. `bulk_points` is much faster for thousands of hands, and needs NumPy.

The points for the shipped rule sets are in a file, because evaluating the rules takes a third of a
second. `tests/build_data/cribbage/show_points.py` creates the file.

At the end is par: the average points of good discards.
"""

from __future__ import annotations

import json
import string
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import combinations_with_replacement, product
from operator import getitem
from pathlib import Path
from typing import TypeAlias

from msgspec import Struct

from ....cards.card import PACK, Card, Hand, Rank
from ....cards.memo import memoize
from ..machine.rules import RuleSet, points_of
from ..machine.scoring import ShowHand, ShowRule
from .known_rules import RANK_RULES, SUIT_AND_JACK_RULES, check_known

Rules: TypeAlias = tuple[ShowRule, ...]

FILE = Path(__file__).parents[1] / "data" / "show-points.json"
DIGITS = string.digits + string.ascii_uppercase
"""The points of a hand as one character; no hand scores more than 29."""
_POINTS_OF_DIGIT = bytes.maketrans(DIGITS.encode(), bytes(range(len(DIGITS))))


class CardClasses(Struct, frozen=True, dict=True):
    """Cards classified by a feature on which some rules depend.

    The feature, which has ``kinds`` values, is indexed by ``card.index``.

    ``rules`` are the classes of the rules that depend on nothing else. The order of the first
    ``alike`` of the five cards does not matter: the hand's four, or all five with the starter.
    ``crib`` is true if the rules may treat the crib differently.
    """

    rules: tuple[type, ...]
    kinds: int
    of_card: tuple[int, ...]
    alike: int
    crib: bool

    def hands(self) -> Iterator[tuple[int, ...]]:
        """Yield the kinds of all distinguishable sets of five cards, in ascending order."""
        every = range(self.kinds)
        for first in combinations_with_replacement(every, self.alike):
            for rest in product(every, repeat=5 - self.alike):
                yield *first, *rest

    def examples(self) -> Iterator[Hand | None]:
        """Yield different cards for each of the :meth:`hands`; ``None`` if there are too few."""
        cards = [[c for c in PACK if self.of_card[c.index] == kind] for kind in range(self.kinds)]
        for kinds in self.hands():
            places = [kinds[:place].count(kind) for place, kind in enumerate(kinds)]
            possible = all(n < len(cards[kind]) for kind, n in zip(kinds, places, strict=True))
            yield tuple(map(getitem, map(cards.__getitem__, kinds), places)) if possible else None

    @cached_property
    def keys(self) -> tuple[int, ...]:
        """The number of each kind in a hand; the sum of a hand's numbers identifies it."""
        return tuple((self.alike + 1) ** kind for kind in range(self.kinds))

    @cached_property
    def starter_keys(self) -> tuple[int, ...]:
        """The number of each kind as the starter."""
        if self.alike == 5:
            return self.keys
        return tuple((self.alike + 1) ** self.kinds * kind for kind in range(self.kinds))

    @cached_property
    def hand_keys(self) -> tuple[int, ...]:
        """The sum of the numbers of each of the :meth:`hands`."""
        rest = [*map(sum, product(self.starter_keys, repeat=5 - self.alike))]
        first = map(sum, combinations_with_replacement(self.keys, self.alike))
        return tuple(key + starter for key in first for starter in rest)


RANK_CLASSES = CardClasses(
    RANK_RULES, 13, tuple(card.rank - 1 for card in PACK), alike=5, crib=False
)
SUIT_AND_JACK_CLASSES = CardClasses(
    SUIT_AND_JACK_RULES,
    8,
    tuple(card.suit - 1 + 4 * (card.rank is Rank.JACK) for card in PACK),
    alike=4,
    crib=True,
)
CARD_CLASSES = (RANK_CLASSES, SUIT_AND_JACK_CLASSES)


def rules_of_classes(look: CardClasses, rules: RuleSet) -> Rules:
    """Return the rules of the show that belong to this class of cards.

    Raises ``ValueError`` for a rule set with a rule that the adviser does not know. So do all
    functions that return points by a rule set.
    """
    check_known(rules)
    return tuple(rule for rule in rules.show if type(rule) in look.rules)


def points_by_hand(rules: Rules, look: CardClasses, crib: bool) -> Sequence[int]:
    """Return the points for each of the hands of a class.

    Impossible hands, such as five cards of a rank, have 0 points.
    """
    shipped = _shipped_points().get(table_name(rules, crib))
    if shipped is None:
        return evaluated(rules, look, crib)
    return shipped.encode().translate(_POINTS_OF_DIGIT)


@lru_cache(maxsize=16)
def points_by_key(rules: RuleSet, look: CardClasses, crib: bool) -> Mapping[int, int]:
    """Return the points of the rules of a class by the key of a hand."""
    return _by_key(rules_of_classes(look, rules), look, crib and look.crib)


@memoize(maxsize=16)  # five for the shipped rule sets, of up to 0.7 MB each
def _by_key(rules: Rules, look: CardClasses, crib: bool) -> Mapping[int, int]:
    return dict(zip(look.hand_keys, points_by_hand(rules, look, crib), strict=True))


def points_by_starter(hand: Hand, starters: Iterable[Card], rules: RuleSet) -> dict[Card, int]:
    """Return the points of four cards with each starter."""
    points = dict.fromkeys(starters, 0)
    for look in CARD_CLASSES:
        of_key, of_card = points_by_key(rules, look, False), look.of_card
        held = sum(look.keys[of_card[card.index]] for card in hand)
        for starter in points:
            points[starter] += of_key[held + look.starter_keys[of_card[starter.index]]]
    return points


def evaluate(rules: Rules, cards: Hand, crib: bool) -> int:
    """Return the points of five cards, the last of which is the starter."""
    show_hand = ShowHand(cards[:4], cards[4], crib)
    return sum(points_of(tuple(rule.scores(show_hand))) for rule in rules)


def evaluated(rules: Rules, look: CardClasses, crib: bool) -> list[int]:
    """Return the points of the rules for each of the hands of a class; 0 for impossible hands."""
    return [0 if cards is None else evaluate(rules, cards, crib) for cards in look.examples()]


def table_name(rules: Rules, crib: bool) -> str:
    """Return the key of a table in the file: hand or crib, and the rules with their parameters."""
    return f"{'crib' if crib else 'hand'}: {', '.join(map(repr, rules))}"


@lru_cache(maxsize=1)
def _shipped_points() -> Mapping[str, str]:
    shipped: dict[str, str] = json.loads(FILE.read_text(encoding="utf-8"))
    return shipped


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
