"""Simulation of millions of rounds in blocks, with the same counts for the same seed.

Rounds are played in blocks. The words of a block are those of NumPy's PCG64DXSM, which NumPy
guarantees to stay as they are, from the place that one jump of 2**128 / φ words for each block
before it leads to: no two blocks share a word. What comes of a block depends on the seed and on
its number alone, and it makes no difference who plays it, or when: :mod:`.parallel`.

Here threads play the blocks: nearly all the time is spent within NumPy, which lets other threads
run meanwhile, and unlike processes they share the tables, start at once and leave at once.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from numpy.random import PCG64DXSM, BitGenerator, SeedSequence

from .chance import SEED_LIMIT
from .parallel import ONE_JOB, Workers, map_blocks

ROUNDS_PER_BLOCK = 1 << 16
"""Rounds a block: enough to outweigh the calls, few enough for the processor's cache."""
BLOCKS_PER_CALL = 16
"""Blocks that a thread plays one after the other: progress is told many times a second."""

_ON_CLUSTER = 32  # times as many for the worker of a cluster: a second or more of work
_KEPT_MEMORY = 1 << 22  # bytes, which is more than a block's arrays take at once

OutcomeCounts: TypeAlias = npt.NDArray[np.int64]
PlayBlock: TypeAlias = Callable[[BitGenerator, int], OutcomeCounts]
"""Plays so many rounds with the next words of a generator, and counts what came of them."""
ReportProgress: TypeAlias = Callable[[int], None]
"""Is told how many rounds are played. What it raises ends the play, as an interrupt does."""


def random_seed() -> int:
    """Have the system give a seed that a player can type, too."""
    return secrets.randbelow(SEED_LIMIT)


def seeded_generator(seed: int) -> PCG64DXSM:
    """Give the generator of block 0, for any whole number; its :meth:`jumped` gives the others."""
    return PCG64DXSM(SeedSequence(2 * seed if seed >= 0 else -2 * seed - 1))


@dataclass(frozen=True, slots=True)
class RoundBatches:
    """So many rounds of a seed; called with 0, 1, 2 …, plays the next ``at_once`` blocks."""

    play: PlayBlock
    kinds: int
    rounds: int
    seed: int
    block: int
    at_once: int

    @property
    def calls(self) -> int:
        """How many calls play all."""
        return -(-self.rounds // (self.block * self.at_once))

    def __call__(self, number: int) -> OutcomeCounts:
        """Play the blocks of a call, and add up what came of them."""
        # glibc gives small stretches of memory back to the system, to be cleared and fetched again
        # for each array, until a greater one has been freed: this one, which is never touched
        np.empty(_KEPT_MEMORY, np.uint8)
        counts, start = np.zeros(self.kinds, np.int64), seeded_generator(self.seed)
        first, blocks = number * self.at_once, -(-self.rounds // self.block)
        for block in range(first, min(first + self.at_once, blocks)):
            remaining = self.rounds - block * self.block
            counts += self.play(start.jumped(block), min(self.block, remaining))
        return counts


def count_rounds(
    play: PlayBlock,
    kinds: int,
    rounds: int,
    seed: int,
    *,
    block: int = ROUNDS_PER_BLOCK,
    at_once: int = BLOCKS_PER_CALL,
    workers: Workers = ONE_JOB,
    processes: bool = False,
    progress: ReportProgress | None = None,
) -> OutcomeCounts:
    """Play rounds in blocks, and add up what came of them: the counts of so many ``kinds``.

    ``play`` is called by several threads at once, or ``processes`` if more than NumPy is at work;
    for those and for a cluster it has to be known by its name.
    Progress is told after every ``at_once`` blocks, on a cluster more. Raises as
    :func:`.parallel.map_blocks`.
    """
    if workers.cluster is not None and not processes:
        at_once *= _ON_CLUSTER
    job = RoundBatches(play, kinds, rounds, seed, block, at_once)
    counts, played = np.zeros(kinds, np.int64), 0
    with closing(map_blocks(job, job.calls, workers, processes=processes)) as definition:
        for part in definition:
            counts += part
            played = min(rounds, played + block * job.at_once)
            if progress:
                progress(played)
    return counts
