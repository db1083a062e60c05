"""Arrays that number the five-card deals from one pack and the card sets within them.

A set of cards is represented by 52 bits; bit ``card.index`` stands for a card. Sets of one size are
numbered from 0 in the order of these bits (colexicographic order). The set of the cards with the
indices a < b < c < d < e has the number C(a,1) + C(b,2) + C(c,3) + C(d,4) + C(e,5), where C is the
binomial coefficient (the combinatorial number system).

A *hold mask* says which cards of a deal are held: bit i is the card with the i-th lowest index. No
suit is higher than another, so sets that differ only in the names of the suits are equivalent.
Equivalent sets form a *class*.
"""

from __future__ import annotations

from itertools import pairwise, permutations
from math import comb
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from .memo import memoize

Integers: TypeAlias = npt.NDArray[np.integer[Any]]
HoldMasks: TypeAlias = npt.NDArray[np.uint8]

DEAL_COUNT = 2_598_960
"""The number of five-card deals: C(52, 5)."""

HOLD_COUNT = 32
STAND_PAT = HOLD_COUNT - 1
"""The hold mask that keeps all five cards."""

HOLD_SIZES = tuple(mask.bit_count() for mask in range(HOLD_COUNT))
"""The number of cards that each hold mask holds."""

_CHOOSE = np.array([[comb(card, k) for card in range(52)] for k in range(6)], np.int32)

# The number that a card adds to the number of a set of s lower cards: its own term, and the count
# of sets of size s.
_ADD_CARD = [
    _CHOOSE[[size + 1 for size in HOLD_SIZES[: 1 << position]]]
    + np.array([[comb(52, size)] for size in HOLD_SIZES[: 1 << position]], np.int32)
    for position in range(5)
]

# The same for each card, by its place among five and by hold mask; 0 if the card is not held.
_FIVE = np.arange(5)
_ADD_HELD = np.zeros((5, 52, HOLD_COUNT), np.int32)
for _place, _added in enumerate(_ADD_CARD):
    for _mask in range(HOLD_COUNT):
        if _mask >> _place & 1:
            _ADD_HELD[_place, :, _mask] = _added[_mask % (1 << _place)]


def all_deals() -> npt.NDArray[np.uint8]:
    """Return all deals as ascending ``card.index``, in shape (2598960, 5); row i is deal i."""
    sets = np.zeros(1, np.int64)
    for _ in range(5):
        sets = _with_a_higher_card(sets)
    return np.ascontiguousarray(_cards(sets).T)


def deal_numbers(cards: Integers) -> npt.NDArray[np.int32]:
    """Return the numbers of n deals, given as ascending ``card.index`` in shape (n, 5)."""
    return _number(cards.T)


def _number(cards: Integers) -> npt.NDArray[np.int32]:
    """Return the numbers of sets, given as ascending indices along the first axis."""
    number = np.zeros(cards.shape[1:], np.int32)
    for size, card in enumerate(cards, 1):
        number += _CHOOSE[size].take(card)
    return number


def subset_numbers(cards: Integers) -> npt.NDArray[np.int32]:
    """Return the numbers of the sets that each hold mask keeps, in shape (32, …).

    ``cards`` are ascending indices in shape (5, …). Here sets of all sizes are numbered in one
    sequence, smaller sets first.
    """
    if cards.ndim == 1:  # for a single deal this is faster
        of_one: npt.NDArray[np.int32] = _ADD_HELD[_FIVE, cards].sum(axis=0, dtype=np.int32)
        return of_one
    numbers = np.zeros((HOLD_COUNT, *cards.shape[1:]), np.int32)
    for position, card in enumerate(cards):
        lower = 1 << position
        added = _ADD_CARD[position].take(card, axis=1)
        np.add(numbers[:lower], added, out=numbers[lower : 2 * lower])
    return numbers


def _with_a_higher_card(sets: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Add every possible higher card to each set; return the new sets in ascending order."""
    return np.concatenate([sets[sets < 1 << card] | 1 << card for card in range(52)])


def _cards(sets: npt.NDArray[np.int64]) -> npt.NDArray[np.uint8]:
    """Return the ascending card indices of sets of five cards, in shape (5, n)."""
    cards = np.empty((5, len(sets)), np.uint8)
    for card in cards:
        card[:] = np.bitwise_count((sets & -sets) - 1)
        sets = sets & (sets - 1)
    return cards


def _suits(sets: npt.NDArray[np.int64]) -> list[npt.NDArray[np.uint16]]:
    """Return the ranks in each of the four suits, as 13 bits."""
    return [(sets >> 13 * suit & 0x1FFF).astype(np.uint16) for suit in range(4)]


class SubsetClasses(Struct, frozen=True):
    """The 18,370 classes of up to four cards.

    ``class_of`` is the class of each set of up to four cards, indexed by `subset_numbers`, in shape
    (294204,). ``sets`` holds the number of sets in each class, and ``examples`` one set of each
    class as bits.
    """

    class_of: npt.NDArray[np.int32]
    sets: npt.NDArray[np.int64]
    examples: npt.NDArray[np.int64]


@memoize()
def subset_classes() -> SubsetClasses:
    """Return the classes of sets of up to four cards.

    Two sets belong to the same class if their four suits contain the same ranks, in any order of
    suits.
    """
    sizes = [np.zeros(1, np.int64)]
    for _ in range(4):
        sizes.append(_with_a_higher_card(sizes[-1]))
    suits = _suits(np.concatenate(sizes))
    for a, b in (0, 1), (2, 3), (0, 2), (1, 3), (1, 2):
        suits[a], suits[b] = np.maximum(suits[a], suits[b]), np.minimum(suits[a], suits[b])
    ordered = sum(ranks.astype(np.int64) << 13 * suit for suit, ranks in enumerate(suits))
    examples, of, sets = np.unique(ordered, return_inverse=True, return_counts=True)
    return SubsetClasses(of.astype(np.int32), sets, examples)


class HandClasses(Struct, frozen=True):
    """The 134,459 classes of five-card hands, each represented by one deal.

    ``cards`` are the deal's ascending indices, in shape (5, n). ``deals`` is the number of deals of
    the class. ``held`` is the class of the cards that each hold mask except `STAND_PAT` keeps, in
    shape (31, n).
    """

    cards: npt.NDArray[np.uint8]
    deals: npt.NDArray[np.int64]
    held: npt.NDArray[np.int32]


@memoize()
def hand_classes() -> HandClasses:
    """Return the classes of hands; each is represented by its deal whose suits are in sorted order.

    A class has 24 deals, divided by the number of permutations of suits with equal ranks.
    """
    sets = np.zeros(1, np.int64)
    for _ in range(5):  # a sorted set without its highest card is sorted, so no set is missed
        sets = _with_a_higher_card(sets)
        c, d, h, s = _suits(sets)
        sets = sets[(c >= d) & (d >= h) & (h >= s)]
    alike = np.ones_like(sets)
    count = np.full_like(sets, 24)
    for one, next_one in pairwise(_suits(sets)):
        alike = np.where(one == next_one, alike + 1, 1)
        count //= alike
    cards = _cards(sets)
    return HandClasses(
        cards, count, subset_classes().class_of.take(subset_numbers(cards)[:STAND_PAT])
    )


def expand_to_deals(masks: HoldMasks) -> HoldMasks:
    """Convert hold masks of the :func:`hand_classes`, in shape (134459,), to masks of all deals.

    The result is indexed by deal number. If two suits of a deal have equal ranks, several masks are
    equivalent; the deal gets one of them.
    """
    cards = hand_classes().cards
    spread = np.empty(DEAL_COUNT, np.uint8)
    held = masks >> np.arange(5, dtype=np.uint8)[:, None] & 1
    for suits in permutations(range(4)):
        renamed = np.array([13 * suit + rank for suit in suits for rank in range(13)], np.uint8)
        marked = renamed[cards] << 1 | held  # sorting then moves the held bit with its card
        marked.sort(axis=0)
        number = _number(marked >> 1)
        spread[number] = np.bitwise_or.reduce((marked & 1) << np.arange(5, dtype=np.uint8)[:, None])
    return spread


def subtract_discards(sums: npt.NDArray[np.int64]) -> None:
    """Convert sums over hands with the held cards to sums over hands without the discards.

    ``sums`` has shape (32, …) and is changed in place. For each hold mask it holds the sum of some
    value over all hands that contain the held cards. A final hand contains the held cards and no
    other card of the deal. So for each discarded card, the hands that contain it are subtracted
    (inclusion and exclusion, as a Möbius transform over the 32 masks).
    """
    for bit in range(5):
        pairs = sums.reshape(-1, 2, 1 << bit, *sums.shape[1:])
        pairs[:, 0] -= pairs[:, 1]


HOLD_INCLUSION_EXCLUSION = np.eye(HOLD_COUNT, dtype=np.int64)
""":func:`subtract_discards` as a matrix; multiplication by the matrix is faster for few sums."""
subtract_discards(HOLD_INCLUSION_EXCLUSION)
