"""Exact odds of the holds of a single hand, without tables and without NumPy.

A hold leads to the final hands that contain the held cards and no discarded card. For each of the
32 sets of cards of the hand, the final hands that contain the set are counted by row, from the
ranks and suits of the set. Inclusion and exclusion then leaves those without the discards.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, permutations
from math import comb, lcm
from operator import attrgetter
from typing import NamedTuple, TypeAlias

from ....cards.card import BACK, RANKS, SUITS, Card, Hand, Rank, Suit, format_cards
from ..machine.rules import MAX_COINS, NOTHING, PayTable, row_of

_DRAWS = tuple(comb(47, 5 - mask.bit_count()) for mask in range(32))
_SCALES = tuple(lcm(*_DRAWS) // draws for draws in _DRAWS)

HANDS_WITHOUT_TABLES = 100
"""About as many hands are counted one by one in the time that the tables of all deals take."""


@dataclass(frozen=True, slots=True)
class PayoutDistribution:
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


class HoldValue(NamedTuple):
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
        self.pays = (*(row.pays[coins - 1] for row in table.rows), 0)

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
        return _count_draws(self.table, self.coins, tuple(sorted(hand, key=attrgetter("index"))))


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

_Kind: TypeAlias = tuple[int, ...]
_ACE_HIGH = (*RANKS[1:], Rank.ACE)
_NO_RANK = len(_ACE_HIGH)
_PATTERNS = ((2, 0, 3), (3, 0, 2), (2, 2, 1), (3, 2, 0), (4, 1, 0))
"""How often a hand has one rank and another one, and its number of further ranks, all single."""
_WAYS = [[comb(4 - has, of - has) if has <= of else 0 for has in range(5)] for of in range(5)]
"""The ways to get a number of cards of a rank, by the number held."""
_HIGH_CARD, _STRAIGHT, _FLUSH, _STRAIGHT_FLUSH, _ROYAL_FLUSH = ((number,) for number in range(5))
_RUNS = tuple({(low + step) % 13 for step in range(-1, 4)} for low in range(10))
"""The ranks of each straight; the last one is that of a royal flush."""


@lru_cache(maxsize=16)
def _count_draws(table: PayTable, coins: int, hand: Hand) -> list[list[int]]:
    """Count the final hands by row after each hold mask of a hand sorted by card index."""
    rows = _rows_by_kind(table, coins)
    counts = [[0] * (len(table.rows) + 1) for _ in range(32)]
    for mask, of_mask in enumerate(counts[:-1]):
        held = [card for bit, card in enumerate(hand) if mask >> bit & 1]
        for kind, count in _count_kinds(held):
            of_mask[rows[kind]] += count
    counts[-1][row_index(table, hand, coins)] = 1
    for bit in range(5):
        for mask in range(32):
            if not mask >> bit & 1:
                with_card = counts[mask | 1 << bit]
                counts[mask] = [a - b for a, b in zip(counts[mask], with_card, strict=True)]
    return counts


def _count_kinds(held: Sequence[Card]) -> Iterator[tuple[_Kind, int]]:
    """Yield kinds of hands with the number of such hands that contain up to four cards."""
    has = [0] * (_NO_RANK + 1)
    for card in held:
        has[(card.rank - 2) % 13] += 1
    ranks = [rank for rank in range(13) if has[rank]]
    for first, second, singles in _PATTERNS:
        for one, other in _named(ranks, len(ranks) - singles, first, second):
            others = len(ranks) - bool(has[one]) - bool(has[other])
            ways = _WAYS[first][has[one]] * _WAYS[second][has[other]]
            if ways and others <= singles and others == len(held) - has[one] - has[other]:
                free = singles - others
                ways *= comb((11 if second else 12) - others, free) * 4**free
                yield (first, second, one, other), ways
    if len(ranks) == len(held):
        yield from _count_unmatched(set(ranks), {card.suit for card in held})


def _named(ranks: Sequence[int], least: int, first: int, second: int) -> Iterable[tuple[int, int]]:
    """Return the possible named ranks of a pattern; at least ``least`` must be in ``ranks``."""
    some = ranks if least > bool(second) else range(13)
    if not second:
        return ((one, _NO_RANK) for one in some)
    if first == second:
        return combinations(some, 2)
    return permutations(some, 2)


def _count_unmatched(ranks: set[int], suits: set[Suit]) -> Iterator[tuple[_Kind, int]]:
    """Yield the kinds without equal ranks, and the numbers of hands that contain the cards."""
    missing = 5 - len(ranks)
    flushes_of_a_rank_set = {0: len(SUITS), 1: 1}.get(len(suits), 0)
    runs = [run for run in _RUNS if ranks <= run]
    royal = flushes_of_a_rank_set * (_RUNS[-1] in runs)
    straight_flushes = flushes_of_a_rank_set * len(runs)
    straights = len(runs) * 4**missing - straight_flushes
    sets = comb(13 - len(ranks), missing)
    flushes = flushes_of_a_rank_set * sets - straight_flushes
    yield _ROYAL_FLUSH, royal
    yield _STRAIGHT_FLUSH, straight_flushes - royal
    yield _STRAIGHT, straights
    yield _FLUSH, flushes
    yield _HIGH_CARD, sets * 4**missing - straights - straight_flushes - flushes


@lru_cache(maxsize=8)
def _rows_by_kind(table: PayTable, coins: int) -> Mapping[_Kind, int]:
    """Return the index of the row that pays each kind; a row's name cannot say more than a kind."""
    examples: dict[_Kind, tuple[Sequence[int], int]] = {
        _HIGH_CARD: ((0, 1, 2, 3, 5), 4),
        _STRAIGHT: ((0, 1, 2, 3, 4), 4),
        _FLUSH: ((0, 1, 2, 3, 5), 1),
        _STRAIGHT_FLUSH: ((0, 1, 2, 3, 4), 1),
        _ROYAL_FLUSH: ((8, 9, 10, 11, 12), 1),
    }
    for first, second, singles in _PATTERNS:
        for one, other in _named((), 0, first, second):
            further = [rank for rank in range(13) if rank not in (one, other)][:singles]
            examples[first, second, one, other] = [one] * first + [other] * second + further, 4
    return {
        kind: row_index(
            table,
            [Card(_ACE_HIGH[rank], SUITS[place % suits]) for place, rank in enumerate(ranks)],
            coins,
        )
        for kind, (ranks, suits) in examples.items()
    }


def row_index(table: PayTable, hand: Sequence[Card], coins: int) -> int:
    """Return the index of the row that pays a hand; if none does, the number of rows."""
    row = row_of(table, hand, coins)
    return len(table.rows) if row is None else table.rows.index(row)
