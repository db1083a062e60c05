"""The far side of the table in a row: the other's name and cards, and what is told beside them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rich.style import Style
from textual.geometry import Size as Area
from textual.strip import Strip

from .....cards.card import BACK, Card
from .....tui.terminal.detection import Tier
from .....tui.widgets.bars import cut
from .....tui.widgets.card_art import Look, Size, index, style_of
from .....tui.widgets.card_art import State as Art
from .....tui.widgets.cards import card_strips
from .....tui.widgets.drawn import Drawn
from .....tui.widgets.hints import inks_of
from .lines import Line, beside, padded

_WEAVE = {Tier.UNICODE: "╱╲╱", Tier.CP437: "▒▒▒", Tier.ASCII: "/\\/"}
CARDS = 17
"""The column of the first card, if there is room for it."""


@dataclass(frozen=True, slots=True)
class Other:
    """The other's name with a word about him, his cards, and a remark at the right."""

    name: str = ""
    about: str = ""
    points: int = 0
    cards: tuple[Card, ...] = ()
    remark: str = ""
    bad: bool = False


class FarHand(Drawn):
    """The other's cards, small, in one row."""

    def __init__(self) -> None:
        super().__init__()
        self.other = Other()

    def show(self, other: Other) -> None:
        """Show this from now on."""
        if other != self.other:
            self.other = other
            self.refresh()

    def _shown(self) -> object:
        return self.other

    def _draw(self, look: Look, area: Area) -> Iterable[Strip]:
        other, inks = self.other, inks_of(look.palette)
        size = Size.fitting(area.width, area.height)
        name = [
            Line(look.tier).add(f" {other.name}", style_of(look.palette.blue) + Style(bold=True))
        ]
        if size is Size.CHIP:
            name[0].add(f" {other.points}", inks.strong).add(f" {other.about}", inks.muted)
        else:
            name.append(Line(look.tier).add(f" {other.points} points", inks.strong))
            name.append(Line(look.tier).add(f" {other.about}", inks.muted))
        left = max(CARDS if area.width >= 80 else 1, max(line.width for line in name) + 1)
        step = size.width + (size is not Size.CHIP)  # a chip is narrower than its place
        blocks: list[tuple[int, list[Strip]]] = [(0, [line.strip() for line in name])]
        for place, card in enumerate(other.cards):
            blocks.append((left + step * place, [*_card(card, size, look)]))
        end = left + step * len(other.cards) + 1
        remark = cut(other.remark, max(0, area.width - end - 1), look.tier)
        ink = inks.bad if other.bad else inks.muted
        told = Line(look.tier).add(remark, ink).strip()
        above = (size.height - 1) // 2
        blocks.append((area.width - 1 - len(remark), [*[Strip([], 0)] * above, told]))
        return padded(beside(area.width, *blocks), area.height)


def _card(card: Card, size: Size, look: Look) -> Sequence[Strip]:
    """Draw a card; in one row a back is a piece of its pattern, and a face its index."""
    if size is not Size.CHIP:
        return card_strips(card, size, Art.NORMAL, look)
    palette = look.palette
    if card is BACK:
        text, style = _WEAVE[look.tier], style_of(palette.ink, palette.back)
    else:
        text = f"{index(card, look.tier):<3}"
        style = style_of(palette.suit(card.suit, look.four_colour), palette.face)
    return [Line(look.tier).add(text, style + Style(bold=card is not BACK)).strip()]
