"""Hands before the draw: their discards, their final hands, and their buckets.

Each of the 134,459 classes of hands has one set of discards for every number of cards drawn. It is
the set with the best chance to beat four final hands of the course's algorithm, because most bets
are won and lost with strong hands. (Maximising the chance to beat one hand loses a thousandth of a
small bet per hand; maximising it for four loses a third of that.) The chances to beat one hand, for
each number drawn, sort the hands into buckets. All figures are whole numbers, so buckets are the
same on every machine.

Final hands are divided into classes. A class contains several of the 7,462 strengths, which count
as ties: they have the same main rank, and are at most 1/256 of the algorithm's final hands.

Rating every discard of every hand takes half a second and 70 MB, and sampling the cards that a
player has seen takes longer. So the results are shipped next to the blueprint, in a NumPy archive.
"""

from __future__ import annotations

import zlib
from math import comb
from pathlib import Path
from typing import NamedTuple, TypeAlias
from zipfile import BadZipFile

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from .....cards import hand_indexing
from .....cards.card import Hand, Rank
from .....cards.draw_odds import DRAWS_BY_HOLD, TOTAL_WEIGHT, DrawCounts, Int64s, sum_by_class
from .....cards.hand_indexing import DEAL_COUNT, HOLD_COUNT, HOLD_SIZES, STAND_PAT
from .....cards.memo import memoize
from .....cards.poker import strengths_of_indices
from .....inputs.errors import BadInput
from ...machine.rules import HAND_CARDS, MOST_DISCARDS, MOST_FROM_AN_ACE
from ..odds import strengths_after_the_algorithm

PLAY_TABLES_PATH = Path(__file__).parents[2] / "data" / "play_tables.npz"


class PlayTables(NamedTuple):
    """The tables of n classes of hands, b buckets, r sets of ranks, and f classes of final hands.

    ``class_of_strength`` is the class of each final hand's strength; 0 is the weakest class, and
    index 0 is unused.

    ``numbers`` holds the deal number that represents each class, ascending; ``masks`` the hold mask
    of each class for each number of cards drawn, in shape (5, n); ``bucket`` the bucket of each
    class, and ``deals`` its number of deals. ``by_strength`` lists the buckets in the order of
    their best chance, and ``rank_sets`` the number of cards of each rank in shape (r, 13).

    ``pair_buckets``, ``pair_sets`` and ``pair_shares`` list the pairs of a bucket and a set of
    ranks that occur, and the share of the set in the bucket. ``seen`` says how often a player with
    a final hand has seen 0 to 4 cards of each rank, by number of cards drawn: (5, f, 13, 5).
    ``small_sets`` is the result of :func:`.cards.draw_odds.count_small_sets` for the final classes.
    """

    class_of_strength: npt.NDArray[np.int32]
    numbers: npt.NDArray[np.int32]
    masks: npt.NDArray[np.uint8]
    bucket: npt.NDArray[np.int32]
    deals: npt.NDArray[np.uint8]
    by_strength: npt.NDArray[np.int64]
    rank_sets: npt.NDArray[np.uint8]
    pair_buckets: npt.NDArray[np.int64]
    pair_sets: npt.NDArray[np.int64]
    pair_shares: npt.NDArray[np.float32]
    seen: npt.NDArray[np.float64]
    small_sets: npt.NDArray[np.int32]


_WIDE = {
    "class_of_strength": np.int32,
    "bucket": np.int32,
    "by_strength": np.int64,
    "pair_buckets": np.int64,
    "pair_sets": np.int64,
}


@memoize()
def play_tables(path: Path = PLAY_TABLES_PATH) -> PlayTables:
    """Read the tables. Raises ``BadInput`` for another kind of file, and ``OSError``."""
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as tables:
            arrays = {name: tables[name] for name in PlayTables._fields}
    except (BadZipFile, KeyError, ValueError, EOFError, zlib.error) as fault:
        message = f"{path}: not a file of tables for play ({fault}); run `make equilibrium`"
        raise BadInput(message) from None
    return PlayTables(**arrays | {name: arrays[name].astype(kind) for name, kind in _WIDE.items()})


Floats: TypeAlias = npt.NDArray[np.float32]

MOST_DRAWN = MOST_FROM_AN_ACE
NUMBERS = range(MOST_DRAWN + 1)
"""The numbers of cards that may be drawn; only a hand with an ace may draw 4."""

CHANCE_ONE = 1 << 20
"""Chances are stored as whole multiples of 2**-20."""

BUCKET_RESOLUTION = (24, 128, 128, 128, 32)
"""The number of steps in which chances are distinguished, for each number of cards drawn."""

_NEVER = -1


class HandBuckets(Struct, frozen=True):
    """The discards and buckets of the n `hand_indexing.hand_classes`.

    ``masks`` holds the hold mask chosen for each number drawn, in shape (5, n). ``bucket`` is the
    bucket of each class, and ``deals`` the share of each class among all deals.
    """

    masks: npt.NDArray[np.uint8]
    bucket: npt.NDArray[np.int32]
    deals: Floats

    @property
    def buckets(self) -> int:
        """The number of buckets."""
        return int(self.bucket.max()) + 1

    def by_bucket(self, values: npt.ArrayLike) -> npt.NDArray[np.float64]:
        """Add up the values of the hands in each bucket; ``values`` has shape (n,)."""
        return np.bincount(self.bucket, values, self.buckets).astype(np.float64)


class RatedHands(HandBuckets, frozen=True):
    """The buckets with the chances behind them, which play does not need.

    ``chances`` are the chances of each hold mask to beat one hand, in shape (32, n); they are
    negative for illegal discards. ``best`` is the chance of each of the ``masks``, in shape (5, n).
    """

    chances: npt.NDArray[np.int32]
    best: npt.NDArray[np.int32]


@memoize()
def hand_buckets() -> HandBuckets:
    """Return the shipped buckets."""
    tables = play_tables()
    deals = (tables.deals.astype(np.int64) / DEAL_COUNT).astype(np.float32)
    return HandBuckets(tables.masks, tables.bucket, deals)


@memoize()
def rate_hands() -> RatedHands:
    """Rate every discard of every hand. This takes about a second."""
    chances, strong_chances = mean_chances(_beats_one()), mean_chances(_beats_four())
    masks = np.empty((len(NUMBERS), chances.shape[1]), np.uint8)
    for number in NUMBERS:
        of_size = np.flatnonzero(np.array(HOLD_SIZES) == HAND_CARDS - number)
        masks[number] = of_size[strong_chances[of_size].argmax(axis=0)]
    best = np.take_along_axis(chances, masks.astype(np.int64), axis=0)
    key = np.zeros(chances.shape[1], np.int64)
    for grain, chance in zip(BUCKET_RESOLUTION, best, strict=True):
        key = key * (grain + 2) + (chance.astype(np.int64) * grain // CHANCE_ONE + 1)
    _, bucket = np.unique(key, return_inverse=True)
    deals = (hand_indexing.hand_classes().deals / DEAL_COUNT).astype(np.float32)
    return RatedHands(masks, bucket.astype(np.int32), deals, chances, best)


def _beats_one() -> Int64s:
    """Return each strength's chance to beat a final hand of the algorithm; a tie counts half."""
    counts = strengths_after_the_algorithm()
    one: Int64s = (2 * np.cumsum(counts) - counts) // (2 * TOTAL_WEIGHT // CHANCE_ONE)
    return one


def _beats_four() -> Int64s:
    two: Int64s = _beats_one() ** 2 // CHANCE_ONE
    four: Int64s = two**2 // CHANCE_ONE
    return four


def mean_chances(of_strength: Int64s) -> npt.NDArray[np.int32]:
    """Average ``of_strength`` over the final hands of each hold mask and hand class."""
    dealt = hand_indexing.hand_classes()
    own = of_strength[strengths_of_indices(dealt.cards.T)]
    sums = np.empty((HOLD_COUNT, len(own)), np.int64)
    of_class = sum_by_class(own)
    for mask in range(STAND_PAT):
        sums[mask] = of_class[dealt.held[mask]]
    sums[STAND_PAT] = own
    hand_indexing.subtract_discards(sums)
    sums //= np.array(DRAWS_BY_HOLD)[:, None]
    ranks = dealt.cards % 13 + Rank.ACE
    for mask, size in enumerate(HOLD_SIZES):
        if size == HAND_CARDS - MOST_FROM_AN_ACE:
            sums[mask, ranks[mask.bit_length() - 1] != Rank.ACE] = _NEVER
        elif size < HAND_CARDS - MOST_DISCARDS:
            sums[mask] = _NEVER
    return sums.astype(np.int32)


# ---- final hands -----------------------------------------------------------------------------


def class_of_strength() -> npt.NDArray[np.int32]:
    """Return the class of each strength in shape (7463,): 0 is the weakest, index 0 is unused."""
    return play_tables().class_of_strength


def class_of_hand(hand: Hand) -> int:
    """Return the class of a final hand."""
    indices = np.array([[card.index for card in hand]])
    return int(class_of_strength()[strengths_of_indices(indices)[0]])


def class_count() -> int:
    """Return the number of classes of final hands."""
    return int(class_of_strength()[-1]) + 1


def draws_by_class() -> DrawCounts:
    """Return the number of draws that lead to each class of final hands."""
    return DrawCounts(class_of_strength(), class_count())


class DrawModel(Struct, frozen=True):
    """How often buckets are dealt, and what they draw from separate packs.

    ``bucket_shares`` is the share of each bucket, (buckets,). ``final_shares`` is how often a
    bucket makes each final hand after each number of cards drawn, (5, buckets, finals).
    """

    bucket_shares: Floats
    final_shares: Floats

    @property
    def buckets(self) -> int:
        """The number of buckets."""
        return len(self.bucket_shares)

    @property
    def finals(self) -> int:
        """The number of classes of final hands."""
        return int(self.final_shares.shape[-1])


def draw_model() -> DrawModel:
    """Return the shares of all buckets and their final hands. This takes about a second."""
    hands, counted = hand_buckets(), draws_by_class()
    return DrawModel(
        hands.by_bucket(hands.deals).astype(np.float32),
        np.stack([finals_by_bucket(counted, number) for number in NUMBERS]),
    )


def finals_by_bucket(counted: DrawCounts, number: int) -> Floats:
    """Return how often each bucket makes each final hand by drawing ``number``: (buckets, finals).

    Each row adds up to 1; the row of a bucket that may not draw that many cards is all 0.
    """
    hands, dealt = rate_hands(), hand_indexing.hand_classes()
    by_class = counted.by_class.astype(np.float32)
    order = np.argsort(hands.bucket, kind="stable")
    order = order[hands.best[number, order] >= 0]
    shares = np.zeros((hands.buckets, counted.kinds), np.float64)
    weights = hands.deals / np.float32(comb(47, number))
    for start in range(0, len(order), _BLOCK):
        block = order[start : start + _BLOCK]
        rows = np.zeros((len(block), counted.kinds), np.float32)
        masks = hands.masks[number, block]
        for subset in range(1 << number):
            above, odd = _above(masks, number, subset)
            sign = -1 if odd else 1
            for mask in np.unique(above):
                matching = np.flatnonzero(above == mask)
                if mask == STAND_PAT:
                    rows[matching, counted.kind_of_hand[block[matching]]] += sign
                else:
                    rows[matching] += sign * by_class[dealt.held[mask, block[matching]]]
        rows *= weights[block, None]
        firsts = np.flatnonzero(np.diff(hands.bucket[block], prepend=-1))
        shares[hands.bucket[block[firsts]]] += np.add.reduceat(rows, firsts, axis=0)
    shares /= np.maximum(hands.by_bucket(hands.deals), 1e-30)[:, None]
    return shares.astype(np.float32)


_BLOCK = 1 << 12


def _above(
    masks: hand_indexing.HoldMasks, number: int, subset: int
) -> tuple[npt.NDArray[np.intp], bool]:
    """Add to each mask the cards selected by the bits of ``subset``; also return its parity."""
    table = np.zeros(HOLD_COUNT, np.intp)
    for mask in np.unique(masks).tolist():
        missing = [bit for bit in range(HAND_CARDS) if not mask >> bit & 1]
        table[mask] = mask | sum(
            1 << bit for place, bit in enumerate(missing) if subset >> place & 1
        )
    return table[masks], subset.bit_count() % 2 == 1
