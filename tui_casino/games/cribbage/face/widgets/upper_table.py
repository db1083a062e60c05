"""The upper part of the table: the board, and below it the discards, the play or a count."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from textual.geometry import Region
from textual.geometry import Size as Area
from textual.strip import Strip

from .....tui.draw.glyphs import truncate
from .....tui.draw.segments import LineBuilder, centre_strip, pad_lines
from .....tui.draw.styles import Look, line_styles_of
from .....tui.widgets.line_widget import LineWidget
from ..count_pages import CountPage
from . import count_table, discards
from .board import STREET, BoardPegs, board_lines, columns, rows
from .count_table import count_lines
from .discards import discard_lines
from .play import PlayScene, play_lines

if TYPE_CHECKING:  # numpy, late
    from ...brains.discard_ranking import DiscardRanking


@dataclass(frozen=True, slots=True)
class DiscardScene:
    """The discards of one's hand, the places marked, and whose crib it is."""

    ranking: DiscardRanking
    marked: tuple[int, ...]
    whose: str


@dataclass(frozen=True, slots=True)
class CountScene:
    """A page of the show, of which so many combinations are told yet; the columns of its cards."""

    page: CountPage
    told: int
    columns: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class TextScene:
    """Lines that may be read, with a title, while nothing else is to be seen."""

    title: str = ""
    lines: tuple[str, ...] = ()


LEAST = 4
"""Rows that any scene has."""
FRAMED = 5
"""Rows of a board of one street in its frame."""
UpperScene: TypeAlias = DiscardScene | PlayScene | CountScene | TextScene


class UpperTable(LineWidget):
    """Board and scene; a scene that wants all rows has them, as a hand of many combinations."""

    def __init__(self, pegs: BoardPegs) -> None:
        super().__init__()
        self.pegs = pegs
        self.scene: UpperScene = TextScene()

    def show(self, pegs: BoardPegs, scene: UpperScene) -> None:
        """Show these from now on; a board that stays is not painted anew."""
        if (pegs, scene) == (self.pegs, self.scene):
            return
        before, kept = self._board(self.size), pegs == self.pegs
        self.pegs, self.scene = pegs, scene
        if kept and before == self._board(self.size):
            self.refresh(Region(0, before, self.size.width, self.size.height - before))
        else:
            self.refresh()

    def _board(self, area: Area) -> int:
        """Count the rows of the board; none where the scene wants them all."""
        left = area.height - _wanted(self.scene, area, rows(self.pegs, area.height))
        board = rows(self.pegs, left)
        return board if board <= left else 0

    def _shown(self) -> object:
        return self.pegs, self.scene

    def _draw(self, look: Look, area: Area) -> Iterable[Strip]:
        width, height, scene = area.width, area.height, self.scene
        board = self._board(area)
        above = board_lines(self.pegs, width, board, look) if board else ()
        rest = height - len(above)
        return [*above, *pad_lines(_scene_lines(scene, width, rest, look), rest)]


def _wanted(scene: UpperScene, area: Area, board: int) -> int:
    """Give the rows that a scene wants, for which the board makes room if need be.

    What more there may be of the discards comes behind the whole board, which has so many rows.
    """
    usual = max(LEAST, min(discards.ROWS, area.height - FRAMED))
    match scene:
        case DiscardScene():
            return discards.rows(area.width, area.height - board)
        case CountScene(page):
            return max(count_table.rows(page), usual)
    return usual


def _scene_lines(scene: UpperScene, width: int, height: int, look: Look) -> Iterable[Strip]:
    match scene:
        case DiscardScene(ranking, marked, whose):
            return discard_lines(ranking, marked, whose, Area(width, height), look)
        case CountScene(page, told, columns):
            return count_lines(page, told, columns, width, height, look)
        case PlayScene():
            return play_lines(scene, width, height, look)
    return _quiet(scene, width, height, look)


def _quiet(scene: TextScene, width: int, height: int, look: Look) -> Iterable[Strip]:
    inks, block = line_styles_of(look.palette), min(width, columns(STREET))  # under the board
    told = [(line, inks.muted) for line in scene.lines]
    if scene.title and height > 1:
        told = [(scene.title, inks.gold), *told[-(height - 1) :]]
    for line, ink in told[-height:] if height > 0 else ():
        strip = (
            LineBuilder(look.tier)
            .add(f" {truncate(line, block - 2, look.tier)}", ink)
            .pad_to(block)
            .strip()
        )
        yield centre_strip(strip, width)
