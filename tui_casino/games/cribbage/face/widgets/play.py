"""The play: the cards played, the count and, with the trainer, the EV of each card."""

from __future__ import annotations

from functools import lru_cache

from msgspec import Struct
from textual.geometry import Size
from textual.strip import Strip

from .....cards.card import Card
from .....tui.draw.card_art import CardState as Art
from .....tui.draw.card_art import card_strips, fan_offset, fan_size
from .....tui.draw.choice_list import ChoiceList, choice_lines
from .....tui.draw.look import Look, line_styles_of
from .....tui.draw.segments import (
    BARE,
    EMPTY_LINE,
    LineBuilder,
    centre_strip,
    pad_lines,
    side_by_side,
)
from ...machine.rules import KEPT

SMALL = 80
"""Up to this width, the list of the trainer's EVs begins at the left edge."""
LOW = 6
"""The minimum number of rows to show the count above the cards; otherwise it is to their left."""


class PlayScene(Struct, frozen=True):
    """The cards of the play in the order played, the state of each, and the count.

    ``choices`` is the trainer's list of the cards that can be played.
    """

    cards: tuple[Card, ...]
    states: tuple[Art, ...]
    caption: str
    choices: ChoiceList | None = None


@lru_cache(64)
def fan_strips(
    cards: tuple[Card, ...],
    states: tuple[Art, ...],
    width: int,
    height: int,
    look: Look,
    spread: int = 0,
) -> tuple[Strip, ...]:
    """Draw overlapping cards, the last one whole, in the largest size that fits.

    With ``spread``, the cards are placed as if there were ``spread`` cards, and overlap only if the
    width is too small.
    """
    if not cards:
        return ()
    size = fan_size(cards, width, height)
    apart = min(size.width + 1, (width - size.width) // (spread - 1)) if spread > 1 else 0
    rows: list[list[Strip]] = [[] for _ in range(size.height)]
    for place, (card, state) in enumerate(zip(cards, states, strict=True)):
        last = place == len(cards) - 1
        step = max(apart, fan_offset(card, size))
        strips = card_strips(card, size, state, look, bool(place) and apart <= size.width)
        for row, strip in zip(rows, strips, strict=True):
            row.append(strip if last else strip.adjust_cell_length(step, BARE))
    return tuple(Strip.join(row) for row in rows)


@lru_cache(32)
def play_lines(scene: PlayScene, width: int, height: int, look: Look) -> tuple[Strip, ...]:
    """Draw the play in ``height`` rows."""
    inks = line_styles_of(look.palette)
    caption = LineBuilder(look.tier).add(scene.caption, inks.gold).strip()
    has_list = scene.choices is not None
    listed = choice_lines(scene.choices, Size(width, 1), look) if scene.choices else ()
    line = listed[0] if listed else EMPTY_LINE
    if height >= LOW:
        fan = fan_strips(scene.cards, scene.states, width - 4, height - 2, look, 2 * KEPT)
        middle = [centre_strip(strip, width) for strip in fan]
        list_line = centre_strip(line, width) if width > SMALL else line
        return (centre_strip(caption, width), *pad_lines(middle, height - 2), list_line)
    room = height - has_list
    fan_column = caption.cell_length + 3
    fan = fan_strips(scene.cards, scene.states, width - fan_column - 1, max(1, room), look)
    lines = pad_lines(side_by_side(width, (1, [caption]), (fan_column, fan)), room)
    return (*lines, *[line] * has_list)
