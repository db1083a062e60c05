"""The layout of the felt: both hands, and the betting spots on an arc like seats at a table."""

from __future__ import annotations

from functools import lru_cache

from msgspec import Struct
from textual.geometry import Region

from .....cards.text_art import CardSize
from ...machine.rules import CAPACITY, SPOTS, HandSide

LEAST = 78, 9
"""The smallest felt, in columns and rows."""
SIDE = 15
"""Columns on each side of the hands on a low felt, for their names and the outer spots."""
BOX = 5
"""The rows of a spot in a frame: its name, what it pays, the bet, the last result."""
USUAL, WIDEST, ROOMY = 15, 23, 130
"""The columns of a spot, those of a spot on a wide felt, and the columns of such a felt."""
ARC = (3, 1, 0, 1, 3)
"""The rows by which each spot lies above the middle one."""
GAP = 2


class FeltLayout(Struct, frozen=True):
    """The place and shape of the felt, and the places of both hands' cards and names, and spots.

    A name begins at its point on a ``framed`` felt. On a low one, the name, total and result are
    one below the other; the player's end at the point, and the banker's begin there.
    """

    felt: Region
    exponent: float
    card: CardSize
    cards: dict[HandSide, tuple[int, int]]
    names: dict[HandSide, tuple[int, int]]
    spots: tuple[Region, ...]
    framed: bool


def hand_width(card: CardSize) -> int:
    """Return the width of a whole hand, with a column between two cards."""
    return CAPACITY * (card.width + 1) - 1


@lru_cache(8)
def layout_for(width: int, height: int) -> FeltLayout | None:
    """Return the layout with the largest cards that fit, or ``None`` if there is no room."""
    for card in (CardSize.GIANT, CardSize.LARGE, CardSize.NORMAL, CardSize.SMALL):
        rows = 1 + card.height + BOX + max(ARC)
        if width >= 2 * hand_width(card) + 3 * GAP + card.width and height >= rows + 2:
            return _high(width, height, card)
    return _low(width, height) if width >= LEAST[0] and height >= LEAST[1] else None


def _high(width: int, height: int, card: CardSize) -> FeltLayout:
    """Lay out a felt with all spots below the hands, each in a frame."""
    spare = height - 2 - (1 + card.height + BOX + max(ARC))
    top, middle = 1 + spare // 2, width // 2
    between = max(GAP, (width - 2 * hand_width(card)) // 6)
    left = {
        HandSide.PLAYER: middle - between // 2 - hand_width(card),
        HandSide.BANKER: middle + (between + 1) // 2,
    }
    margin = width // 24
    room = min((width - 2 * margin) // len(SPOTS) - 1, WIDEST if width >= ROOMY else USUAL)
    step = (width - 2 * margin - room) // (len(SPOTS) - 1)
    first = middle - (step * (len(SPOTS) - 1) + room) // 2
    bottom = height - 1 - (spare - spare // 2) // 2 - BOX
    return FeltLayout(
        Region(0, 0, width, height),
        4.0,
        card,
        {side: (x, top + 1) for side, x in left.items()},
        {side: (x, top) for side, x in left.items()},
        tuple(
            Region(first + place * step, bottom - rise, room, BOX) for place, rise in enumerate(ARC)
        ),
        framed=True,
    )


def _low(width: int, height: int) -> FeltLayout:
    """Lay out a felt of nine rows, with the outer spots at the sides of the hands."""
    card, middle, y = CardSize.SMALL, width // 2, (height - LEAST[1]) // 2
    player, banker = middle - GAP - hand_width(card), middle + GAP
    outer, inner = (y + 4, SIDE - 2), (y + 6, SIDE + 1)
    left, right = player - SIDE + 1, banker + hand_width(card) + 1
    step = inner[1] + 1
    spots = (
        Region(left, outer[0], outer[1], 2),
        *(
            Region(middle - inner[1] // 2 + place * step, inner[0], inner[1], 2)
            for place in (-1, 0, 1)
        ),
        Region(right, outer[0], outer[1], 2),
    )
    return FeltLayout(
        Region(0, y, width, LEAST[1]),
        6.0,
        card,
        {HandSide.PLAYER: (player, y + 1), HandSide.BANKER: (banker, y + 1)},
        {HandSide.PLAYER: (player - 2, y + 1), HandSide.BANKER: (right + 1, y + 1)},
        spots,
        framed=False,
    )
