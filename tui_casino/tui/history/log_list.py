"""The list of logs, with headings above and a count below; only visible rows are drawn."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from ...records.log_catalog import SittingStatus
from ...structs import replace
from ..draw.look import LineStyles, Look, line_styles_of, style_of
from ..draw.segments import Piece, fitting_start, join_pieces, text_width
from ..widgets.line_widget import LineWidget, look_of
from .columns import DAMAGED, GAP, LEAST_TABLE, TABLE, LogColumn, LogRow, fitting_columns

EDGE = 2
"""Columns to the left of a row, for the cursor mark."""
WAITING = SittingStatus.OPEN.words


class LogList(ScrollView, can_focus=True):
    """The list, with a cursor that keys and the mouse move; ``now`` is the current time."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "move(-1)", "Up", show=False, id="records.up"),
        Binding("down", "move(1)", "Down", show=False, id="records.down"),
        Binding("pageup", "page(-1)", "Page up", show=False, id="records.page-up"),
        Binding("pagedown", "page(1)", "Page down", show=False, id="records.page-down"),
        Binding("home", "first", "First", show=False, id="records.first"),
        Binding("end", "last", "Last", show=False, id="records.last"),
    ]

    @dataclass
    class Chosen(Message):
        """The player has asked to open a log."""

        row: LogRow

    @dataclass
    class Pointed(Message):
        """The cursor left its log, or other logs became visible."""

        row: LogRow | None

    def __init__(self) -> None:
        super().__init__()
        self.rows: Sequence[LogRow] = ()
        self.cursor = 0
        self.now = 0

    @property
    def pointed(self) -> LogRow | None:
        """The log at the cursor."""
        return self.rows[self.cursor] if self.rows else None

    @property
    def in_sight(self) -> Sequence[LogRow]:
        """The logs visible now."""
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
        self.cursor = places.get(before.entry.path, 0) if before else 0
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
        """The columns that fit."""
        return fitting_columns(self.size.width - EDGE - 1)

    @property
    def heading(self) -> str:
        """The line of headings above the columns."""
        headings = (" " * GAP).join(_fit(c.heading, c.width) for c in self.columns)
        return " " * EDGE + headings

    # ---- drawing --------------------------------------------------------------------------

    def render_line(self, y: int) -> Strip:
        """Draw one line."""
        look = look_of(self)
        place, width = round(self.scroll_offset.y) + y, self.size.width
        inks, palette = line_styles_of(look.palette), look.palette
        ground = style_of(palette.text, palette.bg)
        if place >= len(self.rows):
            return Strip.blank(width, ground)
        pointed = place == self.cursor
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
            ink = inks.good if tone > 0 else inks.bad if tone < 0 else _ink(column, text, inks)
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
        self.scroll_to_region(Region(0, self.cursor, 1, 1), animate=False, force=True)
        self.post_message(self.Pointed(self.pointed))

    def _point(self, place: int) -> None:
        before, self.cursor = self.cursor, max(0, min(place, len(self.rows) - 1))
        if self.cursor != before:
            top = round(self.scroll_offset.y)
            for changed in (before, self.cursor):
                self.refresh(Region(0, changed - top, self.size.width, 1))
            self._show_cursor()

    def action_move(self, lines: int) -> None:
        """Move the cursor."""
        self._point(self.cursor + lines)

    def action_page(self, pages: int) -> None:
        """Move the cursor by a page."""
        self._point(self.cursor + pages * max(1, self.size.height - 1))

    def action_first(self) -> None:
        """Move the cursor to the first log."""
        self._point(0)

    def action_last(self) -> None:
        """Move the cursor to the last log."""
        self._point(len(self.rows) - 1)

    def on_click(self, event: events.Click) -> None:
        """Move the cursor to a log, or open the log if the cursor is already there."""
        place = round(self.scroll_offset.y) + event.y
        if place >= len(self.rows):
            return
        if place == self.cursor:
            self.post_message(self.Chosen(self.rows[place]))
        else:
            self._point(place)


class LogListHeadings(LineWidget):
    """The headings of the columns."""

    def __init__(self) -> None:
        super().__init__(id="records-heading")
        self._text = ""

    def put(self, text: str) -> None:
        """Show this text."""
        if text != self._text:
            self._text = text
            self.refresh()

    def _shown(self) -> object:
        return self._text

    def _draw(self, look: Look, area: Size) -> Iterable[Strip]:
        yield join_pieces([(self._text, line_styles_of(look.palette).muted)], area.width, look.tier)


class LogListFooter(LineWidget):
    """The number of logs below the visible ones, and a rule."""

    def __init__(self) -> None:
        super().__init__(id="records-below")
        self._count = 0

    def put(self, count: int) -> None:
        """Show this number."""
        if count != self._count:
            self._count = count
            self.refresh()

    def _shown(self) -> object:
        return self._count

    def _draw(self, look: Look, area: Size) -> Iterable[Strip]:
        inks = line_styles_of(look.palette)
        text = f"  {self._count:,} more below " if self._count else " "
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
