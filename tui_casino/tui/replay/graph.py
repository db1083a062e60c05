"""The graph of a session: a curve, the mistakes below it, and the current step.

The game decides whether the curve is money, a lead in points, or the chance to win.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from typing import Any, ClassVar

from msgspec import Struct
from rich.style import Style
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container
from textual.content import Content
from textual.geometry import Size
from textual.strip import Strip

from ...gamekit.number_formats import with_minus_signs
from ...records.log_review import LogReview
from ..draw.look import Look, line_styles_of
from ..draw.plots import plot
from ..draw.segments import Piece, join_pieces, justify
from ..terminal.detection import GlyphSet
from ..widgets.line_widget import LineWidget
from ..window import Window

LEAST = 5
"""The minimum rows: the title, two of the plot, the marks, and the labels of both ends."""
SPARE = 1
"""Empty columns to the left of the graph."""
BETWEEN = 5
"""The minimum rows at which a line is drawn midway between the limits."""


class BankrollCurve(Struct, frozen=True):
    """The data of a graph: the seat's ``values`` after some ``steps``, up to the ``last`` step.

    ``ends`` are the least and the greatest possible values, in ``unit``; if they are set, lines are
    drawn there and midway. ``marks`` are the steps of mistakes, in order. ``left`` and ``right``
    label the ends of the axis.
    """

    title: str = ""
    unit: str = ""
    ends: tuple[float, float] | None = None
    steps: tuple[int, ...] = ()
    values: tuple[float, ...] = ()
    last: int = 0
    marks: tuple[int, ...] = ()
    left: str = ""
    right: str = ""

    def format_value(self, value: float) -> str:
        """Format a value for the axis: ``1,003`` or ``66%``."""
        return with_minus_signs(f"{value:,.0f}{self.unit}")

    def value_at(self, step: int) -> float:
        return self.values[max(0, bisect_right(self.steps, step) - 1)]

    @property
    def rules(self) -> tuple[float, ...]:
        """The values at which horizontal lines are drawn, the greatest first."""
        if self.ends is None:
            return ()
        least, greatest = self.ends
        return greatest, (least + greatest) / 2, least


def curve_of(review: LogReview[Any, Any], last: int) -> BankrollCurve:
    """Return the curve of a review, in the unit of its game."""
    measure = review.measure
    if measure is None:
        return BankrollCurve()
    return BankrollCurve(
        measure.title,
        measure.unit,
        measure.ends,
        tuple(review.steps),
        tuple(value / measure.parts for value in review.values),
        last,
        tuple(one.step for one in review.mistakes),
        "start",
        f"step {last:,}",
    )


class ReplayGraph(LineWidget):
    """Draws a curve; ``now`` is the step that the replay shows, or −1 if there is no replay."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._curve, self._now = BankrollCurve(), -1

    def put(self, curve: BankrollCurve, now: int = -1) -> None:
        """Draw this curve, with a cursor at this step."""
        if (curve, now) != (self._curve, self._now):
            self._curve, self._now = curve, now
            self.refresh()

    def _shown(self) -> object:
        return self._curve, self._now

    def _draw(self, look: Look, area: Size) -> Iterable[Strip]:
        curve, tier, inks = self._curve, look.tier, line_styles_of(look.palette)
        width = area.width - SPARE
        rows = area.height - 3
        if not curve.values or rows < 2 or width < 20:
            return
        plotted, left = plot_rows(curve, width, rows, tier)
        room = width - left
        cursor = left + _column(self._now, curve.last, room) if self._now >= 0 else None
        legend: list[Piece] = []
        if curve.marks:
            legend = [("mistakes ", inks.muted), ("▲", inks.bad)]
        if cursor is not None:
            bar = "┃" if tier is GlyphSet.UNICODE else "│"
            legend += [("  now ", inks.muted), (bar, inks.gold)]
        edge = (" " * SPARE, inks.text)
        head: list[Piece] = [edge, (curve.title, inks.gold)]
        if cursor is not None:
            head.append((f"  {curve.format_value(curve.value_at(self._now))}", inks.text))
        yield justify(head, legend, area.width, tier)
        for text in plotted:
            yield join_pieces(
                [edge, *_row(text, left, cursor, inks.muted, inks.gold, tier)], width + 1, tier
            )
        yield join_pieces([edge, (_marks(curve, left, room), inks.bad)], width + SPARE, tier)
        ends = [edge, (" " * left + curve.left, inks.muted)]
        yield justify(ends, [(curve.right, inks.muted)], area.width, tier)


def plot_rows(curve: BankrollCurve, width: int, rows: int, tier: GlyphSet) -> tuple[list[str], int]:
    """Plot a curve; return its lines and the column at which it begins, after the axis labels."""
    fine = 1 if tier is not GlyphSet.UNICODE else 2
    samples = _sampled(curve, max(2, width * fine))
    rules = curve.rules if rows >= BETWEEN else curve.rules[::2]
    low, high = min(*samples, *rules), max(*samples, *rules)
    figures = {0: curve.format_value(high), rows - 1: curve.format_value(low)}
    if len(rules) > 2 and rows % 2:
        figures[rows // 2] = curve.format_value(rules[1])
    left = max(map(len, figures.values())) + 1
    plotted = plot(
        samples,
        width - left,
        rows,
        tier is not GlyphSet.UNICODE,
        figures=False,
        references=[(value, value) for value in rules],
    )
    return [f"{figures.get(n, ''):>{left - 1}} {row}" for n, row in enumerate(plotted)], left


def _sampled(curve: BankrollCurve, count: int) -> list[float]:
    """Return the values at evenly spaced steps from the first to the last."""
    return [curve.value_at(number * curve.last // (count - 1)) for number in range(count)]


def _column(step: int, last: int, room: int) -> int:
    return round(min(step, last) * (room - 1) / last) if last else 0


def _row(
    text: str, left: int, cursor: int | None, figures: Style, ink: Style, tier: GlyphSet
) -> Sequence[Piece]:
    text = text.ljust(left)
    if cursor is None:
        return ((text[:left], figures), (text[left:], ink))
    bar = "┃" if tier is GlyphSet.UNICODE else "│"
    text = text.ljust(cursor + 1)
    return (
        (text[:left], figures),
        (f"{text[left:cursor]}{bar}{text[cursor + 1 :]}", ink),
    )


def _marks(curve: BankrollCurve, left: int, room: int) -> str:
    """Return the line of numbered mistakes; of two that would overlap, only the first is shown."""
    text = ""
    for number, step in enumerate(curve.marks, 1):
        column = left + _column(step, curve.last, room)
        if column >= len(text) + bool(text):
            text = text.ljust(column) + f"▲{number}"
    return text


class CurveWindow(Window[None]):
    """The graph in a window, for when there is no room next to the table."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,enter,space,c", "dismiss", "Close", id="curve.close")
    ]

    def __init__(self) -> None:
        super().__init__(classes="modal")
        self.graph = ReplayGraph(id="curve")

    def compose(self) -> ComposeResult:
        with Container(classes="window -curve") as window:
            window.border_title = Content("Graph of this session")
            yield self.graph
