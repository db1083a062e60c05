"""Newton interpolation over removed cards: exact for a few cards, an estimate for more.

A value f of a shoe without some cards is known for all sets of `ORDER` cards and fewer. Its
differences d at these sets give it for any other: f(c) is the sum over the sets s of d(s) times the
number of ways in which s is part of c. (Newton's forward formula, in ten counts at once.)
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations_with_replacement
from math import comb

import numpy as np
import numpy.typing as npt

from ....cards.memo import memoize

VALUES = 10
"""Cards are counted by value: aces first, tens and pictures last."""
ORDER = 3
"""So many further cards a value is exact for."""

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

ROOM = 5
"""Bits for a count in the key of a hand: at most 31 cards."""
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
    """Tell how many sets there are of so many cards and fewer; they come first in rising order.

    >>> term_count(0), term_count(1), term_count(ORDER)
    (1, 11, 286)
    """
    return comb(VALUES + order, order)


@memoize()
def nearby_sets() -> Ints:
    """Give the sets (sets, 10)."""
    return np.array([np.bincount(cards, minlength=VALUES) for cards in _NEAR], np.int64)


def differences(values: Floats) -> Floats:
    """Give the differences at the sets from the values there (sets, …).

    That of a set is the sum over its parts, less for each card that they have less than it.
    """
    places, signs = _parts()
    return np.asarray(np.einsum("sp,sp...->s...", signs, values[places]))


@memoize()
def _parts() -> tuple[Ints, Floats]:
    """Give the parts of each set (sets, 8), and how often they count; there may be less."""
    places, signs = np.zeros((2, len(_NEAR), 1 << ORDER))
    for row, cards in enumerate(_NEAR):
        for subset in range(1 << len(cards)):
            part = tuple(card for bit, card in enumerate(cards) if subset >> bit & 1)
            places[row, subset] = _NUMBER[part]
            signs[row, subset] = (-1) ** (len(cards) - len(part))
    return places.astype(np.int64), signs


def binomials(counts: Ints, order: int = ORDER) -> Floats:
    """Tell in how many ways each set up to a size is part of each hand: (hands, sets).

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
    """Give the value of each hand (hands, …) from the differences of the first sets (sets, …)."""
    return binomials(counts, order_of(differences)) @ differences


def order_of(differences: Floats) -> int:
    """Give the order of the formula that so many differences make."""
    return next(order for order in range(ORDER + 1) if term_count(order) == len(differences))


def shift_differences(differences: Floats, removed: Ints) -> Floats:
    """Give the differences anew where further cards are gone already.

    ``differences`` (sets, kinds) are of the shoe, ``removed`` (cases, 10) the cards; comes as
    (sets, kinds, cases). What lies beyond the order is left out.
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
    """Give by kind what a card of one value changes where one of another is gone: (kinds, 10, 10).

    With the formula of the second order that is all: what cards gone change of a hand's value is
    what they change of that without further cards, and so much for each pair of the two.
    """
    return np.asarray(np.moveaxis(differences[_PAIRS], 2, 0))


def second_order(differences: Floats, removed: Ints) -> Floats:
    """Give by kind what cards gone (cases, 10) change of the value without further cards.

    It is the formula of the second order; comes as (kinds, cases).
    """
    crosses = cross_differences(differences)
    linear = differences[1 : 1 + VALUES].T - np.diagonal(crosses, axis1=1, axis2=2) / 2
    pairs = ((removed @ crosses) * removed).sum(axis=2) / 2
    return np.asarray(linear @ removed.T + pairs)


@memoize()
def _successor_sets() -> Ints:
    """Give by set and value the set with one more card of it; a place beyond if there is none."""
    rows = [
        [_NUMBER.get(tuple(sorted((*cards, value))), len(_NEAR)) for value in range(VALUES)]
        for cards in _NEAR
    ]
    return np.array(rows, np.int64)


# ---- many hands --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Step:
    """Hands told apart by one more value: which they were, and how many cards of it they have.

    ``ways`` (order + 1, hands) are those in which so many cards of it are in them.
    """

    parents: Ints
    count: Ints
    ways: Floats


class NewtonFormula:
    """What :func:`values_at` gives, for many hands, each of a kind with values of its own.

    Hands that have the same of the higher values share what is summed over these. So the sums are
    made value by value, tens first: of thousands of hands only some dozens are told apart at first,
    and when all are, next to no sets are left to sum over.
    """

    def __init__(self, counts: Ints, kinds: Ints) -> None:
        keys = counts @ KEYS + (kinds << ROOM * VALUES)
        before = np.arange(int(kinds.max(initial=0)) + 1)
        steps = []
        for value in reversed(range(VALUES)):
            prefixes = np.unique(keys >> ROOM * value)
            count = prefixes & (1 << ROOM) - 1
            steps.append(_Step(np.searchsorted(before, prefixes >> ROOM), count, _WAYS[:, count]))
            before = prefixes
        self._steps = tuple(steps)
        self._place = np.searchsorted(before, keys)

    def values(self, differences: Floats) -> Floats:
        """Give the value of each hand (hands, …) from the differences (sets, kinds, …)."""
        order = order_of(differences)
        partial_sums = np.moveaxis(
            differences.reshape(*differences.shape[:2], -1), 2, 0
        )  # hands go last
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

    def products(self, factors: Floats) -> Floats:
        """Give the product over the values of what stands for their count (10, counts): (hands)."""
        product = np.ones(1 + int(self._steps[0].parents.max(initial=0)))
        for value, step in zip(reversed(range(VALUES)), self._steps, strict=True):
            product = product[step.parents] * factors[value, step.count]
        return product[self._place]


_WAYS = np.array(
    [[comb(n, number) for n in range(1 << ROOM)] for number in range(ORDER + 1)], np.float64
)


@memoize(maxsize=VALUES * (ORDER + 1))
def _set_places_by_extra(value: int, order: int) -> tuple[Ints, ...]:
    """Give, for the sets of lower values, the places of those with no, one, … of this value more.

    The places are among the sets of lower values and this one. Sets that would outgrow the order
    come last, and are left out.
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
