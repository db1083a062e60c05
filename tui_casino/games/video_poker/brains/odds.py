"""Exact odds of a pay table: the EV of every hold, and the return of a strategy.

>>> from tui_casino.cards.card import parse_hand
>>> from tui_casino.games.video_poker.machine.paytables import load
>>> odds = odds_of(load("jacks-or-better-9-6"), coins=5)
>>> best, second, *others = odds.holds(parse_hand("KS QS JS TS 4H"))
>>> best.positions, best.credits, second.positions
((1, 2, 3, 4), Fraction(4625, 47), (1, 2, 3))
>>> float(odds.report("optimal").expected_return)
0.9954390436951225

Nothing is sampled or rounded. `cards.draw_odds` counts the final hands by row, either for one hold
or for all deals and draws; the latter counts add up to `TOTAL_WEIGHT`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import groupby
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from ....cards import hand_indexing
from ....cards.card import PACK, Card, Hand
from ....cards.draw_odds import DRAW_SCALE, DRAWS_BY_HOLD, DrawCounts, Int64s, sum_after_each_hold
from ....cards.hand_indexing import HOLD_COUNT, HOLD_SIZES, STAND_PAT, HoldMasks
from ....cards.memo import memoize
from ....cards.poker import STRENGTHS, example_hand, hand_rank_of, strengths_of_indices
from ..machine.rules import PayTable
from .hand_odds import (
    HandOdds,
    HoldValue,
    PayoutDistribution,
    ascending,
    hold_positions,
    row_index,
)
from .strategy import LINES, line_of

Strategy: TypeAlias = Literal["optimal", "list"]

_BLOCK = 1 << 13  # hands per step, few enough that their 32 sums fit the processor's cache


class Odds(HandOdds):
    """The exact odds of a pay table with the tables of all deals; :func:`odds_of` caches a few.

    The tables take a tenth of a second. Then single hands are much faster than in `hand_odds`.
    A row pays at most a million credits, so all sums of pays fit easily in 64 bits.
    """

    def __init__(self, table: PayTable, coins: int) -> None:
        super().__init__(table, coins)
        self._draws = DrawCounts(
            _values_by_strength(lambda hand: row_index(table, hand, coins)), len(self.rows)
        )
        self._pays = np.array(self.pays, np.int64)
        self._moments = np.column_stack((self._pays, self._pays**2))
        self._pay_sums = self._draws.by_class @ self._moments

    def holds(self, hand: Sequence[Card]) -> tuple[HoldValue, ...]:
        """Return the values of all holds, without their distributions."""
        positions, sums = self._by_mask(hand)
        credits, ranked = sums[:, 0].tolist(), _ranked(sums)
        return tuple(
            HoldValue(positions[mask], credits[mask], DRAWS_BY_HOLD[mask]) for mask in ranked
        )

    def cost_and_best(
        self, hand: Sequence[Card], positions: tuple[int, ...]
    ) -> tuple[Fraction, tuple[int, ...]]:
        """Return a hold's cost in credits, and the best hold; this is faster than :meth:`holds`."""
        of_mask, sums = self._by_mask(hand)
        best, held = int(_best(sums)), of_mask.index(positions)
        scaled_pays = sums[:, 0] * _VALUES
        return Fraction(int(scaled_pays[best] - scaled_pays[held]), DRAW_SCALE), of_mask[best]

    def report(self, strategy: Strategy) -> PayoutDistribution:
        """Count the final hands in each row over all deals and draws, for a strategy."""
        counts = self._draws.after_all(self.masks(strategy))
        return PayoutDistribution(self.rows, self.pays, counts, self.coins)

    def masks(self, strategy: Strategy) -> HoldMasks:
        """Return a strategy's hold mask for each of the 134,459 `hand_classes`.

        Perfect play breaks ties as :meth:`holds` does, so it takes the lowest variance. Among the
        built-in tables this matters only in 36 deals of two tables, at 1 coin. If several holds
        match the same line, the 34-line strategy takes the last one in the order dealt; here it may
        be any of them. Their outcomes are equal unless the table pays a pair below jacks, which no
        built-in table does.
        """
        if strategy == "list":
            return _list_masks()
        row_of_hand = self._draws.kind_of_hand
        masks = np.empty(row_of_hand.shape, np.uint8)
        for start in range(0, len(masks), _BLOCK):
            block = slice(start, start + _BLOCK)
            sums = np.concatenate(
                (
                    self._pay_sums[hand_indexing.hand_classes().held[:, block]],
                    [self._moments[row_of_hand[block]]],
                )
            )
            hand_indexing.subtract_discards(sums)
            masks[block] = _best(sums)
        return masks

    def _counts(self, hand: Sequence[Card]) -> list[list[int]]:
        counts: list[list[int]] = self._draws.after_each_hold(hand).tolist()
        return counts

    def _by_mask(self, hand: Sequence[Card]) -> tuple[tuple[tuple[int, ...], ...], Int64s]:
        """Return the positions that each hold mask keeps, and sums over all its draws.

        The sums are those of the pays and of their squares, in shape (32, 2).
        """
        positions = hold_positions(ascending(hand))
        own = self._moments[self._draws.kind_of(hand)]
        return positions, sum_after_each_hold(hand, self._pay_sums, own)


@memoize(maxsize=8)  # about 3 MB each
def odds_of(table: PayTable, coins: int) -> Odds:
    """Return the odds of a pay table at a bet. Raises the errors of :class:`Odds`."""
    return Odds(table, coins)


def hold_masks(table: PayTable, coins: int, strategy: Strategy) -> HoldMasks:
    """Return a strategy's hold mask for each of the 2,598,960 deals, ordered by deal number.

    Deal numbers and hold masks are defined in `hand_indexing`; :meth:`Odds.masks` explains ties.
    """
    return hand_indexing.expand_to_deals(odds_of(table, coins).masks(strategy))


# ---- choosing the best hold ----------------------------------------------------------------

_RISING = np.array(sorted(range(HOLD_COUNT), key=lambda mask: (HOLD_SIZES[mask], mask)), np.uint8)
_PREFERENCE = _RISING.argsort(kind="stable")
_VALUES = DRAW_SCALE // np.array(DRAWS_BY_HOLD)


def _best(sums: Int64s) -> npt.NDArray[np.intp]:
    """Return each hand's best hold mask from the sums of pays and squares, in shape (32, …, 2).

    Ties are broken by the lower mean square (so the lower variance), then by more cards held.
    """
    worth = (sums[..., 0].T * _VALUES).T
    # safe to compare as floats: both operands are exact below 2**53, so equal quotients round alike
    square = (sums[..., 1].T / np.array(DRAWS_BY_HOLD)).T
    square[worth < worth.max(axis=0)] = np.inf
    lowest_square = square == square.min(axis=0)
    return np.asarray((lowest_square.T * (1 + _PREFERENCE)).T.argmax(axis=0))


def _ranked(sums: Int64s) -> list[int]:
    """Return the hold masks of a hand, best first, in the order that :func:`_best` uses."""
    worth, square = sums[:, 0] * _VALUES, sums[:, 1] / np.array(DRAWS_BY_HOLD)
    order: list[int] = np.lexsort((-_PREFERENCE, square, -worth)).tolist()
    return order


@memoize()
def _list_masks() -> HoldMasks:
    """Return the 34-line strategy's hold mask for each of the `hand_classes`."""
    hands = hand_indexing.hand_classes()
    sets = hand_indexing.subset_classes().examples.tolist()
    of_class = np.array([_line(_cards(bits)) for bits in sets], np.int32)
    lines = np.empty((HOLD_COUNT, len(hands.deals)), np.int32)
    np.take(of_class, hands.held, out=lines[:STAND_PAT])
    np.take(_values_by_strength(_line), strengths_of_indices(hands.cards.T), out=lines[STAND_PAT])
    masks: HoldMasks = lines.argmin(axis=0).astype(np.uint8)
    return masks


def _line(held: Sequence[Card]) -> int:
    return line_of(held) or len(LINES) + 1


def _cards(bits: int) -> Hand:
    return tuple(card for card in PACK if bits >> card.index & 1)


# ---- values by hand strength ---------------------------------------------------------------


def _values_by_strength(value: Callable[[Hand], int]) -> npt.NDArray[np.int32]:
    """Return a value for each hand strength 1 to 7,462; index 0 is unused.

    ``value`` must be the same for all hands that no pay table distinguishes: hands of one category
    with the same `_distinguishing_ranks`. Their strengths are consecutive, so the value is computed
    only once per group.
    """
    values = [0]
    for _, alike in groupby(STRENGTHS, _distinguishing_ranks):
        first, *others = alike
        values += [value(example_hand(first))] * (1 + len(others))
    return np.array(values, np.int32)


def _distinguishing_ranks(strength: int) -> tuple[int, tuple[int, ...]]:
    """Return the category and the ranks that a row may name; only four of a kind has a kicker."""
    category, ranks = hand_rank_of(strength)
    return category, ranks[: _RANK_COUNTS[category]]


_RANK_COUNTS = (0, 1, 2, 1, 1, 0, 2, 2, 1)  # by category; a straight has its highest rank only
