"""The upper part of the table: the board above the discards, the play or a count."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from msgspec import Struct
from textual import events
from textual.geometry import Region
from textual.geometry import Size as Area
from textual.strip import Strip

from .....tui.draw.choice_list import ChoiceList, choice_at, choice_lines, rows_wanted
from .....tui.draw.look import Look, line_styles_of
from .....tui.draw.segments import LineBuilder, centre_strip, pad_lines, truncate
from .....tui.widgets.choice_list import ChoiceListView
from .....tui.widgets.line_widget import LineWidget
from ..count_pages import CountPage
from . import count_table
from .board import STREET, BoardPegs, board_lines, columns, rows
from .count_table import count_lines
from .play import PlayScene, play_lines


class CountScene(Struct, frozen=True):
    """A page of the show, the number of combinations shown, and the columns of its cards."""

    page: CountPage
    rows_shown: int
    columns: tuple[int, ...]


class TextScene(Struct, frozen=True):
    """A title and lines of text, shown while there is no other scene."""

    title: str = ""
    lines: tuple[str, ...] = ()


MIN_SCENE_ROWS = 4
"""The smallest number of rows of a scene."""
LIST_ROWS = 7
"""The rows of the list of discards in three columns."""
FRAMED_BOARD_ROWS = 5
"""The rows of a framed board with one street."""
UpperScene: TypeAlias = ChoiceList | PlayScene | CountScene | TextScene


class UpperTable(LineWidget):
    """The board above a scene; the board is left out for a count that needs all rows."""

    def __init__(self, pegs: BoardPegs) -> None:
        super().__init__()
        self.pegs = pegs
        self.scene: UpperScene = TextScene()

    def show(self, pegs: BoardPegs, scene: UpperScene) -> None:
        """Show a new board and scene; redraw only the changed parts."""
        if (pegs, scene) == (self.pegs, self.scene):
            return
        board_rows, same_pegs = self._board_rows(self.size), pegs == self.pegs
        self.pegs, self.scene = pegs, scene
        if same_pegs and board_rows == self._board_rows(self.size):
            self.refresh(Region(0, board_rows, self.size.width, self.size.height - board_rows))
        else:
            self.refresh()

    def on_click(self, event: events.Click) -> None:
        """Report the discard that was clicked in the trainer's list."""
        top = self._board_rows(self.size)
        area = Area(self.size.width, self.size.height - top)
        if isinstance(self.scene, ChoiceList):
            place = choice_at(self.scene, area, event.x, event.y - top)
            if place is not None:
                self.post_message(ChoiceListView.Chosen(place))

    def _board_rows(self, area: Area) -> int:
        """Return the rows of the board; 0 if the scene needs them all."""
        rows_left = area.height - _rows_wanted(self.scene, area, rows(self.pegs, area.height))
        board = rows(self.pegs, rows_left)
        return board if board <= rows_left else 0

    def _shown(self) -> object:
        return self.pegs, self.scene

    def _draw(self, look: Look, area: Area) -> Iterable[Strip]:
        width, height, scene = area.width, area.height, self.scene
        board = self._board_rows(area)
        above = board_lines(self.pegs, width, board, look) if board else ()
        rows_left = height - len(above)
        return [*above, *pad_lines(_scene_lines(scene, width, rows_left, look), rows_left)]


def _rows_wanted(scene: UpperScene, area: Area, board: int) -> int:
    """Return the rows that a scene needs; the board uses the rest.

    ``board`` is the number of rows of the whole board, below which a list of discards must fit.
    """
    usual = max(MIN_SCENE_ROWS, min(LIST_ROWS, area.height - FRAMED_BOARD_ROWS))
    match scene:
        case ChoiceList(rows=(_, *_)):
            return rows_wanted(scene, area.width, area.height - board)
        case CountScene(page):
            return max(count_table.rows(page), usual)
    return usual


def _scene_lines(scene: UpperScene, width: int, height: int, look: Look) -> Iterable[Strip]:
    match scene:
        case ChoiceList():
            return choice_lines(scene, Area(width, height), look)
        case CountScene(page, rows_shown, columns):
            return count_lines(page, rows_shown, columns, width, height, look)
        case PlayScene():
            return play_lines(scene, width, height, look)
    return _text_lines(scene, width, height, look)


def _text_lines(scene: TextScene, width: int, height: int, look: Look) -> Iterable[Strip]:
    inks, block = line_styles_of(look.palette), min(width, columns(STREET))  # under the board
    styled_lines = [(line, inks.muted) for line in scene.lines]
    if scene.title and height > 1:
        styled_lines = [(scene.title, inks.gold), *styled_lines[-(height - 1) :]]
    for line, ink in styled_lines[-height:] if height > 0 else ():
        strip = (
            LineBuilder(look.tier)
            .add(f" {truncate(line, block - 2, look.tier)}", ink)
            .pad_to(block)
            .strip()
        )
        yield centre_strip(strip, width)
