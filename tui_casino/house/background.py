"""A thread for background work, started with the first job."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from concurrent.futures import Future, ThreadPoolExecutor


class LazyExecutor:
    """An executor with one thread that starts with the first job; most sessions never need it."""

    def __init__(self) -> None:
        self._pool: ThreadPoolExecutor | None = None
        self._lock, self._closed = Lock(), False

    def submit(self, job: Callable[[], None], /) -> Future[None]:
        """Run a job after all earlier ones. Raises ``RuntimeError`` after :meth:`close`."""
        with self._lock:
            if self._closed:
                raise RuntimeError("the background executor is closed")
            if self._pool is None:
                from concurrent.futures import ThreadPoolExecutor  # late: loads slowly

                self._pool = ThreadPoolExecutor(1, "worker")
            return self._pool.submit(job)

    def close(self) -> None:
        """Accept no more jobs, and wait until the submitted ones are done."""
        with self._lock:
            self._closed = True
        if self._pool is not None:
            self._pool.shutdown()
