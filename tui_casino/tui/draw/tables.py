"""Rows of a table as data: words in tones, what ends at the right edge, and the key of a click."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, TypeAlias

from textual.geometry import Region

from ..terminal.detection import Tier
from .canvas import Canvas
from .glyphs import cut
from .styles import inks_of

Line: TypeAlias = tuple[tuple[str, str], ...]
"""Pieces of text, each with its tone: a field of ``Inks``, or nothing for plain text."""


class Row(NamedTuple):
    """A line, what stands at its right edge, and the key that a click on it is, if any."""

    line: Line
    right: Line = ()
    key: str = ""

    @property
    def width(self) -> int:
        """The columns that it takes at least."""
        return length(self.line) + (2 + length(self.right) if self.right else 0)


Rows: TypeAlias = tuple[Row, ...]
Spot: TypeAlias = tuple[Region, str]
"""Where a click means a key."""


def figure_row(words: str, figure: str, tone: str, width: int) -> Row:
    """Return a row of so many columns with words and a figure in one tone; the words give way."""
    return Row(((cut(words, width - len(figure), Tier.UNICODE), tone),), ((figure, tone),))


def length(line: Line) -> int:
    """Return the columns of a line."""
    return sum(len(text) for text, _ in line)


def width_of(rows: Iterable[Row]) -> int:
    """Return the columns that rows take under each other."""
    return max((row.width for row in rows), default=0)


def write(canvas: Canvas, x: int, y: int, line: Line) -> int:
    """Write a line; return the column behind it."""
    inks = inks_of(canvas.look.palette)
    for text, tone in line:
        x = canvas.write(x, y, text, inks.of(tone))
    return x


def write_centred(canvas: Canvas, x: int, y: int, line: Line) -> None:
    """Write a line, the middle of it at a column."""
    write(canvas, x - length(line) // 2, y, line)


def write_rows(canvas: Canvas, x: int, y: int, width: int, rows: Rows) -> list[Spot]:
    """Write rows under each other in so many columns; return where they can be clicked on."""
    for line, row in enumerate(rows, y):
        write(canvas, x, line, row.line)
        write(canvas, x + width - length(row.right), line, row.right)
    return [(Region(x, y + i, width, 1), row.key) for i, row in enumerate(rows) if row.key]
