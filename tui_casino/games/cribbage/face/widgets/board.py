"""The pegging board: two streets of sixty holes for each player, and the hole that wins."""

from __future__ import annotations

from dataclasses import dataclass

from rich.style import Style
from rich.text import Text
from textual.geometry import Size
from textual.strip import Strip

from .....tui.terminal.detection import Tier
from .....tui.widgets.card_art import Look, style_of
from .....tui.widgets.drawn import Drawn, centred, strip_of

STREET, GROUP = 60, 5
NAME_WIDTH = 5
BOARD_WIDTH = NAME_WIDTH + STREET + STREET // GROUP - 1 + 2
"""Names, holes with a gap after each five, and the last hole."""


@dataclass(frozen=True, slots=True)
class Lane:
    """A player's row of holes: the name, the points, and those before the last score."""

    name: str
    points: int
    back: int


@dataclass(frozen=True, slots=True)
class Holes:
    """The marks of the board in a tier's glyphs."""

    hole: str
    trail: str
    back: str
    front: str
    home: str
    skunk: str


_UNICODE = Holes("·", "•", "○", "●", "◎", "┊")
_MARKS = {
    Tier.UNICODE: _UNICODE,
    Tier.CP437: Holes("·", "•", "o", "O", "0", "│"),
    Tier.ASCII: Holes(".", "-", "o", "O", "@", "|"),
}


class Board(Drawn):
    """The lanes of both players, as many streets as are played to."""

    def __init__(self, target: int | None, skunk: int | None) -> None:
        super().__init__()
        self.target, self.skunk = target, skunk
        self.lanes: tuple[Lane, ...] = ()

    def show(self, *lanes: Lane) -> None:
        """Show these lanes from now on."""
        if lanes != self.lanes:
            self.lanes = lanes
            self.refresh()

    def _shown(self) -> object:
        return self.lanes

    def _draw(self, look: Look, area: Size) -> list[Strip]:
        lines = board_lines(self.lanes, self.target, self.skunk, look)
        return [centred(strip_of(line), area.width) for line in lines]


def board_lines(
    lanes: tuple[Lane, ...], target: int | None, skunk: int | None, look: Look
) -> list[Text]:
    """Draw the streets, each with its numbers above; one street where there is no target.

    A player behind the hole ``skunk`` at the end is skunked: the line is drawn after it.
    """
    streets = 1 if target is None else -(-(target - 1) // STREET)
    lines = []
    for street in range(streets):
        first = street * STREET + 1
        lines.append(_numbers(first))
        home = target if street == streets - 1 else None
        for lane, colour in zip(lanes, (look.palette.gold, look.palette.blue), strict=False):
            lines.append(_lane(lane, first, home, skunk, style_of(colour), look))
    return lines


def _numbers(first: int) -> Text:
    groups = (f"{first + GROUP * group + GROUP - 1:>{GROUP}}" for group in range(STREET // GROUP))
    return Text(" " * NAME_WIDTH + " ".join(groups) + "  ")


def _lane(
    lane: Lane, first: int, home: int | None, skunk: int | None, own: Style, look: Look
) -> Text:
    marks, muted = _MARKS[look.tier], style_of(look.palette.muted)
    line = Text(f"{lane.name:<{NAME_WIDTH}}" if first == 1 else " " * NAME_WIDTH, own)
    for hole in range(first, first + STREET):
        line.append(*_hole(hole, lane, marks, own, muted))
        if hole % GROUP == 0 and hole < first + STREET - 1:
            wall = hole == skunk
            line.append(marks.skunk if wall else " ", style_of(look.palette.bad) if wall else muted)
    if home is None:
        return line.append("  ")
    won = lane.points >= home
    return line.append(" ").append(marks.front if won else marks.home, own if won else muted)


def _hole(hole: int, lane: Lane, marks: Holes, own: Style, muted: Style) -> tuple[str, Style]:
    if hole == lane.points:
        return marks.front, own
    if hole == lane.back:
        return marks.back, own
    return (marks.trail, own) if hole < lane.points else (marks.hole, muted)
