"""A table seen from above, and a canvas on which cards and words are put down.

A table is a superellipse of half blocks, one pixel of rim around the felt; where there are no half
blocks to trust it is a box of plain lines.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import groupby
from math import pow
from operator import itemgetter
from typing import TypeAlias

from rich.segment import Segment
from rich.style import Style
from textual.geometry import Region, Size
from textual.strip import Strip

from ...cards.drawings import FRAMES, State
from ..terminal.detection import Tier
from .card_art import Look, style_of
from .drawn import BARE, Drawn
from .hints import spelled

EXPONENT = 4.0
"""How square a table is: 2 is an ellipse, and the more, the nearer to a box."""
Pixels: TypeAlias = tuple[str, ...]
"""Rows of pixels, two of them a line: ``.`` outside, ``#`` on the rim, ``-`` on the felt."""
Piece: TypeAlias = tuple[int, str, Style]
"""A text from a column on, and its style."""


class Canvas:
    """Lines of cells on which pieces are put, each over what lies there already.

    A piece without a ground of its own takes that of what it covers. What reaches beyond the
    edges is cut off.
    """

    def __init__(self, width: int, height: int, look: Look) -> None:
        self.width, self.height, self.look = width, height, look
        self._letters = [[" "] * width for _ in range(height)]
        self._styles = [[BARE] * width for _ in range(height)]
        self._finished: list[Strip] = []

    def put(self, x: int, y: int, strips: Iterable[Strip]) -> None:
        """Put strips under each other, the first at this column and row."""
        for line, strip in enumerate(strips, y):
            column = x
            for text, style, _ in strip:
                self._lay(column, line, text, style or BARE)
                column += len(text)

    def write(self, x: int, y: int, text: str, style: Style) -> int:
        """Write a text in the glyphs of the terminal; gives the column behind it."""
        text = spelled(text, self.look.tier)
        self._lay(x, y, text, style)
        return x + len(text)

    def centre(self, x: int, y: int, *pieces: tuple[str, Style]) -> None:
        """Write pieces of text one after the other, the middle of them at a column."""
        x -= sum(len(text) for text, _ in pieces) // 2
        for text, style in pieces:
            x = self.write(x, y, text, style)

    def table(self, place: Region, exponent: float = EXPONENT) -> None:
        """Put a table there, on bare ground."""
        for y, pieces in enumerate(felt(place.width, place.height, exponent, self.look), place.y):
            for x, text, style in pieces:
                self._lay(place.x + x, y, text, style)

    def strips(self, before: Canvas | None = None) -> list[Strip]:
        """Give the finished lines; those that are as on the canvas ``before``, as it gave them."""
        known = before._finished if before is not None and before.width == self.width else []
        self._finished = [
            known[y]
            if before is not None and y < len(known) and self._line(y) == before._line(y)
            else Strip([*_segments(*self._line(y))], self.width)
            for y in range(self.height)
        ]
        return self._finished

    def _line(self, y: int) -> tuple[list[str], list[Style]]:
        return self._letters[y], self._styles[y]

    def _lay(self, x: int, y: int, text: str, style: Style) -> None:
        start, end = max(0, x), min(x + len(text), self.width)
        if not 0 <= y < self.height or start >= end:
            return
        self._letters[y][start:end] = text[start - x : end - x]
        if style.bgcolor is not None:  # nothing is asked of what lies there
            self._styles[y][start:end] = [style] * (end - start)
            return
        styles, ground, over = self._styles[y], BARE, style
        for column in range(start, end):
            if styles[column] is not ground:
                ground = styles[column]
                over = _over(ground, style)
            styles[column] = over


def _segments(letters: Sequence[str], styles: Sequence[Style]) -> Iterator[Segment]:
    start = 0
    for end in range(1, len(styles) + 1):
        if end == len(styles) or styles[end] is not styles[start]:
            yield Segment("".join(letters[start:end]), styles[start])
            start = end


class Felt(Drawn):
    """A widget that is one canvas; what is on it is painted by a game's own."""

    _canvas: Canvas | None = None

    def _paint(self, canvas: Canvas) -> None:
        """Paint the table and all that is on it and around it."""
        raise NotImplementedError

    def _draw(self, look: Look, area: Size) -> Sequence[Strip]:
        before, self._canvas = self._canvas, Canvas(area.width, area.height, look)
        self._paint(self._canvas)
        return self._canvas.strips(before)


@lru_cache(512)
def _over(ground: Style, style: Style) -> Style:
    """Give a style the ground of what it covers, if it has none."""
    if style.bgcolor is not None or ground.bgcolor is None:
        return style
    return Style(bgcolor=ground.bgcolor) + style


@lru_cache(16)
def felt(width: int, height: int, exponent: float, look: Look) -> tuple[tuple[Piece, ...], ...]:
    """Draw a table, line by line in pieces; what lies outside is left out."""
    rim, inside = style_of(look.palette.rim), style_of(look.palette.text, look.palette.panel)
    edge = style_of(look.palette.rim, look.palette.panel)
    if look.tier is not Tier.UNICODE:
        return tuple(
            tuple(_pieces((letter, inside if letter == " " else edge) for letter in line))
            for line in _box(width, height, look.tier)
        )
    cells = {
        "..": (" ", None),
        "--": (" ", inside),
        "##": ("█", rim),
        "#.": ("▀", rim),
        ".#": ("▄", rim),
        "#-": ("▀", edge),
        "-#": ("▄", edge),
    }
    rows = pixels(width, 2 * height, exponent)
    return tuple(
        tuple(_pieces(cells[above + below] for above, below in zip(*pair, strict=True)))
        for pair in zip(rows[::2], rows[1::2], strict=True)
    )


def _pieces(cells: Iterable[tuple[str, Style | None]]) -> Iterator[Piece]:
    x = 0
    for style, run in groupby(cells, itemgetter(1)):
        text = "".join(letter for letter, _ in run)
        if style is not None:
            yield x, text, style
        x += len(text)


def pixels(width: int, height: int, exponent: float) -> Pixels:
    r"""Give the pixels of a superellipse that fills a box.

    >>> print(*pixels(13, 8, 3.0), sep="\n")
    ..#########..
    .##-------##.
    ##---------##
    #-----------#
    #-----------#
    ##---------##
    .##-------##.
    ..#########..
    """

    def lies_in(x: int, y: int) -> bool:
        across, down = abs(2 * x + 1 - width) / width, abs(2 * y + 1 - height) / height
        return pow(across, exponent) + pow(down, exponent) <= 1

    inside = {(x, y) for y in range(height) for x in range(width) if lies_in(x, y)}

    def pixel(x: int, y: int) -> str:
        if (x, y) not in inside:
            return "."
        around = {(x + dx, y + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)}
        return "-" if around <= inside else "#"

    return tuple("".join(pixel(x, y) for x in range(width)) for y in range(height))


def _box(width: int, height: int, tier: Tier) -> tuple[str, ...]:
    above, middle, _, below = FRAMES[tier][State.NORMAL]
    lines = (above, *[middle] * (height - 2), below)
    return tuple((line[0] + line[1] * (width - 2) + line[2])[:width] for line in lines[:height])
