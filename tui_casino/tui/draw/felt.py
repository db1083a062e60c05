"""Draw a table as seen from above.

A table is a superellipse drawn with half blocks, and its rim is one pixel wide. On terminals that
cannot show half blocks, the table is a box of plain lines.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import groupby
from math import pow
from operator import itemgetter
from typing import TypeAlias

from rich.style import Style
from textual.geometry import Region

from ...cards.text_art import FRAMES, CardState
from ..terminal.detection import GlyphSet
from .canvas import Canvas
from .look import Look, style_of

EXPONENT = 4.0
"""The shape of a table: 2 is an ellipse; greater values come closer to a rectangle."""
Pixels: TypeAlias = tuple[str, ...]
"""Rows of pixels, two per line: ``.`` outside, ``#`` on the rim, ``-`` on the felt."""
Piece: TypeAlias = tuple[int, str, Style]
"""The first column of a piece, its text and its style."""


def draw_table(canvas: Canvas, place: Region, exponent: float = EXPONENT) -> None:
    """Draw a table on an empty part of a canvas."""
    for y, pieces in enumerate(
        felt_lines(place.width, place.height, exponent, canvas.look), place.y
    ):
        for x, text, style in pieces:
            canvas.write(place.x + x, y, text, style)


@lru_cache(16)
def felt_lines(
    width: int, height: int, exponent: float, look: Look
) -> tuple[tuple[Piece, ...], ...]:
    """Draw a table as lines of pieces; cells outside the table are left out."""
    rim, inside = style_of(look.palette.rim), style_of(look.palette.text, look.palette.panel)
    edge = style_of(look.palette.rim, look.palette.panel)
    if look.tier is not GlyphSet.UNICODE:
        return tuple(
            tuple(_pieces((letter, inside if letter == " " else edge) for letter in line))
            for line in box_lines(width, height, look.tier)
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
    rows = superellipse_pixels(width, 2 * height, exponent)
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


def superellipse_pixels(width: int, height: int, exponent: float) -> Pixels:
    r"""Return the pixels of a superellipse that fills a box.

    >>> print(*superellipse_pixels(13, 8, 3.0), sep="\n")
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


def box_lines(width: int, height: int, tier: GlyphSet) -> tuple[str, ...]:
    """Return the lines of an empty box."""
    above, middle, _, below = FRAMES[tier][CardState.NORMAL]
    lines = (above, *[middle] * (height - 2), below)
    return tuple((line[0] + line[1] * (width - 2) + line[2])[:width] for line in lines[:height])
