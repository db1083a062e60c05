"""The points of many hands at the show, from tables that a rule set fills itself.

Most rules depend on few features of a card. Fifteens, runs and pairs depend on the ranks of the
five cards, whichever of them is the starter. A flush and his nobs depend on the suits, and on which
cards are jacks. So there are two classes of cards. For each, the rules are asked once for every
distinguishable hand, and the points are stored in a table. A rule that is in no known class is
asked for each hand, every time.

Hands are given as ``card.index`` in shape (5, n): four cards in any order, then the starter.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations_with_replacement, product
from operator import getitem
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from ....cards.card import PACK, Hand, Rank
from ....cards.memo import memoize
from ..machine.rules import RuleSet, points_of
from ..machine.scoring import Fifteens, Flush, NobsJack, Pairs, Runs, ShowHand, ShowRule

Cards: TypeAlias = npt.NDArray[np.integer[Any]]
Points: TypeAlias = npt.NDArray[np.int16]
Rules: TypeAlias = tuple[ShowRule, ...]


@dataclass(frozen=True, slots=True)
class CardClasses:
    """A class: the feature of a card that some rules see, one of ``kinds``, by ``card.index``.

    The order of the first ``alike`` of the five cards does not matter: the hand's four, or all five
    with the starter. ``crib`` is true if such rules may treat the crib differently.
    """

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

    def examples(self) -> Iterator[tuple[tuple[int, ...], Hand]]:
        """Yield different cards for each of the :meth:`hands` that the pack can form."""
        cards = [[c for c in PACK if self.of_card[c.index] == kind] for kind in range(self.kinds)]
        for kinds in self.hands():
            places = [kinds[:place].count(kind) for place, kind in enumerate(kinds)]
            if all(place < len(cards[kind]) for kind, place in zip(kinds, places, strict=True)):
                yield kinds, tuple(map(getitem, map(cards.__getitem__, kinds), places))


RANK_CLASSES = CardClasses(13, tuple(card.rank - 1 for card in PACK), alike=5, crib=False)
SUIT_AND_JACK_CLASSES = CardClasses(
    8, tuple(card.suit - 1 + 4 * (card.rank is Rank.JACK) for card in PACK), alike=4, crib=True
)
CARD_CLASSES = (RANK_CLASSES, SUIT_AND_JACK_CLASSES)

# Keyed by the exact class: a subclass may depend on anything.
_CLASSES_OF_RULE: dict[type, CardClasses] = {
    Fifteens: RANK_CLASSES,
    Runs: RANK_CLASSES,
    Pairs: RANK_CLASSES,
    Flush: SUIT_AND_JACK_CLASSES,
    NobsJack: SUIT_AND_JACK_CLASSES,
}


def rules_of_classes(look: CardClasses, rules: RuleSet) -> Rules:
    """Return the rules of the show that belong to this class of cards."""
    return tuple(rule for rule in rules.show if _CLASSES_OF_RULE.get(type(rule)) is look)


def unclassified_rules(rules: RuleSet) -> Rules:
    """Return the rules of the show that are in no known class."""
    return tuple(rule for rule in rules.show if type(rule) not in _CLASSES_OF_RULE)


@lru_cache(maxsize=16)
def points_table(rules: RuleSet, look: CardClasses, crib: bool) -> Points:
    """Return the points of the rules of a class, in shape (kinds,) * 5.

    Impossible hands, such as five cards of a rank, have 0.
    """
    return _table(rules_of_classes(look, rules), look, crib and look.crib)


@memoize(maxsize=16)  # five for the rule sets that ship, of up to 0.7 MB
def _table(rules: Rules, look: CardClasses, crib: bool) -> Points:
    shape = (look.kinds,) * 5
    ordered = np.indices(shape, np.uint8).reshape(5, -1)
    ordered[: look.alike].sort(axis=0)
    points = np.zeros(shape, np.int16)
    for kinds, cards in look.examples():
        points[kinds] = _points(rules, cards, crib)
    return points[tuple(ordered)].reshape(shape)


def _points(rules: Rules, cards: Hand, crib: bool) -> int:
    show_hand = ShowHand(cards[:4], cards[4], crib)
    return sum(points_of(tuple(rule.scores(show_hand))) for rule in rules)


def points_of_hands(cards: Cards, rules: RuleSet, crib: bool = False) -> Points:
    """Return the points of n hands or cribs at the show; for their shape see the module."""
    scored = np.zeros(cards.shape[1], np.int16)
    for look in CARD_CLASSES:
        place = np.zeros(cards.shape[1], np.int32)
        for column, code in zip(cards, table_offsets(look), strict=True):
            place += code.take(column)
        scored += points_table(rules, look, crib).ravel().take(place)
    return scored + points_one_by_one(cards, rules, crib) if unclassified_rules(rules) else scored


def points_one_by_one(cards: Cards, rules: RuleSet, crib: bool = False) -> Points:
    """Return the points that only the :func:`unclassified_rules` give n hands or cribs."""
    hands = (tuple(PACK[index] for index in hand) for hand in cards.T.tolist())
    return np.array([_points(unclassified_rules(rules), hand, crib) for hand in hands], np.int16)


@lru_cache(maxsize=8)  # there are two classes
def table_offsets(look: CardClasses) -> npt.NDArray[np.int32]:
    """Return what each card, in each of the five places, adds to the index into `points_table`."""
    return np.array(look.of_card, np.int32) * look.kinds ** np.arange(4, -1, -1)[:, None]
