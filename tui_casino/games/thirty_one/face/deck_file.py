"""A test deck: a file of whole numbers from 1 (ace) to 13 (king), dealt in the order given."""

from __future__ import annotations

from itertools import cycle
from os import PathLike

from ....cards.card import SUITS, Card, Hand, Rank
from ....inputs.files import BadFile, FileWord, read_words
from ....inputs.numbers import parse_integer

_RIGHT = "a card is a whole number from 1 (ace) to 13 (king)"


def read_deck(path: PathLike[str]) -> Hand:
    """Read a deck file; ranks may repeat, and suits are assigned in turn, clubs first.

    Raises :class:`~tui_casino.inputs.files.BadFile` with the line, the column and the invalid word.
    """
    words = read_words(path)
    if not words:
        raise BadFile(path, f"there are no cards; {_RIGHT}", 1, 1)
    return tuple(
        Card(_rank(path, word), suit) for word, suit in zip(words, cycle(SUITS), strict=False)
    )


def _rank(path: PathLike[str], word: FileWord) -> Rank:
    try:
        number = parse_integer(word.text)
    except ValueError:
        number = 0
    if not 1 <= number <= 13:
        raise BadFile(path, f"{word.text!r} is not a card; {_RIGHT}", word.line, word.column)
    return Rank(number)
