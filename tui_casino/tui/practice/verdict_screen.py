"""The verdict on a choice: EV of each alternative, the earlier choice, what comes next."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from textwrap import wrap
from typing import Any, ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.geometry import Size
from textual.screen import Screen

from ...cards.card import BACK, Card, Hand
from ...gamekit.adviser import ActionValue, Decision
from ...teacher.positions import AnyOpenPosition
from ...teacher.practice_tasks import PracticeTask
from ..draw.canvas import Canvas, CanvasRow
from ..draw.card_art import CardSize, CardState, caption_strip, card_strips
from ..draw.glyphs import capitalize
from ..draw.number_formats import with_sign
from ..draw.styles import LineStyles, Look, line_styles_of, soften_colour, style_of
from ..modal_windows import open_over
from ..modals import TextPage
from ..table.action_text import with_card_signs
from ..terminal.detection import GlyphSet
from ..theme.stylesheets import sheet
from ..widgets.base_screen import BaseScreen
from ..widgets.hint_line import HintLine
from ..widgets.key_bar import OUT, VERB, KeyBar
from ..widgets.line_widget import CanvasWidget
from ..widgets.meters import Meter, Meters
from ..widgets.title_bar import Note, TitleBar
from .position_screen import PositionAnswer

HELP = """\
All alternatives with their EV, best first. Your choice now and your choice in \
that session (before) are marked. A mistake that you get right on two days \
leaves the queue; only your first answer on a day counts.

  space      the next position
  u          choose again; this does not count
  g          replay the session at this moment (for your own mistakes)
  up, down   scroll
  Esc        back to practice"""
SIGNS = {
    GlyphSet.UNICODE: ("▶", "◆", "◇"),
    GlyphSet.CP437: (">", "*", "o"),
    GlyphSet.ASCII: (">", "*", "o"),
}
"""Marks of the best alternative, of the choice now, and of the earlier choice."""
BAR = {GlyphSet.UNICODE: "█", GlyphSet.CP437: "█", GlyphSet.ASCII: "="}
MARGIN = 2
ROOMY = 19
"""Height from which cards are drawn; on lower screens they are text."""
MOST_CARDS = 8
FIGURE = 9
"""Columns of an EV, and of a cost."""
LABEL = 8
BROADEST = 110
"""The maximum width of the list."""
NAME, BARS = 22, 30
"""The minimum width of a name, and the maximum width of a bar."""


class VerdictExit(Enum):
    """The ways to leave a verdict."""

    ON = "on"
    AGAIN = "again"
    LOG = "log"
    LEAVE = "leave"


class VerdictScreen(BaseScreen, Screen[VerdictExit]):
    """The verdict on a choice in practice."""

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
        task: PracticeTask,
        answered: PositionAnswer,
        fate: str,
    ) -> None:
        super().__init__()
        self._heading = TitleBar(title, subtitle, *notes)
        self.posed_task = task
        self.page = VerdictPage(verdict_content(task, answered))
        self._meters, self._read = Meters(), verdict_meters(task, answered, fate)
        self.hints = HintLine()

    def compose(self) -> ComposeResult:
        """Lay out the verdict."""
        yield self._heading
        yield self.page
        yield self._meters
        yield self.hints
        yield KeyBar(self.hints.hint)

    def on_mount(self) -> None:
        """Show the meters."""
        self._meters.show(self._read)
        self.refresh_bindings()

    def on_key(self, event: events.Key) -> None:
        """Give feedback for every key."""
        self.hints.process_key(event)

    def disabled_reason(self, action: str) -> str:
        """Return why the action of a greyed-out key is disabled."""
        return "this hand is from a drill, not from a session."

    def hint_label(self, action: str) -> str | None:
        """Return an action's current name if it differs from that of its binding."""
        if action == "go('on')":
            return "Next mistake" if self.posed_task.mistake else "Next hand"
        return None

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Grey out the replay if the position is not from a log."""
        if action == "go" and parameters == ("log",):
            return True if self.posed_task.mistake is not None else None
        return True

    def action_go(self, where: str) -> None:
        """Go to the next position, choose again, replay the log, or go back."""
        if self.is_current:
            self.dismiss(VerdictExit(where))

    def action_scroll(self, rows: int) -> None:
        """Scroll the list."""
        self.page.scroll_by(rows)

    def action_help(self) -> None:
        """Show the help page."""
        open_over(self, TextPage("The verdict", HELP))


@dataclass(frozen=True, slots=True)
class AlternativeLine:
    """An alternative: its name, EV and cost as text, its relative cost, and who chose it when."""

    name: str
    value: str
    cost: str
    share: float
    best: bool
    now: bool
    before: bool


@dataclass(frozen=True, slots=True)
class VerdictContent:
    """The content of a verdict; ``best`` and ``now`` are the cards that these choices name."""

    right: bool
    sentence: str
    details: tuple[str, ...]
    standing: str
    best: Hand
    now: Hand
    lines: tuple[AlternativeLine, ...]

    @property
    def cards(self) -> Hand:
        """The cards at the start of the position's description."""
        meters: list[Card] = []
        for word in self.standing.split():
            try:
                card = Card.parse(word)
            except ValueError:
                break
            if card is BACK:
                break
            meters.append(card)
        return tuple(meters)


def visible_lines(
    lines: Sequence[AlternativeLine], first: int, room: int
) -> Sequence[AlternativeLine]:
    """Return the visible lines from ``first`` on; the first page includes the chosen ones."""
    if first:
        return lines[first : first + room]
    below = [line for line in lines[room:] if line.now or line.before]
    visible = [*lines[:room]]
    for line in below:  # instead of the last line that nobody chose
        spare = [
            place for place, one in enumerate(visible) if not (one.best or one.now or one.before)
        ]
        if spare:
            del visible[spare[-1]]
            visible.append(line)
    return visible


class VerdictPage(CanvasWidget):
    """The verdict on a choice; a long list is shown from line :attr:`first` on."""

    def __init__(self, content: VerdictContent) -> None:
        super().__init__(id="verdict-page")
        self._content, self.first = content, 0

    def scroll_by(self, rows: int) -> None:
        """Scroll the list by some rows."""
        room = max(1, self.size.height - self._head(self.size) - 2)
        maximum = max(0, len(self._content.lines) - room)
        first = max(0, min(maximum, self.first + rows))
        if first != self.first:
            self.first = first
            self.refresh()

    def _shown(self) -> object:
        return self._content, self.first

    def _pictured(self, area: Size) -> bool:
        cards = self._content.cards
        return 0 < len(cards) <= MOST_CARDS and area.height >= ROOMY and area.width >= 76

    def _head(self, area: Size) -> int:
        """Return the number of rows above the list."""
        content = self._content
        if self._pictured(area):
            return 7
        lines = len([*self._sentences(area.width - 2 * MARGIN)])
        return min(lines + bool(content.standing) + 1, max(3, area.height // 2))

    def _sentences(self, width: int) -> Iterator[tuple[str, bool]]:
        for place, sentence in enumerate((self._content.sentence, *self._content.details)):
            for line in wrap(sentence, max(12, width)):
                yield line, place == 0

    def _paint(self, canvas: Canvas) -> None:
        look, area = canvas.look, canvas.size
        inks, content, rows = line_styles_of(look.palette), self._content, canvas.rows()
        head = self._head(area)
        x = MARGIN
        if self._pictured(area):
            x = self._draw_cards(rows[1:], look) + 3
            text_rows = rows[1:head]
        else:
            for row in rows[:1]:
                row.put(MARGIN, content.standing, inks.strong)
            text_rows = rows[bool(content.standing) : head]
        lines = self._sentences(area.width - x - MARGIN)
        for row, (line, first) in zip(text_rows, lines, strict=False):
            ink = inks.text if not first else inks.good if content.right else inks.bad
            row.put(x, line, ink)
        self._draw_list(rows[head:], look, inks)

    def _draw_cards(self, rows: list[CanvasRow], look: Look) -> int:
        """Draw the cards with the chosen ones marked below; return the column after them."""
        content, size, x = self._content, CardSize.TINY, MARGIN
        for card in content.cards:
            best, now = card in content.best, card in content.now
            state = CardState.WINNING if best else CardState.HELD if now else CardState.NORMAL
            for row, line in zip(rows, card_strips(card, size, state, look), strict=False):
                row.join(x, line)
            words = "best" if best else "now" if now else ""
            if len(rows) > size.height and words:
                rows[size.height].join(x, caption_strip(words, size.width, state, look))
            x += size.width + 1
        return x

    def _draw_list(self, rows: list[CanvasRow], look: Look, inks: LineStyles) -> None:
        if not rows:
            return
        lines, width = self._content.lines, min(rows[0].width, BROADEST)
        longest = max(NAME, *(len(line.name) for line in lines))
        name = min(longest, max(10, width - 4 - 2 * FIGURE - LABEL))
        worth = 4 + name + FIGURE
        cost = worth + FIGURE
        bars = range(cost + 2, min(cost + 2 + BARS, width - LABEL - MARGIN))
        head, body = rows[0], rows[1:]
        head.put_before(worth, "EV", inks.muted)
        head.put_before(cost, "cost", inks.muted)
        shown = visible_lines(lines, self.first, len(body))
        details = len(lines) - self.first - len(shown)
        head.put(
            2,
            f"all {len(lines)}, best first" if not details else f"{details} more below",
            inks.gold,
        )
        best, now, earlier = SIGNS[look.tier]
        for row, line in zip(body, shown, strict=False):
            if line.now or line.before:
                row.ground(0, width, style_of(look.palette.text, look.palette.panel))
            sign, ink = ("", inks.text)
            if line.before:
                sign, ink = earlier, inks.bad
            if line.best:
                sign, ink = best, inks.good
            if line.now:
                sign, ink = (now, inks.gold) if not line.best else (best, inks.good)
            row.put(MARGIN - 1, sign, ink)
            row.put(4, line.name, ink, 4 + name)
            row.put_before(worth, line.value, ink if line.now else inks.text)
            dear = inks.bad if line.now or line.before else inks.muted
            row.put_before(cost, line.cost, inks.good if line.best else dear)
            if len(bars) > 4:
                wide = round(line.share * len(bars))
                row.put(
                    bars.start, BAR[look.tier] * wide, soften_colour(look.palette.bad, look.palette)
                )
            label = "now" if line.now else "before" if line.before else ""
            row.put_before(width - MARGIN + 1, label, inks.gold if line.now else inks.bad)


def verdict_content(task: PracticeTask, answered: PositionAnswer) -> VerdictContent:
    """Put a verdict into words and figures for the screen."""
    decision, definition = answered.decision, task.open_position.definition
    names = dict(zip((one.action for one in decision.values), answered.names, strict=True))
    mistake, unit = task.mistake, definition.unit_name
    chosen, best = names[decision.action], names.get(decision.best, "")
    if decision.mistake is None:
        top = decision.action == decision.values[0].action
        sentence = f"{capitalize(chosen)}: {'this is best' if top else 'as good as the best'}."
    else:
        sentence = f"{capitalize(chosen)} costs {definition.format_amount(decision.cost)} {unit}."
    details = []
    if decision.mistake is not None:
        details.append(f"Best: {best}.")
        details.append(f"{capitalize(str(decision.kind))}.")
    if mistake is not None:
        cost = definition.format_amount(mistake.cost)
        earlier = next(
            (names[one.action] for one in decision.values if _words(task, one) == mistake.action),
            "",
        )
        earlier = earlier or with_card_signs(mistake.action)
        details.append(f"Last time: {earlier} (cost {cost} {unit}).")
    maximum = max(map(decision.cost_of, decision.values), default=0.0) or 1.0
    lines = tuple(_line(task, one, names[one.action], decision, maximum) for one in decision.values)
    top_cards, now_cards = (
        _cards(task.open_position, one) for one in (decision.best, decision.action)
    )
    return VerdictContent(
        decision.mistake is None,
        sentence,
        tuple(details),
        answered.standing,
        top_cards,
        now_cards,
        lines,
    )


def _line(
    task: PracticeTask,
    one: ActionValue[Any],
    name: str,
    decision: Decision[Any, Any],
    maximum: float,
) -> AlternativeLine:
    definition, mistake, loss = task.open_position.definition, task.mistake, decision.cost_of(one)
    value = float(one.value)
    worth = with_sign(value, definition.format_amount(abs(value)))
    top = one.action == decision.best
    cost = "best" if top else definition.format_amount(loss)
    earlier = mistake is not None and _words(task, one) == mistake.action
    return AlternativeLine(
        name, worth, cost, loss / maximum, top, one.action == decision.action, earlier
    )


def _words(task: PracticeTask, one: ActionValue[Any]) -> str:
    return task.open_position.definition.format_action(
        task.open_position.view, task.open_position.seat, one.action
    )


def _cards(at: AnyOpenPosition, action: Any) -> Hand:
    return at.definition.words.cards_of(at.view, at.seat, action) or ()


def verdict_meters(task: PracticeTask, answered: PositionAnswer, fate: str) -> tuple[Meter, ...]:
    """Return the meters below a verdict: the earlier cost, the cost now, the time, what is next."""
    definition, decision, mistake = task.open_position.definition, answered.decision, task.mistake
    right = decision.mistake is None
    meters = [
        Meter(
            "now",
            "right" if right else definition.format_amount(decision.cost),
            "good" if right else "bad",
        )
    ]
    if mistake is not None:
        meters.insert(0, Meter("last time", definition.format_amount(mistake.cost), "bad"))
    meters.append(Meter("time", f"{answered.seconds:.0f} s"))
    if fate:
        meters.append(Meter(fate, ""))
    return tuple(meters)
