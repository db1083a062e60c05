"""The verdict on a choice: the EV of each alternative, the earlier choice, and the next review."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Sequence
from enum import Enum
from textwrap import wrap
from typing import Any, ClassVar

from msgspec import Struct
from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.geometry import Size

from ...cards.card import BACK, Card, Hand
from ...gamekit.adviser import ActionValue, Decision
from ...gamekit.definition import AnyDefinition
from ...gamekit.number_formats import with_sign
from ...gamekit.verdict import (
    alternative_cost,
    amount_text,
    own_cost,
    verdict_sentence,
)
from ...structs import replace
from ...teacher.positions import AnyPracticePosition
from ...teacher.practice_tasks import PracticeTask, earlier_action, practice_reasons
from ..draw.canvas import Canvas, CanvasRow
from ..draw.card_art import CardSize, CardState, caption_strip, card_strips
from ..draw.choice_list import BEFORE, BEST, NOW, ChoiceList, ChoiceRow, choice_lines
from ..draw.look import LineStyles, Look, line_styles_of
from ..modals import TextPage
from ..room import Room, help_binding, leave_binding
from ..table.action_text import with_card_signs
from ..table.background_tasks import BackgroundTasks
from ..table.face import AnyFace
from ..table.snapshot import ChartPage, TableSnapshot
from ..theme import sheet
from ..widgets.hint_line import HintMessage
from ..widgets.key_bar import VERB
from ..widgets.line_widget import CanvasWidget
from ..widgets.text_blocks import Meter, Meters
from ..widgets.title_bar import Note
from ..window import open_over, window_columns
from .position_screen import PositionAnswer


class VerdictContent(Struct, frozen=True):
    """The content of a verdict; ``best`` and ``now`` are the cards of the best and this choice."""

    right: bool
    sentence: str
    details: tuple[str, ...]
    standing: str
    best: Hand
    now: Hand
    choices: ChoiceList

    @property
    def sides(self) -> tuple[Hand, str, Hand]:
        """The parts of the position's description: own cards, words, and opposing cards."""
        words = self.standing.split()
        own = tuple(_leading_cards(words))
        rest = words[len(own) :]
        link = [word for word in rest if not [*_leading_cards([word])]]
        return own, " ".join(link), tuple(_leading_cards(rest[len(link) :]))


def _leading_cards(words: Sequence[str]) -> Iterator[Card]:
    """Yield cards until a word is not a card that can be seen."""
    for word in words:
        try:
            card = Card.parse(word)
        except ValueError:
            return
        if card is BACK:
            return
        yield card


def verdict_content(task: PracticeTask, answered: PositionAnswer) -> VerdictContent:
    """Convert a verdict into words and figures for the screen."""
    decision, definition = answered.decision, task.position.definition
    names = dict(zip((one.action for one in decision.values), answered.names, strict=True))
    top, earlier = decision.values[0], earlier_action(task, decision)
    columns = definition.adviser.columns(decision)
    losses = [decision.cost_of(one) for one in decision.values]
    maximum = max(losses, default=0.0) or 1.0
    best_action = decision.best if decision.mistake else top.action
    rows = tuple(
        _row(
            definition,
            decision,
            names[one.action],
            one,
            loss / maximum,
            best=one.action == best_action,
            label=NOW if one.action == decision.action else BEFORE if one.action == earlier else "",
            figures=tuple(column.texts.get(one.action, "–") for column in columns),
        )
        for one, loss in zip(decision.values, losses, strict=True)
    )
    top_cards, now_cards = (_cards(task.position, one) for one in (best_action, decision.action))
    return VerdictContent(
        decision.mistake is None,
        with_card_signs(verdict_sentence(definition, decision)),
        tuple(map(with_card_signs, practice_reasons(task, decision))),
        answered.standing,
        top_cards,
        now_cards,
        ChoiceList(
            "choices",
            rows,
            f"in {definition.unit_name}",
            tuple(column.heading for column in columns),
            scroll=0,
        ),
    )


def _row(
    definition: AnyDefinition,
    decision: Decision[Any, Any],
    name: str,
    one: ActionValue[Any],
    share: float,
    *,
    best: bool,
    label: str,
    figures: tuple[str, ...],
) -> ChoiceRow:
    value = float(one.value)
    ev = with_sign(value, _in_column(amount_text(definition, abs(value))))
    cost = BEST if best else _in_column(alternative_cost(definition, decision, one) or "0.00")
    return ChoiceRow(name, ev, cost, "", share, figures, label=label)


def _in_column(amount: str) -> str:
    return amount.replace("less than ", "<")


def _cards(at: AnyPracticePosition, action: Any) -> Hand:
    return at.definition.words.cards_of(at.view, at.seat, action) or ()


def verdict_meters(task: PracticeTask, answered: PositionAnswer, fate: str) -> tuple[Meter, ...]:
    """Return a verdict's meters: earlier cost, cost now, time, and when the position comes back."""
    definition, decision, mistake = task.position.definition, answered.decision, task.mistake
    right = decision.mistake is None
    meters = [
        Meter(
            "now",
            "right" if right else _in_column(own_cost(definition, decision)),
            "good" if right else "bad",
        )
    ]
    if mistake is not None:
        meters.insert(0, Meter("last time", _in_column(own_cost(definition, mistake)), "bad"))
    meters.append(Meter("time", f"{answered.seconds:.0f} s"))
    if fate:
        meters.append(Meter(fate, ""))
    return tuple(meters)


HELP = """\
All alternatives with their EV, best first. Your choice now and your choice in \
that session (before) are marked. A mistake that you get right on two days \
leaves the queue; only your first answer on a day counts.

  space      the next position
  u          choose again; this does not count
  g          replay the session at this step (for your own mistakes)
  C          the GTO chart of this choice (five-card draw at fixed limit)
  up, down   scroll
  Esc        back"""
MARGIN = 2
ROOMY, BROAD = 19, 76
"""The minimum height and width at which cards are drawn; on smaller screens they are text."""
SIZES = (CardSize.NORMAL, CardSize.SMALL, CardSize.TINY)
TEXT = 34
"""The minimum width of the sentences next to the cards."""
MOST_CARDS = 8
MOST_BELOW = 6
"""Rows of the list that stay visible below long reasons, with the heading."""
BROADEST = 84
"""The maximum width of the list."""


class VerdictExit(Enum):
    """The ways to leave a verdict."""

    ON = "on"
    AGAIN = "again"
    LEAVE = "leave"


class VerdictScreen(Room[VerdictExit]):
    """The verdict on a choice in practice.

    ``open_log`` opens the replay of the mistake above this screen, or returns why it cannot.
    """

    HELP_PAGE = "The verdict", HELP
    CSS_PATH = [sheet("tables"), sheet("practice")]  # noqa: RUF012 - as Textual has it
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space,enter", "go('on')", "Next", id="verdict.next", group=VERB),
        Binding("u", "go('again')", "Choose again", id="verdict.again", group=VERB),
        Binding("g", "log", "See the log", id="verdict.log", group=VERB),
        Binding("C", "chart", "Chart", id="verdict.chart", group=VERB),
        Binding("down", "scroll(1)", "Scroll", show=False, id="verdict.down"),
        Binding("up", "scroll(-1)", "Scroll back", show=False, id="verdict.up"),
        Binding("pagedown", "scroll(8)", "Page down", show=False, id="verdict.page-down"),
        Binding("pageup", "scroll(-8)", "Page up", show=False, id="verdict.page-up"),
        help_binding("verdict"),
        leave_binding("verdict", action="go('leave')"),
    ]

    def __init__(
        self,
        title: str,
        subtitle: str,
        notes: tuple[Note, ...],
        task: PracticeTask,
        answered: PositionAnswer,
        fate: str,
        face: AnyFace,
        next_name: str = "",
        open_log: Callable[[], Awaitable[HintMessage | None]] | None = None,
    ) -> None:
        super().__init__(title, subtitle, *notes)
        self._face, self._tasks = face, BackgroundTasks(self)
        self.posed_task, self._next_name, self._open_log = task, next_name, open_log
        self.page = VerdictPage(verdict_content(task, answered))
        self._meters, self._read = Meters(), verdict_meters(task, answered, fate)

    def compose_content(self) -> ComposeResult:
        yield self.page
        yield self._meters

    def on_mount(self) -> None:
        self._meters.show(self._read)

    def disabled_reason(self, action: str) -> str:
        return "this position is not one of your mistakes."

    def hint_label(self, action: str) -> str | None:
        if action == "go('on')":
            usual = "Next mistake" if self.posed_task.mistake else "Next hand"
            return self._next_name or usual
        return None

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Grey out the replay if the position is not from a log; hide a chart that is missing."""
        if action == "chart":
            return self._face.pages.chart is not None
        if action == "log":
            return True if self._open_log is not None else None
        return True

    def action_go(self, where: str) -> None:
        """Go to the next position, choose again, or go back."""
        if self.is_current:
            self.dismiss(VerdictExit(where))

    @work(exclusive=True, group="log", name="action_log")
    async def action_log(self) -> None:
        """Replay the log; closing the replay returns to this verdict."""
        if self.is_current and self._open_log is not None:
            self.hints.show_message(await self._open_log())

    def action_chart(self) -> None:
        at, chart = self.posed_task.position, self._face.pages.chart
        if chart is None:
            return
        snapshot: TableSnapshot[Any, Any, Any] = TableSnapshot(
            at.view, at.seat, at.definition.tally(at.seat), weighs=True
        )
        columns = window_columns(self.app.size.width)
        self._tasks.run(
            "chart",
            lambda: chart(snapshot, columns),
            self._show_chart,
            lambda: self.is_current,
        )

    def _show_chart(self, page: ChartPage) -> None:
        if page.text:
            open_over(self, TextPage(page.title, page.text))
        else:
            self.refuse("C", page.title)

    def action_scroll(self, rows: int) -> None:
        self.page.scroll_by(rows)


class VerdictPage(CanvasWidget):
    """The verdict on a choice; a long list starts at line :attr:`first`."""

    def __init__(self, content: VerdictContent) -> None:
        super().__init__(id="verdict-page")
        self._content, self.first = content, 0

    def scroll_by(self, rows: int) -> None:
        room = max(1, self.size.height - self._head(self.size) - 2)
        maximum = max(0, len(self._content.choices.rows) - room)
        first = max(0, min(maximum, self.first + rows))
        if first != self.first:
            self.first = first
            self.refresh()

    def _shown(self) -> object:
        return self._content, self.first

    def _card_size(self, area: Size) -> CardSize | None:
        """Return the largest size of cards with which everything fits; ``None`` if none are drawn.

        If not everything fits, the cards are small and the list scrolls.
        """
        own, _, opposing = self._content.sides
        if not 0 < len(own) + len(opposing) <= MOST_CARDS:
            return None
        if area.height < ROOMY or area.width < BROAD:
            return None
        listed = len(self._content.choices.rows) + 1
        for size in SIZES:
            width = area.width - self._text_column(size) - MARGIN
            if width >= TEXT and self._head_rows(size, width) + listed <= area.height:
                return size
        return CardSize.TINY

    def _head_rows(self, size: CardSize, width: int) -> int:
        return max(size.height + 3, len([*self._sentences(width)]) + 2)

    @property
    def _below(self) -> int:
        """The rows that the list keeps below long reasons."""
        return min(MOST_BELOW, len(self._content.choices.rows) + 1)

    def _head(self, area: Size) -> int:
        """Return the number of rows above the list."""
        content = self._content
        if (size := self._card_size(area)) is not None:
            rows = self._head_rows(size, area.width - self._text_column(size) - MARGIN)
            return max(size.height + 3, min(rows, area.height - self._below))
        lines = len([*self._sentences(area.width - 2 * MARGIN)])
        return min(lines + bool(content.standing) + 1, max(3, area.height - self._below))

    def _text_column(self, size: CardSize) -> int:
        """Return the column of the sentences next to the drawn cards."""
        own, link, opposing = self._content.sides
        cards = (len(own) + len(opposing)) * (size.width + 1)
        return MARGIN + cards + (len(link) + 1 if link else 0) + 2

    def _sentences(self, width: int) -> Iterator[tuple[str, bool]]:
        for place, sentence in enumerate((self._content.sentence, *self._content.details)):
            for line in wrap(sentence, max(12, width)):
                yield line, place == 0

    def _paint(self, canvas: Canvas) -> None:
        look, area = canvas.look, canvas.size
        inks, content, rows = line_styles_of(look.palette), self._content, canvas.rows()
        head = self._head(area)
        x = MARGIN
        if (size := self._card_size(area)) is not None:
            self._draw_cards(rows[1:], size, look, inks)
            x = self._text_column(size)
            text_rows = rows[1:head]
        else:
            for row in rows[:1]:
                row.put(MARGIN, content.standing, inks.strong)
            text_rows = rows[bool(content.standing) : head]
        lines = [*self._sentences(area.width - x - MARGIN)]
        if len(lines) > len(text_rows):
            line, first = lines[len(text_rows) - 1]
            lines[len(text_rows) - 1] = f"{line.rpartition(' ')[0]} …", first
        for row, (line, first) in zip(text_rows, lines, strict=False):
            ink = inks.text if not first else inks.good if content.right else inks.bad
            row.put(x, line, ink)
        self._draw_list(rows[head:], look)

    def _draw_cards(
        self, rows: list[CanvasRow], size: CardSize, look: Look, inks: LineStyles
    ) -> None:
        """Draw the player's cards with the chosen ones marked below, and the opposing cards."""
        content, x = self._content, MARGIN
        own, link, opposing = content.sides
        for card in own:
            best, now = card in content.best, card in content.now
            state = CardState.WINNING if best else CardState.HELD if now else CardState.NORMAL
            words = "best" if best else "now" if now else ""
            x = self._draw_card(rows, x, card, size, state, words, look)
        if link:
            if len(rows) > size.height // 2:
                rows[size.height // 2].put(x, link, inks.muted)
            x += len(link) + 1
        for card in opposing:
            x = self._draw_card(rows, x, card, size, CardState.NORMAL, "", look)

    def _draw_card(
        self,
        rows: list[CanvasRow],
        x: int,
        card: Card,
        size: CardSize,
        state: CardState,
        words: str,
        look: Look,
    ) -> int:
        """Draw a card with a caption; return the column of the next card."""
        for row, line in zip(rows, card_strips(card, size, state, look), strict=False):
            row.join(x, line)
        if len(rows) > size.height and words:
            rows[size.height].join(x, caption_strip(words, size.width, state, look))
        return x + size.width + 1

    def _draw_list(self, rows: list[CanvasRow], look: Look) -> None:
        if not rows:
            return
        area = Size(min(rows[0].width, BROADEST) - 2 * MARGIN, len(rows))
        choices = replace(self._content.choices, scroll=self.first)
        for row, line in zip(rows, choice_lines(choices, area, look), strict=False):
            row.join(MARGIN, line)
