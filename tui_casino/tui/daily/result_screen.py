"""The page of a finished try: its marks, its cost, the run of days, and every choice.

::

     DAILY DEAL  327 · video poker                          2026-11-28 (UTC)

           ████ ████ ████ ████ ▛▀▀▜ ████ ████ ████ ████ ████
           ████ ████ ████ ████ ▙▄▄▟ ████ ████ ████ ████ ████

                  9 of 10 best · cost 0.12 bets, 0.60 credits
                  last 14 days ··■■■■·■■■■■■■ run 11 days

      CHOICES, costliest first                     cost   best
     ▌  5  held J♠ J♥                              0.60   J♠ Q♠ K♠
        1  held A♠ A♥                              best
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from rich.style import Style
from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import Screen

from ...daily.session import (
    BEST,
    OTHER,
    PLAIN_BEST,
    PLAIN_OTHER,
    DailyOverview,
    DailyResult,
    DailyTry,
    share_text,
    time_left,
)
from ...gamekit.adviser import Decision
from ...gamekit.registry import listing_of, title_of
from ...gamekit.verdict import action_text, own_cost
from ...house.daily_ranking import AnswerCounts
from ...inputs.numbers import count_noun
from ...teacher.practice_tasks import MistakeRequest
from ..copy_actions import SENT, CopyActions
from ..desk import ScreenDesk
from ..draw.canvas import Canvas
from ..draw.look import LineStyles, Look, line_styles_of
from ..history.leaks_screen import PracticeOpener
from ..replay.screen import open_replay
from ..room import ListRoom, help_binding, leave_binding
from ..table.action_text import with_card_signs, without_shared_verb
from ..table.paced_view import FELT_TIME
from ..terminal.detection import GlyphSet
from ..theme import sheet
from ..widgets.key_bar import VERB
from ..widgets.line_widget import CanvasWidget, look_of
from ..widgets.lists import CursorList, list_bindings, mark_cursor
from ..widgets.text_blocks import Meter, Meters

HELP = """\
  space, Esc    back to the daily deals
  y             copy the text to share; it contains no cards
  m             practise the mistakes of this try
  r             replay the log, from the choice at the cursor
  up, down      choose a choice (also PgUp, PgDn)

A filled mark is a best choice, a hollow one is a mistake. Forced actions do \
not count. The strip shows the last 14 days. One missed day in seven does not \
break a run."""
TITLE = "Daily deal"
MARKS = (4, 3, 2)
"""The possible widths of a large mark, which has two rows."""
ROW = 20
"""The most small marks in a row."""
ROOMY, MIDDLE = 18, 14
"""The minimum heights of the page with the text to share, and with large marks."""
NARROW = 56
"""The width below which the column of the best choices is left out."""
COST, BROADEST = 7, 100
"""The columns for a cost, and the maximum width of the list; a wider page leaves both sides empty.
"""


class DailyResultScreen(ListRoom[None]):
    """The result of a finished try; with ``answers``, also what everybody chose."""

    HELP_PAGE = TITLE, HELP
    CSS_PATH = [sheet("tables"), sheet("practice")]  # noqa: RUF012 - as Textual has it
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space,enter", "dismiss", "Daily deals", id="daily-result.close", group=VERB),
        Binding("m", "practise", "Practise", id="daily-result.practise", group=VERB),
        Binding("r", "replay", "Replay", id="daily-result.replay", group=VERB),
        Binding("y", "copy", "Copy the text", id="daily-result.copy", group=VERB),
        help_binding("daily-result"),
        leave_binding("daily-result"),
        *list_bindings("daily-result", ends=False),
    ]

    def __init__(
        self,
        desk: ScreenDesk,
        overview: DailyOverview,
        attempt: DailyTry,
        result: DailyResult,
        answers: AnswerCounts | None = None,
    ) -> None:
        deal = result.deal
        subtitle = f"{deal.number} · {title_of(deal.slug)}"
        super().__init__(TITLE, subtitle, (str(deal.day), "muted"))
        self.desk, self._overview, self._attempt, self._result = desk, overview, attempt, result
        self.page: ResultPage = ResultPage(result, overview, answers or {})
        self._meters = Meters()

    def compose_content(self) -> ComposeResult:
        yield self.page
        yield self._meters

    def on_mount(self) -> None:
        """Show the meters; if every choice was best, the page is gold for a moment."""
        left = time_left(self.desk.house.clock())
        run = self._overview.run_text.removeprefix("run ")
        self._meters.show((Meter("run", run, "gold"), Meter("next deal", f"in {left}")))
        if self._result.marks and all(self._result.marks) and self.app.animation_level == "full":
            self.page.add_class("-gold")
            self.set_timer(FELT_TIME, lambda: self.page.remove_class("-gold"))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Grey out practice if there was no mistake."""
        return None if action == "practise" and all(self._result.marks) else True

    def disabled_reason(self, action: str) -> str:
        return "there is no mistake to practise."

    def action_copy(self) -> None:
        copy_result(self, self._result, self._overview.run)

    def action_practise(self) -> None:
        if isinstance(app := self.app, PracticeOpener):
            app.open_practice(MistakeRequest(self._result.deal.slug, log=self._attempt.path.name))

    @work(exclusive=True, group="log", name="action_replay")
    async def action_replay(self) -> None:
        listing = listing_of(self._result.deal.slug)
        log, step = self._attempt.path, self.page.step
        self.hints.show_message(await open_replay(self.desk, listing, log, key="r", before=step))


def copy_result(screen: Screen[None], result: DailyResult, run: int) -> None:
    """Copy the text to share to the terminal's clipboard."""
    plain = look_of(screen).tier is GlyphSet.ASCII
    if isinstance(app := screen.app, CopyActions):
        app.copy_text(share_text(result, run, plain=plain), f"{SENT}: the text to share.")


class ResultPage(CursorList[tuple[int, Decision[Any, Any]]], CanvasWidget):
    """Draws a result, and the list of its choices, each with its number."""

    def __init__(self, result: DailyResult, overview: DailyOverview, answers: AnswerCounts) -> None:
        super().__init__(id="daily-result")
        self._result, self._overview = result, overview
        self._answers = [
            _shares(answers.get(key, {}), own) for key, own in (result.answers if answers else ())
        ]
        numbered = enumerate(result.decisions, 1)
        self.rows = sorted(numbered, key=lambda one: -one[1].cost)

    @property
    def step(self) -> int:
        """The step of the choice at the cursor, or the first step."""
        return self.rows[self.at][1].step if self.rows else 1

    def _shown(self) -> object:
        return self._result, self._overview, self.at

    def _paint(self, canvas: Canvas) -> None:
        inks, look = line_styles_of(canvas.look.palette), canvas.look
        roomy, middle = canvas.height >= ROOMY, canvas.height >= MIDDLE
        y = self._paint_marks(canvas, int(roomy), middle, inks) + roomy
        y = self._paint_figures(canvas, y, inks)
        share = self._share_lines(canvas) if roomy else []
        room = canvas.height - y - middle - len(share) - 2 * roomy - bool(self._answers)
        bottom = y + middle + min(room, len(self.rows) + 1)
        self._paint_choices(canvas, y + middle, bottom, look, inks)
        if roomy:
            self._paint_spot(canvas, bottom, inks)
            self._paint_share(canvas, bottom + 2 + bool(self._answers), share, inks)
        if self._answers:
            number = self.rows[self.at][0]
            left, right = self._columns(canvas)
            row = canvas.rows()[bottom + roomy]
            row.put(left + 7, with_card_signs(self._answers[number - 1]), inks.text, right - 2)

    @staticmethod
    def _columns(canvas: Canvas) -> tuple[int, int]:
        """Return the first column of the list, and the column after its last one."""
        left = max(0, (canvas.width - BROADEST) // 2)
        return left, canvas.width - left

    def _paint_marks(self, canvas: Canvas, y: int, large: bool, inks: LineStyles) -> int:
        """Draw the marks, large ones if they fit in a row; return the row below them."""
        marks = self._result.marks
        for wide in MARKS if large else ():
            if len(marks) * (wide + 1) - 1 > canvas.width - 2:
                continue
            x = (canvas.width - len(marks) * (wide + 1) + 1) // 2
            for mark in marks:
                for row, strokes in enumerate(_large_mark(mark, wide, canvas.look.tier)):
                    canvas.write(x, y + row, strokes, inks.good if mark else inks.bad)
                x += wide + 1
            return y + 2
        signs = (OTHER, BEST) if canvas.look.tier is GlyphSet.UNICODE else (PLAIN_OTHER, PLAIN_BEST)
        left = (canvas.width - min(len(marks), ROW)) // 2
        for start in range(0, len(marks), ROW):
            for x, mark in enumerate(marks[start : start + ROW], left):
                canvas.write(x, y, signs[mark], inks.good if mark else inks.bad)
            y += 1
        return y

    def _paint_figures(self, canvas: Canvas, y: int, inks: LineStyles) -> int:
        """Write the result and the strip of days; return the row below them."""
        result, centre = self._result, canvas.width // 2
        if result.marks and all(result.marks):
            stars = "★ ★ ★" if canvas.look.tier is GlyphSet.UNICODE else "* * *"
            canvas.centre(centre, y, (f"{stars}  Every choice was best  {stars}", inks.gold))
            y += 1
        best = f"{result.best} of {result.choices} best"
        cost = f"cost {result.shared_cost}"
        if result.bets is not None:
            cost += f", {result.cost_text}"
        if len(best) + 3 + len(cost) <= canvas.width:
            canvas.centre(centre, y, (best, inks.strong), (" · ", inks.muted), (cost, inks.gold))
        else:
            canvas.centre(centre, y, (best, inks.strong))
            y += 1
            canvas.centre(centre, y, (cost, inks.gold))
        unicode = canvas.look.tier is GlyphSet.UNICODE
        signs = ("·", BEST) if unicode else (PLAIN_OTHER, PLAIN_BEST)
        strip = [(signs[day], inks.good if day else inks.faint) for day in self._overview.strip]
        if self._overview.strip[-1]:
            strip[-1] = signs[True], inks.gold
        label = (f"last {len(strip)} days ", inks.muted)
        run = (f" {self._overview.run_text}", inks.strong)
        canvas.centre(centre, y + 1, label, *strip, run)
        return y + 2

    def _share_lines(self, canvas: Canvas) -> list[str]:
        plain = canvas.look.tier is not GlyphSet.UNICODE
        return share_text(self._result, self._overview.run, plain=plain).splitlines()

    def _paint_spot(self, canvas: Canvas, y: int, inks: LineStyles) -> None:
        """Write the round and the kind of the choice at the cursor."""
        left, right = self._columns(canvas)
        if self.rows:
            choice = self.rows[self.at][1]
            text = f"round {choice.round}: {choice.spot}"
            canvas.rows()[y].put(left + 7, text, inks.muted, right - 2)

    def _paint_share(self, canvas: Canvas, y: int, lines: list[str], inks: LineStyles) -> None:
        """Write the text to share, and its key."""
        left, right = self._columns(canvas)
        for row, line in enumerate(lines, y):
            canvas.write(left + 2, row, line, inks.muted)
        if left + 2 + len(lines[0]) + 15 < right:
            x = canvas.write(right - 13, y, "y", inks.gold)
            canvas.write(x, y, " copies it", inks.muted)

    def _paint_choices(
        self, canvas: Canvas, top: int, bottom: int, look: Look, inks: LineStyles
    ) -> None:
        """Write the choices, costliest first, with the one at the cursor in view."""
        rows, room = canvas.rows()[top:bottom], max(1, bottom - top - 1)
        if not rows:
            return
        left, right = self._columns(canvas)
        is_narrow = canvas.width < NARROW
        end = right - 2 if is_narrow else (left + right + COST) // 2 + 3
        rows[0].put(left + 2, "CHOICES", inks.gold)
        rows[0].put(left + 11, "costliest first", inks.muted, end - COST)
        rows[0].put_before(end, "cost", inks.muted)
        if not is_narrow:
            rows[0].put(end + 3, "best", inks.muted)
        game = self._result.deal.game
        for row, place in zip(rows[1:], self.visible_rows(room), strict=False):
            number, choice = self.rows[place]
            ink: Style = inks.text
            if place == self.at:
                mark_cursor(row, left + 1, right - 1, look)
                ink = inks.gold
            did = action_text(game, choice, choice.action, past=True)
            row.put_before(left + 5, str(number), inks.muted)
            row.put(left + 7, with_card_signs(did), ink, end - COST)
            is_best = choice.mistake is None
            cost = "best" if is_best else own_cost(game, choice).replace("less than ", "<")
            row.put_before(end, cost, inks.good if is_best else inks.bad)
            if not (is_best or is_narrow):
                best = action_text(game, choice, choice.best)
                words = action_text(game, choice, choice.action)
                best = with_card_signs(without_shared_verb(words, best))
                row.put(end + 3, best, inks.text, right - 1)


def _shares(counts: Mapping[str, int], own: str) -> str:
    """Return what everybody chose, most frequent first: ``everybody: 61% held JS JH (you)``."""
    total = sum(counts.values())
    shares = sorted(counts.items(), key=lambda one: (-one[1], one[0]))
    parts = (f"{count / total:.0%} {text}{' (you)' * (text == own)}" for text, count in shares)
    return f"{count_noun(total, 'player')}: {'; '.join(parts)}" if total else "nobody else was here"


def _large_mark(is_best: bool, wide: int, tier: GlyphSet) -> tuple[str, str]:
    """Return the two rows of a large mark: filled for a best choice, hollow for another one."""
    if is_best:
        return (("#" if tier is GlyphSet.ASCII else "█") * wide,) * 2
    if tier is GlyphSet.ASCII:
        return (f"+{'-' * (wide - 2)}+",) * 2
    top, bottom = ("▛▀▜", "▙▄▟") if tier is GlyphSet.UNICODE else ("┌─┐", "└─┘")
    return top[0] + top[1] * (wide - 2) + top[2], bottom[0] + bottom[1] * (wide - 2) + bottom[2]
