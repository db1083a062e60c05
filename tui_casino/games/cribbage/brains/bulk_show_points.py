"""The points of many hands at the show, from NumPy tables with the points of `show_points`.

Hands are given as ``card.index`` in shape (5, n): four cards in any order, then the starter.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from ....cards.memo import memoize
from ..machine.rules import RuleSet
from .show_points import (
    CARD_CLASSES,
    CardClasses,
    Rules,
    points_by_hand,
    rules_of_classes,
)

Cards: TypeAlias = npt.NDArray[np.integer[Any]]
Points: TypeAlias = npt.NDArray[np.int16]


@lru_cache(maxsize=16)
def points_table(rules: RuleSet, look: CardClasses, crib: bool) -> Points:
    """Return the points of the rules of a class, in shape (kinds,) * 5.

    Impossible hands, such as five cards of a rank, have 0 points.
    """
    return _table(rules_of_classes(look, rules), look, crib and look.crib)


@memoize(maxsize=16)  # five for the shipped rule sets, of up to 0.7 MB each
def _table(rules: Rules, look: CardClasses, crib: bool) -> Points:
    points = np.zeros((look.kinds,) * 5, np.int16)
    ordered = np.indices(points.shape, np.uint8).reshape(5, -1)
    is_listed = (ordered[: look.alike - 1] <= ordered[1 : look.alike]).all(axis=0)
    points.ravel()[is_listed] = np.fromiter(points_by_hand(rules, look, crib), np.int16)
    for first, second in combinations(range(look.alike), 2):  # much faster than ``sort``
        lower = np.minimum(ordered[first], ordered[second])
        np.maximum(ordered[first], ordered[second], out=ordered[second])
        ordered[first] = lower
    return points[tuple(ordered)].reshape(points.shape)


def points_of_hands(cards: Cards, rules: RuleSet, crib: bool = False) -> Points:
    """Return the points of n hands or cribs at the show, given in the shape (5, n)."""
    scored = np.zeros(cards.shape[1], np.int16)
    for look in CARD_CLASSES:
        place = np.zeros(cards.shape[1], np.int32)
        for column, code in zip(cards, table_offsets(look), strict=True):
            place += code.take(column)
        scored += points_table(rules, look, crib).ravel().take(place)
    return scored


@lru_cache(maxsize=8)  # there are two classes
def table_offsets(look: CardClasses) -> npt.NDArray[np.int32]:
    """Return the amount that a card in each place adds to the index into `points_table`."""
    return np.array(look.of_card, np.int32) * look.kinds ** np.arange(4, -1, -1)[:, None]
