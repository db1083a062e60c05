"""The play: the cards played, the count and, with the trainer, the EV of each card."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from textual.strip import Strip

from .....cards.card import Card
from .....gamekit.number_formats import rounded_cost
from .....tui.draw.card_art import CardState as Art
from .....tui.draw.card_art import card_strips, fan_offset, fan_size
from .....tui.draw.number_formats import with_minus_signs
from .....tui.draw.segments import BARE, LineBuilder, centre_strip, pad_lines, side_by_side
from .....tui.draw.styles import Look, line_styles_of
from ...machine.rules import KEPT

SMALL = 80
"""Up to this width, the list of the trainer's EVs begins at the left edge."""
LOW = 6
"""The minimum number of rows to show the count above the cards; otherwise it is to their left."""


@dataclass(frozen=True, slots=True)
class LayValue:
    """The EV of a card over the rest of the play, and its cost, in points."""

    card: Card
    ev: float
    cost: float


@dataclass(frozen=True, slots=True)
class PlayScene:
    """The cards of the play in the order played, the state of each, and the count.

    ``weights`` holds the trainer's EVs before a card is played, best first.
    """

    cards: tuple[Card, ...]
    states: tuple[Art, ...]
    caption: str
    weights: tuple[LayValue, ...] = ()


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
    weights = _weights(scene.weights, width, look) if scene.weights else Strip([], 0)
    if height >= LOW:
        fan = fan_strips(scene.cards, scene.states, width - 4, height - 2, look, 2 * KEPT)
        middle = [centre_strip(strip, width) for strip in fan]
        weights_line = centre_strip(weights, width) if width > SMALL else weights
        return (centre_strip(caption, width), *pad_lines(middle, height - 2), weights_line)
    room = height - bool(scene.weights)
    fan_column = caption.cell_length + 3
    fan = fan_strips(scene.cards, scene.states, width - fan_column - 1, max(1, room), look)
    lines = pad_lines(side_by_side(width, (1, [caption]), (fan_column, fan)), room)
    return (*lines, *[weights] * bool(scene.weights))


def _weights(weights: tuple[LayValue, ...], width: int, look: Look) -> Strip:
    inks = line_styles_of(look.palette)
    line = (
        LineBuilder(look.tier).add(" EV ", inks.gold).add("in points, rest of the play", inks.muted)
    )
    for place, one in enumerate(weights):
        worth = with_minus_signs(f"{one.ev:+.2f}")
        cost = f"{rounded_cost(one.ev + one.cost, one.ev):.2f}" if place else "best"
        if line.width + len(worth) + len(cost) + 8 > width:
            break
        ink = inks.muted if place else inks.good
        line.add("   ").add(f"{one.card.symbol} ", inks.text if place else inks.good)
        line.add(f"{worth} ", inks.text if place else inks.good).add(cost, ink)
    return line.strip()
