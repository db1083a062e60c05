"""The hands of a split that a shoe lets come: listed for its play, with what standing gains."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from ..machine.rules import Total
from .newton_interpolation import (
    Floats,
    Ints,
    NewtonFormula,
    binomials,
    cross_differences,
    order_of,
    term_count,
)
from .shoe_dealer_odds import falling_factorials
from .shoe_odds import KINDS, DrawTree, kinds_of, next_live_hands, player_draw_tree


@dataclass(frozen=True, slots=True)
class TreeLevel:
    """The hands of so many cards that go on, as ``rows``, and their next ones that are not bust.

    The next ones, ``child``, come by the value ``drawn``; those of a row begin at ``first``.
    ``left`` is the number of cards of the value left without the hand, ``size`` that of all cards:
    whole numbers, stored as floats because they are multiplied with floats many times.
    """

    rows: Ints
    first: Ints
    child: Ints
    drawn: Ints
    left: Floats
    size: Floats


@dataclass(frozen=True, slots=True)
class TreeFormula:
    """The formula for all hands that a shoe could have, and which of them are in a tree."""

    formula: NewtonFormula
    hands: Ints


@dataclass(frozen=True, slots=True, eq=False)
class SplitTree:
    """What may be drawn to a total from a shoe; hands and their next ones as in `DrawTree`.

    ``kinds`` are those of the totals; ``whole`` is there if nothing was left out as seldom.
    """

    counts: Ints
    points: Ints
    kinds: Ints
    nexts: Ints
    levels: tuple[TreeLevel, ...]
    whole: TreeFormula | None


def build_split_tree(left: Ints, total: Total, seldom: float) -> SplitTree:
    """List what may come of a total, but for what comes up as seldom as this."""
    ways = player_draw_tree(total)
    reached = _reached(left, ways)
    there = np.flatnonzero(reached > seldom)
    number = np.full(len(reached) + 1, len(there))
    number[there] = np.arange(len(there))
    nexts, counts = number[ways.nexts[there]], ways.hands.counts[there]
    points = ways.hands.points[there]
    kinds = kinds_of(points)
    return SplitTree(
        counts,
        points,
        kinds,
        nexts,
        _levels(left, counts, nexts, ways.hands.on[there]),
        None if seldom else TreeFormula(ways.gains, there),
    )


def _levels(
    left: Ints, counts: Ints, nexts: Ints, on: npt.NDArray[np.bool_]
) -> tuple[TreeLevel, ...]:
    child, drawn, parent, first = next_live_hands(nexts, on)
    cards, behind = counts.sum(axis=1), np.maximum(left - counts, 0)
    count, size = behind[parent, drawn].astype(np.float64), behind.sum(axis=1).astype(np.float64)
    ends = np.append(first[1:], len(child))
    going = np.flatnonzero(ends > first)
    starts = np.searchsorted(cards[going], np.arange(cards[-1] + 2))
    levels = []
    for begin, end in pairwise(starts.tolist()):
        if begin < end:
            rows = going[begin:end]
            some = slice(first[rows[0]], ends[rows[-1]])
            at = first[rows] - first[rows[0]]
            levels.append(TreeLevel(rows, at, child[some], drawn[some], count[some], size[rows]))
    return tuple(levels)


def _reached(left: Ints, ways: DrawTree) -> Floats:
    """Give the chance of each hand to come up if one draws and draws."""
    most = ways.hands.counts.max()
    chance = ways.hands.ways * ways.gains.products(falling_factorials(left, int(most)).T)
    of_all = falling_factorials(left.sum(keepdims=True), int(ways.hands.cards[-1]))
    of_all = of_all[ways.hands.cards, 0]
    return np.asarray(np.divide(chance, of_all, out=np.zeros_like(chance), where=of_all > 0))


def standing_estimates(tree: SplitTree, differences: Floats) -> tuple[Floats, Floats]:
    """Give by the second order what standing gains, and what gone cards change: (hands, 10)."""
    ours = differences[: term_count(2), : len(KINDS)]
    crosses = cross_differences(ours)
    slopes = np.zeros(tree.counts.shape)
    for kind in np.unique(tree.kinds).tolist():
        some = tree.kinds == kind
        slopes[some] = tree.counts[some] @ crosses[kind]
    return hand_values(tree, ours), slopes


def hand_values(tree: SplitTree, differences: Floats) -> Floats:
    """Give the value of each hand (hands, …) from the differences (sets, kinds, …)."""
    found = np.empty((len(tree.points), *differences.shape[2:]))
    ways = binomials(tree.counts, order_of(differences))
    for kind in np.unique(tree.kinds).tolist():
        some = np.flatnonzero(tree.kinds == kind)
        found[some] = np.tensordot(ways[some], differences[:, kind], 1)
    return found
