"""The pegging board: streets of sixty holes for each player, and the last hole."""

from __future__ import annotations

from functools import lru_cache

from msgspec import Struct
from rich.style import Style
from textual.strip import Strip

from .....cards.text_art import FRAMES, CardState
from .....tui.draw.look import LineStyles, Look, line_styles_of, style_of
from .....tui.draw.segments import LineBuilder, centre_strip
from .....tui.terminal.detection import GlyphSet

STREET, GROUP = 60, 5
NAMES = 6
"""The columns before the first hole: the frame, and a name of three letters."""
ROWS = 3
"""The rows of a street: its numbers, and a lane for each player."""
FRAME = 2
STREETS = ("first", "second")


class PegLane(Struct, frozen=True):
    """A player's row of holes: the name in full and in short, the points, and the back peg."""

    name: str
    short: str
    points: int
    back_peg: int


class BoardPegs(Struct, frozen=True):
    """The content of the board: both lanes (your own first), the target and the skunk line.

    ``target`` is ``None`` if a single round is played for points. A loser with at most ``skunk``
    points is skunked.
    """

    lanes: tuple[PegLane, PegLane]
    target: int | None
    skunk: int | None

    @property
    def streets(self) -> int:
        """The number of streets up to the target."""
        return 1 if self.target is None else -(-(self.target - 1) // STREET)


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
    """Return the width of a board that shows ``holes`` holes of a street."""
    return NAMES + holes + holes // GROUP - 1 + 3


def rows(pegs: BoardPegs, height: int) -> int:
    """Return the rows of the board that fit in ``height``: all streets or one, framed or not."""
    all_rows = FRAME + ROWS * pegs.streets
    return next((size for size in (all_rows, FRAME + ROWS, 1 + ROWS) if size <= height), 1)


@lru_cache(16)
def board_lines(pegs: BoardPegs, width: int, height: int, look: Look) -> tuple[Strip, ...]:
    """Draw the board: its title with both scores, and the streets that fit.

    If only one street fits, it is the one with your own front peg; in a narrow window, half of it.
    """
    holes = STREET if width >= columns(STREET) else STREET // 2
    board, inks = min(width, columns(STREET)), line_styles_of(look.palette)
    streets = pegs.streets if height >= FRAME + ROWS * pegs.streets else 1
    ahead = max(0, min(pegs.lanes[0].points, STREET * pegs.streets) - 1)
    parts = [ahead // holes] if holes < STREET or streets == 1 else [*range(streets)]
    framed = height >= FRAME + ROWS
    frame = FRAMES[look.tier][CardState.NORMAL][0] if framed else _plain_frame(look.tier)
    lines = [_title_line(pegs, parts, holes, board, frame, look)]
    if height >= 1 + ROWS:
        for part in parts:
            lines += _street_lines(pegs, part * holes + 1, holes, board, framed, inks, look)
    if framed:
        below = FRAMES[look.tier][CardState.NORMAL][3]
        edge = below[0] + below[1] * (board - 2) + below[2]
        lines.append(LineBuilder(look.tier).add(edge, inks.faint).strip())
    return tuple(centre_strip(one, width) for one in lines)


def _lane_styles(look: Look) -> tuple[Style, Style]:
    """Return the colours of your own pegs and of the opponent's."""
    return style_of(look.palette.gold), style_of(look.palette.blue)


def _plain_frame(tier: GlyphSet) -> str:
    return FRAMES[tier][CardState.NORMAL][0][1] * 3


def _title_line(
    pegs: BoardPegs, parts: list[int], holes: int, width: int, frame: str, look: Look
) -> Strip:
    inks, tier, owns = line_styles_of(look.palette), look.tier, _lane_styles(look)
    left_corner, rule, right_corner = frame[0], frame[1], frame[2]
    title = LineBuilder(tier).add(f"{left_corner}{rule} ", inks.faint)
    for place, lane in enumerate(pegs.lanes):
        title.add(" · " * bool(place), inks.muted)
        title.add(f"{lane.name.upper()} ", owns[place] + Style(bold=True))
        title.add(str(lane.points), inks.strong)
    title.add(" ", inks.faint)
    goal = "one round" if pegs.target is None else f"to {pegs.target}"
    if pegs.target is not None and len(parts) < pegs.streets:
        goal = f"{STREETS[parts[0] * holes // STREET % 2]} street, {goal}"
    free_columns = width - title.width - len(goal) - 4
    if free_columns > 0:
        title.add(rule * free_columns, inks.faint).add(f" {goal} ", inks.muted)
    return title.add(rule * (width - title.width - 1) + right_corner, inks.faint).strip()


def _street_lines(
    pegs: BoardPegs, first: int, holes: int, width: int, framed: bool, inks: LineStyles, look: Look
) -> list[Strip]:
    side = FRAMES[look.tier][CardState.NORMAL][1][0] if framed else " "
    numbers = LineBuilder(look.tier).add(side, inks.faint).pad_to(NAMES)
    for last in range(first + GROUP - 1, first + holes, GROUP):
        numbers.add(f"{last:>{GROUP}}", inks.bad if last == pegs.skunk else inks.muted)
        numbers.add(" ")
    lines = [numbers]
    for lane, own in zip(pegs.lanes, _lane_styles(look), strict=True):
        lines.append(_lane_line(lane, pegs, first, holes, side, own, inks, look))
    return [line.pad_to(width - 1).add(side, inks.faint).strip() for line in lines]


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
