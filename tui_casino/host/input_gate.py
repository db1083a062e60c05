r"""What a visitor may send, and how fast: the terminal's own parser has no bounds.

A key, a click and a sequence are an event each. Those beyond the rate are dropped, as are sequences
longer than any key's and what is pasted beyond its limit. Of the mouse's moves only so many pass
that keys always find room.

>>> gate = InputGate()
>>> gate.feed(b"hold\x1b[A", 0.0)
b'hold\x1b[A'
>>> gate.feed(b"\x1b[" + b"1;" * 1000 + b"u", 0.0)
b''
"""

from __future__ import annotations

import re
from enum import Enum, auto
from itertools import islice

RATE, BURST = 30.0, 120.0
"""Events a second on average, and how many may come at once."""
PASTE = 16 << 10
PASTE_COST = 10.0
SEQUENCE = 64
"""Bytes of the longest escape sequence."""
LINES_HELD = 64 << 10
"""Bytes of lines that wait to be let through."""
ESCAPE_DELAY = 0.1
"""Seconds after which an Escape is a key of its own, as in the terminal's parser."""

_BEGIN, _END = b"\x1b[200~", b"\x1b[201~"
_SEQUENCE = (
    rb"\x1b\[[\x20-\x3f]*[\x40-\x7e]"  # CSI: keys, the mouse, answers of the terminal
    rb"|\x1bO[\x20-\x7e]"  # SS3: keys of older terminals
    rb"|\x1b[P\]X^_][^\x07\x1b]*(?:\x07|\x1b\\)"  # strings: answers of the terminal
    rb"|\x1b(?=\x1b)|\x1b[^\x1b\[OP\]X^_]"  # Escape before another one; a key with Alt
)
_TOKEN = re.compile(
    _SEQUENCE
    + rb"|[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}|[^\x1b]"
)
_MOVE = re.compile(rb"\x1b\[<(?:3[2-9]|[45]\d|6[0-3]);")
_FLOOD = re.compile(rb"(?:[^\x1b]++|(?!\x1b\[200~)(?:" + _SEQUENCE + rb"))++")
"""All up to the next paste, or to a sequence whose end has not come."""
_CSI_END = re.compile(rb"[^\x20-\x3f]")
_LINE_END = re.compile(rb"\r\n|[\r\n]")
_STRING_END = re.compile(rb"\x07|\x1b\\?")


class _Mode(Enum):
    KEYS = auto()
    PASTE = auto()
    SKIPPED_PASTE = auto()
    LONG_SEQUENCE = auto()
    LONG_STRING = auto()


class InputGate:
    """Lets through what one visitor may send; ``now`` is any clock in seconds.

    ``keys`` counts what was let through: keys, moves of the mouse and pastes; ``dropped`` how often
    something came that was too much.
    """

    def __init__(self, rate: float = RATE, burst: float = BURST) -> None:
        self._rate, self._burst = rate, burst
        self._tokens, self._at = burst, 0.0
        self._mode, self._held, self._pasted = _Mode.KEYS, b"", 0
        self.keys = self.dropped = 0
        self._escaped = False  # an Escape was let through that may begin a sequence

    def feed(self, data: bytes, now: float) -> bytes:
        """Give what passes of the next bytes."""
        self._tokens = min(self._burst, self._tokens + (now - self._at) * self._rate)
        self._escaped = self._escaped and now - self._at <= ESCAPE_DELAY
        self._at = now
        data, self._held = self._held + data, b""
        if self._escaped and data:
            data = b"\x1b" + data
        passed, at = bytearray(), 0
        while at < len(data):
            match self._mode:
                case _Mode.KEYS:
                    at = self._key(data, at, passed)
                case _Mode.PASTE | _Mode.SKIPPED_PASTE:
                    at = self._paste(data, at, passed)
                case _Mode.LONG_SEQUENCE:
                    at = self._skip(data, at, _CSI_END)
                case _Mode.LONG_STRING:
                    at = self._skip(data, at, _STRING_END)
        return bytes(passed)

    def _key(self, data: bytes, at: int, passed: bytearray) -> int:
        already, self._escaped = self._escaped, False
        if self._tokens < 1.0 and not already and (flood := _FLOOD.match(data, at)):
            self.dropped += 1
            return flood.end()  # in one go: to look at each would keep all others waiting
        found = _TOKEN.match(data, at)
        if found is None:
            return self._unfinished(data, at, passed, already)
        token = found[0]
        if token == _BEGIN:
            self._pasted = 0
            self._mode = _Mode.PASTE if self._pay(PASTE_COST) else _Mode.SKIPPED_PASTE
            if self._mode is _Mode.PASTE:
                passed += token[already:]
        elif len(token) <= SEQUENCE and (_MOVE.match(token) is None or self._leisure):
            if token == b"\x1b" and already:
                pass  # it has been let through
            elif self._pay(1.0):
                passed += token[already:]
        return found.end()

    def _unfinished(self, data: bytes, at: int, passed: bytearray, already: bool) -> int:
        """Deal with the beginning of a sequence whose end has not come yet."""
        rest = data[at:]
        if rest == b"\x1b":
            if already or self._pay(1.0):
                passed += rest[already:]
                self._escaped = True
        elif len(rest) <= SEQUENCE:
            self._held, self._escaped = rest[already:], already
        else:
            self._mode = _Mode.LONG_SEQUENCE if rest[1:2] in b"[O" else _Mode.LONG_STRING
            return at + 2
        return len(data)

    def _paste(self, data: bytes, at: int, passed: bytearray) -> int:
        end = data.find(_END, at)
        upto = end
        if end < 0:  # the mark may come in two pieces
            cut = next((n for n in range(len(_END) - 1, 0, -1) if data.endswith(_END[:n])), 0)
            upto = max(at, len(data) - cut)
            self._held = data[upto:]
        if self._mode is _Mode.PASTE:
            text = data[at:upto].replace(b"\x1b", b"")[: PASTE - self._pasted]
            self._pasted += len(text)
            passed += text
        if end < 0:
            return len(data)
        if self._mode is _Mode.PASTE:
            passed += _END
        self._mode = _Mode.KEYS
        return end + len(_END)

    def _skip(self, data: bytes, at: int, end: re.Pattern[bytes]) -> int:
        found = end.search(data, at)
        if found is None:
            return len(data)
        self._mode = _Mode.KEYS
        begins = found[0] == b"\x1b"  # the next sequence
        return found.start() if begins else found.end()

    @property
    def _leisure(self) -> bool:
        return self._tokens > self._burst / 2

    def _pay(self, cost: float) -> bool:
        if self._tokens < cost:
            return False
        self._tokens -= cost
        self.keys += 1
        return True


class LineGate:
    r"""Lets lines through at a rate; ``now`` is any clock in seconds.

    Lines that come too quickly wait, since a visit may be piped; what does not fit is dropped.
    ``keys`` counts what was let through.

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
        """Whether something waits to be let through."""
        return bool(self._held)

    def hold(self, data: bytes) -> None:
        """Keep what was sent, as far as there is room."""
        self._held += data[: LINES_HELD - len(self._held)]

    def take(self, now: float) -> bytes:
        """Return what passes by now: whole lines, and what is typed of the next one."""
        self._tokens = min(self._burst, self._tokens + (now - self._at) * self._rate)
        self._at = now
        if self._tokens < 1.0 or not self._held:
            return b""
        ends = [found.end() for found in islice(_LINE_END.finditer(self._held), int(self._tokens))]
        upto = ends[-1] if len(ends) == int(self._tokens) else len(self._held)
        passed = bytes(self._held[:upto])
        del self._held[:upto]
        cost = max(1, len(ends))
        self._tokens -= cost
        self.keys += cost
        return passed
