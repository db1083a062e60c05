"""Chance by the million: play in blocks on all cores, and the same counts for the same seed.

Rounds are played in blocks. The words of a block are those of NumPy's PCG64DXSM, which NumPy
guarantees to stay as they are, from the place that one jump of 2**128 / φ words for each block
before it leads to: no two blocks share a word. What comes of a block depends on the seed and on
its number alone, and it makes no difference who plays it, or when.

Threads play the blocks: nearly all the time is spent within NumPy, which lets other threads run
meanwhile, and unlike processes they share the tables, start at once and leave at once.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from numpy.random import PCG64DXSM, BitGenerator, SeedSequence

from .chance import SEED_LIMIT

BLOCK = 1 << 16
"""Rounds a block: enough to outweigh the calls, few enough for the processor's cache."""

_KEPT_MEMORY = 1 << 22  # bytes, which is more than a block's arrays take at once

Counts: TypeAlias = npt.NDArray[np.int64]
Progress: TypeAlias = Callable[[int], None]
"""Is told how many rounds are played. What it raises ends the play, as an interrupt does."""


def cores(jobs: int | None) -> int:
    """Give how many of so many jobs can run at once; all cores for none.

    Raises ``ValueError`` if there is to be less than one.
    """
    if jobs is not None and jobs < 1:
        raise ValueError(f"the number of jobs is 1 or more, not {jobs}")
    available = os.cpu_count() or 1
    return min(jobs or available, available)


def any_seed() -> int:
    """Have the system give a seed that a player can type, too."""
    return secrets.randbelow(SEED_LIMIT)


def seeded(seed: int) -> PCG64DXSM:
    """Give the generator of block 0, for any whole number; its :meth:`jumped` gives the others."""
    return PCG64DXSM(SeedSequence(2 * seed if seed >= 0 else -2 * seed - 1))


def count_rounds(
    play: Callable[[BitGenerator, int], Counts],
    kinds: int,
    rounds: int,
    start: PCG64DXSM,
    *,
    block: int = BLOCK,
    jobs: int = 1,
    at_once: int = 16,
    progress: Progress | None = None,
) -> Counts:
    """Play rounds in blocks, and add up what came of them: the counts of so many ``kinds``.

    ``play`` plays some rounds with the next words of a generator, and is called by several
    threads at once. ``start`` is the generator of block 0, and ``jobs`` are threads, from
    :func:`cores`. Progress is told after every ``at_once`` blocks a job, which should be many
    times a second.
    """

    def play_block(number: int) -> Counts:
        return play(start.jumped(number), min(block, rounds - number * block))

    # glibc gives small stretches of memory back to the system, to be cleared and fetched again
    # for each array, until a greater one has been freed: this one, which is never touched
    np.empty(_KEPT_MEMORY, np.uint8)
    came = np.zeros(kinds, np.int64)
    blocks = range(-(-rounds // block))
    at_once *= jobs
    with ThreadPoolExecutor(jobs) as pool:
        for first in blocks[::at_once]:
            for more in pool.map(play_block, blocks[first : first + at_once]):
                came += more
            if progress:
                progress(min(rounds, (first + at_once) * block))
    return came
