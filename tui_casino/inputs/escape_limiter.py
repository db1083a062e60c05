r"""A limit on what comes from a terminal: no escape sequence and no paste that is too long.

The parsers behind it have no bounds of their own. The screen reads through one that passes what its
parser understands; a server has one for each visitor that also limits the rate.

>>> limiter = EscapeLimiter(32)
>>> limiter.filter("d\x1b[A\x1b[" + "1;" * 100_000 + "Ab")
'd\x1b[Ab'
"""

from __future__ import annotations

import re

LONGEST_PASTE = 16_384
"""Characters of a paste: no line that can be typed here is nearly so long."""
PATIENCE = 50
"""Quiet moments after which a paste ends that has no end mark: else no key came through."""

ESCAPE, PASTE_BEGIN, PASTE_END = "\x1b", "\x1b[200~", "\x1b[201~"
SEQUENCE = (
    r"\x1b\[[ -?]*(?:[@-~]|(?=[^ -~]))"  # CSI, or one that is broken off: keys, mouse, answers
    r"|\x1bO(?:[ -~]|(?=[^ -~]))"  # SS3: keys of older terminals
    r"|\x1b[P\]X^_][^\x07\x1b]*(?:\x07|\x1b\\|(?=\x1b[^\\]))"  # strings: answers of the terminal
    r"|\x1b(?=\x1b)|\x1b[^\x1b\[OP\]X^_]"  # Escape before another one; a key with Alt
)
"""A whole escape sequence, as a regular expression."""
_TOKEN = re.compile(
    SEQUENCE  # then a letter, also one in UTF-8 whose bytes are a character each
    + r"|[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}|[^\x1b]"
)
_CSI_END = re.compile(r"[@-~]|(?=[^ -~])")
_STRING_END = re.compile(r"\x07|\x1b\\|(?=\x1b)")


class EscapeLimiter:
    """Passes what is typed, but no sequence of more than ``longest`` characters; cuts long pastes.

    The beginning of a sequence is held until its end has come. An Escape may be the key itself, so
    that it passes at once.
    """

    def __init__(self, longest: int) -> None:
        self._longest = longest
        self._held = ""  # the beginning of a sequence
        self._out = 0  # characters of it that have passed: its Escape, if the piece ended with that
        self._skipping: re.Pattern[str] | None = None  # the end of a sequence that is too long
        self._room: int | None = None  # characters, while a paste goes on
        self._pastes = False  # that paste passes
        self._quiet = 0

    def filter(self, text: str) -> str:
        """Return what passes of a piece of input."""
        self._quiet = 0
        text, self._held = self._held + text, ""
        passed: list[str] = []
        at = 0
        while at < len(text):
            if self._room is not None:
                at = self._paste(text, at, self._room, passed)
            elif self._skipping is not None:
                at = self._skip(text, at, self._skipping)
            else:
                at = self._key(text, at, passed)
        return "".join(passed)

    def flush(self) -> str:
        """Return what was held; to be called again and again while nothing comes for a moment."""
        self._skipping = None
        self._quiet += 1
        if self._room is None:
            held, self._held, self._out = self._held[self._out :], "", 0
            return held
        if self._quiet < PATIENCE:
            return ""
        self._held, self._room = "", None
        return PASTE_END

    def _allows(self, token: str) -> bool:
        """Tell whether a key, a sequence or the beginning of a paste passes now."""
        return True

    def _key(self, text: str, at: int, passed: list[str]) -> int:
        out, self._out = self._out, 0
        match = _TOKEN.match(text, at)
        if match is None:
            return self._unfinished(text, at, out, passed)
        token = match[0]
        if token == PASTE_BEGIN:
            self._room, self._pastes = LONGEST_PASTE, self._allows(token)
            if self._pastes:
                passed.append(token[out:])
        elif len(token) <= self._longest and (len(token) == out or self._allows(token)):
            passed.append(token[out:])
        return match.end()

    def _unfinished(self, text: str, at: int, out: int, passed: list[str]) -> int:
        """Deal with the beginning of a sequence whose end has not come yet."""
        rest = text[at:]
        if rest == ESCAPE:
            if out or self._allows(rest):
                passed.append(rest[out:])
                self._held, self._out = rest, 1
        elif len(rest) < self._longest:
            self._held, self._out = rest, out
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
        upto = end = text.find(PASTE_END, at)
        if end < 0:  # the mark may come in two pieces
            sizes = range(len(PASTE_END) - 1, 0, -1)
            cut = next((n for n in sizes if text.endswith(PASTE_END[:n])), 0)
            upto = max(at, len(text) - cut)
            self._held = text[upto:]
        piece = text[at:upto].replace(ESCAPE, "")[:room]
        self._room = room - len(piece)
        if self._pastes:
            passed.append(piece)
        if end < 0:
            return len(text)
        if self._pastes:
            passed.append(PASTE_END)
        self._room = None
        return end + len(PASTE_END)
