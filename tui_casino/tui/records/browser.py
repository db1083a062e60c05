"""The records room: every log of the player, the newest first."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.screen import Screen
from textual.widgets import Static

from ...gamekit.registry import GAMES, Listing
from ...inputs.errors import BadInput, printable
from ...inputs.files import BadFile
from ...records.cache import Cache
from ...records.log import SessionLog, read
from ...records.playback import Playback
from ...records.shelf import Ending, Entry
from ..aside import aside
from ..desk import Desk
from ..modals import Page
from ..table.face import face_of
from ..widgets.bars import TitleBar, put
from ..widgets.key_bar import KeyBar
from ..widgets.steady import Steady
from ..windows import open_over
from .filter import Filter
from .log_list import LogList
from .own import TITLES, accounts, own_logs
from .proof import proof_page
from .replay import ReplayTable

HELP = """\
  up, down   go through the logs; page keys, Home, End
  Enter      replay it, step by step; a click, too
  g          only the logs of a game
  s          only those open, finished, damaged
  o          in the order of time, result, length, or game
  v          verify it: rules, result, every card
  p          play on where it stopped, for practice; a bet that waits is
             taken up from the menu
  F2         what all of them come to
  F5         look again what there is
  Esc        back to the menu

How it ended: left; over, the game ended it; taken back, a choice was; open, \
it waits for you, or is being played; in play, for practice; cut off, a \
practice that was not ended. What practice brought stands in brackets."""
OPEN, FINISHED, DAMAGED = "open", "finished", "damaged"
STATES = ("all", OPEN, FINISHED, DAMAGED)
ORDERS: Mapping[str, Callable[[Entry], Any]] = {
    "newest": lambda entry: 0,
    "result": lambda entry: (entry.result is None, -(entry.result or 0)),
    "length": lambda entry: -(entry.length or 0),
    "game": lambda entry: TITLES.get(entry.game or "", ""),
}
"""What the logs can be ordered by; of equal ones the newest comes first."""


def listing_of(entry: Entry) -> Listing | None:
    """Give the game of a log; ``None`` if this program does not have it."""
    return next((game for game in GAMES if game.slug == entry.game), None)


def in_state(entry: Entry, state: str) -> bool:
    """Tell whether a log is open, finished or damaged; ``all`` are."""
    damaged = entry.fault is not None
    return {
        OPEN: not damaged and not entry.finished,
        FINISHED: not damaged and entry.finished,
        DAMAGED: damaged,
    }.get(state, True)


class RecordsScreen(Steady, Screen[None]):
    """The logs, with filters above and the one at the cursor told of below."""

    SCOPED_CSS = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("g", "game", "Game", id="records.game"),
        Binding("s", "state", "State", show=False, id="records.state"),
        Binding("o", "order", "Order", show=False, id="records.order"),
        Binding("v", "verify", "Verify", id="records.verify"),
        Binding("p", "play_on", "Play on", id="records.play-on"),
        Binding("f1,question_mark", "help", "Help", id="records.help", key_display="F1"),
        Binding("f2", "app.statistics", "Statistics", show=False, id="records.statistics"),
        Binding("f5", "look", "Look again", show=False, id="records.look"),
        Binding("escape,q", "dismiss", "Back", show=False, id="records.leave"),
    ]

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self.desk = desk
        self.found: list[Entry] | None = None
        self.game: str | None = None
        self.state = STATES[0]
        self.order = next(iter(ORDERS))
        self._opening = False

    def compose(self) -> ComposeResult:
        """Lay out filters, list, and the line about the log at the cursor."""
        yield TitleBar("Records")
        with Horizontal(classes="filters"):
            yield Filter("game", "g")
            yield Filter("state", "s")
            yield Filter("order", "o")
            yield Static(id="records-count", markup=False)
        yield Static(id="records-heading", markup=False)
        yield LogList()
        yield Static(id="records-detail", markup=False)
        yield KeyBar()

    def on_mount(self) -> None:
        """Put the cursor into the list."""
        self.query_one(LogList).focus()

    def on_screen_resume(self) -> None:
        """Look what there is now."""
        self.action_look()

    def on_resize(self) -> None:
        """Show as many columns as there is room for."""
        self.call_after_refresh(self._show_heading)

    def _show_heading(self) -> None:
        put(self.query_one("#records-heading", Static), self.query_one(LogList).heading)

    def action_look(self) -> None:
        """Read the folder again, on a thread of its own."""
        self._show()
        self._read()

    @work(exclusive=True, group="look")
    async def _read(self) -> None:
        known = accounts(self.desk.house, partial(self.notify, severity="warning"))
        try:
            self.found = await asyncio.to_thread(own_logs, self.desk.house, known)
        except BadFile as error:
            self.notify(str(error), severity="error")
            self.found = []
        self._show()

    def _show(self) -> None:
        shown = [
            entry
            for entry in self.found or ()
            if self.game in (None, entry.game) and in_state(entry, self.state)
        ]
        self.query_one("#filter-game", Filter).say(TITLES.get(self.game or "", "all"))
        shown.sort(key=ORDERS[self.order])
        self.query_one("#filter-state", Filter).say(self.state)
        self.query_one("#filter-order", Filter).say(self.order)
        count = "reading …" if self.found is None else _count(len(shown), len(self.found))
        put(self.query_one("#records-count", Static), count)
        self.query_one(LogList).put(shown)
        self._show_heading()

    def on_log_list_pointed(self, message: LogList.Pointed) -> None:
        """Tell more of the log at the cursor."""
        put(self.query_one("#records-detail", Static), self._detail(message.entry))

    def _detail(self, entry: Entry | None) -> str:
        if entry is None:
            if self.found is None:
                return ""
            return "Nothing like that here." if self.found else "Nothing has been played yet."
        whose = f"{entry.player}'s money" if entry.player else "practice"
        why = f"ended: {printable(entry.why)}" if entry.why else ""
        size = f"{entry.size:,} bytes"
        parts = [printable(entry.path.name), *entry.remarks, whose, why, size]
        return (" - " if self.app.has_class("-ascii") else " · ").join(filter(None, parts))

    # ---- keys -----------------------------------------------------------------------------

    def action_game(self) -> None:
        """Show only the logs of the next game, or of all again."""
        choices = [None, *TITLES]
        self.game = choices[(choices.index(self.game) + 1) % len(choices)]
        self._show()

    def action_state(self) -> None:
        """Show only open, finished or damaged logs, or all again."""
        self.state = STATES[(STATES.index(self.state) + 1) % len(STATES)]
        self._show()

    def action_order(self) -> None:
        """Go to the next order."""
        orders = [*ORDERS]
        self.order = orders[(orders.index(self.order) + 1) % len(orders)]
        self._show()

    def action_help(self) -> None:
        """Show the keys."""
        open_over(self, Page("Records", HELP))

    @work
    async def on_log_list_chosen(self, message: LogList.Chosen) -> None:
        """Open a log on its game's screen."""
        entry, listing = message.entry, listing_of(message.entry)
        if self._opening:
            return
        if listing is None:
            why = entry.fault or f"this program has no game {printable(entry.game or '')!r}"
            self.notify(why, title="This log cannot be shown", severity="warning")
            return
        self._opening = True
        try:
            await self._open(entry, listing)
        except BadInput as error:
            self.notify(str(error), title="This log cannot be shown", severity="error")
        finally:
            self._opening = False

    async def _open(self, entry: Entry, listing: Listing) -> None:
        kept = Cache(self.desk.house.cache)
        recording = await aside(partial(Playback, listing.parts(), entry.path, kept))
        try:
            await self.desk.show(ReplayTable(self.desk, listing, face_of(listing), recording))
        except BaseException:
            recording.close()
            raise

    def action_play_on(self) -> None:
        """Go on for practice where the log at the cursor stops."""
        entry = self.query_one(LogList).pointed
        if entry is not None and (listing := listing_of(entry)) is not None:
            self._play_on(entry, listing)

    @work(exclusive=True, group="branch")
    async def _play_on(self, entry: Entry, listing: Listing) -> None:
        detail = self.query_one("#records-detail", Static)
        put(detail, "the table is set up …")
        try:
            if entry.ending is Ending.CUT_OFF:
                await self.desk.go_on_with(listing, entry.path)
            else:
                await self.desk.play_on_from(listing, entry.path, entry.steps)
        except (BadInput, OSError) as error:
            why = error.strerror if isinstance(error, OSError) else error
            self.notify(str(why), title="This sitting cannot go on", severity="warning")
        put(detail, self._detail(entry))

    def action_verify(self) -> None:
        """Verify the log at the cursor, and show the verdict."""
        if entry := self.query_one(LogList).pointed:
            self._verify(entry)

    @work(exclusive=True, group="verify")
    async def _verify(self, entry: Entry) -> None:
        detail = self.query_one("#records-detail", Static)
        put(detail, "every card is dealt again …")
        try:
            said = await self._verdict(entry)
        except BadInput as error:
            said = str(error)
        put(detail, self._detail(entry))
        open_over(self, Page("Proof", said))

    async def _verdict(self, entry: Entry) -> str:
        log: SessionLog = await asyncio.to_thread(read, entry.path)
        if listing_of(entry) is None:
            raise BadFile(entry.path, f"a log of {log.header.game!r}, which is no game here", 1)
        ledger = self.desk.house.books
        recorded = ledger.last_hash(entry.path.resolve(), log.hash) if ledger else None
        return await asyncio.to_thread(proof_page, log, recorded)


def _count(shown: int, found: int) -> str:
    logs = "1 log" if found == 1 else f"{found:,} logs"
    return logs if shown == found else f"{shown:,} of {logs}"
