"""A live table: handle what the player types and presses, and let the table play."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import fields, replace
from typing import Any, ClassVar, cast

from textual.binding import Binding, BindingType
from textual.events import Key
from textual.widget import Widget

from ...engine.event_bus import ALL_CARDS, TableUpdate
from ...engine.game import A, E, IllegalAction, O, S, SittingOver
from ...engine.money import dollars
from ...gamekit.table_setup import AnyTableSetup
from ...gamekit.tally import T
from ...house.command_reader import ActionCommand, HouseVerb, QuestionAnswer, RefusedCommand
from ...house.sitting import Sitting
from ...records.replay import replay_log
from ...records.session_log import LogWriteError, read_log
from ..modal_windows import open_over, window_columns
from ..modals import TextPage
from ..widgets.command_line import (
    CommandLine,
    EscapePressed,
    LineRequest,
    LineSubmitted,
    MotionSkipped,
    UnboundKey,
)
from ..widgets.hint_strips import Hint, HintMessage
from ..widgets.key_bar import OUT, VERB
from ..widgets.key_names import key_name_of_binding, pressed_key_name
from .action_labels import TAKES_BACK
from .choice_evaluator import ChoiceEvaluator
from .cursor_sync import CursorSync
from .face import Face
from .keys_help import help_text, keys_text
from .screen import STATISTICS
from .seated_table import SeatedTable
from .view import PRIMARY
from .view_requests import (
    DoActions,
    EnterLine,
    OpenWindow,
    SelectionChanged,
    ShowMessage,
    ShowRefusal,
    SitDown,
    TurnPage,
    ViewChanged,
    ViewRequest,
)

MOST_RECALLED = 10_000
"""The most steps of a resumed session that are replayed to the view; they take half a second."""


class LiveTable(SeatedTable[O, S, A, E, T]):
    """A table at which the human of a session plays; ``seating`` is how to sit down here again.

    The screen returns the next seating, the session that continues after a step back, or ``None``.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space", "screen.primary", "Main action", id="game.primary", group=VERB),
        Binding("a", "advice", "Advice", id="game.advice"),
        Binding("o", "figures", "Odds", id="game.odds"),
        Binding("O", "table_odds", "Odds of the table", id="game.table_odds", show=False),
        Binding("t", "trainer", "Trainer", id="game.trainer"),
        Binding("f1,question_mark", "help", "Help", id="game.help", key_display="F1"),
        Binding("f2", "statistics", "Statistics", id="game.statistics", key_display="F2"),
        Binding("f3", "app.settings", "Settings", id="app.settings", key_display="F3"),
        Binding("f4", "tables", "Table", id="game.tables", key_display="F4"),
        Binding("escape", "leave", "Leave", id="game.leave", key_display="Esc", group=OUT),
        Binding("u", "step_back", "Take back", id="game.step_back", group=VERB),
        Binding("m", "mistakes", "Mistakes", id="game.mistakes", group=VERB),
        Binding("U", "compare", "Compare", id="game.compare", show=False),
        Binding("dollar_sign", "ask('$')", "Credit", id="game.credit", show=False),
    ]

    def __init__(
        self,
        title: str,
        face: Face[O, S, A, E, T],
        sitting: Sitting[O, S, A, E, T],
        seating: AnyTableSetup | None = None,
    ) -> None:
        super().__init__(title, face, sitting, seating)
        self.view.live = True
        self._had_primary = False
        self._history: list[tuple[S, tuple[E, ...]]] = []
        self._early: list[LineSubmitted | MotionSkipped] = []  # entered while the table plays on
        self.evaluator = ChoiceEvaluator(self.view, face, self.tasks, self._show_evaluated)
        self.cursor_sync = CursorSync(self.view)
        self._subscriptions: list[Callable[[], None]] = []

    # ---- showing the table ----------------------------------------------------------------

    def bottom_line(self) -> Widget:
        """Return the command line."""
        self.line = CommandLine(self.labels.openers)
        return self.line

    def hint(self, hints: tuple[Hint, ...], keys: frozenset[str]) -> None:
        """Show what the player can do now."""
        self._had_primary = self.labels.has_primary
        self.line.number_word = self.view.number_word
        self.line.hint(self.labels.in_order(hints), self.view.leading_action)

    def open_table(self) -> None:
        """Subscribe to the table, show it, and let the croupier begin."""
        if not (lines := self.query(CommandLine)):  # the player left before the layout was done
            return
        lines.first().focus()
        self.dialogue.recall()
        self.recall()
        self.view.animates, self.view.awaited = self.animates, self.table.waiting
        self.view.present(self.view.seen)
        self.describe()
        self.refresh_bindings()
        if self.sitting.lent:
            self.notify(f"The house lends you {dollars(self.sitting.lent)}.")
        if self.sitting.log.steps:
            back = self.sitting.taken_back
            compare = key_name_of_binding(self, "game.compare")
            retry = f"Choose again; {compare} compares the results."
            practice = ", as free play" if self.sitting.practice else ""
            on = f"You continue from step {self.sitting.log.steps}{practice}."
            self.notify(retry if back else on)
        self.run_table()

    def on_unmount(self) -> None:
        """Unsubscribe from the table."""
        self._unsubscribe()

    def _unsubscribe(self) -> None:
        for end in self._subscriptions:
            end()
        self._subscriptions = []

    def recall(self) -> None:
        """Subscribe with the current player's view, and replay what they have seen so far."""
        self._unsubscribe()
        bus = self.table.bus
        self._subscriptions = [bus.subscribe(self.dialogue.viewer, self._update)]
        if self.dialogue.shared:  # the next player at the keyboard may see other cards
            self._subscriptions.append(bus.subscribe(ALL_CARDS, self._record))
        game, eyes = self.table.game, self.dialogue.viewer
        tally = self.definition.tally(self.view.seat)
        if not 0 < self.sitting.log.steps <= MOST_RECALLED:
            self.reset_view(self.table.view(eyes), self.dialogue.tally)
            return
        self.reset_view(game.view(game.start(self.table.options), eyes), tally)
        happened: Iterable[tuple[S, tuple[E, ...]]] = self._history or (
            (played.state, played.events)
            for played in replay_log(game, read_log(self.sitting.log.path))
        )
        if self.dialogue.shared:
            happened = self._history = [*happened]
        for state, events in happened:
            visible_events = [game.hear(state, event, eyes) for event in events]
            for event in visible_events:
                tally = tally.add(event)
            self.apply_update(game.view(state, eyes), tally, visible_events)

    def _record(self, update: TableUpdate[S, E]) -> None:
        self._history.append((update.state, update.events))

    def _update(self, update: TableUpdate[S, E]) -> None:
        try:
            self.view.awaited = self.table.waiting
            self.apply_update(update.state, self.dialogue.tally, update.events)
            self.view.present(update.state)
        except Exception as error:  # or the table continues without a screen
            self.app.call_later(_raise, error)

    def await_player(self) -> None:
        """Turn to the player who has to choose, and carry out what they entered too early."""
        self.show_notices()
        self.turn(self.dialogue.recall())
        self.refresh_bindings()
        self.describe()
        self.cursor_sync.update()
        self._show_prompt()
        self.refresh_panel()
        self.call_later(self._catch_up)

    def _show_prompt(self) -> None:
        """Show what the player is asked, or why the session is over."""
        self.view.show_prompt(self.view.seen)
        turn = self.table.game.turn(self.table.state)
        if isinstance(turn, SittingOver):
            self.view.show_ending(turn.reason)

    def _catch_up(self) -> None:
        """Carry out what was entered while other players were acting."""
        early, self._early = self._early, []
        for request in early:
            self._enter(request)

    def finish_motion(self) -> bool:
        """Let any key finish the motion; return true if that is all it did."""
        return self.view.finish_motion() or self.pacing.skip_motion()

    def meaning(self, line: str) -> HintMessage:
        """Describe what a line would do, or why it would be refused."""
        return self.labels.meaning(line)

    def label(self, hint: Hint) -> Hint:
        """Return a hint with the current name and keys of its action."""
        return self.labels.label(hint)

    # ---- requests of the player -----------------------------------------------------------

    def handle(self, request: ViewRequest[A] | LineRequest) -> None:
        """Carry out a request from the view or the command line; nothing else does.

        While a window is open, a request of the view is dropped: its key was for the window.
        """
        match request:
            case LineSubmitted() | MotionSkipped():
                self._enter(request)
            case EscapePressed():
                self.action_leave()
            case _ if self._has_left or not self.is_active:
                pass  # it was meant for a window
            case UnboundKey(key, label):
                self.line.show_message(self.labels.unbound(key, label))
            case _:
                self._handle_view(request)

    def _enter(self, request: LineSubmitted | MotionSkipped) -> None:
        """Carry out a line, or the digit whose key ended the motion, once the table waits.

        A digit places, marks or plays a card that is visible. Other keys only end the motion.
        """
        match request:
            case LineSubmitted(line) if self.pacing.is_dealing:
                self.finish_motion()
                self._early.append(request)
            case LineSubmitted(line):
                self.do(line)
            case MotionSkipped(event) if PRIMARY in self._actions_of(event):
                pass  # the key's main action now is to end the motion
            case MotionSkipped(event) if not (event.character or "").isdecimal():
                text = "only sped up the deal."
                self.line.show_message(HintMessage("told", pressed_key_name(event), text))
            case MotionSkipped() if self.pacing.is_running:
                self._early.append(request)
            case MotionSkipped(event) if self.is_active and not self._has_left:
                # forwarded from here, the key would not reach the app
                self.app.call_later(self.app.simulate_key, event.key)

    def _actions_of(self, event: Key) -> set[str]:
        bound = (self.active_bindings.get(key) for key in event.aliases)
        return {active.binding.action for active in bound if active is not None}

    def _handle_view(self, request: ViewRequest[A]) -> None:
        match request:
            case OpenWindow(window):
                open_over(self, window, aside=isinstance(window, TextPage))
            case ViewChanged() | SelectionChanged():
                self.cursor_sync.update()
                self.line.clear_refusal()
                self.evaluator.warned = None
                if request == ViewChanged():
                    self.describe()
                self.refresh_panel()
                self._refresh_hints()
            case TurnPage():
                self.view.turn_page()
                self.refresh_bindings()
            case ShowRefusal(word, reason, hint):
                word = self.line.pressed or word
                self.line.show_message(HintMessage("refused", word, reason, hint))
            case ShowMessage(message):
                self.line.show_message(message)
            case EnterLine(line):
                self.do(line)
            case SitDown(change) if not self.finish_motion() and self.seating is not None:
                self.leave_for(change(self.seating))
            case DoActions(actions) if not self.finish_motion():
                for action in actions:
                    if not self._try(action):
                        return

    def _try(self, action: A) -> bool:
        """Carry out an action, or show why it is refused."""
        if reason := self.dialogue.refusal():
            self.line.show_message(HintMessage("refused", "", reason))
            return False
        try:
            return self.submit(action)
        except IllegalAction as error:
            message = self.labels.refused_action(action, error, self.dialogue.situation())
            self.line.show_message(replace(message, word=self.line.pressed or message.word))
            return False

    def submit(self, action: A) -> bool:
        """Carry out an action unless the view may warn of it; return whether it was done.

        Raises :class:`~tui_casino.engine.game.IllegalAction`.
        """
        seen, face = self.view.seen, self.face
        self.table.check(self.view.seat, action)
        if self.evaluator.warn(
            action, lambda: self._try(action), self._is_current(self.view.snapshot())
        ):
            return False
        try:
            self.dialogue.act(action)
        except LogWriteError as error:
            self.show_write_error(error)
            still = self._is_current(self.view.snapshot())
            self.try_again(lambda: still() and self._try(action))
            return False
        self.evaluator.warned = None
        self.line.clear_refusal()
        self.view.selection = ()
        self.view.say("")
        self.view.after_action(action)
        if face.advice.every_choice or self.panel_shown or self.view.weighs:
            self.evaluator.weigh(seen, action)
        self.run_table()
        return True

    def _show_evaluated(self) -> None:
        """Show the evaluation of a choice."""
        self.refresh_panel()
        self.line.refresh_hints()

    def do(self, line: str) -> None:
        """Carry out a typed line or answer it; during a deal only finish the deal.

        A line that was still on its way when a window opened is dropped, because later input is
        meant for the window.
        """
        if self._has_left or not self.is_active or self.finish_motion():
            return
        if self.is_covered:
            self.turn([])
        elif not self._answer_on_screen(line):
            self._read(line)

    def _read(self, line: str) -> None:
        match self.dialogue.read(line, may_undo=self.sitting.may_undo):
            case ActionCommand(action):
                self._act_typed(line, action)
            case QuestionAnswer(_, lines):
                self.say_answer(lines)
            case RefusedCommand(word, reason):
                self.line.show_message(self.labels.refused(line, word, reason))
            case HouseVerb.HELP:
                self.action_help()
            case HouseVerb.LEAVE:
                self.action_leave()
            case HouseVerb.BACK:
                self.action_step_back()
            case HouseVerb.COMPARE:
                self.action_compare()

    def _act_typed(self, line: str, action: A) -> None:
        """Carry out a typed action; let it wait while a computer player is thinking."""
        if self.pacing.is_running and not self.table.waiting:
            self._early.append(LineSubmitted(line))
        else:
            self._mark(action)
            self.submit(action)

    def _mark(self, action: A) -> None:
        """Mark the values of a typed action, so that Space carries it out after a warning."""
        slot, named = self.view.open_slot(), cast(Any, action)
        for value in (getattr(named, field.name) for field in fields(named)) if slot else ():
            if isinstance(value, tuple) and slot is not None and {*value} <= {*slot.values}:
                self.view.selection = value
                self.view.present(self.view.seen)

    def _answer_on_screen(self, line: str) -> bool:
        """Answer on the screen what has its own page or may take long; return false otherwise."""
        word, face = line.strip().lower(), self.face
        if word in STATISTICS and word in self.definition.words.questions:
            self.action_statistics()
        elif word in face.advice.answers:
            snapshot, answer = self.view.snapshot(), face.advice.answers[word]
            self.show_working()
            self.tasks.run(
                "answer",
                lambda: answer(snapshot),
                lambda lines: self.say_answer(lines) if lines else self._unanswered(line),
                self._is_current(snapshot),
            )
        else:
            return False
        return True

    def _unanswered(self, line: str) -> None:
        """Show the prompt again, and then why there is no answer."""
        self._show_prompt()
        self._read(line)

    def action_primary(self) -> None:
        """Carry out the first action on offer, with the marked values or the usual ones."""
        if self._has_left or not self.is_active or self.finish_motion():
            return
        if self.is_covered:
            self.turn([])
            return
        if self.pacing.is_spectated and not self.table.waiting:
            if self.pacing.is_running:
                self.pause_table()
            else:
                self.run_table()
            self._refresh_hints()
            return
        if not (self.table.waiting or self.pacing.is_running or self.labels.is_over):
            self.run_table()  # the log could not be written before
            return
        view = self.view
        if own := view.primary:
            self.handle(own)
        elif actions := view.default_actions:
            for action in actions:
                self._try(action)
        elif self.labels.is_over:
            self.leave_for(self.seating)
        else:
            reason = self.labels.primary_disabled_reason()
            self.line.show_message(HintMessage("refused", "space", reason))

    def action_advice(self) -> None:
        """Show the adviser's best choice."""
        self.do("a")

    def action_trainer(self) -> None:
        """Switch the trainer on or off."""
        self.view.weighs = not self.view.weighs
        self.view.present(self.view.seen)
        self.handle(ViewChanged())

    def action_ask(self, word: str) -> None:
        """Ask the question of a command word."""
        self.do(word)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Grey out actions that are not available now or not at this table."""
        match action:
            case "primary":
                usable = self.labels.has_primary
            case "advice" | "figures" | "trainer" if self.is_covered:
                usable = False
            case "advice":
                usable = "a" in self.definition.words.questions and not self.labels.is_over
            case "table_odds":
                usable = self.face.pages.odds is not None
            case "figures":
                usable = self.face.pages.figures is not None
            case "trainer":
                usable = self.definition.adviser.has_judge
            case "step_back" | "compare":
                usable = self.labels.can_take_back
            case _:
                return True
        return True if usable else None

    def _refresh_hints(self) -> None:
        """Update the hints: the available actions, if they have changed, and their names."""
        able = self.labels.has_primary
        if able != self._had_primary:
            self._had_primary = able
            self.refresh_bindings()
        self.line.refresh_hints()

    # ---- help, other tables, taking back --------------------------------------------------

    def action_help(self) -> None:
        """Show the help page: every key, the rules in short, and every command."""
        active = [
            one
            for one in self.active_bindings.values()
            if one.binding.action not in TAKES_BACK or self.sitting.may_undo
        ]
        columns = window_columns(self.app.size.width, aside=True)
        keys = keys_text(active, self.binding_label, columns)
        text = help_text(self.sitting, self.view.seen, keys, self.face.keys)
        open_over(self, TextPage(self.name_of_game, text), aside=True)

    @property
    def current_hints(self) -> tuple[Hint, ...]:
        """The current actions, as the hint line lists them."""
        return self.line.hints

    def binding_label(self, action: str) -> str | None:
        """Return the current name of a key's action, or ``None`` for its usual name."""
        return self.labels.binding_label(action)


def _raise(error: Exception) -> None:
    raise error
