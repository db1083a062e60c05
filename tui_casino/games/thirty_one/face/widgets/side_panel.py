"""The side panel: the chart and the rules lab, or the rules and the last rounds."""

from __future__ import annotations

from dataclasses import dataclass

from msgspec import Struct
from textual import events
from textual.geometry import Region
from textual.message import Message

from .....tui.draw.canvas import (
    Canvas,
    ClickTarget,
    TableRows,
    TonedLine,
    line_width,
    write_line,
    write_rows,
)
from .....tui.draw.look import line_styles_of
from .....tui.widgets.line_widget import CanvasWidget
from .chart_view import BROAD, StrategyChart, legend_line, paint_chart
from .lab_view import LabState, paint_lab

LAB_ROWS = 9
"""The rows that the lab needs below the chart."""


class SidePanelContent(Struct, frozen=True):
    """The content: with the trainer, a chart and perhaps the lab; without it, rules and rounds.

    ``keys`` are the keys of the panel, each with its effect.
    """

    chart: StrategyChart | None = None
    lab: LabState | None = None
    rules: TableRows = ()
    rounds: TableRows = ()
    keys: tuple[tuple[str, str], ...] = ()


class ThirtyOneSidePanel(CanvasWidget):
    """Draws the chart and the lab, or the rules and the last rounds, and posts clicks."""

    @dataclass
    class Pressed(Message):
        """A key was clicked."""

        key: str

    @dataclass
    class Switched(Message):
        """An option of the lab was clicked; its index counts from 0."""

        number: int

    def __init__(self) -> None:
        super().__init__()
        self._content = SidePanelContent()
        self._keys: list[ClickTarget] = []
        self._options: list[ClickTarget] = []

    def show(self, content: SidePanelContent) -> None:
        """Show the content."""
        if content != self._content:
            self._content = content
            self.refresh()

    @property
    def has_lab(self) -> bool:
        """Whether there is room for the lab."""
        chart = self._content.chart
        rows = len(chart.labels) if chart else 0
        return bool(rows) and self.size.height >= rows + self._header_rows + 1 + LAB_ROWS

    @property
    def _header_rows(self) -> int:
        return 2 if self.size.width >= BROAD else 1

    def _shown(self) -> object:
        return self._content

    def on_click(self, event: events.Click) -> None:
        """Post a message for the item that was clicked."""
        for region, key in self._keys:
            if region.contains(event.x, event.y):
                self.post_message(self.Pressed(key))
        for region, number in self._options:
            if region.contains(event.x, event.y):
                self.post_message(self.Switched(int(number)))

    def _paint(self, canvas: Canvas) -> None:
        self._keys, self._options = [], []
        chart, lab = self._content.chart, self._content.lab
        width, height = canvas.width, canvas.height
        if chart is None:
            self._paint_without_chart(canvas)
        elif self.has_lab and lab is not None:
            top = int(height >= len(chart.labels) + self._header_rows + 2 + LAB_ROWS)
            rows = len(chart.labels) + self._header_rows
            paint_chart(canvas, Region(0, top, width, rows), chart)
            self._draw_rule(canvas, top + rows)
            y = top + rows + 1
            place = Region(2, y, width - 4, height - y - (height - y > LAB_ROWS))
            self._options = paint_lab(canvas, place, lab)
            if height - y > LAB_ROWS:
                self._write_keys(canvas, height - 1)
        else:
            legend = width < BROAD
            paint_chart(canvas, Region(0, 0, width, height - 1 - legend), chart)
            if legend:
                write_line(canvas, 2, height - 2, legend_line(chart))
            self._write_keys(canvas, height - 1)

    def _paint_without_chart(self, canvas: Canvas) -> None:
        """Write the rules, and below them as many of the last rounds as fit."""
        width, height = canvas.width - 4, canvas.height
        rules, rounds = self._content.rules, self._content.rounds
        write_rows(canvas, 2, 0, width, rules)
        y = len(rules) + 1
        self._draw_rule(canvas, y - 1)
        write_rows(canvas, 2, y, width, rounds[: max(0, height - 1 - y)])
        self._write_keys(canvas, height - 1)

    def _write_keys(self, canvas: Canvas, y: int) -> None:
        x = 2
        chart = self._content.chart
        for key, words in self._content.keys:
            if (
                key == "c"
                and chart is not None
                and chart.fits(canvas.height - self._header_rows - 1)
            ):
                continue
            line: TonedLine = ((key, "gold"), (f" {words}", "muted"))
            if x + line_width(line) > canvas.width:
                return
            self._keys.append((Region(x, y, line_width(line), 1), key))
            x = write_line(canvas, x, y, line) + 2

    def _draw_rule(self, canvas: Canvas, y: int) -> None:
        canvas.write(2, y, "─" * (canvas.width - 4), line_styles_of(canvas.look.palette).faint)
