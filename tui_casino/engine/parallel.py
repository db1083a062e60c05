"""Run numbered blocks of work on threads, processes or a cluster, with the same results.

Each block has its own stream of random numbers, so its result depends only on its number, not on
which worker computes it, when, or how often. The blocks are computed by threads or processes on
this machine, or by the workers of a Dask cluster. All three are used through the executor interface
of the standard library. If a cluster loses a worker, the scheduler gives its blocks to another one.

A cluster and its network must be trusted: anyone who can connect to a cluster can run code on it,
and its results are unpickled on this machine. Work and results are pickled, so work must be a
function of a module, a ``partial`` of such a function, or a callable frozen value.
"""

from __future__ import annotations

import os
import re
from collections import deque
from collections.abc import Callable, Generator, Iterator
from concurrent import futures
from concurrent.futures import CancelledError, Executor, ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, TypeVar

from msgspec import Struct

from .. import __version__
from ..inputs.errors import BadInput, missing_extra

_AHEAD = 2  # blocks requested per worker: one being computed, one waiting
_PATIENCE = 20  # seconds for a scheduler to answer, and for its first worker to connect
_ADDRESS = re.compile(r"tcp://(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+):([0-9]{1,5})")

R = TypeVar("R")


class Workers(Struct, frozen=True):
    """The workers: ``jobs`` on this machine (by default one per core), or a Dask cluster.

    Raises ``ValueError`` for fewer than one job, and for an invalid cluster address.
    """

    jobs: int | None = None
    cluster: str | None = None

    def __post_init__(self) -> None:
        if self.jobs is not None and self.jobs < 1:
            raise ValueError(f"the number of jobs must be 1 or more, not {self.jobs}")
        if self.cluster is not None and not _ADDRESS.fullmatch(self.cluster):
            raise ValueError(
                f"{self.cluster!r} is not an address; give one like tcp://10.0.0.5:8786"
            )

    @property
    def cores(self) -> int:
        """The number of jobs that run at the same time on this machine."""
        available = os.cpu_count() or 1
        return min(self.jobs or available, available)


ALL_CORES = Workers()
ONE_JOB = Workers(1)


def map_blocks(
    work: Callable[[int], R], blocks: int, workers: Workers, *, processes: bool = True
) -> Generator[R, None, None]:
    """Compute blocks 0, 1, 2 …, and yield their results in this order.

    On this machine they are computed by threads, for work within NumPy, or by ``processes``; a
    single job runs in the caller's thread. When the iterator is closed, or when a block raises an
    exception, the remaining work is cancelled. The exception is raised here. Raises
    :class:`BadInput` for a cluster that does not answer, has different versions installed, or
    repeatedly loses a block.
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
            raise BadInput(f"--cluster: the connection to {workers.cluster} was lost") from None
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
        from multiprocessing import get_context  # late: a table needs no processes

        # spawned, not forked: a process forked while another thread runs may hang
        with futures.ProcessPoolExecutor(workers.cores, get_context("spawn")) as executor:
            yield executor, workers.cores
    else:
        with ThreadPoolExecutor(workers.cores) as executor:
            yield executor, workers.cores


@contextmanager
def _cluster(address: str) -> Iterator[tuple[Executor, int]]:
    try:
        from distributed import Client, KilledWorker  # late: optional, and slow to load
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
            # pure=False: otherwise Dask would compute two calls with equal arguments only once
            yield client.get_executor(pure=False), max(1, width)
        except KilledWorker as error:
            raise BadInput(
                f"--cluster: {error.allowed_failures + 1} workers died while computing one block"
            ) from None


def _compare(client: Any, address: str) -> None:
    """Check that all workers have the same versions as this machine, because counts may differ."""
    try:
        versions = client.run(installed_versions)
    except ModuleNotFoundError:
        raise BadInput(f"--cluster: install TUI Casino on the workers of {address}") from None
    for worker, there in versions.items():
        if there != installed_versions():
            names = zip(("tui-casino", "numpy"), there, installed_versions(), strict=True)
            differences = ", ".join(f"{name} {its}, here {ours}" for name, its, ours in names)
            raise BadInput(f"--cluster: the worker {worker} has different versions: {differences}")


def installed_versions() -> tuple[str, str]:
    """Return the versions of the program and of NumPy, on which the counts depend."""
    from importlib.metadata import version  # late: it loads 30 modules

    return __version__, version("numpy")
