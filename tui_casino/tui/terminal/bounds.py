"""What a terminal may send at most, whoever sits at it: a window, a sequence, a paste.

Nothing here imports Textual: a host may ask before there is an app.
"""

from __future__ import annotations

import re

MOST_COLUMNS, MOST_ROWS = 500, 200
"""Of a window: beyond, it stays empty. A screen takes memory and time by its cells."""
LONGEST = 32
"""Characters of an escape sequence: Textual understands no longer one, and would type it out."""
LONGEST_PASTE = 16_384
"""Characters of a paste: no line that can be typed here is nearly so long."""
PATIENCE = 50
"""Quiet moments after which a paste has ended that does not say so: else no key came through."""

_OPENS, _CLOSES = "\x1b[200~", "\x1b[201~"
_BODY = re.compile(r"[ -?]*")
_NO_BODY = re.compile(r"[^ -?]")


def clamped(columns: int, rows: int) -> tuple[int, int]:
    """Give the part of a window that is used, in columns and rows."""
    return min(max(columns, 1), MOST_COLUMNS), min(max(rows, 1), MOST_ROWS)


class Sieve:
    r"""Lets typed text pass, but no sequence (``ESC [ …``) and no paste that is too long.

    >>> Sieve().passed("d\x1b[A\x1b[" + "1;" * 100_000 + "Ab")
    'd\x1b[Ab'

    The beginning of a sequence is kept until its end has come, or nothing more comes for a moment.
    """

    def __init__(self) -> None:
        self._held = ""  # the beginning of a sequence
        self._out = 0  # characters of it that have passed: its Escape, if the piece ended with that
        self._skips = False  # one that is too long goes on
        self._pasted: int | None = None  # characters, while a paste goes on
        self._quiet = 0

    def passed(self, text: str) -> str:
        """Give what passes of a piece of input."""
        self._quiet = 0
        text, self._held = self._held + text, ""
        out, self._out = self._out, 0
        passed: list[str] = []
        at = 0
        while at < len(text):
            if self._skips:
                at = self._skip(text, at)
                continue
            start = text.find("\x1b[", at)
            if start < 0:
                passed.append(self._room_for(text[at:])[out:])
                if text.endswith("\x1b"):  # the key itself waits for nothing here
                    self._held, self._out = "\x1b", 1
                break
            passed.append(self._room_for(text[at:start])[out if start else 0 :])
            out = 0 if start else out
            body = _BODY.match(text, start + 2)
            at = len(text) if body is None else body.end()
            if at - start >= LONGEST:
                self._skips = True
            elif at == len(text):
                self._held, self._out = text[start:], out
            else:
                at += "@" <= text[at] <= "~"  # else it is broken off by what comes there
                passed.append(self._sequence(text[start:at])[out:])
            out = 0
        return "".join(passed)

    def rest(self) -> str:
        """Give what was kept, for nothing has come for a moment; to be called again and again."""
        held = self._room_for(self._held)[self._out :]
        self._held, self._out, self._skips = "", 0, False
        self._quiet += 1
        if self._pasted is not None and self._quiet >= PATIENCE:
            self._pasted = None
            return held + _CLOSES
        return held

    def _skip(self, text: str, at: int) -> int:
        end = _NO_BODY.search(text, at)
        if end is None:
            return len(text)
        self._skips = False
        return end.start() + ("@" <= end[0] <= "~")

    def _sequence(self, sequence: str) -> str:
        if sequence == _OPENS and self._pasted is None:
            self._pasted = 0
        elif sequence == _CLOSES:
            self._pasted = None
        else:
            return self._room_for(sequence)
        return sequence

    def _room_for(self, text: str) -> str:
        """Give as much of a text as a paste has room for; all of what is typed."""
        if self._pasted is None:
            return text
        text = text[: LONGEST_PASTE - self._pasted]
        self._pasted += len(text)
        return text
