"""The opponent's side of the table: name and cards, and if it deals, starter and crib."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from operator import itemgetter

from msgspec import Struct
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
from .....tui.draw.look import Look, line_styles_of, style_of
from .....tui.draw.segments import LineBuilder, pad_lines, side_by_side
from .....tui.terminal.detection import GlyphSet
from .....tui.widgets.line_widget import ContentWidget
from ...machine.rules import DEALT, KEPT

_WEAVE = {GlyphSet.UNICODE: "╱╲╱", GlyphSet.CP437: "▒▒▒", GlyphSet.ASCII: "/\\/"}
CARDS = 17
"""The column where the first card begins, if there is room."""
MARGIN = 2
PACK_COLUMNS = len("starter ") + CardSize.CHIP.width + MARGIN
"""The columns of the starter in a single row, with its label and a gap."""
CRIB = (Card(Rank.TEN, Suit.SPADES),) * KEPT
"""A sample crib of the greatest possible width."""


class OpponentRow(Struct, frozen=True):
    """The opponent's name, role, points and cards.

    If there is room, ``starter`` is shown to the left of the cards, and ``crib`` (named by
    ``crib_label``) to their right.
    """

    name: str = ""
    role: str = ""
    points: int = 0
    cards: tuple[Card, ...] = ()
    starter: Card | None = None
    crib: tuple[Card, ...] = ()
    crib_label: str = ""


class FarHand(ContentWidget[OpponentRow]):
    """The opponent's cards in a row, with the starter and the crib if there is room."""

    def __init__(self) -> None:
        super().__init__(OpponentRow())

    @property
    def roomy(self) -> bool:
        """Whether the starter and the crib fit to the right of six cards."""
        size = _size(self.size)
        six = CARDS + (size.width + 1) * DEALT
        behind = size.width + _fan(CRIB, size) + 3 * MARGIN
        return size is not CardSize.CHIP and six + behind <= self.size.width

    @property
    def has_room_for_pack(self) -> bool:
        """Whether the starter and the crib fit next to six cards, if need be in a single row."""
        row = CARDS + PACK_COLUMNS + CardSize.CHIP.width * (DEALT + KEPT) + len(" crib ") + MARGIN
        return self.roomy or (_size(self.size) is CardSize.CHIP and row <= self.size.width)

    def _draw(self, look: Look, area: Area) -> Iterable[Strip]:
        size = _size(area)
        first_column, name = self._name_lines(size, area.width, look)
        cards = self._cards(size, first_column, look)
        if size is CardSize.CHIP:
            pack_row = self._pack_row(first_column, area.width, look)
            return pad_lines(
                side_by_side(
                    area.width, (0, name), *sorted([*pack_row, *cards], key=itemgetter(0))
                ),
                area.height,
            )
        pack = self._starter_and_crib(size, first_column, area.width, look)
        rows = side_by_side(
            area.width,
            (0, name),
            *sorted([*cards, *(block[:2] for block in pack)], key=itemgetter(0)),
        )
        last = side_by_side(area.width, *((column, [label]) for column, _, label in pack))
        return pad_lines([*pad_lines(rows, size.height), *last], area.height)

    def _name_lines(self, size: CardSize, width: int, look: Look) -> tuple[int, Sequence[Strip]]:
        """Return the column of the first card, and the lines of name and points before it."""
        other, inks = self.content, line_styles_of(look.palette)
        name = [
            LineBuilder(look.tier).add(
                f" {other.name}", style_of(look.palette.blue) + Style(bold=True)
            )
        ]
        if size is CardSize.CHIP:
            name[0].add(f" {other.points}", inks.strong).add(f" {other.role}", inks.muted)
        else:
            name.append(LineBuilder(look.tier).add(f" {other.points} points", inks.strong))
            name.append(LineBuilder(look.tier).add(f" {other.role}", inks.muted))
        first_column = max(CARDS if width >= 80 else 1, max(line.width for line in name) + 1)
        return first_column, [line.strip() for line in name]

    def _cards(
        self, size: CardSize, first_column: int, look: Look
    ) -> list[tuple[int, Sequence[Strip]]]:
        step = size.width + (size is not CardSize.CHIP)  # a chip is narrower than its column
        if self.content.starter is not None:
            first_column += PACK_COLUMNS if size is CardSize.CHIP else size.width + MARGIN
        cards = enumerate(self.content.cards)
        return [(first_column + step * place, _card(card, size, look)) for place, card in cards]

    def _pack_row(
        self, column: int, width: int, look: Look
    ) -> Iterable[tuple[int, Sequence[Strip]]]:
        """Yield the starter from a column on, and the crib at the right edge, in one row."""
        other, muted = self.content, line_styles_of(look.palette).muted
        if other.starter is not None:
            text = "pack" if other.starter is BACK else "starter"
            label = LineBuilder(look.tier).add(f"{text:>7} ", muted).strip()
            yield column, [label]
            yield column + label.cell_length, _card(other.starter, CardSize.CHIP, look)
        chips = [_card(card, CardSize.CHIP, look) for card in other.crib]
        first = width - MARGIN - CardSize.CHIP.width * len(chips)
        if chips:
            yield first - len("crib "), [LineBuilder(look.tier).add("crib ", muted).strip()]
        yield from ((first + CardSize.CHIP.width * place, chip) for place, chip in enumerate(chips))

    def _starter_and_crib(
        self, size: CardSize, first_column: int, width: int, look: Look
    ) -> list[tuple[int, Sequence[Strip], Strip]]:
        """Return the starter, and the crib at the right edge: column, card or fan, and label."""
        other, blocks = self.content, list[tuple[int, Sequence[Strip], Strip]]()
        if other.starter is not None:
            column = first_column
            card = card_strips(other.starter, size, Art.NORMAL, look)
            blocks.append((column, card, caption_strip("starter", size.width, Art.NORMAL, look)))
        if other.crib:
            states = (Art.NORMAL,) * len(other.crib)
            fan = fan_strips(other.crib, size, states, look)
            label = caption_strip(other.crib_label, _fan(other.crib, size), Art.NORMAL, look)
            blocks.append((width - MARGIN - _fan(other.crib, size), fan, label))
        return blocks


def _size(area: Area) -> CardSize:
    """Return the size of the cards; one row is left for the labels unless they are chips."""
    return CardSize.fitting(area.width, max(1, area.height - 1))


def _fan(cards: Sequence[Card], size: CardSize) -> int:
    return sum(fan_offset(card, size) for card in cards[:-1]) + size.width


def _card(card: Card, size: CardSize, look: Look) -> Sequence[Strip]:
    """Draw a card; in a single row, draw part of the back's pattern or the card's index."""
    if size is not CardSize.CHIP:
        return card_strips(card, size, Art.NORMAL, look)
    palette = look.palette
    if card is BACK:
        text, style = _WEAVE[look.tier], style_of(palette.ink, palette.back)
    else:
        text = f"{corner_index(card, look.tier):<3}"
        style = style_of(palette.suit(card.suit, look.four_colour), palette.face)
    return [LineBuilder(look.tier).add(text, style + Style(bold=card is not BACK)).strip()]
