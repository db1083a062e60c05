"""The list of the history: its rows, their columns, the filter, and the widgets that draw it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from msgspec import Struct
from rich.style import Style
from textual.binding import BindingType
from textual.geometry import Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from ...gamekit.number_formats import signed_money, with_minus_signs, with_sign
from ...gamekit.registry import TITLES, find_listing
from ...house.own_sessions import table_of
from ...inputs.sanitize import printable
from ...records.clock import MINUTE, local_time
from ...records.log_catalog import (
    CASHED_OUT,
    DAILY_DEAL,
    NO_LABEL,
    CatalogEntry,
    LogLabel,
    SittingStatus,
)
from ...records.summaries import SittingSummary
from ...structs import replace
from ..draw.look import LineStyles, Look, line_styles_of, result_tone, style_of
from ..draw.segments import Piece, fitting_start, join_pieces, text_width
from ..widgets.line_widget import ContentWidget, look_of
from ..widgets.lists import CursorList, list_bindings

DAMAGED = "damaged"
STATES = (
    SittingStatus.OPEN.words,
    SittingStatus.IN_PLAY.words,
    SittingStatus.CUT_OFF.words,
    CASHED_OUT,
    DAILY_DEAL,
    SittingStatus.LEFT.words,
    SittingStatus.OVER.words,
    SittingStatus.TAKEN_BACK.words,
    DAMAGED,
)
"""The states of a session, in words."""
WEEK = 7


class LogRow(Struct, frozen=True):
    """A log with the player's label, and with its summary once it has been reviewed.

    ``wrong`` holds the steps of its mistakes, or ``None`` until its choices are evaluated.
    """

    entry: CatalogEntry
    label: LogLabel = NO_LABEL
    summary: SittingSummary | None = None
    wrong: tuple[int, ...] | None = None


def state_of(entry: CatalogEntry) -> str:
    """Return the state of a session in words, or nothing if it is unknown how the session ended."""
    if entry.fault is not None:
        return DAMAGED
    return entry.shown_status


def title(entry: CatalogEntry) -> str:
    """Return the name of the log's game."""
    return TITLES.get(entry.game or "", entry.game or "–")


def start_time(at: int, now: int) -> str:
    """Format the start time of a session, with the weekday or the date if it was not today."""
    if not at:
        return "–"
    moment, today = local_time(at), local_time(now)
    days = (today.date() - moment.date()).days
    if days == 0:
        return f"{moment:%H:%M}"
    if 0 < days < WEEK:
        return f"{moment:%a} {moment.day:>2} {moment:%H:%M}"
    if moment.year == today.year:
        return f"{moment.day:>2} {moment:%b} {moment:%H:%M}"
    return f"{moment.day:>2} {moment:%b} {moment.year}"


def time_played(summary: SittingSummary | None) -> str:
    """Format the time played in minutes, or in seconds if it was less than a minute."""
    if summary is None:
        return ""
    minutes = summary.played // MINUTE
    return f"{minutes:,} min" if minutes else f"{summary.played // 1000} s"


def result(row: LogRow) -> tuple[str, int]:
    """Return a session's net result or score, and a number whose sign selects the colour."""
    entry, summary = row.entry, row.summary
    if summary is not None and summary.score is not None:
        mine, other = summary.score
        return f"{mine}:{other}", mine - other if entry.played_out else 0
    cents = (
        entry.result if entry.result is not None else summary.net if summary is not None else None
    )
    return ("", 0) if cents is None else (signed_money(cents), cents)


def deviation(summary: SittingSummary | None) -> tuple[str, int]:
    """Return the standard deviations above the expected result, and their sign."""
    if summary is None or summary.luck is None:
        return "", 0
    tenths = round(10 * summary.luck)
    return with_sign(tenths, f"{abs(tenths) / 10:.1f}"), tenths


def play(row: LogRow) -> str:
    """Return the result without luck, or an empty text if it is not known."""
    split = None if row.summary is None else row.summary.split
    return "" if split is None else with_minus_signs(split.amounts[2])


def cost(row: LogRow) -> str:
    """Return the total cost of the mistakes, or an empty string if there are none."""
    listing, summary = find_listing(row.entry.game), row.summary
    if listing is None or summary is None or not summary.mistakes:
        return ""
    units = summary.cost_in_units(listing.definition().game.unit)
    return listing.definition().format_amount(units)


def is_judged(entry: CatalogEntry) -> bool:
    """Return whether choices can be evaluated in the game of a log."""
    listing = find_listing(entry.game)
    return listing is not None and listing.definition().adviser.has_judge


def mistakes(row: LogRow) -> str:
    """Return the number of mistakes once they are known; a dash if the game has no judge."""
    if row.summary is None:
        return ""
    if row.summary.mistakes is not None:
        return f"{row.summary.mistakes:,}"
    return "" if is_judged(row.entry) else "–"


def seed(entry: CatalogEntry) -> str:
    """Return the first digits of the shuffle's seed, or a note that the seed is still secret."""
    if entry.source is None:
        return ""
    if entry.source.kind != "committed":
        return f"s {printable(entry.source.value)}"
    return "secret" if entry.seed is None else entry.seed[:4]


def search_text(row: LogRow) -> str:
    """Return all texts by which a row can be found, in lower case."""
    entry = row.entry
    parts = (title(entry), table_of(entry), row.label.name, state_of(entry), seed(entry))
    return " ".join((*parts, entry.path.stem, entry.seed or "")).casefold()


Say = Callable[[LogRow, int], tuple[str, int]]


class LogColumn(Struct, frozen=True):
    """A column: its heading, its width (negative if right-aligned), and the text for a row.

    ``say`` takes the row and the current time in milliseconds. It returns the text and a number,
    above 0 if the text is good and below 0 if it is bad. Columns with a greater ``rank`` are left
    out first if space is short.
    """

    heading: str
    width: int
    say: Say
    rank: int


def _plain(say: Callable[[LogRow], str]) -> Say:
    return lambda row, now: (say(row), 0)


TABLE = "table and opponent"
LEAST_TABLE = 20
COLUMNS: Sequence[LogColumn] = (
    LogColumn("★", 1, _plain(lambda row: "★" if row.label.star else ""), 5),
    LogColumn("began", 12, lambda row, now: (start_time(row.entry.started, now), 0), 3),
    LogColumn("game", 14, _plain(lambda row: title(row.entry)), 0),
    LogColumn(TABLE, LEAST_TABLE, _plain(lambda row: row.label.name or table_of(row.entry)), 4),
    LogColumn("result", -10, lambda row, now: result(row), 1),
    LogColumn(
        "rounds", -6, _plain(lambda row: f"{row.summary.rounds:,}" if row.summary else ""), 7
    ),
    LogColumn("mistakes", -8, _plain(mistakes), 6),
    LogColumn("cost", -7, _plain(cost), 8),
    LogColumn("dev.", -5, lambda row, now: deviation(row.summary), 9),
    LogColumn("your play", -10, _plain(play), 11),
    LogColumn("seed", 8, _plain(lambda row: seed(row.entry)), 10),
    LogColumn("state", -13, _plain(lambda row: state_of(row.entry)), 2),
)
GAP = 2


def fitting_columns(width: int) -> list[LogColumn]:
    """Return the columns that fit, in order; the table's column takes the remaining width."""
    columns: list[LogColumn] = []
    room = width
    for column in sorted(COLUMNS, key=lambda column: column.rank):
        room -= abs(column.width) + GAP * bool(columns)
        if room < 0:
            break
        columns.append(column)
    spare = width - sum(abs(c.width) for c in columns) - GAP * (len(columns) - 1)
    return [
        LogColumn(c.heading, c.width + spare, c.say, c.rank) if c.heading == TABLE else c
        for c in COLUMNS
        if c in columns
    ]


ALL = "all"


def _by_mistakes(row: LogRow) -> int:
    return -(row.summary.mistakes or 0) if row.summary else 0


ORDERS: Mapping[str, Callable[[LogRow], Any]] = {
    "newest first": lambda row: 0,
    "by result": lambda row: (row.entry.result is None, -(row.entry.result or 0)),
    "by mistakes": _by_mistakes,
    "by length": lambda row: -(row.entry.length or 0),
    "stars first": lambda row: not row.label.star,
    "by game": lambda row: TITLES.get(row.entry.game or "", ""),
}
"""The sort orders of the list; ties are sorted newest first."""


class LogFilter(Struct):
    """Filters logs by game, state and words, and sorts them.

    The player can switch only to games and states that occur in the list.
    """

    game: str | None = None
    state: str = ALL
    order: str = "newest first"
    query: str = ""

    def apply(self, rows: Iterable[LogRow]) -> list[LogRow]:
        """Return the logs that pass the filter, sorted."""
        words = self.query.casefold().split()
        chosen = [row for row in rows if self._matches(row, words)]
        chosen.sort(key=ORDERS[self.order])
        return chosen

    def _matches(self, row: LogRow, words: list[str]) -> bool:
        if self.game not in (None, row.entry.game):
            return False
        if self.state not in (ALL, state_of(row.entry)):
            return False
        return not words or all(map(search_text(row).__contains__, words))

    def clear(self) -> bool:
        """Let every log pass; return whether some did not before."""
        before = (self.game, self.state, self.query)
        self.game, self.state, self.query = every = None, ALL, ""
        return before != every

    def next_game(self, rows: Iterable[LogRow]) -> None:
        """Show only logs of the next game, or of all games again."""
        present = {row.entry.game for row in rows}
        choices = [None, *(slug for slug in TITLES if slug in present)]
        place = choices.index(self.game) if self.game in choices else 0
        self.game = choices[(place + 1) % len(choices)]

    def next_state(self, rows: Iterable[LogRow]) -> None:
        """Show only logs in the next state, or in all states again."""
        present = {state_of(row.entry) for row in rows}
        choices = [ALL, *(state for state in STATES if state in present)]
        place = choices.index(self.state) if self.state in choices else 0
        self.state = choices[(place + 1) % len(choices)]

    def next_order(self) -> None:
        orders = [*ORDERS]
        self.order = orders[(orders.index(self.order) + 1) % len(orders)]


EDGE = 2
"""Columns to the left of a row, for the cursor mark."""
WAITING = SittingStatus.OPEN.words


class LogList(CursorList[LogRow], ScrollView, can_focus=True):
    """The list; ``now`` is the current time."""

    BINDINGS: ClassVar[list[BindingType]] = [*list_bindings("records")]

    @dataclass
    class Pointed(Message):
        """The cursor left its log, or other logs became visible."""

        row: LogRow | None

    def __init__(self) -> None:
        super().__init__()
        self.now = 0

    @property
    def page_rows(self) -> int:
        return max(1, self.size.height - 1)

    @property
    def in_sight(self) -> Sequence[LogRow]:
        top = round(self.scroll_offset.y)
        return self.rows[top : top + max(1, self.size.height)]

    @property
    def below(self) -> int:
        """The number of logs below the visible ones."""
        return max(0, len(self.rows) - round(self.scroll_offset.y) - self.size.height)

    def put(self, rows: Sequence[LogRow]) -> None:
        """Show these logs; the cursor stays on its log if that log is among them."""
        before = self.pointed
        self.rows = rows
        places = {row.entry.path: place for place, row in enumerate(rows)}
        self.at = places.get(before.entry.path, 0) if before else 0
        self.virtual_size = Size(0, len(rows))
        self.refresh()
        self._show_cursor()

    def put_again(self, rows: Sequence[LogRow]) -> None:
        """Update the details of the same logs; unchanged lines are not redrawn."""
        before, self.rows = self.rows, rows
        top = round(self.scroll_offset.y)
        for y in range(self.size.height):
            place = top + y
            if place < len(rows) and rows[place] != before[place]:
                self.refresh(Region(0, y, self.size.width, 1))

    @property
    def columns(self) -> list[LogColumn]:
        return fitting_columns(self.size.width - EDGE - 1)

    @property
    def heading(self) -> str:
        """The line of headings above the columns."""
        headings = (" " * GAP).join(_fit(c.heading, c.width) for c in self.columns)
        return " " * EDGE + headings

    # ---- drawing --------------------------------------------------------------------------

    def render_line(self, y: int) -> Strip:
        look = look_of(self)
        place, width = round(self.scroll_offset.y) + y, self.size.width
        inks, palette = line_styles_of(look.palette), look.palette
        ground = style_of(palette.text, palette.bg)
        if place >= len(self.rows):
            return Strip.blank(width, ground)
        pointed = place == self.at
        if pointed:
            ground = style_of(palette.text, palette.panel) + Style(bold=True)
        pieces = [("▌ " if pointed else "  ", inks.gold)]
        pieces += self._pieces(self.rows[place], inks, pointed)
        strip = join_pieces(pieces, width - 1, look.tier)
        return strip.adjust_cell_length(width, Style.null()).apply_style(ground)

    def _pieces(self, row: LogRow, inks: LineStyles, pointed: bool) -> list[Piece]:
        columns = self.columns
        fault = row.entry.fault
        if fault is not None:
            columns = columns[: next((n for n, c in enumerate(columns) if c.width < 0), 0)]
            columns = [_narrow(column) for column in columns]
        pieces: list[Piece] = []
        for column in columns:
            text, tone = column.say(row, self.now)
            ink = inks.style(result_tone(tone)) if tone else _ink(column, text, inks)
            if pointed and column.heading == "game":
                ink = inks.gold
            if column.heading == "state" and text == WAITING:
                text = f"● {text}"
            pieces += [(" " * GAP * bool(pieces), inks.text), (_fit(text, column.width), ink)]
        if fault is not None:
            pieces.append((f"{' ' * GAP}✗ {DAMAGED}: {fault}", inks.bad))
        return pieces

    # ---- the cursor -----------------------------------------------------------------------

    def _show_cursor(self) -> None:
        self.scroll_to_region(Region(0, self.at, 1, 1), animate=False, force=True)
        self.post_message(self.Pointed(self.pointed))

    def show_cursor(self, before: int) -> None:
        top = round(self.scroll_offset.y)
        for changed in (before, self.at):
            self.refresh(Region(0, changed - top, self.size.width, 1))
        self._show_cursor()

    def place_at(self, y: int) -> int | None:
        place = round(self.scroll_offset.y) + y
        return place if place < len(self.rows) else None


class LogListHeadings(ContentWidget[str]):
    """The headings of the columns."""

    def __init__(self) -> None:
        super().__init__("", id="records-heading")

    def _draw(self, look: Look, area: Size) -> Iterable[Strip]:
        muted = line_styles_of(look.palette).muted
        yield join_pieces([(self.content, muted)], area.width, look.tier)


class LogListFooter(ContentWidget[int]):
    """The number of logs below the visible ones, and a rule."""

    def __init__(self) -> None:
        super().__init__(0, id="records-below")

    def _draw(self, look: Look, area: Size) -> Iterable[Strip]:
        inks = line_styles_of(look.palette)
        text = f"  {self.content:,} more below " if self.content else " "
        rule = "─" * max(0, area.width - len(text) - 1)
        yield join_pieces([(text, inks.muted), (rule, inks.faint)], area.width, look.tier)


def _ink(column: LogColumn, text: str, inks: LineStyles) -> Style:
    """Return the style of a column; columns that distinguish games are more prominent."""
    match column.heading:
        case "★":
            return inks.gold
        case "state":
            return inks.gold if text == WAITING else inks.muted
        case "game" | "result" | "rounds" | "mistakes":
            return inks.text
    return inks.muted


def _narrow(column: LogColumn) -> LogColumn:
    """Make the table's column narrow, because the description of a damaged log needs the space."""
    return replace(column, width=LEAST_TABLE) if column.heading == TABLE else column


def _fit(text: str, width: int) -> str:
    room = abs(width)
    text = text if text_width(text) <= room else f"{fitting_start(text, room - 1)}…"
    blank = " " * (room - text_width(text))
    return blank + text if width < 0 else text + blank
