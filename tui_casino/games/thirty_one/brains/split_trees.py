"""The hands that can follow a split from a shoe, with the EV of standing."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from msgspec import Struct

from ....cards.memo import memoize
from ..machine.rules import Total
from .newton_interpolation import (
    VALUES,
    Floats,
    Ints,
    NewtonFormula,
    binomials,
    cross_differences,
    distinct,
    order_of,
    term_count,
)
from .shoe_dealer_odds import DrawnHands, falling_factorials, list_drawn_hands
from .shoe_odds import KINDS, below_limit, kinds_of, next_live_hands, player_draw_tree


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
    hands, reach = _likely_hands(remaining, total, least_chance)
    kept_hands = np.flatnonzero(reach > least_chance)
    new_number = np.full(len(reach) + 1, len(kept_hands))
    new_number[kept_hands] = np.arange(len(kept_hands))
    nexts, counts = new_number[hands.nexts[kept_hands]], hands.counts[kept_hands]
    points = hands.points[kept_hands]
    kinds = kinds_of(points)
    return SplitTree(
        counts,
        points,
        kinds,
        nexts,
        _levels(remaining, counts, nexts),
        None if least_chance else TreeFormula(player_draw_tree(total).gains, kept_hands),
    )


def _likely_hands(remaining: Ints, total: Total, least_chance: float) -> tuple[DrawnHands, Floats]:
    """List hands that include all hands with more than this chance; return also their chances.

    The chance of a hand is a sum over the hands before it, which differ in the last card, of their
    chance times the share of that card. A hand has at most seven different values. So the shares
    add up to at most 1 if the three rarest values still have six cards: then no longer hand has a
    greater chance than the likeliest of the longest hands listed.
    """
    if least_chance and np.sort(remaining)[:3].sum() >= 6:
        hands = _short_hands(total)
        reach, cards = reach_chances(remaining, hands), hands.cards
        if reach[cards == cards[-1]].max() <= least_chance:
            return hands, reach
    hands = player_draw_tree(total).hands
    return hands, reach_chances(remaining, hands)


@memoize(maxsize=64)  # some 60 totals
def _short_hands(total: Total) -> DrawnHands:
    """List the hands that can follow two cards, with about as many cards as likely hands have."""
    hard_points = total.points - 10 * total.soft
    return list_drawn_hands(total, below_limit(), 8 - hard_points // 6)


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


def reach_chances(remaining: Ints, hands: DrawnHands) -> Floats:
    """Return the chance that each hand comes up if the player keeps drawing."""
    factors, cards = falling_factorials(remaining, int(hands.counts.max())), hands.cards
    product = np.ones(len(cards))
    for value in reversed(range(VALUES)):
        product *= factors[:, value].take(hands.counts[:, value])
    chance = hands.order_counts * product
    denominators = falling_factorials(remaining.sum(keepdims=True), int(cards[-1]))[cards, 0]
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
