"""The page of a result: how good it was, every choice, and the text to share.

::

      9 of 10 best    cost 0.18 bets, 0.90 credits    4th of 27
      ████ ████ ████ ████ ▛▀▀▜ ████ ████ ████ ████ ████       LAST 14 DAYS
      ████ ████ ████ ████ ▙▄▄▟ ████ ████ ████ ████ ████       ▁▁ ▃▃ ▁▁ ·  ▆▆ ▂▂
                            ▲
      CHOICE 5 of 10  cost 0.90 credits                       high pair
      ╭───────╮╭───────╮╭───────╮╭───────╮╭───────╮  you   held Q♥ Q♣ 10♠   EV 6.78   cost 0.90
      │Q♥     ││Q♣     ││10♠    ││4♦     ││7♣     │  best  held Q♥ Q♣       EV 7.68
      ╰───────╯╰───────╯╰───────╯╰───────╯╰───────╯  A pair alone draws three cards …
         HELD     HELD     HELD

      ALL CHOICES  1 held …  best        2 held …  best        3 held …  best

      TUI Casino daily 327 · video poker                                       y copies it

In a small window, the last parts are left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct
from textual import events
from textual.geometry import Region

from ...daily.result_text import (
    BEST,
    OTHER,
    PLAIN_BEST,
    PLAIN_OTHER,
    choice_texts,
    field_answers,
    headline,
    place_text,
    share_text,
)
from ...daily.session import DailyOverview, DailyResult
from ...gamekit.adviser import Decision
from ...gamekit.number_formats import with_minus_signs
from ...gamekit.verdict import action_text, own_cost
from ...house.daily_ranking import AnswerCounts, Board
from ...inputs.numbers import count_noun
from ..draw.canvas import Canvas, CanvasRow, TonedLine, line_width, write_line
from ..draw.card_art import CardSize
from ..draw.card_groups import CardGroup, draw_groups, fitting_groups, groups_height, groups_width
from ..draw.look import LineStyles, line_styles_of
from ..draw.plots import bar, column_chart
from ..draw.segments import text_width
from ..table.action_text import with_card_signs
from ..table.face import AnyFace
from ..terminal.detection import GlyphSet
from ..widgets.line_widget import CanvasWidget
from ..widgets.lists import CursorList, mark_cursor
from ..widgets.text_blocks import wrap_text

MARGIN, GAP = 2, 4
"""The columns at both edges, and between figures and between parts of the page."""
MARKS = (4, 3, 2)
"""The possible widths of a large mark, which has two rows."""
ROW = 20
"""The most small marks in a row."""
ROOMY, MIDDLE, SPACED = 18, 14, 24
"""The minimum heights for the text to share and large marks, for the days, and for empty rows."""
CHARTED, CHART_WIDTH, CHART_HEIGHT = 104, 41, 4
"""The minimum width of a page with a chart, and the chart's size without its title."""
TEXT, WIDE_TEXT, MOST_TEXT = 42, 58, 90
"""The minimum width of the text next to the cards, that on a page with a chart, and the maximum."""
BELOW, MORE_BELOW = 3, 7
"""The rows that text keeps below the cards, and in a window of :data:`SPACED` rows.

They do not depend on the text, so that the cards keep their size when the reasons are known.
"""
CELL, DETAILED = 36, 84
"""The minimum width of a choice in the list, and of one with its best choice and a bar."""
LISTED = 3
"""The minimum number of rows that the list keeps, with its title, if drawn cards leave them."""


class ChoiceDetails(Struct, frozen=True):
    """A choice with the EVs of its alternatives, its cards, and the reasons as sentences."""

    decision: Decision[Any, Any]
    cards: tuple[CardGroup, ...] = ()
    reasons: tuple[str, ...] = ()


def choice_cards(
    face: AnyFace, result: DailyResult, decision: Decision[Any, Any]
) -> tuple[CardGroup, ...]:
    """Return the cards of a choice, with those at the end of its round."""
    ended = 0 < decision.round <= len(result.endings)
    return face.decision_cards(decision, result.endings[decision.round - 1] if ended else None)


class ResultPage(CursorList[Decision[Any, Any]], CanvasWidget):
    """Draws a result; the cursor is on one of its choices, at first on the costliest."""

    def __init__(
        self, result: DailyResult, overview: DailyOverview, answers: AnswerCounts, face: AnyFace
    ) -> None:
        super().__init__(id="daily-result")
        self._result, self._overview, self._face = result, overview, face
        self._answers = [
            field_answers(answers.get(key, {}), own)
            for key, own in (result.answers if answers else ())
        ]
        self.rows = result.decisions
        costs = [one.cost for one in self.rows]
        self.at = costs.index(max(costs)) if costs else 0
        self._details: dict[int, ChoiceDetails] = {}
        self._past: tuple[float | None, ...] = ()
        self._board: Board | None = None
        self._columns = 1
        self._places: list[tuple[Region, int]] = []

    @property
    def step(self) -> int:
        """The step of the choice at the cursor, or the first step."""
        return self.rows[self.at].step if self.rows else 1

    @property
    def is_detailed(self) -> bool:
        """Whether the details of the choice at the cursor are known."""
        return self.at in self._details or not self.rows

    def show_details(self, place: int, details: ChoiceDetails) -> None:
        """Show the EVs and the reasons of a choice, once they are known."""
        self._details[place] = details
        self.refresh()

    def show_past(self, costs: Sequence[float | None]) -> None:
        """Show what the last days cost, oldest first."""
        self._past = tuple(costs)
        self.refresh()

    def show_field(self, board: Board) -> None:
        """Show the player's place among all players, instead of the last days."""
        self._board = board
        self.refresh()

    def action_go(self, rows: int) -> None:
        """Move the cursor by rows of the list."""
        self.go_to(self.at + rows * self._columns)

    def on_click(self, event: events.Click) -> None:
        """Point at a choice, or choose the one at the cursor."""
        for region, place in self._places:
            if region.contains(event.x, event.y):
                if place == self.at:
                    self.post_message(self.Chosen())
                self.go_to(place)
                return

    def _shown(self) -> object:
        return self._overview, self.at, len(self._details), self._past, self._board

    # ---- layout ---------------------------------------------------------------------------

    def _paint(self, canvas: Canvas) -> None:
        inks, self._places = line_styles_of(canvas.look.palette), []
        spaced, roomy = canvas.height >= SPACED, canvas.height >= ROOMY
        share = self._share_lines(canvas) if roomy else []
        bottom = canvas.height - len(share) - bool(share and spaced)
        y = self._paint_head(canvas, int(spaced), inks) + spaced
        if self.rows:
            y = self._paint_choice(canvas, y, bottom, inks) + spaced
            self._paint_list(canvas, y, bottom, inks)
        self._paint_share(canvas, canvas.height - len(share), share, inks)

    def _paint_head(self, canvas: Canvas, y: int, inks: LineStyles) -> int:
        """Write the result, the marks, and the last days; return the row below them."""
        result, top, charted = self._result, y, canvas.width >= CHARTED
        end = canvas.width - MARGIN - charted * (CHART_WIDTH + GAP)
        if result.marks and all(result.marks):
            stars = "★ ★ ★" if canvas.look.tier is GlyphSet.UNICODE else "* * *"
            canvas.write(MARGIN, y, f"{stars}  Every choice was best  {stars}", inks.gold)
            y += 1
        x = MARGIN
        place = place_text(self._board) if self._board is not None else ""
        figures = (*headline(result), *filter(None, (place,)))
        for text, ink in zip(figures, (inks.strong, inks.gold, inks.strong), strict=False):
            if x > MARGIN and x + text_width(text) > end:
                x, y = MARGIN, y + 1
            x = canvas.write(x, y, text, ink) + GAP
        y = self._paint_marks(canvas, y + 1 + (canvas.height >= SPACED), end, inks)
        if charted and canvas.height >= ROOMY:
            left = canvas.width - MARGIN - CHART_WIDTH
            if self._board is not None:
                self._paint_field(canvas, left, top, self._board, inks)
            else:
                self._paint_days(canvas, left, top, inks)
            return max(y, top + CHART_HEIGHT + 2)
        if canvas.height >= MIDDLE:
            self._paint_strip(canvas, y, inks)
            return y + 1
        return y

    def _paint_marks(self, canvas: Canvas, y: int, end: int, inks: LineStyles) -> int:
        """Draw the marks, large ones if they fit in a row; return the row below them."""
        marks = self._result.marks
        for wide in MARKS if canvas.height >= ROOMY else ():
            if len(marks) * (wide + 1) - 1 > end - MARGIN:
                continue
            x = MARGIN
            for place, mark in enumerate(marks):
                for row, strokes in enumerate(_large_mark(mark, wide, canvas.look.tier)):
                    canvas.write(x, y + row, strokes, inks.good if mark else inks.bad)
                if place == self.at:
                    canvas.write(x + (wide - 1) // 2, y + 2, "▲", inks.gold)
                self._places.append((Region(x, y, wide, 2), place))
                x += wide + 1
            return y + 3
        signs = _signs(canvas.look.tier)
        for start in range(0, len(marks), ROW):
            for x, mark in enumerate(marks[start : start + ROW]):
                ink = inks.block if start + x == self.at else inks.good if mark else inks.bad
                canvas.write(MARGIN + x, y, signs[mark], ink)
                self._places.append((Region(MARGIN + x, y, 1, 1), start + x))
            y += 1
        return y

    def _paint_strip(self, canvas: Canvas, y: int, inks: LineStyles) -> None:
        """Write which of the last days were played, and the run."""
        strip, tier = self._overview.strip, canvas.look.tier
        x = canvas.write(MARGIN, y, f"last {len(strip)} days ", inks.muted)
        for place, played in enumerate(strip, 1):
            sign = _signs(tier)[True] if played else "·" if tier is GlyphSet.UNICODE else "."
            today = place == len(strip)
            ink = inks.faint if not played else inks.gold if today else inks.good
            x = canvas.write(x, y, sign, ink)
        canvas.write(x, y, f" {self._overview.run_text}", inks.strong)

    def _paint_days(self, canvas: Canvas, x: int, y: int, inks: LineStyles) -> None:
        """Draw what the last days cost as columns, with the best and the average."""
        costs, days = self._past, len(self._overview.strip)
        known = [cost for cost in costs if cost is not None]
        row = canvas.rows()[y]
        row.put(x, f"LAST {days} DAYS", inks.gold)
        row.put_before(x + CHART_WIDTH, self._overview.run_text, inks.strong)
        columns = [*[None] * (days - len(costs)), *costs]
        tier, wide = canvas.look.tier, 2
        for line, text in enumerate(column_chart(columns, CHART_HEIGHT, tier, wide=wide, gap=1)):
            canvas.write(x, y + 1 + line, text[: -wide - 1], inks.good)
            canvas.write(x + CHART_WIDTH - wide, y + 1 + line, text[-wide:], inks.gold)
        if known:
            unit = "points" if self._result.bets is None else "bets"
            figures = f"best {min(known):.2f}  average {sum(known) / len(known):.2f} {unit}"
            below = canvas.rows()[y + 1 + CHART_HEIGHT]
            below.put(x, figures, inks.muted)
            below.put_before(x + CHART_WIDTH, "today", inks.gold)

    def _paint_field(self, canvas: Canvas, x: int, y: int, board: Board, inks: LineStyles) -> None:
        """Draw the costs of the first players as columns, from the best to the worst."""
        row, below = canvas.rows()[y], canvas.rows()[y + 1 + CHART_HEIGHT]
        row.put(x, "THE FIELD", inks.gold)
        row.put_before(x + CHART_WIDTH, count_noun(board.players, "player"), inks.strong)
        shown = board.standings[-(CHART_WIDTH // 2) - 1 :]
        tier, amounts = canvas.look.tier, [one.amount for one in shown]
        for line, text in enumerate(column_chart(amounts, CHART_HEIGHT, tier, wide=1, gap=1)):
            for place, one in enumerate(shown):
                ink = inks.gold if one.own else inks.good
                canvas.write(x + 2 * place, y + 1 + line, text[2 * place], ink)
        for place, one in enumerate(shown):
            if one.own:
                below.put(x + 2 * place, "▲ you", inks.gold)

    # ---- the choice at the cursor -----------------------------------------------------------

    def _paint_choice(self, canvas: Canvas, y: int, bottom: int, inks: LineStyles) -> int:
        """Draw the cards of the choice at the cursor and what it cost; return the row below."""
        decision, rows = self.rows[self.at], canvas.rows()
        details = self._details.get(self.at) or ChoiceDetails(
            decision, choice_cards(self._face, self._result, decision)
        )
        self._write_title(rows[y], decision, inks)
        y += 1
        across = canvas.width - 2 * MARGIN
        aside = across - GAP - (WIDE_TEXT if canvas.width >= CHARTED else TEXT)
        most = max(1, (canvas.width - MARGIN) // CELL)
        listed = max(LISTED, 1 + min(-(-len(self.rows) // most), canvas.height // 4))
        room = max(2, bottom - y - (listed + 1 if canvas.height >= ROOMY else 0))
        has_side = groups_width(details.cards, CardSize.TINY) <= aside
        smallest = groups_height(details.cards, CardSize.TINY) + BELOW * (not has_side)
        if room < smallest <= bottom - y:  # the cards come before the list
            room = bottom - y
        beside, size = fitting_groups(details.cards, aside, room)
        kept = MORE_BELOW if canvas.height >= SPACED else BELOW if canvas.height >= ROOMY else 2
        below, larger = fitting_groups(details.cards, across, room - kept)
        is_below = groups_width(beside, size) > aside or (
            (len(below), larger.height) > (len(beside), size.height)
        )
        groups, size = (below, larger) if is_below else (beside, size)
        if groups and (room > 2 or size is CardSize.CHIP):
            draw_groups(canvas, MARGIN, y, groups, size)
        height = groups_height(groups, size) if groups else 0
        if is_below:
            x, top = MARGIN, y + height
            width, end = min(MOST_TEXT, across), y + room
        else:
            x, top = MARGIN + groups_width(groups, size) + GAP, y
            width, end = min(MOST_TEXT, canvas.width - x - MARGIN), y + max(height, room // 2)
        lines = self._text_lines(details, width, canvas.look.tier)
        drawn = lines[: max(0, min(end, bottom) - top)]
        if 2 < len(drawn) < len(lines) and not drawn[-1][1]:
            ((text, tone), *_), _ = drawn[-1]
            drawn[-1] = ((f"{text[: width - 2]} …", tone),), ""
        widths = (line_width(line) + 3 + text_width(right) for line, right in drawn if right)
        edge = x + min(width, max(widths, default=0))
        for row, (line, right) in zip(rows[top:], drawn, strict=False):
            end = row.put_before(edge, right, inks.strong) - 1 if right else x + width
            column = x
            for text, tone in line:
                column = row.put(column, text, inks.style(tone), end)
        return max(y + height, top + len(drawn))

    def _write_title(self, row: CanvasRow, decision: Decision[Any, Any], inks: LineStyles) -> None:
        game, is_best = self._result.deal.game, decision.mistake is None
        x = row.put(MARGIN, f"CHOICE {self.at + 1} of {len(self.rows)}", inks.gold)
        cost = "best" if is_best else f"cost {own_cost(game, decision)} {game.unit_name}"
        x = row.put(x + 2, cost, inks.good if is_best else inks.bad)
        spot = f"round {decision.round}: {decision.spot}"
        row.put(x + 2, spot, inks.muted, row.width - MARGIN)

    def _text_lines(
        self, details: ChoiceDetails, width: int, tier: GlyphSet
    ) -> list[tuple[TonedLine, str]]:
        """Return the lines about a choice, each with the text at its right edge."""
        lines = list[tuple[TonedLine, str]]()
        for one in choice_texts(self._result, details.decision):
            figures = f"EV {with_minus_signs(one.ev)}" if one.ev else ""
            tone = "good" if one.who == "best" or one.cost == "best" else "bad"
            line = ((f"{one.who:<6}", tone), (with_card_signs(one.action), ""))
            lines.append((line, figures))
        if self._answers:
            lines += self._field_lines(width, tier)
        for reason in details.reasons:
            lines += [
                (((text, "muted"),), "") for text in wrap_text(with_card_signs(reason), width)
            ]
        return lines

    def _field_lines(self, width: int, tier: GlyphSet) -> list[tuple[TonedLine, str]]:
        """Return what everybody chose, each with a bar."""
        answers = self._answers[self.at]
        if not answers:
            return [((("Nobody else had this choice.", "muted"),), "")]
        needed = max(text_width(f" you {with_card_signs(one.action)}   {one}") for one in answers)
        room = max(1, min(20, width - needed))
        lines = list[tuple[TonedLine, str]]()
        for one in answers:
            share = bar(one.count / one.total, room, tier)
            own = "you" if one.own else ""
            action = f" {with_card_signs(one.action)}"
            lines.append((((share, "blue"), (f" {own:<3}", "gold"), (action, "")), str(one)))
        return lines

    # ---- all choices, and the text to share -------------------------------------------------

    def _paint_list(self, canvas: Canvas, y: int, bottom: int, inks: LineStyles) -> None:
        """Write every choice with its cost, row by row, with the one at the cursor in view."""
        room, count = bottom - y - 1, len(self.rows)
        most = max(1, (canvas.width - MARGIN) // CELL)
        enough = (columns for columns in range(1, most + 1) if -(-count // columns) <= room)
        columns = self._columns = min(next(enough, most), count)
        if room < 1:
            return
        maximum = max(one.cost for one in self.rows) or 1
        canvas.write(MARGIN, y, "ALL CHOICES", inks.gold)
        rows, width = -(-count // columns), (canvas.width - MARGIN) // columns
        first = max(0, min(self.at // columns - room // 2, rows - room))
        for line, row in zip(range(first, rows), canvas.rows()[y + 1 : bottom], strict=False):
            for column in range(columns):
                place = line * columns + column
                if place < count:
                    left = 1 + column * width
                    share = float(self.rows[place].cost / maximum)
                    self._write_cell(canvas, row, left, left + width - 1, place, share)
                    region = Region(left, y + 1 + line - first, width - 1, 1)
                    self._places.append((region, place))

    def _write_cell(
        self, canvas: Canvas, row: CanvasRow, left: int, end: int, place: int, share: float
    ) -> None:
        """Write a choice in the list; ``share`` is its cost relative to the costliest one."""
        inks, game, choice = line_styles_of(canvas.look.palette), self._result.deal.game, self.rows
        one, detailed = choice[place], end - left >= DETAILED
        pointed = place == self.at
        if pointed:
            mark_cursor(row, left, end, canvas.look)
        texts = choice_texts(self._result, one)
        row.put_before(left + 4, str(place + 1), inks.muted)
        is_best = one.mistake is None
        cost = "best" if is_best else own_cost(game, one).replace("less than ", "<")
        edge = left + 46 if detailed else end - 1
        before = row.put_before(edge, cost, inks.good if is_best else inks.bad)
        did = with_card_signs(texts[0].action)
        row.put(left + 6, did, inks.gold if pointed else inks.text, before - 1)
        if detailed and not is_best:
            wide = 16
            row.put(edge + 2, bar(share, wide, canvas.look.tier), inks.bad)
            best = with_card_signs(action_text(game, one, one.best))
            row.put(edge + 4 + wide, f"best: {best}", inks.muted, end - 1)

    def _share_lines(self, canvas: Canvas) -> list[str]:
        plain = canvas.look.tier is not GlyphSet.UNICODE
        return share_text(self._result, self._overview.run, plain=plain).splitlines()

    def _paint_share(self, canvas: Canvas, y: int, lines: list[str], inks: LineStyles) -> None:
        """Write the text to share, and its key."""
        for row, line in enumerate(lines, y):
            canvas.write(MARGIN, row, line, inks.muted)
        if lines and MARGIN + len(lines[0]) + 15 < canvas.width:
            write_line(canvas, canvas.width - 13, y, (("y", "gold"), (" copies it", "muted")))


def _signs(tier: GlyphSet) -> tuple[str, str]:
    """Return the small marks of another choice and of a best one."""
    return (OTHER, BEST) if tier is GlyphSet.UNICODE else (PLAIN_OTHER, PLAIN_BEST)


def _large_mark(is_best: bool, wide: int, tier: GlyphSet) -> tuple[str, str]:
    """Return the two rows of a large mark: filled for a best choice, hollow for another one."""
    if is_best:
        return (("#" if tier is GlyphSet.ASCII else "█") * wide,) * 2
    if tier is GlyphSet.ASCII:
        return (f"+{'-' * (wide - 2)}+",) * 2
    top, bottom = ("▛▀▜", "▙▄▟") if tier is GlyphSet.UNICODE else ("┌─┐", "└─┘")
    return top[0] + top[1] * (wide - 2) + top[2], bottom[0] + bottom[1] * (wide - 2) + bottom[2]
