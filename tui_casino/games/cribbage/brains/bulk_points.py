"""The points of many hands at the show, and of all their discards, from NumPy tables.

The tables hold the points of `show_points`. Hands at the show are given as ``card.index`` in shape
(5, n): four cards in any order, then the starter.

All fifteen discards of a hand share the numbers of ways to draw the opponent's pair and a starter.
For each class of cards (`show_points`), one matrix multiplication handles all hands of a batch: it
multiplies these numbers by the points that each discarded pair scores with them. The sums are
integers below 2**53, so floating-point numbers represent them exactly.

NumPy and the tables take longer to load than `discards` takes to count the first few hands.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from ....cards.card import PACK, Hand
from ....cards.memo import memoize
from ..machine.rules import DEALT, DISCARDS, KEPT, RuleSet
from .discards import STARTERS, DiscardSums, Weights
from .show_points import CARD_CLASSES, CardClasses, Rules, points_by_hand, rules_of_classes

Cards: TypeAlias = npt.NDArray[np.integer[Any]]
Points: TypeAlias = npt.NDArray[np.int16]
Floats: TypeAlias = npt.NDArray[np.float64]
Integers: TypeAlias = npt.NDArray[np.int64]


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


CHOICES = np.array(list(combinations(range(DEALT), DISCARDS)))
"""The places of the two discarded cards among six, in the order of `discards`."""
KEPT_PLACES = np.array(
    [[place for place in range(DEALT) if place not in pair] for pair in CHOICES.tolist()]
)
"""The places of the four kept cards for each of the `CHOICES`."""
_ASCENDING = np.array([card.index for card in sorted(PACK)])
_PLACE = np.argsort(_ASCENDING, kind="stable")
_BATCH = 1 << 10  # hands together: about 20 MB
_RANK = np.arange(len(PACK)) % 13


class BulkSums(NamedTuple):
    """The :class:`.DiscardSums` of n hands: two arrays of shape (n, 15), and the n ``cases``."""

    hands: Floats
    cribs: Floats
    cases: Floats


def sorted_hands(hands: Cards) -> Integers:
    """Sort each of n hands, in shape (n, k), into the order in which hands are held."""
    return _ASCENDING[np.sort(_PLACE[hands], axis=1)]


def best_discards(hands: Cards, dealer: bool, rules: RuleSet, weights: Weights) -> Integers:
    """Return the index of the best discard of each of n ascending hands, in shape (n, 6).

    It is the discard that :func:`.discards.weigh` ranks first. Raises ``ValueError`` for rules that
    the adviser does not know.
    """
    batches = (hands[begin : begin + _BATCH] for begin in range(0, len(hands), _BATCH))
    return np.concatenate([_best_of_batch(batch, dealer, rules, weights) for batch in batches])


def _best_of_batch(hands: Cards, dealer: bool, rules: RuleSet, weights: Weights) -> Integers:
    points, cribs, cases = sum_discards(hands, rules, weights)
    values = points * cases[:, None] + (cribs if dealer else -cribs) * STARTERS
    best: Integers = values.argmax(axis=1)
    return best


def sum_one_hand(hand: Hand, rules: RuleSet, weights: Weights) -> DiscardSums:
    """Return the sums of one hand, as :func:`.count_sums` does; the first call takes 20 ms."""
    cards = np.array([[card.index for card in hand]])
    hands, cribs, cases = (each.astype(np.int64)[0] for each in sum_discards(cards, rules, weights))
    return DiscardSums(hands.tolist(), cribs.tolist(), int(cases))


def sum_discards(hands: Cards, rules: RuleSet, weights: Weights) -> BulkSums:
    """Return the sums of the fifteen discards of each of n hands, in shape (n, 6).

    Raises ``ValueError`` for rules that the adviser does not know.
    """
    likely, rows = _matrix(weights), np.arange(len(hands))
    points = cribs = np.zeros((len(hands), len(CHOICES)))
    cases = np.zeros(len(hands))
    for look in CARD_CLASSES:
        tables = _tables(rules, look)
        unseen = np.repeat(tables.pack[None], len(hands), axis=0)
        for column in hands.T:
            unseen[rows, tables.of_card[column], _RANK[column]] -= 1
        kinds = tables.of_card[hands]
        points = points + tables.sum_hands(kinds, unseen.sum(axis=2))
        draw_counts = tables.count_draws(unseen, likely)
        cases = draw_counts.sum(axis=1)
        cribs = cribs + tables.sum_cribs(kinds, draw_counts)
    return BulkSums(points, cribs, cases)


class _Tables:
    """The points of hands and cribs from the rules of one class of cards, which has k kinds.

    ``pack`` counts the cards of the pack by kind and rank.
    """

    def __init__(self, rules: RuleSet, look: CardClasses) -> None:
        k = look.kinds
        self.of_card = np.array(look.of_card)
        self.pack = np.zeros((k, 13))
        np.add.at(self.pack, (self.of_card, _RANK), 1)
        low, high = np.triu_indices(k)
        self._low, self._high = low, high
        self._pair = np.zeros((k, k), np.int64)
        self._pair[low, high] = self._pair[high, low] = np.arange(len(low))
        self._pair_share = np.where(low == high, 0.5, 1.0)  # both orders of a pair are counted
        starters = np.eye(k)
        self._pair_kinds = starters[low] + starters[high]
        self._hand = points_table(rules, look, False).reshape(-1, k).astype(np.float64)
        own_pairs = points_table(rules, look, True)[low, high]
        crib = own_pairs[:, low, high]  # own pair, opponent's, starter
        self._crib = crib.reshape(len(low), -1).T.astype(np.float64)
        self._place = k ** np.arange(KEPT - 1, -1, -1)

    def sum_hands(self, kinds: Integers, unseen: Floats) -> Floats:
        """Return the sum of each choice's hand points over all starters."""
        points = self._hand.take(kinds[:, KEPT_PLACES] @ self._place, axis=0)
        sums: Floats = (points @ unseen[:, :, None])[:, :, 0]
        return sums

    def count_draws(self, unseen: Floats, likely: Floats) -> Floats:
        """Return the weighted number of ways to draw the opponent's pair and then a starter."""
        pairs = unseen @ likely @ unseen.transpose(0, 2, 1)
        diagonal = np.arange(unseen.shape[1])
        pairs[:, diagonal, diagonal] -= unseen @ likely.diagonal()  # no card pairs with itself
        of_pair = pairs[:, self._low, self._high] * self._pair_share
        starters = unseen.sum(axis=2)[:, None, :] - self._pair_kinds
        draw_counts: Floats = (of_pair[:, :, None] * starters).reshape(len(unseen), -1)
        return draw_counts

    def sum_cribs(self, kinds: Integers, draw_counts: Floats) -> Floats:
        """Return the sum of each choice's crib points over all draws."""
        sums = draw_counts @ self._crib
        first, second = kinds[:, CHOICES[:, 0]], kinds[:, CHOICES[:, 1]]
        return np.take_along_axis(sums, self._pair[first, second], axis=1)


@memoize(maxsize=8)  # two rule sets are shipped, with two classes of cards each
def _tables(rules: RuleSet, look: CardClasses) -> _Tables:
    return _Tables(rules, look)


@lru_cache(maxsize=8)  # for the dealer, the pone, and opponents who discard any pair
def _matrix(weights: Weights) -> Floats:
    return np.array(weights, np.float64)
