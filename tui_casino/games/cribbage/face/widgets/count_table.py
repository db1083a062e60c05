"""The count of a hand as a table: a column per card, a row per combination, running totals."""

from __future__ import annotations

from functools import lru_cache

from rich.style import Style
from textual.strip import Strip

from .....cards.card import Card
from .....tui.draw.card_art import corner_index
from .....tui.draw.look import LineStyles, Look, line_styles_of, style_of
from .....tui.draw.segments import LineBuilder, truncate
from .....tui.terminal.detection import GlyphSet
from .....tui.theme import mix_colours
from ..count_pages import CountPage, CountRow

MARKS = {
    GlyphSet.UNICODE: ("✓", "✗", "·"),
    GlyphSet.CP437: ("√", "x", "·"),
    GlyphSet.ASCII: ("+", "x", "."),
}
NAME, POINTS, TOTAL = 3, 21, 26
"""The columns where a combination's name begins, and where its points and its running total end."""
FOOTER_ROWS = 2
"""The number of rows under the combinations: a rule and the total."""


def rows(page: CountPage) -> int:
    """Return the rows that a page needs."""
    return len(page.scores) + FOOTER_ROWS


@lru_cache(32)
def count_lines(
    page: CountPage, rows_shown: int, columns: tuple[int, ...], width: int, height: int, look: Look
) -> tuple[Strip, ...]:
    """Draw the first ``rows_shown`` combinations of a page, or nothing until the owner has counted.

    ``columns`` holds the columns of the cards drawn below the table; the starter's column is the
    last one. If the height is too small, the first combinations are left out.
    """
    inks = line_styles_of(look.palette)
    rows_drawn = page.rows[:rows_shown]
    lines = [_combination_line(page, row, columns, width, look, inks) for row in rows_drawn]
    lines = (
        lines[-max(0, height - FOOTER_ROWS) :] if height > FOOTER_ROWS else lines[-max(0, height) :]
    )
    if height > FOOTER_ROWS and page.counted:
        lines.append(LineBuilder(look.tier).add(" " + "─" * (width - 2), inks.faint).strip())
        lines.append(_total_line(page, rows_shown, width, look, inks))
    return tuple([Strip([], 0)] * (height - len(lines)) + lines)


def _combination_line(
    page: CountPage,
    row: CountRow,
    columns: tuple[int, ...],
    width: int,
    look: Look,
    inks: LineStyles,
) -> Strip:
    claimed, missed, none = MARKS[look.tier]
    ground, name, total = Style.null(), inks.text, inks.muted
    mark, sign = " ", inks.good
    if page.claimed_points is not None:
        mark, name = claimed, inks.muted
    if not row.claimed:
        mark, sign, name, total = missed, inks.bad, inks.strong, inks.bad
        ground = _missed_style(look)
    line = LineBuilder(look.tier, ground).add(" ").add(mark, sign).pad_to(NAME)
    line.add(row.name, name)
    line.add(f"{row.score.points:>{max(1, POINTS - line.width)}}", inks.strong)
    line.add(f"{row.total:>{TOTAL - line.width}}", total)
    for column, card in zip(columns, page.cards, strict=True):
        if column < line.width or column + 5 > width:
            continue
        line.pad_to(column)
        if card not in row.score.cards:
            line.add(f"  {none}", inks.faint)
        elif row.claimed:
            line.add(f" {corner_index(card, look.tier):<3}", inks.text)
        else:
            line.add(f" {corner_index(card, look.tier):<3} ", _highlight_style(card, look))
    return line.pad_to(width).strip()


def _total_line(
    page: CountPage, rows_shown: int, width: int, look: Look, inks: LineStyles
) -> Strip:
    rows = page.rows
    total = rows[rows_shown - 1].total if rows_shown else 0
    line = LineBuilder(look.tier).add("   total", inks.muted)
    line.add(f"{total:>{TOTAL - line.width}}", inks.gold)
    if rows_shown == len(rows):
        room = width - line.width - 3
        line.add("   " + truncate(page.combination_name, room, look.tier), inks.muted)
    return line.strip()


def _missed_style(look: Look) -> Style:
    palette = look.palette
    if not palette.bad.startswith("#"):
        return Style(bold=True)
    return style_of(palette.text, mix_colours(palette.hearts, palette.bg, 0.7))


def _highlight_style(card: Card, look: Look) -> Style:
    """Return the style of a highlighted card; reverse video if there are no background colours."""
    palette = look.palette
    if not palette.face.startswith("#"):
        return style_of(palette.suit(card.suit, look.four_colour)) + Style(reverse=True, bold=True)
    return style_of(palette.suit(card.suit, look.four_colour), palette.face) + Style(bold=True)
