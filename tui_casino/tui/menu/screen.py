"""The menu: the games, the tables that wait, the balance, and the last results."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual import events, on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.geometry import Size
from textual.message import Message
from textual.screen import Screen
from textual.worker import Worker

from ...engine.money import dollars
from ...gamekit.lazy_import import LazyModule
from ...gamekit.registry import GAMES, GameListing
from ...house.balance_history import BalanceHistory
from ...house.waiting_sessions import WaitingSession
from ...inputs.errors import BadInput
from ...records.ledger import LedgerError
from ..desk import ScreenDesk
from ..draw.glyphs import capitalize
from ..lazy import modals
from ..modal_windows import ask_over, open_over
from ..theme.clock import format_time
from ..widgets.base_screen import BaseScreen
from ..widgets.hint_line import HintLine
from ..widgets.hint_strips import HintMessage
from ..widgets.key_bar import OUT, VERB, KeyBar
from ..widgets.key_names import pressed_key_name
from ..widgets.title_bar import Note, TitleBar
from .start_game import (
    GameStart,
    Question,
    ask_seating,
    choose_table,
    lower_title,
    money_is_elsewhere,
    question_before,
)

if TYPE_CHECKING:  # a table that opens directly needs no menu
    from ...gamekit.table_setup import AnyTableSetup
    from . import game_list, player_panel, tour
    from .game_list import GameEntry, GameList, RoomEntry
    from .player_panel import PlayerPanel
else:
    game_list = LazyModule(".game_list", __package__)
    player_panel = LazyModule(".player_panel", __package__)
    tour = LazyModule(".tour", __package__)

HELP = f"""\
Choose a game with its digit, with the arrows and Space, or the mouse.

  1 to {len(GAMES)}     a game
  space      play, or go on where you left off
  F4         another table of the game
  m, l, r    your mistakes and drills, your leaks, the records
  w          a word of your own for the next shuffle
  v          check the shuffle of your last session
  y          copy where the log of your last session is
  F2         what you won and lost, against the odds
  F3         settings: theme, cards, animation, keys, name
  F1 or ?    this help
  q          quit

It is play money. \
Your purse sits down with you and comes back when you leave a table. \
If you leave with a bet at stake or in a game for points, or your \
connection drops, the table waits for you with the same cards.

At a table the last line but one names every action and its key. \
You can also type commands: b 5, d, h 1 2, a, $; a colon begins a command \
of any kind. F1 explains each game."""

REST = 1.0
"""Seconds on the menu, after which the games are loaded, so that a table opens sooner.

Less, and it would get in the way of who strikes a key at once.
"""
MOST_NAMED = 6
"""Keys that came too early that are named to their player."""
PLACES = ("game", "word", "verify", "help", "statistics", "settings", "tables")
"""Their order, by the ends of the ids of their keys; what does not fit in the end is left out."""


class Menu(BaseScreen, Screen[None]):
    """The first screen of the house; ``covered`` by a table, it is laid out when it is come to."""

    class AllLoaded(Message):
        """All games are in memory."""

    SCOPED_CSS = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space,enter", "play", "Play", id="menu.play", group=VERB),
        Binding("w", "app.add_word", "Word", id="menu.word"),
        Binding("v", "app.verify", "Verify", id="menu.verify"),
        Binding("f1,question_mark", "help", "Help", id="menu.help", key_display="F1"),
        Binding("f2,s", "app.statistics", "Statistics", id="menu.statistics", key_display="F2"),
        Binding("f3", "app.settings", "Settings", id="menu.settings", key_display="F3"),
        Binding("f4", "tables", "Table", id="menu.tables", key_display="F4"),
        Binding("m", "app.practice", "Mistakes", id="menu.practice"),
        Binding("l", "app.leaks", "Leaks", id="menu.leaks"),
        Binding("r", "app.records", "Records", id="menu.records"),
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

    def __init__(self, desk: ScreenDesk, *, covered: bool = False) -> None:
        super().__init__()
        self.desk = desk
        self._deferred = covered
        self._away = False
        self._history: BalanceHistory | None = None
        self._errors: tuple[str, ...] = ()
        self._question: Worker[None] | None = None
        self._early: list[str] = []
        self._heading, self._line = TitleBar("TUI Casino"), HintLine()

    @cached_property
    def _games(self) -> GameList:
        return game_list.GameList()

    @cached_property
    def _player_panel(self) -> PlayerPanel:
        return player_panel.PlayerPanel({game.slug: game.title for game in GAMES})

    # ---- laid out -------------------------------------------------------------------------

    def compose(self) -> ComposeResult:
        """Lay out the games and the player's side, if anybody sees them."""
        if self._deferred:
            return
        yield self._heading
        with Horizontal(id="hall"):
            yield self._games
            yield self._player_panel
        yield self._line
        yield KeyBar(self._line.hint, PLACES)

    def on_mount(self) -> None:
        """Show what there is."""
        if not self._deferred:
            self._enter()

    async def lay_out_deferred(self) -> None:
        """Lay out what was covered from the beginning."""
        self._deferred = False
        await self.recompose()
        self._enter()

    def lay_out(self, size: Size) -> None:
        """Lay nothing out that is not there: Textual would paint the table above once more."""
        if not self._deferred:
            super().lay_out(size)
            self._describe()

    def _enter(self) -> None:
        self.set_timer(REST, self._load)
        self._show()
        self.refresh_bindings()  # nothing has the focus that would do so
        self.call_after_refresh(self._catch_up)
        if not self.desk.memory.shown_round and self.desk.memory.lasts:
            self.call_after_refresh(self._show_round)

    def _show_round(self) -> None:
        """Show a first visitor round, once."""
        self.desk.memory.has_shown_round()
        if self._history is not None and not self._history.sittings:
            open_over(self, tour.Tour())

    def on_screen_suspend(self) -> None:
        """Leave for a table, or for a window, and say there which keys came too early."""
        self._away = True
        self._name_early_keys()

    async def on_screen_resume(self) -> None:
        """Show what has changed while a game was played; at first nothing has."""
        if not self._away:
            return
        self._away = False
        self.desk.settle_open_sittings()
        if self._deferred:
            await self.lay_out_deferred()
            self._show_last_session()
            return
        self._show()
        self._catch_up()
        self.set_timer(REST, self._load)  # a table that was opened came before that
        self._show_last_session()

    def _show_last_session(self) -> None:
        """Tell what the sitting came to from which the player comes."""
        if (ended := self.desk.take_ended()) is not None:
            self._show_end(*ended)

    @work(exclusive=True, group="end", name="action_show_end")
    async def _show_end(self, listing: GameListing, log: Path) -> None:
        """Show what a sitting came to, then the mistake that was asked for there."""
        from ..history.summary_screen import (
            SummaryWindow,  # late: the menu is painted without the records
        )

        step = await ask_over(self, SummaryWindow(self.desk, listing, log))
        if step is not None:
            from ..replay.open_replay import open_replay  # late: only for a mistake

            try:
                await open_replay(self.desk, listing, log, before=step)
            except BadInput as error:
                self.refuse("", str(error))

    @work(exclusive=True, group="catch-up")
    async def _catch_up(self) -> None:
        """Look, behind the first paint, which games wait and where they stand."""
        if await self.desk.catch_up():
            self._show_details()

    @work(exclusive=True, group="load")
    async def _load(self) -> None:
        """Load the games while nothing else is to be done; then all tables have their names."""
        if await self.desk.load_games():
            self.post_message(self.AllLoaded())
        self._show_details()

    # ---- what is shown --------------------------------------------------------------------

    def _show(self) -> None:
        """Read the player's money, and show all there is."""
        self._errors = ()
        try:
            self._history = self.desk.course()
        except LedgerError as error:
            self._history, self._errors = None, (str(error),)
        self._show_details()

    def _show_details(self) -> None:
        notes = (*self.desk.notes, *self._errors)
        offers = [self._game_entry(number, game) for number, game in enumerate(GAMES, 1)]
        self._games.show(offers, self._rooms(), map(capitalize, notes))
        self._player_panel.show(self._history, self.desk.house.clock())
        self._describe()
        self._hint()

    def _game_entry(self, number: int, game: GameListing) -> GameEntry:
        course = self._played(game)
        waits = self._waiting_text(self.desk.waiting_at(game.slug))
        table = self.desk.table_title(game)
        return game_list.GameEntry(
            str(number), game.title, table, game.line, waits, course, game.cards
        )

    def _played(self, game: GameListing) -> tuple[int, ...]:
        return self._history.games.get(game.slug, ()) if self._history else ()

    def _waiting_text(self, waiting: tuple[WaitingSession, ...]) -> str:
        if not waiting:
            return ""
        moment = self.desk.moments.get(waiting[0].log)
        text = moment.text if moment else ""
        text = text or ("your bet" if waiting[0].entry else "your game")
        return f"{len(waiting)} wait: {text}" if len(waiting) > 1 else f"waits: {text}"

    def _rooms(self) -> Iterator[RoomEntry]:
        done, waits = len(self._history.sittings) if self._history else 0, len(self.desk.waiting)
        counts = [f"{done:,} for money"] if done else []
        counts += [f"{waits} wait{'s' * (waits == 1)}"] if waits else []
        practised = self.desk.practice_summary or "the dearest first, and drills"
        yield game_list.RoomEntry("m", "Your mistakes", practised)
        yield game_list.RoomEntry("l", "Leaks", "what your mistakes cost")
        yield game_list.RoomEntry(
            "r", "Records", ", ".join(counts) or "every session, step by step"
        )
        yield game_list.RoomEntry("F2", "Statistics", "against the odds")

    def _describe(self) -> None:
        """Write the name and the purse into the title, as far as there is room."""
        course, ledger = self._history, self.desk.house.ledger
        notes: list[Note] = [(self.desk.house.display_name, "")]
        if course is not None:
            if at_tables := self.desk.money_at_tables:
                notes.append((f"{dollars(at_tables)} at a table", "muted"))
            notes.append((f"purse {dollars(course.cents)}", "gold"))
            if course.lent and not self._player_panel.display:
                notes.append((f"owed {dollars(course.lent)}", "bad"))
        elif ledger is None:
            notes.append(("practice, no purse", "muted"))
        room = self.app.size.width - len("  TUI CASINO    ")
        if sum(len(words) + 2 for words, _ in notes) > room:
            del notes[0]
        self._heading.describe("", *notes)

    # ---- what can be done -----------------------------------------------------------------

    @property
    def _chosen_game(self) -> GameListing:
        """The game at the cursor; where all the money is at another table, that one's."""
        chosen = GAMES[self._games.at]
        return self._first(chosen) or chosen

    def _first(self, game: GameListing) -> GameListing | None:
        """Give the game that has to be finished before there is money for this one."""
        broke = self._history is not None and self._history.cents == 0
        if not broke or self.desk.waiting_at(game.slug):
            return None
        where = next((waiting.game for waiting in self.desk.waiting if waiting.entry), None)
        match = next((one for one in GAMES if one.slug == where), None)
        return None if match is None or game.definition().points else match

    def hint_label(self, action: str) -> str | None:
        """Return the present name of an action, if its binding has another one."""
        game = self._chosen_game
        verb = "Go on with" if self.desk.waiting_at(game.slug) else "Play"
        return f"{verb} {lower_title(game.title)}" if action == "play" else None

    def _hint(self) -> None:
        """Say behind the name of what Space does, what one finds there."""
        game, chosen = self._chosen_game, GAMES[self._games.at]
        waiting = self.desk.waiting_at(game.slug)
        moment = self.desk.moments.get(waiting[0].log) if waiting else None
        details = ""
        if game is not chosen:
            details = f"your money is there · then play {lower_title(chosen.title)}"
        elif len(waiting) > 1:
            details = f"{len(waiting)} wait · Space lists them"
        elif moment is not None:
            details = f"since {format_time(moment.time, self.desk.house.clock())}"
            details += (
                f" · {dollars(moment.staked)} at stake" if moment.staked else " · F4 starts anew"
            )
        self._line.details = details

    def refuse(self, key: str, reason: str, right: str = "") -> None:
        """Say in the hint line why a key does nothing now, and what would be right."""
        self._line.show_message(HintMessage("refused", key, reason, right))

    # ---- keys -----------------------------------------------------------------------------

    @on(events.Key)
    async def process_key(self, event: events.Key) -> None:
        """Let no key be silent, and none go astray that is for a table on its way.

        What a key does is done at once: the app would do it only when all keys of a burst have
        been here, each of which might open something of its own.
        """
        if self._drop_early_key(event) or self._deferred or self._line.process_key(event):
            return
        for active in filter(None, map(self.active_bindings.get, event.aliases)):
            if active.enabled:
                event.stop()
                await self.app.run_action(active.binding.action, active.node)
                return

    @property
    def _under_way(self) -> bool:
        """Whether a table, or a question before it, is on its way."""
        return self.desk.opening or (self._question is not None and not self._question.is_finished)

    def _drop_early_key(self, event: events.Key) -> bool:
        """Keep a key from the menu that is meant for what is on its way: it would open another."""
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
        """Say, where the player is now, which keys came too early."""
        early, self._early = self._early, []
        if early:
            named = " ".join(early[:MOST_NAMED]) + " ..." * (len(early) > MOST_NAMED)
            self.app.notify(f"Pressed too early, and dropped: {named}")

    def action_go(self, step: int) -> None:
        """Go up or down."""
        self.action_go_to(self._games.at + step)

    @property
    def log_path(self) -> Path | None:
        """The log of the sitting that was cashed out last.

        Raises :class:`~tui_casino.records.ledger.LedgerError`.
        """
        return self.desk.last_cashed_out()

    def action_go_to(self, place: int) -> None:
        """Go to a game by its place."""
        self._games.go_to(place)
        self._hint()

    def action_game(self, number: int) -> None:
        """Open the game of this number."""
        self._games.go_to(number - 1)
        self._open(GAMES[number - 1])

    def action_play(self) -> None:
        """Open the game at the cursor, or that which has to be finished first."""
        self._open(self._chosen_game)

    def on_game_list_chosen(self, message: GameList.Chosen) -> None:
        """Open the game that was clicked on."""
        self.action_game(message.place + 1)

    async def on_game_list_entered(self, message: GameList.Entered) -> None:
        """Enter the room that was clicked on."""
        self.app.simulate_key(message.key.lower())

    def action_help(self) -> None:
        """Show how to get about."""
        open_over(self, modals.TextPage("TUI Casino", HELP))

    # ---- a game is opened -----------------------------------------------------------------

    def _open(self, game: GameListing) -> None:
        self._hint()
        question = question_before(self, self.desk, game, played=bool(self._played(game)))
        if question is None:
            self.desk.open_game(game.slug)
        else:
            self._ask(question)

    def action_tables(self) -> None:
        """Choose a table and sit down there."""
        self._ask(choose_table(self, self.desk, GAMES[self._games.at]))

    def ask_way(self, game: GameListing, seating: AnyTableSetup) -> None:
        """Ask for the way to sit at the table that a seating names, and open it."""
        self.action_go_to(GAMES.index(game))
        self._ask(ask_seating(self, self.desk, game, seating))

    def _ask(self, question: Question) -> None:
        self._question = self.run_worker(self._start_after(question), name="action_ask")

    async def _start_after(self, question: Question) -> None:
        match await question:
            case GameStart(game, seating, preferred):
                self.desk.open_game(game.slug, seating, preferred)
            case HintMessage() as reason:
                self._line.show_message(reason)

    def on_screen_desk_refused(self, message: ScreenDesk.Refused) -> None:
        """Say that a game cannot be played before another one is finished, and go there."""
        reason, place = money_is_elsewhere(self.desk, message.game, message.elsewhere)
        if place is not None:
            self.action_go_to(place)
        self._line.show_message(reason)
