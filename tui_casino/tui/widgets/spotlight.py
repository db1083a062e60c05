"""The background of a window that dims the screen below, except for one region."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Console, ConsoleOptions, RenderResult
from rich.segment import Segment
from textual.color import Color
from textual.geometry import Region
from textual.renderables.background_screen import BackgroundScreen
from textual.strip import Strip

CLEAR = Color(0, 0, 0, 0)


class Spotlight:
    """A dimmed screen with a ``region`` that keeps its colours."""

    def __init__(self, dimmed: BackgroundScreen, region: Region) -> None:
        self._dimmed, self._region = dimmed, region

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        lit = BackgroundScreen(self._dimmed.screen, CLEAR)
        rows = (self._rows(one, console, options) for one in (self._dimmed, lit))
        left, right = self._region.x, self._region.right
        for y, (dark, light) in enumerate(zip(*rows, strict=True)):
            row = dark
            if self._region.y <= y < self._region.bottom:
                width = dark.cell_length
                parts = dark.crop(0, left), light.crop(left, right), dark.crop(right, width)
                row = Strip.join(parts)
            yield from row
            yield Segment.line()

    @staticmethod
    def _rows(
        background: BackgroundScreen, console: Console, options: ConsoleOptions
    ) -> Iterable[Strip]:
        return (Strip(line) for line in console.render_lines(background, options, pad=False))
