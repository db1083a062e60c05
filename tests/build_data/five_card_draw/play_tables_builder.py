"""Compute the tables for play: half a minute of rating hands and sampling draws."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt

from tui_casino.cards import hand_indexing
from tui_casino.cards.draw_odds import count_small_sets
from tui_casino.games.five_card_draw.brains.equilibrium.hand_buckets import (
    NUMBERS,
    PLAY_TABLES_PATH,
    PlayTables,
    play_tables,
    rate_hands,
)

from . import removal_kernels
from .final_classes import find_classes

_NARROW = {
    "class_of_strength": np.int16,
    "bucket": np.int16,
    "by_strength": np.int16,
    "pair_buckets": np.int16,
    "pair_sets": np.int16,
}
"""The types in the file of integers that are small; they are widened again for computations."""
SAMPLES = 40_000
"""Hands sampled for each number drawn, to estimate the cards seen by final hands."""


def build_tables() -> PlayTables:
    """Return the tables as computed from the rules and the course's algorithm."""
    classes = find_classes()
    dealt, hands, pairs = (
        hand_indexing.hand_classes(),
        rate_hands(),
        removal_kernels.find_bucket_ranks(),
    )
    best = hands.best[list(NUMBERS)].max(axis=0)
    # both sums are whole numbers below 2**53, so equal buckets have equal strengths everywhere
    strength = hands.by_bucket(best * dealt.deals) / hands.by_bucket(dealt.deals)
    return PlayTables(
        class_of_strength=classes,
        numbers=hand_indexing.deal_numbers(dealt.cards.T),
        masks=hands.masks,
        bucket=hands.bucket,
        deals=dealt.deals.astype(np.uint8),
        by_strength=_sort_by_strength(strength),
        rank_sets=removal_kernels.find_rank_sets()[0],
        pair_buckets=pairs.bucket,
        pair_sets=pairs.ranks,
        pair_shares=pairs.share,
        seen=np.array([shares for shares, _ in removal_kernels.cards_seen(SAMPLES)]),
        small_sets=count_small_sets(classes, int(classes[-1]) + 1).astype(np.int32),
    )


def _sort_by_strength(strength: npt.NDArray[np.float64]) -> npt.NDArray[np.int64]:
    """Return the buckets in the order of their strengths.

    Equally strong buckets keep the order in which they ship, because computer players with a style
    choose by it, and recorded sessions are verified with their choices.
    """
    shipped = play_tables().by_strength
    before = shipped if len(shipped) == len(strength) else np.arange(len(strength))
    return before[np.argsort(strength[before], kind="stable")]


def write_tables(tables: PlayTables, path: Path = PLAY_TABLES_PATH) -> None:
    """Write the tables, in the narrowest types that hold them exactly."""
    arrays = tables._asdict()
    np.savez(  # uncompressed, because packages are compressed and reading is faster
        path, **arrays | {name: arrays[name].astype(kind) for name, kind in _NARROW.items()}
    )
