"""Cards on the table: a single card, a row of cards, a fan of cards.

They take their colours and glyphs from the app's ``look``. An app that changes its look must
refresh them; rows need ``layout=True``.
"""

from __future__ import annotations

from collections.abc import Sequence
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
from ..draw.card_art import CardSize, CardState, caption_strip, card_strips
from ..draw.look import Look
from ..draw.segments import centre_strip
from .line_widget import BlankWidget, LineWidget, look_of

_T = TypeVar("_T")


class CardView(LineWidget):
    """One card, a card back, or an empty place, as large as the widget.

    If it is ``labelled``, the line below the card shows a few words such as ``[3]`` or `` HELD ``.
    """

    DEFAULT_CSS = "CardView { width: 9; height: 7; }"

    class Pressed(Message):
        """The card was clicked on; the game decides what a click means."""

        def __init__(self, view: CardView) -> None:
            super().__init__()
            self.view = view

        @property
        def control(self) -> CardView:
            """The card, as required by ``@on(CardView.Pressed, selector)``."""
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
        """Show this card, state and label."""
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
        event.stop()
        self.post_message(self.Pressed(self))


class CardRow(BlankWidget):
    """A centred row of places for cards, with cards as large as possible.

    The height must be set, because it determines the size of the cards.
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
        """The row's own layout; stylesheets cannot change it."""
        return _SPREAD

    def compose(self) -> ComposeResult:
        yield from self.views

    def show(
        self,
        cards: Sequence[Card | None],
        states: Sequence[CardState] = (),
        labels: Sequence[str] = (),
    ) -> None:
        """Show these cards from the left, followed by empty places.

        Raises ``ValueError`` if there are more cards than places.
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
        """Return the screen position of the card at a place, counted from 1, or ``None``."""
        view = self.views[place - 1] if 0 < place <= len(self.views) else None
        return view.region.offset if view is not None and view.card is not None else None


def _at(items: Sequence[_T], place: int, default: _T) -> _T:
    return items[place] if place < len(items) else default


def card_spacing(count: int, width: int, height: int, *, touching: bool) -> tuple[CardSize, int]:
    """Return the size of ``count`` cards in a box, and the columns between two of them.

    There is one column between cards, or none if cards may touch and can then be larger.
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
