"""The points of many hands at the show, looked up in tables that are computed from the rule set.

Most rules depend on few features of a card. Fifteens, runs and pairs depend on the ranks of the
five cards, whichever of them is the starter. A flush and his nobs depend on the suits, and on which
cards are jacks. So there are two classes of cards. For each class, the rules are evaluated once for
every distinguishable hand, and the points are stored in a table. A rule that belongs to neither
class is evaluated separately for each hand.

Hands are given as ``card.index`` in shape (5, n): four cards in any order, then the starter.

The tables of the shipped rule sets are in a file, because evaluating the rules takes a third of a
second. This command creates the file again:

    python -m tui_casino.games.cribbage.brains.show_points >
    tui_casino/games/cribbage/data/show-points.json
"""

from __future__ import annotations

import json
import string
import sys
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import combinations, combinations_with_replacement, product
from operator import getitem
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from ....cards.card import PACK, Hand, Rank
from ....cards.memo import memoize
from ..machine.rules import RULE_SETS, RuleSet, points_of
from ..machine.scoring import Fifteens, Flush, NobsJack, Pairs, Runs, ShowHand, ShowRule

Cards: TypeAlias = npt.NDArray[np.integer[Any]]
Points: TypeAlias = npt.NDArray[np.int16]
Rules: TypeAlias = tuple[ShowRule, ...]

FILE = Path(__file__).parents[1] / "data" / "show-points.json"
DIGITS = string.digits + string.ascii_uppercase
"""The points of a hand as one character; no hand scores more than 29."""
_POINTS_OF_DIGIT = np.array([DIGITS.find(chr(code)) for code in range(128)], np.int16)


class CardClasses(Struct, frozen=True):
    """Cards classified by a feature on which some rules depend.

    The feature, which has ``kinds`` values, is indexed by ``card.index``.

    The order of the first ``alike`` of the five cards does not matter: the hand's four, or all five
    with the starter. ``crib`` is true if rules of the class may treat the crib differently.
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

    def possible_hands(self) -> npt.NDArray[np.int64]:
        """Return the :meth:`hands` that the pack can form, in shape (n, 5)."""
        grid = np.indices((self.kinds,) * 5, np.uint8).reshape(5, -1)
        is_listed = (grid[: self.alike - 1] <= grid[1 : self.alike]).all(axis=0)
        hands = grid[:, is_listed].T.astype(np.int64)
        in_hand = (hands[:, :, None] == np.arange(self.kinds)).sum(axis=1)
        possible: npt.NDArray[np.int64] = hands[(in_hand <= np.bincount(self.of_card)).all(axis=1)]
        return possible

    def examples(self) -> Iterator[tuple[tuple[int, ...], Hand]]:
        """Yield different cards for each of the :meth:`possible_hands`."""
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

    Impossible hands, such as five cards of a rank, have 0 points.
    """
    return _table(rules_of_classes(look, rules), look, crib and look.crib)


@memoize(maxsize=16)  # five for the shipped rule sets, of up to 0.7 MB each
def _table(rules: Rules, look: CardClasses, crib: bool) -> Points:
    kinds = look.possible_hands()
    shipped = _shipped_points().get(_name(rules, crib))
    points = np.zeros((look.kinds,) * 5, np.int16)
    points[tuple(kinds.T)] = (
        _example_points(rules, look, crib)
        if shipped is None
        else _POINTS_OF_DIGIT.take(np.frombuffer(shipped.encode(), np.uint8))
    )
    ordered = np.indices(points.shape, np.uint8).reshape(5, -1)
    for first, second in combinations(range(look.alike), 2):  # much faster than ``sort``
        lower = np.minimum(ordered[first], ordered[second])
        np.maximum(ordered[first], ordered[second], out=ordered[second])
        ordered[first] = lower
    return points[tuple(ordered)].reshape(points.shape)


def _example_points(rules: Rules, look: CardClasses, crib: bool) -> list[int]:
    return [_points(rules, cards, crib) for _, cards in look.examples()]


def _name(rules: Rules, crib: bool) -> str:
    """Return the key of a table in the file: hand or crib, and the rules with their parameters."""
    return f"{'crib' if crib else 'hand'}: {', '.join(map(repr, rules))}"


@lru_cache(maxsize=1)
def _shipped_points() -> Mapping[str, str]:
    shipped: dict[str, str] = json.loads(FILE.read_text(encoding="utf-8"))
    return shipped


def evaluated_points() -> dict[str, str]:
    """Evaluate all tables of the shipped rule sets: the contents of the file."""
    return {
        _name(rules, crib): "".join(DIGITS[each] for each in _example_points(rules, look, crib))
        for rule_set in RULE_SETS.values()
        for look in CARD_CLASSES
        for crib in {False, look.crib}
        if (rules := rules_of_classes(look, rule_set))
    }


def _points(rules: Rules, cards: Hand, crib: bool) -> int:
    show_hand = ShowHand(cards[:4], cards[4], crib)
    return sum(points_of(tuple(rule.scores(show_hand))) for rule in rules)


def points_of_hands(cards: Cards, rules: RuleSet, crib: bool = False) -> Points:
    """Return the points of n hands or cribs at the show, given in the shape (5, n)."""
    scored = np.zeros(cards.shape[1], np.int16)
    for look in CARD_CLASSES:
        place = np.zeros(cards.shape[1], np.int32)
        for column, code in zip(cards, table_offsets(look), strict=True):
            place += code.take(column)
        scored += points_table(rules, look, crib).ravel().take(place)
    return scored + points_one_by_one(cards, rules, crib) if unclassified_rules(rules) else scored


def points_one_by_one(cards: Cards, rules: RuleSet, crib: bool = False) -> Points:
    """Return the points of n hands or cribs from the :func:`unclassified_rules` only."""
    hands = (tuple(PACK[index] for index in hand) for hand in cards.T.tolist())
    return np.array([_points(unclassified_rules(rules), hand, crib) for hand in hands], np.int16)


@lru_cache(maxsize=8)  # there are two classes
def table_offsets(look: CardClasses) -> npt.NDArray[np.int32]:
    """Return the amount that a card in each place adds to the index into `points_table`."""
    return np.array(look.of_card, np.int32) * look.kinds ** np.arange(4, -1, -1)[:, None]


if __name__ == "__main__":
    sys.stdout.write(json.dumps(evaluated_points(), indent=0, sort_keys=True) + "\n")
