"""The pegging board: rows of up to sixty holes, two streets, for each player, and the last hole.

A street has 30 holes, as in the rules of the American Cribbage Congress.
"""

from __future__ import annotations

from functools import lru_cache

from msgspec import Struct
from rich.style import Style
from textual.strip import Strip

from .....cards.text_art import FRAMES, CardState
from .....tui.draw.look import LineStyles, Look, line_styles_of, style_of
from .....tui.draw.segments import LineBuilder, centre_strip
from .....tui.terminal.detection import GlyphSet

STREET, GROUP = 30, 5
HOLES = 2 * STREET
"""The most holes in a row."""
NAMES = 6
"""The columns before the first hole: the frame, and a name of three letters."""
ROWS = 3
"""The rows of the board for a row of holes: their numbers, and a lane for each player."""
FRAME = 2
STREETS = ("first", "second", "third", "fourth")


class PegLane(Struct, frozen=True):
    """A player's row of holes: the name in full and in short, the points, and the back peg."""

    name: str
    short: str
    points: int
    back_peg: int

    def pegs(self, total: int) -> list[int]:
        """Return the holes of the pegs that have left the start; the last one is ``total``."""
        return [min(hole, total) for hole in (self.back_peg, self.points) if hole > 0]


class BoardPegs(Struct, frozen=True):
    """The content of the board: both lanes (your own first), the target and the skunk line.

    ``target`` is ``None`` if a single round is played for points. A loser with at most ``skunk``
    points is skunked.
    """

    lanes: tuple[PegLane, PegLane]
    target: int | None
    skunk: int | None

    @property
    def rows(self) -> int:
        """The rows of :data:`HOLES` holes up to the target."""
        return 1 if self.target is None else -(-(self.target - 1) // HOLES)


class HoleGlyphs(Struct, frozen=True):
    """The characters of the board in a glyph set."""

    hole: str
    trail: str
    back_peg: str
    front: str
    home: str
    skunk: str


_HOLE_GLYPHS = {
    GlyphSet.UNICODE: HoleGlyphs("·", "•", "○", "●", "◎", "┊"),
    GlyphSet.CP437: HoleGlyphs("·", "•", "o", "O", "0", "│"),
    GlyphSet.ASCII: HoleGlyphs(".", "-", "o", "O", "@", "|"),
}


def columns(holes: int) -> int:
    """Return the width of a board with ``holes`` holes in a row."""
    return NAMES + holes + holes // GROUP - 1 + 3


def rows(pegs: BoardPegs, height: int) -> int:
    """Return the rows of the board that fit in ``height``: all holes or one row, framed or not."""
    all_rows = FRAME + ROWS * pegs.rows
    return next((size for size in (all_rows, FRAME + ROWS, 1 + ROWS) if size <= height), 1)


@lru_cache(16)
def board_lines(pegs: BoardPegs, width: int, height: int, look: Look) -> tuple[Strip, ...]:
    """Draw the board: its title with both scores, and the holes that fit.

    If only one row fits, it contains the holes around all four pegs. If the players are too far
    apart for that, each lane has its own holes, with their numbers above or below.
    """
    holes = HOLES if width >= columns(HOLES) else STREET
    board, inks = min(width, columns(HOLES)), line_styles_of(look.palette)
    is_whole = holes == HOLES and height >= FRAME + ROWS * pegs.rows
    framed = height >= FRAME + ROWS
    frame = FRAMES[look.tier][CardState.NORMAL][0] if framed else _plain_frame(look.tier)
    side = FRAMES[look.tier][CardState.NORMAL][1][0] if framed else " "
    firsts = [[1 + HOLES * row] * 2 for row in range(pegs.rows)]
    if not is_whole:
        firsts = [_first_holes(pegs, holes)]
    lines = [_title_line(pegs, board, frame, look, is_whole=is_whole)]
    for own_first, other_first in firsts if height >= 1 + ROWS else ():
        numbers = [
            _numbers_line(first, holes, pegs, side, look) for first in (own_first, other_first)
        ]
        lanes = [
            _lane_line(lane, pegs, first, holes, side, own, inks, look)
            for lane, first, own in zip(
                pegs.lanes, (own_first, other_first), _lane_styles(look), strict=True
            )
        ]
        rows_of_holes = [numbers[0], *lanes]
        if own_first != other_first:
            rows_of_holes.append(numbers[1])
        lines += [one.pad_to(board - 1).add(side, inks.faint).strip() for one in rows_of_holes]
    if framed and len(lines) < height:
        below = FRAMES[look.tier][CardState.NORMAL][3]
        edge = below[0] + below[1] * (board - 2) + below[2]
        lines.append(LineBuilder(look.tier).add(edge, inks.faint).strip())
    return tuple(centre_strip(one, width) for one in lines[:height])


def _first_holes(pegs: BoardPegs, holes: int) -> list[int]:
    """Return the first hole to show in each lane, the same for both if all four pegs then fit."""
    total = HOLES * pegs.rows
    lanes = [lane.pegs(total) for lane in pegs.lanes]
    if (first := _first_hole([*lanes[0], *lanes[1]], holes, total)) is not None:
        return [first, first]
    firsts = (_first_hole(lane, holes, total) for lane in lanes)
    return [
        max(1, max(lane) - holes + 1) if first is None else first
        for lane, first in zip(lanes, firsts, strict=True)
    ]


def _first_hole(holes_of_pegs: list[int], holes: int, total: int) -> int | None:
    """Return the first hole of a row with these pegs, if possible of a street; ``None`` if none."""
    lowest, highest = min(holes_of_pegs, default=1), max(holes_of_pegs, default=1)
    for step in (STREET, GROUP):
        first = min((lowest - 1) // step * step + 1, total - holes + 1)
        if highest < first + holes:
            return first
    return None


def _lane_styles(look: Look) -> tuple[Style, Style]:
    """Return the colours of your own pegs and of the opponent's."""
    return style_of(look.palette.gold), style_of(look.palette.blue)


def _plain_frame(tier: GlyphSet) -> str:
    return FRAMES[tier][CardState.NORMAL][0][1] * 3


def _title_line(pegs: BoardPegs, width: int, frame: str, look: Look, *, is_whole: bool) -> Strip:
    inks, tier, owns = line_styles_of(look.palette), look.tier, _lane_styles(look)
    left_corner, rule, right_corner = frame[0], frame[1], frame[2]
    title = LineBuilder(tier).add(f"{left_corner}{rule} ", inks.faint)
    for place, lane in enumerate(pegs.lanes):
        title.add(" · " * bool(place), inks.muted)
        title.add(f"{lane.name.upper()} ", owns[place] + Style(bold=True))
        title.add(str(lane.points), inks.strong)
    title.add(" ", inks.faint)
    goal = "one round" if pegs.target is None else f"to {pegs.target}"
    if pegs.target is not None and not is_whole:
        hole = min(max(1, pegs.lanes[0].points), pegs.target - 1)
        street = (hole - 1) // STREET
        name = STREETS[street] if street < len(STREETS) else f"{street + 1}th"
        goal = f"{name} street, {goal}"
    free_columns = width - title.width - len(goal) - 4
    if free_columns > 0:
        title.add(rule * free_columns, inks.faint).add(f" {goal} ", inks.muted)
    return title.add(rule * (width - title.width - 1) + right_corner, inks.faint).strip()


def _numbers_line(first: int, holes: int, pegs: BoardPegs, side: str, look: Look) -> LineBuilder:
    """Return the number of every fifth hole, above its column."""
    inks = line_styles_of(look.palette)
    line = LineBuilder(look.tier).add(side, inks.faint).pad_to(NAMES)
    column = NAMES
    for hole in range(first, first + holes):
        column += 1
        if hole % GROUP == 0:
            if column - line.width >= len(str(hole)):
                line.put_before(column, str(hole), inks.bad if hole == pegs.skunk else inks.muted)
            column += 1
    return line


def _lane_line(
    lane: PegLane,
    pegs: BoardPegs,
    first: int,
    holes: int,
    side: str,
    own: Style,
    inks: LineStyles,
    look: Look,
) -> LineBuilder:
    glyphs = _HOLE_GLYPHS[look.tier]
    line = LineBuilder(look.tier).add(side, inks.faint).pad_to(2).add(lane.short, own).pad_to(NAMES)
    for hole in range(first, first + holes):
        glyph, style = _hole_glyph(hole, lane, glyphs, own, inks.muted)
        line.add(glyph, style)
        if hole % GROUP == 0 and hole < first + holes - 1:
            wall = hole == pegs.skunk
            line.add(glyphs.skunk if wall else " ", inks.bad if wall else inks.muted)
    if pegs.target is not None and first + holes >= pegs.target:
        home = lane.points >= pegs.target
        line.add(f" {glyphs.front if home else glyphs.home}", own if home else inks.muted)
    return line


def _hole_glyph(
    hole: int, lane: PegLane, glyphs: HoleGlyphs, own: Style, muted: Style
) -> tuple[str, Style]:
    if hole == lane.points:
        return glyphs.front, own
    if hole == lane.back_peg:
        return glyphs.back_peg, own
    return (glyphs.trail, own) if hole < lane.points else (glyphs.hole, muted)
