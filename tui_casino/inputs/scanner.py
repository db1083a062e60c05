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
# a text that does not end goes to the end: tried anew from each of its marks, it would take minutes
_WORD = re.compile(r'(?:"(?:[^"\\]|\\.)*(?:"|\\?\Z)|[^ ])+', re.DOTALL)


def is_bare_word(text: str) -> bool:
    """Tell whether a text may stand without quotation marks."""
    return _PLAIN.fullmatch(text) is not None


def quote(text: str) -> str:
    """Write a text as printable ASCII: in quotation marks, with escapes, where it is not plain."""
    return text if is_bare_word(text) else f'"{"".join(map(_escaped, text))}"'


def _escaped(character: str) -> str:
    if character in '"\\':
        return f"\\{character}"
    if character.isascii() and character.isprintable():
        return character
    number = ord(character)
    return f"\\u{number:04x}" if number < 1 << 16 else f"\\U{number:08x}"


class Scanner:
    """A line and the ``position`` of the next character in it, counted from 0.

    Its words have spaces between. All that is refused raises :class:`BadInput` with the word and
    the place; a line with characters that cannot be printed is refused at once.
    """

    def __init__(self, line: str) -> None:
        self._line, self.position = line, 0
        if not line.isprintable():
            place = next(n for n, character in enumerate(line) if not character.isprintable())
            self.refuse(f"{line[place]!a} cannot stand in a line as it is", place)

    @property
    def ended(self) -> bool:
        """Whether nothing comes any more."""
        return self.position == len(self._line)

    @property
    def word_ended(self) -> bool:
        """Whether the line ends here, or a space comes."""
        return self._line[self.position : self.position + 1] in ("", " ")

    def took(self, mark: str) -> bool:
        """Pass a mark if it comes next."""
        comes = self._line.startswith(mark, self.position)
        self.position += len(mark) * comes
        return comes

    def took_word(self, word: str) -> bool:
        """Pass a word if just that comes next, and not a longer one."""
        match = _BARE.match(self._line, self.position)
        return match is not None and match[0] == word and self.took(word)

    def took_name(self) -> str | None:
        """Pass a name and its ``=`` if they come next, and give the name."""
        name = _BARE.match(self._line, self.position)
        if name is None or not self._line.startswith("=", name.end()):
            return None
        self.position = name.end() + 1
        return name[0]

    def word(self, right: str) -> str:
        """Pass letters, digits and signs, which must come next, and give them."""
        match = _BARE.match(self._line, self.position)
        if match is None:
            self.misfit(right)
        self.position = match.end()
        return match[0]

    def text(self, right: str) -> str:
        """Pass a text as :func:`quote` writes it, which must come next, and give it."""
        match = _QUOTED.match(self._line, self.position)
        if match is not None:
            self.position = match.end()
            return _ESCAPE.sub(lambda code: code[1] or chr(int(code[2] or code[3], 16)), match[1])
        at, word = self.position, self.word(right)
        if not is_bare_word(word):
            self.misfit(right, at)
        return word

    def misfit(self, right: str, position: int | None = None) -> NoReturn:
        """Refuse what comes next, or comes at a place, for it is not what would be right."""
        part = _PART.match(self._line, self.position if position is None else position)
        part_text = (
            "the end" if part is None else "a space" if part[0] == " " else in_short(part[0])
        )
        self.refuse(f"here belongs {right}, not {part_text}", position)

    def refuse(self, reason: str, position: int | None = None) -> NoReturn:
        """Refuse the word that has the place, or the one that one is in."""
        position = self.position if position is None else position
        for number, word in enumerate(_WORD.finditer(self._line), 1):
            if word.end() >= position:
                reason = (
                    f"word {number}, {in_short(word[0])}, at character {position + 1}: {reason}"
                )
                break
        raise BadInput(reason) from None
