"""The room of tables with other people: sit down at one, make one, or come by a code."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, ClassVar, NamedTuple

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType

from ..engine.money import dollars
from ..engine.seating import SharedPlay
from ..gamekit.registry import GameListing
from ..house.shared_tables import SharedTablesClient
from ..house.table_clock import clock_text
from ..house.table_list import (
    BLOCK,
    BLOCK_EFFECT,
    BY_CODE,
    EMPTY,
    EVERYBODY,
    NEW_FOR,
    NEW_GAME,
    NOBODY_TO_BLOCK,
    NOT_NOW,
    UNBLOCK,
    YOUR_MOVE,
    ListedTable,
    read_tables,
    shared_games,
)
from ..inputs.errors import BadInput
from ..structs import replace
from .desk import ScreenDesk
from .draw.canvas import Canvas, CanvasRow
from .draw.look import LineStyles, line_styles_of
from .draw.segments import text_width
from .draw.text import capitalize
from .modals import ChoiceDialog, InputDialog
from .room import ListRoom, help_binding, leave_binding
from .theme import sheet
from .widgets.hint_line import HintMessage
from .widgets.key_bar import VERB
from .widgets.line_widget import CanvasWidget
from .widgets.lists import CursorList, list_bindings, mark_cursor
from .widgets.text_blocks import wrap_text
from .window import ask_over

TITLE = "Tables"
HELP = """\
  space         sit down at the table at the cursor, or come back
  n             a new table: its game, its seats, and who may sit down
  c             sit down with the code of a table
  w             watch the table at the cursor, one round late
  b             block somebody at the table at the cursor, or end a block
  up, down      choose a table
  Esc           back to the menu

You play against the same dealer or against each other, for play money. A \
table takes your buy-in (F3) as credit, and returns it when you leave. \
Everybody has some seconds for each choice, and at five-card draw a time bank \
for all choices together; then the table plays on for you. \
At cribbage, a computer can take the other seat if nobody else comes. \
If your connection drops, your seat waits for a while.

A table of cribbage may give you a day for each move. Then your seat waits \
until you come back, and the menu says when it is your move. If you let three \
moves in a row go by, you leave the table. Nobody has to wait there for \
somebody to come: the table stays for a week.

Nobody is helped at a table with others: no advice, no odds, and no choice \
can be taken back. A table that is not open to everybody is listed only for \
its players; its code lets others sit down. Without players a table is closed \
after an hour.

If you block a player, you hear no phrases from them, your tables are closed \
to them, and you do not see theirs in this list."""
REFRESH = 3.0
"""Seconds between two looks at the list."""
GAME, TAKEN, CODE = 3, 8, 8
"""The column of the game, and the widths of the number of seats taken and of the code."""
GAP = "  "
LEAST_NAMES = 14
"""The room for names that no other part of a line may use."""
MOST_WIDE, MOST_TEXT = 120, 90
"""The maximum widths of a line, and of the text about the table at the cursor."""
LEAST = 6
"""The rows that the text leaves to the list, or it is left out."""
NOBODY, NOT_THERE = "nobody yet", "there is no table; n makes one."
OWN, OPEN = "YOUR TABLES", "OPEN"


class TablesRoom(ListRoom[None]):
    """The tables at which the player may sit down; the list follows what others do."""

    HELP_PAGE = "Tables with others", HELP
    CSS_PATH = [sheet("tables"), sheet("practice")]  # noqa: RUF012 - as Textual has it
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space,enter", "sit", "Sit down", id="shared.sit", group=VERB),
        Binding("n", "new", "New table", id="shared.new", group=VERB),
        Binding("c", "code", "By code", id="shared.code", group=VERB),
        Binding("w", "watch", "Watch", id="shared.watch", group=VERB),
        Binding("b", "block", "Block", id="shared.block", group=VERB),
        help_binding("shared"),
        leave_binding("shared"),
        *list_bindings("shared"),
    ]

    def __init__(self, desk: ScreenDesk) -> None:
        super().__init__(TITLE)
        self.desk = desk
        self.page: TablesPage = TablesPage()
        self._reads = self._opens = self._has_failed = False
        self._games: Mapping[GameListing, SharedPlay[Any]] = {}
        self._last = ""  # the code of the table that the player has left

    @property
    def _tables(self) -> SharedTablesClient:
        tables = self.desk.house.shared_tables
        assert tables is not None, "the room opens only on a server"
        return tables

    def compose_content(self) -> ComposeResult:
        yield self.page

    def on_mount(self) -> None:
        super().on_mount()
        self.set_interval(REFRESH, self.refresh_list)
        self.refresh_list()

    def on_screen_resume(self) -> None:
        """Show what has changed while the player was at a table."""
        self.refresh_list()

    # ---- the list -------------------------------------------------------------------------

    @work(group="read")
    async def refresh_list(self) -> None:
        """Read the list, unless that happens already or another screen is in front."""
        if self._reads or not self.is_active:
            return
        self._reads = True
        try:
            tables, notes = await asyncio.to_thread(self._read)
        except (BadInput, OSError) as error:
            self._report(error)
        else:
            if self._has_failed:
                self.hints.show_message(None)
            self._has_failed = False
            self.title_bar.describe("", *notes)
            self.page.show(tables, self._last)
            self._last = ""
            self.refresh_bindings()
            self.hints.refresh_hints()
        finally:
            self._reads = False

    def _read(self) -> tuple[tuple[ListedTable, ...], list[tuple[str, str]]]:
        house, notes = self.desk.house, list[tuple[str, str]]()
        if house.ledger is not None:
            balance = dollars(house.ledger.balance(house.player))
            notes = [(house.display_name, ""), (f"balance {balance}", "gold")]
        self._games = shared_games()
        return read_tables(self._tables, house.clock()), notes

    def _report(self, error: BadInput | OSError) -> None:
        """Show an error of the server, once until it answers again."""
        if not self._has_failed:
            self.hints.show_message(HintMessage("refused", "", f"{error}."))
        self._has_failed = True
        self.page.fail()

    # ---- actions --------------------------------------------------------------------------

    def hint_label(self, action: str) -> str | None:
        """Return how Space is called: a player who sits at the table comes back."""
        table = self.page.pointed
        return "Come back" if action == "sit" and table is not None and table.sits else None

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Grey out the keys for a table at which the player cannot sit down, or not watch."""
        if action == "sit":
            table = self.page.pointed
            return None if table is None or table.refusal else True
        if action == "watch":
            return None if self._no_watching else True
        return True

    def disabled_reason(self, action: str) -> str:
        """Return why the player cannot sit down, or cannot watch."""
        if action == "watch":
            return self._no_watching
        table = self.page.pointed
        return NOT_THERE if table is None else table.refusal

    def on_cursor_list_chosen(self) -> None:
        """Sit down at the table that was clicked twice, or say why not."""
        table = self.page.pointed
        if table is not None and table.refusal:
            self.refuse("space", table.refusal)
        else:
            self.action_sit()

    @work(name="action_sit", group="open")
    async def action_sit(self) -> None:
        """Sit down at the table at the cursor."""
        if (table := self.page.pointed) is not None:
            await self._sit("space", table.code)

    @property
    def _no_watching(self) -> str:
        table = self.page.pointed
        return NOT_THERE if table is None else table.no_watching

    @work(name="action_watch", group="open")
    async def action_watch(self) -> None:
        """Watch the table at the cursor."""
        if (table := self.page.pointed) is not None and self.is_active:
            await self.desk.watch_table(table.code)

    @work(name="action_code", group="open")
    async def action_code(self) -> None:
        """Ask for the code of a table, and sit down there."""
        text = "The four letters and digits of the table's code:"
        if code := await ask_over(self, InputDialog("Sit down by code", text)):
            await self._sit("c", code.upper())

    @work(name="action_new", group="open")
    async def action_new(self) -> None:
        """Ask for a game, its choices and who may sit down; make the table, and sit down there."""
        games = self._games or await asyncio.to_thread(shared_games)
        titles = {listing.slug: listing.title for listing in games}
        game = await ask_over(self, ChoiceDialog(NEW_GAME, titles))
        if game is None:
            return
        options = dict[str, str]()
        play = next(play for listing, play in games.items() if listing.slug == game)
        while (choice := play.next_choice(options)) is not None:
            dialog = ChoiceDialog(choice.question, choice.values, choice.usual)
            if (value := await ask_over(self, dialog)) is None:
                return
            options[choice.name] = value
        who = await ask_over(self, ChoiceDialog(NEW_FOR, {"open": EVERYBODY, "code": BY_CODE}))
        if who is None:
            return
        is_listed = who == "open"
        await self._sit("n", lambda: self._tables.make(game, options, is_listed=is_listed))
        if self._last and not is_listed:
            self.app.notify(f"Others sit down here with the code {self._last}.")

    @work(name="action_block", group="open")
    async def action_block(self) -> None:
        """Block somebody at the table at the cursor, or end a block."""
        table = self.page.pointed
        try:
            blocked = await asyncio.to_thread(self._tables.blocked)
            others = [] if table is None else [x for x in table.others if x not in blocked]
            choices = {f"{BLOCK} {name}": f"{BLOCK} {name}" for name in others}
            choices |= {f"{UNBLOCK} {name}": f"{UNBLOCK} {name}" for name in blocked}
            if not choices:
                self.refuse("b", NOBODY_TO_BLOCK)
                return
            choice = await ask_over(self, ChoiceDialog("Block or unblock", choices))
            if choice is None or not self.is_active:
                return
            verb, _, name = choice.partition(" ")
            on, code = verb == BLOCK, "" if table is None else table.code
            await asyncio.to_thread(partial(self._tables.block, code, name, on=on))
        except (BadInput, OSError) as error:
            self.refuse("b", f"{error}.")
            return
        self.hints.show_message(HintMessage("told", "b", f"{verb}s {name}{BLOCK_EFFECT * on}."))
        self.refresh_list()

    async def _sit(self, key: str, code: str | Callable[[], str]) -> None:
        """Sit down at the table with a code, which may first have to be made."""
        if self._opens or not self.is_active:
            return
        self._opens = True
        try:
            if callable(code):
                code = await asyncio.to_thread(code)
            await self.desk.open_shared_table(code)
            self._last = code
        except (BadInput, OSError) as error:
            self.refuse(key, f"{error}.")
            self.refresh_list()
        finally:
            self._opens = False


class TablesPage(CursorList[ListedTable], CanvasWidget):
    """The tables, one line each: the player's own ones, and those that others have made."""

    def __init__(self) -> None:
        super().__init__(id="tables-page")
        self._note, self._places = "one moment …", dict[int, int]()

    def show(self, tables: Sequence[ListedTable], last: str = "") -> None:
        """Show these tables, with the cursor on the table where it was, or on the ``last`` one.

        If that table is closed, its line stays until the cursor has left it.
        """
        self._note = EMPTY
        pointed = next((one for one in tables if one.code == last), self.pointed)
        rows = [*tables]
        if pointed is not None and rows and pointed.code not in {one.code for one in rows}:
            rows.insert(self.at, replace(pointed, is_closed=True))
            rows.sort(key=lambda one: not one.is_own)
        self.rows = tuple(rows)
        codes = [one.code for one in rows]
        self.at = codes.index(pointed.code) if pointed is not None and rows else 0
        self.refresh()

    def fail(self) -> None:
        """Show no list before the first answer of the server."""
        if not self.rows:
            self._note = ""
            self.refresh()

    def place_at(self, y: int) -> int | None:
        """Return the table at a line of the widget, if there is one."""
        return self._places.get(y)

    def _shown(self) -> object:
        return self.rows, self._note, self.at

    def _paint(self, canvas: Canvas) -> None:
        rows, inks = canvas.rows(), line_styles_of(canvas.look.palette)
        self._places = {}
        if not self.rows:
            for row, text in zip(rows[1:], wrap_text(self._note, canvas.width - 4), strict=False):
                row.put(2, text, inks.muted)
            return
        details = self._details(self.rows[self.at], canvas.width - 4)
        room = canvas.height - len(details) - 2
        if room < LEAST:
            details, room = [], canvas.height
        lines = [*_lines(self.rows)]
        if len(lines) < room:
            lines.insert(0, "")
        first = max(0, min(lines.index(self.at) - room // 2, len(lines) - room))
        columns = _columns(self.rows, min(canvas.width, MOST_WIDE))
        for y, (row, line) in enumerate(zip(rows[:room], lines[first:], strict=False)):
            if isinstance(line, str):
                row.put(GAME, line, inks.muted)
                continue
            self._places[y] = line
            if line == self.at:
                mark_cursor(row, 1, columns.end - 1, canvas.look)
            _put(row, self.rows[line], columns, inks, is_lit=line == self.at)
        if details:
            below = rows[min(room, len(lines)) + 1 :]
            for row, text in zip(below, details, strict=False):
                row.put(GAME, text, inks.muted)

    def _details(self, table: ListedTable, width: int) -> list[str]:
        """Return everything about a table in sentences."""
        who = ", ".join(table.players) or "nobody yet"
        text = f"{table.code}: {table.game}, {table.rules}; {table.pace}. At the table: {who}."
        if table.left is not None and table.is_move:
            text += f" Your move: {clock_text(table.left)} left."
        if table.is_frozen and table.sits:
            text += f" {capitalize(NOT_NOW)}"
        if table.refusal:
            text += f" {capitalize(table.refusal)}"
        return wrap_text(text, min(width, MOST_TEXT))


class _Columns(NamedTuple):
    """The columns of the list: the seats taken, the players and the room for their names.

    They are followed by ``parts``, and by the code before the ``end``.
    """

    taken: int
    who: int
    names: int
    parts: Callable[[ListedTable], str]
    end: int


def _columns(tables: Sequence[ListedTable], width: int) -> _Columns:
    """Return columns in which as many parts fit as possible: rules and pace, rules, pace."""
    taken = GAME + max(text_width(one.game) for one in tables) + len(GAP)
    who = taken + TAKEN
    room = width - who - CODE
    names = max(text_width(_all_names(one)) for one in tables)
    for parts in PARTS:
        widest = max(text_width(parts(one)) for one in tables)
        left = room - widest - len(GAP)
        if left >= min(names, LEAST_NAMES):
            return _Columns(taken, who, min(names, left), parts, width)
    return _Columns(taken, who, min(names, room), lambda table: "", width)


PARTS: Sequence[Callable[[ListedTable], str]] = (
    lambda table: f"{table.rules} · {_pace(table)}",
    lambda table: YOUR_MOVE if table.is_move else table.rules,
    lambda table: _pace(table),
)


def _pace(table: ListedTable) -> str:
    return YOUR_MOVE if table.is_move else table.short_pace


def _all_names(table: ListedTable) -> str:
    return ", ".join(table.players) or NOBODY


def _names(table: ListedTable, room: int) -> str:
    """Return the names that fit, and how many others there are."""
    names, text = table.players, _all_names(table)
    for count in range(len(names) - 1, 0, -1):
        if text_width(text) <= room:
            break
        text = f"{', '.join(names[:count])} +{len(names) - count}"
    return text


def _lines(tables: Sequence[ListedTable]) -> Iterator[int | str]:
    """Yield the index of each table, with a head before the own ones and before the others."""
    own = sum(one.is_own for one in tables)
    if own:
        yield OWN
        yield from range(own)
    if own < len(tables):
        if own:
            yield ""
        yield OPEN
        yield from range(own, len(tables))


def _put(
    row: CanvasRow, table: ListedTable, columns: _Columns, inks: LineStyles, *, is_lit: bool
) -> None:
    ink = inks.muted if table.refusal else inks.text
    row.put(GAME, table.game, inks.gold if is_lit else ink, columns.taken - 1)
    taken = f"{len(table.names)} of {table.seats}"
    if table.is_closed or table.is_frozen:
        taken = "closed" if table.is_closed else "frozen"
    seated = table.sits and not table.is_closed
    row.put(columns.taken, taken, inks.good if seated else ink)
    after = columns.who + columns.names
    row.put(columns.who, _names(table, columns.names), ink, after)
    row.put(after + len(GAP), columns.parts(table), inks.gold if table.is_move else inks.muted)
    row.put_before(columns.end - 2, table.code, inks.gold if is_lit else ink)
