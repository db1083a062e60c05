"""Rate and concurrency limits per address or key, in bounded memory."""

from __future__ import annotations

import asyncio
from collections import Counter, OrderedDict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

MINUTE = 60.0
MOST_KNOWN = 50_000
"""The maximum number of keys that are stored; the least recently active key is dropped."""


class RateLimit:
    """Allows each key N events per minute (a token bucket of N); ``now`` is in seconds.

    >>> rate = RateLimit(2)
    >>> [rate.take("ann", at) for at in (0, 1, 2, 31)]
    [True, True, False, True]
    """

    def __init__(self, per_minute: int) -> None:
        self._limit = float(per_minute)
        self._tokens: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, key: str, now: float) -> bool:
        """Return whether one more event is allowed, and count it if so."""
        tokens, before = self._tokens.pop(key, (self._limit, now))
        tokens = min(self._limit, tokens + (now - before) * self._limit / MINUTE)
        able = tokens >= 1.0
        self._tokens[key] = (tokens - 1.0 if able else tokens, now)
        if len(self._tokens) > MOST_KNOWN:
            self._tokens.popitem(last=False)
        return able


class ByteRate:
    """Counts the bytes that a client sends within a second.

    >>> stream = ByteRate(10)
    >>> [stream.takes(8, at) for at in (5.0, 5.5, 6.2)]
    [False, True, False]
    """

    def __init__(self, per_second: int) -> None:
        self._limit, self._count, self._since = per_second, 0, 0.0

    def takes(self, size: int, now: float) -> bool:
        """Count bytes, and return whether the total now exceeds the limit for this second."""
        if now - self._since > 1.0:
            self._since, self._count = now, 0
        self._count += size
        return self._count > self._limit


class ConcurrencyLimit:
    """Limits how many connections or jobs each key may have at the same time."""

    def __init__(self, limit: int) -> None:
        self._limit, self._count = limit, Counter[str]()

    def take(self, key: str) -> bool:
        """Return whether another one is allowed; if so, count it until :meth:`release`."""
        if self._count[key] >= self._limit:
            return False
        self._count[key] += 1
        return True

    def release(self, key: str) -> None:
        """Stop counting a connection or job that :meth:`take` allowed."""
        self._count[key] -= 1
        if self._count[key] <= 0:
            del self._count[key]


class JobLimit:
    """Allows one long job per key at a time, and ``together`` jobs in total."""

    def __init__(self, together: int) -> None:
        self._together = asyncio.Semaphore(together)
        self._own: dict[str, asyncio.Lock] = {}
        self._count = Counter[str]()

    @asynccontextmanager
    async def slot(self, key: str) -> AsyncIterator[None]:
        """Wait for a free slot and hold it while the context lasts."""
        self._count[key] += 1
        try:
            async with self._own.setdefault(key, asyncio.Lock()), self._together:
                yield
        finally:
            self._count[key] -= 1
            if not self._count[key]:
                del self._count[key], self._own[key]


class PaceLimit:
    """Limits a stream of events: ``fast`` per second for a ``burst``, then ``slow`` per second.

    A pause restores the burst.

    >>> pace = PaceLimit(fast=20, slow=4, burst=2)
    >>> pace.take(8)
    >>> pace.wait(8), pace.take(8.25), pace.wait(8.25)
    (0.05, None, 0.05)
    >>> pace.take(8.5)
    >>> pace.take(8.5), pace.wait(8.5)
    (None, 0.25)
    """

    def __init__(self, fast: float, slow: float, burst: float) -> None:
        self._between, self._slow, self._burst = 1 / fast, slow, burst
        self._tokens, self._updated, self._last = burst, 0.0, 0.0

    def wait(self, now: float) -> float:
        """Return the seconds until the next event is allowed."""
        tokens = min(self._burst, self._tokens + (now - self._updated) * self._slow)
        return max(0.0, round(self._last + self._between - now, 9), (1 - tokens) / self._slow)

    def take(self, now: float) -> None:
        """Count an event."""
        self._tokens = min(self._burst, self._tokens + (now - self._updated) * self._slow) - 1
        self._updated = self._last = now
