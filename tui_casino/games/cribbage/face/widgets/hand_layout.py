"""The columns of your cards: side by side as a hand, or above the columns of a count."""

from __future__ import annotations

from functools import lru_cache

from msgspec import Struct

from .....tui.draw.card_art import CardSize
from ...machine.rules import DEALT, KEPT

MARGIN = 2
COUNTED_COLUMN = 30
"""The column of the first counted card; names and totals are to the left of it."""
CRIB_BACKS = 2
SCORE_COLUMNS = 6
"""The width in columns of a score next to a hand."""
PACK_COLUMNS = CardSize.TINY.width + 1
"""The least width in columns of the starter next to a hand of large cards."""


class HandLayout(Struct, frozen=True):
    """The size of the cards, and the columns of the starter, the hand, and the crib's first card.

    ``starter`` and ``crib`` are ``None`` if there is no room for them.
    """

    size: CardSize
    starter: int | None
    hand: tuple[int, ...]
    crib: int | None


@lru_cache(32)
def lay_out_hand(
    width: int, height: int, cards: int, crib: int, *, alone: bool = False
) -> HandLayout:
    """Centre a hand, with the starter to its left and a crib ``crib`` columns wide to its right.

    The cards have the largest size in which six cards, the starter and two cards of the crib fit
    next to each other; if no size fits, they have the largest size in which six cards fit. With
    ``alone``, starter and crib are small or elsewhere, and the cards may be larger.
    """
    size = _size(width, height, alone)
    step = size.width + 1
    across = step * cards - 1
    starter = MARGIN if width >= 80 else 1
    first_free = starter + size.width + 1
    first = max(first_free, (width - across) // 2)
    crib_at = width - starter - crib
    if first + across + 1 > crib_at:
        first = max(first_free, crib_at - 1 - across)
    if alone:
        return HandLayout(size, None, _columns(max(0, (width - across) // 2), step, cards), None)
    if first + across > width:
        return HandLayout(size, None, _columns(max(0, (width - across) // 2), step, cards), None)
    fits = first + across + 1 <= crib_at
    return HandLayout(
        size, starter, _columns(first, step, cards), crib_at if fits and crib else None
    )


def _size(width: int, height: int, alone: bool) -> CardSize:
    for size in CardSize:
        six = (size.width + 1) * DEALT - 1
        sides = (
            2 * (SCORE_COLUMNS + PACK_COLUMNS)
            if alone
            else 2 * size.width + 2 * CRIB_BACKS + 2 * MARGIN
        )
        if size.height <= height and six + sides <= width:
            return size
    return CardSize.fitting((width + 1) // DEALT - 1, height)


def _columns(first: int, step: int, count: int) -> tuple[int, ...]:
    return tuple(first + step * place for place in range(count))


@lru_cache(32)
def lay_out_counted_hand(width: int, height: int) -> HandLayout:
    """Place the four cards of a counted hand, and the starter after them, as columns."""
    first = COUNTED_COLUMN if width >= 80 else COUNTED_COLUMN - 2
    room = width - first
    if room < (CardSize.TINY.width + 1) * (KEPT + 1):  # no room for columns next to the names
        first, room = 1, width - 1
    size = CardSize.fitting(room // (KEPT + 1) - 1, height)
    step = min(size.width + 3, room // (KEPT + 1))
    return HandLayout(size, None, _columns(first, step, KEPT + 1), None)
