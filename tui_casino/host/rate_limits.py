"""Rate and concurrency limits per address or key, and limits on a visitor's input.

All of them use bounded memory.
"""

from __future__ import annotations

import asyncio
import re
from collections import Counter, OrderedDict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import islice

from ..inputs.escape_limiter import PASTE_BEGIN, SEQUENCE, EscapeLimiter

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


RATE, BURST = 30.0, 120.0
"""The average number of events per second, and the maximum number that may arrive together."""
PASTE_COST = 10.0
LONGEST = 64
"""The maximum number of bytes in an escape sequence."""
LINES_HELD = 64 << 10
"""The maximum number of bytes of waiting lines."""
ESCAPE_DELAY = 0.1
"""Seconds after which an Escape counts as a key of its own, as in the terminal's parser."""

_MOVE = re.compile(r"\x1b\[<(?:3[2-9]|[45]\d|6[0-3]);")
_FLOOD = re.compile(rf"(?:[^\x1b]++|(?!{re.escape(PASTE_BEGIN)})(?:{SEQUENCE}))++")
"""All input up to the next paste, or up to an unfinished sequence."""
_LINE_END = re.compile(rb"\r\n|[\r\n]")


class InputGate(EscapeLimiter):
    r"""Limits the input of one visitor; ``now`` is the time on any clock, in seconds.

    Each key, click and escape sequence counts as one event. The gate drops events above the rate,
    escape sequences that are too long, and the rest of a paste that is too long; the terminal's
    parser has no such limits. Mouse moves pass only while more than half of the burst is left, so
    that keys always pass.

    >>> gate = InputGate()
    >>> gate.feed(b"hold\x1b[A", 0.0)
    b'hold\x1b[A'
    >>> gate.feed(b"\x1b[" + b"1;" * 1000 + b"u", 0.0)
    b''

    ``keys`` counts the keys, mouse moves and pastes that passed; ``dropped`` counts how often input
    was dropped because of the rate.
    """

    def __init__(self, rate: float = RATE, burst: float = BURST) -> None:
        super().__init__(LONGEST)
        self._rate, self._burst = rate, burst
        self._tokens, self._at = burst, 0.0
        self.keys = self.dropped = 0

    def feed(self, data: bytes, now: float) -> bytes:
        """Take the next bytes and return those that pass."""
        self._tokens = min(self._burst, self._tokens + (now - self._at) * self._rate)
        if now - self._at > ESCAPE_DELAY:
            self._held, self._released = self._held[self._released :], 0
        self._at = now
        return self.filter(data.decode("latin-1")).encode("latin-1")  # one character per byte

    def _key(self, text: str, at: int, passed: list[str]) -> int:
        if self._tokens < 1.0 and not self._released and (flood := _FLOOD.match(text, at)):
            self.dropped += 1
            return flood.end()  # in one step: handling each event would delay the other visitors
        return super()._key(text, at, passed)

    def _allows(self, token: str) -> bool:
        if _MOVE.match(token) and self._tokens <= self._burst / 2:
            return False
        cost = PASTE_COST if token == PASTE_BEGIN else 1.0
        if self._tokens < cost:
            return False
        self._tokens -= cost
        self.keys += 1
        return True


class LineGate:
    r"""Limits the rate of lines; ``now`` is the time on any clock, in seconds.

    Lines that arrive too quickly wait, because input may be piped; lines that do not fit are
    dropped. ``keys`` counts the lines that were let through.

    >>> gate = LineGate(rate=2.0, burst=2.0)
    >>> gate.hold(b"1\nb 5\nd\n")
    >>> gate.take(0.0), gate.take(0.1), gate.waits, gate.take(0.5)
    (b'1\nb 5\n', b'', True, b'd\n')
    """

    def __init__(self, rate: float = RATE, burst: float = BURST) -> None:
        self._rate, self._burst = rate, burst
        self._tokens, self._at = burst, 0.0
        self._held = bytearray()
        self.keys = 0

    @property
    def waits(self) -> bool:
        """Whether any input is waiting to be let through."""
        return bool(self._held)

    def hold(self, data: bytes) -> None:
        """Keep as much of the input as fits."""
        self._held += data[: LINES_HELD - len(self._held)]

    def take(self, now: float) -> bytes:
        """Return the input that passes now: complete lines, and the start of the next one."""
        self._tokens = min(self._burst, self._tokens + (now - self._at) * self._rate)
        self._at = now
        if self._tokens < 1.0 or not self._held:
            return b""
        ends = [match.end() for match in islice(_LINE_END.finditer(self._held), int(self._tokens))]
        upto = ends[-1] if len(ends) == int(self._tokens) else len(self._held)
        passed = bytes(self._held[:upto])
        del self._held[:upto]
        cost = max(1, len(ends))
        self._tokens -= cost
        self.keys += cost
        return passed
