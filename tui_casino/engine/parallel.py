"""Work in numbered blocks on threads, processes or a cluster, with equal results on each.

What comes of a block depends on its number alone, for its chance is a stream of its own. So it
makes no difference who works it out, when, or how often. Blocks are worked out here, by threads
or processes, or by the workers of a Dask cluster: all are executors of the standard library. If a
worker of a cluster is lost, the scheduler gives its blocks to another.

Whoever reaches a cluster can run anything on it, and what comes back is trusted: it is for machines
of one's own. Work and results go by pickle, so that work is a function of a module, or a partial of
one, or a frozen value that can be called.
"""

from __future__ import annotations

import os
import re
from collections import deque
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import CancelledError, Executor, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import version
from multiprocessing import get_context
from typing import Any, TypeVar

from .. import __version__
from ..inputs.errors import BadInput, missing_extra

_AHEAD = 2  # blocks for each worker that are asked for at once: one in work, one that waits
_PATIENCE = 20  # seconds for a scheduler to answer, and for a first worker to come
_ADDRESS = re.compile(r"tcp://(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+):([0-9]{1,5})")

R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class Workers:
    """Who works: so many ``jobs`` of this machine, all cores for none; or a Dask ``cluster``.

    Raises ``ValueError`` for less than one job, and for an address that is none.
    """

    jobs: int | None = None
    cluster: str | None = None

    def __post_init__(self) -> None:
        if self.jobs is not None and self.jobs < 1:
            raise ValueError(f"the number of jobs is 1 or more, not {self.jobs}")
        if self.cluster is not None and not _ADDRESS.fullmatch(self.cluster):
            raise ValueError(f"{self.cluster!r} is no address; it is like tcp://10.0.0.5:8786")

    @property
    def cores(self) -> int:
        """How many jobs run at once on this machine."""
        available = os.cpu_count() or 1
        return min(self.jobs or available, available)


ALL_CORES = Workers()
ONE_JOB = Workers(1)


def map_blocks(
    work: Callable[[int], R], blocks: int, workers: Workers, *, processes: bool = True
) -> Generator[R, None, None]:
    """Work out blocks 0, 1, 2 …, and give what came of them in this order.

    Here ``processes`` do it; or threads, for work that is done within NumPy. A job alone is done
    by the caller. The rest of the work is called off when the iterator is closed, and when a
    block raises, which is raised here. Raises :class:`BadInput` for a cluster that is not there,
    that has other versions installed, or that loses a block again and again.
    """
    with _pool(workers, processes) as (executor, width):
        if executor is None:
            yield from map(work, range(blocks))
            return
        pending = deque(
            executor.submit(work, number) for number in range(min(blocks, _AHEAD * width))
        )
        try:
            for number in range(len(pending), blocks + len(pending)):
                result = pending.popleft().result()
                if number < blocks:
                    pending.append(executor.submit(work, number))
                yield result
        except CancelledError:
            raise BadInput(f"--cluster: {workers.cluster} has gone away") from None
        finally:
            for future in pending:
                future.cancel()


@contextmanager
def _pool(workers: Workers, processes: bool) -> Iterator[tuple[Executor | None, int]]:
    if workers.cluster is not None:
        with _cluster(workers.cluster) as pool:
            yield pool
    elif workers.cores == 1:
        yield None, 1
    elif processes:
        # fresh processes: one that is forked while a thread runs may hang
        with ProcessPoolExecutor(workers.cores, get_context("spawn")) as executor:
            yield executor, workers.cores
    else:
        with ThreadPoolExecutor(workers.cores) as executor:
            yield executor, workers.cores


@contextmanager
def _cluster(address: str) -> Iterator[tuple[Executor, int]]:
    try:
        from distributed import Client, KilledWorker  # late: an extra, and slow to load
    except ImportError:
        raise missing_extra("--cluster needs Dask, which is not installed", "cluster") from None
    try:
        client = Client(address, timeout=_PATIENCE, set_as_default=False)
    except OSError:
        raise BadInput(f"--cluster: no scheduler answers at {address}") from None
    with client:
        try:
            client.wait_for_workers(1, timeout=_PATIENCE)
        except TimeoutError:
            raise BadInput(f"--cluster: {address} has no workers") from None
        _compare(client, address)
        width = sum(client.nthreads().values())
        try:
            # not pure: Dask would take two blocks with the same words for one
            yield client.get_executor(pure=False), max(1, width)
        except KilledWorker as error:
            raise BadInput(
                f"--cluster: {error.allowed_failures + 1} workers were lost with the same block"
            ) from None


def _compare(client: Any, address: str) -> None:
    """Have all workers say what they have installed: other versions may come to other counts."""
    try:
        versions = client.run(installed_versions)
    except ModuleNotFoundError:
        raise BadInput(f"--cluster: the workers of {address} lack TUI Casino") from None
    for worker, there in versions.items():
        if there != installed_versions():
            names = zip(("tui-casino", "numpy"), there, installed_versions(), strict=True)
            differences = ", ".join(f"{name} {its}, here {ours}" for name, its, ours in names)
            raise BadInput(f"--cluster: the worker {worker} has {differences}")


def installed_versions() -> tuple[str, str]:
    """Give the versions of the program and of NumPy, of which the counts are made."""
    return __version__, version("numpy")
