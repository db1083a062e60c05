"""Your side of the table: the starter on the pack, your hand as large cards, and the crib."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from operator import itemgetter

from msgspec import Struct
from textual.events import Click
from textual.geometry import Offset
from textual.geometry import Size as Area
from textual.message import Message
from textual.strip import Strip

from .....cards.card import BACK, Card
from .....tui.draw.card_art import CardSize, caption_strip, card_strips, fan_offset
from .....tui.draw.card_art import CardState as Art
from .....tui.draw.card_art import fan_strips as sized_fan_strips
from .....tui.draw.look import Look, line_styles_of, style_of
from .....tui.draw.segments import LineBuilder, pad_lines, side_by_side, truncate
from .....tui.widgets.line_widget import ContentWidget
from ...machine.rules import DEALT, KEPT
from .play import fan_strips

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


CRIB_STEP = 3
"""The columns by which the second of two fanned cards of the crib is shifted."""


class NearSide(Struct, frozen=True):
    """Your side of the table: cards with their states and labels, the starter, the crib.

    ``crib_label`` says whose crib it is, ``score`` gives the name and points of the side. While a
    hand is counted, ``hand_label`` is its label, and its cards and the starter are shown in
    columns. With ``roomy``, the cards are as large as without starter and crib, which are then
    smaller and next to the hand.
    """

    cards: tuple[Card | None, ...] = ()
    states: tuple[Art, ...] = ()
    labels: tuple[str, ...] = ()
    starter: Card | None = None
    crib: tuple[Card, ...] = ()
    crib_label: str = ""
    hand_label: str = ""
    score: tuple[str, int] = ("", 0)
    roomy: bool = False


class OwnHand(ContentWidget[NearSide]):
    """Your side of the table; posts a message when a card of the hand is clicked."""

    @dataclass
    class Pressed(Message):
        """A card of the hand was clicked; ``place`` counts from 1.

        ``twice`` marks the second click of a double-click; the first click posts a message of its
        own.
        """

        place: int
        twice: bool = False

    def __init__(self) -> None:
        super().__init__(NearSide())

    @property
    def hand_layout(self) -> HandLayout:
        return self._layout_for(self.size)

    def _layout_for(self, area: Area) -> HandLayout:
        side, height = self.content, area.height - 1
        if side.hand_label:
            return lay_out_counted_hand(area.width, height)
        if side.roomy:
            return lay_out_hand(area.width, height, max(1, len(side.cards)), 0, alone=True)
        size = lay_out_hand(area.width, height, max(1, len(side.cards)), 0).size
        crib = sum(fan_offset(card, size) for card in side.crib[:-1]) + size.width
        return lay_out_hand(area.width, height, max(1, len(side.cards)), crib)

    def _draw(self, look: Look, area: Area) -> Iterable[Strip]:
        side, layout = self.content, self._layout_for(area)
        size, blocks = layout.size, list[tuple[int, list[Strip]]]()
        if layout.starter is not None and side.starter is not None:
            cards = card_strips(side.starter, size, Art.NORMAL, look)
            short = "pack" if side.starter is BACK else "start"
            text = "starter" if size.width >= len("starter") else short
            label = caption_strip(text, size.width, Art.NORMAL, look)
            blocks.append((layout.starter, [*cards, label]))
        blocks += (
            self._count_caption(layout, look)
            if side.hand_label
            else self._score_block(layout, look)
        )
        cards_shown = zip(layout.hand, side.cards, side.states, side.labels, strict=False)
        for column, card, state, text in cards_shown:
            label = caption_strip(text, size.width, state, look)
            blocks.append((column, [*card_strips(card, size, state, look), label]))
        if side.roomy and not side.hand_label:
            blocks += self._small_pack(area.width, size, look)
        if layout.crib is not None and side.crib:
            blocks.append((layout.crib, self._crib(size.height, area.width - layout.crib, look)))
        blocks.sort(key=itemgetter(0))
        return pad_lines(side_by_side(area.width, *blocks), area.height)

    def _small_pack(
        self, width: int, size: CardSize, look: Look
    ) -> Iterable[tuple[int, list[Strip]]]:
        """Yield the starter and the crib, two cards to a row, on either side of six large cards."""
        side = self.content
        room = (width - (size.width + 1) * DEALT + 1) // 2 - 1
        if side.starter is not None:
            card_size = CardSize.fitting(room - SCORE_COLUMNS, size.height)
            text = "pack" if side.starter is BACK else "start"
            label = caption_strip(text, card_size.width, Art.NORMAL, look)
            yield 1, [*card_strips(side.starter, card_size, Art.NORMAL, look), label]
        if side.crib:
            card_size = CardSize.fitting(room - CRIB_STEP, size.height // 2)
            two = Art.NORMAL, Art.NORMAL
            pairs = (side.crib[n : n + 2] for n in range(0, len(side.crib), 2))
            fans = [sized_fan_strips(pair, card_size, two, look) for pair in pairs]
            label = caption_strip("crib", fans[0][0].cell_length, Art.NORMAL, look)
            yield width - 1 - label.cell_length, [*chain.from_iterable(fans), label]

    def _count_caption(self, layout: HandLayout, look: Look) -> Iterable[tuple[int, list[Strip]]]:
        room = layout.hand[0] - 4
        if room > 0:
            inks = line_styles_of(look.palette)
            label = LineBuilder(look.tier).add(
                truncate(self.content.hand_label, room, look.tier), inks.gold
            )
            subtitle = LineBuilder(look.tier).add(
                truncate("with the starter", room, look.tier), inks.muted
            )
            name, points = self.content.score
            score = LineBuilder(look.tier).add(f"{name} ", inks.muted).add(str(points), inks.strong)
            yield 2, [Strip([], 0), label.strip(), subtitle.strip(), score.strip()]

    def _score_block(self, layout: HandLayout, look: Look) -> Iterable[tuple[int, list[Strip]]]:
        """Yield the name above the points, between the starter and the hand, if there is room."""
        name, points = self.content.score
        begin = 0 if layout.starter is None else layout.starter + layout.size.width
        across = max(len(name), len(str(points)))
        if self.content.cards and layout.hand[0] - begin >= across + 2:
            inks = line_styles_of(look.palette)
            lines = [
                LineBuilder(look.tier)
                .add(f"{name:>{across}}", style_of(look.palette.gold))
                .strip(),
                LineBuilder(look.tier).add(f"{points:>{across}}", inks.strong).strip(),
            ]
            above = [Strip([], 0)] * ((layout.size.height - 1) // 2)
            yield layout.hand[0] - across - 1, [*above, *lines]

    def _crib(self, height: int, width: int, look: Look) -> list[Strip]:
        crib = self.content.crib
        fan = fan_strips(crib, (Art.NORMAL,) * len(crib), width, height, look)
        across = fan[0].cell_length
        text = self.content.crib_label if len(self.content.crib_label) <= across else "crib"
        label = caption_strip(text, across, Art.NORMAL, look)
        return [*fan, label]

    def corner(self, place: int) -> Offset | None:
        """Return the screen position of the card at a place (from 1), or ``None``."""
        if not 0 < place <= len(self.content.cards) or self.content.cards[place - 1] is None:
            return None
        return self.region.offset + Offset(self.hand_layout.hand[place - 1], 0)

    def on_click(self, event: Click) -> None:
        if event.button != 1:
            return
        layout = self.hand_layout
        for place, column in enumerate(layout.hand, 1):
            if column <= event.x < column + layout.size.width and event.y <= layout.size.height:
                event.stop()
                if event.chain <= 2:
                    self.post_message(self.Pressed(place, event.chain == 2))
