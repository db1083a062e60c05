"""What each choice is worth, with bars, where the window is large."""

from __future__ import annotations

from collections.abc import Callable

from textual import events
from textual.geometry import Region

from .....tui.draw.bars import draw_bar
from .....tui.draw.canvas import Canvas
from .....tui.draw.styles import line_styles_of
from .....tui.draw.table_rows import ClickTarget, TableRows, write_line, write_rows
from .....tui.widgets.line_widget import CanvasWidget
from ..choice_ev import ChoiceEv

NAME, BAR = 14, 23
"""The columns where the worth and its bar begin."""
COST, WINS, PUSHES, END = 2, 9, 15, 21
"""So many columns behind the bar the other figures begin, and end."""
MARGIN = 6
"""Columns left and right of rows without choices."""
LONG = 18
"""Columns of the longest bar, where there is room."""


class EvBars(CanvasWidget):
    """The choices under each other; without them some rows of words. Clicks are keys."""

    def __init__(self, pressed: Callable[[str], None]) -> None:
        super().__init__()
        self._pressed = pressed
        self._worths: tuple[ChoiceEv, ...] = ()
        self._rows: TableRows = ()
        self._spots: list[ClickTarget] = []
        self._long = LONG

    @property
    def room(self) -> int:
        """The columns of a row."""
        return max(1, self.size.width - 2 * MARGIN)

    def show(self, worths: tuple[ChoiceEv, ...], rows: TableRows) -> None:
        """Show these choices over these rows."""
        if (worths, rows) != (self._worths, self._rows):
            self._worths, self._rows = worths, rows
            self.refresh()

    def _shown(self) -> object:
        return self._worths, self._rows

    def on_click(self, event: events.Click) -> None:
        """Tell which choice was clicked on."""
        for region, key in self._spots:
            if region.contains(event.x, event.y):
                self._pressed(key)

    def _paint(self, canvas: Canvas) -> None:
        self._long = max(4, min(LONG, canvas.width - 4 - BAR - END))
        self._spots, x = [], max(2, (canvas.width - BAR - self._long - END) // 2)
        y = 1
        if self._worths:
            write_line(canvas, x, y, (("WORTH", "gold"), ("         of this bet", "muted")))
            end = x + BAR + self._long
            for column, words in ((COST, "  cost"), (WINS, " wins"), (PUSHES, "pushes")):
                write_line(canvas, end + column, y, ((words, "muted"),))
            for y, worth in enumerate(self._worths, 2):
                self._write(canvas, x, y, worth)
            y += 1
        else:
            x = MARGIN
        write_rows(canvas, x, y, canvas.width - 2 * x, self._rows[: canvas.height - y])

    def _write(self, canvas: Canvas, x: int, y: int, worth: ChoiceEv) -> None:
        if not worth.worth:
            write_line(canvas, x, y, ((f"{worth.key} {worth.name}", "faint"),))
            write_line(canvas, x + NAME + 4, y, ((worth.why, "faint"),))
            return
        tone = "best" if worth.best else ""
        write_line(canvas, x, y, ((worth.key, "gold"), (f" {worth.name}", tone)))
        write_line(canvas, x + NAME, y, ((f"{worth.worth:>8}", tone),))
        self._bar(canvas, x + BAR, y, worth)
        end = x + BAR + self._long
        cost = (f"{worth.cost:>6}", "good" if worth.best else "muted")
        write_line(canvas, end + COST, y, (cost,))
        write_line(canvas, end + WINS, y, ((f"{worth.wins:>5}", "strong"),))
        write_line(canvas, end + PUSHES, y, ((f"{worth.pushes:>6}", "muted"),))
        self._spots.append((Region(x, y, BAR, 1), worth.key))

    def _bar(self, canvas: Canvas, x: int, y: int, worth: ChoiceEv) -> None:
        inks = line_styles_of(canvas.look.palette)
        ink = inks.good if worth.best else inks.faint if worth.share >= 0 else inks.deep
        cells = max(1, round(self._long * abs(worth.share)))
        draw_bar(canvas, x, y, cells, self._long, ink)
