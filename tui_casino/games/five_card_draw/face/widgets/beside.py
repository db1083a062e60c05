"""What stands beside one's own cards: a few words, or figures."""

from __future__ import annotations

from collections.abc import Iterable

from .....tui.draw.canvas import Canvas
from .....tui.draw.styles import inks_of
from .....tui.draw.tables import Row, Rows, write_rows
from .....tui.widgets.drawn import CanvasWidget

ROOM = 12
"""Columns of a line."""


class Beside(CanvasWidget):
    """Some rows under a title; without rows nothing at all."""

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self._text: tuple[str, Rows] = "", ()

    def show(self, title: str, rows: Iterable[Row]) -> None:
        """Show this from now on."""
        text = title, tuple(rows)
        if text != self._text:
            self._text = text
            self.refresh()

    def _shown(self) -> object:
        return self._text

    def _paint(self, canvas: Canvas) -> None:
        title, rows = self._text
        if rows:
            left = max(0, (canvas.width - ROOM + 1) // 2)
            canvas.write(left, 2, title, inks_of(canvas.look.palette).gold)
            write_rows(canvas, left, 3, ROOM, rows)
