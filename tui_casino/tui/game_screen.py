"""What all games' screens share: pacing, slow players, the command line, drafts, keys, leaving.

A game's own screen adds its layout, :meth:`GameScreen.show` and :meth:`GameScreen.told`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any, ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import Screen

from ..commands import Seating
from ..core import (
    Ask,
    IllegalAction,
    NeedCard,
    NeedShoe,
    Offer,
    Over,
    Seat,
    Some,
    dollars,
    guard,
)
from ..lines import parse, takes_words
from ..lobby import AnySitting
from ..records.ledger import LedgerError
from ..records.log import NotWritten
from ..sitting import Left
from ..table import Told
from .modals import Page, Question
from .steady import Steady
from .widgets.bars import MessageLine, TitleBar
from .widgets.command_line import CommandLine
from .widgets.key_bar import KeyBar

PACE = 0.05
"""Seconds between two steps of the croupier."""

STAKED = """\
It stays at the table with your money. You can go on with this very hand when you come back."""
HELP_WORDS = ("?", "help")
LEAVE_WORDS = ("q", "quit")


class GameScreen(Steady, Screen[Seating | None]):
    """A table on the screen, for the human of a sitting.

    It draws views and sends actions; what may be done comes from the offers, what is said from
    the game's words. ``draft`` holds the values marked so far for the offer of several values
    that is open now, such as the cards to hold.
    """

    SCOPED_CSS = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space", "primary", "Go on", id="game.primary"),
        Binding("f1,question_mark", "help", "Help", id="game.help", key_display="F1"),
        Binding("f2", "statistics", "Statistics", id="game.statistics", show=False),
        Binding("escape", "leave", "Back", id="game.leave", show=False),
    ]

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

    # ---- what a game adds -----------------------------------------------------------------

    def compose_table(self) -> ComposeResult:
        """Lay out the table between title and command line, with a message line somewhere."""
        raise NotImplementedError

    def show(self, view: Any) -> None:
        """Draw the state as the seat sees it."""
        raise NotImplementedError

    def told(self, event: Any) -> None:
        """Take note of something that happened; the new state is shown after it."""

    def prompt(self, view: Any) -> str:
        """Say what the player can do now."""
        return ""

    def subtitle(self) -> str:
        """Say what stands beside the game's name in the title."""
        return ""

    # ---- layout ---------------------------------------------------------------------------

    def compose(self) -> ComposeResult:
        """Lay out what all tables have around the game's own part."""
        words = self.parts.words
        openers = "".join(
            word[0] for word, kind in words.verbs.items() if takes_words(kind) and len(word) == 1
        )
        yield TitleBar(self.name_of_game, self.subtitle())
        yield from self.compose_table()
        between = " - " if self.app.has_class("-ascii") else " · "
        known = between.join((*words.verbs, *words.questions, "?"))
        yield CommandLine(openers, known, self._finish_motion)
        yield KeyBar()

    def on_mount(self) -> None:
        """Listen to the table, show it, and let the croupier begin."""
        self.query_one(CommandLine).focus()
        self.dialogue.recall()
        self._unsubscribe = self.table.subscribe(self.seat, self._hear)
        self._refresh_all()
        if self.sitting.lent:
            self.notify(f"The house lends you {dollars(self.sitting.lent)}.")
        if self.sitting.log.steps:
            self.notify("The table goes on where it was.")
        self.play_on()

    def on_unmount(self) -> None:
        """Stop listening."""
        self._unsubscribe()

    @property
    def view(self) -> Any:
        """The table as this seat may see it."""
        return self.table.view(self.seat)

    def say(self, text: str, kind: str = "") -> None:
        """Put a line into the message line; ``kind`` is ``win``, ``bad`` or nothing."""
        self.query_one(MessageLine).say(text, kind)

    def _refresh_all(self) -> None:
        self.show(self.view)
        self.refresh_bindings()

    # ---- the table plays on ---------------------------------------------------------------

    def _hear(self, told: Told[Any, Any]) -> None:
        try:
            for event in told.events:
                self.told(event)
            self.show(told.state)
        except Exception as error:  # the table would go on without a screen; the app ends instead
            self.app.call_later(_raise, error)

    @property
    def pace(self) -> float:
        """Seconds to wait between steps; nothing when the player does not want motion."""
        return PACE if self.app.animation_level != "none" and not self._hurry else 0.0

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
        self.dialogue.recall()
        self.refresh_bindings()
        turn = self.table.game.turn(self.table.state)
        self.waits(self.view)
        if isinstance(turn, Over):
            result = self.result(self.view)
            before = f"{result}. Over" if result else "The game is over"
            self.say(f"{before}: {turn.why}. Esc cashes out.", "bad")
        self.call_later(self._do_typed_ahead)

    def waits(self, view: Any) -> None:
        """Say what to do when a human is asked; a game may say more."""
        self.say(self.prompt(view))

    def result(self, view: Any) -> str:
        """Say how the last round ended, without a full stop; nothing if there was none."""
        return ""

    def _not_written(self, error: NotWritten, key: str = "Enter") -> None:
        self.say(f"The log cannot be written: {error.strerror}. Make room, then {key}.", "bad")

    # ---- what the player does -------------------------------------------------------------

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

    def _do_typed_ahead(self) -> None:
        lines, self._typed_ahead = self._typed_ahead, []
        for line in lines:
            self.do_typed(line)

    def do_typed(self, line: str) -> None:
        """Do what a typed line says, when the cards that are on their way lie there."""
        if self._dealing:
            self._finish_motion()
            self._typed_ahead.append(line)
        else:
            self.do(line)

    def do(self, line: str) -> None:
        """Do what a line says, or answer it; in the deal only finish that."""
        if self._gone or self._finish_motion():
            return
        word = line.split()[0]
        if word in HELP_WORDS:
            self.action_help()
        elif word in LEAVE_WORDS:
            self.action_leave()
        elif word in self.parts.words.verbs:
            try:
                self.submit(parse(line, self.parts.words.verbs, self.offers))
            except IllegalAction as refused:
                self.say(self.parts.words.refusal(word, refused, self.view), "bad")
        else:
            try:
                self.answered(word, self.dialogue.ask(line))
            except IllegalAction as refused:
                self.say(self.parts.words.refusal(word, refused, self.view), "bad")

    def answered(self, word: str, lines: list[str]) -> None:
        """Show the answer to a question: a line in the message line, more on a page."""
        if len(lines) > 1:
            self.app.push_screen(Page(self.name_of_game, "\n".join(lines)))
        else:
            self.say(lines[0])

    def submit(self, action: Any) -> None:
        """Do an action of this seat, unless the game's screen holds it back.

        Raises :class:`~tui_casino.core.IllegalAction`.
        """
        guard(self.table.game, self.table.state, self.seat, action)
        if not self.may_submit(action):
            return
        try:
            self.table.submit(self.seat, action)
        except NotWritten as error:
            self._not_written(error)
        else:
            self.draft = ()
            self.say("")
            self.submitted(action)
            self._playing = True  # from now on, not only when the worker begins
            self.play_on()

    def submitted(self, action: Any) -> None:
        """Take note of an action of this seat that was done."""

    def may_submit(self, action: Any) -> bool:
        """Let a game's screen warn before an action that is on offer; false holds it back."""
        return True

    @property
    def offers(self) -> tuple[Offer[Any], ...]:
        """What may be done now; nothing while the table plays on."""
        if self.table.game.turn(self.table.state) != Ask(self.seat):
            return ()
        return self.table.game.offers(self.view)

    def open_offer(self) -> tuple[Offer[Any], Some] | None:
        """Give the offer whose several values are being marked, and its slot."""
        for offer in self.offers:
            for slot in offer.slots:
                if isinstance(slot, Some):
                    return offer, slot
        return None

    def mark(self, value: Any) -> bool:
        """Mark a value of the open offer, or take the mark away; false if there is none."""
        found = self.open_offer()
        if found is None or value not in found[1].values:
            return False
        marked = {*self.draft} ^ {value}
        self.draft = tuple(v for v in found[1].values if v in marked)
        return True

    def on_command_line_typed(self, message: CommandLine.Typed) -> None:
        """Do what was typed."""
        self.do_typed(message.text)

    def on_command_line_primary(self) -> None:
        """Enter on an empty line is the primary action."""
        self.action_primary()

    def on_command_line_escaped(self) -> None:
        """Escape on an empty line leaves."""
        self.action_leave()

    def action_word(self, word: str) -> None:
        """Do a command that needs no words, by its key."""
        self.do(word)

    def action_primary(self) -> None:
        """Do the first thing on offer: with the values marked, or the usual ones."""
        if self._gone or self._finish_motion():
            return
        if not self.table.waiting:  # the log could not be written before
            self.play_on()
        for offer in self.offers[:1]:
            usual = (self.draft,) if self.open_offer() else (offer.usual or ())
            action = offer.kind(*usual)
            if offer.admits(action):
                self.submit(action)
            else:
                word = next(w for w, kind in self.parts.words.verbs.items() if kind is offer.kind)
                self.do(" ".join((word, *map(str, usual))))  # the words say why not

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Grey the keys whose command is not on offer now."""
        if action == "word" and parameters:
            kind = self.parts.words.verbs.get(str(parameters[0]))
            return True if kind is None or self.can(kind) else None
        return True

    def can(self, kind: Any) -> bool:
        """Tell whether an action of this kind can be done now."""
        return any(offer.kind is kind and not offer.barred for offer in self.offers)

    def action_help(self) -> None:
        """Show the rules in short and every word."""
        origin = self.table.source.origin
        shuffle = {
            "committed": f"The shuffle is committed to:\n{origin.value}",
            "numbered": f"The shuffle is that of seed {origin.value}, for practice.",
        }.get(origin.kind, "")
        text = "\n\n".join(
            filter(None, (self.parts.words.help(self.view), self.keys_help(), shuffle))
        )
        self.app.push_screen(Page(self.name_of_game, text))

    def keys_help(self) -> str:
        """Say what the keys of this screen do beside the words."""
        return ""

    def action_statistics(self) -> None:
        """Show the statistics of this sitting."""
        self.do("s")

    @work
    async def action_leave(self) -> None:
        """Cash out and go back; with a bet at stake ask first."""
        if self._asking:  # an impatient player presses more than once
            return
        self._asking = True
        try:
            sure = not self.sitting.staked or await self._sure_to_leave()
        finally:
            self._asking = False
        if sure:
            self.leave_for(None)

    async def _sure_to_leave(self) -> bool:
        """Ask, the table standing still meanwhile: else the bet might be decided by then."""
        stopped = self._playing
        self._stop()
        sure = await self.app.push_screen_wait(
            Question("A bet is at stake", STAKED, "Leave", "Stay")
        )
        if stopped and not sure:
            self.play_on()
        return sure

    def _stop(self) -> None:
        self.workers.cancel_group(self, "table")  # the croupier may be dealing
        self._playing = False

    def leave_for(self, seating: Seating | None) -> None:
        """Cash out and go: to the menu, or on to sit down otherwise; once is enough."""
        if not self._gone and self.cash_out():
            self._gone = True
            self.dismiss(seating)

    def cash_out(self) -> bool:
        """Leave the sitting and say so; false if the log cannot be ended now."""
        self._stop()
        try:
            left = self.sitting.leave()
        except NotWritten as error:
            self._not_written(error, "Esc")
            return False
        except LedgerError as error:
            self.notify(f"{error}. Your money waits in the sitting.", severity="error", timeout=15)
            return False
        if left is Left.CASHED_OUT:
            self.app.notify(f"You cash out {dollars(self.sitting.cents)}.")
        else:
            self.app.notify("Your bet waits at the table.")
        return True


def _raise(error: Exception) -> None:
    raise error


def words_bindings(*words: tuple[str, str, bool]) -> Iterator[Binding]:
    """Give bindings for a game's words that act at once: word, what the footer says, shown."""
    for word, description, shown in words:
        key = {"$": "dollar_sign"}.get(word, word)
        yield Binding(key, f"word('{word}')", description, show=shown, id=f"word.{word}")
