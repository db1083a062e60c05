"""Find what is wrong with the layout of a screen: text over text, cut figures, empty space."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import _lru_cache_wrapper, cache
from itertools import combinations
from typing import Any
from unittest.mock import patch

from rich.style import Style
from textual.app import App
from textual.geometry import Region

from tests.helpers.arcade_pilot import lines
from tui_casino.tui.draw.canvas import Canvas
from tui_casino.tui.draw.segments import BARE, LineBuilder
from tui_casino.tui.widgets.line_widget import LineWidget, look_of

PART_OF_FIGURE = re.compile(r"(?<![\w.,])\d{1,3}(?:,\d{3})*,\d{1,2}(?![\w,])")
"""A figure whose last digits are missing: ``1,00`` instead of ``1,000``."""
IN_FIGURE = re.compile(r"[\d.,%]")
DRAWING = ("tui_casino.tui", "tui_casino.games")
"""The packages whose cached drawings are drawn again."""


def faults_of(app: App[Any]) -> list[str]:
    """Find text over text and cut figures on the screen as it is now."""
    return [*dict.fromkeys((*_faults_of_drawing(app), *_faults_of_places(app)))]


def is_in_figure(text: str, place: int) -> bool:
    """Return whether a place is between two characters of the same figure."""
    around = text[place - 1 : place + 1] if 0 < place < len(text) else ""
    return bool(around) and all(map(IN_FIGURE.match, around)) and any(map(str.isdigit, around))


# ---- while it is drawn --------------------------------------------------------------------------


def _faults_of_drawing(app: App[Any]) -> Iterator[str]:
    """Draw every visible widget again, and find pieces that cover or cut each other."""
    for drawing in _cached_drawings():
        drawing.cache_clear()
    for widget, (_, clip) in app.screen._compositor.visible_widgets.items():
        if isinstance(widget, LineWidget) and widget.size and clip:
            found: list[str] = []
            with _watched(found):
                for _ in widget._draw(look_of(widget), widget.size):
                    pass
            yield from (f"{type(widget).__name__}: {fault}" for fault in found)


@cache
def _cached_drawings() -> tuple[_lru_cache_wrapper[Any], ...]:
    modules = [module for name, module in sys.modules.items() if name.startswith(DRAWING)]
    return tuple(
        value
        for module in modules
        for value in vars(module).values()
        if isinstance(value, _lru_cache_wrapper) and ".widgets" in value.__module__
    )


@contextmanager
def _watched(found: list[str]) -> Iterator[None]:
    """Watch every line that is built, and every text that is written on a canvas."""
    put, strip, write = LineBuilder.put, LineBuilder.strip, Canvas.write

    def watched_put(line: LineBuilder, column: int, text: str, style: Style = BARE) -> LineBuilder:
        before = line._text
        if column < line.width and before[-1:].strip() and text[:1].strip():
            found.append(f"{text!r} was to be at column {column} of {before!r}")
        return put(line, column, text, style)

    def watched_strip(line: LineBuilder, width: int | None = None) -> Any:
        if width is not None and is_in_figure(line._text, width):
            found.append(f"{line._text!r} is cut at column {width}")
        return strip(line, width)

    def watched_write(canvas: Canvas, x: int, y: int, text: str, style: Style) -> int:
        if 0 <= y < canvas.height:
            row = "".join(canvas._letters[y])
            cells = range(max(0, x), min(canvas.width, x + len(text)))
            if any(row[at].isalnum() and text[at - x] != row[at] for at in cells):
                found.append(f"{text!r} covers {row[cells.start : cells.stop]!r}")
            if is_in_figure(text, -x) or is_in_figure(text, canvas.width - x):
                found.append(f"{text!r} is cut at the edge of a canvas")
        return write(canvas, x, y, text, style)

    with (
        patch.object(LineBuilder, "put", watched_put),
        patch.object(LineBuilder, "strip", watched_strip),
        patch.object(Canvas, "write", watched_write),
    ):
        yield


# ---- as it is on the screen ---------------------------------------------------------------------


def _faults_of_places(app: App[Any]) -> Iterator[str]:
    """Find overlapping widgets, figures cut by a container, and parts of figures."""
    places = {
        widget: (region, seen)
        for widget, (region, clip) in app.screen._compositor.visible_widgets.items()
        if (seen := region.intersection(clip))
        and not any(child.display for child in widget.children)
    }
    text = lines(app)
    for (one, (_, seen)), (other, (_, also)) in combinations(places.items(), 2):
        common = seen.intersection(also)
        if common and _has_text(text, common):
            yield f"{one} and {other} overlap in {common}"
    for widget, (region, seen) in places.items():
        for edge in {seen.x - region.x, seen.right - region.x} - {0, region.width}:
            for strip in widget.render_lines(region.reset_offset):
                if is_in_figure(strip.text, edge):
                    yield f"{type(widget).__name__}: {strip.text.strip()!r} is cut at {edge}"
    for line in _lines_in_front(app, text):
        if match := PART_OF_FIGURE.search(line):
            yield f"{match[0]!r} is part of a figure in {line.strip()!r}"


def _lines_in_front(app: App[Any], text: Sequence[str]) -> Sequence[str]:
    """Return the lines of the window, or those of a screen without a window."""
    regions = [widget.region for widget in app.screen.query(".window")] or [app.screen.region]
    return [text[y][region.x : region.right] for region in regions for y in region.line_range]


def _has_text(text: Sequence[str], region: Region) -> bool:
    return any(text[y][region.x : region.right].strip() for y in region.line_range)


# ---- empty space --------------------------------------------------------------------------------


def largest_blank(text: Sequence[str]) -> Region:
    """Return the largest blank rectangle in lines of equal length."""
    heights, best = [0] * (len(text[0]) + 1), Region()
    for y, line in enumerate(text):
        begun: list[tuple[int, int]] = []  # the column and the height of each rectangle so far
        for x, letter in enumerate(f"{line}."):
            heights[x] = heights[x] + 1 if letter == " " else 0
            start = x
            while begun and begun[-1][1] >= heights[x]:
                start, tall = begun.pop()
                if tall * (x - start) > best.area:
                    best = Region(start, y - tall + 1, x - start, tall)
            if heights[x]:
                begun.append((start, heights[x]))
    return best
