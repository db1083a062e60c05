"""Exact counts of the poker hands that a draw can lead to, for every hold of every hand.

Nothing is sampled or rounded. A game divides the 7,462 strengths into kinds, such as the rows of a
pay table or the hand categories. For every set of up to five cards, this module counts the
five-card hands of each kind that contain the set. A hold leads to the final hands that contain the
held cards and none of the discarded cards. The number of these hands is computed from the counts of
the subsets of the hand by inclusion and exclusion (`hand_indexing.subtract_discards`). No suit is
higher than another, so it is enough to consider 18,370 classes of sets of up to four cards, and
134,459 classes of deals.

After k discards there are C(47, k) draws. Their least common multiple is 7,669,695, so counts over
all deals and draws are weighted to add up to the common total `TOTAL_WEIGHT`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations
from math import comb, lcm
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from . import hand_indexing
from .card import Card
from .hand_indexing import DEAL_COUNT, HOLD_COUNT, HOLD_SIZES, STAND_PAT, HoldMasks
from .memo import memoize
from .poker import CARD_CODES, STRENGTHS, strength_of, strengths_of_codes, strengths_of_indices

Int64s: TypeAlias = npt.NDArray[np.int64]

DRAWS_BY_HOLD = tuple(comb(47, 5 - size) for size in HOLD_SIZES)
"""The number of possible draws after each hold mask."""

DRAW_SCALE = lcm(*DRAWS_BY_HOLD)
TOTAL_WEIGHT = DEAL_COUNT * DRAW_SCALE
"""The total weight of all deals and draws, 7,669,695 per deal: 19,933,230,517,200."""

_SIGNS = np.array([-1 if size % 2 else 1 for size in HOLD_SIZES])


class DrawCounts:
    """Counts of final hands by kind; each strength has one of ``kinds`` kinds, numbered from 0.

    ``kind_of_strength`` has 7,463 entries; the first one is unused. ``kind_of_hand`` holds the kind
    of each of the `hand_indexing.hand_classes`, in shape (134459,). ``by_class`` counts, for each
    of the `hand_indexing.subset_classes`, the hands that contain one set of the class, in shape
    (18370, kinds). Construction takes a tenth of a second.
    """

    def __init__(self, kind_of_strength: npt.NDArray[np.int32], kinds: int) -> None:
        self.kinds = kinds
        self.kind_of_strength = kind_of_strength
        self.kind_of_hand = kind_of_strength[
            strengths_of_indices(hand_indexing.hand_classes().cards.T)
        ]
        self.by_class = self._sum_by_class()

    def kind_of(self, hand: Sequence[Card]) -> int:
        """Return the kind of a five-card hand."""
        return int(self.kind_of_strength[strength_of(hand)])

    def after_each_hold(self, hand: Sequence[Card]) -> Int64s:
        """Count the draws by kind after each hold of five different cards, in shape (32, kinds)."""
        own = np.zeros(self.kinds, np.int64)
        own[self.kind_of(hand)] = 1
        return sum_after_each_hold(hand, self.by_class, own)

    def after_all(self, masks: HoldMasks) -> tuple[int, ...]:
        """Count final hands by kind over all deals and draws; the counts sum to `TOTAL_WEIGHT`.

        ``masks`` gives the hold of each of the `hand_indexing.hand_classes`, in shape (134459,).
        """
        terms, by_class = _terms(masks)
        by_kind = _SIGNS[STAND_PAT] * np.bincount(self.kind_of_hand, terms, self.kinds)
        # products may overflow 64 bits, but the counts fit, and arithmetic modulo 2**64 is exact
        counts = by_class @ self.by_class + by_kind.astype(np.int64)
        return tuple(counts.tolist())

    def _sum_by_class(self) -> Int64s:
        """Count, for each class, the hands of each kind that contain one of its sets.

        Each deal is counted for all sets that it contains. All sets of a class have the same count,
        so the sum over the class is divided by its number of sets.
        """
        hands, sets = hand_indexing.hand_classes(), hand_indexing.subset_classes().sets
        deals = hands.deals.astype(np.float64)
        sums = np.zeros(len(sets) * self.kinds)  # exact, because all numbers are below 2**53
        for held in hands.held:
            sums += np.bincount(held * self.kinds + self.kind_of_hand, deals, len(sums))
        return sums.astype(np.int64).reshape(-1, self.kinds) // sets[:, None]


class DirectDrawCounts:
    """Computes `DrawCounts.after_each_hold` without tables of deals, for many kinds and few hands.

    ``small_sets`` holds the result of :func:`count_small_sets`, which is slow, for sets of up to
    two cards. Counts for sets of three or four cards are computed for each hand.
    """

    def __init__(
        self, kind_of_strength: npt.NDArray[np.int32], small_sets: npt.NDArray[np.integer[Any]]
    ) -> None:
        self.kinds = small_sets.shape[1]
        self._kind_of_strength, self._small_sets = kind_of_strength, small_sets

    def after_each_hold(self, hand: Sequence[Card]) -> Int64s:
        """Count the draws by kind after each hold of five different cards, in shape (32, kinds)."""
        cards, rows = np.array(sorted(card.index for card in hand)), _small_set_rows()
        sums = np.zeros((HOLD_COUNT, self.kinds), np.int64)
        # strength_of would build tables for single hands, which this class does not need
        sums[STAND_PAT, self._kind_of_strength[strengths_of_indices(cards[None])[0]]] = 1
        for mask in range(STAND_PAT):
            held = cards[[bit for bit in range(5) if mask >> bit & 1]]
            if len(held) > _TWO:
                sums[mask] = self._with(held)
            else:
                sums[mask] = self._small_sets[rows[_suits_of(held.tolist())]]
        return hand_indexing.HOLD_INCLUSION_EXCLUSION @ sums

    def _with(self, cards: npt.NDArray[np.int64]) -> npt.NDArray[np.intp]:
        """Count the five-card hands of each kind that contain these three or four cards."""
        codes = np.array(CARD_CODES, np.int32)
        rest = np.delete(codes, cards)
        drawn = (rest[place] for place in _COMPLETED[5 - len(cards)])
        strengths = strengths_of_codes(int(codes[cards].sum()), *drawn)
        return np.bincount(self._kind_of_strength[strengths].ravel(), minlength=self.kinds)


_TWO = 2
_COMPLETED = ((), (np.arange(48),), np.triu_indices(49, 1))
"""For each number of missing cards, the indices of all possible draws from the other cards."""


def count_small_sets(kind_of_strength: npt.NDArray[np.int32], kinds: int) -> Int64s:
    """Count the hands of each kind that contain a set of up to two cards, (183 classes, kinds)."""
    classes, hands = hand_indexing.subset_classes(), hand_indexing.hand_classes()
    few = np.unique(classes.class_of[: sum(comb(52, size) for size in range(_TWO + 1))])
    row = np.zeros(len(classes.sets), np.int64)
    row[few] = np.arange(len(few))
    kind_of_hand = kind_of_strength[strengths_of_indices(hands.cards.T)]
    sums = np.zeros(len(few) * kinds)  # exact, because all numbers are below 2**53
    for mask in range(STAND_PAT):
        if HOLD_SIZES[mask] <= _TWO:
            key = row[hands.held[mask]] * kinds + kind_of_hand
            sums += np.bincount(key, hands.deals, len(sums))
    counts: Int64s = sums.astype(np.int64).reshape(-1, kinds) // classes.sets[few, None]
    return counts


@memoize()
def _small_set_rows() -> dict[tuple[int, ...], int]:
    """Return the row of each class of sets in :func:`count_small_sets`."""
    sets = (cards for size in range(_TWO + 1) for cards in combinations(range(52), size))
    return {suits: row for row, suits in enumerate(sorted({*map(_suits_of, sets)}))}


def _suits_of(cards: Iterable[int]) -> tuple[int, ...]:
    """Return the ranks of each suit as bits, in ascending order; equal for sets of one class."""
    suits = [0] * 4
    for card in cards:
        suits[card // 13] |= 1 << card % 13
    return tuple(sorted(suits))


def sum_after_each_hold(hand: Sequence[Card], of_class: Int64s, own: npt.ArrayLike) -> Int64s:
    """Sum a value of the final hands over the draws after each hold mask, in shape (32, …).

    ``of_class`` holds, for each subset class, the sum over the hands that contain one of its sets,
    and ``own`` is the value of the hand itself. The hand must be five different cards; this is not
    checked.
    """
    cards = np.array(sorted(card.index for card in hand))
    numbers = hand_indexing.subset_numbers(cards)[:STAND_PAT]
    sums = np.empty((HOLD_COUNT, *of_class.shape[1:]), np.int64)
    sums[:STAND_PAT] = of_class[hand_indexing.subset_classes().class_of[numbers]]
    sums[STAND_PAT] = own
    return hand_indexing.HOLD_INCLUSION_EXCLUSION @ sums


def sum_by_class(values: Int64s) -> Int64s:
    """Return for each of the 18,370 subset classes the sum over the hands that contain a set.

    ``values`` contains a value for each class of hands. Their sum over all deals must be below
    2**53.
    """
    hands, sets = hand_indexing.hand_classes(), hand_indexing.subset_classes().sets
    weighted = (values * hands.deals).astype(np.float64)
    sums = np.zeros(len(sets))
    for held in hands.held:
        sums += np.bincount(held, weighted, len(sets))
    return sums.astype(np.int64) // sets


def final_strength_counts(masks: HoldMasks, some: npt.NDArray[np.bool_] | None = None) -> Int64s:
    """Count final hands by strength over all deals and draws, in shape (7463,); index 0 is unused.

    ``masks`` has the same meaning as in `DrawCounts.after_all`; ``some`` selects the hands to
    count, by default all hands.
    """
    hands, sets = hand_indexing.hand_classes(), hand_indexing.subset_classes().sets
    terms, by_class = _terms(masks, some)
    of_set = by_class // sets  # all sets of a class have the same share
    counts = sum(of_set[held] for held in hands.held) * hands.deals
    counts += (_SIGNS[STAND_PAT] * terms).astype(np.int64)
    strengths = strengths_of_indices(hands.cards.T)
    return np.bincount(strengths, counts, len(STRENGTHS) + 1).astype(np.int64)


def _terms(
    masks: HoldMasks, some: npt.NDArray[np.bool_] | None = None
) -> tuple[npt.NDArray[np.float64], Int64s]:
    """Return the weight of each hand after its hold, and the sum of weights per subset class.

    The counts of a hold are an alternating sum over all masks that contain its cards. So the terms
    of all hands are first summed by class. The sums are exact, because all are below 2**53.
    """
    hands = hand_indexing.hand_classes()
    terms = (hands.deals * (DRAW_SCALE // np.array(DRAWS_BY_HOLD) * _SIGNS)[masks]).astype(
        np.float64
    )
    if some is not None:
        terms *= some
    by_class = np.zeros(len(hand_indexing.subset_classes().sets))
    for mask, held in enumerate(hands.held):
        keeps = np.flatnonzero(masks & ~np.uint8(mask) == 0)
        by_class += _SIGNS[mask] * np.bincount(held[keeps], terms[keeps], len(by_class))
    return terms, by_class.astype(np.int64)
