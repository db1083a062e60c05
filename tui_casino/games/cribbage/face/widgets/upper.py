"""The upper part of the table: the board, and below it the discards, the play or a count."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from textual.geometry import Region
from textual.geometry import Size as Area
from textual.strip import Strip

from .....tui.draw.glyphs import cut
from .....tui.draw.segments import Segments, centred, padded
from .....tui.draw.styles import Look, inks_of
from .....tui.widgets.drawn import Drawn
from ..pages import Page
from . import counting, discards
from .board import STREET, Pegs, board_lines, columns, rows
from .counting import count_lines
from .discards import discard_lines
from .play import Laying, play_lines

if TYPE_CHECKING:  # numpy, late
    from ...brains.ranking import Ranking


@dataclass(frozen=True, slots=True)
class Choosing:
    """The discards of one's hand, the places marked, and whose crib it is."""

    ranking: Ranking
    marked: tuple[int, ...]
    whose: str


@dataclass(frozen=True, slots=True)
class Counted:
    """A page of the show, of which so many combinations are told yet; the columns of its cards."""

    page: Page
    told: int
    columns: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Quiet:
    """Lines that may be read, with a title, while nothing else is to be seen."""

    title: str = ""
    lines: tuple[str, ...] = ()


LEAST = 4
"""Rows that any scene has."""
FRAMED = 5
"""Rows of a board of one street in its frame."""
Scene: TypeAlias = Choosing | Laying | Counted | Quiet


class Upper(Drawn):
    """Board and scene; a scene that wants all rows has them, as a hand of many combinations."""

    def __init__(self, pegs: Pegs) -> None:
        super().__init__()
        self.pegs = pegs
        self.scene: Scene = Quiet()

    def show(self, pegs: Pegs, scene: Scene) -> None:
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
        return [*above, *padded(_scene_lines(scene, width, rest, look), rest)]


def _wanted(scene: Scene, area: Area, board: int) -> int:
    """Give the rows that a scene wants, for which the board makes room if need be.

    What more there may be of the discards comes behind the whole board, which has so many rows.
    """
    usual = max(LEAST, min(discards.ROWS, area.height - FRAMED))
    match scene:
        case Choosing():
            return discards.rows(area.width, area.height - board)
        case Counted(page):
            return max(counting.rows(page), usual)
    return usual


def _scene_lines(scene: Scene, width: int, height: int, look: Look) -> Iterable[Strip]:
    match scene:
        case Choosing(ranking, marked, whose):
            return discard_lines(ranking, marked, whose, Area(width, height), look)
        case Counted(page, told, columns):
            return count_lines(page, told, columns, width, height, look)
        case Laying():
            return play_lines(scene, width, height, look)
    return _quiet(scene, width, height, look)


def _quiet(scene: Quiet, width: int, height: int, look: Look) -> Iterable[Strip]:
    inks, block = inks_of(look.palette), min(width, columns(STREET))  # under the board
    told = [(line, inks.muted) for line in scene.lines]
    if scene.title and height > 1:
        told = [(scene.title, inks.gold), *told[-(height - 1) :]]
    for line, ink in told[-height:] if height > 0 else ():
        strip = (
            Segments(look.tier).add(f" {cut(line, block - 2, look.tier)}", ink).to(block).strip()
        )
        yield centred(strip, width)
