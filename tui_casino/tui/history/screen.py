"""The history: all logs of the player, newest first."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType

from ...gamekit.registry import DEFINITIONS, TITLES, GameListing, find_listing
from ...house.own_sessions import own_accounts, own_logs
from ...inputs.errors import BadInput
from ...inputs.files import BadFile
from ...inputs.sanitize import printable
from ...records.cache import Cache
from ...records.ledger import LogCheckpoint
from ...records.log_catalog import CatalogEntry, LabelFile, SittingStatus, count_sessions
from ...records.session_log import SessionLog
from ...records.summaries import review_logs
from ...structs import replace
from ..desk import ScreenDesk
from ..modals import InputDialog
from ..replay.proof import load_proof_page
from ..replay.screen import open_replay
from ..room import Room, help_binding, leave_binding
from ..table.background_tasks import BackgroundTasks
from ..theme import sheet
from ..widgets.hint_line import HintMessage
from ..widgets.key_bar import VERB
from ..window import ask_over, open_over
from .log_list import (
    ALL,
    LogFilter,
    LogList,
    LogListFooter,
    LogListHeadings,
    LogRow,
    is_judged,
)
from .preview import LogPreview, PreviewContent, load_preview

HELP = """\
  up, down   move through the list (also PgUp, PgDn, Home, End)
  space      open the replay, step by step; also Enter or a click
  m          open the replay at the first mistake
  p          continue as free play where it stopped; resume a
             waiting bet from the menu
  *          star or unstar it; n: name it
  v          verify it: rules, result, every card
  /          search game, table, name, state or seed; empty shows all
  g          show one game, or all
  s          show one state, or all
  o          sort by time, result, mistakes, length, stars, game
  l          leaks: what each kind of mistake costs you
  F2         statistics of all sessions
  y          copy the path of the log to the clipboard
  F5         read the folder again
  Esc        back to the menu

States. Waiting: the bet or game can be resumed from the menu. Being played: right \
now. Cut off: free play that was interrupted. Cashed out. Left: free play \
that was ended. Over: ended by the game. Taken back: a choice was taken back. Damaged.

dev.: how many standard deviations the result is above the expected one."""
NAMELESS = "player"
"""The default account name, which the title does not show."""
WIDE = 100
"""The minimum width at which the title shows the name of the player."""


class HistoryScreen(Room[None]):
    """The logs that pass the filters, with details of the log at the cursor below them."""

    HELP_PAGE = "History", HELP
    CSS_PATH = [sheet("records")]  # noqa: RUF012 - as Textual has it
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space,enter", "open", "Open the replay", id="records.open", group=VERB),
        Binding("m", "mistakes", "Mistakes", id="records.mistakes", group=VERB),
        Binding("p", "play_on", "Continue", id="records.play-on", group=VERB),
        Binding("v", "verify", "Verify", id="records.verify", group=VERB),
        Binding("asterisk", "star", "Star", key_display="*", id="records.star", group=VERB),
        Binding("n", "name", "Name", id="records.name", group=VERB),
        Binding("slash", "find", "Find", key_display="/", id="records.find", group=VERB),
        Binding("g", "game", "Game", id="records.game"),
        Binding("s", "state", "State", id="records.state"),
        Binding("o", "order", "Order", id="records.order"),
        help_binding("records"),
        Binding("f2", "app.statistics", "Statistics", id="records.statistics", key_display="F2"),
        Binding("l", "app.leaks", "Leaks", id="records.leaks"),
        Binding("y", "app.copy_log", "Copy the path", show=False, id="records.copy"),
        Binding("f5", "look", "Reload", show=False, id="records.look"),
        leave_binding("records", action="leave"),
    ]

    def __init__(self, desk: ScreenDesk) -> None:
        super().__init__("History", lead="open")
        self.desk = desk
        self.columns, self.below = LogListHeadings(), LogListFooter()
        self.log_list, self.preview = LogList(), LogPreview()
        self.all_rows: list[LogRow] | None = None
        self.filter = LogFilter()
        self.tasks = BackgroundTasks(self)
        self.labels: LabelFile | None = None
        self._reviewed_rows: dict[Path, LogRow] = {}  # rows whose logs have been reviewed
        self._previews: dict[Path, PreviewContent] = {}
        self._analysed: set[Path] = set()  # the logs whose choices have been evaluated
        self._opening = self._opens_first = False

    def compose_content(self) -> ComposeResult:
        """Lay out the list, and the log at the cursor below it."""
        yield self.columns
        yield self.log_list
        yield self.below
        yield self.preview

    def on_mount(self) -> None:
        self.log_list.focus()

    def on_screen_resume(self) -> None:
        self.action_look()

    def on_resize(self) -> None:
        self.call_after_refresh(self._describe)

    # ---- reading --------------------------------------------------------------------------

    def action_look(self) -> None:
        """Read the folder again on a thread."""
        self._show()
        self._read()

    @work(exclusive=True, group="look")
    async def _read(self) -> None:
        accounts = own_accounts(self.desk.house, partial(self.notify, severity="warning"))
        entries: list[CatalogEntry] = []
        try:
            entries = await asyncio.to_thread(self._listed, accounts)
            self.labels = await asyncio.to_thread(LabelFile, self.desk.house.logs)
        except BadFile as error:
            self.notify(str(error), severity="error")
        self.all_rows = [self._row(entry) for entry in entries]
        self._show()
        if self._opens_first:
            self.action_open()

    def _listed(self, accounts: Mapping[str, Any]) -> list[CatalogEntry]:
        entries = own_logs(self.desk.house, accounts)
        for listing in {find_listing(entry.game) for entry in entries}:
            if listing is not None:
                listing.tables()  # loaded here because the list describes its table
        return entries

    def _row(self, entry: CatalogEntry) -> LogRow:
        label = self.labels.label_of(entry.path) if self.labels else LogRow(entry).label
        before = self._reviewed_rows.get(entry.path)
        if before is not None and before.entry == entry:
            return replace(before, label=label)
        self._previews.pop(entry.path, None)
        return LogRow(entry, label)

    # ---- content --------------------------------------------------------------------------

    def _show(self) -> None:
        self.log_list.now = self.desk.house.clock()
        self.log_list.put(self.filter.apply(self.all_rows or ()))
        self._describe()
        self.refresh_bindings()

    def _describe(self) -> None:
        """Update the texts above and below the list."""
        result, shown, log_filter = self.all_rows, self.log_list.rows, self.filter
        wide = self.app.size.width >= WIDE
        count = "reading …" if result is None else session_counts(shown, result, kinds=wide)
        parts = [count, log_filter.order, f"“{log_filter.query}”" if log_filter.query else ""]
        notes = [
            (f"game: {TITLES[log_filter.game]}", "gold")
            if log_filter.game
            else ("all games", "muted"),
            ("all states", "muted")
            if log_filter.state == ALL
            else (f"state: {log_filter.state}", "gold"),
        ]
        if wide:
            house = self.desk.house
            who = printable(house.name or house.player)
            if who != NAMELESS:
                notes.append((f"player: {who}", "muted"))
        self.title_bar.describe(" · ".join(filter(None, parts)), *notes)
        self.columns.show(self.log_list.heading)
        self.below.show(self.log_list.below)

    def on_log_list_pointed(self, message: LogList.Pointed) -> None:
        """Show the preview of the log at the cursor, and review the visible logs."""
        self.below.show(self.log_list.below)
        row = message.row
        if row is None:
            nothing = "No session matches." if self.all_rows else "Nothing has been played yet."
            self.preview.clear(None, "" if self.all_rows is None else nothing)
            return
        if self.hints.current_message is None:
            self.hints.refresh_hints()
        self._review()
        self._load_preview(row)

    def _review(self) -> None:
        """Review, on a thread, the visible logs that have not been reviewed yet."""
        missing = [
            row.entry for row in self.log_list.in_sight if row.entry.path not in self._reviewed_rows
        ]
        if missing:
            cache = Cache(self.desk.house.cache)

            def review() -> list[Any]:
                return [*review_logs(missing, DEFINITIONS, cache, unfinished=True)]

            self.tasks.run("review", review, self._show_reviewed, lambda: self.is_attached)
        else:
            self._weigh()

    def _weigh(self) -> None:
        """Evaluate the choices of the visible logs on a thread, one log at a time."""
        pointed = self.log_list.pointed
        visible = [*([pointed] if pointed else []), *self.log_list.in_sight]
        row = next((row for row in visible if self._unweighed(row)), None)
        if row is None:
            return
        entry, cache = row.entry, Cache(self.desk.house.cache)

        def weigh() -> list[Any]:
            return [*review_logs([entry], DEFINITIONS, cache, choices=True, still=self._still_here)]

        def weighed(result: list[Any]) -> None:
            self._analysed.add(entry.path)
            self._show_reviewed(result)

        self.tasks.run("weigh", weigh, weighed, self._still_here)

    def _unweighed(self, row: LogRow) -> bool:
        new = row.wrong is None and row.entry.path not in self._analysed
        return new and row.entry.finished and row.entry.fault is None and is_judged(row.entry)

    def _still_here(self) -> bool:
        return self.is_attached

    def _show_reviewed(self, reviewed: Sequence[Any]) -> None:
        by_path = {each.entry.path: each for each in reviewed}

        def accounts(row: LogRow) -> LogRow:
            each = by_path.get(row.entry.path)
            if each is None:
                return row
            steps = tuple(one.step for one in each.mistakes)
            weighed = row.entry.path in self._analysed
            return replace(row, summary=each.summary, wrong=steps if weighed else row.wrong)

        self.all_rows = [accounts(row) for row in self.all_rows or ()]
        self._reviewed_rows |= {
            row.entry.path: row for row in self.all_rows if row.entry.path in by_path
        }
        self.log_list.put_again([accounts(row) for row in self.log_list.rows])
        if (pointed := self.log_list.pointed) is not None and pointed.entry.path in by_path:
            self._previews.pop(pointed.entry.path, None)
            self._load_preview(pointed)
        self._review()

    def _load_preview(self, row: LogRow) -> None:
        path = row.entry.path
        if (result := self._previews.get(path)) is not None:
            self.preview.heading.put(row)
            self.preview.put(row, result)
            return
        self.preview.clear(row)
        ledger, cache = self.desk.house.books, self.desk.house.cache

        def still() -> bool:
            now = self.log_list.pointed
            return self.is_attached and now is not None and now.entry.path == path

        def knows(log: SessionLog) -> LogCheckpoint | None:
            if (
                ledger is None or row.entry.ending is SittingStatus.IN_PLAY
            ):  # the log may be longer by now
                return None
            return ledger.checkpoint_of(path.resolve(), (log.head, log.hash))

        def look() -> PreviewContent | None:
            return load_preview(row, cache, knows, still)

        self.tasks.run("glimpse", look, lambda result: self._show_preview(path, result), still)

    def _show_preview(self, path: Path, result: PreviewContent | None) -> None:
        row = self.log_list.pointed
        if result is None or row is None:
            return
        if row.entry.ending is not SittingStatus.IN_PLAY:
            self._previews[path] = result
        self.preview.put(row, result)

    # ---- keys -----------------------------------------------------------------------------

    @property
    def log_path(self) -> Path | None:
        return row.entry.path if (row := self.log_list.pointed) is not None else None

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Grey out actions on a log if the list is empty; allow opening while it is loading."""
        if action == "open" and self.all_rows is None:
            return True
        if action in ("open", "mistakes", "play_on", "verify", "star", "name"):
            return True if self.is_mounted and self.log_list.rows else None
        return True

    def disabled_reason(self, action: str) -> str:
        return (
            "there is no session here." if self.all_rows is not None else "still reading the logs."
        )

    def action_leave(self) -> None:
        """Show all logs again, or leave if they are shown."""
        if self.filter.clear():
            self._show()
        else:
            self.dismiss()

    def action_game(self) -> None:
        """Show only the logs of the next game; after the last game, show all logs."""
        self.filter.next_game(self.all_rows or ())
        self._show()

    def action_state(self) -> None:
        """Show only the logs in the next state; after the last state, show all logs."""
        self.filter.next_state(self.all_rows or ())
        self._show()

    def action_order(self) -> None:
        self.filter.next_order()
        self._show()

    @work
    async def action_find(self) -> None:
        """Ask for words, and show only the logs that contain them."""
        text = "Search game, table, name, state or seed (leave empty to show all):"
        answer = await ask_over(self, InputDialog("Find", text))
        if answer is not None:
            self.filter.query = printable(answer)
            self._show()

    def action_star(self) -> None:
        if (row := self.log_list.pointed) is not None:
            self._label(lambda labels: labels.star(row.entry.path))

    @work
    async def action_name(self) -> None:
        row = self.log_list.pointed
        answer = await ask_over(
            self, InputDialog("Name", "A name for this session; leave empty to remove it:")
        )
        if row is not None and answer is not None:
            self._label(lambda labels: labels.rename(row.entry.path, answer))

    def _label(self, write: Callable[[LabelFile], None]) -> None:
        if self.labels is None or self.all_rows is None:
            self.refuse("", "the file with stars and names cannot be read.")
            return
        try:
            write(self.labels)
        except BadFile as error:
            self.refuse("", str(error))
            return
        labels = self.labels
        self.all_rows = [
            replace(row, label=labels.label_of(row.entry.path)) for row in self.all_rows
        ]
        self._reviewed_rows |= {
            r.entry.path: r for r in self.all_rows if r.entry.path in self._reviewed_rows
        }
        self.log_list.put_again(
            [replace(row, label=labels.label_of(row.entry.path)) for row in self.log_list.rows]
        )
        if (pointed := self.log_list.pointed) is not None:
            self.preview.heading.put(pointed)

    def action_open(self) -> None:
        """Open the log at the cursor, or the first one as soon as the list is loaded."""
        self._opens_first = self.all_rows is None
        if (row := self.log_list.pointed) is not None:
            self._replay(row)

    def action_mistakes(self) -> None:
        row = self.log_list.pointed
        if row is None:
            return
        if not is_judged(row.entry):
            self.refuse("m", "choices are not evaluated in this game.")
        else:
            self._replay(row, at_mistake=True)

    def on_cursor_list_chosen(self) -> None:
        self.action_open()

    @work
    async def _replay(self, row: LogRow, at_mistake: bool = False) -> None:
        """Open the replay of a log."""
        entry, listing = row.entry, find_listing(row.entry.game)
        if self._opening:
            return
        if listing is None:
            reason = entry.fault or f"this program does not know the game {entry.game!r}"
            self.refuse("", f"this session cannot be shown: {reason}.")
            return
        self._opening = True
        try:
            self.hints.show_message(
                await open_replay(self.desk, listing, entry.path, at_mistake=at_mistake)
            )
        finally:
            self._opening = False

    def action_play_on(self) -> None:
        row = self.log_list.pointed
        if row is not None and (listing := find_listing(row.entry.game)) is not None:
            if row.entry.ending is SittingStatus.OVER:
                reason = "this game is over; p in its replay continues from a step."
                self.refuse("p", reason)
            else:
                self._play_on(row.entry, listing)

    @work(exclusive=True, group="branch")
    async def _play_on(self, entry: CatalogEntry, listing: GameListing) -> None:
        self.hints.show_message(HintMessage("told", "", "Setting up the table …"))
        try:
            if entry.resumable:
                await self.desk.resume_free_play(listing, entry.path)
            else:
                await self.desk.branch_from(listing, entry.path, entry.steps)
        except (BadInput, OSError) as error:
            reason = error.strerror if isinstance(error, OSError) else error
            if isinstance(error, BadFile):  # the row says which file it is
                reason = f"{error.reason}."
            self.refuse("p", str(reason))
        else:
            self.hints.show_message(None)

    def action_verify(self) -> None:
        """Verify the log at the cursor, and show the result."""
        if (row := self.log_list.pointed) is not None:
            self._verify(row.entry)

    @work(exclusive=True, group="verify")
    async def _verify(self, entry: CatalogEntry) -> None:
        self.hints.show_message(HintMessage("told", "", "Checking every card …"))
        page = await load_proof_page("Proof", entry.path, self.desk.house)
        self.hints.show_message(None)
        open_over(self, page)


MONEY, WAITING, DAILY, FREE, OTHERS = KINDS = (
    "for money",
    SittingStatus.OPEN.words,
    "daily",
    "free play",
    "other",
)
"""The kinds of sessions that are counted in the title; those for money are finished."""


def session_counts(shown: Sequence[LogRow], every: Sequence[LogRow], *, kinds: bool) -> str:
    """Count the sessions, by kind if there is room; one that continues in another log counts once.

    The menu shows two of the kinds: the finished sessions for money, and those that wait.
    """
    logs = count_sessions(row.entry for row in every)
    if len(shown) != len(every):
        return f"{len(shown):,} of {logs}"
    counts = Counter(kind for row in every if (kind := _kind(row.entry)))
    listed = [f"{counts[kind]:,} {kind}" for kind in KINDS if counts[kind]]
    return f"{logs}: {', '.join(listed)}" if kinds and len(listed) > 1 else logs


def _kind(entry: CatalogEntry) -> str:
    """Return the kind of a session, or an empty text if another log continues it."""
    if entry.ending is SittingStatus.TAKEN_BACK:
        return ""
    if entry.daily is not None:
        return DAILY
    if entry.fault is not None or not entry.finished:
        return WAITING if entry.fault is None and entry.ending is SittingStatus.OPEN else OTHERS
    return MONEY if entry.player is not None else FREE
