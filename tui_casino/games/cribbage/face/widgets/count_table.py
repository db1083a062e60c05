"""A hand as it is counted: a column a card, a row a combination, with the running total."""

from __future__ import annotations

from functools import lru_cache

from rich.style import Style
from textual.strip import Strip

from .....cards.card import Card
from .....tui.draw.card_art import corner_index
from .....tui.draw.glyphs import truncate
from .....tui.draw.segments import LineBuilder
from .....tui.draw.styles import LineStyles, Look, line_styles_of, style_of
from .....tui.terminal.detection import GlyphSet
from .....tui.theme.colours import mix_colours
from ..count_pages import CountPage, CountRow

MARKS = {
    GlyphSet.UNICODE: ("✓", "✗", "·"),
    GlyphSet.CP437: ("√", "x", "·"),
    GlyphSet.ASCII: ("+", "x", "."),
}
NAME, POINTS, TOTAL = 3, 21, 26
"""Columns where the name of a combination begins, and where points and running total end."""
BELOW = 2
"""Rows under the combinations: a rule, and the total."""


def rows(page: CountPage) -> int:
    """Count the rows that a page wants."""
    return len(page.scores) + BELOW


@lru_cache(32)
def count_lines(
    page: CountPage, told: int, columns: tuple[int, ...], width: int, height: int, look: Look
) -> tuple[Strip, ...]:
    """Draw so many combinations of a page, of which ``told`` are shown yet; none of one to count.

    ``columns`` are those where the cards begin that lie below, the starter's last. What is too
    much for the height is left out from the beginning.
    """
    inks = line_styles_of(look.palette)
    shown = page.rows[:told]
    lines = [_row(page, row, columns, width, look, inks) for row in shown]
    lines = lines[-max(0, height - BELOW) :] if height > BELOW else lines[-max(0, height) :]
    if height > BELOW and page.counted:
        lines.append(LineBuilder(look.tier).add(" " + "─" * (width - 2), inks.faint).strip())
        lines.append(_total(page, told, width, look, inks))
    return tuple([Strip([], 0)] * (height - len(lines)) + lines)


def _row(
    page: CountPage,
    row: CountRow,
    columns: tuple[int, ...],
    width: int,
    look: Look,
    inks: LineStyles,
) -> Strip:
    found, missed, none = MARKS[look.tier]
    ground, name, total = Style.null(), inks.text, inks.muted
    mark, sign = " ", inks.good
    if page.said is not None:
        mark, name = found, inks.muted
    if not row.found:
        mark, sign, name, total = missed, inks.bad, inks.strong, inks.bad
        ground = _red(look)
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
        elif row.found:
            line.add(f" {corner_index(card, look.tier):<3}", inks.text)
        else:
            line.add(f" {corner_index(card, look.tier):<3} ", _chip(card, look))
    return line.pad_to(width).strip()


def _total(page: CountPage, told: int, width: int, look: Look, inks: LineStyles) -> Strip:
    rows = page.rows
    total = rows[told - 1].total if told else 0
    line = LineBuilder(look.tier).add("   total", inks.muted)
    line.add(f"{total:>{TOTAL - line.width}}", inks.gold)
    if told == len(rows):
        room = width - line.width - 3
        line.add("   " + truncate(page.remark, room, look.tier), inks.muted)
    return line.strip()


def _red(look: Look) -> Style:
    palette = look.palette
    if not palette.bad.startswith("#"):
        return Style(bold=True)
    return style_of(palette.text, mix_colours(palette.hearts, palette.bg, 0.7))


def _chip(card: Card, look: Look) -> Style:
    """Give a card lit in a row: as a card, or where there are no grounds in reverse."""
    palette = look.palette
    if not palette.face.startswith("#"):
        return style_of(palette.suit(card.suit, look.four_colour)) + Style(reverse=True, bold=True)
    return style_of(palette.suit(card.suit, look.four_colour), palette.face) + Style(bold=True)
