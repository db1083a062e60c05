"""The leaks page: cost over time, totals, and the kinds of mistakes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from msgspec import Struct
from rich.style import Style
from textual.geometry import Size

from ...gamekit.registry import TITLES
from ...records.clock import format_time
from ...teacher.leaks import Leak, Strength, TotalCost, Trend, describe_leak
from ...teacher.mistakes import POINTS_UNIT
from ...teacher.session_report import cost_rows, format_cost, leak_figures
from ..draw.canvas import Canvas, CanvasRow
from ..draw.look import LineStyles, Look, graph_style, line_styles_of, rule_style, style_of
from ..draw.plots import LEVELS, plot, sparkline
from ..draw.text import fit_names
from ..terminal.detection import GlyphSet
from ..widgets.line_widget import CanvasWidget
from ..widgets.lists import CursorList, mark_cursor
from ..widgets.text_blocks import wrap_text

FIGURES = 25
"""The width of the totals next to the graph."""
BESIDE = 72
"""The minimum width for totals next to the graph, and for the game and a trend on each line."""
WIDE = 100
"""The minimum width for the long trends, and for costs relative to what a strong player loses."""
LEAST_ERROR = 50
"""The minimum width for the errors of the costs."""
LEAST_ROWS = 15
"""The minimum height of the page at which the graph is drawn."""
LEAST_FOOT = 10
"""The minimum height of the page at which all sentences describe the leak at the cursor."""
LOW = 3
"""The minimum height of the graph."""
GAME = 15
BARS = 8
COUNT, COST, ERROR, STRONG = 6, 6, 7, 9
"""The widths of the columns, with a blank."""
DEAR = 3
"""The number of costliest kinds shown in red."""
TREND_SIGNS = {Trend.BETTER: ("▼ ", "good"), Trend.WORSE: ("▲ ", "bad")}


class LeaksContent(Struct, frozen=True):
    """The content of the page: the kinds in order, and the totals.

    ``note`` replaces the page if there are no leaks, or reports the progress of the analysis.
    ``habits`` tells that habits are listed, not the kinds of one habit. ``strength`` is given if
    the sessions are of one game.
    """

    leaks: tuple[Leak, ...] = ()
    overall: TotalCost | None = None
    note: str = ""
    now: int = 0
    habits: bool = True
    strength: Strength | None = None


class LeaksLayout(NamedTuple):
    """The layout: graph rows, first row of the list, its kinds in view, rows below."""

    course: int
    top: int
    in_view: range
    foot: int


class LeaksPage(CursorList[Leak], CanvasWidget):
    """The leaks page, drawn on one canvas."""

    def __init__(self) -> None:
        super().__init__(id="leaks")
        self._content = LeaksContent()

    def put(self, content: LeaksContent) -> None:
        if content != self._content:
            self._content, self.rows = content, content.leaks
            self.refresh()

    def plan(self, area: Size) -> LeaksLayout:
        """Return the layout; the graph grows with the page."""
        course = max(LOW, area.height // 3) if area.height >= LEAST_ROWS else 0
        top = (course + 2 if course else 0) + 1
        foot = (4 if area.width >= BESIDE else 5) if area.height >= LEAST_FOOT else 3
        in_view = self.visible_rows(max(1, area.height - top - foot))
        return LeaksLayout(course, top, in_view, foot)

    @property
    def page_rows(self) -> int:
        return max(1, len(self.plan(self.size).in_view))

    def place_at(self, y: int) -> int | None:
        plan = self.plan(self.size)
        return plan.in_view[y - plan.top] if 0 <= y - plan.top < len(plan.in_view) else None

    # ---- drawing --------------------------------------------------------------------------

    def _shown(self) -> object:
        return self._content, self.at

    def _paint(self, canvas: Canvas) -> None:
        look, content, rows = canvas.look, self._content, canvas.rows()
        inks, plan = line_styles_of(look.palette), self.plan(canvas.size)
        if content.overall is None or not content.leaks:
            for row, text in zip(rows[1:], content.note.split("\n"), strict=False):
                row.put(2, text, inks.muted)
            return
        if plan.course:
            _course(rows[: plan.course + 2], content, content.overall, look, inks)
        columns = _columns(canvas.size.width, with_game=content.habits)
        full_names = [*map(_name, content.leaks)]
        names = fit_names(full_names, columns.name_end - columns.name)
        _heads(rows[plan.top - 1], columns, content, inks)
        for row, place in zip(rows[plan.top :], plan.in_view, strict=False):
            lit = place == self.at
            _kind(row, columns, content.leaks[place], names[place], place, lit, look, inks)
        is_cut = names[self.at] != full_names[self.at]
        _foot(rows[-plan.foot : -1], content.leaks[self.at], is_cut=is_cut, inks=inks)
        _meters(rows[-1], content, plan, columns, look, content.leaks[self.at])


# ---- graph and totals ---------------------------------------------------------------------------


def _course(
    rows: Sequence[CanvasRow], content: LeaksContent, sums: TotalCost, look: Look, inks: LineStyles
) -> None:
    """Draw the graph with its axis, the totals next to it, and a rule below."""
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
    axis.put(left, format_time(sums.started, content.now), inks.muted)
    axis.put_before(room + 2, format_time(sums.ended, content.now), inks.muted)
    rule.put(1, "─" * (width - 2), grid)
    if beside:
        total, *others = _figures(sums, inks)
        figures = (total, *_strength(content.strength, inks), *others)
        for row, (name, figure, ink) in zip(rows[:-1], figures, strict=False):
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
    sign, tone = TREND_SIGNS.get(sums.trend, ("", "muted"))
    styles = {
        "trend": inks.style(tone),
        "accuracy": inks.strong,
    }
    for place, row in enumerate(cost_rows(sums)):
        figure = f"{sign}{row.value}" if row.name == "trend" else row.value
        yield row.name, figure, styles.get(row.name, inks.text) if place else inks.gold


def _strength(strength: Strength | None, inks: LineStyles) -> Iterator[tuple[str, str, Style]]:
    if strength is not None:
        rate = strength.rate
        yield "100 choices", f"{format_cost(rate.cost)} ± {format_cost(rate.error)}", inks.gold
        yield from (("", phrase, inks.text) for phrase in strength.place)


# ---- kinds of mistakes --------------------------------------------------------------------------


class _Columns(NamedTuple):
    """The columns of a row: where texts begin, and before which column figures end.

    Figures that do not fit are ``None``.
    """

    game: int | None
    name: int
    name_end: int
    often: int | None
    cost: int
    error: int | None
    strong: int | None
    trend: int | None
    bars: int


def _columns(width: int, *, with_game: bool) -> _Columns:
    bars = BARS if width >= WIDE else BARS // 2 if width >= BESIDE else 0
    trend, end = (width - 1 - bars, width - 2 - bars) if bars else (None, width - 1)
    strong = error = often = None
    if width >= WIDE:
        strong, end = end, end - STRONG
    if width >= LEAST_ERROR:
        error, end = end, end - ERROR
    cost, end = end, end - COST
    if width >= BESIDE:
        often, end = end, end - COUNT
    game = 2 if with_game and width >= BESIDE else None
    name = 2 if game is None else 2 + GAME
    return _Columns(game, name, end, often, cost, error, strong, trend, bars)


def _heads(row: CanvasRow, columns: _Columns, content: LeaksContent, inks: LineStyles) -> None:
    """Write the headings; that of the cost is its unit."""
    if columns.game is not None:
        row.put(columns.game, "game", inks.muted)
    name, end = "habit" if content.habits else "mistake", columns.cost - len("bets/pts")
    if columns.often is not None:
        row.put_before(columns.often, "count", inks.muted)
        end = columns.often - len("count")
    if columns.name + len(name) < end:
        row.put(columns.name, name, inks.muted)
    points = {leak.unit == POINTS_UNIT for leak in content.leaks}
    if len(points) > 1 and columns.error is not None:
        row.put_before(columns.error, "bets/pts  ±", inks.muted)
    elif len(points) > 1:
        row.put_before(columns.cost, "bets/pts", inks.muted)
    else:
        row.put_before(columns.cost, "pts" if points == {True} else "bets", inks.muted)
        if columns.error is not None:
            row.put_before(columns.error, "error", inks.muted)
    if columns.strong is not None:
        row.put_before(columns.strong, "× strong", inks.muted)
    if columns.trend is not None and columns.bars == BARS:
        row.put(columns.trend, "trend", inks.muted)


def _kind(
    row: CanvasRow,
    columns: _Columns,
    leak: Leak,
    name: str,
    place: int,
    lit: bool,
    look: Look,
    inks: LineStyles,
) -> None:
    if lit:
        mark_cursor(row, 0, row.width, look)
    if columns.game is not None:
        row.put(columns.game, _game(leak), inks.gold if lit else inks.muted, columns.name - 1)
    row.put(columns.name, name, inks.strong if lit else inks.text, columns.name_end)
    figures = leak_figures(leak)
    if columns.often is not None:
        row.put_before(columns.often, figures.mistakes, inks.muted)
    row.put_before(columns.cost, figures.cost, inks.bad if place < DEAR else inks.text)
    if columns.error is not None:
        row.put_before(columns.error, f"±{figures.error}", inks.muted)
    if columns.strong is not None:
        row.put_before(columns.strong, figures.relative, inks.text)
    if columns.trend is not None and any(leak.course):
        tone = {Trend.BETTER: look.palette.good, Trend.WORSE: look.palette.bad}
        colour = graph_style(tone.get(leak.trend, look.palette.muted), look.palette, lit=lit)
        plain = look.tier is not GlyphSet.UNICODE
        row.put(columns.trend, sparkline(leak.course, columns.bars, plain, LEVELS), colour)


def _game(leak: Leak) -> str:
    return f"{TITLES.get(leak.game, leak.game)}{' pts' if leak.unit == POINTS_UNIT else ''}"


def _name(leak: Leak) -> str:
    return leak.kind.label if leak.kind.slip else leak.habit


def _foot(rows: Sequence[CanvasRow], leak: Leak, *, is_cut: bool, inks: LineStyles) -> None:
    """Write the sentences about a leak, after its name if that was shortened in the list."""
    often, costs = describe_leak(leak)
    name = _name(leak)
    texts = [(f"{name[:1].upper()}{name[1:]}", inks.text)] if is_cut else []
    texts += [(often, inks.strong), (costs, inks.muted)]
    lines = [(line, ink) for text, ink in texts for line in wrap_text(text, rows[0].width - 2)]
    for row, (line, ink) in zip(rows, lines, strict=False):
        row.put(2, line, ink)


def _is_relative(leaks: Sequence[Leak]) -> bool:
    """Return whether leaks of several games are ordered by multiples of a strong player's loss."""
    costs = [leak.relative.cost for leak in leaks]
    return len({leak.game for leak in leaks}) > 1 and costs == sorted(costs, reverse=True)


def _meters(
    row: CanvasRow,
    content: LeaksContent,
    plan: LeaksLayout,
    columns: _Columns,
    look: Look,
    pointed: Leak,
) -> None:
    inks = line_styles_of(look.palette)
    row.ground(0, row.width, style_of(look.palette.text, look.palette.panel))
    own = [leak for leak in content.leaks if content.overall and leak.unit == content.overall.unit]
    dearest = sorted((leak.rate.cost * leak.rounds for leak in own), reverse=True)
    figures = [
        ("HABITS" if content.habits else "KINDS", f"{len(content.leaks)}", inks.gold),
        ("SHOWN", f"{len(plan.in_view)}", inks.text),
    ]
    if columns.strong is None and _is_relative(content.leaks):
        figures.insert(1, ("ORDER", "× strong play", inks.text))
    if content.strength is not None and not (plan.course and row.width >= BESIDE):
        cost = format_cost(content.strength.rate.cost)
        figures.insert(1, ("PER 100 CHOICES", cost, inks.gold))
    if columns.game is None:
        figures.insert(0, (_game(pointed).upper(), "", inks.gold))
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
