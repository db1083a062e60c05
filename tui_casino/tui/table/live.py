"""A live table: handle the player's keys and commands, and let the table play."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Protocol, runtime_checkable

from textual.binding import Binding, BindingType
from textual.events import Key
from textual.geometry import Offset
from textual.widget import Widget

from ...engine.event_bus import ALL_CARDS, TableUpdate
from ...engine.game import A, E, IllegalAction, O, S, SittingOver
from ...engine.money import dollars
from ...gamekit.table_catalog import AnyTableSetup
from ...gamekit.tally import T
from ...house.sitting import Sitting
from ...house.table_commands import ActionCommand, HouseVerb, QuestionAnswer, RefusedCommand
from ...records.replay import replay_log
from ...records.session_log import LogWriteError, read_log
from ...structs import replace
from ..terminal.input_reader import RepeatedKey
from ..widgets.command_line import (
    CommandLine,
    EscapePressed,
    LineRequest,
    LineSubmitted,
    MotionSkipped,
    UnboundKey,
)
from ..widgets.hint_line import Hint, HintMessage
from ..widgets.key_bar import OUT, VERB
from ..widgets.key_names import key_name_of_binding, pressed_key_name
from ..widgets.painter import put_cursor
from ..window import open_over
from .action_labels import ADVISES, TAKES_BACK
from .action_text import mark_typed_values
from .choice_evaluator import NOT_JUDGED, WHY, ChoiceEvaluator
from .face import Face
from .keys_help import help_text, key_notes, keys_text
from .lazy import hot_seat_screen, modals
from .listed_view import PRIMARY
from .screen import STATISTICS
from .seated_table import SeatedTable, top_up_offer
from .view import (
    DoActions,
    EnterLine,
    EvaluateChoices,
    MotionEnded,
    OpenWindow,
    SelectionChanged,
    ShowMessage,
    ShowRefusal,
    SitDown,
    TableView,
    TurnPage,
    ViewChanged,
    ViewRequest,
)

if TYPE_CHECKING:
    from ...daily.session import DailySession
    from ...house.session_goal import SessionGoal


CORNER = Offset(1, 1)
"""The position of the rank within a card."""


@runtime_checkable
class CardLocator(Protocol):
    """A widget with cards that may be marked."""

    def corner(self, place: int) -> Offset | None:
        """Return the screen position of the card at a place, counted from 1, or ``None``."""
        ...


class CursorSync:
    """Keeps the cursor on the last card marked, or on the first card if none is marked yet."""

    def __init__(self, view: TableView[Any, Any, Any, Any, Any]) -> None:
        self._view = view
        self._marked: frozenset[object] | None = None

    def update(self) -> None:
        """Move the cursor to the last card marked, if the player has to choose cards."""
        view, before = self._view, self._marked
        if view.open_slot() is None:
            self._marked = None
            return
        self._marked = frozenset(view.selection)
        touched = {1} if before is None else self._marked ^ before
        places = sorted(place for place in touched if isinstance(place, int))
        cards = next((w for w in view.walk_children() if isinstance(w, CardLocator)), None)
        if places and cards is not None and (corner := cards.corner(places[0])) is not None:
            put_cursor(view.app, corner + CORNER)


READING_SECONDS = 0.3
"""How long a question that appeared by itself is on the screen before a key can answer it."""
MOST_RECALLED = 10_000
"""The maximum number of replayed steps when a session is resumed; they take half a second."""


def raise_error(error: Exception) -> None:
    """Raise an error, for example later in the event loop."""
    raise error


class SeatEvents(Generic[O, S, A, E, T]):
    """Passes the updates of a session's table on, and keeps them if players share the keyboard.

    The next player at a shared keyboard may see other cards, so earlier events are filtered again.
    """

    def __init__(self, sitting: Sitting[O, S, A, E, T]) -> None:
        self._sitting = sitting
        self._history: list[tuple[S, tuple[E, ...]]] = []
        self._subscriptions: list[Callable[[], None]] = []

    def subscribe(self, update: Callable[[TableUpdate[S, E]], None]) -> None:
        """Call ``update`` with each update as the present player sees it, instead of before."""
        self.unsubscribe()
        bus, dialogue = self._sitting.table.bus, self._sitting.dialogue
        self._subscriptions = [bus.subscribe(dialogue.viewer, update)]
        if dialogue.shared:
            self._subscriptions.append(bus.subscribe(ALL_CARDS, self._record))

    def unsubscribe(self) -> None:
        """End all subscriptions."""
        for end in self._subscriptions:
            end()
        self._subscriptions = []

    def earlier(self) -> Iterable[tuple[S, tuple[E, ...]]]:
        """Return all earlier states and events, or nothing if there are too many to replay."""
        sitting = self._sitting
        if not 0 < sitting.log.steps <= MOST_RECALLED:
            return ()
        happened: Iterable[tuple[S, tuple[E, ...]]] = self._history or (
            (played.state, played.events)
            for played in replay_log(sitting.table.game, read_log(sitting.log.path))
        )
        if sitting.dialogue.shared:
            happened = self._history = [*happened]
        return happened

    def _record(self, update: TableUpdate[S, E]) -> None:
        self._history.append((update.state, update.events))


NOT_UNAIDED = (*ADVISES, "tables", "again")
"""The actions that are off where nobody is helped: those of advice, and other cards or tables."""


class LiveTable(SeatedTable[O, S, A, E, T]):
    """A table at which a human plays; ``seating`` describes how to sit down here again.

    The screen returns the next seating, the session to continue after a step back, the slug of the
    game to open next, or ``None``.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space", "screen.primary", "Main action", id="game.primary", group=VERB),
        Binding("a", "advice", "Advice", id="game.advice"),
        Binding("o", "figures", "Odds", id="game.odds"),
        Binding("O", "table_odds", "Odds at the table", id="game.table_odds", show=False),
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
        attempt: DailySession | None = None,
    ) -> None:
        super().__init__(title, face, sitting, seating, attempt)
        self.view.live = True
        self._had_primary = False
        self._is_skipping = False  # while a key of the player ends the motion
        self._asked_at: float | None = None  # when a question last appeared by itself
        self.used_trainer = False  # the desk asks once the player has left
        self.goal: SessionGoal | None = None
        self._early: list[LineSubmitted | MotionSkipped] = []  # entered while the table plays on
        self.evaluator = ChoiceEvaluator(self.view, face, self.tasks, self._show_evaluated)
        self.cursor_sync = CursorSync(self.view)
        self.seat_events = SeatEvents(sitting)

    # ---- showing the table ----------------------------------------------------------------

    def bottom_line(self) -> Widget:
        self.line = CommandLine()
        return self.line

    def hint(self, hints: tuple[Hint, ...], keys: frozenset[str]) -> None:
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
        if self.view.trains:  # choices at the previous table may not be evaluated yet
            self.evaluator.evaluate()
        self.view.tempo, self.view.awaited = self.tempo, self.pacing.is_turn
        self.view.present(self.view.seen)
        self.describe()
        self.refresh_bindings()
        if self.sitting.lent:
            self.notify(f"The house lends you {dollars(self.sitting.lent)}.")
        if words := self.welcome:
            self.notify(words)
        if self.dialogue.shared and not self.sitting.house.seat_names:
            self.app.push_screen(hot_seat_screen.NamesDialog(), self.name_players)
        else:
            self.run_table()

    @property
    def welcome(self) -> str:
        """The message to a player who continues a session; empty at a new one."""
        if not self.sitting.log.steps:
            return ""
        if self.sitting.taken_back:
            compare = key_name_of_binding(self, "game.compare")
            return f"Choose again; {compare} compares the results."
        free = self.sitting.practice and not self.sitting.for_points
        return f"You continue where you stopped{', as free play' if free else ''}."

    def on_unmount(self) -> None:
        self.seat_events.unsubscribe()

    def recall(self) -> None:
        """Subscribe to updates as the current player sees them, and replay the earlier ones."""
        self.seat_events.subscribe(self._update)
        game, eyes = self.table.game, self.dialogue.viewer
        tally = self.definition.tally(self.view.seat)
        if not (earlier := self.seat_events.earlier()):
            self.reset_view(self.table.view(eyes), self.dialogue.tally)
            return
        self.reset_view(game.view(game.start(self.table.options), eyes), tally)
        for state, events in earlier:
            visible_events = [game.hear(state, event, eyes) for event in events]
            for event in visible_events:
                tally = tally.add(event)
            self.apply_update(game.view(state, eyes), tally, visible_events)

    def _update(self, update: TableUpdate[S, E]) -> None:
        try:
            view, before = self.view, self.view.tally
            view.awaited = self.pacing.is_turn
            self.apply_update(update.state, self.dialogue.tally, update.events)
            if view.tally.rounds > before.rounds:
                wagered, won = view.tally.wagered - before.wagered, view.tally.won - before.won
                view.stage_round(wagered, won)
            view.present(update.state)
            if view.tally.rounds > before.rounds:  # a daily deal waits before the next round
                self.describe()
        except Exception as error:  # otherwise the table would continue without a screen
            self.app.call_later(raise_error, error)

    def await_player(self) -> None:
        """Let the player who has to choose act, and carry out what they entered early."""
        self.show_notices()
        if self.attempt is not None and self.attempt.over:
            self.leave_for(None)
            return
        if not self.view.awaited:
            self.view.awaited = self.table.waiting
            self.view.present(self.view.seen)
        self.turn(self.dialogue.recall())
        self.refresh_bindings()
        self.describe()
        self.cursor_sync.update()
        self._show_prompt()
        if self.pacing.ended_by_itself:
            self._asked_at = monotonic()
        self.refresh_panel()
        if (goal := self.goal) is not None:
            show, is_alive = self.title_bar.add_aside, lambda: self.is_alive
            self.tasks.run("goal", lambda: goal.progress().titles, show, is_alive)
        self.call_later(self._catch_up)

    def _show_prompt(self) -> None:
        """Show the prompt for the player, or why the session is over."""
        self.view.show_prompt(self.view.seen)
        turn = self.table.game.turn(self.table.state)
        if isinstance(turn, SittingOver) and not self.view.is_revealing:
            self.view.show_ending(turn.reason)

    def _catch_up(self) -> None:
        """Carry out what was entered while other players were acting."""
        early, self._early = self._early, []
        for request in early:
            self.line.show_message(None)
            self._enter(request)

    @property
    def is_reading(self) -> bool:
        """Whether a daily deal shows the end of a round or a count, so that any key continues."""
        return self.pacing.is_reading

    def finish_motion(self) -> bool:
        """Finish any motion; return true if there was some, so that the key has to wait."""
        self._is_skipping = True
        try:
            return self.view.finish_motion() or self.pacing.skip_motion()
        finally:
            self._is_skipping = False

    def is_new_question(self, time: float) -> bool:
        """Return whether a key of this time is too early to answer a question.

        A question that appeared by itself has to be on the screen for :data:`READING_SECONDS`.
        """
        asked = self._asked_at
        return asked is not None and time - asked < self.reading_seconds

    @property
    def reading_seconds(self) -> float:
        """The time for which a question that appears by itself takes no answer."""
        return READING_SECONDS if self.tempo > 0 else 0

    # ---- requests of the player -----------------------------------------------------------

    def handle(self, request: ViewRequest[A] | LineRequest) -> None:
        """Carry out a request from the view or the command line; all requests come through here.

        While a window is open, requests from the view are dropped: their keys were for the window.
        """
        match request:
            case LineSubmitted() | MotionSkipped():
                self._enter(request)
            case EscapePressed() if self.evaluator.warned is not None:
                self.evaluator.warned = None
                self._show_prompt()
            case EscapePressed():
                self.action_leave()
            case MotionEnded() if not self._has_left:
                self._show_prompt()
                if not self._is_skipping:
                    self._asked_at = monotonic()
                self.refresh_bindings()
                self.refresh_panel()
            case _ if self._has_left or not self.is_active:
                pass  # the request was meant for a window
            case UnboundKey(key, label):
                self.line.show_message(self.labels.unbound(key, label))
            case _:
                self._handle_view(request)

    def _enter(self, request: LineSubmitted | MotionSkipped) -> None:
        """Carry out a line, or the key that ended the motion, once the table awaits the player.

        The key of the main action, and keys that can do nothing afterwards, only end the motion.
        """
        match request:
            case MotionSkipped(event) if (
                self._has_left
                or self.pacing.is_reading
                or isinstance(event, RepeatedKey)
                or PRIMARY in self._actions_of(event)
            ):
                pass  # the key's main action now is to end the motion
            case LineSubmitted() | MotionSkipped() if self.pacing.is_dealing:
                self.finish_motion()
                self._early.append(request)
                if isinstance(request, MotionSkipped) and self.pacing.is_thinking:
                    self._say_of_key(request.event, "follows when it is your turn.")
            case LineSubmitted(line):
                self.do(line)
            case MotionSkipped(event) if self.is_active and any(self._actions_of(event).values()):
                # forwarded from here, the key would not reach the app
                self.app.call_later(self.app.simulate_key, event.key)
            case MotionSkipped(event):
                self._say_of_key(event, "only sped up the deal.")

    def _say_of_key(self, event: Key, text: str) -> None:
        self.line.show_message(HintMessage("told", pressed_key_name(event), text))

    def _actions_of(self, event: Key) -> dict[str, bool]:
        """Return the actions of a key, and whether each is available now."""
        bound = (self.active_bindings.get(key) for key in event.aliases)
        return {active.binding.action: active.enabled for active in bound if active is not None}

    def _handle_view(self, request: ViewRequest[A]) -> None:
        match request:
            case OpenWindow(window):
                modals.open_game_window(self, window)
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
            case EvaluateChoices():
                self.evaluator.evaluate()
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
        """Carry out an action, unless it is held back first; return whether that happened.

        Raises :class:`~tui_casino.engine.game.IllegalAction`.
        """
        seen = self.view.seen
        self.table.check(self.view.seat, action)
        if self._needs_new_key:
            self.line.refuse_held_key()
            return False
        self.view.before_action(action)
        current = self._is_current(self.view.snapshot())
        if self.evaluator.warn(action, lambda: self._try(action), current, self.line.after_refusal):
            return False
        try:
            self.dialogue.act(action)
        except LogWriteError as error:
            self.show_write_error(error)
            still = self._is_current(self.view.snapshot())
            self.try_again(lambda: still() and self._try(action))
            return False
        self.evaluator.warned = self._asked_at = None
        self.line.clear_refusal()
        self.view.selection = ()
        self.view.say("")
        self.view.after_action(action)
        self.evaluator.add(seen, action)
        self.run_table()
        return True

    @property
    def _needs_new_key(self) -> bool:
        """Whether the key is held down, and would bet or carry out what was warned of."""
        bets = self.labels.is_over or not (self.sitting.staked or self.sitting.for_points)
        return self.line.is_held and (bets or self.evaluator.warned is not None)

    def _show_evaluated(self) -> None:
        """Update the panel and the hints after a choice has been evaluated."""
        self.refresh_panel()
        self.line.refresh_hints()

    def do(self, line: str) -> None:
        """Carry out or answer a typed line; during a deal, only finish the deal.

        A line that arrives after a window has opened is dropped, because input is then meant for
        the window.
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
                mark_typed_values(self.view, action)
                self._try(action)  # at a table with others it may be too late
            case QuestionAnswer("$", (credit,)) if offer := top_up_offer(self.sitting, credit):
                if self.view.show_offer(offer):
                    self.leave_for(self.seating)
            case QuestionAnswer(_, lines):
                self.say_answer(lines)
            case RefusedCommand(word, reason):
                refuse = partial(self.line.show_message, self.labels.refused(line, word, reason))
                self.evaluator.explain(self, refuse) if word == "a" else refuse()
            case HouseVerb.HELP:
                self.action_help()
            case HouseVerb.LEAVE:
                self._leave()
            case HouseVerb.BACK:
                self.action_step_back()
            case HouseVerb.COMPARE:
                self.action_compare()

    def _answer_on_screen(self, line: str) -> bool:
        """Answer a question that has its own page or may take long; return false for others."""
        word, face = line.strip().lower(), self.face
        if word in STATISTICS and word in self.definition.words.questions:
            self.action_statistics()
        elif word == WHY and not self.definition.unaided:
            self.evaluator.explain(self, lambda: self.view.say(NOT_JUDGED, "muted"))
        elif word in face.advice.answers and not self.definition.unaided:
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
        """Show the prompt again, and let the console's answer to the line say what is missing."""
        self._show_prompt()
        self._read(line)

    def action_primary(self) -> None:
        """Carry out the first available action, with the marked values or the default ones."""
        if self._has_left or not self.is_active or self.finish_motion():
            return
        if self.is_covered:
            self.turn([])
            return
        if self.pacing.is_spectated and not self.table.waiting:
            self.pause_table() if self.pacing.is_running else self.run_table()
            self._refresh_hints()
            return
        if not (self.pacing.is_turn or self.pacing.is_running or self.labels.is_over):
            self.run_table()  # the log could not be written before
            return
        view = self.view
        if own := view.primary:
            self.handle(own)
        elif actions := view.default_actions:
            for action in actions:
                self._try(action)
        elif self.labels.is_over and self._needs_new_key:
            self.line.refuse_held_key()
        elif self.labels.is_over:
            self.leave_for(self.seating)
        else:
            reason = self.labels.primary_disabled_reason()
            self.line.show_message(HintMessage("refused", "space", reason))

    def action_advice(self) -> None:
        self.do("a")

    def action_trainer(self) -> None:
        is_asking = str(self.view.message.content) == self.view.prompt(self.view.seen)
        self.view.trains = not self.view.trains
        if self.view.trains:
            self.evaluator.evaluate()
        else:
            self.view.message.show_verdict()
        if is_asking:  # the question depends on the trainer in some games
            self.view.show_prompt(self.view.seen)
        self.used_trainer = True
        self.view.present(self.view.seen)
        self.handle(ViewChanged())
        self.refresh_bindings()

    def action_mistakes(self) -> None:
        self.evaluator.evaluate(self.list_mistakes)

    def action_ask(self, word: str) -> None:
        self.do(word)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        match action:
            case "primary":
                usable = self.labels.has_primary
            case _ if self.definition.unaided and action in NOT_UNAIDED:
                usable = False
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

    def hides_key(self, action: str) -> bool:
        """Leave out the keys of what is off where nobody is helped; a press still says so."""
        return bool(self.definition.unaided) and action.partition("(")[0] in NOT_UNAIDED

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
        bound = self.active_bindings.values()
        off = [x for x in bound if self.hides_key(x.binding.action)]
        hidden = {*(x.binding.action for x in off), *(() if self.sitting.may_undo else TAKES_BACK)}
        active = [x for x in bound if x.binding.action not in hidden]

        def text(columns: int) -> str:
            keys = keys_text(active, self.binding_label, columns)
            return help_text(self.sitting, self.view.seen, keys, key_notes(self.face.keys, off))

        open_over(self, modals.TextPage(self.name_of_game, text), aside=True)
