"""The trainer's list below the table in large windows, or results."""

from __future__ import annotations

from collections.abc import Iterable

from textual.geometry import Size
from textual.strip import Strip

from .....tui.draw.canvas import Canvas, TableRows, write_rows
from .....tui.draw.choice_list import ChoiceList, choice_lines
from .....tui.draw.look import Look
from .....tui.draw.segments import centre_strip
from .....tui.widgets.choice_list import ChoiceListView

MARGIN = 6
"""The margin around the list and the rows of text, in columns."""


class LowerTable(ChoiceListView):
    """The trainer's list, or else rows of text."""

    _rows: TableRows = ()

    @property
    def row_width(self) -> int:
        """The width of a row."""
        return max(1, self.size.width - 2 * MARGIN)

    def show_rows(self, choices: ChoiceList | None, rows: TableRows) -> None:
        """Show the list, or these rows if there is none."""
        if choices is None and rows != self._rows:
            self.refresh()
        self._rows = rows
        self.show(choices)

    def _shown(self) -> object:
        return self.choices or self._rows

    def _draw(self, look: Look, area: Size) -> Iterable[Strip]:
        inner = Size(max(0, area.width - 2 * MARGIN), area.height)
        if self.choices is not None:
            lines = choice_lines(self.choices, inner, look)
            return [centre_strip(line, area.width) for line in lines]
        canvas = Canvas(area.width, area.height, look)
        write_rows(canvas, MARGIN, 1, inner.width, self._rows[: max(0, area.height - 1)])
        return canvas.strips(None)
