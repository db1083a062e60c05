r"""Limits on the length and rate of a visitor's input, which the terminal's parser does not have.

Each key, click and escape sequence counts as one event. The gate drops events above the rate,
escape sequences that are too long, and the rest of a paste that is too long. Mouse moves pass only
while more than half of the burst is left, so that keys always pass.

>>> gate = InputGate()
>>> gate.feed(b"hold\x1b[A", 0.0)
b'hold\x1b[A'
>>> gate.feed(b"\x1b[" + b"1;" * 1000 + b"u", 0.0)
b''
"""

from __future__ import annotations

import re
from itertools import islice

from ..inputs.escape_limiter import PASTE_BEGIN, SEQUENCE, EscapeLimiter

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
    """Limits the input of one visitor; ``now`` is the time on any clock, in seconds.

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
