"""What stands beside one's own cards: a few words, or figures."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from .....tui.draw.canvas import Canvas
from .....tui.draw.glyphs import cut
from .....tui.draw.styles import ink_of, inks_of
from .....tui.widgets.drawn import CanvasWidget

ROOM = 12
"""Columns of a line."""


class Line(NamedTuple):
    """Words, and a figure at the right; the tone is as in a title's notes."""

    words: str
    figure: str = ""
    tone: str = "muted"


class Beside(CanvasWidget):
    """Some lines under a title; without lines nothing at all."""

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self._text: tuple[str, tuple[Line, ...]] = "", ()

    def show(self, title: str, lines: Iterable[Line]) -> None:
        """Show this from now on."""
        text = title, tuple(lines)
        if text != self._text:
            self._text = text
            self.refresh()

    def _shown(self) -> object:
        return self._text

    def _paint(self, canvas: Canvas) -> None:
        title, lines = self._text
        if not lines:
            return
        inks, tier = inks_of(canvas.look.palette), canvas.look.tier
        left = max(0, (canvas.width - ROOM + 1) // 2)
        canvas.write(left, 2, title, inks.gold)
        for row, (words, figure, tone) in enumerate(lines, 3):
            ink = ink_of(inks, tone)
            canvas.write(left, row, cut(words, ROOM - len(figure), tier), ink)
            canvas.write(left + ROOM - len(figure), row, figure, ink)
