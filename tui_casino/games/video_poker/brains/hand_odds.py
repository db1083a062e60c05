"""Exact odds of the holds of a single hand, without tables and without NumPy."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from math import comb, lcm

from msgspec import Struct

from ....cards.card import BACK, Card, Hand, format_cards
from ....cards.hand_draws import Kind, count_after_each_hold, examples_of_kinds
from ..machine.rules import MAX_COINS, NOTHING, PayTable, row_of

_DRAWS = tuple(comb(47, 5 - mask.bit_count()) for mask in range(32))
_SCALES = tuple(lcm(*_DRAWS) // draws for draws in _DRAWS)

HANDS_WITHOUT_TABLES = 100
"""About as many hands are counted one by one in the time that the tables of all deals take."""


class PayoutDistribution(Struct, frozen=True):
    """How often each row hits, out of `total`; the last row is :data:`.rules.NOTHING`.

    ``pays`` are in credits, for a bet of ``coins``.
    """

    rows: tuple[str, ...]
    pays: tuple[int, ...]
    counts: tuple[int, ...]
    coins: int

    @property
    def total(self) -> int:
        """The sum of the counts: the number of draws after a hold, or `TOTAL_WEIGHT`."""
        return sum(self.counts)

    @property
    def hands(self) -> dict[str, int]:
        """Maps the names of the rows to counts."""
        return dict(zip(self.rows, self.counts, strict=True))

    @property
    def credits(self) -> Fraction:
        """The EV in credits."""
        return self._mean(self.pays)

    @property
    def expected_return(self) -> Fraction:
        """The expected return: credits won per credit bet."""
        return self.credits / self.coins

    @property
    def variance(self) -> Fraction:
        """The variance of the credits won per credit bet."""
        return (self._mean([pay**2 for pay in self.pays]) - self.credits**2) / self.coins**2

    @property
    def share_paid(self) -> Fraction:
        """The probability that any row pays."""
        return 1 - Fraction(self.counts[-1], self.total)

    def _mean(self, values: Iterable[int]) -> Fraction:
        weighted = (count * value for count, value in zip(self.counts, values, strict=True))
        return Fraction(sum(weighted), self.total)


class HoldValue(Struct, frozen=True):
    """The value of a hold: the ``total_pay``, in credits, of all its possible ``draws``.

    ``positions`` are the positions of the cards held, 1 to 5 in ascending order.
    """

    positions: tuple[int, ...]
    total_pay: int
    draws: int

    @property
    def credits(self) -> Fraction:
        """The EV in credits."""
        return Fraction(self.total_pay, self.draws)


class HandOdds:
    """The exact odds of single hands with a pay table and a bet of 1 to 5 coins.

    Raises ``ValueError`` for another bet.
    """

    def __init__(self, table: PayTable, coins: int) -> None:
        if not 1 <= coins <= MAX_COINS:
            raise ValueError(f"a bet is 1 to {MAX_COINS} coins, not {coins}")
        self.table = table
        self.coins = coins
        self.rows = (*(row.name for row in table.rows), NOTHING)
        self.pays = (*(row.pay(coins) for row in table.rows), 0)

    def holds(self, hand: Sequence[Card]) -> tuple[HoldValue, ...]:
        """Return the values of all 32 holds of five cards, best first.

        Holds of equal value are ordered by the variance of their pay, lowest first, and then by
        the number of cards held, most first. Raises ``ValueError`` unless the five cards are
        different: exact values exist only for such hands.
        """
        return tuple(
            HoldValue(held, int(each.credits * each.total), each.total)
            for held, each in self.outcomes_by_hold(hand).items()
        )

    def cost_and_best(
        self, hand: Sequence[Card], positions: tuple[int, ...]
    ) -> tuple[Fraction, tuple[int, ...]]:
        """Return a hold's cost in credits, and the best hold.

        ``positions`` are in ascending order. Raises the errors of :meth:`holds`.
        """
        outcomes = self.outcomes_by_hold(hand)
        best = next(iter(outcomes))
        return outcomes[best].credits - outcomes[positions].credits, best

    def cost(self, hand: Sequence[Card], positions: Iterable[int]) -> Fraction:
        """Return a hold's cost in credits. Raises the errors of :meth:`outcomes`."""
        return self.holds(hand)[0].credits - self.outcomes(hand, positions).credits

    def outcomes(self, hand: Sequence[Card], positions: Iterable[int]) -> PayoutDistribution:
        """Count the final hands in each row if the cards at these positions (1 to 5) are held.

        Raises ``ValueError`` as :meth:`holds` does, and for wrong or repeated positions.
        """
        order = ascending(hand)
        held = tuple(sorted(positions))
        if held not in hold_positions(order):
            raise ValueError(f"positions must be different numbers from 1 to 5, not {held}")
        counts = self._counts(hand)[hold_positions(order).index(held)]
        return PayoutDistribution(self.rows, self.pays, tuple(counts), self.coins)

    def outcomes_by_hold(self, hand: Sequence[Card]) -> dict[tuple[int, ...], PayoutDistribution]:
        """Return the payout distribution of each of the 32 holds, by positions, best first.

        The order is that of :meth:`holds`. Raises the errors of :meth:`holds`.
        """
        positions = hold_positions(ascending(hand))
        counts = self._counts(hand)

        def rank(mask: int) -> tuple[int, float, int, int]:
            pairs = [*zip(counts[mask], self.pays, strict=True)]
            worth = -sum(count * pay for count, pay in pairs) * _SCALES[mask]
            square = sum(count * pay**2 for count, pay in pairs) / _DRAWS[mask]
            return worth, square, -mask.bit_count(), -mask

        return {
            positions[mask]: PayoutDistribution(
                self.rows, self.pays, tuple(counts[mask]), self.coins
            )
            for mask in sorted(range(32), key=rank)
        }

    def _counts(self, hand: Sequence[Card]) -> Sequence[Sequence[int]]:
        """Count the final hands by row after each hold mask, in shape (32, rows)."""
        return _count_draws(self.table, self.coins, tuple(hand))


def should_use_tables() -> bool:
    """Return whether enough hands were counted singly to build the tables of all deals."""
    return _count_draws.cache_info().misses >= HANDS_WITHOUT_TABLES


def ascending(hand: Sequence[Card]) -> tuple[int, ...]:
    """Return the places 0 to 4 of five different cards, sorted by card index."""
    if len(hand) != 5 or len(set(hand)) != 5 or BACK in hand:
        raise ValueError(
            "exact values are only available for five different cards of one pack, "
            f"not {format_cards(hand) or 'none'}"
        )
    return tuple(sorted(range(5), key=lambda place: hand[place].index))


@lru_cache(maxsize=120)  # all orders of five cards
def hold_positions(order: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """Return the positions that each hold mask keeps, if its bit i means ``order[i]``."""
    return tuple(
        tuple(sorted(place + 1 for bit, place in enumerate(order) if mask >> bit & 1))
        for mask in range(32)
    )


# ---- counting ------------------------------------------------------------------------------


@lru_cache(maxsize=16)
def _count_draws(table: PayTable, coins: int, hand: Hand) -> list[list[int]]:
    """Count the final hands by row after each hold mask."""
    rows, own = _rows_by_kind(table, coins), row_index(table, hand, coins)
    return count_after_each_hold(hand, rows, len(table.rows) + 1, own)


@lru_cache(maxsize=8)
def _rows_by_kind(table: PayTable, coins: int) -> Mapping[Kind, int]:
    """Return the index of the row that pays each kind; rows depend on nothing else."""
    return {kind: row_index(table, hand, coins) for kind, hand in examples_of_kinds()}


def row_index(table: PayTable, hand: Sequence[Card], coins: int) -> int:
    """Return the index of the row that pays a hand; if none does, the number of rows."""
    row = row_of(table, hand, coins)
    return len(table.rows) if row is None else table.rows.index(row)
