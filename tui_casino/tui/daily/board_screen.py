"""The boards of a server's daily deals.

::

     ♠ DAILY DEAL  boards · today                              2026-11-28 (UTC)

      today   yesterday   best 5 of the last 7 days   longest run …

      VIDEO POKER  12 players                HIT ME  3 players
         1  Ann      cost 0.00 bets, …          1  Cem     cost 0.10 bets, …
         2  Bob      cost 0.12 bets, …          2  Ann     cost 0.31 bets, …
    ▌   15  you      cost 2.40 bets, …
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import date
from typing import ClassVar

from textual import events, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.message import Message

from ...gamekit.registry import title_of
from ...house.daily_ranking import TITLES, Board, BoardKind
from ...house.house import DailyServer
from ...inputs.errors import BadInput
from ...inputs.numbers import count_noun
from ..draw.canvas import Canvas, CanvasRow
from ..draw.look import LineStyles, line_styles_of, style_of
from ..draw.segments import text_width
from ..draw.text import SIGNS, capitalize
from ..room import Room, help_binding, leave_binding
from ..theme import sheet
from ..widgets.key_bar import VERB
from ..widgets.line_widget import CanvasWidget
from .result_screen import TITLE

HELP = """\
  space, right  the next board
  left          the previous board
  up, down      scroll (also PgUp, PgDn, and the mouse wheel)
  Esc           back to the daily deals

A click on the name of a board shows it. Equal results share a rank. Today's \
board contains only results that the server has judged. The week adds the \
costs of your five cheapest days. A run continues on your next day."""
KINDS = tuple(BoardKind)
SHORT = {BoardKind.WEEK: "week", BoardKind.RUNS: "longest run"}
"""The short titles of boards, for the tabs."""
TWO_COLUMNS, NARROW = 100, 50
"""The minimum width of two columns of boards, and of a column with the word ``cost``."""
NAME, GAP, COST = 22, 2, 12
"""The maximum width of a player's name, the space after it, and the minimum width of a result."""
JUDGING, PATIENCE = 1.0, 20
"""Seconds between two looks for the result of a try just finished, and the number of looks."""


class DailyBoardScreen(Room[None]):
    """The boards of all games; ``played`` are the slugs of the games that the player finished."""

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

    def __init__(self, server: DailyServer, today: date, played: frozenset[str]) -> None:
        self._day = (f"{today} (UTC)", "muted")
        super().__init__(TITLE, "", self._day)
        self._server, self._played, self._kind = server, played, BoardKind.TODAY
        self.page = BoardPage()

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

    def __init__(self) -> None:
        super().__init__(id="daily-board")
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
        note = self._note or ("" if played else "Nobody has finished a deal yet.")
        body = rows[2:]
        if note and body:
            body[0].put(2, note, inks.muted)
            body = body[2:]
        columns = 2 if canvas.width >= TWO_COLUMNS else 1
        width = canvas.width // columns
        lists = [_lines(played[column::columns]) for column in range(columns)]
        self._top = max(0, min(self._top, max(map(len, lists)) - len(body)))
        for column, lines in enumerate(lists):
            left = column * width
            for row, (board, place) in zip(body, lines[self._top :], strict=False):
                _paint_line(canvas, row, left, left + width, inks, board, place)


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
    widest = max(1, min(NAME, end - 1 - COST - GAP - left - 8))
    name = min(widest, max(text_width(each.name) for each in board.standings))
    if one.own:
        row.ground(left + 1, end - 1, style_of(look.palette.text, look.palette.panel))
        row.put(left + 1, SIGNS[look.tier]["cursor"], inks.gold)
    row.put_before(left + 6, str(one.rank), inks.muted)
    ink = inks.gold if one.own else inks.strong if one.rank == 1 else inks.text
    row.put(left + 8, one.name, ink, left + 8 + name)
    result = one.result if end - left >= NARROW else one.result.removeprefix("cost ")
    row.put(left + 8 + name + GAP, result, inks.text, end - 1)
