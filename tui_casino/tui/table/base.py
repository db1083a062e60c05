"""A table on the screen: its layout, what is heard of it, and the pace at which it plays on.

:mod:`.game_screen` adds what the player does.
"""

from __future__ import annotations

import asyncio
from typing import Any

from textual import work
from textual.app import ComposeResult
from textual.screen import Screen
from textual.widget import Widget

from ...engine.game import Ask, NeedCard, NeedShoe, Over, Seat
from ...engine.money import dollars
from ...engine.table import Told
from ...gamekit.grammar import takes_words
from ...gamekit.seating import Seating
from ...house.lobby import AnySitting
from ...records.log import NotWritten, read
from ...records.replay import replay
from ..widgets.bars import MessageLine, TitleBar, capital
from ..widgets.command_line import CommandLine
from ..widgets.key_bar import KeyBar
from ..widgets.steady import Steady

BRIEF = 2.5
"""Seconds for what is soon read, and lies over the cards."""
PACE = 0.05
"""Seconds between two steps of the croupier."""
MOST_RECALLED = 10_000
"""Steps of a sitting that goes on that are told again: they take half a second."""


class TableScreen(Steady, Screen[Seating | AnySitting | None]):
    """A table on the screen, for the human of a sitting.

    It draws views and sends actions; what may be done comes from the offers, what is said from
    the game's words. ``draft`` holds the values marked so far for the offer of several values
    that is open now, such as the cards to hold. ``seating`` is how one would sit down here again.
    """

    SCOPED_CSS = False

    def __init__(self, title: str, sitting: AnySitting) -> None:
        super().__init__()
        self.name_of_game, self.sitting = title, sitting
        self.table, self.dialogue, self.parts = sitting.table, sitting.dialogue, sitting.parts
        self.seat: Seat = sitting.dialogue.seat
        self.draft: tuple[Any, ...] = ()
        self._hurry = False
        self._playing = False
        self._typed_ahead: list[str] = []
        self._gone = self._asking = False
        self._then: Any = None
        self.seating: Seating | None = None
        self.forget()

    # ---- what a game adds -----------------------------------------------------------------

    def compose_table(self) -> ComposeResult:
        """Lay out the table between title and command line, with a message line somewhere."""
        raise NotImplementedError

    def show(self, view: Any) -> None:
        """Draw the state as the seat sees it."""
        raise NotImplementedError

    def told(self, event: Any) -> None:
        """Take note of something that happened; the new state is shown after it."""

    def forget(self) -> None:
        """Be as if nothing had been told yet: so all begins, and so a recording is leafed in."""

    def prompt(self, view: Any) -> str:
        """Say what the player can do now."""
        return ""

    def subtitle(self) -> str:
        """Say what stands beside the game's name in the title."""
        return ""

    # ---- layout ---------------------------------------------------------------------------

    def compose(self) -> ComposeResult:
        """Lay out what all tables have around the game's own part."""
        note = "practice" if self.sitting.practice and not self.parts.points else ""
        yield TitleBar(self.name_of_game, self.subtitle(), note)
        yield from self.compose_table()
        yield self.last_line()
        yield KeyBar()

    def last_line(self) -> Widget:
        """Give the line over the keys: for commands."""
        words = self.parts.words
        openers = "".join(
            word[0] for word, kind in words.verbs.items() if takes_words(kind) and len(word) == 1
        )
        between = " - " if self.app.has_class("-ascii") else " · "
        every = (*words.verbs, *words.questions, "?")  # the first letter of a long one is a key
        known = between.join(word if len(word) == 1 else f":{word}" for word in every)
        return CommandLine(openers, known, self._finish_motion)

    def on_mount(self) -> None:
        """Begin, now that all is laid out."""
        self.open_table()

    def open_table(self) -> None:
        """Listen to the table, show it, and let the croupier begin."""
        self.query_one(CommandLine).focus()
        self.dialogue.recall()
        self._recall()
        self._unsubscribe = self.table.subscribe(self.seat, self._hear)
        self._refresh_all()
        if self.sitting.lent:
            self.notify(f"The house lends you {dollars(self.sitting.lent)}.")
        if self.sitting.log.steps:
            back = self.sitting.taken_back
            said = "Choose again; U compares." if back else "The table goes on where it was."
            self.notify(said, timeout=BRIEF)
        self.play_on()

    def on_unmount(self) -> None:
        """Stop listening."""
        self.close_table()

    def close_table(self) -> None:
        """Let go of what :meth:`open_table` took."""
        self._unsubscribe()

    @property
    def view(self) -> Any:
        """The table as this seat may see it; while something is told, as it was then."""
        return self.table.view(self.seat) if self._then is None else self._then

    def _recall(self) -> None:
        """Tell again what has happened in a sitting that goes on."""
        if not 0 < self.sitting.log.steps <= MOST_RECALLED:
            return
        game = self.table.game
        for played in replay(game, read(self.sitting.log.path)):
            self._then = game.view(played.state, self.seat)
            for event in played.events:
                self.told(game.hear(played.state, event, self.seat))
        self._then = None

    def say(self, text: str, kind: str = "") -> None:
        """Put a line into the message line; ``kind`` is ``win``, ``bad`` or nothing."""
        self.query_one(MessageLine).say(text, kind)

    def _refresh_all(self) -> None:
        self.show(self.view)
        self.refresh_bindings()

    # ---- the table plays on ---------------------------------------------------------------

    def _hear(self, told: Told[Any, Any]) -> None:
        try:
            self._then = told.state
            for event in told.events:
                self.told(event)
            self._then = None
            self.show(told.state)
        except Exception as error:  # the table would go on without a screen; the app ends instead
            self.app.call_later(_raise, error)

    @property
    def pace(self) -> float:
        """Seconds to wait between steps; nothing when the player does not want motion."""
        return PACE if self.moves and not self._hurry else 0.0

    @property
    def moves(self) -> bool:
        """Whether cards are dealt one by one, for the eye: so the player and the table want it."""
        animate = self.seating is None or self.seating.animate
        return animate and self.app.animation_level != "none"

    @work(exclusive=True, group="table")
    async def play_on(self) -> None:
        """Play croupier and computers until the table waits, a step at a time."""
        self._hurry, self._playing = False, True
        try:
            while not self.table.waiting:
                if isinstance(self.table.game.turn(self.table.state), Ask):
                    await asyncio.to_thread(self.table.ask)  # a player may think for long
                self.table.advance()
                if self.pace and not self.table.waiting:
                    await asyncio.sleep(self.pace)
        except NotWritten as error:
            self._not_written(error)
            return
        finally:
            self._playing = False
        self._waits()

    def _waits(self) -> None:
        self._say_mended()
        self.dialogue.recall()
        self.refresh_bindings()
        turn = self.table.game.turn(self.table.state)
        self.waits(self.view)
        if isinstance(turn, Over):
            result = self.result(self.view)
            before = f"{result}. Over" if result else "The game is over"
            self.say(f"{before}: {turn.why}. Esc cashes out.", "bad")
        self.call_later(self.do_typed_ahead)

    def waits(self, view: Any) -> None:
        """Say what to do when a human is asked; a game may say more."""
        self.say(self.prompt(view))

    def result(self, view: Any) -> str:
        """Say how the last round ended, without a full stop; nothing if there was none."""
        return ""

    def _say_mended(self) -> None:
        for said in self.sitting.log.take_mended():
            self.app.notify(f"{capital(said)}.", severity="warning", timeout=15)

    def _not_written(self, error: NotWritten, key: str = "Enter") -> None:
        self.say(f"The log cannot be written: {error.strerror}. Make room, then {key}.", "bad")

    def _finish_motion(self) -> bool:
        """Let any key finish the deal; true if it did nothing else."""
        if self._dealing and self.pace:
            self._hurry = True
            return True
        return False

    @property
    def _dealing(self) -> bool:
        turn = self.table.game.turn(self.table.state)
        return self._playing and isinstance(turn, NeedShoe | NeedCard)

    def do_typed_ahead(self) -> None:
        """Do what was typed while the table played on."""


def _raise(error: Exception) -> None:
    raise error
