"""The fifteen discards in columns, best first, each with its EV and cost."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from rich.style import Style
from textual.geometry import Size
from textual.strip import Strip

from .....gamekit.number_formats import rounded_cost
from .....tui.draw.bars import bar
from .....tui.draw.number_formats import MINUS, with_minus_signs
from .....tui.draw.segments import LineBuilder, centre_strip, truncate
from .....tui.draw.styles import LineStyles, Look, line_styles_of, soften_colour, style_of
from .....tui.terminal.detection import GlyphSet

if TYPE_CHECKING:  # numpy, late
    from ...brains.discard_ranking import DiscardRanking, RankedDiscard

DISCARDS = 15
ROWS = 7
"""The rows of the list: a heading, five rows in three columns, and a line of details."""
FRAME_ROWS = 2
"""The rows of the heading and the details."""
HEADS_ROWS = 1
"""The row of the column heads, in a list that shows hand and crib and has room for it."""
COLUMNS = 3
WIDTHS = (26, 40)
"""The columns of an entry, and of an entry that also shows hand and crib."""
BLOCK = 80
"""The columns of the list if it shows hand and crib: it is as wide as the board."""
BARS = (3, 20)
"""The length of the longest bar, and of the longest bar in a list of one column."""


def rows(width: int, height: int) -> int:
    """Return how many of the ``height`` rows the list uses; fewer columns show more details."""
    for columns in range(1, COLUMNS):
        wanted = -(-DISCARDS // columns) + FRAME_ROWS
        if columns * WIDTHS[1] <= min(width, BLOCK) and wanted <= height:
            return min(wanted + HEADS_ROWS, height)
    return ROWS


@lru_cache(32)
def discard_lines(
    ranking: DiscardRanking, marked_places: tuple[int, ...], crib_owner: str, area: Size, look: Look
) -> tuple[Strip, ...]:
    """Draw the list in an area; the row of the marked cards is highlighted.

    If only some of the discards fit, the highlighted discard is among them.
    """
    inks, every = line_styles_of(look.palette), ranking.rows
    marked_row = ranking.row_of(marked_places)
    columns, across = _columns(area, len(every))
    width = min(area.width, max(BLOCK, columns * across))
    down = max(1, min(-(-len(every) // columns), area.height - FRAME_ROWS))
    has_heads = across >= WIDTHS[1] and down + FRAME_ROWS + HEADS_ROWS <= area.height
    lit = every.index(marked_row) if marked_row else 0
    first = max(0, min(lit, len(every) - 1) - columns * down + 1)
    lines = [_title_line(ranking, crib_owner, width, inks, look.tier)]
    if has_heads:
        lines.append(_heads_line(columns, across, width, inks, look.tier))
    worst = max(float(row.cost) for row in every) or 1.0
    for line in range(down):
        row = LineBuilder(look.tier)
        for place in range(first + line, min(first + columns * down, len(every)), down):
            row.pad_to((place - first) // down * across)
            room = min(across, width - row.width)
            row.join(
                _discard_entry(
                    every[place], place + 1, room, every[place] is marked_row, worst, look
                )
            )
        lines.append(row.pad_to(width).strip())
    lines.append(_detail_line(marked_row, ranking, width, inks, look.tier))
    return tuple(centre_strip(line.adjust_cell_length(width), area.width) for line in lines)


def _columns(area: Size, count: int) -> tuple[int, int]:
    """Return the number of columns for ``count`` rows, and the width of each."""
    for columns in range(1, COLUMNS + 1):
        wide = columns * WIDTHS[1] <= area.width
        if wide and -(-count // columns) + FRAME_ROWS <= area.height:
            return columns, max(WIDTHS[1], min(area.width, BLOCK) // columns)
    return max(1, min(COLUMNS, (area.width + 2) // WIDTHS[0])), WIDTHS[0]


def _title_line(
    ranking: DiscardRanking, crib_owner: str, width: int, inks: LineStyles, tier: GlyphSet
) -> Strip:
    part = "plus" if ranking.dealer else "minus"
    text = f"EV of your hand {part} {crib_owner} crib in points, then the cost"
    bare = tuple(dict.fromkeys(name for row in ranking.rows for name in row.bare_ranks))
    if bare:
        text = f"EV in points, then the cost; {' or '.join(bare)} without a suit: any suit"
    line = LineBuilder(tier).add(" ALL 15 DISCARDS  ", inks.gold)
    return line.add(truncate(text, width - line.width, tier), inks.muted).strip()


def _heads_line(columns: int, across: int, width: int, inks: LineStyles, tier: GlyphSet) -> Strip:
    line = LineBuilder(tier)
    for column in range(columns):
        line.pad_to(column * across).add(_HEADS, inks.muted)
    return line.pad_to(width).strip()


_HEADS = f"    {'cards':<7}{'hand':>6}{'crib':>6}{'EV':>6} {'cost':>4}"


def _discard_entry(
    row: RankedDiscard, number: int, width: int, highlighted: bool, worst: float, look: Look
) -> Strip:
    inks, best = line_styles_of(look.palette), not row.cost
    ground = style_of("ansi_default", look.palette.lit) if highlighted else Style.null()
    if highlighted and not look.palette.lit.startswith("#"):
        ground = Style(bold=True)
    name = inks.gold if highlighted else inks.good if best else inks.text
    cost = inks.good if best else inks.bad if highlighted else inks.muted
    wide = width >= WIDTHS[1]
    cursor = "▌" if look.tier is GlyphSet.UNICODE else ">"
    line = LineBuilder(look.tier, ground).add(cursor if highlighted else " ", inks.gold)
    line.add(f"{number:>2} ", inks.muted).add(f"{' '.join(row.names):<7}", name)
    if wide:
        line.add(f"{float(row.hand):>6.2f}{_signed(float(row.crib)):>6}", inks.muted)
    line.add(f"{_signed(float(row.ev)):>6} ", name + Style(bold=highlighted))
    line.add(f"{'best' if best else f'{rounded_cost(row.ev + row.cost, row.ev):.2f}':>4} ", cost)
    room = min(BARS[width >= BLOCK], width - line.width - 1)
    cost_bar = bar(float(row.cost) / worst, max(0, room), look.tier, "=")
    return line.add(cost_bar, soften_colour(look.palette.bad, look.palette)).pad_to(width).strip()


def _detail_line(
    row: RankedDiscard | None, ranking: DiscardRanking, width: int, inks: LineStyles, tier: GlyphSet
) -> Strip:
    line = LineBuilder(tier).add(" ")
    if row is None:
        text = "up and down: browse; average EV of all hands "
        return line.add(text, inks.muted).add(_signed(ranking.par, 1), inks.text).strip()
    sign = "+" if ranking.dealer else MINUS
    line.add(" ".join(row.names), inks.strong)
    line.add(" hand ", inks.muted).add(f"{float(row.hand):.2f}", inks.strong)
    line.add(f" {sign} crib ", inks.muted).add(f"{float(row.crib):.2f}", inks.strong)
    line.add(", par ", inks.muted).add(_signed(ranking.par, 1), inks.strong)
    _starters(line, " · best starters ", row.best, inks.good, width, inks)
    _starters(line, " · worst ", row.worst, inks.bad, width, inks)
    return line.strip()


def _starters(
    line: LineBuilder, label: str, names: Sequence[str], ink: Style, width: int, inks: LineStyles
) -> None:
    text = " ".join(names)
    if line.width + len(label) + len(text) <= width:
        line.add(label, inks.muted).add(text, ink)


def _signed(points: float, digits: int = 2) -> str:
    return with_minus_signs(f"{points:.{digits}f}")
