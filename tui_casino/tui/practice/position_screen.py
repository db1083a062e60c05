"""A position in its game's own view: one chooses with the game's own keys, and nothing is told."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from functools import partial
from time import monotonic
from typing import Any, ClassVar

from textual.binding import Binding, BindingType
from textual.widget import Widget

from ...engine.chance import Origin
from ...engine.croupier import Kind
from ...engine.game import A, E, IllegalAction, O, S, guard
from ...gamekit.adviser import Decision
from ...gamekit.tally import T
from ...house.reader import Act, Answer, HouseVerb, Reading, Refused, Situation, read
from ...teacher.positions import Posed, computers, weigh
from ..modals import Page
from ..table.base import TableScreen
from ..table.face import Face
from ..table.keys_help import keys_text
from ..table.labels import Labels
from ..table.requests import Acts, Changes, Marks, Opens, Refuses, Request, Tells, Turns, Types
from ..table.spoken import spoken
from ..table.view import Facts
from ..widgets.bars import Note
from ..widgets.command_line import (
    CommandLine,
    Escaped,
    Hurried,
    LineRequest,
    Submitted,
    Unbound,
)
from ..widgets.hints import Hint, Said
from ..widgets.key_bar import OUT, VERB
from ..windows import columns_of, open_over

NOTHING = "nothing is told before you choose."
HELP = """\
This is the table as it stood, or a hand dealt anew. Choose as you would at \
the table; then every alternative is told with its worth. PgDn leaves it \
unanswered and shows another."""
LATE = 0.4
"""Seconds after which it is said that a choice is being weighed."""


class Then(Enum):
    """What a player wants who has not chosen."""

    SKIP = "another position"
    LEAVE = "back"


@dataclass(frozen=True, slots=True)
class Answered:
    """The weighed choice of a player, and the seconds that it took.

    ``names`` are the alternatives in the words of the view, ``standing`` describes the position.
    """

    decision: Decision[Any, Any]
    seconds: float
    names: tuple[str, ...]
    standing: str


class PosedTable(TableScreen[Answered | Then, O, S, A, E, T]):
    """A position at which its player has to choose.

    ``subtitle`` says what it is, ``notes`` how it goes. It is dismissed with what was chosen.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space", "screen.primary", "Main action", id="game.primary", group=VERB),
        Binding(
            "pagedown", "skip", "Another", id="practice.skip", key_display="PgDn", priority=True
        ),
        Binding("a,o,t", "untold", "Advice", show=False, id="practice.untold"),
        Binding("f1,question_mark", "help", "Help", id="game.help", key_display="F1"),
        Binding("escape", "leave", "Practice", id="game.leave", key_display="Esc", group=OUT),
    ]

    def __init__(
        self,
        title: str,
        face: Face[O, S, A, E, T],
        at: Posed[O, S, A, E, T],
        subtitle: str,
        notes: tuple[Note, ...] = (),
    ) -> None:
        self.at, self._said, self._noted = at, subtitle, notes
        facts = Facts(
            at.definition, at.options, at.seat, computers(at), _UNKNOWN, _SHUFFLED, posed=True
        )
        super().__init__(title, face, facts, at.seen, at.definition.tally(at.seat))
        self.labels: Labels[O, S, A, E, T] = Labels(self.view, self._meant)
        self._begun = 0.0

    @property
    def _situation(self) -> Situation[O, S, A, E, T]:
        at = self.at
        return Situation(at.definition, at.seen, at.seat, self.view.tally)

    def _meant(self, line: str) -> Reading[A]:
        return read(line, self._situation)

    # ---- layout ---------------------------------------------------------------------------

    def subtitle(self) -> str:
        """Say what is asked."""
        return self._said

    def notes(self) -> tuple[Note, ...]:
        """Say how it goes."""
        return self._noted

    def last_line(self) -> Widget:
        """Give the line for commands."""
        self.line = CommandLine(self.labels.openers)
        return self.line

    def finish_motion(self) -> bool:
        """Let any key finish what moves; true if it did nothing else."""
        return self.view.finish_motion()

    def meaning(self, line: str) -> Said:
        """Describe what a line would do, or why it would be refused."""
        return self.labels.meaning(line)

    def label(self, hint: Hint) -> Hint:
        """Return a hint with the present name and keys of its action."""
        return self.labels.label(hint)

    def hint(self, hints: tuple[Hint, ...], keys: frozenset[str]) -> None:
        """Show what can be done now."""
        self.line.hint(self.labels.in_order(hints), self.view.lead)

    @property
    def offered(self) -> tuple[Hint, ...]:
        """The deeds of this moment, as the hint line has them."""
        return self.line.hints

    def called(self, action: str) -> str | None:
        """Say what a key's action is called now."""
        return self.labels.called(action)

    def open_table(self) -> None:
        """Show the position, and ask."""
        if not (lines := self.query(CommandLine)):
            return
        lines.first().focus()
        self.begin_telling(self.at.seen, self.view.tally)
        self.view.present(self.at.seen)
        self.describe()
        self.view.waits(self.at.seen)
        self.refresh_bindings()
        self._begun = monotonic()

    # ---- what the player wants ------------------------------------------------------------

    def handle(self, request: Request[A] | LineRequest) -> None:
        """Do what the player wants, at the view or at the line."""
        match request:
            case Submitted(line):
                self._do(line)
            case Escaped():
                self.action_leave()
            case _ if self._gone or not self.is_active:
                pass  # it was meant for a window
            case Unbound(key, label):
                self.line.tell(self.labels.unbound(key, label))
            case Hurried():
                pass
            case _:
                self._handle_view(request)

    def _handle_view(self, request: Request[A]) -> None:
        match request:
            case Acts(actions):
                self._choose(actions[0])
            case Types(line):
                self._do(line)
            case Changes() | Marks():
                self.line.forget_refusal()
                self.describe()
                self.refresh_bindings()
                self.line.name_again()
            case Turns():
                self.view.turn_page()
            case Opens(window) if isinstance(window, Page):
                open_over(self, window, aside=True)
            case Refuses(word, why, right):
                self.line.tell(Said("refused", word, why, right))
            case Tells(said):
                self.line.tell(said)
            case _:
                self.line.tell(Said("refused", "", "here one only chooses."))

    def _do(self, line: str) -> None:
        match self._meant(line):
            case Act(action):
                self._choose(action)
            case Refused(word, why):
                self.line.tell(self.labels.refused(line, word, why))
            case Answer(word, _):
                self.line.tell(Said("refused", word, NOTHING))
            case HouseVerb.HELP:
                self.action_help()
            case HouseVerb.LEAVE:
                self.action_leave()

    def _choose(self, action: A) -> None:
        """Take a choice, and have it weighed; one that cannot be made is refused."""
        at = self.at
        try:
            guard(at.definition.game, at.seen, at.seat, action)
        except IllegalAction as error:
            self.line.tell(self.labels.refused_action(action, error, self._situation))
            return
        seconds = monotonic() - self._begun
        chosen = partial(self._weighed, seconds)
        self.asking.ask("verdict", partial(weigh, at, action), chosen, lambda: self.alive)
        self.set_timer(LATE, self._say_it_is_weighed)

    def _say_it_is_weighed(self) -> None:
        if self.alive:
            self.view.say("The trainer is weighing.")

    def _weighed(self, seconds: float, decision: Decision[S, A] | None) -> None:
        if decision is None:
            self.view.waits(self.at.seen)
            self.line.tell(Said("refused", "", "nobody knows what that is worth."))
            return
        view, seen = self.view, self.at.seen
        names = tuple(spoken(view, seen, row.action) for row in decision.values)
        self._close(Answered(decision, seconds, names, view.standing(seen)))

    def _close(self, outcome: Answered | Then) -> None:
        if not self._gone:
            self._gone = True
            self.dismiss(outcome)

    # ---- keys -----------------------------------------------------------------------------

    def action_primary(self) -> None:
        """Do the first thing on offer: with the values marked, or the usual ones."""
        if self._gone or not self.is_active:
            return
        if own := self.view.primary:
            self.handle(own)
        elif deeds := self.view.usual:
            self._choose(deeds[0])
        else:
            self.line.tell(Said("refused", "space", self.labels.why_no_primary()))

    def action_skip(self) -> None:
        """Leave it unanswered, and go on."""
        self._close(Then.SKIP)

    def action_leave(self) -> None:
        """Go back."""
        self._close(Then.LEAVE)

    def action_untold(self) -> None:
        """Say that nothing is told."""
        self.line.tell(Said("refused", "", NOTHING))

    def action_help(self) -> None:
        """Show every key, the rules in short and every word."""
        width = columns_of(self.app.size.width, aside=True)
        keys = keys_text(self.active_bindings.values(), self.called, width)
        rules = self.definition.words.help(self.at.seen)
        open_over(self, Page(self.name_of_game, f"{HELP}\n\n{keys}\n\n{rules}"), aside=True)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Grey the main action where something has to be marked first."""
        if action == "primary":
            return True if self.labels.can_go_on else None
        return True


_UNKNOWN, _SHUFFLED = Origin("committed", "0" * 64), Kind("shuffled")
"""A position has no shoe of its own: its view tells of none."""
