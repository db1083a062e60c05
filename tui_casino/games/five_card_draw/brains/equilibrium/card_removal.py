"""Card removal: how likely two hands are from one pack, compared with two packs.

If one hand has n1 cards of a rank, then n2 other cards of that rank can be chosen in C(4-n1, n2)
ways, compared with C(4, n2) ways from a second pack. The product of these quotients over the
thirteen ranks is the *kernel* of the two hands. Suits are ignored.

After the draw, card removal depends on all cards that a player has seen: those kept, drawn and
discarded. A final hand does not determine these cards, but their distribution by rank is known. For
two classes, the mean quotient of each rank is computed, and the kernel is the product of these
means, as if ranks were independent.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import comb
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from .....cards.card import Card
from .....cards.memo import memoize
from .hand_buckets import NUMBERS, Floats, hand_buckets, play_tables

RANKS = 13


SUITS = 4


SHARES = np.array(
    [
        [comb(SUITS - one, other) / comb(SUITS, other) for other in range(SUITS + 1)]
        for one in range(SUITS + 1)
    ]
)
"""The kernel of a single rank, for each number of its cards in each of the two hands."""


class BucketRanks(NamedTuple):
    """The sets of ranks that occur in each bucket, and their shares of the bucket."""

    bucket: npt.NDArray[np.int64]
    ranks: npt.NDArray[np.int64]
    share: Floats


def bucket_ranks() -> BucketRanks:
    """Return the shipped sets of ranks of each bucket."""
    tables = play_tables()
    return BucketRanks(tables.pair_buckets, tables.pair_sets, tables.pair_shares)


def mean_by_bucket(by_ranks: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return the mean over the hands of each bucket of values by rank set, in shape (6175,)."""
    bucket, ranks, share = bucket_ranks()
    return np.bincount(bucket, by_ranks[ranks] * share, hand_buckets().buckets).astype(np.float64)


@memoize(maxsize=8)
def bucket_removal_weights(ranks: tuple[int, ...]) -> Floats:
    """Return the kernel of seen cards, counted by rank, with each bucket."""
    sets = play_tables().rank_sets
    rank_weights = np.ones(len(sets))
    for rank, count in enumerate(ranks):
        rank_weights *= SHARES[count, sets[:, rank]]
    weights: Floats = mean_by_bucket(rank_weights).astype(np.float32)
    return weights


@memoize(maxsize=32)
def final_removal_weights(ranks: tuple[int, ...], number: int) -> Floats:
    """Return the kernel of seen cards, counted by rank, with each final hand after a draw."""
    rank_shares = play_tables().seen[number]
    weights: Floats = np.ones(len(rank_shares), np.float32)
    for rank, count in enumerate(ranks):
        if count:
            weights *= (rank_shares[:, rank] @ SHARES[count]).astype(np.float32)
    return weights


def rank_counts(cards: Sequence[Card]) -> list[int]:
    """Return the number of cards of each of the thirteen ranks."""
    counts = [0] * RANKS
    for card in cards:
        counts[card.index % RANKS] += 1
    return counts


@memoize(maxsize=len(NUMBERS) ** 2)
def final_kernel(own: int, other: int) -> Floats:
    """Return the kernel of two final hands by the numbers drawn, without scaling its mean."""
    one, two = (play_tables().seen[number] for number in (own, other))
    ranks = (one @ SHARES).astype(np.float32).swapaxes(0, 1).copy()
    others = two.astype(np.float32).transpose(1, 2, 0).copy()
    blocks = (ranks[:, start : start + _FEW] @ others for start in range(0, len(one), _FEW))
    return np.concatenate([np.multiply.reduce(block, axis=0) for block in blocks])


_FEW = 32  # rows at a time: products this small stay on one thread
