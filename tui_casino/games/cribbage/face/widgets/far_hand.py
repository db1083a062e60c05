"""The far side of the table in a row: the other's name and cards, and what is told beside them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rich.style import Style
from textual.geometry import Size as Area
from textual.strip import Strip

from .....cards.card import BACK, Card, Rank, Suit
from .....tui.draw.card_art import (
    CardSize,
    caption_strip,
    card_strips,
    corner_index,
    fan_offset,
    fan_strips,
)
from .....tui.draw.card_art import CardState as Art
from .....tui.draw.glyphs import truncate
from .....tui.draw.segments import LineBuilder, pad_lines, side_by_side
from .....tui.draw.styles import Look, line_styles_of, style_of
from .....tui.terminal.detection import GlyphSet
from .....tui.widgets.line_widget import LineWidget
from ...machine.rules import DEALT, KEPT

_WEAVE = {GlyphSet.UNICODE: "╱╲╱", GlyphSet.CP437: "▒▒▒", GlyphSet.ASCII: "/\\/"}
CARDS = 17
"""The column of the first card, if there is room for it."""
MARGIN = 2
CRIB = (Card(Rank.TEN, Suit.SPADES),) * KEPT
"""A crib that needs as much room as any."""


@dataclass(frozen=True, slots=True)
class OpponentRow:
    """The other's name with a word about him, his cards, and a remark at the right.

    ``starter`` and ``crib``, which ``whose`` names, lie behind his cards where there is room for
    them; the remark stands under these then.
    """

    name: str = ""
    about: str = ""
    points: int = 0
    cards: tuple[Card, ...] = ()
    remark: str = ""
    bad: bool = False
    starter: Card | None = None
    crib: tuple[Card, ...] = ()
    whose: str = ""


class FarHand(LineWidget):
    """The other's cards in a row, and in a large window the starter and the crib behind them."""

    def __init__(self) -> None:
        super().__init__()
        self.other = OpponentRow()

    def show(self, other: OpponentRow) -> None:
        """Show this from now on."""
        if other != self.other:
            self.other = other
            self.refresh()

    def _shown(self) -> object:
        return self.other

    @property
    def roomy(self) -> bool:
        """Whether there is room for the starter and the crib behind six cards."""
        size = _size(self.size)
        six = CARDS + (size.width + 1) * DEALT
        behind = size.width + _fan(CRIB, size) + 3 * MARGIN
        return size is not CardSize.CHIP and six + behind <= self.size.width

    def _draw(self, look: Look, area: Area) -> Iterable[Strip]:
        size = _size(area)
        left, name = self._names(size, area.width, look)
        cards = self._cards(size, left, look)
        if size is CardSize.CHIP:
            end = cards[-1][0] + size.width if cards else left
            remark = self._remark(area.width - end - 1, look)
            at = area.width - 1 - remark.cell_length
            return pad_lines(
                side_by_side(area.width, (0, name), *cards, (at, [remark])), area.height
            )
        pack = self._pack(size, area.width, look)
        rows = side_by_side(area.width, (0, name), *cards, *((at, on) for at, on, _ in pack))
        room = (pack[0][0] if pack else area.width) - 2
        under = [(at, [label]) for at, _, label in pack]
        last = side_by_side(area.width, (1, [self._remark(room, look)]), *under)
        return pad_lines([*pad_lines(rows, size.height), *last], area.height)

    def _names(self, size: CardSize, width: int, look: Look) -> tuple[int, Sequence[Strip]]:
        """Give the column of the first card, and the name with the points that stands before it."""
        other, inks = self.other, line_styles_of(look.palette)
        name = [
            LineBuilder(look.tier).add(
                f" {other.name}", style_of(look.palette.blue) + Style(bold=True)
            )
        ]
        if size is CardSize.CHIP:
            name[0].add(f" {other.points}", inks.strong).add(f" {other.about}", inks.muted)
        else:
            name.append(LineBuilder(look.tier).add(f" {other.points} points", inks.strong))
            name.append(LineBuilder(look.tier).add(f" {other.about}", inks.muted))
        left = max(CARDS if width >= 80 else 1, max(line.width for line in name) + 1)
        return left, [line.strip() for line in name]

    def _cards(self, size: CardSize, left: int, look: Look) -> list[tuple[int, Sequence[Strip]]]:
        step = size.width + (size is not CardSize.CHIP)  # a chip is narrower than its place
        cards = enumerate(self.other.cards)
        return [(left + step * place, _card(card, size, look)) for place, card in cards]

    def _remark(self, room: int, look: Look) -> Strip:
        inks, said = (
            line_styles_of(look.palette),
            truncate(self.other.remark, max(0, room), look.tier),
        )
        return LineBuilder(look.tier).add(said, inks.bad if self.other.bad else inks.muted).strip()

    def _pack(
        self, size: CardSize, width: int, look: Look
    ) -> list[tuple[int, Sequence[Strip], Strip]]:
        """Give the starter and the crib at the right edge: column, card or fan, and label."""
        other, found = self.other, list[tuple[int, Sequence[Strip], Strip]]()
        if other.starter is not None:
            at = width - MARGIN - _fan(CRIB, size) - MARGIN - size.width
            card = card_strips(other.starter, size, Art.NORMAL, look)
            found.append((at, card, caption_strip("starter", size.width, Art.NORMAL, look)))
        if other.crib:
            states = (Art.NORMAL,) * len(other.crib)
            fan = fan_strips(other.crib, size, states, look)
            label = caption_strip(other.whose, _fan(other.crib, size), Art.NORMAL, look)
            found.append((width - MARGIN - _fan(other.crib, size), fan, label))
        return found


def _size(area: Area) -> CardSize:
    """Give the size of the cards: over a row for what is told, but where they are chips."""
    return CardSize.fitting(area.width, max(1, area.height - 1))


def _fan(cards: Sequence[Card], size: CardSize) -> int:
    return sum(fan_offset(card, size) for card in cards[:-1]) + size.width


def _card(card: Card, size: CardSize, look: Look) -> Sequence[Strip]:
    """Draw a card; in one row a back is a piece of its pattern, and a face its index."""
    if size is not CardSize.CHIP:
        return card_strips(card, size, Art.NORMAL, look)
    palette = look.palette
    if card is BACK:
        text, style = _WEAVE[look.tier], style_of(palette.ink, palette.back)
    else:
        text = f"{corner_index(card, look.tier):<3}"
        style = style_of(palette.suit(card.suit, look.four_colour), palette.face)
    return [LineBuilder(look.tier).add(text, style + Style(bold=card is not BACK)).strip()]
