r"""A filter for terminal input that limits the length of escape sequences and pastes.

The parsers that read the filtered input have no limits of their own. The limiter of the screen
passes the sequences that the screen's parser understands. A server has one limiter per visitor,
which also limits the rate of input.

>>> limiter = EscapeLimiter(32)
>>> limiter.filter("d\x1b[A\x1b[" + "1;" * 100_000 + "Ab")
'd\x1b[Ab'
"""

from __future__ import annotations

import re

LONGEST_PASTE = 16_384
"""The maximum number of characters in a paste, far more than in any line that a player may type."""
PATIENCE = 50
"""After this many calls of :meth:`EscapeLimiter.flush` in a row, a paste without an end mark ends.

Without this limit, all later keys would be part of the paste."""

ESCAPE, PASTE_BEGIN, PASTE_END = "\x1b", "\x1b[200~", "\x1b[201~"
NO_KEY = "[?0;0$y"
"""Turns an Escape that has passed already into a report about a mode that does not exist."""
SEQUENCE = (
    r"\x1b\[[ -?]*(?:[@-~]|(?=[^ -~]))"  # CSI, complete or broken off: keys, mouse, answers
    r"|\x1bO(?:[ -~]|(?=[^ -~]))"  # SS3: keys of older terminals
    r"|\x1b[P\]X^_][^\x07\x1b]*(?:\x07|\x1b\\|(?=\x1b[^\\]))"  # strings: answers of the terminal
    r"|\x1b(?=\x1b)|\x1b[^\x1b\[OP\]X^_]"  # Escape before another one; a key with Alt
)
"""A regular expression that matches a whole escape sequence."""
_TOKEN = re.compile(
    SEQUENCE  # or a single character; UTF-8 input has a character per byte
    + r"|[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}|[^\x1b]"
)
_CSI_END = re.compile(r"[@-~]|(?=[^ -~])")
_STRING_END = re.compile(r"\x07|\x1b\\|(?=\x1b)")


class EscapeLimiter:
    """Removes escape sequences of more than ``longest`` characters, and shortens long pastes.

    The limiter holds back the beginning of a sequence until the end arrives. An Escape character
    passes immediately, because it may be a press of the Escape key.
    """

    def __init__(self, longest: int) -> None:
        self._longest = longest
        self._held = ""  # the beginning of a sequence
        self._released = 0  # 1 if the Escape of that sequence has passed already, else 0
        self._skipping: re.Pattern[str] | None = (
            None  # finds the end of a sequence that is too long
        )
        self._paste_room: int | None = None  # characters that the paste may still have
        self._paste_passes = False  # whether the current paste passes
        self._quiet = 0

    @property
    def held(self) -> str:
        """The beginning of a sequence, or an Escape that passed and may be such a beginning."""
        return self._held

    def filter(self, text: str) -> str:
        """Return the part of this input that passes the filter."""
        self._quiet = 0
        text, self._held = self._held + text, ""
        passed: list[str] = []
        at = 0
        while at < len(text):
            if self._paste_room is not None:
                at = self._paste(text, at, self._paste_room, passed)
            elif self._skipping is not None:
                at = self._skip(text, at, self._skipping)
            else:
                at = self._key(text, at, passed)
        return "".join(passed)

    def flush(self) -> str:
        """Return the input that was held back. Call this repeatedly while no input arrives."""
        self._skipping = None
        self._quiet += 1
        if self._paste_room is None:
            held, self._held, self._released = self._held[self._released :], "", 0
            return held
        if self._quiet < PATIENCE:
            return ""
        self._held, self._paste_room = "", None
        return PASTE_END

    def _allows(self, token: str) -> bool:
        """Return whether a key, a sequence or the beginning of a paste may pass now."""
        return True

    def _key(self, text: str, at: int, passed: list[str]) -> int:
        released, self._released = self._released, 0
        match = _TOKEN.match(text, at)
        if match is None:
            return self._unfinished(text, at, released, passed)
        token = match[0]
        if token == PASTE_BEGIN:
            self._paste_room, self._paste_passes = LONGEST_PASTE, self._allows(token)
            if self._paste_passes:
                passed.append(token[released:])
        elif len(token) <= self._longest and (len(token) == released or self._allows(token)):
            passed.append(token[released:])
        elif released and len(token) <= self._longest:
            passed.append(NO_KEY)
        return match.end()

    def _unfinished(self, text: str, at: int, released: int, passed: list[str]) -> int:
        """Hold an unfinished sequence, or skip it if it is too long; return the next position."""
        rest = text[at:]
        if rest == ESCAPE:
            if released or self._allows(rest):
                passed.append(rest[released:])
                self._held, self._released = rest, 1
        elif len(rest) < self._longest:
            self._held, self._released = rest, released
        else:
            self._skipping = _CSI_END if rest[1] == "[" else _STRING_END
            return at + 2
        return len(text)

    def _skip(self, text: str, at: int, end: re.Pattern[str]) -> int:
        match = end.search(text, at)
        if match is None:
            return len(text)
        self._skipping = None
        return match.end()

    def _paste(self, text: str, at: int, room: int, passed: list[str]) -> int:
        stop = end = text.find(PASTE_END, at)
        if end < 0:  # the end mark may arrive in two pieces
            sizes = range(len(PASTE_END) - 1, 0, -1)
            cut = next((n for n in sizes if text.endswith(PASTE_END[:n])), 0)
            stop = max(at, len(text) - cut)
            self._held = text[stop:]
        piece = text[at:stop].replace(ESCAPE, "")[:room]
        self._paste_room = room - len(piece)
        if self._paste_passes:
            passed.append(piece)
        if end < 0:
            return len(text)
        if self._paste_passes:
            passed.append(PASTE_END)
        self._paste_room = None
        return end + len(PASTE_END)
