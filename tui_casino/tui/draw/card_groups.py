"""Draw groups of cards next to each other, such as a hand and the dealer's, as large as fits."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from ...cards.card import Hand
from .canvas import Canvas
from .card_art import CardSize, CardState, caption_strip, card_strips
from .look import line_styles_of
from .segments import text_width

GAP = 3
"""The columns between two groups."""


class CardGroup(Struct, frozen=True):
    """Cards that belong together: a ``title`` and a ``note`` above them, and captions below.

    Cards without a state or a caption are normal and have none.
    """

    title: str
    cards: Hand
    states: tuple[CardState, ...] = ()
    captions: tuple[str, ...] = ()
    note: str = ""

    def width(self, size: CardSize) -> int:
        """Return the width in columns with cards of a size."""
        head = text_width(f"{self.title} {self.note}".strip())
        return max(len(self.cards) * (size.width + 1) - 1, head)


def groups_width(groups: Sequence[CardGroup], size: CardSize) -> int:
    """Return the width of groups next to each other with cards of a size."""
    return sum(group.width(size) + GAP for group in groups) - GAP


def groups_height(groups: Sequence[CardGroup], size: CardSize) -> int:
    """Return the height of groups with cards of a size, with their titles and captions."""
    captions = any(any(group.captions) for group in groups)
    return _has_titles(groups) + size.height + captions


def _has_titles(groups: Sequence[CardGroup]) -> bool:
    return any(group.title for group in groups)


def fitting_groups(
    groups: Sequence[CardGroup], width: int, height: int
) -> tuple[Sequence[CardGroup], CardSize]:
    """Return the groups that fit a box, and the largest size of their cards.

    If not all groups fit, the last ones are left out; the first one always stays, at worst as
    chips.
    """
    for size in CardSize:
        if groups_width(groups, size) <= width and groups_height(groups, size) <= height:
            return groups, size
    if len(groups) > 1:
        return fitting_groups(groups[:-1], width, height)
    return groups, CardSize.CHIP


def draw_groups(
    canvas: Canvas, x: int, y: int, groups: Sequence[CardGroup], size: CardSize
) -> None:
    """Draw groups of cards of a size next to each other."""
    inks, top = line_styles_of(canvas.look.palette), y + _has_titles(groups)
    for group in groups:
        after = canvas.write(x, y, group.title, inks.gold)
        canvas.write(after + bool(group.title), y, group.note, inks.strong)
        column = x
        for place, card in enumerate(group.cards):
            state = group.states[place] if place < len(group.states) else CardState.NORMAL
            caption = group.captions[place] if place < len(group.captions) else ""
            canvas.put(column, top, card_strips(card, size, state, canvas.look))
            if caption:
                strip = caption_strip(caption, size.width, state, canvas.look)
                canvas.put(column, top + size.height, [strip])
            column += size.width + 1
        x += group.width(size) + GAP
