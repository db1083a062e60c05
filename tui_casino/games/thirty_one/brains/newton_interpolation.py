"""Newton interpolation over removed cards: exact for a few cards, an estimate for more.

Let f(c) be a value, such as an EV, of a shoe from which the cards c have been removed. It is known
for all sets of up to `ORDER` cards. The differences d of f at these sets determine f for any set:
f(c) is the sum over the sets s of d(s) times the number of ways in which s is part of c. (This is
Newton's forward formula in ten variables.)
"""

from __future__ import annotations

from itertools import combinations_with_replacement
from math import comb

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from ....cards.memo import memoize

VALUES = 10
"""The number of card values: aces first, tens and face cards last."""
ORDER = 3
"""The formula is exact for up to this many removed cards."""

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

ROOM = 5
"""The bits of each count in the key of a hand; a hand has at most 31 cards."""
MOST_OF_VALUE = (1 << ROOM) - 1
"""The lowest count of a key, as a mask."""
KEYS: Ints = 1 << ROOM * np.arange(VALUES, dtype=np.int64)

_NEAR: tuple[tuple[int, ...], ...] = tuple(
    cards
    for size in range(ORDER + 1)
    for cards in combinations_with_replacement(range(VALUES), size)
)
_NUMBER = {cards: row for row, cards in enumerate(_NEAR)}
_PAIRS = np.array(
    [[_NUMBER[min(a, b), max(a, b)] for a in range(VALUES)] for b in range(VALUES)], np.intp
)


def term_count(order: int) -> int:
    """Return the number of sets of up to ``order`` cards; sets are sorted by size.

    >>> term_count(0), term_count(1), term_count(ORDER)
    (1, 11, 286)
    """
    return comb(VALUES + order, order)


def distinct(values: Ints) -> Ints:
    """Return the different values of a flat array in ascending order.

    ``np.unique`` would first load ``numpy.ma``, which takes ten milliseconds.
    """
    ordered = np.sort(values)
    return np.asarray(ordered[starts_of_runs(ordered)])


def starts_of_runs(ordered: Ints) -> npt.NDArray[np.bool_]:
    """Return whether each value of a flat array differs from the value before it."""
    starts = np.ones(len(ordered), np.bool_)
    np.not_equal(ordered[1:], ordered[:-1], out=starts[1:])
    return starts


@memoize()
def nearby_sets() -> Ints:
    """Return the counts of all sets of up to `ORDER` cards, in shape (sets, 10)."""
    places = [VALUES * row + card for row, cards in enumerate(_NEAR) for card in cards]
    return np.bincount(places, minlength=VALUES * len(_NEAR)).reshape(-1, VALUES)


def differences(values: Floats) -> Floats:
    """Return the differences at the sets from the values there, in shape (sets, …).

    The difference at a set is the sum over its subsets, with alternating signs by the number of
    missing cards.
    """
    places, signs = _parts()
    return np.asarray(np.einsum("sp,sp...->s...", signs, values[places]))


@memoize()
def _parts() -> tuple[Ints, Floats]:
    """Return the indices of the subsets of each set, (sets, 8), and their signs, 0 if unused."""
    successors = _successor_sets()
    places, signs = np.zeros((len(_NEAR), 1 << ORDER), np.int64), np.zeros((len(_NEAR), 1 << ORDER))
    signs[0, 0] = 1
    for size in range(1, ORDER + 1):
        rows, half = slice(term_count(size - 1), term_count(size)), 1 << size - 1
        parents = [_NUMBER[cards[:-1]] for cards in _NEAR[rows]]
        last_cards = [cards[-1:] for cards in _NEAR[rows]]
        without, sign = places[parents, :half], signs[parents, :half]
        places[rows, : 2 * half] = np.hstack([without, successors[without, last_cards]])
        signs[rows, : 2 * half] = np.hstack([-sign, sign])
    return places, signs


def binomials(counts: Ints, order: int = ORDER) -> Floats:
    """Return the number of ways in which each set is part of each hand, in shape (hands, sets).

    >>> int(binomials(np.array([[3] + [0] * 9]))[0].sum())  # 1 + 3 + 3 + 1 of three aces
    8
    """
    sets = _NEAR[: term_count(order)]
    products = np.empty((len(sets), len(counts)))
    columns = counts.T.astype(np.float64, order="C")
    products[0] = 1
    for row, (*others, last) in enumerate(sets[1:], 1):
        held_count = others.count(last)
        np.multiply(
            products[_NUMBER[tuple(others)]],
            (columns[last] - held_count) / (held_count + 1),
            out=products[row],
        )
    return products.T


def values_at(counts: Ints, differences: Floats) -> Floats:
    """Return the value of each hand (hands, …) from the differences of the first sets (sets, …)."""
    return binomials(counts, order_of(differences)) @ differences


def order_of(differences: Floats) -> int:
    """Return the order of the formula, given its number of differences."""
    return next(order for order in range(ORDER + 1) if term_count(order) == len(differences))


def shift_differences(differences: Floats, removed: Ints) -> Floats:
    """Return the differences around a shoe from which further cards are removed.

    ``differences`` (sets, kinds) holds the shoe's differences, and ``removed`` (cases, 10) the
    removed cards. The result has shape (sets, kinds, cases). Terms beyond the order are dropped.
    """
    successors = _successor_sets()
    shifted = np.repeat(differences[:, :, None], len(removed), axis=2)
    for value in range(VALUES):
        max_removed = int(removed[:, value].max(initial=0))
        if not max_removed:
            continue
        step, ways, total = shifted, np.ones(len(removed)), shifted.copy()
        for number in range(1, min(max_removed, ORDER) + 1):
            padded = np.concatenate([step, np.zeros((1, *step.shape[1:]))])
            step = padded[np.minimum(successors[: len(shifted), value], len(shifted))]
            ways = ways * (removed[:, value] - number + 1) / number
            total += ways * step
        shifted = total
    return shifted


def cross_differences(differences: Floats) -> Floats:
    """Return the effect of pairs of cards for each kind, in shape (kinds, 10, 10).

    In the second-order formula, removed cards change the value of a hand by the same amount as the
    value of the empty hand, plus this effect for each pair of a removed card and a card of the
    hand.
    """
    return np.asarray(np.moveaxis(differences[_PAIRS], 2, 0))


def second_order(differences: Floats, removed: Ints) -> Floats:
    """Return how removed cards change the values of the empty hand, by the second-order formula.

    ``removed`` has shape (cases, 10), and the result has shape (kinds, cases).
    """
    crosses = cross_differences(differences)
    linear = differences[1 : 1 + VALUES].T - np.diagonal(crosses, axis1=1, axis2=2) / 2
    pairs = ((removed @ crosses) * removed).sum(axis=2) / 2
    return np.asarray(linear @ removed.T + pairs)


@memoize()
def _successor_sets() -> Ints:
    """Return the index of each set after adding a card of each value, or one past the end."""
    keys, shorter = nearby_sets() @ KEYS, term_count(ORDER - 1)
    order = np.argsort(keys, kind="stable")
    places = np.full((len(keys), VALUES), len(keys))
    next_keys = keys[:shorter, None] + KEYS
    places[:shorter] = order[np.searchsorted(keys[order], next_keys)]
    return places


# ---- many hands --------------------------------------------------------------------------------


class _Step(Struct, frozen=True):
    """One step of the sum: each hand's previous group.

    ``ways`` (order + 1, hands) is the number of ways to choose 0, 1, … of its cards of the step's
    value.
    """

    parents: Ints
    ways: Floats


class NewtonFormula:
    """Computes :func:`values_at` for many hands, each of a kind with its own differences.

    Hands that agree in the higher values share partial sums. So the sums are computed value by
    value, tens first. In the first steps, thousands of hands form only a few dozen groups. In the
    last steps, each hand is its own group, but few sets are left to sum over.
    """

    def __init__(self, counts: Ints, kinds: Ints) -> None:
        keys = counts @ KEYS + (kinds << ROOM * VALUES)
        before = np.arange(int(kinds.max(initial=0)) + 1)
        steps = []
        for value in reversed(range(VALUES)):
            prefixes = distinct(keys >> ROOM * value)
            ways = _WAYS[:, prefixes & MOST_OF_VALUE]
            steps.append(_Step(np.searchsorted(before, prefixes >> ROOM), ways))
            before = prefixes
        self._steps = tuple(steps)
        self._place = np.searchsorted(before, keys)

    def values(self, differences: Floats) -> Floats:
        """Return the value of each hand (hands, …) from the differences (sets, kinds, …)."""
        order = order_of(differences)
        partial_sums = np.moveaxis(
            differences.reshape(*differences.shape[:2], -1), 2, 0
        )  # hands are the last axis
        for value, step in zip(reversed(range(VALUES)), self._steps, strict=True):
            sets, *sets_of_more = _set_places_by_extra(value, order)
            next_sums = partial_sums[:, sets].take(step.parents, axis=2)
            for ways, with_more in zip(step.ways[1:], sets_of_more, strict=False):
                next_sums[:, : len(with_more)] += ways * partial_sums[:, with_more].take(
                    step.parents, axis=2
                )
            partial_sums = next_sums
        result = partial_sums[:, 0].take(self._place, axis=1).T
        return np.asarray(result.reshape(-1, *differences.shape[2:]))


_WAYS = np.array(
    [[comb(n, number) for n in range(1 << ROOM)] for number in range(ORDER + 1)], np.float64
)


@memoize(maxsize=VALUES * (ORDER + 1))
def _set_places_by_extra(value: int, order: int) -> tuple[Ints, ...]:
    """Return the indices of the sets of lower values with 0, 1, … more cards of this value.

    The indices refer to the sets of lower values and this value. Sets that would exceed the order
    are last, and are left out.
    """
    sets = [cards for cards in _NEAR[: term_count(order)] if max(cards, default=0) <= value]
    place = {cards: row for row, cards in enumerate(sets)}
    below = [cards for cards in sets if value not in cards]
    return tuple(
        np.array(
            [place[*cards, *(value,) * extra] for cards in below if len(cards) + extra <= order]
        )
        for extra in range(order + 1)
    )
