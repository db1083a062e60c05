"""The upper part of the table: the board above the discards, the play or a count."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import TypeAlias

from msgspec import Struct
from rich.style import Style
from textual import events
from textual.geometry import Region
from textual.geometry import Size as Area
from textual.strip import Strip

from .....cards.card import Card
from .....tui.draw.card_art import corner_index
from .....tui.draw.choice_list import ChoiceList, choice_at, choice_lines, rows_wanted
from .....tui.draw.look import LineStyles, Look, line_styles_of, style_of
from .....tui.draw.segments import LineBuilder, centre_strip, pad_lines, truncate
from .....tui.terminal.detection import GlyphSet
from .....tui.theme import mix_colours
from .....tui.widgets.line_widget import LineWidget
from .....tui.widgets.lists import ChoiceListView
from ..counting import CountPage, CountRow
from .board import HOLES, BoardPegs, board_lines, columns, rows
from .play import PlayScene, play_lines

MARKS = {
    GlyphSet.UNICODE: ("✓", "✗", "·"),
    GlyphSet.CP437: ("√", "x", "·"),
    GlyphSet.ASCII: ("+", "x", "."),
}
NAME, POINTS, TOTAL = 3, 21, 26
"""The columns where a combination's name begins, and where its points and its running total end."""
FOOTER_ROWS = 2
"""The number of rows under the combinations: a rule and the total."""


def count_rows(page: CountPage) -> int:
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


class CountScene(Struct, frozen=True):
    """A page of the show, the number of combinations shown, and the columns of its cards."""

    page: CountPage
    rows_shown: int
    columns: tuple[int, ...]


class TextScene(Struct, frozen=True):
    """A title and lines of text, shown while there is no other scene."""

    title: str = ""
    lines: tuple[str, ...] = ()


MARGIN = 1
"""The columns on both sides of a list of choices."""
MIN_SCENE_ROWS = 4
"""The smallest number of rows of a scene."""
LIST_ROWS = 7
"""The rows of the list of discards in three columns."""
FRAMED_BOARD_ROWS = 5
"""The rows of a framed board with one row of holes."""
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
        top = self._board_rows(self.size)
        area = Area(self.size.width - 2 * MARGIN, self.size.height - top)
        if isinstance(self.scene, ChoiceList):
            place = choice_at(self.scene, area, event.x - MARGIN, event.y - top)
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
            return rows_wanted(scene, area.width - 2 * MARGIN, area.height - board)
        case CountScene(page):
            return max(count_rows(page), usual)
    return usual


def _scene_lines(scene: UpperScene, width: int, height: int, look: Look) -> Iterable[Strip]:
    match scene:
        case ChoiceList():
            lines = choice_lines(scene, Area(width - 2 * MARGIN, height), look)
            return (LineBuilder(look.tier).pad_to(MARGIN).join(line).strip(width) for line in lines)
        case CountScene(page, rows_shown, columns):
            return count_lines(page, rows_shown, columns, width, height, look)
        case PlayScene():
            return play_lines(scene, width, height, look)
    return _text_lines(scene, width, height, look)


def _text_lines(scene: TextScene, width: int, height: int, look: Look) -> Iterable[Strip]:
    inks, block = line_styles_of(look.palette), min(width, columns(HOLES))  # under the board
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
