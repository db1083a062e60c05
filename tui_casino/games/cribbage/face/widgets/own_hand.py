"""The near side of the table: the starter on the pack, one's own hand large, and the crib."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from textual.events import Click
from textual.geometry import Offset
from textual.geometry import Size as Area
from textual.message import Message
from textual.strip import Strip

from .....cards.card import Card
from .....tui.draw.card_art import CardState as Art
from .....tui.draw.card_art import caption_strip, card_strips, fan_offset
from .....tui.draw.glyphs import truncate
from .....tui.draw.segments import LineBuilder, pad_lines, side_by_side
from .....tui.draw.styles import Look, line_styles_of, style_of
from .....tui.widgets.line_widget import LineWidget
from .hand_layout import HandLayout, lay_out_counted_hand, lay_out_hand
from .play import fan_strips


@dataclass(frozen=True, slots=True)
class NearSide:
    """What lies on the near side: cards with their states and labels, the starter, the crib.

    ``whose`` says whose crib it is, ``score`` whose side it is and how many points he has. While a
    hand is ``counted`` its cards and the starter stand in columns, and ``counted`` says which hand
    it is.
    """

    cards: tuple[Card | None, ...] = ()
    states: tuple[Art, ...] = ()
    labels: tuple[str, ...] = ()
    starter: Card | None = None
    crib: tuple[Card, ...] = ()
    whose: str = ""
    counted: str = ""
    score: tuple[str, int] = ("", 0)


class OwnHand(LineWidget):
    """The near side; a click on a card of the hand tells its place."""

    @dataclass
    class Pressed(Message):
        """The card at this place of the hand, from 1, was clicked on, or ``twice`` in a row.

        The first click of two has been told before.
        """

        place: int
        twice: bool = False

    def __init__(self) -> None:
        super().__init__()
        self.side = NearSide()

    def show(self, side: NearSide) -> None:
        """Show this from now on."""
        if side != self.side:
            self.side = side
            self.refresh()

    def _shown(self) -> object:
        return self.side

    @property
    def places(self) -> HandLayout:
        """Where the cards lie."""
        return self._places(self.size)

    def _places(self, area: Area) -> HandLayout:
        side, height = self.side, area.height - 1
        if side.counted:
            return lay_out_counted_hand(area.width, height)
        if side.starter is None and not side.crib:
            return lay_out_hand(area.width, height, max(1, len(side.cards)), 0, alone=True)
        size = lay_out_hand(area.width, height, max(1, len(side.cards)), 0).size
        crib = sum(fan_offset(card, size) for card in side.crib[:-1]) + size.width
        return lay_out_hand(area.width, height, max(1, len(side.cards)), crib)

    def _draw(self, look: Look, area: Area) -> Iterable[Strip]:
        side, at = self.side, self._places(area)
        size, blocks = at.size, list[tuple[int, list[Strip]]]()
        if at.starter is not None and side.starter is not None:
            cards = card_strips(side.starter, size, Art.NORMAL, look)
            words = "starter" if size.width >= len("starter") else "pack"
            label = caption_strip(words, size.width, Art.NORMAL, look)
            blocks.append((at.starter, [*cards, label]))
        blocks += self._caption(at, look) if side.counted else self._score(at, look)
        shown = zip(at.hand, side.cards, side.states, side.labels, strict=False)
        for column, card, state, words in shown:
            label = caption_strip(words, size.width, state, look)
            blocks.append((column, [*card_strips(card, size, state, look), label]))
        if at.crib is not None and side.crib:
            blocks.append((at.crib, self._crib(size.height, area.width - at.crib, look)))
        return pad_lines(side_by_side(area.width, *blocks), area.height)

    def _caption(self, at: HandLayout, look: Look) -> Iterable[tuple[int, list[Strip]]]:
        room = at.hand[0] - 4
        if room > 0:
            inks = line_styles_of(look.palette)
            whose = LineBuilder(look.tier).add(
                truncate(self.side.counted, room, look.tier), inks.gold
            )
            under = LineBuilder(look.tier).add(
                truncate("with the starter", room, look.tier), inks.muted
            )
            name, points = self.side.score
            score = LineBuilder(look.tier).add(f"{name} ", inks.muted).add(str(points), inks.strong)
            yield 2, [Strip([], 0), whose.strip(), under.strip(), score.strip()]

    def _score(self, at: HandLayout, look: Look) -> Iterable[tuple[int, list[Strip]]]:
        """Put the name over the points, between the starter and the hand, where there is room."""
        name, points = self.side.score
        begin = 0 if at.starter is None else at.starter + at.size.width
        across = max(len(name), len(str(points)))
        if self.side.cards and at.hand[0] - begin >= across + 2:
            inks = line_styles_of(look.palette)
            lines = [
                LineBuilder(look.tier)
                .add(f"{name:>{across}}", style_of(look.palette.gold))
                .strip(),
                LineBuilder(look.tier).add(f"{points:>{across}}", inks.strong).strip(),
            ]
            above = [Strip([], 0)] * ((at.size.height - 1) // 2)
            yield at.hand[0] - across - 1, [*above, *lines]

    def _crib(self, height: int, width: int, look: Look) -> list[Strip]:
        crib = self.side.crib
        fan = fan_strips(crib, (Art.NORMAL,) * len(crib), width, height, look)
        across = fan[0].cell_length
        whose = self.side.whose if len(self.side.whose) <= across else "crib"
        label = caption_strip(whose, across, Art.NORMAL, look)
        return [*fan, label]

    def corner(self, place: int) -> Offset | None:
        """Give where the card at a place begins on the screen, if one lies there; from 1."""
        if not 0 < place <= len(self.side.cards) or self.side.cards[place - 1] is None:
            return None
        return self.region.offset + Offset(self.places.hand[place - 1], 0)

    def on_click(self, event: Click) -> None:
        """Tell which card was clicked on, with the left button."""
        if event.button != 1:
            return
        at = self.places
        for place, column in enumerate(at.hand, 1):
            if column <= event.x < column + at.size.width and event.y <= at.size.height:
                event.stop()
                if event.chain <= 2:
                    self.post_message(self.Pressed(place, event.chain == 2))
