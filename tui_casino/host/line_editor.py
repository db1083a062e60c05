r"""Line editing for a terminal in raw mode: echo, Backspace, ^W and ^U.

>>> line = LineEditor(40)
>>> line.feed("Amn\x7f\x7fnn"), line.text
('Amn\x08 \x08\x08 \x08nn', 'Ann')
"""

from __future__ import annotations

import re
import unicodedata

_SEQUENCES = re.compile(r"\x1b(?:\[[ -?]*[@-~]|O.|.)?")
_ERASE = "\b \b"
_LETTER, _WORD, _ALL = (re.compile(what, re.DOTALL) for what in (r".\Z", r"\S*\s*\Z", r".+\Z"))
_TAKEN_BACK = {"\x7f": _LETTER, "\b": _LETTER, "\x17": _WORD, "\x15": _ALL}
"""The characters that Backspace, ^W and ^U delete, as in other terminals."""


class LineEditor:
    """Edits a line of up to ``longest`` letters; Enter sets ``done``, ^C or ^D ``cancelled``."""

    def __init__(self, longest: int) -> None:
        self._longest = longest
        self.text, self.done, self.cancelled = "", False, False

    def feed(self, typed: str) -> str:
        """Apply typed characters, and return the output for the terminal."""
        shown = []
        for letter in _SEQUENCES.sub("", typed):
            if letter in "\r\n":
                self.done = True
                break
            if letter in "\x03\x04":
                self.cancelled = True
                break
            if letter in _TAKEN_BACK:
                length = len(_TAKEN_BACK[letter].sub("", self.text))
                shown.append(_ERASE * sum(map(_width, self.text[length:])))
                self.text = self.text[:length]
            elif letter.isprintable() and len(self.text) < self._longest:
                self.text += letter
                shown.append(letter)
        return "".join(shown)


def _width(letter: str) -> int:
    if unicodedata.combining(letter):
        return 0
    return 2 if unicodedata.east_asian_width(letter) in "WF" else 1
