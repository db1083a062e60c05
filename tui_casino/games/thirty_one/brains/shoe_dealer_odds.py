"""The odds of the dealer's final totals, given the cards left in the shoe.

A possible hand is described by the number of cards that it adds of each of the ten values. All
hands are listed once for each starting total; for a shoe, only their chances are computed. The
chance of a final total is a sum over the hands that lead to it: the number of card orders, times
the product of the falling factorials of the cards left of each value, divided by the falling
factorial of all cards left.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate, pairwise
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from ....cards.memo import memoize
from ..machine.rules import LIMIT, Rules, Total
from . import newton_interpolation as newton
from .odds import BUST, FINALS, DrawingTotals, card_total, drawing_totals

NEVER = np.iinfo(np.int64).max
"""Marks a next hand that is bust or never drawn, until the number of hands is known."""
_BLOCK = 256  # shoes at a time


class DrawnHands(Struct, frozen=True):
    """The hands that can be drawn to a total, as counts (hands, 10), fewest cards first.

    ``order_counts`` is the number of card orders that lead to a hand without stopping earlier.
    ``points`` holds the totals, and ``draws_again`` says whether another card is drawn. Bust hands
    are left out. ``nexts`` (hands, 10) holds the next hands of a hand that draws again; the index
    after the last hand represents bust hands and everything that is never drawn. The counts of one
    value are adjacent in memory, because ten long columns add up faster than thousands of rows.
    """

    counts: newton.Ints
    order_counts: newton.Ints
    points: newton.Ints
    draws_again: npt.NDArray[np.bool_]
    nexts: newton.Ints

    @property
    def cards(self) -> newton.Ints:
        """The number of cards that each hand adds."""
        return np.asarray(self.counts.sum(axis=1))

    def remaining_after(self, shoe: newton.Ints) -> newton.Ints:
        """Return the cards left in a shoe (10,) after each hand was drawn, in shape (hands, 10)."""
        return np.asarray(np.maximum(shoe - self.counts, 0))


def list_drawn_hands(
    start: Total, goes_on: npt.NDArray[np.bool_], most_cards: int = LIMIT
) -> DrawnHands:
    """List all hands that can be drawn from a starting total with up to ``most_cards`` cards.

    ``goes_on[points, aces counted as 11]`` says whether to draw another card.
    """
    values = np.arange(1, newton.VALUES + 1)[:, None]
    keys, ways = np.zeros(1, np.int64), np.ones(1, np.int64)
    hard = np.array([start.points - 10 * start.soft])
    rows: list[tuple[npt.NDArray[Any], ...]] = []
    end = 1
    while len(keys) and len(rows) <= most_cards:
        # an ace that has come to count 1 keeps counting 1, because the total only rises
        soft = np.minimum(start.soft + (keys & newton.MOST_OF_VALUE), (LIMIT - hard) // 10)
        points = hard + 10 * soft
        draws_again = goes_on[points, soft]
        parents = np.flatnonzero(draws_again)
        # flat indices are much faster than those of two dimensions
        is_live = (hard[parents] + values <= LIMIT).ravel()
        drawn, parent = np.divmod(np.flatnonzero(is_live), max(len(parents), 1))
        parent = parents[parent]
        next_keys = keys[parent] + newton.KEYS[drawn]
        order = np.argsort(next_keys, kind="stable")  # merges a few ascending runs
        is_new = newton.starts_of_runs(next_keys[order])
        nexts = np.full(len(keys) * newton.VALUES, NEVER)
        nexts[(parent * newton.VALUES + drawn)[order]] = end - 1 + np.cumsum(is_new)
        rows.append((keys, ways, points, draws_again, nexts))
        first = np.flatnonzero(is_new)
        ways = np.add.reduceat(ways[parent[order]], first) if len(first) else ways[:0]
        one_path = order[first]
        keys, hard = next_keys[one_path], hard[parent[one_path]] + 1 + drawn[one_path]
        end += len(keys)
    keys, ways, points, draws_again, nexts = map(np.concatenate, zip(*rows, strict=True))
    np.minimum(nexts, len(keys), out=nexts)
    counts = keys >> newton.ROOM * np.arange(newton.VALUES)[:, None] & newton.MOST_OF_VALUE
    return DrawnHands(counts.T, ways, points, draws_again, nexts.reshape(-1, newton.VALUES))


# ---- sums over groups --------------------------------------------------------------------------

_MOST = 8
"""The largest group that `ColumnGroups` adds itself; ``np.add.reduceat`` adds larger groups.

Up to this size, ``reduceat`` adds all columns except the first one by one, and then the first.
"""


class ColumnGroups:
    """Groups of adjacent columns, given by the columns at which they begin, in ascending order.

    Most groups have one column or two, and ``np.add.reduceat`` takes a separate turn for each group
    and row. This class adds whole blocks instead: the first columns of all groups, then the second
    columns, and so on (the jagged diagonal format of sparse matrices). :meth:`sums` expects the
    columns in the order of ``columns``. It returns the sums in the order of ``order``, which holds
    the numbers of the groups, largest group first. Each group is added in the order of
    ``reduceat``, so that every sum is the same to the last digit.
    """

    def __init__(self, first: newton.Ints, count: int) -> None:
        sizes = np.diff(np.append(first, count))
        self.order: newton.Ints = np.argsort(-sizes, kind="stable")
        first, sizes = first[self.order], sizes[self.order]
        large = int((sizes > _MOST).sum())
        ends = np.cumsum(sizes[:large])
        self._large, self._of_large = ends - sizes[:large], int(sizes[:large].sum())
        columns = [np.arange(*ends) for ends in zip(first, (first + sizes)[:large], strict=False)]
        first, sizes = first[large:], sizes[large:]
        blocks = [int((sizes > place).sum()) for place in range(int(sizes.max(initial=0)))]
        columns += [first[:size] + place for place, size in enumerate(blocks)]
        self.columns: newton.Ints = np.concatenate(columns)
        self._blocks = tuple(pairwise(accumulate(blocks, initial=self._of_large)))

    def sums(self, values: newton.Floats) -> newton.Floats:
        """Return the sum of each group, in shape (rows, groups). The values are overwritten."""
        blocks = [values[:, begin:end] for begin, end in self._blocks]
        if len(blocks) > 1:
            first, rest, *others = blocks
            for block in others:
                rest[:, : block.shape[1]] += block
            first[:, : rest.shape[1]] += rest
        if not self._of_large:
            return blocks[0]
        large = np.add.reduceat(values[:, : self._of_large], self._large, axis=1)
        return np.concatenate([large, *blocks[:1]], axis=1)


# ---- the dealer ------------------------------------------------------------------------------


class HandSumLevel(NamedTuple):
    """The sums over hands that differ only in their number of cards of one value.

    ``hands`` holds the columns of the hands in the sums of the previous level, in the order that
    ``groups`` expects. ``digits`` holds the number of cards of the value in each hand.
    """

    hands: newton.Ints
    digits: newton.Ints
    groups: ColumnGroups


class DealerOutcomes(Struct, frozen=True):
    """The dealer's final hands, sorted so that common factors are multiplied once.

    Each of the ``levels`` adds up the hands over one value, aces first. The sums of the last level
    belong to the ``finals``.
    """

    order_counts: newton.Floats
    cards: newton.Ints
    levels: tuple[HandSumLevel, ...]
    finals: newton.Ints

    def chances(self, shoes: newton.Ints) -> newton.Floats:
        """Return the chances of final totals, (finals, shoes), from the cards left, (shoes, 10)."""
        blocks = range(0, len(shoes), _BLOCK)
        return np.hstack([self._chances(shoes[first : first + _BLOCK]) for first in blocks])

    def chances_around(self, remaining: newton.Ints) -> newton.Floats:
        """Return the chance of each final total without each of the `nearby_sets`: (finals, sets).

        Sets with the same first values share partial sums. The result is meaningless for a set that
        contains more cards of a value than are left, but no hand contains such a set.
        """
        removed = np.arange(newton.ORDER + 1)
        hand_sums = self.order_counts * self._weights(remaining.sum() - removed)
        for count, level, plan in zip(remaining, self.levels, _set_plan(), strict=True):
            hand_sums = _sum_level(hand_sums, level, *plan, np.maximum(count - removed, 0))
        return self._add_bust(hand_sums)

    def _chances(self, shoes: newton.Ints) -> newton.Floats:
        """Compute :meth:`chances`; shoes of equal size and with equal first values share rows."""
        sizes, row = np.unique(shoes.sum(axis=1), return_inverse=True)
        hand_sums = self.order_counts * self._weights(sizes)
        for value, level in enumerate(self.levels):
            counts, place = np.unique(shoes[:, value], return_inverse=True)
            prefixes, row = np.unique(row * len(counts) + place, return_inverse=True)
            parent_rows, count_rows = np.divmod(prefixes, len(counts))
            hand_sums = _sum_level(hand_sums, level, parent_rows, count_rows, counts)
        return self._add_bust(hand_sums[row])

    def _weights(self, sizes: newton.Ints) -> newton.Floats:
        """Return the weight of each hand in each shoe.

        It is the reciprocal of the falling factorial of the shoe's size, with one factor per card
        of the hand.
        """
        of_all = falling_factorials(sizes, int(self.cards.max()))
        weight = np.divide(1.0, of_all, out=np.zeros_like(of_all), where=of_all > 0)
        return np.asarray(weight.T.take(self.cards, axis=1))

    def _add_bust(self, final_sums: newton.Floats) -> newton.Floats:
        chances = np.zeros((len(FINALS), len(final_sums)))
        chances[self.finals] = final_sums.T
        chances[-1] = 1 - chances.sum(axis=0)
        return chances


def _sum_level(
    hand_sums: newton.Floats,
    level: HandSumLevel,
    parent_rows: newton.Ints,
    count_rows: newton.Ints,
    counts: newton.Ints,
) -> newton.Floats:
    """Add up the hands over one value: from (rows, hands) to (rows, groups).

    A new row continues the row in ``parent_rows``; its shoe has ``counts[count_rows]`` cards of the
    value left.
    """
    factors = falling_factorials(counts, int(level.digits.max())).T.take(level.digits, axis=1)
    hand_sums = hand_sums.take(level.hands, axis=1).take(parent_rows, axis=0)
    hand_sums *= factors.take(count_rows, axis=0)
    return level.groups.sums(hand_sums)


@memoize()
def _set_plan() -> tuple[tuple[newton.Ints, newton.Ints], ...]:
    """Return for each value how the `nearby_sets` branch: the previous row, and the cards removed.

    Before the first value, sets differ only in size; after the last value, all sets are distinct.
    """
    sets = newton.nearby_sets()
    plan, before, prefixes = [], np.arange(newton.ORDER + 1), sets.sum(axis=1)
    for value in range(newton.VALUES):
        prefixes = prefixes * (newton.ORDER + 1) + sets[:, value]
        columns = prefixes if value == newton.VALUES - 1 else newton.distinct(prefixes)
        parents, counts = np.divmod(columns, newton.ORDER + 1)
        plan.append((np.searchsorted(before, parents), counts))
        before = columns
    return tuple(plan)


def falling_factorials(counts: newton.Ints, limit: int) -> newton.Floats:
    """Return c (c - 1) … of each count, with 0 to ``limit`` factors: (limit + 1, counts)."""
    factors = np.maximum(counts - np.arange(limit)[:, None], 0).astype(np.float64)
    return np.concatenate([np.ones((1, len(counts))), np.cumprod(factors, axis=0)])


@memoize(maxsize=40)  # ten cards, two rules, two goals
def dealer_outcomes(up_card: int, drawing: DrawingTotals) -> DealerOutcomes:
    """List the final hands of a dealer who shows a card and draws on some totals."""
    goes_on = evaluate_totals(drawing.__contains__)
    hands = list_drawn_hands(card_total(up_card), goes_on)
    ends = ~hands.draws_again
    finals = np.searchsorted(FINALS, hands.points[ends])
    keys = hands.counts[ends] @ newton.KEYS + (finals << newton.ROOM * newton.VALUES)
    order = np.argsort(keys, kind="stable")
    keys, ways, cards = keys[order], hands.order_counts[ends][order], hands.cards[ends][order]
    levels, places = [], np.arange(len(keys))
    for value in range(newton.VALUES):
        first = np.flatnonzero(newton.starts_of_runs(keys >> newton.ROOM * (value + 1)))
        groups = ColumnGroups(first, len(keys))
        digits = keys[groups.columns] >> newton.ROOM * value & newton.MOST_OF_VALUE
        levels.append(HandSumLevel(places[groups.columns], digits, groups))
        keys, places = keys[first], np.argsort(groups.order, kind="stable")
    finals = keys[groups.order] >> newton.ROOM * newton.VALUES
    return DealerOutcomes(ways.astype(np.float64), cards, tuple(levels), finals)


def evaluate_totals(goes_on: Callable[[Total], bool]) -> npt.NDArray[np.bool_]:
    """Evaluate a condition for every total: by points, and by aces of 11."""
    totals = [[Total(points, soft) for soft in range(3)] for points in range(BUST)]
    return np.array([[goes_on(total) for total in row] for row in totals])


@memoize(maxsize=64)
def dealer_differences(
    up_card: int, drawing: DrawingTotals, remaining: tuple[int, ...]
) -> newton.Floats:
    """Return the dealer's chances around a shoe as Newton differences, in shape (sets, finals)."""
    chances = dealer_outcomes(up_card, drawing).chances_around(np.array(remaining))
    return newton.differences(chances.T)


def dealer_ends(up_card: int, remaining: Sequence[int], rules: Rules) -> dict[int, float]:
    """Return the chance of each final total of a dealer with this up card, from the cards left."""
    # the EVs need the other rows; the first one, of the whole shoe, equals its chances
    chances = dealer_differences(up_card, drawing_totals(rules), tuple(remaining))[0]
    return dict(zip(FINALS, map(float, chances), strict=True))
