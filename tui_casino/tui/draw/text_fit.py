"""Measure text in columns, and cut it to a width."""

from __future__ import annotations

from collections.abc import Iterator

from rich.cells import cell_len

from ..terminal.detection import GlyphSet
from .glyphs import transliterate


def text_width(text: str) -> int:
    """Return the number of columns that a text takes; names may have wide or combining letters."""
    return len(text) if text.isascii() else cell_len(text)


def split_cells(text: str) -> Iterator[str]:
    """Yield the content of each column; the second column of a wide letter is empty."""
    cell = ""
    for letter in text:
        wide = cell_len(letter)
        if wide and cell:
            yield cell
            cell = ""
        cell += letter
        if wide > 1:
            yield cell
            yield from [""] * (wide - 1)
            cell = ""
    if cell:
        yield cell


def fitting_start(text: str, width: int) -> str:
    """Return as much of the start of a text as fits into some columns."""
    if text_width(text) == len(text):
        return text[:width]
    room = 0
    for end, letter in enumerate(text):
        room += cell_len(letter)
        if room > width:
            return text[:end]
    return text


def truncate_at_word(text: str, width: int, tier: GlyphSet) -> str:
    """Cut a sentence that is too long after a word, and add an ellipsis.

    If a word takes more than half of the width, cut within the word, but never within a figure.
    """
    if text_width(text) <= width:
        return text
    room = len(fitting_start(text, max(0, width - 1)))
    end = text.rfind(" ", 0, room + 1)
    shortened = text[:end] if 2 * end > room else _start(text, room)
    return shortened + transliterate("…", tier) * (width > 0)


def truncate(text: str, width: int, tier: GlyphSet) -> str:
    """Cut a text that is too long, never within a figure, and add an ellipsis."""
    if text_width(text) <= width:
        return text
    room = len(fitting_start(text, max(0, width - 1)))
    return _start(text, room) + transliterate("…", tier) * (width > 0)


def _start(text: str, end: int) -> str:
    """Return the text before ``end``, without the part of a figure that continues there."""
    begin = text.rfind(" ", 0, end) + 1
    word = text[begin:].partition(" ")[0]
    is_figure = any(map(str.isdigit, word)) and not any(map(str.isalpha, word))
    return text[:begin] if is_figure and begin + len(word) > end else text[:end]


def drop_trailing_parts(text: str, width: int, tier: GlyphSet) -> str:
    """Leave out the last parts of a text, which are separated by dots, until the text fits."""
    dot = transliterate(" · ", tier)
    while text_width(text) > width and dot in text:
        text = text[: text.rindex(dot)]
    return truncate(text, width, tier)
