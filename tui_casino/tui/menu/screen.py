"""The menu: the games, interrupted sessions, the balance, and the latest results."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual import events, on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.geometry import Size
from textual.message import Message
from textual.worker import Worker

from ...engine.money import dollars
from ...gamekit.lazy_import import LazyModule
from ...gamekit.registry import GAMES, GameListing, find_listing, listing_of, lower_title
from ...house.balance_history import BalanceHistory
from ...inputs.errors import BadInput
from ...records.clock import format_time
from ...records.ledger import LedgerError
from ..desk import ScreenDesk, TableRequest
from ..draw.text import capitalize
from ..lazy import modals
from ..room import Room, help_binding
from ..widgets.hint_line import HintMessage
from ..widgets.key_bar import OUT, VERB
from ..widgets.key_names import own_keys, pressed_key_name, with_own_keys
from ..window import ask_over, open_over
from .start_game import (
    GameStart,
    Question,
    ask_seating,
    choose_table,
    money_is_elsewhere,
    question_before,
)

if TYPE_CHECKING:  # a table opened from the command line does not need the menu
    from ...gamekit.table_catalog import AnyTableSetup
    from ...house.session_goal import SessionGoal
    from . import game_list, menu_text, player_panel, tour
    from .game_list import GameEntry, GameList
    from .player_panel import PlayerPanel, PlayerStanding
else:
    game_list = LazyModule(".game_list", __package__)
    menu_text = LazyModule(".menu_text", __package__)
    player_panel = LazyModule(".player_panel", __package__)
    tour = LazyModule(".tour", __package__)

ONLY_ON_SERVERS = "tables with other people are on servers only."
GUESTS = "guests cannot play with others; log in with an SSH key."
REST = 1.0
"""Seconds after which the menu loads all games, which makes tables open sooner.

A shorter delay would slow the response to a key that is pressed immediately.
"""
MOVES_SECONDS = 30.0
"""Seconds between two looks at the tables where it is the player's move."""
MOST_NAMED = 6
"""The maximum number of keys listed in the notice about keys pressed too early."""
PLACES = ("game", "word", "verify", "help", "statistics", "settings", "tables")
"""The order of keys in the key bar, by the last part of their ids; keys at the end are left out if
space is short."""


class Menu(Room[None]):
    """The first screen; if a table covers it from the start, it is laid out later.

    ``covered_by`` is the game of that table; the cursor is then on it.
    """

    class AllLoaded(Message):
        """All games have been imported."""

    KEY_ORDER = PLACES
    shows_waiting_seats = True
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space,enter", "play", "Play", id="menu.play", group=VERB),
        Binding("w", "app.add_word", "Seed", id="menu.word"),
        Binding("v", "app.verify", "Verify", id="menu.verify"),
        help_binding("menu"),
        Binding("f2,s", "app.statistics", "Statistics", id="menu.statistics", key_display="F2"),
        Binding("f3", "app.settings", "Settings", id="menu.settings", key_display="F3"),
        Binding("f4", "tables", "Table", id="menu.tables", key_display="F4"),
        Binding("m", "app.practice", "Mistakes", id="menu.practice"),
        Binding("t", "app.daily", "Today's five", show=False, id="menu.daily"),
        Binding("d", "app.daily_deal", "Daily deal", show=False, id="menu.daily-deal"),
        Binding("j", "app.shared_tables", "Tables", show=False, id="menu.shared"),
        Binding("g", "app.goal", "Goal", show=False, id="menu.goal"),
        Binding("p", "repay", "Repay debt", show=False, id="menu.repay"),
        Binding("l", "app.leaks", "Leaks", id="menu.leaks"),
        Binding("r", "app.records", "History", id="menu.records"),
        Binding("T", "tour", "Tour", show=False, id="menu.tour"),
        Binding("y", "app.copy_log", "Copy the last log's path", show=False, id="menu.copy"),
        Binding("q", "app.quit", "Quit", id="menu.quit", group=OUT),
        Binding("up", "go(-1)", "Up", show=False, id="menu.up"),
        Binding("down", "go(1)", "Down", show=False, id="menu.down"),
        Binding("home,pageup", "go_to(0)", "First", show=False, id="menu.first"),
        Binding("end,pagedown", "go_to(-1)", "Last", show=False, id="menu.last"),
        *(
            Binding(
                str(number),
                f"game({number})",
                "Game",
                show=number == 1,
                id=f"menu.game{number}" if number > 1 else "menu.game",
                key_display=f"1-{len(GAMES)}" if number == 1 else None,
            )
            for number in range(1, len(GAMES) + 1)
        ),
    ]

    def __init__(self, desk: ScreenDesk, *, covered_by: str | None = None) -> None:
        super().__init__("TUI Casino")
        self.place = "Menu"
        self.desk = desk
        self._deferred, self._covered_by = covered_by is not None, covered_by
        self._away = False
        self._history: BalanceHistory | None = None
        self._errors: tuple[str, ...] = ()
        self._question: Worker[None] | None = None
        self._early: list[str] = []

    @cached_property
    def _games(self) -> GameList:
        return game_list.GameList()

    @cached_property
    def _player_panel(self) -> PlayerPanel:
        return player_panel.PlayerPanel({game.slug: game.title for game in GAMES})

    # ---- layout ---------------------------------------------------------------------------

    def compose(self) -> ComposeResult:
        """Lay out the menu, unless a table covers it."""
        return iter(()) if self._deferred else super().compose()

    def compose_content(self) -> ComposeResult:
        with Horizontal(id="hall"):
            yield self._games
            yield self._player_panel

    def on_mount(self) -> None:
        if not self._deferred:
            self._enter()

    async def lay_out_deferred(self) -> None:
        """Lay out the menu if a table has covered it from the start."""
        self._deferred = False
        await self.recompose()
        self._enter()

    def lay_out(self, size: Size) -> None:
        """Lay out the menu, unless it is below a table, which Textual would also repaint."""
        if not self._deferred:
            super().lay_out(size)
            self._describe()

    def _enter(self) -> None:
        self.set_timer(REST, self._load)
        self._show()
        if self._covered_by is not None and not self._games.moved:
            self.action_go_to(GAMES.index(listing_of(self._covered_by)))
        self.refresh_bindings()  # the menu has no focused widget that would do this
        self.call_after_refresh(self._catch_up)
        self.call_after_refresh(self._read_moves)
        self.set_interval(MOVES_SECONDS, self._read_moves)
        if not self.desk.memory.shown_round and self.desk.memory.lasts:
            self.call_after_refresh(self._show_round)

    def _show_round(self) -> None:
        """Show the tour once to a first-time visitor."""
        self.desk.memory.has_shown_round()
        if self._history is not None and not self._history.sittings:
            self.action_tour()

    @work(name="action_tour")
    async def action_tour(self) -> None:
        """Show the tour; its last step deals a hand of the first game."""
        if await ask_over(self, tour.Tour()):
            await self.desk.open_table(TableRequest(GAMES[0]))
            if not self.desk.at_stake:
                table = self.app.screen
                table.call_after_refresh(self.app.run_action, "screen.primary", table)

    def on_screen_suspend(self) -> None:
        """Name the keys pressed too early in a notice on the table or window that opens."""
        self._away = True
        self._name_early_keys()

    async def on_screen_resume(self) -> None:
        """Show what has changed during a game; do nothing when the menu first opens."""
        if not self._away:
            return
        self._away = False
        self.desk.settle_open_sittings()
        if self._deferred:
            await self.lay_out_deferred()
            self._show_last_session()
            return
        self._show()
        self.app.call_later(self._show_details)  # after the desk has heard from the table
        self._catch_up()
        self._read_moves()
        self.set_timer(REST, self._load)  # the earlier timer was stopped when a table opened
        self._show_last_session()

    def _show_last_session(self) -> None:
        """Show the result of the session that the player has just left."""
        if (ended := self.desk.take_ended()) is not None:
            self._show_end(*ended)

    @work(exclusive=True, group="end", name="action_show_end")
    async def _show_end(self, listing: GameListing, log: Path, goal: SessionGoal | None) -> None:
        """Show the result of a session, then what the player chose: a replay or practice."""
        from ..history.summary_screen import (
            SummaryWindow,  # late: the menu is painted without the history package
        )

        chosen = await ask_over(self, SummaryWindow(self.desk, listing, log, goal))
        if isinstance(chosen, int):
            from ..replay.screen import open_replay  # late: only for a mistake

            if refusal := await open_replay(self.desk, listing, log, before=chosen):
                self.hints.show_message(refusal)
        elif chosen is not None:
            from ..history.leaks_screen import PracticeOpener  # late: only for practice

            if isinstance(app := self.app, PracticeOpener):
                app.open_practice(chosen)

    @work(exclusive=True, group="catch-up")
    async def _catch_up(self) -> None:
        """Find the waiting sessions and their positions, after the first paint."""
        await self.desk.catch_up()
        if not (self._games.moved or self.desk.at_stake):
            newest = {one.game for one in self.desk.waiting[:1]}
            places = [place for place, game in enumerate(GAMES) if game.slug in newest]
            if places:  # the game may be unknown
                self._games.go_to(places[0])
        self._show_details()  # in any case: a cancelled search has not shown what it found

    @work(exclusive=True, group="moves")
    async def _read_moves(self) -> None:
        """Show at which tables it is the player's move, unless another screen is in front."""
        tables = self.desk.house.shared_tables
        if tables is None or self._away:
            return
        from ...house.table_list import read_moves  # late: the menu is painted first

        with suppress(BadInput):  # the room of tables reports it
            moves = await asyncio.to_thread(read_moves, tables)
            text = moves.text(self.desk.house.clock())
            self._games.show_moves(text, own_keys(self).get("j", "j"))

    @work(exclusive=True, group="load")
    async def _load(self) -> None:
        """Import the games while the program is idle, so that the names of all tables are known."""
        if await self.desk.load_games():
            self.post_message(self.AllLoaded())
        self._show_details()
        await self.desk.read_daily()
        await self._read_overview()
        self._show_details()

    async def _read_overview(self) -> None:
        """Read the overview of the player's mistakes on a thread, until a table or window opens."""
        from ...house.own_sessions import read_overview  # late: the menu is painted first

        desk = self.desk
        with suppress(BadInput):  # the history reports a folder that cannot be read
            overview = await asyncio.to_thread(
                read_overview, desk.house, desk.answers, lambda: not (self._away or desk.opening)
            )
            desk.overview = overview or desk.overview

    # ---- content --------------------------------------------------------------------------

    def _show(self) -> None:
        """Read the player's money and show everything."""
        self._errors = ()
        try:
            self._history = self.desk.course()
        except LedgerError as error:
            self._history, self._errors = None, (str(error),)
        self._show_details()

    def _show_details(self) -> None:
        offers = [self._game_entry(number, game) for number, game in enumerate(GAMES, 1)]
        done = len(self._history.sittings) if self._history else 0
        has_daily = bool(self.app.check_action("daily_deal", ()))
        desk, goal = self.desk, self.desk.goal_words
        daily = desk.daily if has_daily else None
        rooms = menu_text.room_entries(
            desk.overview,
            done,
            len(desk.waiting),
            daily,
            goal,
            has_daily=has_daily,
            has_others=self._has_others,
        )
        keys = own_keys(self)
        rooms = (one._replace(key=keys.get(one.key, one.key)) for one in rooms)
        self._games.show(offers, rooms, map(capitalize, (*self.desk.notes, *self._errors)))
        self._player_panel.show(self._standing(), self.desk.house.clock())
        self._describe()
        self._hint()

    def _game_entry(self, number: int, game: GameListing) -> GameEntry:
        waits = menu_text.waiting_text(self.desk.waiting_at(game.slug), self.desk.moments)
        table, course = self.desk.table_title(game), self._played(game)
        return game_list.GameEntry(
            str(number), game.title, table, game.line, waits, course, game.cards
        )

    def _standing(self) -> PlayerStanding:
        course, overview = self._history, self.desk.overview
        streak = None if overview is None else (overview.streak, overview.longest_streak)
        waits, trained = bool(self.desk.waiting), self.desk.memory.has_trained
        steps = player_panel.first_steps(course, waits=waits, trained=trained)
        return player_panel.PlayerStanding(course, steps, streak)

    def _played(self, game: GameListing) -> tuple[int, ...]:
        return self._history.games.get(game.slug, ()) if self._history else ()

    def _describe(self) -> None:
        """Write the player's name and money into the title bar if there is room."""
        room = self.app.size.width - len(" ♠ TUI CASINO   ")
        debt = not self._player_panel.display
        house = self.desk.house
        guest = not ((free_play := house.ledger is None) or house.can_resume)
        name = house.name or "guest" if guest else house.display_name
        if self._history is not None or free_play:
            notes = [*menu_text.title_notes(name, self._history, room, debt=debt, guest=guest)]
        else:  # the ledger cannot be read
            notes = [(name, "")]
        self.title_bar.describe("", *notes)

    # ---- actions --------------------------------------------------------------------------

    @property
    def _chosen_game(self) -> GameListing:
        """The game at the cursor, or the game that currently holds all of the player's money."""
        chosen = GAMES[self._games.at]
        return self._first(chosen) or chosen

    def _first(self, game: GameListing) -> GameListing | None:
        """Return the game that has to be finished before there is money for this one."""
        broke = self._history is not None and self._history.cents == 0
        if not broke or self.desk.waiting_at(game.slug):
            return None
        where = next((waiting.game for waiting in self.desk.waiting if waiting.entry), None)
        match = find_listing(where)
        return None if match is None or game.definition().points else match

    def hint_label(self, action: str) -> str | None:
        game = self._chosen_game
        verb = "Resume" if self.desk.waiting_at(game.slug) else "Play"
        return f"{verb} {lower_title(game.title)}" if action == "play" else None

    @property
    def _has_others(self) -> bool:
        return self.desk.house.shared_tables is not None

    def disabled_reason(self, action: str) -> str:
        """Return why there are no tables with others."""
        if action != "app.shared_tables":
            return super().disabled_reason(action)
        is_guest = self.desk.house.remote
        return GUESTS if is_guest else ONLY_ON_SERVERS

    def _hint(self) -> None:
        """Write details after the name of Space's action, such as the session that it resumes."""
        game, chosen = self._chosen_game, GAMES[self._games.at]
        waiting = self.desk.waiting_at(game.slug)
        moment = self.desk.moments.get(waiting[0].log) if waiting else None
        details = ""
        if game is not chosen:
            details = f"your money is there · then play {lower_title(chosen.title)}"
        elif len(waiting) > 1:
            details = f"{len(waiting)} waiting · Space lists them"
        elif moment is not None:
            details = f"since {format_time(moment.time, self.desk.house.clock())}"
            details += (
                f" · {dollars(moment.staked)} at stake"
                if moment.staked
                else " · F4 starts a new session"
            )
        elif self._history is not None and self._history.repayments:
            details = "p repays your debt"
        self.hints.details = details

    # ---- keys -----------------------------------------------------------------------------

    @on(events.Key)
    async def process_key(self, event: events.Key) -> None:
        """Handle a key with feedback, and drop keys pressed while a table opens.

        The key's action runs immediately. The app would run it only after all keys of a burst, and
        each of those might open another table.
        """
        event.prevent_default()  # the room would pass the key to the hint line again
        if self._drop_early_key(event) or self._deferred or self.hints.process_key(event):
            return
        for active in filter(None, map(self.active_bindings.get, event.aliases)):
            if active.enabled:
                event.stop()
                await self.app.run_action(active.binding.action, active.node)
                return

    @property
    def _under_way(self) -> bool:
        """Whether a table is opening or a question about it is still open."""
        return self.desk.opening or (self._question is not None and not self._question.is_finished)

    def _drop_early_key(self, event: events.Key) -> bool:
        """Drop a key meant for the opening table; in the menu it would open another one."""
        elsewhere = not self.is_active
        if not self._under_way and not elsewhere:
            return False
        event.stop()
        event.prevent_default()
        self._early.append(pressed_key_name(event))
        if elsewhere:
            self.call_later(self._name_early_keys)
        return True

    def _name_early_keys(self) -> None:
        """List the keys that were pressed too early in a notice on the current screen."""
        early, self._early = self._early, []
        if early:
            named = " ".join(early[:MOST_NAMED]) + " ..." * (len(early) > MOST_NAMED)
            self.app.notify(f"Ignored, because the table was still opening: {named}")

    def action_go(self, step: int) -> None:
        self.action_go_to(self._games.at + step)

    @property
    def log_path(self) -> Path | None:
        """The log of the session that was cashed out last.

        Raises :class:`~tui_casino.records.ledger.LedgerError`.
        """
        return self.desk.last_cashed_out()

    def action_go_to(self, place: int) -> None:
        self._games.go_to(place)
        self._hint()

    def action_game(self, number: int) -> None:
        self._games.go_to(number - 1)
        self._open(GAMES[number - 1])

    def action_play(self) -> None:
        """Open the game at the cursor, or the game that has to be finished first."""
        self._open(self._chosen_game)

    def on_game_list_chosen(self, message: GameList.Chosen) -> None:
        self.action_game(message.place + 1)

    async def on_game_list_entered(self, message: GameList.Entered) -> None:
        self.app.simulate_key(message.key.lower())

    def action_help(self) -> None:
        text = menu_text.help_text(has_others=self._has_others)
        open_over(self, modals.TextPage("TUI Casino", with_own_keys(self, text)))

    @work(name="action_repay")
    async def action_repay(self) -> None:
        course = self._history
        if course is None or not course.repayments:
            owes = course is not None and course.lent
            self.refuse("p", "your balance is empty." if owes else "you have no debt.")
            return
        amounts = course.repayments.items()
        choices = {
            str(cents): f"{number} {dollars(cents)}, {name}"
            for number, (cents, name) in enumerate(amounts, 1)
        }
        title = f"Repay your debt of {dollars(course.lent)}"
        chosen = await ask_over(self, modals.ChoiceDialog(title, choices))
        if chosen is None:
            return
        try:
            self.app.notify(self.desk.repay(int(chosen)))
        except LedgerError as error:
            self.refuse("p", f"{error.shown}.")
        self._show()

    # ---- opening a game -------------------------------------------------------------------

    def _open(self, game: GameListing) -> None:
        self._hint()
        question = question_before(self, self.desk, game, played=bool(self._played(game)))
        if question is None:
            self.desk.open_game(game.slug)
        else:
            self._ask(question)

    def action_tables(self) -> None:
        """Let the player choose a table, and open it."""
        self._ask(choose_table(self, self.desk, GAMES[self._games.at]))

    def ask_way(self, game: GameListing, seating: AnyTableSetup) -> None:
        """Ask for the options of a seating's table, and open it."""
        self.action_go_to(GAMES.index(game))
        self._ask(ask_seating(self, self.desk, game, seating))

    def _ask(self, question: Question) -> None:
        self._question = self.run_worker(self._start_after(question), name="action_ask")

    async def _start_after(self, question: Question) -> None:
        match await question:
            case GameStart(game, seating, preferred):
                self.desk.open_game(game.slug, seating, preferred)
            case HintMessage() as reason:
                self.hints.show_message(reason)

    def on_screen_desk_refused(self, message: ScreenDesk.Refused) -> None:
        """Say that another game has to be finished first, and move the cursor to it."""
        reason, place = money_is_elsewhere(self.desk, message.game, message.elsewhere)
        if place is not None:
            self.action_go_to(place)
        self.hints.show_message(reason)
