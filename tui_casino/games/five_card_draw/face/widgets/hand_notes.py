"""Notes next to the player's hand: a few words or figures."""

from __future__ import annotations

from collections.abc import Iterable

from .....tui.draw.canvas import Canvas, TableRow, TableRows, write_rows
from .....tui.draw.look import line_styles_of
from .....tui.widgets.line_widget import CanvasWidget

LINE_WIDTH = 12
"""The width of a line, in columns."""


class HandNotes(CanvasWidget):
    """A title with rows below it; the notes are blank if there are no rows."""

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self._text: tuple[str, TableRows] = "", ()

    def show(self, title: str, rows: Iterable[TableRow]) -> None:
        """Show a title and rows."""
        text = title, tuple(rows)
        if text != self._text:
            self._text = text
            self.refresh()

    def _shown(self) -> object:
        return self._text

    def _paint(self, canvas: Canvas) -> None:
        title, rows = self._text
        if rows:
            left = max(0, (canvas.width - LINE_WIDTH + 1) // 2)
            canvas.write(left, 2, title, line_styles_of(canvas.look.palette).gold)
            write_rows(canvas, left, 3, LINE_WIDTH, rows)
