r"""Rewrite printed tables as lines for screen readers.

The first line of a block, if it has several cells, contains the headings. Each further line is
printed as the name of its row with "heading: cell" for the other cells:

>>> from io import StringIO
>>> stream = StringIO()
>>> spoken = SpokenTables(stream)
>>> print("Hand     pays   one in\nFLUSH      35    66.57\n\nmean    0.1234567891", file=spoken)
>>> print(stream.getvalue(), end="")
FLUSH, pays: 35, one in: 66.57
<BLANKLINE>
mean: 0.123457
"""

from __future__ import annotations

import re
from io import StringIO
from typing import Any, NamedTuple, TextIO, cast

from ..inputs.sanitize import PrintableStream

_CELL = re.compile(r"\S+(?: \S+)*")
_LONG = re.compile(r"\d+\.\d{7,}")
_RULE = re.compile(r"[-=\u2500]{3,}")
"""A line that separates the headings or the sum from the rows."""
_FIGURE = re.compile(r"[-+]?[\d.,]+%?")
_PAUSE = ", "
INDENTED = 6
"""A line of two cells has headings if it begins to the right of this column."""


class Cell(NamedTuple):
    """A text of a table with its columns."""

    text: str
    start: int
    end: int

    def is_below(self, head: Cell) -> bool:
        """Return whether it is aligned with a heading, at the left or at the right."""
        return self.start == head.start or self.end == head.end


class SpokenTables(PrintableStream):
    """A stream that rewrites tables line by line."""

    def __init__(self, stream: Any) -> None:
        super().__init__(stream)
        self._rest = ""
        self._possible, self._heads = tuple[Cell, ...](), tuple[Cell, ...]()
        self._columns, self._is_ruled = 0, False

    def write(self, text: str) -> int:
        """Write the lines that are complete, except a line that may contain headings."""
        *lines, self._rest = (self._rest + text).split("\n")
        for line in lines:
            self._take(tuple(Cell(one[0], *one.span()) for one in _CELL.finditer(line)))
        return len(text)

    def flush(self) -> None:
        """Write everything that was kept back."""
        self._say(self._possible)
        self._possible = ()
        rest, self._rest = self._rest, ""
        super().write(rest)
        self.stream.flush()

    def _take(self, row: tuple[Cell, ...]) -> None:
        if row and all(_RULE.fullmatch(cell.text) for cell in row):
            self._is_ruled = True
            return
        if self._is_ruled and not any(map(_has_digit, row[1:])):
            self._heads = ()
        self._is_ruled = False
        if self._possible:
            if len(_below(self._possible, row)) > 1:
                self._take_heads(self._possible)
            else:
                self._say(self._possible)
            self._possible = ()
        is_labelled = len(row) == 2 and self._columns > 2  # such as ``Credit  995``
        if not row:
            self._heads = ()
            super().write("\n")
        elif self._heads and not is_labelled and (figures := _below(self._heads, row)):
            name, *rest = (figures.get(cell, cell.text) for cell in row)
            if name.isdigit() and row[0].start == self._heads[0].start:
                name = f"{self._heads[0].text} {name}"
            super().write(_rounded(_PAUSE.join([name, *rest])) + "\n")
        elif _may_be_heads(row):
            self._possible = row
        else:
            self._say(row)

    def _take_heads(self, row: tuple[Cell, ...]) -> None:
        """Say the figures among the headings, as in ``Hands  17  share``; the rest are headings."""
        self._columns = len(row) + (row[0].start > INDENTED)
        figures = tuple(cell for cell in row[1:] if _FIGURE.fullmatch(cell.text))
        if row[0].start < INDENTED and 0 < len(figures) < len(row) - 1:
            self._say((row[0], *figures))
            row = tuple(cell for cell in row if cell not in figures)
        self._heads = row

    def _say(self, row: tuple[Cell, ...]) -> None:
        if row:
            name, *rest = (cell.text for cell in row)
            text = f"{name.removesuffix(':')}: {_PAUSE.join(rest)}" if rest else name
            super().write(_rounded(text) + "\n")


def spoken_stream(stream: TextIO) -> TextIO:
    """Return a stream that rewrites tables for the given one."""
    return cast("TextIO", SpokenTables(stream))


def spoken_table(text: str) -> str:
    r"""Return a text with its tables rewritten.

    >>> print(spoken_table("            wins   edge\nPlayer   44.612%  1.24%"))
    Player, wins: 44.612%, edge: 1.24%
    """
    stream = StringIO()
    tables = SpokenTables(stream)
    tables.write(f"{text}\n")
    tables.flush()
    return stream.getvalue().removesuffix("\n")


def _below(heads: tuple[Cell, ...], row: tuple[Cell, ...]) -> dict[Cell, str]:
    """Return each cell of a row that has a heading, except the first, as "heading: cell"."""
    pairs = ((cell, next(filter(cell.is_below, heads), None)) for cell in row[1:])
    return {
        cell: f"{head.text.replace(':', '')}: {cell.text}"
        for cell, head in pairs
        if head is not None
    }


def _may_be_heads(row: tuple[Cell, ...]) -> bool:
    enough = len(row) > 2 or (len(row) == 2 and row[0].start > INDENTED)
    return enough and all(any(map(str.isalnum, cell.text)) for cell in row)


def _has_digit(cell: Cell) -> bool:
    return any(map(str.isdigit, cell.text))


def _rounded(text: str) -> str:
    return _LONG.sub(lambda one: f"{float(one[0]):.6f}", text)
