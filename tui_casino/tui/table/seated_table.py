"""A table with a seated player: leave, change the table, take a choice back."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from textual import work
from textual.worker import Worker

from ...engine.game import A, E, O, S
from ...engine.money import dollars
from ...gamekit.table_catalog import AnyTableSetup
from ...gamekit.tally import T
from ...gamekit.words import SEAT_NAMES
from ...house.lobby import AnySitting
from ...house.settings import split_names
from ...house.sitting import Sitting, SittingEnding
from ...inputs.errors import BadInput, report_fault
from ...inputs.files import BadFile
from ...records.ledger import LedgerBusy, LedgerError
from ...records.replay import SEED_MATCHES, describe_seed
from ...records.session_log import LogWriteError, read_log
from ...structs import replace
from ..draw.text import capitalize, with_negative_numbers
from ..widgets.command_line import CommandLine
from ..widgets.hint_line import Hint, HintMessage
from ..widgets.key_names import key_name_of_binding
from ..widgets.line_widget import HasTempo
from ..widgets.title_bar import Note
from ..window import ask_over, open_over
from .action_labels import LiveActionLabels
from .action_text import describe_action, mistake_lines, with_card_signs
from .face import Face
from .lazy import hot_seat_screen, modals
from .pacing import Pacing
from .screen import TableScreen
from .snapshot import SeatTotals, table_info_of
from .table_choice import choose_table

if TYPE_CHECKING:
    from ...daily.session import DailySession
    from ...records.tried_choices import Alternative


TRY_KEPT = "Your try is kept: you can resume it until the day ends (UTC)."


def cash_out(sitting: AnySitting, *, keep: bool = True) -> str:
    """Leave a session, and return a message for the player, which may be empty.

    With ``keep``, an unfinished game for points or daily deal stays open.

    Raises the errors of :meth:`~tui_casino.house.sitting.Sitting.leave`.
    """
    ending = sitting.leave(keep=keep)
    if sitting.log.header.daily is not None:
        return TRY_KEPT if ending is SittingEnding.BROKEN_OFF else ""
    if ending is SittingEnding.BROKEN_OFF:
        if sitting.shared_table is not None:
            return f"{capitalize(sitting.why_seat_waits)}."
        return "Your bet stays on the table." if sitting.staked else "Your game is kept."
    if ending is SittingEnding.UNPLAYED:
        return ""
    if sitting.house.ledger is None:
        cents = sitting.cents
        return f"You leave with {dollars(cents)}; this was free play." if cents else ""
    repaid = f" {dollars(sitting.repaid)} repays debt." if sitting.repaid else ""
    return f"You cash out {dollars(sitting.cents)}.{repaid}{_seed_text(sitting)}"


def top_up_offer(sitting: AnySitting, credit: str) -> tuple[str, ...]:
    """Return texts that offer a new session with a full buy-in, or nothing if it is not possible.

    The texts begin with what the ``$`` command says of the credit, and get shorter.
    """
    house, cents = sitting.house, 0
    if house.ledger is not None and not (sitting.staked or sitting.for_points):
        with suppress(LedgerError):  # the credit is said in any case
            whole = house.ledger.balance(house.player) + sitting.cents
            cents = max(0, house.limit_buy_in(whole) - sitting.cents)
    offer = f"$ again brings {dollars(cents)} more"
    return (f"{credit}. {offer}, in a new session", offer) if cents else ()


def _seed_text(sitting: AnySitting) -> str:
    try:
        text = describe_seed(read_log(sitting.log.path))
    except BadFile:  # the log no longer exists; the menu's page reports that
        return ""
    if text is None:
        return ""
    label, seed = text.split(": ")
    if label != SEED_MATCHES:
        return f" {capitalize(label)}: {seed[:8]}..."
    return f" v checks the shuffle, seed {seed[:8]}..."


BET = "A bet is at stake"
STAKED = """\
Bet and credit stay at the table. You can resume this hand when you come back."""
BET_WITH_OTHERS = """\
Your bet and your seat stay at the table for a while. Then you are paid out."""
GIVEN_UP = "If you leave, the game ends for the others as well."
GAME, UNFINISHED = "The game is not over", "You can resume it when you come back."
NOT_KEPT = "This is free play: the hand will not be saved."
AGAIN = 1.0
"""Seconds between two attempts to write the log."""


class SeatedTable(TableScreen[AnyTableSetup | Sitting[O, S, A, E, T] | str | None, O, S, A, E, T]):
    """The part of a live table that does not depend on how the game is played.

    ``seating`` describes how to sit down here again. A daily deal is played as an ``attempt``: the
    program makes all steps that are not choices. Subclasses provide the command ``line``.
    """

    line: CommandLine

    def __init__(
        self,
        title: str,
        face: Face[O, S, A, E, T],
        sitting: Sitting[O, S, A, E, T],
        seating: AnyTableSetup | None = None,
        attempt: DailySession | None = None,
    ) -> None:
        self.sitting, self.seating, self.attempt = sitting, seating, attempt
        ledger = sitting.house.ledger
        player = sitting.house.player
        self._debt = 0 if ledger is None else ledger.debt(player)
        self._balance = 0 if ledger is None or sitting.practice else ledger.balance(player)
        self.folder = sitting.house.folder
        self.table, self.dialogue = sitting.table, sitting.dialogue
        seen, tally = self.table.view(self.dialogue.viewer), self.dialogue.tally
        super().__init__(title, face, table_info_of(sitting, face.panel_titles), seen, tally)
        self.pacing = Pacing(self.table, self.view, attempt)
        self.labels = LiveActionLabels(self.view, sitting, self.pacing)
        self._advancing: Worker[None] | None = None
        self._asked_to_leave = False
        self._faulty = False
        self._waiting_cover: list[str] | None = None  # shown once the window closes

    # ---- running the table ----------------------------------------------------------------

    @property
    def tempo(self) -> float:
        """The factor for all waiting times at this table; it is 0 if animation is off."""
        animate = self.seating is None or self.seating.animate
        return self.app.tempo if animate and isinstance(self.app, HasTempo) else 0.0

    def run_table(self) -> None:
        """Let the croupier and the computer players act until the table waits for the player."""
        self.view.tempo = self.tempo
        self.pacing.start()
        self._advancing = self.run_worker(
            self._advance, name="table", group="table", exclusive=True
        )

    def pause_table(self) -> None:
        """Stop the table, even during a deal; :meth:`run_table` resumes it."""
        if self._advancing is not None:
            self._advancing.cancel()
        self.pacing.is_running = False

    async def _advance(self) -> None:
        try:
            await self.pacing.play(self._show_wait)
        except LogWriteError as error:
            self.show_write_error(error)
            self.try_again(self.run_table)
        else:
            self.await_player()

    def _show_wait(self) -> None:
        """Show what the player waits for; a daily deal also shows the end of a round."""
        if self.attempt is not None:
            self.view.show_prompt(self.view.seen)
        self.refresh_bindings()

    def await_player(self) -> None:
        """Let the player who has to choose act."""
        raise NotImplementedError

    def show_notices(self) -> None:
        """Show messages about log, ledger and limits, and the first error of a subscriber."""
        for text in self.sitting.take_news():
            self.app.notify(f"{capitalize(text)}.", severity="warning")
        if due := self.sitting.reminder():
            self.app.notify(f"{capitalize(due)}.")
        if self.table.bus.faults and not self._faulty:
            self._faulty = True
            self.app.notify(_fault_text(self.table.bus.faults[0]), severity="warning")

    # ---- several players at one keyboard --------------------------------------------------

    @property
    def reading_seconds(self) -> float:
        """The time for which a question that appears by itself takes no answer."""
        return 0

    @property
    def is_covered(self) -> bool:
        """Whether the table is hidden until the acting player asks to see their cards."""
        return self.info.shared and self.dialogue.hidden

    def turn(self, text: list[str]) -> None:
        """Switch to the acting player; cover the table if their cards must stay hidden.

        ``text`` describes what happened since the last turn.
        """
        covers = self.is_covered
        self._sit(looks=False)
        if not covers:
            return
        self.view.awaited = False
        if self.is_active:
            player = self.dialogue.names[self.dialogue.seat]
            cover = hot_seat_screen.HotSeatScreen(
                self.name_of_game, player, text, self._answer_cover, self.reading_seconds
            )
            self.app.push_screen(cover)
        else:  # a window is open; cover the table when it closes
            self._waiting_cover = text

    def on_screen_resume(self) -> None:
        """Cover the table when a window closes, if another player's turn has begun."""
        if (text := self._waiting_cover) is not None:
            self._waiting_cover = None
            self.turn(text)

    def name_players(self, typed: str | None) -> None:
        """Set the names of the two players at this keyboard, and begin."""
        names = typed or ", ".join(SEAT_NAMES[:2])
        self.dialogue.names = split_names(names)
        self.sitting.house = replace(self.sitting.house, seat_names=self.dialogue.names)
        self.view.info = replace(self.view.info, names=self.dialogue.names)
        self.view.change_seat(self.view.seat, self.view.viewer)
        self.post_message(hot_seat_screen.PlayersNamed(names))
        self.run_table()

    def _answer_cover(self, looks: bool) -> None:
        if not looks:
            self._leave()
            return
        self.view.awaited = True
        self._sit(looks=True)
        self.line.reset()  # the next player must not see what was typed before
        self.await_player()

    def _sit(self, *, looks: bool) -> None:
        view, dialogue = self.view, self.dialogue
        if not dialogue.switch_seat(looking=looks):
            return
        before = view.viewer
        view.change_seat(dialogue.seat, dialogue.viewer)
        if view.viewer != before:
            self.recall()
        view.tally, view.seen = dialogue.tally, self.table.view(view.viewer)
        view.present(view.seen)

    def recall(self) -> None:
        """Replay everything that the current player has seen so far to the view."""
        raise NotImplementedError

    # ---- notes and messages ---------------------------------------------------------------

    def continue_from(self, before: SeatedTable[O, S, A, E, T]) -> None:
        """Keep the trainer's setting; at the same table, also keep the totals.

        A choice that was taken back no longer counts.
        """
        self.view.trains = before.view.trains
        self.view.guesses_first = before.view.guesses_first
        game = self.table.game
        if game.sit(self.table.options, 0) == game.sit(before.table.options, 0):
            own, is_undone = self.view.totals_by_seat, before.sitting is self.sitting
            for seat, totals in before.view.totals_by_seat.items():
                if is_undone:
                    totals = totals.undone_to(self.table.view(seat))
                own[seat] = own.get(seat, SeatTotals()).continued_from(totals)
            if self.definition.points and not self.info.shared:
                self.view.earlier_tally = (
                    before.view.earlier_tally if is_undone else before.view.snapshot().tally
                )

    def subtitle(self) -> str:
        """Return the text after the title, which begins with the round of a daily deal."""
        begin = () if self.attempt is None else (self.attempt.progress,)
        return " · ".join(filter(None, (*begin, super().subtitle())))

    def notes(self) -> tuple[Note, ...]:
        """Return the notes for the title: trainer, free play, balance and debt."""
        notes = [*self.view.notes()]
        if self.view.trains:
            notes.append((f"trainer{', guess first' * self.view.guesses_first}", "good"))
        if self.sitting.practice and not self.definition.points:
            notes.append(("free play", ""))
        if self._balance:
            notes.append((f"balance {dollars(self._balance)}", ""))
        if self._debt:
            notes.append((f"debt {dollars(self._debt)}", "bad"))
        return tuple(notes)

    def show_write_error(self, error: LogWriteError, key: str = "space") -> None:
        """Show that the log cannot be written, and which key tries again."""
        if self.sitting.house.remote:
            advice = (
                "Play continues automatically" if key == "space" else f"Press {key} again later"
            )
            self.view.say(f"Log not written: {error.strerror}. {advice}.", "bad")
            return
        reason = f"The log cannot be written: {error.strerror}. Free some space, then press {key}."
        self.view.say(reason, "bad")
        self.call_later(self.refresh_bindings)  # once the table has stopped

    @work(name="again", group="again", exclusive=True)
    async def _retry_later(self, do: Callable[[], object]) -> None:
        """Try again on a server once the ledger can be read.

        The ledger is asked on a thread, because an unreachable database blocks the caller.
        """
        house, away = self.sitting.house, True
        while away:
            await asyncio.sleep(AGAIN)
            with suppress(LedgerError):
                if house.ledger is not None:
                    await asyncio.to_thread(house.ledger.balance, house.player)
                away = False
        if not self._has_left:
            do()

    def try_again(self, do: Callable[[], object]) -> None:
        """On a server, repeat the failed write soon, because the player cannot free space there."""
        if self.sitting.house.remote:
            self._retry_later(do)

    def say_answer(self, lines: tuple[str, ...]) -> None:
        """Show the answer to a question: in the message line if it fits, otherwise on a page."""
        room = self.view.message.size.width or self.size.width
        lines = tuple(map(with_negative_numbers, lines))
        if len(lines) > 1 or len(lines[0]) > room:
            self.end_working()
            open_over(self, modals.TextPage(self.name_of_game, "\n".join(lines)), aside=True)
        else:
            self.view.say(lines[0])

    def list_mistakes(self) -> None:
        """Show the costliest mistakes of this session, or say why the list is empty."""
        view = self.view
        if not self.is_active:  # the player has moved on while choices were evaluated
            return
        if lines := (*mistake_lines(view, view.totals.costliest),):
            title = f"Mistakes: cost in {view.definition.unit_name}"
            open_over(self, modals.TextPage(title, "\n".join(lines)))
        else:
            key = key_name_of_binding(self, "game.mistakes")
            self.line.show_message(HintMessage("refused", key, self.labels.no_mistakes()))

    @property
    def current_hints(self) -> tuple[Hint, ...]:
        """The current actions, in the form that the hint line needs."""
        return self.line.hints

    def binding_label(self, action: str) -> str | None:
        """Return the current name of a key's action, or ``None`` for its usual name."""
        return self.labels.binding_label(action)

    # ---- other tables, taking back --------------------------------------------------------

    @property
    def other_tables(self) -> Mapping[str, str]:
        has_one = self.attempt or self.sitting.shared_table
        return {} if self.sitting.staked or has_one else self.face.tables.titles

    def sit_at(self, name: str) -> None:
        """Cash out here and sit down at this table."""
        self._change_table(name)

    def action_tables(self) -> None:
        self._change_table()

    @work(name="action_tables")
    async def _change_table(self, name: str | None = None) -> None:
        tables = self.face.tables
        if self.sitting.staked:
            self.line.show_message(
                HintMessage("refused", "F4", f"finish this {tables.round} first.")
            )
            return
        try:
            seating = await choose_table(
                self, tables, self.table.options, self.folder, self._is_present_table, name
            )
        except BadInput as error:
            self.view.say(str(error), "bad")
        else:
            if seating is not None and (tables.reseat or not self._is_present_table(seating)):
                self.leave_for(seating)

    def _is_present_table(self, seating: AnyTableSetup) -> bool:
        """Return whether a seating is for the current table; the buy-in does not matter."""
        game, players = self.table.game, self.info.players
        same = game.sit(seating.options, 0) == game.sit(self.table.options, 0)
        return same and seating.players == players

    def action_step_back(self) -> None:
        """Take back the last choice, and show the table as it was before it."""
        if self._has_left or not self.sitting.may_undo:
            return
        stopped = self.pacing.is_running
        self.pause_table()
        try:
            changed = self.sitting.step_back()
        except (BadInput, OSError) as error:
            reason = error.strerror if isinstance(error, OSError) else error
            self._no_step_back(f"your choice cannot be taken back: {reason}.")
        else:
            if changed:
                self._has_left = True
                self.dismiss(self.sitting)
                return
            self._no_step_back("you have not made a choice yet.")
        if stopped:
            self.run_table()

    def _no_step_back(self, reason: str) -> None:
        self.line.show_message(
            HintMessage("refused", key_name_of_binding(self, "game.step_back"), reason)
        )

    def action_compare(self) -> None:
        """Show the choices that the player has tried in one position, with their results."""
        if self.sitting.may_undo and not self._has_left:
            self.tasks.run(
                "compare", self._load_alternatives, self._show_alternatives, lambda: self.is_alive
            )

    def _load_alternatives(self) -> tuple[int, tuple[Alternative[A], ...]] | str:
        try:
            return self.sitting.alternatives() or "no choice was undone in this position."
        except BadInput as error:
            return str(error)

    def _show_alternatives(self, result: tuple[int, tuple[Alternative[A], ...]] | str) -> None:
        """Show the alternatives side by side, with their cards."""
        from ...records.tried_choices import (
            format_alternatives,  # late: only after a choice was taken back
        )

        if isinstance(result, str):
            self.line.show_message(HintMessage("refused", "U", result))
        else:
            lines = format_alternatives(
                self.definition, *result, partial(describe_action, self.view)
            )
            self.say_answer(tuple(map(with_card_signs, lines)))

    # ---- leaving --------------------------------------------------------------------------

    def action_leave(self) -> None:
        """Cancel running advice, or else cash out and leave; ask first if something is open."""
        if self.tasks.cancel("figures", "answer"):
            self.view.show_prompt(self.view.seen)
            return
        self._leave()

    @work(name="action_leave")
    async def _leave(self, game: str | None = None) -> None:
        if self._asked_to_leave or not self.is_active:  # an impatient player presses more than once
            return
        self._asked_to_leave = True
        try:
            sure = await self._confirm_leave()
        finally:
            self._asked_to_leave = False
        if sure:
            self.leave_for(game)

    def leave_for_game(self, game: str) -> None:
        """Cash out and open another game; ask first if a bet is at stake."""
        self._leave(game)

    async def _confirm_leave(self) -> bool:
        """Ask before leaving a bet or an unfinished game; meanwhile the table pauses."""
        sitting = self.sitting
        if self.attempt is not None or not (sitting.staked or sitting.unfinished):
            return True
        stopped = self.pacing.is_running
        self.pause_table()
        is_shared = sitting.shared_table is not None
        title, text = GAME, GIVEN_UP if is_shared else UNFINISHED
        if sitting.staked:
            staked = BET_WITH_OTHERS if is_shared else STAKED
            title, text = BET, staked if sitting.house.can_resume else NOT_KEPT
        dialog = modals.ConfirmationDialog(title, text, "Leave", "Stay")
        sure = await ask_over(self, dialog)
        if stopped and not sure:
            self.run_table()
        return bool(sure)

    def leave_for(self, seating: AnyTableSetup | str | None) -> None:
        """Cash out and leave, for the menu, another seating or a game; later calls do nothing.

        The result is shown on the next screen.
        """
        if not self._has_left and (text := self._cash_out(seating)) is not None:
            self._dismiss_with(seating, text)

    def _dismiss_with(self, seating: AnyTableSetup | str | None, text: str) -> None:
        self._has_left = True
        self.dismiss(seating)
        self.show_notices()
        if text := " ".join(filter(None, (text, "" if seating else self.view.farewell))):
            self.app.notify(text)

    def _cash_out(self, seating: AnyTableSetup | str | None) -> str | None:
        """Leave the session and return a message; return ``None`` if it cannot be ended now."""
        self.pause_table()
        try:
            return cash_out(self.sitting, keep=self.attempt is None or not self.attempt.over)
        except LedgerBusy:
            dialog = modals.LedgerBusyDialog(lambda: asyncio.to_thread(cash_out, self.sitting))
            self.app.push_screen(dialog, partial(self._finish_cash_out, seating))
        except (LogWriteError, LedgerError) as error:
            self._show_cash_out_error(error)
        return None

    def _finish_cash_out(
        self, seating: AnyTableSetup | str | None, text: str | Exception | None
    ) -> None:
        """Handle the outcome of waiting for the ledger; ``None`` if the player gave up."""
        if isinstance(text, Exception):
            self._show_cash_out_error(text)
        elif text is not None:
            self._dismiss_with(seating, text)

    def _show_cash_out_error(self, error: Exception) -> None:
        if isinstance(error, LogWriteError):
            self.show_write_error(error, "Esc")
        else:
            self.notify(f"{error}. Your money stays at the table.", severity="error")


def _fault_text(fault: Exception) -> str:
    if isinstance(fault, BadInput):
        return f"{fault}."
    return f"{report_fault(fault, 'A background task failed')}."
