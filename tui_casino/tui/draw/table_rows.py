"""Table rows as data: toned texts, right-aligned parts, and the key that a click presses."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, TypeAlias

from textual.geometry import Region

from .canvas import Canvas
from .styles import line_styles_of

TonedLine: TypeAlias = tuple[tuple[str, str], ...]
"""Pieces of text, each with its tone: a field of ``LineStyles``, or empty for plain text."""


class TableRow(NamedTuple):
    """A line, the text at its right edge, and the key that a click presses, if any."""

    line: TonedLine
    right: TonedLine = ()
    key: str = ""

    @property
    def width(self) -> int:
        """The minimum width in columns."""
        return line_width(self.line) + (2 + line_width(self.right) if self.right else 0)


TableRows: TypeAlias = tuple[TableRow, ...]
ClickTarget: TypeAlias = tuple[Region, str]
"""A region, and the key that a click there presses."""


def line_width(line: TonedLine) -> int:
    """Return the width of a line in columns."""
    return sum(len(text) for text, _ in line)


def rows_width(rows: Iterable[TableRow]) -> int:
    """Return the width of the widest row in columns."""
    return max((row.width for row in rows), default=0)


def write_line(canvas: Canvas, x: int, y: int, line: TonedLine) -> int:
    """Write a line; return the column after it."""
    inks = line_styles_of(canvas.look.palette)
    for text, tone in line:
        x = canvas.write(x, y, text, inks.style(tone))
    return x


def write_centred(canvas: Canvas, x: int, y: int, line: TonedLine) -> None:
    """Write a line, centred at a column."""
    write_line(canvas, x - line_width(line) // 2, y, line)


def write_rows(canvas: Canvas, x: int, y: int, width: int, rows: TableRows) -> list[ClickTarget]:
    """Write rows of ``width`` columns one below the other; return the regions to click on."""
    for line, row in enumerate(rows, y):
        write_line(canvas, x, line, row.line)
        write_line(canvas, x + width - line_width(row.right), line, row.right)
    return [(Region(x, y + i, width, 1), row.key) for i, row in enumerate(rows) if row.key]
