"""The statistics of all recorded sessions, by game and time, for money or free play."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, VerticalScroll
from textual.widgets import Static

from ...engine.money import dollars
from ...gamekit.number_formats import with_minus_signs
from ...gamekit.registry import DEFINITIONS, GAMES, TITLES, listing_of
from ...house.own_sessions import ProgressTicker
from ...inputs.numbers import count_noun, list_words
from ...records.cache import Cache
from ...records.clock import format_time, local_time
from ...records.log_catalog import CatalogEntry
from ...records.session_statistics import (
    COLUMN_WIDTH,
    NAME_WIDTH,
    SittingTotals,
    Statistics,
    TotalsByGame,
    compute_statistics,
    format_trend,
)
from ...records.summaries import ExclusionReason, ReviewedLog, review_logs
from ...teacher.session_report import statistics_rows
from ..desk import ScreenDesk
from ..draw.plots import plot, sparkline
from ..draw.report_style import style_report
from ..draw.text import game_figures, transliterate
from ..modals import TextPage
from ..room import help_binding, leave_binding
from ..table.face import face_of
from ..widgets.key_bar import VERB
from ..widgets.line_widget import look_of
from ..window import open_over
from .sittings_screen import PROGRESS, SittingsScreen

DAY = 86_400_000
TIMES: Mapping[str, int | None] = {"all": None, "today": 0, "7 days": 7, "30 days": 30}
"""The periods up to now, with their lengths in days; ``today`` begins at the local midnight."""
EXPORTS = ("tui-casino-statistics.csv", "tui-casino-statistics.json")
ROWS, MARGIN, WIDEST = 6, 4, 76
LEFT = 64
"""Columns of the left half and the gap after it, if there are two halves."""
HELP = """\
  g             show all games or only one (also left, right)
  t             show all time, today, or the last 7 or 30 days
  k             show play for money or free play
  l             leaks: what each kind of mistake costs
  e             export: CSV and JSON into the current folder
  up, down      scroll (also PgUp, PgDn, Home, End)
  Esc           back to the menu

Only finished sessions count. Expected is the return that the exact odds of your \
bets predict with perfect play, if the game knows them. Deviation is how many \
standard deviations your result is above that, mistakes included; luck is what \
chance alone gave you. Choices are evaluated in {judged}, which takes \
a while the first time. The cost of a mistake is the EV that it lost."""


def period_start(name: str, now: int) -> int | None:
    """Return the start of a period in :data:`TIMES`, in milliseconds; ``None`` for all time."""
    days = TIMES[name]
    if days is None:
        return None
    midnight = local_time(now).replace(hour=0, minute=0, second=0, microsecond=0)
    return now - days * DAY if days else int(midnight.timestamp() * 1000)


class HistoryStatisticsScreen(SittingsScreen):
    """The statistics of the sessions that pass the filters."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("g", "game(1)", "Game", id="statistics.game", group=VERB),
        Binding("t", "time", "Time", id="statistics.time", group=VERB),
        Binding("k", "kind", "Money or free play", id="statistics.kind", group=VERB),
        Binding("e", "export", "Export", id="statistics.export-all", group=VERB),
        Binding(  # these take priority, or the page would scroll
            "right", "game(1)", "Next game", show=False, priority=True, id="statistics.next"
        ),
        Binding(
            "left", "game(-1)", "Previous game", show=False, priority=True, id="statistics.previous"
        ),
        Binding("l", "app.leaks", "Leaks", id="statistics.leaks"),
        help_binding("statistics"),
        leave_binding("statistics", keys="escape,q,f2"),
    ]

    def __init__(self, desk: ScreenDesk) -> None:
        super().__init__(desk, "Statistics", "game(1)")
        self.reviewed: list[ReviewedLog] | None = None
        self.summed: Statistics | None = None
        self.game: str | None = None
        self.time = next(iter(TIMES))
        self.for_money = True

    def compose_content(self) -> ComposeResult:
        with VerticalScroll(id="stats-page"):
            yield Static(id="stats-note", markup=False)
            with Container(id="stats-figures"):
                yield Static(id="stats-sums", markup=False)
                with Container(id="stats-course"):
                    yield Static(id="stats-plot", markup=False)
                    yield Static(id="stats-own", markup=False)

    def on_mount(self) -> None:
        self.query_one("#stats-page").focus()
        self.for_money = self.desk.house.books is not None
        self._show()
        self.begin_reading()

    def on_resize(self) -> None:
        self._show()

    # ---- review ---------------------------------------------------------------------------

    def review_logs_of(
        self, entries: list[CatalogEntry], cache: Cache, still: Callable[[], bool]
    ) -> None:
        """Review the sessions twice: first without their choices, which is fast, then fully."""
        for done, weighs in (("read", False), ("analysed", True)):
            reviewed, speaks = list[ReviewedLog](), ProgressTicker(PROGRESS)
            for each in review_logs(entries, DEFINITIONS, cache, choices=weighs, still=still):
                if not still():
                    return
                reviewed.append(each)
                if speaks():
                    note = f"{done}: {len(reviewed):,} of {count_noun(len(entries), 'session')}"
                    self.app.call_from_thread(self._note, note)
            if still():
                self.app.call_from_thread(self._take, reviewed)

    def _note(self, text: str) -> None:
        for note in self.query("#stats-note").results(Static):  # none after the screen was closed
            note.update(text)

    def _take(self, reviewed: list[ReviewedLog]) -> None:
        self.reviewed = reviewed
        if self.is_attached:
            self._sum_up()

    @work(thread=True, exclusive=True, group="sum")
    def _sum_up(self) -> None:
        begin = period_start(self.time, self.desk.house.clock())
        chosen = [
            each for each in self.reviewed or () if begin is None or each.entry.started >= begin
        ]
        self.app.call_from_thread(self._put, compute_statistics(chosen, DEFINITIONS))

    def _put(self, summed: Statistics) -> None:
        if self.summed is None and not summed.money.overall.sittings:
            self.for_money &= not summed.practice.overall.sittings  # an empty page is useless
        self.summed = summed
        if self.is_attached:
            self._show()

    # ---- content --------------------------------------------------------------------------

    @property
    def book(self) -> TotalsByGame | None:
        """The totals for money or for free play, once they are computed."""
        if self.summed is None:
            return None
        return self.summed.money if self.for_money else self.summed.practice

    def _show(self) -> None:
        self.title_bar.describe(
            TITLES[self.game] if self.game else "all games",
            ("all time" if self.time == "all" else self.time, "muted"),
            ("for money" if self.for_money else "free play", "gold"),
        )
        book = self.book
        if book is None or self.summed is None:
            self._note("reading …")
            return
        figures = book.games.get(self.game) if self.game else book.overall
        count = 0 if figures is None else len(figures.sittings)
        note = "" if count else "No finished session here.\n"
        self._note(note + _omitted_text(self.summed.left_out))
        sums, own, bankroll, tier = "", "", "", look_of(self.title_bar).tier
        if figures is not None and count:
            rows = [*statistics_lines(figures, self.desk.house.clock())]
            title = "POINTS AHEAD" if figures.for_points else "BANKROLL"
            bankroll = "\n".join([title, *self._plot(figures), *self._mistakes(figures)])
            if self.game:
                day = partial(_day, self.desk.house.clock())
                latest = book.eras[self.game][-self._periods :]
                eras = [*format_trend(latest, day, figures.for_points)]
                rows += ["", *map(with_minus_signs, eras)] if eras else []
                report = book.tallies[self.game].report()
                names = face_of(listing_of(self.game)).pages.count_names
                own = "\n".join(_game_rows(TITLES[self.game], report, names))
            sums = "\n".join(rows)
        self.query_one("#stats-sums", Static).update(style_report(transliterate(sums, tier)))
        self.query_one("#stats-own", Static).update(style_report(transliterate(own, tier)))
        self.query_one("#stats-plot", Static).update(style_report(transliterate(bankroll, tier)))

    @property
    def _periods(self) -> int:
        """The number of periods that fit next to each other."""
        columns = LEFT - 2 if self.has_class("-wide") else self.app.size.width - MARGIN
        return max(2, (columns - NAME_WIDTH) // COLUMN_WIDTH)

    @property
    def _plot_width(self) -> int:
        columns = self.app.size.width - MARGIN
        return min(columns - LEFT if self.has_class("-wide") else columns, WIDEST)

    def _plot(self, figures: SittingTotals) -> list[str]:
        width = self._plot_width
        unit = 1 if figures.for_points else 100
        values = [value / unit for value in figures.course(2 * width)]
        plain = self.app.has_class("-ascii") or self.app.has_class("-cp437")
        return plot(values, width, ROWS, plain)

    def _mistakes(self, figures: SittingTotals) -> list[str]:
        """Draw the cost of mistakes per round, by session."""
        expected = zip(figures.sittings, figures.points(), strict=True)
        weighed = [(sat.summary.rounds, at.cost) for sat, at in expected if at.mistakes is not None]
        costs = [float(cost) / rounds for rounds, cost in weighed if rounds]
        if len(costs) < 2:
            return []
        ends = costs[0], costs[-1]
        first, last = (
            f"{cost:.2f}" if figures.for_points else dollars(round(cost)) for cost in ends
        )
        line = sparkline(costs, self._plot_width, self.app.has_class("-ascii"))
        ends_text = f"{first} in the first session, {last} in the last"
        return ["", "COST OF MISTAKES PER ROUND", line, ends_text]

    # ---- keys -----------------------------------------------------------------------------

    def action_game(self, step: int) -> None:
        """Show the next game, or all games."""
        choices = [None, *TITLES]
        self.game = choices[(choices.index(self.game) + step) % len(choices)]
        self._show()

    def action_time(self) -> None:
        names = [*TIMES]
        self.time = names[(names.index(self.time) + 1) % len(names)]
        self._show()
        if self.reviewed is not None:
            self._sum_up()

    def action_kind(self) -> None:
        self.for_money = not self.for_money
        self._show()

    def action_export(self) -> None:
        if self.summed is None:
            self.refuse("e", "the sessions are still being read.")
            return
        self.export({"unit": "cents", **self.summed.report()}, EXPORTS)

    def action_help(self) -> None:
        judged = [game.title for game in GAMES if game.definition().adviser.has_judge]
        open_over(self, TextPage("Statistics", HELP.format(judged=list_words(judged))))


def _omitted_text(omitted: Mapping[ExclusionReason, int]) -> str:
    """Say how many sessions are not counted, and why."""
    counts = {why: number for why, number in omitted.items() if number}
    if not counts:
        return ""
    total = sum(counts.values())
    sessions = f"{count_noun(total, 'session')} {'is' if total == 1 else 'are'}"
    words = {
        why: "not finished" if why is ExclusionReason.NOT_ENDED else why.value for why in counts
    }
    if len(counts) == 1:
        return f"{sessions} {words[next(iter(counts))]} and not counted."
    return f"{sessions} not counted: " + ", ".join(
        f"{number:,} {words[why]}" for why, number in counts.items()
    )


def statistics_lines(figures: SittingTotals, now: int) -> Iterator[str]:
    """Yield the lines about sessions, rounds, money, mistakes and streaks."""
    for place, row in enumerate(statistics_rows(figures, now, TITLES)):
        if row.is_heading:
            yield from ("",) if place else ()
            yield row.name
        else:
            yield _row(*row)


def _game_rows(title: str, report: Mapping[str, Any], names: Mapping[str, str]) -> Iterator[str]:
    """Yield a game's own counts below headings: the game's title, and the names of groups."""
    for group, figures in game_figures(report, names):
        if figures:
            yield (group or title).upper()
            yield from (f"{name:<24}{figure:>12}" for name, figure in figures)
            yield ""


def _day(now: int, at: int) -> str:
    """Format the start of a period in few columns: ``22:26``, ``3 Nov`` or ``Nov 26``."""
    text = format_time(at, now)
    return text if len(text) < COLUMN_WIDTH else f"{local_time(at):%b %y}"


def _row(name: str, value: str, details: str = "") -> str:
    return f"{name:<18}{value:>12}  {details}".rstrip()
