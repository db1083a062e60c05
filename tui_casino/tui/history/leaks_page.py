"""The page of leaks: cost over time, totals, and the kinds of mistakes, costliest first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from rich.style import Style
from textual import events
from textual.geometry import Size
from textual.message import Message

from ...teacher.leaks import Leak, TotalCost, Trend, describe_leak
from ...teacher.mistakes import POINTS_UNIT
from ..draw.canvas import Canvas, CanvasRow
from ..draw.glyphs import SIGNS
from ..draw.plots import LEVELS, plot, sparkline
from ..draw.styles import LineStyles, Look, line_styles_of, rule_style, soften_colour, style_of
from ..terminal.detection import GlyphSet
from ..theme.clock import format_time
from ..widgets.line_widget import CanvasWidget
from .player_logs import TITLES

FIGURES = 25
"""Width of the totals next to the graph."""
BESIDE = 72
"""Width from which the totals are next to the graph, and each kind shows its trend."""
LEAST_ROWS = 15
"""Height from which the graph is drawn."""
LOW, FOOT = 3, 3
"""The minimum height of the graph, and the rows below the kinds."""
GAME = 17
BARS = 8
DEAR = 3
"""The number of costliest kinds shown in red."""
LESS_AND_MORE = {Trend.BETTER: ("▼ falling", "good"), Trend.WORSE: ("▲ rising", "bad")}


@dataclass(frozen=True, slots=True)
class LeaksContent:
    """The content of the page: the kinds in order, the index at the cursor, and the totals.

    ``note`` replaces the page if there are no leaks, or reports the progress of the analysis.
    """

    leaks: tuple[Leak, ...] = ()
    at: int = 0
    overall: TotalCost | None = None
    note: str = ""
    now: int = 0


class LeaksLayout(NamedTuple):
    """Rows of the graph, first row of the kinds, number of kinds shown, and the first of them."""

    course: int
    top: int
    shown: int
    first: int


class LeaksPage(CanvasWidget):
    """The page, drawn on one canvas."""

    class Pointed(Message):
        """A kind was clicked on; ``place`` is its index."""

        def __init__(self, place: int) -> None:
            super().__init__()
            self.place = place

    def __init__(self) -> None:
        super().__init__(id="leaks")
        self._content = LeaksContent()

    def put(self, content: LeaksContent) -> None:
        """Show this content."""
        if content != self._content:
            self._content = content
            self.refresh()

    def plan(self, area: Size) -> LeaksLayout:
        """Return the layout; the graph grows with the page."""
        course = max(LOW, area.height // 3) if area.height >= LEAST_ROWS else 0
        top = (course + 2 if course else 0) + 1
        shown = max(1, area.height - top - FOOT)
        count, at = len(self._content.leaks), self._content.at
        first = max(0, min(at - shown // 2, count - shown))
        return LeaksLayout(course, top, min(shown, count), first)

    @property
    def page(self) -> int:
        """The number of kinds shown at a time."""
        return max(1, self.plan(self.size).shown)

    def on_click(self, event: events.Click) -> None:
        """Move the cursor to the kind that was clicked on."""
        plan = self.plan(self.size)
        place = event.y - plan.top
        if 0 <= place < plan.shown:
            self.post_message(self.Pointed(plan.first + place))

    # ---- drawing --------------------------------------------------------------------------

    def _shown(self) -> object:
        return self._content

    def _paint(self, canvas: Canvas) -> None:
        look, content, rows = canvas.look, self._content, canvas.rows()
        inks, plan = line_styles_of(look.palette), self.plan(canvas.size)
        if content.overall is None or not content.leaks:
            for row, text in zip(rows[1:], content.note.split("\n"), strict=False):
                row.put(2, text, inks.muted)
            return
        if plan.course:
            _course(rows[: plan.course + 2], content.overall, content.now, look, inks)
        _heads(rows[plan.top - 1], inks)
        for place in range(plan.first, plan.first + plan.shown):
            row = rows[plan.top + place - plan.first]
            _kind(row, content.leaks[place], place, place == content.at, look, inks)
        foot = rows[-FOOT:]
        first, second = describe_leak(content.leaks[content.at])
        foot[0].put(2, first, inks.strong)
        foot[1].put(2, second, inks.muted)
        _meters(foot[2], content, plan, look, inks)


# ---- graph and totals ---------------------------------------------------------------------------


def _course(
    rows: Sequence[CanvasRow], sums: TotalCost, now: int, look: Look, inks: LineStyles
) -> None:
    """Draw the graph over its axis, the totals next to it, and a rule below."""
    width = rows[0].width
    beside = width >= BESIDE
    room = width - (FIGURES + 4 if beside else 2)
    *drawn, axis, rule = rows
    plain = look.tier is not GlyphSet.UNICODE
    label = "{:.3g}".format
    lines = plot(sums.course, room, len(drawn), plain, label=label, floor=0.0)
    left = 2 + max(len(label(value)) for value in (0.0, max(sums.course))) + 1
    grid = rule_style(look.palette)
    for place, (row, text) in enumerate(zip(drawn, lines, strict=True)):
        figure, curve = text[: left - 2], text[left - 2 :]
        row.put(2, figure, inks.muted)
        ink = style_of(look.palette.gold)
        if place in (0, len(drawn) // 2, len(drawn) - 1):
            row.put(left, "─" * len(curve), grid)
            ink = grid + ink  # as dim as the rule if the terminal's own colours are used
        for start, piece in _pieces(curve):
            row.put(left + start, piece, ink)
    axis.put(left, format_time(sums.started, now), inks.muted)
    axis.put_before(room + 2, format_time(sums.ended, now), inks.muted)
    rule.put(1, "─" * (width - 2), grid)
    if beside:
        figures = _figures(sums, inks)
        for row, (name, figure, ink) in zip(rows, figures, strict=False):
            row.put(width - FIGURES, name, inks.muted)
            row.put_before(width - 1, figure, ink)


def _pieces(text: str) -> Iterator[tuple[int, str]]:
    """Yield the parts of a line that are not blank, with their columns."""
    start = None
    for place, letter in enumerate(f"{text} "):
        blank = letter in (" ", "⠀")
        if blank and start is not None:
            yield start, text[start:place]
            start = None
        elif not blank and start is None:
            start = place


def _figures(sums: TotalCost, inks: LineStyles) -> Iterator[tuple[str, str, Style]]:
    yield "cost", f"{format_cost(sums.rate.cost)} ± {format_cost(sums.rate.error)}", inks.gold
    yield "earlier half", format_cost(sums.earlier.cost), inks.text
    yield "later half", format_cost(sums.later.cost), inks.text
    words, tone = LESS_AND_MORE.get(sums.trend, ("not sure", ""))
    ink = inks.good if tone == "good" else inks.bad if tone else inks.muted
    yield "trend", words, ink
    yield "choices", f"{sums.choices:,}", inks.text
    yield "mistakes", f"{sums.mistakes:,}", inks.text
    if (accuracy := sums.accuracy) is not None:
        yield "accuracy", f"{accuracy:.1%}", inks.strong


# ---- kinds of mistakes --------------------------------------------------------------------------


class _Columns(NamedTuple):
    """The columns at which the figures end, and at which the trend begins, if it is shown."""

    often: int
    cost: int
    error: int
    trend: int | None


def _columns(width: int) -> _Columns:
    trend = width - 1 - BARS if width >= BESIDE else None
    error = width - 2 if trend is None else trend - 2
    return _Columns(error - 15, error - 7, error, trend)


def _heads(row: CanvasRow, inks: LineStyles) -> None:
    columns = _columns(row.width)
    row.put(2, "game", inks.muted)
    row.put(2 + GAME, "mistake", inks.muted)
    row.put_before(columns.often, "count", inks.muted)
    row.put_before(columns.cost, "cost", inks.muted)
    row.put_before(columns.error, "error", inks.muted)
    if columns.trend is not None:
        row.put(columns.trend, "trend", inks.muted)


def _kind(row: CanvasRow, leak: Leak, place: int, lit: bool, look: Look, inks: LineStyles) -> None:
    columns = _columns(row.width)
    if lit:
        row.ground(0, row.width, style_of(look.palette.text, look.palette.panel))
        row.put(0, SIGNS[look.tier]["cursor"], inks.gold)
    title = TITLES.get(leak.game, leak.game)
    title += " pts" if leak.unit == POINTS_UNIT else ""
    row.put(2, title, inks.gold if lit else inks.muted, 2 + GAME - 1)
    end = columns.often - 6
    row.put(2 + GAME, fit_kind_name(leak, end - 2 - GAME), inks.strong if lit else inks.text, end)
    row.put_before(columns.often, f"{leak.count:,}", inks.muted)
    row.put_before(
        columns.cost, format_cost(leak.rate.cost), inks.bad if place < DEAR else inks.text
    )
    row.put_before(
        columns.error, f"±{format_cost(leak.rate.error)}".replace("±0.", "±."), inks.muted
    )
    if columns.trend is not None and any(leak.course):
        tone = {Trend.BETTER: look.palette.good, Trend.WORSE: look.palette.bad}
        colour = soften_colour(tone.get(leak.trend, look.palette.muted), look.palette)
        plain = look.tier is not GlyphSet.UNICODE
        row.put(columns.trend, sparkline(leak.course, BARS, plain, LEVELS), colour)


def format_cost(amount: float) -> str:
    """Format a cost in at most five characters."""
    return f"{amount:.2f}" if amount < 100 else f"{amount:.0f}"


def fit_kind_name(leak: Leak, room: int) -> str:
    """Name a kind within some columns; the position is shortened before the mistake."""
    words = str(leak.kind)
    if len(words) <= room:
        return words
    spot = max(room // 3, room - len(leak.kind.slip) - 3)
    return f"{leak.kind.spot[:spot].rstrip()}…: {leak.kind.slip}"


def _meters(
    row: CanvasRow, content: LeaksContent, plan: LeaksLayout, look: Look, inks: LineStyles
) -> None:
    row.ground(0, row.width, style_of(look.palette.text, look.palette.panel))
    own = [leak for leak in content.leaks if content.overall and leak.unit == content.overall.unit]
    dearest = sorted((leak.rate.cost * leak.rounds for leak in own), reverse=True)
    figures = [("KINDS", f"{len(content.leaks)}", inks.gold), ("SHOWN", f"{plan.shown}", inks.text)]
    if len(dearest) > DEAR:
        share = sum(dearest[:DEAR]) / sum(dearest)
        figures.append(("TOP THREE COST", f"{share:.0%}", inks.bad))
    if content.overall is not None:
        figures.append(("ROUNDS", f"{content.overall.rounds:,}", inks.text))
    if content.note:
        figures = [(content.note.partition("\n")[0], "", inks.text)]
    wide = sum(len(name) + len(figure) + 4 for name, figure, _ in figures) - 3
    while len(figures) > 1 and wide > row.width - 2:
        name, figure, _ = figures.pop()
        wide -= len(name) + len(figure) + 4
    x = max(1, (row.width - wide) // 2)
    for name, figure, ink in figures:
        x = row.put(x, name, inks.muted) + 1
        x = row.put(x, figure, ink) + 3
