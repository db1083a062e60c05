"""Bulk simulation of video poker: rounds dealt, held and drawn card by card.

Each round uses one random 64-bit word. The values of its high half are divided into 2,598,960 equal
ranges, one for each deal. The values of its low half are divided into `DRAW_SCALE` equal ranges.
That number is a multiple of the number of draws after any hold (`DRAWS_BY_HOLD`), so the ranges
form equally large groups, one for each set of replacements. A word with a half outside all ranges
(one word in 470) is rejected and replaced. So every deal, and after it every set of replacements,
is equally likely.

`engine.monte_carlo` plays the rounds in blocks.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from math import comb
from typing import TypeAlias, get_args

import numpy as np
import numpy.typing as npt
from msgspec import Struct
from numpy.random import BitGenerator

from ....cards.draw_odds import DRAW_SCALE, DRAWS_BY_HOLD
from ....cards.hand_indexing import DEAL_COUNT, HoldMasks, all_deals
from ....cards.memo import memoize
from ....cards.poker import CARD_CODES, STRENGTHS, example_hand, strengths_of_codes
from ....engine.monte_carlo import (
    ROUNDS_PER_BLOCK,
    OutcomeCounts,
    ReportProgress,
    count_rounds,
    random_seed,
)
from ....engine.parallel import ALL_CORES, Workers
from ..machine.rules import NOTHING, PayTable, row_of
from .odds import Strategy, hold_masks

_DEAL_SHARE = np.uint32(2**32 // DEAL_COUNT)
_DRAW_SHARE = 2**32 // DRAW_SCALE
_DRAW_LIMIT = np.uint32(_DRAW_SHARE * DRAW_SCALE)

_HELD = 47  # marks a held card among the replacements, which are numbered 0 to 46

Hands: TypeAlias = npt.NDArray[np.uint8]
Rows: TypeAlias = npt.NDArray[np.uint64]
"""Rows of up to eight small numbers; each row is packed into one word, to be read in one step."""


class Simulation(Struct, frozen=True):
    """The result: how often each row hit, and the seed that repeats the simulation.

    ``counts`` has an entry for every row, in the pay table's order, and :data:`NOTHING` for rounds
    that paid nothing.
    """

    coins: int
    seed: int
    counts: Mapping[str, int]

    @property
    def deals(self) -> int:
        """The number of rounds played."""
        return sum(self.counts.values())


def simulate(
    table: PayTable,
    coins: int,
    deals: int,
    strategy: Strategy = "list",
    *,
    seed: int | None = None,
    workers: Workers = ALL_CORES,
    progress: ReportProgress | None = None,
) -> Simulation:
    """Play ``deals`` rounds at a bet of 1 to 5 coins, holding cards by a strategy.

    ``seed`` is any whole number; without one a random seed is used and returned. The same seed
    gives the same counts with any ``workers`` (default: all cores). ``progress`` is called about 20
    times per second with the number of rounds played; an exception from it ends the simulation, as
    an interrupt does. Raises ``ValueError`` for values out of range, and the errors of
    :func:`~tui_casino.engine.parallel.map_blocks`.
    """
    if strategy not in get_args(Strategy):
        raise ValueError(f"{strategy!r} is not a strategy; give {' or '.join(get_args(Strategy))}")
    if deals < 0:
        raise ValueError(f"the number of deals must be 0 or more, not {deals}")
    if seed is None:
        seed = random_seed()
    if workers.cluster is None:
        _player(table, coins, strategy)  # cached here, before the threads need it
    play = partial(_play, table, coins, strategy)
    strength_counts = count_rounds(
        play, _KINDS, deals, seed, block=ROUNDS_PER_BLOCK, workers=workers, progress=progress
    )
    return Simulation(coins, seed, _by_row(table, coins, strength_counts))


_KINDS = len(STRENGTHS) + 1


def _play(
    table: PayTable, coins: int, strategy: Strategy, stream: BitGenerator, rounds: int
) -> OutcomeCounts:
    hands = _player(table, coins, strategy).final_hands(stream, rounds)
    return np.bincount(_strengths(hands), minlength=_KINDS)


@memoize()
def _player(table: PayTable, coins: int, strategy: Strategy) -> BulkPlayer:
    return BulkPlayer.from_masks(hold_masks(table, coins, strategy))


def _by_row(table: PayTable, coins: int, strengths: OutcomeCounts) -> dict[str, int]:
    counts = {row.name: 0 for row in table.rows} | {NOTHING: 0}
    for strength in np.flatnonzero(strengths).tolist():
        row = row_of(table, example_hand(strength), coins)
        counts[row.name if row else NOTHING] += int(strengths[strength])
    return counts


# ---- random numbers --------------------------------------------------------------------------


def _fair_words(
    stream: BitGenerator, count: int
) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.uint32]]:
    """Draw words until both halves are in a range; return deal numbers and low halves."""
    deal, low = _split(stream.random_raw(count))
    while (rejected := np.flatnonzero((deal >= DEAL_COUNT) | (low >= _DRAW_LIMIT))).size:
        deal[rejected], low[rejected] = _split(stream.random_raw(rejected.size))
    return deal, low


def _split(
    words: npt.NDArray[np.uint64],
) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.uint32]]:
    return (words >> np.uint64(32)).astype(np.uint32) // _DEAL_SHARE, words.astype(np.uint32)


# ---- cards -----------------------------------------------------------------------------------


class BulkPlayer(Struct, frozen=True):
    """A player who knows the hold for every deal; create it with :meth:`from_masks`.

    ``deals`` has a row for each deal: its cards as ascending ``card.index``, then the hold mask.
    ``draws`` contains all possible replacements, mask after mask. Each of its rows has ascending
    numbers from 0 to 46 in the places of discarded cards, and `_HELD` in the other places. The
    draws of a mask begin at ``first[mask]``; each belongs to a range of ``share[mask]`` values of a
    word's low half.
    """

    deals: Rows
    draws: Rows
    first: npt.NDArray[np.uint32]
    share: npt.NDArray[np.uint32]

    @classmethod
    def from_masks(cls, masks: HoldMasks) -> BulkPlayer:
        """Create the player for these hold masks, one per deal number."""
        deals = all_deals()
        draws = np.full((sum(DRAWS_BY_HOLD), 5), _HELD, np.uint8)
        first = np.cumsum([0, *DRAWS_BY_HOLD[:-1]])
        for mask, begin in enumerate(first):
            gaps = [place for place in range(5) if not mask >> place & 1]
            # the deals that end with the highest cards of the pack list the smaller sets in order
            begin_of_sets = DEAL_COUNT - comb(47 + len(gaps), len(gaps))
            sets = deals[begin_of_sets : begin_of_sets + DRAWS_BY_HOLD[mask], : len(gaps)]
            draws[begin : begin + DRAWS_BY_HOLD[mask], gaps] = sets
        share = _DRAW_SHARE * (DRAW_SCALE // np.array(DRAWS_BY_HOLD))
        rows = np.column_stack([deals, masks])
        return cls(_pack(rows), _pack(draws), first.astype(np.uint32), share.astype(np.uint32))

    def final_hands(self, stream: BitGenerator, rounds: int) -> Hands:
        """Play rounds with the next words of a stream; return final hands in shape (5, rounds).

        Cards are given as ``card.index``. A held card stays in its place among the deal's
        ascending cards; the replacements fill the gaps, also in ascending order.
        """
        deal, low = _fair_words(stream, rounds)
        cards_and_mask = _unpack(self.deals.take(deal, mode="clip"), 6)
        hand, mask = cards_and_mask[:5], cards_and_mask[5]
        draw = low // self.share.take(mask, mode="clip")
        draw += self.first.take(mask, mode="clip")
        final = _unpack(self.draws.take(draw, mode="clip"), 5)
        for card in hand:  # ascending: skipping each dealt card turns 0 to 46 into card indices
            final += final >= card
        held = final == _HELD + 5
        final ^= (final ^ hand) & -held.view(np.uint8)  # like np.where, but ten times faster
        return final


def _strengths(hands: Hands) -> npt.NDArray[np.uint16]:
    codes = np.array(CARD_CODES, np.int32)
    return strengths_of_codes(codes.take(hands, mode="clip").sum(axis=0, dtype=np.int32))


def _pack(table: npt.NDArray[np.uint8]) -> Rows:
    rows = np.zeros((len(table), 8), np.uint8)
    rows[:, : table.shape[1]] = table
    return rows.view(np.uint64).ravel()


def _unpack(rows: Rows, columns: int) -> npt.NDArray[np.uint8]:
    """Return the first columns of packed rows as contiguous arrays, in shape (columns, n)."""
    return np.ascontiguousarray(rows.view(np.uint8).reshape(-1, 8)[:, :columns].T)
