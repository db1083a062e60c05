"""The model that is solved: buckets of hands, classes of final hands, and card removal.

Both seats are dealt buckets and draw final hands as if from separate packs. Results are weighted by
the kernel, scaled to mean 1. Without the kernel the model is the game with two packs. Axes of
arrays are in this order: act, number drawn by the first seat, number drawn by the dealer, how the
first round closed, bucket or final hand. Each array has only the axes that it needs.
"""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from .....cards.draw_odds import DrawCounts
from .....structs import replace
from . import hand_classes, kernel
from .hand_buckets import NUMBERS, Floats, draws_by_class, finals_by_bucket, hand_buckets


class SolverModel(Struct, frozen=True):
    """The constants of the model.

    - ``bucket_shares``: the share of each bucket, (buckets,).
    - ``legal``: 1 if a bucket may draw this number of cards, (5, buckets).
    - ``final_shares``: how often a bucket makes each final hand after each draw, (5, buckets,
      finals).
    - ``bucket_kernel``: the kernel of two buckets, (buckets, buckets), or ``None`` if all are 1.
    - ``final_kernel``: the kernel of two final hands by the numbers drawn, the first seat's axis
      first, (5, 5, finals, finals).
    - ``showdown_kernel``: ``final_kernel``, with the sign of the showdown's result, in the same
      shape.
    """

    bucket_shares: Floats
    legal: Floats
    final_shares: Floats
    bucket_kernel: Floats | None
    final_kernel: Floats
    showdown_kernel: Floats

    @property
    def buckets(self) -> int:
        """The number of buckets."""
        return len(self.bucket_shares)

    @property
    def finals(self) -> int:
        """The number of classes of final hands."""
        return int(self.final_kernel.shape[-1])


def two_models() -> tuple[SolverModel, SolverModel]:
    """Return the model with the kernel, and the model with two packs. This takes ten seconds."""
    packs = with_two_packs(draws_by_class())
    final_kernel = kernel.final_kernel() / np.float32(kernel.MEAN)
    bucket_kernel = kernel.bucket_kernel() / np.float32(kernel.MEAN)
    return replace(
        packs,
        bucket_kernel=bucket_kernel,
        final_kernel=final_kernel,
        showdown_kernel=final_kernel * packs.showdown_kernel,
    ), packs


def with_two_packs(counted: DrawCounts) -> SolverModel:
    """Return the model without card removal. This takes about a second."""
    hands, count = hand_buckets(), hand_classes.class_count()
    dealt = hands.by_bucket(hands.deals).astype(np.float32)
    final_shares = np.stack([finals_by_bucket(counted, number) for number in NUMBERS])
    legal = (final_shares.sum(axis=2) > 0.5).astype(np.float32)
    strength_order = np.arange(count)
    sign = np.sign(strength_order[:, None] - strength_order).astype(np.float32)
    unit_kernel = np.ones((len(NUMBERS), len(NUMBERS), count, count), np.float32)
    return SolverModel(dealt, legal, final_shares, None, unit_kernel, unit_kernel * sign)
