"""Scan a line from left to right: names, marks, words and quoted texts."""

from __future__ import annotations

import re
from reprlib import repr as in_short
from typing import NoReturn

from .errors import BadInput

_PLAIN = re.compile(r"[A-Za-z][\w.:/+-]*", re.ASCII)
_BARE = re.compile(r'[^ "(),=]+')
_QUOTED = re.compile(
    r'"((?:[^"\\]|\\["\\]|\\u[0-9a-fA-F]{4}|\\U00(?:0[0-9a-fA-F]|10)[0-9a-fA-F]{4})*)"'
)
_ESCAPE = re.compile(r'\\(?:(["\\])|u(.{4})|U(.{8}))')
_PART = re.compile(rf'{_BARE.pattern}|"(?:[^"\\]|\\.)*"|.')
# An unfinished quotation must match to the end of the line: retrying from each of its quotation
# marks would take minutes.
_WORD = re.compile(r'(?:"(?:[^"\\]|\\.)*(?:"|\\?\Z)|[^ ])+', re.DOTALL)


def is_bare_word(text: str) -> bool:
    """Return whether a text needs no quotation marks."""
    return _PLAIN.fullmatch(text) is not None


def quote(text: str) -> str:
    """Format a text as printable ASCII, with quotation marks and escapes if it needs them."""
    return text if is_bare_word(text) else f'"{"".join(map(_escaped, text))}"'


def _escaped(character: str) -> str:
    if character in '"\\':
        return f"\\{character}"
    if character.isascii() and character.isprintable():
        return character
    number = ord(character)
    return f"\\u{number:04x}" if number < 1 << 16 else f"\\U{number:08x}"


class Scanner:
    """A line of words separated by spaces, and the ``position`` of the next character, from 0.

    All errors are raised as :class:`BadInput` with the word and its place. The constructor refuses
    a line with unprintable characters.
    """

    def __init__(self, line: str) -> None:
        self._line, self.position = line, 0
        if not line.isprintable():
            place = next(n for n, character in enumerate(line) if not character.isprintable())
            self.refuse(f"the character {line[place]!a} is not allowed in a line", place)

    @property
    def ended(self) -> bool:
        """Whether the end of the line has been reached."""
        return self.position == len(self._line)

    @property
    def word_ended(self) -> bool:
        """Whether the next character is a space or the end of the line."""
        return self._line[self.position : self.position + 1] in ("", " ")

    def took(self, mark: str) -> bool:
        """Skip a mark if it is next; return whether it was skipped."""
        comes = self._line.startswith(mark, self.position)
        self.position += len(mark) * comes
        return comes

    def took_word(self, word: str) -> bool:
        """Skip a word if exactly this word is next; return whether it was skipped."""
        match = _BARE.match(self._line, self.position)
        return match is not None and match[0] == word and self.took(word)

    def took_name(self) -> str | None:
        """Skip a name and its ``=`` if they are next; return the name, or ``None``."""
        name = _BARE.match(self._line, self.position)
        if name is None or not self._line.startswith("=", name.end()):
            return None
        self.position = name.end() + 1
        return name[0]

    def word(self, right: str) -> str:
        """Skip and return the next letters, digits and signs; ``right`` says what is expected."""
        match = _BARE.match(self._line, self.position)
        if match is None:
            self.misfit(right)
        self.position = match.end()
        return match[0]

    def text(self, right: str) -> str:
        """Skip and return the next text, which is written as :func:`quote` formats it."""
        match = _QUOTED.match(self._line, self.position)
        if match is not None:
            self.position = match.end()
            return _ESCAPE.sub(lambda code: code[1] or chr(int(code[2] or code[3], 16)), match[1])
        at, word = self.position, self.word(right)
        if not is_bare_word(word):
            self.misfit(right, at)
        return word

    def misfit(self, right: str, position: int | None = None) -> NoReturn:
        """Refuse the next part, or the part at a position; ``right`` says what is expected."""
        part = _PART.match(self._line, self.position if position is None else position)
        part_text = (
            "the end" if part is None else "a space" if part[0] == " " else in_short(part[0])
        )
        self.refuse(f"expected {right}, not {part_text}", position)

    def refuse(self, reason: str, position: int | None = None) -> NoReturn:
        """Refuse the word at a position, by default the current position."""
        position = self.position if position is None else position
        for number, word in enumerate(_WORD.finditer(self._line), 1):
            if word.end() >= position:
                reason = (
                    f"word {number}, {in_short(word[0])}, at character {position + 1}: {reason}"
                )
                break
        raise BadInput(reason) from None
