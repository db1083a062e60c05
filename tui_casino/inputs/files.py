"""A player's own files: where they are, text read as words with their place, clear refusals."""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from collections.abc import Iterator
from dataclasses import dataclass
from os import PathLike
from pathlib import Path

from ..cards.card import PACK, Card
from .errors import BadInput
from .plain import plain, printable


@dataclass(frozen=True, slots=True)
class GivenPath:
    """A path as a player gave it: absolute, or leading from ``here``, the folder that is his.

    It can be opened like any path. Its text is what he gave, so that errors name what he knows.
    """

    given: str | Path
    here: Path

    def __fspath__(self) -> str:
        return str(self.here / self.given)

    def __str__(self) -> str:
        return str(self.given)


class BadFile(BadInput):
    """A file cannot be used: ``FILE:LINE:COLUMN: what is wrong``, as far as the place is known."""

    def __init__(
        self,
        path: str | PathLike[str],
        why: str,
        line: int | None = None,
        column: int | None = None,
    ) -> None:
        self.line, self.why = line, plain(why)
        place = ":".join(str(part) for part in (path, line, column) if part is not None)
        ValueError.__init__(self, f"{printable(place)}: {self.why}")


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a file, and the line and column where it begins, both counted from 1."""

    text: str
    line: int
    column: int


def read_text(path: PathLike[str]) -> str:
    """Read a UTF-8 file whole. Raises :class:`BadFile`, placing a byte that is no text."""
    try:
        raw = Path(path).read_bytes().removeprefix(BOM_UTF8)
    except (OSError, ValueError) as error:  # ValueError: a null byte in the path
        why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise BadFile(path, f"cannot be read: {why}") from None
    try:
        return raw.decode()
    except UnicodeDecodeError as error:
        before = raw[: error.start].decode()
        line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
        why = f"byte {raw[error.start]:#04x} is not UTF-8 text"
        raise BadFile(path, why, line, column) from None


def read_words(path: PathLike[str]) -> list[Word]:
    """Read a file as the words between its white space, across lines. Raises :class:`BadFile`."""
    return [
        Word(match[0], number, match.start() + 1)
        for number, line in enumerate(read_text(path).split("\n"), 1)
        for match in re.finditer(r"\S+", line)
    ]


def read_cards(path: PathLike[str]) -> tuple[Card, ...]:
    """Read a card file: cards like ``TS`` with white space between, in dealing order.

    Raises :class:`BadFile` with line, column and the word that is no card.
    """
    return tuple(card for _, card in _cards(path))


def read_deck(path: PathLike[str]) -> tuple[Card, ...]:
    """Read a card file that is a whole pack: each of the 52 cards once, in dealing order.

    Raises :class:`BadFile` as :func:`read_cards`, for a card that comes twice, and for too few.
    """
    deck: dict[Card, Word] = {}
    for word, card in _cards(path):
        if card in deck:
            why = f"{card} stands in line {deck[card].line} already; a deck has each card once"
            raise BadFile(path, why, word.line, word.column)
        deck[card] = word
    if len(deck) < len(PACK):
        missing = next(card for card in PACK if card not in deck)
        raise BadFile(path, f"a deck has {len(PACK)} cards, not {len(deck)}: {missing} is missing")
    return tuple(deck)


def _cards(path: PathLike[str]) -> Iterator[tuple[Word, Card]]:
    for word in read_words(path):
        try:
            card = Card.parse(word.text)
        except ValueError as error:
            raise BadFile(path, str(error), word.line, word.column) from None
        if card.index < 0:
            raise BadFile(path, "'??' is a face-down card, not one to deal", word.line, word.column)
        yield word, card
