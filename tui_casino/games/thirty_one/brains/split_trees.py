"""The hands that can follow a split from a shoe, with the EV of standing."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from msgspec import Struct

from ..machine.rules import Total
from .newton_interpolation import (
    Floats,
    Ints,
    NewtonFormula,
    binomials,
    cross_differences,
    distinct,
    order_of,
    term_count,
)
from .shoe_dealer_odds import falling_factorials
from .shoe_odds import KINDS, DrawTree, kinds_of, next_live_hands, player_draw_tree


class TreeLevel(Struct, frozen=True):
    """The hands with one number of cards that draw again, as ``rows``, and their next hands.

    ``children`` are the next hands that are not bust, with the values ``drawn_values`` that lead to
    them; those of a row begin at ``first_child``. ``remaining`` is the number of cards of the drawn
    value that are left once the hand has been drawn, and ``size`` is the number of all cards left.
    Both are whole numbers, stored as floats because they are multiplied by floats many times.
    """

    rows: Ints
    first_child: Ints
    children: Ints
    drawn_values: Ints
    remaining: Floats
    size: Floats


class TreeFormula(Struct, frozen=True):
    """The formula for all hands that a shoe could have, and the indices of a tree's hands."""

    formula: NewtonFormula
    hands: Ints


class SplitTree(Struct, frozen=True, eq=False):
    """The hands that can be drawn to a total from a shoe, with next hands as in `DrawTree`.

    ``kinds`` holds the kinds of the totals. ``full_formula`` is set if no rare hands were left out.
    """

    counts: Ints
    points: Ints
    kinds: Ints
    nexts: Ints
    levels: tuple[TreeLevel, ...]
    full_formula: TreeFormula | None


def build_split_tree(remaining: Ints, total: Total, least_chance: float) -> SplitTree:
    """List the hands that can follow a total, except those with at most this chance."""
    draw_tree = player_draw_tree(total)
    reach = _reach_chances(remaining, draw_tree)
    kept_hands = np.flatnonzero(reach > least_chance)
    new_number = np.full(len(reach) + 1, len(kept_hands))
    new_number[kept_hands] = np.arange(len(kept_hands))
    nexts, counts = (
        new_number[draw_tree.hands.nexts[kept_hands]],
        draw_tree.hands.counts[kept_hands],
    )
    points = draw_tree.hands.points[kept_hands]
    kinds = kinds_of(points)
    return SplitTree(
        counts,
        points,
        kinds,
        nexts,
        _levels(remaining, counts, nexts),
        None if least_chance else TreeFormula(draw_tree.gains, kept_hands),
    )


def _levels(remaining: Ints, counts: Ints, nexts: Ints) -> tuple[TreeLevel, ...]:
    child, drawn, parent, first = next_live_hands(nexts)
    cards, remaining_after = counts.sum(axis=1), np.maximum(remaining - counts, 0)
    count, size = (
        remaining_after[parent, drawn].astype(np.float64),
        remaining_after.sum(axis=1).astype(np.float64),
    )
    ends = np.append(first[1:], len(child))
    going = np.flatnonzero(ends > first)
    starts = np.searchsorted(cards[going], np.arange(cards[-1] + 2))
    levels = []
    for begin, end in pairwise(starts.tolist()):
        if begin < end:
            rows = going[begin:end]
            block = slice(first[rows[0]], ends[rows[-1]])
            offsets = first[rows] - first[rows[0]]
            levels.append(
                TreeLevel(rows, offsets, child[block], drawn[block], count[block], size[rows])
            )
    return tuple(levels)


def _reach_chances(remaining: Ints, draw_tree: DrawTree) -> Floats:
    """Return the chance that each hand comes up if the player keeps drawing."""
    max_count = draw_tree.hands.counts.max()
    chance = draw_tree.hands.order_counts * draw_tree.gains.products(
        falling_factorials(remaining, int(max_count)).T
    )
    denominators = falling_factorials(remaining.sum(keepdims=True), int(draw_tree.hands.cards[-1]))
    denominators = denominators[draw_tree.hands.cards, 0]
    return np.asarray(
        np.divide(chance, denominators, out=np.zeros_like(chance), where=denominators > 0)
    )


def standing_estimates(tree: SplitTree, differences: Floats) -> tuple[Floats, Floats]:
    """Return by the second-order formula the EV of standing, and its slopes: (hands, 10)."""
    stand_differences = differences[: term_count(2), : len(KINDS)]
    crosses = cross_differences(stand_differences)
    slopes = np.zeros(tree.counts.shape)
    for kind in distinct(tree.kinds).tolist():
        rows = tree.kinds == kind
        slopes[rows] = tree.counts[rows] @ crosses[kind]
    return hand_values(tree, stand_differences), slopes


def hand_values(tree: SplitTree, differences: Floats) -> Floats:
    """Return the value of each hand (hands, …) from the differences (sets, kinds, …)."""
    values = np.empty((len(tree.points), *differences.shape[2:]))
    products = binomials(tree.counts, order_of(differences))
    for kind in distinct(tree.kinds).tolist():
        rows = np.flatnonzero(tree.kinds == kind)
        values[rows] = np.tensordot(products[rows], differences[:, kind], 1)
    return values
