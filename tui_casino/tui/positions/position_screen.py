"""A practice position in its game's own view, where the player chooses without advice."""

from __future__ import annotations

from enum import Enum
from functools import partial
from time import monotonic
from typing import Any, ClassVar

from msgspec import Struct
from textual.binding import Binding, BindingType
from textual.widget import Widget

from ...engine.chance import SourceSpec
from ...engine.croupier import CroupierSpec
from ...engine.game import A, E, IllegalAction, O, S, check_legal
from ...gamekit.adviser import Decision
from ...gamekit.tally import T
from ...house.table_commands import (
    ActionCommand,
    CommandContext,
    HouseVerb,
    QuestionAnswer,
    ReadCommand,
    RefusedCommand,
    read_command,
)
from ...teacher.positions import PracticePosition, computer_names, weigh_choice
from ..modals import TextPage
from ..table.action_labels import ActionLabels
from ..table.action_text import describe_action
from ..table.face import Face
from ..table.keys_help import keys_text
from ..table.screen import TableScreen
from ..table.snapshot import TableInfo
from ..table.view import (
    DoActions,
    EnterLine,
    OpenWindow,
    SelectionChanged,
    ShowMessage,
    ShowRefusal,
    TurnPage,
    ViewChanged,
    ViewRequest,
)
from ..widgets.command_line import (
    CommandLine,
    EscapePressed,
    LineRequest,
    LineSubmitted,
    MotionSkipped,
    UnboundKey,
)
from ..widgets.hint_line import Hint, HintMessage
from ..widgets.key_bar import BACK, OUT, VERB
from ..widgets.title_bar import Note
from ..window import open_over, window_columns

NOTHING = "no advice before you choose."
HELP = """\
This is a position from one of your sessions, or a new hand. Choose as you would at \
the table. You then see the EV of every alternative. PgDn skips this \
position and shows another."""
LATE = 0.4
"""Seconds after which the screen says that a choice is being evaluated."""


class PositionExit(Enum):
    """The ways to leave a position without choosing."""

    SKIP = "another position"
    LEAVE = "back"


class PositionAnswer(Struct, frozen=True):
    """A player's choice with its evaluation, and the seconds that the player took to choose.

    ``names`` holds the names of the alternatives; ``standing`` describes the position.
    """

    decision: Decision[Any, Any]
    seconds: float
    names: tuple[str, ...]
    standing: str


class PositionScreen(TableScreen[PositionAnswer | PositionExit, O, S, A, E, T]):
    """A position in which the player has to choose.

    ``subtitle`` describes the position, and ``notes`` the progress of the practice. The screen is
    dismissed with the player's answer.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space", "screen.primary", "Main action", id="game.primary", group=VERB),
        Binding(
            "pagedown", "skip", "Another", id="practice.skip", key_display="PgDn", priority=True
        ),
        Binding("a,o,t", "untold", "Advice", show=False, id="practice.untold"),
        Binding("f1,question_mark", "help", "Help", id="game.help", key_display="F1"),
        Binding("escape", "leave", BACK, id="game.leave", key_display="Esc", group=OUT),
    ]

    def __init__(
        self,
        title: str,
        face: Face[O, S, A, E, T],
        at: PracticePosition[O, S, A, E, T],
        subtitle: str,
        notes: tuple[Note, ...] = (),
    ) -> None:
        self.at, self._subtitle, self._notes = at, subtitle, notes
        facts = TableInfo(
            at.definition, at.options, at.seat, computer_names(at), _UNKNOWN, _SHUFFLED
        )
        super().__init__(title, face, facts, at.view, at.definition.tally(at.seat))
        self.view.guesses = True
        self.labels: ActionLabels[O, S, A, E, T] = ActionLabels(self.view, self._read_line)
        self._start_time = 0.0

    @property
    def _situation(self) -> CommandContext[O, S, A, E, T]:
        at = self.at
        return CommandContext(at.definition, at.view, at.seat, self.view.tally)

    def _read_line(self, line: str) -> ReadCommand[A]:
        return read_command(line, self._situation)

    # ---- layout ---------------------------------------------------------------------------

    def subtitle(self) -> str:
        """Return the text after the title: the position's, and the table's rules and cards left."""
        return " · ".join(filter(None, (self._subtitle, super().subtitle())))

    def notes(self) -> tuple[Note, ...]:
        return self._notes

    def bottom_line(self) -> Widget:
        self.line = CommandLine()
        return self.line

    is_reading = False

    def finish_motion(self) -> bool:
        """Finish any animation; return true if there was one, so that the key has to wait."""
        return self.view.finish_motion()

    def is_new_question(self, time: float) -> bool:
        """Return false, because each position follows a key of the player."""
        return False

    def hint(self, hints: tuple[Hint, ...], keys: frozenset[str]) -> None:
        self.line.hint(self.labels.in_order(hints), self.view.leading_action)

    @property
    def current_hints(self) -> tuple[Hint, ...]:
        """The current actions, in the form that the hint line needs."""
        return self.line.hints

    def binding_label(self, action: str) -> str | None:
        """Return the current name of a key's action, or ``None`` for its usual name."""
        return self.labels.binding_label(action)

    def open_table(self) -> None:
        if not (lines := self.query(CommandLine)):
            return
        lines.first().focus()
        self.reset_view(self.at.view, self.view.tally)
        self.view.present(self.at.view)
        self.describe()
        self.call_after_refresh(self.view.show_prompt, self.at.view)  # once its width is known
        self.refresh_bindings()
        self._start_time = monotonic()

    # ---- requests of the player -----------------------------------------------------------

    def handle(self, request: ViewRequest[A] | LineRequest) -> None:
        """Carry out a request from the view or the command line."""
        match request:
            case LineSubmitted(line):
                self._do(line)
            case EscapePressed():
                self.action_leave()
            case _ if self._has_left or not self.is_active:
                pass  # the request was meant for a window
            case UnboundKey(key, label):
                self.line.show_message(self.labels.unbound(key, label))
            case MotionSkipped():
                pass
            case _:
                self._handle_view(request)

    def _handle_view(self, request: ViewRequest[A]) -> None:
        match request:
            case DoActions(actions):
                self._choose(actions[0])
            case EnterLine(line):
                self._do(line)
            case ViewChanged() | SelectionChanged():
                self.line.clear_refusal()
                self.describe()
                self.refresh_bindings()
                self.line.refresh_hints()
            case TurnPage():
                self.view.turn_page()
            case OpenWindow(window) if isinstance(window, TextPage):
                open_over(self, window, aside=True)
            case ShowRefusal(word, reason, hint):
                self.line.show_message(HintMessage("refused", word, reason, hint))
            case ShowMessage(message):
                self.line.show_message(message)
            case _:
                self.line.show_message(
                    HintMessage("refused", "", "this is not available in practice.")
                )

    def _do(self, line: str) -> None:
        match self._read_line(line):
            case ActionCommand(action):
                self._choose(action)
            case RefusedCommand(word, reason):
                self.line.show_message(self.labels.refused(line, word, reason))
            case QuestionAnswer(word, _):
                self.line.show_message(HintMessage("refused", word, NOTHING))
            case HouseVerb.HELP:
                self.action_help()
            case HouseVerb.LEAVE:
                self.action_leave()

    def _choose(self, action: A) -> None:
        """Evaluate a choice and close the screen with it; refuse a choice that is not legal."""
        at = self.at
        try:
            check_legal(at.definition.game, at.view, at.seat, action)
        except IllegalAction as error:
            self.line.show_message(self.labels.refused_action(action, error, self._situation))
            return
        seconds = monotonic() - self._start_time
        chosen = partial(self._show_verdict, seconds)
        self.tasks.run("verdict", partial(weigh_choice, at, action), chosen, lambda: self.is_alive)
        self.set_timer(LATE, self._show_delay)

    def _show_delay(self) -> None:
        if self.is_alive:
            self.view.say("The trainer is calculating.")

    def _show_verdict(self, seconds: float, decision: Decision[S, A] | None) -> None:
        if decision is None:
            self.view.show_prompt(self.at.view)
            self.line.show_message(HintMessage("refused", "", "the EV of this choice is unknown."))
            return
        view, seen = self.view, self.at.view
        names = tuple(describe_action(view, seen, row.action) for row in decision.values)
        self._close(PositionAnswer(decision, seconds, names, view.describe_position(seen)))

    def _close(self, outcome: PositionAnswer | PositionExit) -> None:
        if not self._has_left:
            self._has_left = True
            self.dismiss(outcome)

    # ---- keys -----------------------------------------------------------------------------

    def action_primary(self) -> None:
        """Choose the first available action, with the marked values or the default ones."""
        if self._has_left or not self.is_active:
            return
        if own := self.view.primary:
            self.handle(own)
        elif deeds := self.view.default_actions:
            self._choose(deeds[0])
        else:
            self.line.show_message(
                HintMessage("refused", "space", self.labels.primary_disabled_reason())
            )

    def action_skip(self) -> None:
        self._close(PositionExit.SKIP)

    def action_leave(self) -> None:
        self._close(PositionExit.LEAVE)

    def action_untold(self) -> None:
        self.line.show_message(HintMessage("refused", "", NOTHING))

    def action_help(self) -> None:
        """Show the help page: every key, the rules in short, and every command."""
        width = window_columns(self.app.size.width, aside=True)
        keys = keys_text(self.active_bindings.values(), self.binding_label, width)
        rules = self.definition.words.help(self.at.view)
        open_over(self, TextPage(self.name_of_game, f"{HELP}\n\n{keys}\n\n{rules}"), aside=True)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Grey out the main action while something has to be marked first."""
        if action == "primary":
            return True if self.labels.has_primary else None
        return True


_UNKNOWN, _SHUFFLED = SourceSpec("committed", "0" * 64), CroupierSpec("shuffled")
"""Placeholders for the shoe; a position has none, and its view does not name a source of cards."""
