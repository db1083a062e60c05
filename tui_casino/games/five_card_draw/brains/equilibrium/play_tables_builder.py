"""Compute the tables for play: half a minute of rating hands and sampling draws."""

from __future__ import annotations

import numpy as np

from .....cards import hand_indexing
from .....cards.draw_odds import count_small_sets
from . import hand_classes, kernel
from .hand_buckets import NUMBERS, rate_hands
from .play_tables import PlayTables

SAMPLES = 40_000
"""Hands sampled for each number drawn, to estimate the cards seen by final hands."""


def build_tables() -> PlayTables:
    """Return the tables as computed from the rules and the course's algorithm."""
    classes = hand_classes.find_classes()
    dealt, hands, pairs = (
        hand_indexing.hand_classes(),
        rate_hands(),
        kernel.find_bucket_ranks(),
    )
    best = hands.best[list(NUMBERS)].max(axis=0).astype(np.float64)
    strength = hands.by_bucket(best * hands.deals) / hands.by_bucket(hands.deals)
    return PlayTables(
        class_of_strength=classes,
        numbers=hand_indexing.deal_numbers(dealt.cards.T),
        masks=hands.masks,
        bucket=hands.bucket,
        deals=dealt.deals,
        by_strength=np.argsort(strength),
        rank_sets=kernel.find_rank_sets()[0],
        pair_buckets=pairs.bucket,
        pair_sets=pairs.ranks,
        pair_shares=pairs.share,
        seen=np.array([shares for shares, _ in kernel.cards_seen(SAMPLES)]),
        small_sets=count_small_sets(classes, int(classes[-1]) + 1).astype(np.int32),
    )
