"""The EV of each choice with bars, for large windows."""

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
"""The columns where the EV and its bar begin."""
COST, WINS, PUSHES, END = 2, 9, 15, 21
"""The columns after the bar where the other figures begin, and where they end."""
MARGIN = 6
"""The margin around rows of text without choices, in columns."""
LONG = 18
"""The length of the longest bar, if there is room."""


class EvBars(CanvasWidget):
    """The choices with bars, or else rows of text. A click on a choice works like its key."""

    def __init__(self, pressed: Callable[[str], None]) -> None:
        super().__init__()
        self._press_key = pressed
        self._choices: tuple[ChoiceEv, ...] = ()
        self._rows: TableRows = ()
        self._click_targets: list[ClickTarget] = []
        self._bar_width = LONG

    @property
    def row_width(self) -> int:
        """The width of a row."""
        return max(1, self.size.width - 2 * MARGIN)

    def show(self, choices: tuple[ChoiceEv, ...], rows: TableRows) -> None:
        """Show these choices above these rows."""
        if (choices, rows) != (self._choices, self._rows):
            self._choices, self._rows = choices, rows
            self.refresh()

    def _shown(self) -> object:
        return self._choices, self._rows

    def on_click(self, event: events.Click) -> None:
        """Press the key of the choice that was clicked."""
        for region, key in self._click_targets:
            if region.contains(event.x, event.y):
                self._press_key(key)

    def _paint(self, canvas: Canvas) -> None:
        self._bar_width = max(4, min(LONG, canvas.width - 4 - BAR - END))
        self._click_targets, x = [], max(2, (canvas.width - BAR - self._bar_width - END) // 2)
        y = 1
        if self._choices:
            write_line(canvas, x, y, (("EV", "gold"), ("            in dollars", "muted")))
            end = x + BAR + self._bar_width
            for column, heading in ((COST, "  cost"), (WINS, " wins"), (PUSHES, "pushes")):
                write_line(canvas, end + column, y, ((heading, "muted"),))
            for y, choice in enumerate(self._choices, 2):
                self._write(canvas, x, y, choice)
            y += 1
        else:
            x = MARGIN
        write_rows(canvas, x, y, canvas.width - 2 * x, self._rows[: canvas.height - y])

    def _write(self, canvas: Canvas, x: int, y: int, choice: ChoiceEv) -> None:
        if not choice.value:
            write_line(canvas, x, y, ((f"{choice.key} {choice.name}", "faint"),))
            write_line(canvas, x + NAME + 4, y, ((choice.reason, "faint"),))
            return
        tone = "best" if choice.best else ""
        write_line(canvas, x, y, ((choice.key, "gold"), (f" {choice.name}", tone)))
        write_line(canvas, x + NAME, y, ((f"{choice.value:>8}", tone),))
        self._bar(canvas, x + BAR, y, choice)
        end = x + BAR + self._bar_width
        cost = (f"{choice.cost:>6}", "good" if choice.best else "muted")
        write_line(canvas, end + COST, y, (cost,))
        write_line(canvas, end + WINS, y, ((f"{choice.wins:>5}", "strong"),))
        write_line(canvas, end + PUSHES, y, ((f"{choice.pushes:>6}", "muted"),))
        self._click_targets.append((Region(x, y, BAR, 1), choice.key))

    def _bar(self, canvas: Canvas, x: int, y: int, choice: ChoiceEv) -> None:
        inks = line_styles_of(canvas.look.palette)
        ink = inks.good if choice.best else inks.faint if choice.share >= 0 else inks.deep
        cells = max(1, round(self._bar_width * abs(choice.share)))
        draw_bar(canvas, x, y, cells, self._bar_width, ink)
