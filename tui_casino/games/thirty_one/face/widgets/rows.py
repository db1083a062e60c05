"""Rows of words in tones, of which all beside the cards is made."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

from rich.style import Style
from textual.geometry import Region

from .....tui.draw.canvas import Canvas
from .....tui.draw.styles import inks_of, softened, style_of
from .....tui.theme.colours import Palette

Line: TypeAlias = tuple[tuple[str, str], ...]
"""Pieces of text, each with its tone: one of :func:`tones`, or nothing for plain text."""


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


def length(line: Line) -> int:
    """Give the columns of a line."""
    return sum(len(text) for text, _ in line)


def width_of(rows: Iterable[Row]) -> int:
    """Give the columns that rows take under each other."""
    return max((row.width for row in rows), default=0)


@lru_cache(maxsize=8)
def tones(palette: Palette) -> Mapping[str, Style]:
    """Give the styles of a palette by what they are for."""
    inks, bold = inks_of(palette), Style(bold=True)
    return MappingProxyType(
        {
            "": inks.text,
            "strong": inks.strong,
            "muted": inks.muted,
            "faint": inks.faint,
            "gold": inks.gold,
            "block": inks.block,
            "good": inks.good,
            "best": inks.good + bold,
            "bad": inks.bad,
            "blue": style_of(palette.blue),
            "rule": inks.faint,
            "deep": softened(palette.bad, palette),
        }
    )


def write(canvas: Canvas, x: int, y: int, line: Line) -> int:
    """Write a line; gives the column behind it."""
    inks = tones(canvas.look.palette)
    for text, tone in line:
        x = canvas.write(x, y, text, inks[tone])
    return x


def write_centred(canvas: Canvas, x: int, y: int, line: Line) -> None:
    """Write a line, the middle of it at a column."""
    write(canvas, x - length(line) // 2, y, line)


def write_rows(canvas: Canvas, x: int, y: int, width: int, rows: Rows) -> list[Spot]:
    """Write rows under each other in so many columns; gives where they can be clicked on."""
    for line, row in enumerate(rows, y):
        write(canvas, x, line, row.line)
        write(canvas, x + width - length(row.right), line, row.right)
    return [(Region(x, y + i, width, 1), row.key) for i, row in enumerate(rows) if row.key]
