"""The verdict on a choice: what each way is worth, what was chosen then, what comes next."""

from __future__ import annotations

from enum import Enum
from typing import Any, ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import Screen

from ...cards.card import Hand
from ...gamekit.adviser import Decision, Worth
from ...teacher.positions import AnyPosed
from ...teacher.tasks import Task
from ..draw.formats import with_sign
from ..draw.glyphs import capital
from ..modals import Page
from ..table.spoken import in_signs
from ..theme.stylesheets import sheet
from ..widgets.bars import Note, TitleBar
from ..widgets.hint_line import HintLine
from ..widgets.key_bar import OUT, VERB, KeyBar
from ..widgets.meters import Meter, Meters
from ..widgets.steady import Steady
from ..windows import open_over
from .position_screen import Answered
from .verdict_view import Line, Told, VerdictPage

HELP = """\
Every alternative with its worth, the best first. What you chose now and \
what you chose then are marked. A mistake that you get right on two days \
leaves the queue; of a day your first answer counts.

  space      the next position
  u          choose here again; it does not count
  g          the log, at this moment (a mistake of yours)
  up, down   scroll
  Esc        back to practice"""


class Next(Enum):
    """Where one goes from a verdict."""

    ON = "on"
    AGAIN = "again"
    LOG = "log"
    LEAVE = "leave"


class VerdictScreen(Steady, Screen[Next]):
    """The verdict on what was chosen at a position."""

    SCOPED_CSS = False
    CSS_PATH = [sheet("tables"), sheet("practice")]  # noqa: RUF012 - as Textual has it
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space,enter", "go('on')", "Next", id="verdict.next", group=VERB),
        Binding("u", "go('again')", "Choose again", id="verdict.again", group=VERB),
        Binding("g", "go('log')", "See the log", id="verdict.log", group=VERB),
        Binding("down", "scroll(1)", "Scroll", show=False, id="verdict.down"),
        Binding("up", "scroll(-1)", "Scroll back", show=False, id="verdict.up"),
        Binding("pagedown", "scroll(8)", "Page down", show=False, id="verdict.page-down"),
        Binding("pageup", "scroll(-8)", "Page up", show=False, id="verdict.page-up"),
        Binding("f1,question_mark", "help", "Help", id="verdict.help", key_display="F1"),
        Binding(
            "escape,q", "go('leave')", "Practice", id="verdict.leave", key_display="Esc", group=OUT
        ),
    ]

    def __init__(
        self,
        title: str,
        subtitle: str,
        notes: tuple[Note, ...],
        task: Task,
        answered: Answered,
        fate: str,
    ) -> None:
        super().__init__()
        self._heading = TitleBar(title, subtitle, *notes)
        self.asked = task
        self.page = VerdictPage(told(task, answered))
        self._meters, self._read = Meters(), meters(task, answered, fate)
        self.hints = HintLine(self._named, lambda action: "this was dealt for practice.")

    def compose(self) -> ComposeResult:
        """Lay out the verdict."""
        yield self._heading
        yield self.page
        yield self._meters
        yield self.hints
        yield KeyBar(self.hints.hint)

    def on_mount(self) -> None:
        """Show the figures."""
        self._meters.read(self._read)
        self.refresh_bindings()

    def on_key(self, event: events.Key) -> None:
        """Let no key be silent."""
        self.hints.heed(event)

    def _named(self, action: str) -> str | None:
        if action == "go('on')":
            return "Next mistake" if self.asked.mistake else "Next hand"
        return None

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Grey the way to a log that there is not."""
        if action == "go" and parameters == ("log",):
            return True if self.asked.mistake is not None else None
        return True

    def action_go(self, where: str) -> None:
        """Go on, choose again, see the log, or go back."""
        if self.is_current:
            self.dismiss(Next(where))

    def action_scroll(self, rows: int) -> None:
        """Scroll the list."""
        self.page.scroll_by(rows)

    def action_help(self) -> None:
        """Show the keys."""
        open_over(self, Page("The verdict", HELP))


def told(task: Task, answered: Answered) -> Told:
    """Put a verdict into words and figures, for the screen."""
    decision, parts = answered.decision, task.at.parts
    names = dict(zip((one.action for one in decision.values), answered.names, strict=True))
    mistake, unit = task.mistake, "points" if parts.points else "dollars"
    chosen, best = names[decision.action], names.get(decision.best, "")
    if decision.mistake is None:
        top = decision.action == decision.values[0].action
        sentence = f"{capital(chosen)}: {'that is the best' if top else 'as good as any'}."
    else:
        sentence = f"{capital(chosen)} costs {parts.figure(decision.cost)} {unit}."
    more = []
    if decision.mistake is not None:
        more.append(f"The best is to {best}." if " " in best else f"The best is: {best}.")
        more.append(f"{capital(str(decision.kind))}.")
    if mistake is not None:
        cost = parts.figure(mistake.cost)
        then = next(
            (names[one.action] for one in decision.values if _words(task, one) == mistake.action),
            "",
        )
        then = then or in_signs(mistake.action)
        more.append(f"Then: {then}, which cost {cost} {unit}.")
    most = max(map(decision.loss, decision.values), default=0.0) or 1.0
    lines = tuple(_line(task, one, names[one.action], decision, most) for one in decision.values)
    top_cards, now_cards = (_cards(task.at, one) for one in (decision.best, decision.action))
    return Told(
        decision.mistake is None,
        sentence,
        tuple(more),
        answered.standing,
        top_cards,
        now_cards,
        lines,
    )


def _line(
    task: Task,
    one: Worth[Any],
    name: str,
    decision: Decision[Any, Any],
    most: float,
) -> Line:
    parts, mistake, loss = task.at.parts, task.mistake, decision.loss(one)
    value = float(one.value)
    worth = with_sign(value, parts.figure(abs(value)))
    top = one.action == decision.best
    cost = "best" if top else parts.figure(loss)
    then = mistake is not None and _words(task, one) == mistake.action
    return Line(name, worth, cost, loss / most, top, one.action == decision.action, then)


def _words(task: Task, one: Worth[Any]) -> str:
    return task.at.parts.spoken(task.at.seen, task.at.seat, one.action)


def _cards(at: AnyPosed, action: Any) -> Hand:
    return at.parts.cards_of(at.seen, at.seat, action) or ()


def meters(task: Task, answered: Answered, fate: str) -> tuple[Meter, ...]:
    """Give the figures under a verdict: what it cost then and now, and what becomes of it."""
    parts, decision, mistake = task.at.parts, answered.decision, task.mistake
    right = decision.mistake is None
    found = [
        Meter(
            "now",
            "right" if right else parts.figure(decision.cost),
            "good" if right else "bad",
        )
    ]
    if mistake is not None:
        found.insert(0, Meter("then", parts.figure(mistake.cost), "bad"))
    found.append(Meter("time", f"{answered.seconds:.0f} s"))
    if fate:
        found.append(Meter(fate, ""))
    return tuple(found)
