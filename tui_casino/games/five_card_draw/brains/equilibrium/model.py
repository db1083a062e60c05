"""The model that is solved: buckets of hands, classes of finals, and how they meet.

Two seats are dealt buckets and draw finals as if from a pack each; what they win of each other is
weighed by the kernel, in mean 1. Without it the model is the game with two packs. Arrays have
their axes in this order: act, number drawn by the first seat, number drawn by the dealer, way in
which the first round closed, bucket or final; each has those that matter to it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from .....cards.draw_odds import DrawCounts
from . import hand_classes, kernel
from .hand_buckets import NUMBERS, Floats, draws_by_class, finals_by_bucket, hand_buckets


@dataclass(frozen=True, slots=True)
class SolverModel:
    """What is the same in every deal.

    ``dealt`` is the share of each bucket, (buckets,), ``legal`` 1 where it may draw so many cards,
    (5, buckets), and ``ends`` how it ends then, (5, buckets, finals). ``meet`` is the kernel of
    two buckets, (buckets, buckets), or None if all are 1; ``show`` that of two finals, the first
    seat's first, by what was drawn, and ``beats`` the same with the sign of who wins, both
    (5, 5, finals, finals).
    """

    dealt: Floats
    legal: Floats
    ends: Floats
    meet: Floats | None
    show: Floats
    beats: Floats

    @property
    def buckets(self) -> int:
        """Count the buckets."""
        return len(self.dealt)

    @property
    def finals(self) -> int:
        """Count the classes of final hands."""
        return int(self.show.shape[-1])


def two_models() -> tuple[SolverModel, SolverModel]:
    """Make the model with the kernel, and that with two packs. Takes about ten seconds."""
    packs = with_two_packs(draws_by_class())
    show = kernel.final_kernel() / np.float32(kernel.MEAN)
    meet = kernel.bucket_kernel() / np.float32(kernel.MEAN)
    return replace(packs, meet=meet, show=show, beats=show * packs.beats), packs


def with_two_packs(counted: DrawCounts) -> SolverModel:
    """Make the model without card removal. Takes about a second."""
    known, count = hand_buckets(), hand_classes.class_count()
    dealt = known.by_bucket(known.deals).astype(np.float32)
    ends = np.stack([finals_by_bucket(counted, number) for number in NUMBERS])
    legal = (ends.sum(axis=2) > 0.5).astype(np.float32)
    place = np.arange(count)
    sign = np.sign(place[:, None] - place).astype(np.float32)
    alike = np.ones((len(NUMBERS), len(NUMBERS), count, count), np.float32)
    return SolverModel(dealt, legal, ends, None, alike, alike * sign)
