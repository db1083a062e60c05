"""The boards of a server's daily deals.

::

     ♠ DAILY DEAL  boards · today                              2026-11-28 (UTC)

      today   yesterday   best 5 of the last 7 days   longest run …

      VIDEO POKER  12 players                           HIT ME  3 players
         1  Ann           cost 0.00 bets  ■■■■■■■■■■       1  Cem  ██▌   cost 0.10 bets, …
         2  Bob  ▍        cost 0.12 bets  ■■■■□■■■■■       2  Ann  ████  cost 0.31 bets, …
    ▌   15  you  ████████ cost 2.40 bets  ■□■■□□■■■■
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from datetime import date
from typing import ClassVar

from textual import events, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.message import Message

from ...daily.result_text import BEST, OTHER, choice_texts
from ...daily.session import DailyResult
from ...gamekit.registry import listing_of, title_of
from ...house.daily_ranking import TITLES, Board, BoardKind, empty_text
from ...house.house import DailyServer
from ...inputs.errors import BadInput
from ...inputs.numbers import count_noun
from ..draw.canvas import Canvas, CanvasRow
from ..draw.card_groups import draw_groups, fitting_groups, groups_height
from ..draw.look import LineStyles, line_styles_of, style_of
from ..draw.plots import bar
from ..draw.segments import text_width
from ..draw.text import SIGNS, capitalize
from ..room import Room, help_binding, leave_binding
from ..table.action_text import with_card_signs
from ..table.face import face_of
from ..terminal.detection import GlyphSet
from ..theme import sheet
from ..widgets.key_bar import VERB
from ..widgets.line_widget import CanvasWidget
from .result_page import choice_cards
from .result_screen import TITLE

HELP = """\
  space, right  the next board
  left          the previous board
  up, down      scroll (also PgUp, PgDn, and the mouse wheel)
  Esc           back to the daily deals

A click on the name of a board shows it. Equal results share a rank. Today's \
board contains only results that the server has judged. The week adds the \
costs of your five cheapest days, and has a mark for each day: filled without \
a mistake, hollow with one, a dot without a try. A short bar is a low cost. A run \
continues on your next day."""
KINDS = tuple(BoardKind)
SHORT = {BoardKind.WEEK: "week", BoardKind.RUNS: "longest run"}
"""The short titles of boards, for the tabs."""
COLUMN, NARROW, BARRED = 48, 50, 48
"""The minimum width of a column, of one with the word ``cost``, and of one with bars."""
BAR, MOST_BAR = 8, 40
"""The minimum and the maximum width of a bar."""
WITH_HAND = 10
"""The minimum number of rows below the boards in which a choice is drawn."""
NAME, GAP, COST = 22, 2, 12
"""The maximum width of a player's name, the space after it, and the minimum width of a result."""
JUDGING, PATIENCE = 1.0, 20
"""Seconds between two looks for the result of a try just finished, and the number of looks."""


class DailyBoardScreen(Room[None]):
    """The boards of all games; ``results`` are those of the games that the player finished."""

    HELP_PAGE = TITLE, HELP
    CSS_PATH = [sheet("tables"), sheet("practice")]  # noqa: RUF012 - as Textual has it
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space,enter,right", "next", "Next board", id="daily-board.next", group=VERB),
        Binding("left", "previous", "Previous board", id="daily-board.previous", group=VERB),
        help_binding("daily-board"),
        leave_binding("daily-board"),
        Binding("up", "scroll(-1)", "Up", show=False, id="daily-board.up"),
        Binding("down", "scroll(1)", "Down", show=False, id="daily-board.down"),
        Binding("pageup", "scroll(-10)", "Page up", show=False, id="daily-board.page-up"),
        Binding("pagedown", "scroll(10)", "Page down", show=False, id="daily-board.page-down"),
    ]

    def __init__(
        self, server: DailyServer, today: date, results: Mapping[str, DailyResult | None]
    ) -> None:
        self._day = (f"{today} (UTC)", "muted")
        super().__init__(TITLE, "", self._day)
        self._server, self._played, self._kind = server, frozenset(results), BoardKind.TODAY
        self.page = BoardPage(results)

    def compose_content(self) -> ComposeResult:
        yield self.page

    def on_mount(self) -> None:
        self._read()

    def on_board_page_chosen(self, message: BoardPage.Chosen) -> None:
        self._show(message.kind)

    def action_next(self) -> None:
        self._turn(1)

    def action_previous(self) -> None:
        self._turn(-1)

    def _turn(self, steps: int) -> None:
        self._show(KINDS[(KINDS.index(self._kind) + steps) % len(KINDS)])

    def _show(self, kind: BoardKind) -> None:
        self._kind = kind
        self._read()

    def action_scroll(self, rows: int) -> None:
        """Scroll a list that is longer than the page."""
        self.page.scroll_rows(rows)

    @work(exclusive=True, group="read")
    async def _read(self) -> None:
        """Read the board on a thread; wait for the result of a try that was just finished."""
        kind = self._kind
        self.title_bar.describe(f"boards · {TITLES[kind]}", self._day)
        for look in range(PATIENCE):
            try:
                boards = await asyncio.to_thread(self._server.boards, kind)
            except BadInput as error:
                self.page.show(kind, (), capitalize(f"{error}."))
                return
            missing = kind is BoardKind.TODAY and any(
                board.game in self._played and not any(one.own for one in board.standings)
                for board in boards
            )
            self.page.show(kind, boards, "The server is judging your choices …" * missing)
            if not missing:
                return
            if look == 0:
                self._server.report()
            await asyncio.sleep(JUDGING)
        self.page.show(kind, boards, "Your result is not there yet; look again later.")


class BoardPage(CanvasWidget):
    """Draws the names of the boards, and the chosen board of each game in one or two columns."""

    class Chosen(Message):
        """The player clicked on the name of a board."""

        def __init__(self, kind: BoardKind) -> None:
            super().__init__()
            self.kind = kind

    def __init__(self, results: Mapping[str, DailyResult | None]) -> None:
        super().__init__(id="daily-board")
        self._results = results
        self._kind, self._boards, self._note = BoardKind.TODAY, tuple[Board, ...](), "one moment …"
        self._top = 0
        self._tabs: dict[BoardKind, range] = {}

    def show(self, kind: BoardKind, boards: Sequence[Board], note: str = "") -> None:
        """Show these boards, and a note below the tabs."""
        if kind is not self._kind:
            self._top = 0
        self._kind, self._boards, self._note = kind, tuple(boards), note
        self.refresh()

    def scroll_rows(self, rows: int) -> None:
        self._top = max(0, self._top + rows)
        self.refresh()

    def on_click(self, event: events.Click) -> None:
        for kind, columns in self._tabs.items():
            if event.y == 0 and event.x in columns:
                self.post_message(self.Chosen(kind))

    def on_mouse_scroll_up(self) -> None:
        self.scroll_rows(-1)

    def on_mouse_scroll_down(self) -> None:
        self.scroll_rows(1)

    def _shown(self) -> object:
        return self._kind, self._boards, self._note, self._top

    def _paint(self, canvas: Canvas) -> None:
        inks, rows = line_styles_of(canvas.look.palette), canvas.rows()
        x = 2
        for kind in KINDS:
            ink = inks.gold if kind is self._kind else inks.muted
            end = rows[0].put(x, SHORT.get(kind, TITLES[kind]), ink)
            self._tabs[kind] = range(x, end)
            x = end + 3
        played = [board for board in self._boards if board.players]
        note = self._note or ("" if played else empty_text(self._kind))
        body = rows[2:]
        if note and body:
            body[0].put(2, note, inks.muted)
            body = body[2:]
        columns = max(1, min(len(played), canvas.width // COLUMN))
        width = canvas.width // columns
        lists = [_lines(played[column::columns]) for column in range(columns)]
        longest = max(map(len, lists))
        self._top = max(0, min(self._top, longest - len(body)))
        for column, lines in enumerate(lists):
            left = column * width
            for row, (board, place) in zip(body, lines[self._top :], strict=False):
                _paint_line(canvas, row, left, left + width, inks, board, place)
        if self._kind is BoardKind.TODAY and len(body) - longest >= WITH_HAND:
            self._paint_hand(canvas, canvas.height - len(body) + longest + 1, played)

    def _paint_hand(self, canvas: Canvas, y: int, boards: Sequence[Board]) -> None:
        """Draw the choice that most players got wrong, of the first game that the player knows."""
        for board in boards:
            result, found = self._results.get(board.game), hardest_choice(board)
            if result is None or found is None or found[0] >= result.choices:
                continue
            inks, (place, best, total) = line_styles_of(canvas.look.palette), found
            decision, rows = result.decisions[place], canvas.rows()
            title = f"{title_of(board.game).upper()}: THE HARDEST CHOICE, {place + 1}"
            after = rows[y].put(2, title, inks.gold)
            rows[y].put(after + 2, f"{best} of {total} best", inks.muted)
            cards = choice_cards(face_of(listing_of(board.game)), result, decision)
            groups, size = fitting_groups(cards, canvas.width - 4, canvas.height - y - 4)
            draw_groups(canvas, 2, y + 1, groups, size)
            y += 1 + groups_height(groups, size)
            for row, one in zip(rows[y:], choice_texts(result, decision), strict=False):
                tone = inks.bad if decision.mistake and one.who == "you" else inks.good
                after = row.put(2, f"{one.who:<6}", tone)
                after = row.put(after, with_card_signs(one.action), inks.text)
                row.put(after + 2, one.cost, inks.muted)
            return


def hardest_choice(board: Board) -> tuple[int, int, int] | None:
    """Return the index of the choice that most players got wrong, and how many got it right.

    The third number is that of the players. Return ``None`` if nobody made a mistake, or if the
    players had different numbers of choices, because then their choices cannot be compared.
    """
    marks = [one.marks for one in board.standings if one.marks]
    if len({*map(len, marks)}) != 1 or len(marks) < 2:
        return None
    right = [sum(each == "1" for each in choice) for choice in zip(*marks, strict=True)]
    fewest = min(right)
    return None if fewest == len(marks) else (right.index(fewest), fewest, len(marks))


def _lines(boards: Sequence[Board]) -> list[tuple[Board | None, int]]:
    """Return the lines of a column: a board with its place, -1 for the heading; or a gap."""
    lines: list[tuple[Board | None, int]] = []
    for board in boards:
        lines += [(board, place) for place in range(-1, len(board.standings))]
        lines.append((None, 0))
    return lines[:-1]


def _paint_line(
    canvas: Canvas,
    row: CanvasRow,
    left: int,
    end: int,
    inks: LineStyles,
    board: Board | None,
    place: int,
) -> None:
    if board is None:
        return
    if place < 0:
        x = row.put(left + 2, title_of(board.game).upper(), inks.gold, end)
        row.put(x + 2, count_noun(board.players, "player"), inks.muted, end)
        return
    one, look = board.standings[place], canvas.look
    width = end - left
    wide = max(BAR, min(MOST_BAR, (width - 56) // 2))
    least = COST if width < BARRED else wide + GAP + COST
    widest = max(1, min(NAME, width - 1 - least - GAP - 8))
    name = min(widest, max(text_width(each.name) for each in board.standings))
    if one.own:
        row.ground(left + 1, end - 1, style_of(look.palette.text, look.palette.panel))
        row.put(left + 1, SIGNS[look.tier]["cursor"], inks.gold)
    row.put_before(left + 6, str(one.rank), inks.muted)
    ink = inks.gold if one.own else inks.strong if one.rank == 1 else inks.text
    row.put(left + 8, one.name, ink, left + 8 + name)
    x = left + 8 + name + GAP
    if width >= BARRED:
        largest = max(each.amount for each in board.standings) or 1
        tone = inks.gold if one.own else inks.good
        row.put(x, bar(one.amount / largest, wide, look.tier), tone)
        x += wide + GAP
    result = one.result if width >= NARROW else one.result.removeprefix("cost ")
    short = result.partition(",")[0]
    marks = one.marks
    if marks and x + text_width(short) + GAP + len(marks) < end:
        row.put(x, short, inks.text)
        texts = (each.result.partition(",")[0] for each in board.standings)
        x += max(map(text_width, texts)) + GAP
        x = min(x, end - 1 - len(marks))
        for mark, sign in zip(marks, day_signs(marks, look.tier), strict=True):
            tone = inks.good if mark == "1" else inks.bad if mark == "0" else inks.faint
            x = row.put(x, sign, tone, end)
    else:
        row.put(x, result, inks.text, end - 1)


def day_signs(marks: str, tier: GlyphSet) -> str:
    """Return a strip of small marks; a day without a try is a dot."""
    best, other, none = (BEST, OTHER, "·") if tier is GlyphSet.UNICODE else ("#", "o", ".")
    return "".join(best if mark == "1" else other if mark == "0" else none for mark in marks)
