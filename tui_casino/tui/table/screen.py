"""What all games' screens share: keys, the command line, drafts, help, a step back, leaving.

A game's own screen adds its layout, :meth:`GameScreen.show` and :meth:`GameScreen.told`.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from typing import Any, ClassVar

from textual import work
from textual.binding import Binding, BindingType

from ...engine.game import IllegalAction, guard
from ...engine.money import dollars
from ...engine.offers import Offer, Some
from ...gamekit.grammar import parse, spaced
from ...gamekit.registry import Listing
from ...gamekit.seating import Seating
from ...house.sitting import BACK_WORD, COMPARE_WORD, Left
from ...inputs.errors import BadInput
from ...inputs.files import BadFile
from ...records.ledger import LedgerError
from ...records.log import NotWritten, read
from ...records.verdicts import seed_line
from ..modals import Page, Question
from ..widgets.bars import MessageLine, capital
from ..widgets.command_line import CommandLine
from ..windows import ask_over, open_over
from .base import TableScreen

STAKED = """\
It stays at the table with your money. You can go on with this very hand when you come back."""
NOT_KEPT = "You play for practice: this hand is not kept."
HELP_WORDS = ("?", "help")
LEAVE_WORDS = ("q", "quit")


class GameScreen(TableScreen):
    """A table at which the human of a sitting plays."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space", "primary", "Go on", id="game.primary"),
        Binding("f1,question_mark", "help", "Help", id="game.help", key_display="F1"),
        Binding("f2", "statistics", "Statistics", id="game.statistics", show=False),
        Binding("escape", "leave", "Back", id="game.leave", show=False),
        Binding(BACK_WORD, "step_back", "Step back", id="game.step_back", show=False),
        Binding(COMPARE_WORD, "compare", "Compare", id="game.compare", show=False),
    ]

    # ---- what the player does -------------------------------------------------------------

    def do_typed_ahead(self) -> None:
        """Do the lines that were typed while cards were on their way."""
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
        """Do what a line says, or answer it; in the deal only finish that.

        A line that was still on its way when a window opened is dropped: what is typed then is
        meant for the window.
        """
        if self._gone or not self.is_active or self._finish_motion():
            return
        line = spaced(line, self.parts.words.verbs)
        word = line.split()[0]
        if word in HELP_WORDS:
            self.action_help()
        elif word in LEAVE_WORDS:
            self.action_leave()
        elif word == BACK_WORD and self.sitting.takes_back:
            self.action_step_back()
        elif word == COMPARE_WORD and self.sitting.takes_back:
            self.action_compare()
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
            open_over(self, Page(self.name_of_game, "\n".join(lines)))
        else:
            self.say(lines[0])

    def submit(self, action: Any) -> None:
        """Do an action of this seat, unless the game's screen holds it back.

        Raises :class:`~tui_casino.engine.game.IllegalAction`.
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
        if not self.table.waiting:
            return ()
        return self.table.game.offers(self.view, self.seat)

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
        if len(marked) > max(found[1].most, len(self.draft)):
            self.say(f"No more than {found[1].most} here.", "bad")
            return True
        if self.query_one(MessageLine).refuses:
            self.waits(self.view)
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
        if self._gone or not self.is_active or self._finish_motion():
            return
        if not self.table.waiting:  # the log could not be written before
            self.play_on()
        for offer in self.offers[:1]:
            usual = (self.draft,) if self.open_offer() else (offer.usual or ())
            whole = len(usual) == len(offer.slots)  # else it has to be said which
            slot = found[1] if (found := self.open_offer()) else None
            if whole and offer.admits(action := offer.kind(*usual)):
                self.submit(action)
            elif slot is not None and len(self.draft) < slot.least:
                first, last = slot.values[0], slot.values[-1]
                self.say(f"First mark {slot.least}, from {first} to {last}.", "bad")
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
        word = f"\nYour word is mixed in: {origin.word}" if origin.word else ""
        shuffle = {
            "committed": f"The shuffle is committed to:\n{origin.value}{word}",
            "numbered": f"The shuffle is that of seed {origin.value}, for practice.",
        }.get(origin.kind, "")
        back = (
            f"  {BACK_WORD}        a step back: your last choice again\n"
            f"  {COMPARE_WORD}        what you chose there, then and now, side by side"
        )
        back = back if self.sitting.takes_back else ""
        text = "\n\n".join(
            filter(None, (self.parts.words.help(self.view), self.keys_help(), back, shuffle))
        )
        open_over(self, Page(self.name_of_game, text))

    def keys_help(self) -> str:
        """Say what the keys of this screen do beside the words."""
        return ""

    def action_step_back(self) -> None:
        """Take the last choice back, and sit at the table as it was before."""
        if self._gone or not self.sitting.takes_back:
            return
        stopped = self._playing
        self._stop()
        try:
            changed = self.sitting.step_back()
        except (BadInput, OSError) as error:
            why = error.strerror if isinstance(error, OSError) else error
            self.say(f"Your choice stands: {why}.", "bad")
        else:
            if changed:
                self._gone = True
                self.dismiss(self.sitting)
                return
            self.say("You have not chosen anything yet.")
        if stopped:
            self.play_on()

    def action_compare(self) -> None:
        """Show the choices that were made at one moment, and what came of each."""
        if self.sitting.takes_back and not self._gone:
            self._compare()

    @work(thread=True, exclusive=True, group="compare")
    def _compare(self) -> None:
        try:
            lines = self.sitting.compare()
        except BadInput as error:
            lines = [str(error)]
        self.app.call_from_thread(self._compared, lines)

    def _compared(self, lines: list[str]) -> None:
        if len(lines) > 1:
            open_over(self, Page("Compare", "\n".join(lines)))
        else:
            self.say(lines[0])

    def action_statistics(self) -> None:
        """Show the statistics of this sitting."""
        self.do("s")

    @work
    async def action_leave(self) -> None:
        """Cash out and go back; with a bet at stake ask first."""
        if self._asking or not self.is_active:  # an impatient player presses more than once
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
        text = STAKED if self.sitting.house.keeps else NOT_KEPT
        sure = await ask_over(self, Question("A bet is at stake", text, "Leave", "Stay"))
        if stopped and not sure:
            self.play_on()
        return bool(sure)

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
            left = self.sitting.leave(keep=True)
        except NotWritten as error:
            self._not_written(error, "Esc")
            return False
        except LedgerError as error:
            self.notify(f"{error}. Your money waits in the sitting.", severity="error", timeout=15)
            return False
        self._say_mended()
        if left is not Left.CASHED_OUT:
            self.app.notify(f"Your {'bet' if self.sitting.staked else 'game'} waits at the table.")
        elif self.sitting.house.ledger is None:
            if self.sitting.cents:
                self.app.notify(f"You leave with {dollars(self.sitting.cents)}, for practice.")
        else:
            self.app.notify(f"You cash out {dollars(self.sitting.cents)}.{self._seed_told()}")
        return True

    def _seed_told(self) -> str:
        try:
            said = seed_line(read(self.sitting.log.path))
        except BadFile:  # gone already: the menu's page says so
            return ""
        if said is None:
            return ""
        told, seed = said.split(": ")
        return f"\n{capital(told)}: {seed[:12]}...\nv in the menu checks every card."


def words_bindings(*words: tuple[str, str, bool]) -> Iterator[Binding]:
    """Give bindings for a game's words that act at once: word, what the footer says, shown."""
    for word, description, shown in words:
        key = {"$": "dollar_sign"}.get(word, word)
        yield Binding(key, f"word('{word}')", description, show=shown, id=f"word.{word}")


def screen_of(listing: Listing) -> type[GameScreen]:
    """Import a game's screen."""
    screen: type[GameScreen] = import_module(f"{listing.package}.face.screen").SCREEN
    return screen
