"""The layout of the table for the size of the terminal."""

from __future__ import annotations

from enum import Enum
from functools import lru_cache
from typing import NamedTuple

from msgspec import Struct
from textual.geometry import Region

from .....cards.text_art import CardSize

SIDE_COLUMNS = 16
"""Columns on either side of a large table, for the outer half of the side seats' cards."""


class LayoutPoint(NamedTuple):
    """A column and a row."""

    x: int
    y: int


class TableSide(Enum):
    """The side of an opponent's seat, clockwise from the player's left."""

    LEFT = "left"
    TOP = "top"
    RIGHT = "right"


SIDES: dict[int, tuple[TableSide, ...]] = {
    1: (TableSide.TOP,),
    2: (TableSide.LEFT, TableSide.RIGHT),
    3: (TableSide.LEFT, TableSide.TOP, TableSide.RIGHT),
}
"""The sides used for each number of opponents, in the order of the seats."""


class OpponentLayout(Struct, frozen=True):
    """The position of everything that belongs to an opponent.

    Name, cards and money are centred on the ``middle`` column, each starting at its row.
    ``text_width`` limits the name of the hand below them. A bet begins at its point, or ends there
    on the right side. ``button`` is the place of the dealer button.
    """

    middle: int
    name: int
    cards: int
    money: int
    text_width: int
    bet: LayoutPoint
    button: LayoutPoint


class TableLayout(Struct, frozen=True):
    """The positions of the table, of the seats around it, and of everything on it.

    ``card`` is the size of the opponents' cards. The ``discard_pile`` is shown above the
    ``discard_count``. ``player_discards`` are the player's own discards, and ``player_bet`` is what
    the player has put in. Each item begins at its point, except ``pot`` and ``player_bet``, which
    are centred on theirs, and ``discard_count``, which ends at its point. A ``framed`` pot has
    three rows.
    """

    table: Region
    exponent: float
    card: CardSize
    spots: dict[TableSide, OpponentLayout]
    pot: LayoutPoint
    framed: bool
    discard_pile: LayoutPoint
    discard_count: LayoutPoint
    player_discards: LayoutPoint
    player_bet: LayoutPoint
    button: LayoutPoint


@lru_cache(8)
def layout_for(width: int, height: int) -> TableLayout | None:
    """Return the layout of the largest table that fits, or ``None`` if none does."""
    for columns, rows, card in ((86, 28, CardSize.NORMAL), (58, 20, CardSize.SMALL)):
        if width >= columns + 2 * SIDE_COLUMNS and height >= rows + 3:
            return _roomy(width, height, columns, rows, card)
    return _narrow(width, height) if width >= 78 and height >= 11 else None


def _narrow(width: int, height: int) -> TableLayout:
    """Lay out a table of 42x10 between the seats, with one row for each item on it."""
    middle, top = width // 2, (height - 11) // 2
    table = Region(middle - 21, top + 1, 42, 10)
    left, right = table.x - 9, table.right + 10

    def point(x: int, y: int) -> LayoutPoint:
        return LayoutPoint(table.x + x, top + y)

    return TableLayout(
        table,
        4.0,
        CardSize.TINY,
        {
            TableSide.LEFT: OpponentLayout(
                left, top + 3, top + 4, top + 8, 17, point(2, 6), point(2, 5)
            ),
            TableSide.TOP: OpponentLayout(
                middle, top, top + 1, top + 5, 18, point(17, 6), point(8, 3)
            ),
            TableSide.RIGHT: OpponentLayout(
                right, top + 3, top + 4, top + 8, 17, point(39, 8), point(38, 5)
            ),
        },
        pot=LayoutPoint(middle, top + 8),
        framed=False,
        discard_pile=point(32, 3),
        discard_count=point(39, 7),
        player_discards=point(3, 7),
        player_bet=LayoutPoint(middle, top + 9),
        button=point(10, 9),
    )


def _roomy(width: int, height: int, columns: int, rows: int, card: CardSize) -> TableLayout:
    """Lay out a large table, with the cards of the seats across its rim."""
    middle, top = width // 2, (height - rows - 2) // 2
    table = Region(middle - columns // 2, top + 2, columns, rows)
    centre, inside = table.y + rows // 2, columns // 7
    side = centre - card.height // 2 - 1
    below, left, right = side + card.height, table.x + inside, table.right - inside
    over = top + 1 + card.height
    return TableLayout(
        table,
        3.0,
        card,
        {
            TableSide.LEFT: OpponentLayout(
                table.x - 8,
                side - 1,
                side,
                below,
                15,
                LayoutPoint(left, side + 1),
                LayoutPoint(left, side),
            ),
            TableSide.TOP: OpponentLayout(
                middle,
                top,
                top + 1,
                over,
                44,
                LayoutPoint(middle - 5, over + 2),
                LayoutPoint(left + 6, over),
            ),
            TableSide.RIGHT: OpponentLayout(
                table.right + 8,
                side - 1,
                side,
                below,
                15,
                LayoutPoint(right, side + 1),
                LayoutPoint(right - 3, side),
            ),
        },
        pot=LayoutPoint(middle, centre),
        framed=True,
        discard_pile=LayoutPoint(right - card.width - 4, centre + 2),
        discard_count=LayoutPoint(right - card.width + 5, centre + 2 + card.height),
        player_discards=LayoutPoint(left, centre + 3),
        player_bet=LayoutPoint(middle, table.bottom - 3),
        button=LayoutPoint(left + 6, table.bottom - 3),
    )
