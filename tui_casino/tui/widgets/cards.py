"""Cards on the table: one, a row of them, a fan of them.

They take their colours and glyphs from the app's ``look``; an app that changes it refreshes them,
and rows with ``layout=True``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from textual.app import ComposeResult
from textual.events import Click
from textual.geometry import NULL_OFFSET, NULL_SPACING, Offset, Region
from textual.geometry import Size as Area
from textual.layout import Layout, WidgetPlacement
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from ...cards.card import Card
from ..draw.card_art import CardSize, CardState, caption_strip, card_strips, fan_size, fan_strips
from ..draw.segments import centre_strip
from ..draw.styles import Look
from .line_widget import LineWidget, look_of

_T = TypeVar("_T")


class CardView(LineWidget):
    """One card, a back, or an empty place, as large as the widget is.

    A ``labelled`` one keeps a line under the card for a few words such as ``[3]`` or `` HELD ``.
    """

    DEFAULT_CSS = "CardView { width: 9; height: 7; }"

    @dataclass
    class Pressed(Message):
        """The card was clicked on; what that means is for whoever put it there."""

        view: CardView

        @property
        def control(self) -> CardView:
            """The card, for ``@on(CardView.Pressed, selector)``."""
            return self.view

    def __init__(
        self,
        card: Card | None = None,
        state: CardState = CardState.NORMAL,
        label: str = "",
        *,
        labelled: bool = False,
        name: str | None = None,
        id: str | None = None,
        classes: str | None = None,
    ) -> None:
        super().__init__(name=name, id=id, classes=classes)
        self.card = card
        self.state = state
        self.label = label
        self.labelled = labelled

    def show(self, card: Card | None, state: CardState = CardState.NORMAL, label: str = "") -> None:
        """Show this from now on."""
        if (card, state, label) != self._shown():
            self.card, self.state, self.label = card, state, label
            self.refresh()

    def _shown(self) -> object:
        return self.card, self.state, self.label

    def _draw(self, look: Look, area: Area) -> list[Strip]:
        size = CardSize.fitting(area.width, area.height - self.labelled)
        lines = card_strips(self.card, size, self.state, look)
        if self.labelled:
            lines += (caption_strip(self.label, size.width, self.state, look),)
        return [centre_strip(line, area.width) for line in lines]

    def on_click(self, event: Click) -> None:
        """Tell that the card was clicked on."""
        event.stop()
        self.post_message(self.Pressed(self))


class CardRow(Widget):
    """A row of places for cards in the middle of the widget, all as large as fits.

    Its height has to be set, since by it the size of the cards is chosen.
    """

    DEFAULT_CSS = "CardRow { width: 1fr; height: 7; }"

    def __init__(
        self,
        count: int,
        *,
        labelled: bool = False,
        name: str | None = None,
        id: str | None = None,
        classes: str | None = None,
    ) -> None:
        super().__init__(name=name, id=id, classes=classes)
        self.labelled = labelled
        self.views = tuple(CardView(labelled=labelled) for _ in range(count))

    @property
    def layout(self) -> Layout:
        """Its own, whatever a stylesheet says."""
        return _SPREAD

    def compose(self) -> ComposeResult:
        """Lay the places out."""
        yield from self.views

    def show(
        self,
        cards: Sequence[Card | None],
        states: Sequence[CardState] = (),
        labels: Sequence[str] = (),
    ) -> None:
        """Show these from the left, and empty places where there are no more.

        Raises ``ValueError`` for more cards than places.
        """
        if len(cards) > len(self.views):
            raise ValueError(f"{len(cards)} cards for {len(self.views)} places")
        for place, view in enumerate(self.views):
            view.show(
                _at(cards, place, None),
                _at(states, place, CardState.NORMAL),
                _at(labels, place, ""),
            )

    def corner(self, place: int) -> Offset | None:
        """Give where the card at a place begins on the screen, if one lies there; from 1."""
        view = self.views[place - 1] if 0 < place <= len(self.views) else None
        return view.region.offset if view is not None and view.card is not None else None


def _at(items: Sequence[_T], place: int, default: _T) -> _T:
    return items[place] if place < len(items) else default


def card_spacing(count: int, width: int, height: int, *, touching: bool) -> tuple[CardSize, int]:
    """Give the size of so many cards in a box and the columns between two of them.

    One column lies between, or none where cards may touch and are larger for it.
    """
    apart = CardSize.fitting((width + 1) // count - 1, height)
    close = CardSize.fitting(width // count, height)
    return (close, 0) if touching and close.height > apart.height else (apart, 1)


class _Spread(Layout):
    """Places cards side by side."""

    name = "cards"

    def arrange(
        self, parent: Widget, children: list[Widget], size: Area, greedy: bool = True
    ) -> list[WidgetPlacement]:
        assert isinstance(parent, CardRow)
        labels = int(parent.labelled)
        card, gap = card_spacing(
            len(children), size.width, size.height - labels, touching=not look_of(parent).solid
        )
        step = card.width + gap
        left = max(0, size.width - step * len(children) + gap) // 2
        return [
            WidgetPlacement(
                Region(left + place * step, 0, card.width, card.height + labels),
                NULL_OFFSET,
                NULL_SPACING,
                child,
            )
            for place, child in enumerate(children)
        ]


_SPREAD = _Spread()


class CardFan(LineWidget):
    """Cards that overlap, the last one whole; the largest size in which all of them fit."""

    DEFAULT_CSS = "Fan { width: 1fr; height: 7; }"

    def __init__(
        self, *, name: str | None = None, id: str | None = None, classes: str | None = None
    ) -> None:
        super().__init__(name=name, id=id, classes=classes)
        self.cards: tuple[Card | None, ...] = ()
        self.states: tuple[CardState, ...] = ()

    def show(self, cards: Sequence[Card | None], states: Sequence[CardState] = ()) -> None:
        """Show these cards, the first one at the bottom."""
        if (tuple(cards), tuple(states)) != self._shown():
            self.cards, self.states = tuple(cards), tuple(states)
            self.refresh()

    def _shown(self) -> object:
        return self.cards, self.states

    def _draw(self, look: Look, area: Area) -> list[Strip]:
        if not self.cards:
            return []
        size = fan_size(self.cards, area.width, area.height)
        states = [_at(self.states, place, CardState.NORMAL) for place in range(len(self.cards))]
        return [
            centre_strip(strip, area.width) for strip in fan_strips(self.cards, size, states, look)
        ]
