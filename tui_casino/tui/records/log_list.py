"""A list of logs, one line each; as only those in sight are drawn, there may be many."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from ...inputs.errors import printable
from ...records.shelf import Entry
from .own import TITLES, signed

GAP = 2
DAMAGED = "! damaged: "


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its heading, its width, what it says of a log, and the least room it needs.

    A width below 0 aligns to the right.
    """

    heading: str
    width: int
    say: Callable[[Entry], str]
    room: int = 0


def began(entry: Entry) -> str:
    """Say when it began."""
    if not entry.began:
        return "-"
    return f"{datetime.fromtimestamp(entry.began / 1000, UTC):%Y-%m-%d %H:%M}"


def length(entry: Entry) -> str:
    """Say how long it took, in minutes, or in seconds if it was less than one."""
    if entry.length is None:
        return "-"
    minutes = entry.length // 60_000
    return f"{minutes:,} min" if minutes else f"{entry.length // 1000} s"


def result(entry: Entry) -> str:
    """Say what it brought; for practice, or a guest, in brackets."""
    if entry.result is None:
        return "-"
    return signed(entry.result) if entry.player else f"({signed(entry.result)})"


def title(entry: Entry) -> str:
    """Give the name of its game."""
    return TITLES.get(entry.game or "", printable(entry.game or "-"))


def ending(entry: Entry) -> str:
    """Say how it ended."""
    return entry.ending.value if entry.ending else "-"


COLUMNS = (
    Column("began (UTC)", 16, began, 55),
    Column("game", 14, title),
    Column("steps", -7, lambda entry: f"{entry.steps:,}", 64),
    Column("length", -8, length, 74),
    Column("ended", 8, ending),
    Column("result", -11, result),
)
FAULT_AT = 2
"""So many columns stand before what is wrong with a damaged log."""


class LogList(ScrollView, can_focus=True):
    """The list, with a cursor that arrows, page keys and the mouse move; Enter opens."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "open", "Open", key_display="Enter", id="records.open"),
        Binding("up", "move(-1)", "Up", show=False, id="records.up"),
        Binding("down", "move(1)", "Down", show=False, id="records.down"),
        Binding("pageup", "page(-1)", "Page up", show=False, id="records.page-up"),
        Binding("pagedown", "page(1)", "Page down", show=False, id="records.page-down"),
        Binding("home", "first", "First", show=False, id="records.first"),
        Binding("end", "last", "Last", show=False, id="records.last"),
    ]
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "log-list--line",
        "log-list--cursor",
        "log-list--won",
        "log-list--lost",
        "log-list--damaged",
    }

    @dataclass
    class Chosen(Message):
        """A log shall be opened."""

        entry: Entry

    @dataclass
    class Pointed(Message):
        """The cursor is at another log, or at none."""

        entry: Entry | None

    def __init__(self) -> None:
        super().__init__()
        self.entries: Sequence[Entry] = ()
        self.cursor = 0

    @property
    def pointed(self) -> Entry | None:
        """The log at the cursor."""
        return self.entries[self.cursor] if self.entries else None

    def put(self, entries: Sequence[Entry]) -> None:
        """Show other logs; the cursor stays at its log if that is among them."""
        before = self.pointed
        self.entries = entries
        paths = {entry.path: place for place, entry in enumerate(entries)}
        self.cursor = paths.get(before.path, 0) if before else 0
        self.virtual_size = Size(0, len(entries))
        self.refresh()
        self._show_cursor()

    @property
    def columns(self) -> list[Column]:
        """The columns that there is room for."""
        return [column for column in COLUMNS if self.size.width >= column.room]

    @property
    def heading(self) -> str:
        """What stands above the columns."""
        return (" " * GAP).join(_fit(c.heading, c.width) for c in self.columns)

    def render_line(self, y: int) -> Strip:
        """Draw a line."""
        place = self.scroll_offset.y + y
        width = self.size.width
        base = self.get_component_rich_style("log-list--line")
        if place >= len(self.entries):
            return Strip.blank(width, base)
        own = "log-list--cursor" if place == self.cursor else "log-list--line"
        style = self.get_component_rich_style(own)
        segments = [*self._segments(self.entries[place], style, place == self.cursor)]
        return Strip(segments).adjust_cell_length(width, style)

    def _segments(self, entry: Entry, style: Style, pointed: bool) -> Iterator[Segment]:
        damaged = entry.fault is not None
        columns = self.columns
        if damaged:
            shown = [column for column in columns if column in COLUMNS[:FAULT_AT]]
            text = (" " * GAP).join(_fit(column.say(entry), column.width) for column in shown)
            yield Segment(f"{text}{' ' * GAP}", style)
            yield Segment(f"{DAMAGED}{entry.fault}", self._ink("damaged", style, pointed))
            return
        *columns, last = columns
        text = (" " * GAP).join(_fit(column.say(entry), column.width) for column in columns)
        yield Segment(f"{text}{' ' * GAP}", style)
        won = entry.result or 0
        ink = self._ink("won" if won > 0 else "lost", style, pointed) if won else style
        yield Segment(_fit(last.say(entry), last.width), ink)

    def _ink(self, kind: str, style: Style, pointed: bool) -> Style:
        return style if pointed else self.get_component_rich_style(f"log-list--{kind}")

    def _show_cursor(self) -> None:
        self.scroll_to_region(Region(0, self.cursor, 1, 1), animate=False, force=True)
        self.post_message(self.Pointed(self.pointed))

    def _point(self, place: int) -> None:
        before, self.cursor = self.cursor, max(0, min(place, len(self.entries) - 1))
        if self.cursor != before:
            for line in (before, self.cursor):
                self.refresh(Region(0, line - self.scroll_offset.y, self.size.width, 1))
            self._show_cursor()

    def action_move(self, lines: int) -> None:
        """Move the cursor."""
        self._point(self.cursor + lines)

    def action_page(self, pages: int) -> None:
        """Move the cursor by what is in sight."""
        self._point(self.cursor + pages * max(1, self.size.height - 1))

    def action_first(self) -> None:
        """Go to the newest log."""
        self._point(0)

    def action_last(self) -> None:
        """Go to the oldest log."""
        self._point(len(self.entries) - 1)

    def action_open(self) -> None:
        """Open the log at the cursor."""
        if self.pointed is not None:
            self.post_message(self.Chosen(self.pointed))

    def on_click(self, event: events.Click) -> None:
        """Point at a log, or open the one pointed at."""
        place = self.scroll_offset.y + event.y
        if place >= len(self.entries):
            return
        if place == self.cursor:
            self.action_open()
        else:
            self._point(place)


def _fit(text: str, width: int) -> str:
    room = abs(width)
    text = text if len(text) <= room else f"{text[: room - 1]}~"
    return text.rjust(room) if width < 0 else text.ljust(room)
