"""A thread for background work, started at the first job."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from concurrent.futures import Future, ThreadPoolExecutor


class LazyExecutor:
    """One worker, hired with the first job: most sittings end before there is one."""

    def __init__(self) -> None:
        self._pool: ThreadPoolExecutor | None = None
        self._lock, self._closed = Lock(), False

    def submit(self, job: Callable[[], None], /) -> Future[None]:
        """Have a job done after those before it. Raises ``RuntimeError`` once he has gone home."""
        with self._lock:
            if self._closed:
                raise RuntimeError("nobody works here any more")
            if self._pool is None:
                from concurrent.futures import ThreadPoolExecutor  # late: it takes a while to load

                self._pool = ThreadPoolExecutor(1, "worker")
            return self._pool.submit(job)

    def close(self) -> None:
        """Send him home, when he has done what he was given."""
        with self._lock:
            self._closed = True
        if self._pool is not None:
            self._pool.shutdown()
