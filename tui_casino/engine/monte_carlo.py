"""Simulate millions of rounds in blocks; the same seed always gives the same counts.

The random words come from NumPy's PCG64DXSM, whose stream NumPy guarantees not to change. Block n
uses the words that follow n jumps of 2**128 / φ words each, so no two blocks share a word. The
result of a block depends only on the seed and the number of the block. So it does not matter which
worker plays it, or when; see :mod:`.parallel`.

On this machine, threads play the blocks. Nearly all the time is spent within NumPy, which lets
other threads run at the same time. Unlike processes, threads share the lookup tables, and they
start and end quickly.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from contextlib import closing
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from msgspec import Struct
from numpy.random import PCG64DXSM, BitGenerator, SeedSequence

from .chance import SEED_LIMIT
from .parallel import ONE_JOB, Workers, map_blocks

ROUNDS_PER_BLOCK = 1 << 16
"""Rounds per block: enough to outweigh the overhead of calls, few enough for the CPU's cache."""
BLOCKS_PER_CALL = 16
"""Blocks per call of a thread: few enough that progress is reported many times per second."""

_ON_CLUSTER = 32  # factor for calls on a cluster, each of which then takes a second or more
_KEPT_MEMORY = 1 << 22  # bytes; more than all arrays of a block together

OutcomeCounts: TypeAlias = npt.NDArray[np.int64]
PlayBlock: TypeAlias = Callable[[BitGenerator, int], OutcomeCounts]
"""Plays a number of rounds with the next words of a generator, and returns the outcome counts."""
ReportProgress: TypeAlias = Callable[[int], None]
"""Receives the number of rounds played so far. An exception in it ends the simulation."""


def random_seed() -> int:
    """Return a random seed from the operating system, short enough to be typed."""
    return secrets.randbelow(SEED_LIMIT)


def seeded_generator(seed: int) -> PCG64DXSM:
    """Return the generator of block 0 for any whole number; ``jumped`` returns the others."""
    return PCG64DXSM(SeedSequence(2 * seed if seed >= 0 else -2 * seed - 1))


class RoundBatches(Struct, frozen=True):
    """The rounds of a simulation; called with n = 0, 1, 2 …, it plays the n-th group of blocks.

    A group consists of ``at_once`` blocks of ``block`` rounds. Outcomes are numbered from 0 to
    ``kinds - 1``.
    """

    play: PlayBlock
    kinds: int
    rounds: int
    seed: int
    block: int
    at_once: int

    @property
    def calls(self) -> int:
        """The number of calls needed to play all rounds."""
        return -(-self.rounds // (self.block * self.at_once))

    def __call__(self, number: int) -> OutcomeCounts:
        """Play the blocks that belong to one call; return the counts of their outcomes."""
        # Speed: glibc returns the memory of each freed array to the system, and fetches it again
        # for the next one, until it has freed a larger array. This is that array; it is unused.
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
    """Play rounds in blocks; return how often each of the ``kinds`` outcomes occurred.

    ``play`` is called by several threads at the same time. With ``processes``, it is called by
    several processes instead, which is faster for work outside NumPy. For processes and clusters it
    must be picklable. Progress is reported after every ``at_once`` blocks, less often on a cluster.
    Raises the errors of :func:`.parallel.map_blocks`.
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
