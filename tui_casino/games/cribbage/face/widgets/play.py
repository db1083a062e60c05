"""The play: what was laid, with its count, and with the trainer what each card is worth."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from textual.strip import Strip

from .....cards.card import Card
from .....tui.draw.card_art import State as Art
from .....tui.draw.card_art import card_strips, fan_size, overlap
from .....tui.draw.formats import minus
from .....tui.draw.segments import BARE, Segments, beside, centred, padded
from .....tui.draw.styles import Look, inks_of
from ...machine.rules import KEPT

SMALL = 80
"""Columns up to which what is told begins at the left edge."""
LOW = 6
"""Rows from which on the count stands over the cards; below, it stands beside them."""


@dataclass(frozen=True, slots=True)
class Weight:
    """What a card to lay is worth over the rest of the play, and what it costs."""

    card: Card
    worth: float
    cost: float


@dataclass(frozen=True, slots=True)
class Laying:
    """The cards of the play in the order laid, how each looks, and the count.

    ``weights`` are what the trainer tells before a card is laid, the best first.
    """

    cards: tuple[Card, ...]
    states: tuple[Art, ...]
    caption: str
    weights: tuple[Weight, ...] = ()


@lru_cache(64)
def fan_strips(
    cards: tuple[Card, ...],
    states: tuple[Art, ...],
    width: int,
    height: int,
    look: Look,
    most: int = 0,
) -> tuple[Strip, ...]:
    """Draw cards, the last one whole, in the largest size that fits, and as far apart as that does.

    Their places are those of ``most`` cards, if there are fewer; without it they overlap.
    """
    if not cards:
        return ()
    size = fan_size(cards, width, height)
    apart = min(size.width + 1, (width - size.width) // (most - 1)) if most > 1 else 0
    rows: list[list[Strip]] = [[] for _ in range(size.height)]
    for place, (card, state) in enumerate(zip(cards, states, strict=True)):
        last = place == len(cards) - 1
        step = max(apart, overlap(card, size))
        strips = card_strips(card, size, state, look, bool(place) and apart <= size.width)
        for row, strip in zip(rows, strips, strict=True):
            row.append(strip if last else strip.adjust_cell_length(step, BARE))
    return tuple(Strip.join(row) for row in rows)


@lru_cache(32)
def play_lines(laying: Laying, width: int, height: int, look: Look) -> tuple[Strip, ...]:
    """Draw the play in so many rows."""
    inks = inks_of(look.palette)
    caption = Segments(look.tier).add(laying.caption, inks.gold).strip()
    weights = _weights(laying.weights, width, look) if laying.weights else Strip([], 0)
    if height >= LOW:
        fan = fan_strips(laying.cards, laying.states, width - 4, height - 2, look, 2 * KEPT)
        middle = [centred(strip, width) for strip in fan]
        told = centred(weights, width) if width > SMALL else weights
        return (centred(caption, width), *padded(middle, height - 2), told)
    room = height - bool(laying.weights)
    left = caption.cell_length + 3
    fan = fan_strips(laying.cards, laying.states, width - left - 1, max(1, room), look)
    lines = padded(beside(width, (1, [caption]), (left, fan)), room)
    return (*lines, *[weights] * bool(laying.weights))


def _weights(weights: tuple[Weight, ...], width: int, look: Look) -> Strip:
    inks = inks_of(look.palette)
    line = Segments(look.tier).add(" WORTH ", inks.gold).add("to the end of the play", inks.muted)
    for place, one in enumerate(weights):
        worth = minus(f"{one.worth:+.2f}")
        cost = f"{one.cost:.2f}" if place else "best"
        if line.width + len(worth) + len(cost) + 8 > width:
            break
        ink = inks.muted if place else inks.good
        line.add("   ").add(f"{one.card.symbol} ", inks.text if place else inks.good)
        line.add(f"{worth} ", inks.text if place else inks.good).add(cost, ink)
    return line.strip()
