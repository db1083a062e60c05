"""A canvas of cells for pieces of text and finished strips, and table rows as data for it.

A row has toned texts, right-aligned parts, and the key that a click presses.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import TypeAlias

from msgspec import Struct
from rich.segment import Segment
from rich.style import Style
from textual.geometry import Region, Size
from textual.strip import Strip

from .look import Look, line_styles_of
from .segments import BARE, split_cells, text_width, truncate
from .text import transliterate


class Canvas:
    """A grid of cells; each piece of text is drawn over what is already there.

    A piece without a background takes that of the cells it covers. Text beyond the edges is
    cut off.
    """

    def __init__(self, width: int, height: int, look: Look) -> None:
        self.width, self.height, self.look = width, height, look
        self._letters = [[" "] * width for _ in range(height)]
        self._styles = [[BARE] * width for _ in range(height)]
        self._finished: list[Strip] = []

    @property
    def size(self) -> Size:
        """The size in columns and rows."""
        return Size(self.width, self.height)

    def put(self, x: int, y: int, strips: Iterable[Strip]) -> None:
        """Put strips one below the other, the first at this column and row."""
        for line, strip in enumerate(strips, y):
            column = x
            for text, style, _ in strip:
                self._lay(column, line, text, style or BARE)
                column += text_width(text)

    def write(self, x: int, y: int, text: str, style: Style) -> int:
        """Write a text in the terminal's glyphs; return the column after the text."""
        text = transliterate(text, self.look.tier)
        self._lay(x, y, text, style)
        return x + text_width(text)

    def centre(self, x: int, y: int, *pieces: tuple[str, Style]) -> None:
        """Write pieces of text one after the other, centred on a column."""
        x -= sum(text_width(text) for text, _ in pieces) // 2
        for text, style in pieces:
            x = self.write(x, y, text, style)

    def is_blank(self, start: int, end: int, y: int) -> bool:
        """Return whether nothing is written in these columns of a row."""
        return not "".join(self._letters[y][start:end]).strip()

    def strips(self, before: Canvas | None = None) -> list[Strip]:
        """Return the finished lines; lines equal to those of the canvas ``before`` are reused."""
        cached = before._finished if before is not None and before.width == self.width else []
        self._finished = [
            cached[y]
            if before is not None and y < len(cached) and self._line(y) == before._line(y)
            else Strip([*_segments(*self._line(y))], self.width)
            for y in range(self.height)
        ]
        return self._finished

    def rows(self) -> list[CanvasRow]:
        """Return the rows, so that each can be written on its own."""
        return [CanvasRow(self, y) for y in range(self.height)]

    def _line(self, y: int) -> tuple[list[str], list[Style]]:
        return self._letters[y], self._styles[y]

    def _lay(self, x: int, y: int, text: str, style: Style) -> None:
        wide = text_width(text) != len(text)
        cells: Sequence[str] = [*split_cells(text)] if wide else text
        end = x + len(cells)
        if x < 0 or end > self.width:
            cells = cells[max(0, -x) : max(0, self.width - x)]
            x = max(0, x)
            end = x + len(cells)
        if not cells or not 0 <= y < self.height:
            return
        row = self._letters[y]
        if not row[x]:  # half of a wide letter is drawn over
            row[x - 1] = " "
        row[x:end] = cells
        if end < self.width and not row[end]:
            row[end] = " "
        if wide and not row[x]:  # its first half is beyond the left edge
            row[x] = " "
        if wide and text_width(row[end - 1]) > 1:  # its second half is beyond the right edge
            row[end - 1] = " "
        if style.bgcolor is not None:  # a piece with its own background hides the cells below it
            self._styles[y][x:end] = [style] * (end - x)
            return
        styles, ground, over = self._styles[y], BARE, style
        for column in range(x, end):
            if styles[column] is not ground:
                ground = styles[column]
                over = _over(ground, style)
            styles[column] = over


class CanvasRow:
    """A row of a canvas; a piece that does not fit is cut, and marked with an ellipsis."""

    def __init__(self, canvas: Canvas, y: int) -> None:
        self._canvas, self._y = canvas, y

    @property
    def width(self) -> int:
        """The width in columns."""
        return self._canvas.width

    def ground(self, start: int, end: int, style: Style) -> None:
        """Set the background of some columns; call this before anything is written there."""
        self._canvas.write(start, self._y, " " * (end - start), style)

    def put(self, x: int, text: str, style: Style, end: int | None = None) -> int:
        """Write a piece at a column, and cut it before ``end``; return the column after it."""
        limit = self.width if end is None else end
        text = truncate(text, max(0, limit - x), self._canvas.look.tier)
        return self._canvas.write(x, self._y, text, style)

    def put_before(self, end: int, text: str, style: Style) -> int:
        """Write a piece so that it ends before a column; return its first column."""
        start = max(0, end - text_width(text))
        self.put(start, text, style)
        return start

    def join(self, x: int, strip: Strip) -> None:
        """Put a finished piece at a column."""
        self._canvas.put(x, self._y, [strip])


def _segments(letters: Sequence[str], styles: Sequence[Style]) -> Iterator[Segment]:
    start = 0
    for end in range(1, len(styles) + 1):
        if end == len(styles) or styles[end] is not styles[start]:
            yield Segment("".join(letters[start:end]), styles[start])
            start = end


@lru_cache(512)
def _over(ground: Style, style: Style) -> Style:
    """Return the style with the background of the covered cell, if it has none of its own."""
    if style.bgcolor is not None or ground.bgcolor is None:
        return style
    return Style(bgcolor=ground.bgcolor) + style


TonedLine: TypeAlias = tuple[tuple[str, str], ...]
"""Pieces of text, each with its tone: a field of ``LineStyles``, or empty for plain text."""


class TableRow(Struct, frozen=True):
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
