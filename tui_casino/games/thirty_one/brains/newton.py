"""Newton's formula for what depends on which cards are gone: exact for few, then on from there.

A value f of a shoe without some cards is known for all sets of `ORDER` cards and fewer. Its
differences d at these sets give it for any other: f(c) is the sum over the sets s of d(s) times the
number of ways in which s is part of c. (Newton's forward formula, in ten counts at once.)
"""

from __future__ import annotations

from itertools import combinations_with_replacement
from math import comb

import numpy as np
import numpy.typing as npt

from ....cards.once import once

VALUES = 10
"""Cards are counted by value: aces first, tens and pictures last."""
ORDER = 3
"""So many further cards a value is exact for."""

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

_BLOCK = 1 << 10  # hands at a time, so that their products stay in the processor's cache

_NEAR: tuple[tuple[int, ...], ...] = tuple(
    cards
    for size in range(ORDER + 1)
    for cards in combinations_with_replacement(range(VALUES), size)
)
_NUMBER = {cards: row for row, cards in enumerate(_NEAR)}


def terms(order: int) -> int:
    """Tell how many sets there are of so many cards and fewer; they come first in rising order.

    >>> terms(0), terms(1), terms(ORDER)
    (1, 11, 286)
    """
    return comb(VALUES + order, order)


@once()
def near() -> tuple[Ints, Floats]:
    """Give the sets (sets, 10), and what takes values at them to differences (sets, sets)."""
    counts = np.array([np.bincount(cards, minlength=VALUES) for cards in _NEAR], np.int64)
    return counts, np.linalg.inv(binomials(counts)).astype(np.float64)


def binomials(counts: Ints, order: int = ORDER) -> Floats:
    """Tell in how many ways each set up to a size is part of each hand: (hands, sets).

    >>> int(binomials(np.array([[3] + [0] * 9]))[0].sum())  # 1 + 3 + 3 + 1 of three aces
    8
    """
    sets = _NEAR[: terms(order)]
    ways = np.empty((len(sets), len(counts)))
    ways[0] = 1
    for row, (*others, last) in enumerate(sets[1:], 1):
        already = others.count(last)
        np.multiply(
            ways[_NUMBER[tuple(others)]], (counts[:, last] - already) / (already + 1), out=ways[row]
        )
    return ways.T


def values_at(counts: Ints, differences: Floats) -> Floats:
    """Give the value of each hand (hands, …) from the differences of the first sets (sets, …)."""
    order = next(order for order in range(ORDER + 1) if terms(order) == len(differences))
    blocks = range(0, len(counts), _BLOCK)
    parts = [binomials(counts[row : row + _BLOCK], order) @ differences for row in blocks]
    return np.concatenate([np.empty((0, *differences.shape[1:])), *parts])


def moved(differences: Floats, gone: Ints) -> Floats:
    """Give the differences anew where further cards are gone already.

    ``differences`` (sets, kinds) are of the shoe, ``gone`` (cases, 10) the cards; comes as
    (sets, kinds, cases). What lies beyond the order is left out.
    """
    more = _one_more()
    came = np.repeat(differences[:, :, None], len(gone), axis=2)
    for value in range(VALUES):
        most = int(gone[:, value].max(initial=0))
        if not most:
            continue
        step, ways, total = came, np.ones(len(gone)), came.copy()
        for number in range(1, min(most, ORDER) + 1):
            padded = np.concatenate([step, np.zeros((1, *step.shape[1:]))])
            step = padded[np.minimum(more[: len(came), value], len(came))]
            ways = ways * (gone[:, value] - number + 1) / number
            total += ways * step
        came = total
    return came


@once()
def _one_more() -> Ints:
    """Give by set and value the set with one more card of it; a place beyond if there is none."""
    rows = [
        [_NUMBER.get(tuple(sorted((*cards, value))), len(_NEAR)) for value in range(VALUES)]
        for cards in _NEAR
    ]
    return np.array(rows, np.int64)
