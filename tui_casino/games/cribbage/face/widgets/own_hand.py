"""The near side of the table: the starter on the pack, one's own hand large, and the crib."""

from __future__ import annotations

from collections.abc import Collection

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical

from .....cards.card import BACK
from .....tui.widgets.bars import put
from .....tui.widgets.card_art import State as Art
from .....tui.widgets.cards import CardRow, CardView, Fan
from .....tui.widgets.texts import Text
from ...machine.rules import DEALT, KEPT
from ...machine.state import Phase, State


class OwnHand(Horizontal):
    """The starter, six cards or the four that were kept, and the crib."""

    def __init__(self) -> None:
        super().__init__()
        self._starter, self._crib = CardView(id="crib-starter"), Fan(id="crib-crib")
        self._six = CardRow(DEALT, labelled=True, id="crib-six")
        self._four = CardRow(KEPT, labelled=True, id="crib-four")
        self._whose = Text(id="crib-whose", classes="crib-label")

    def compose(self) -> ComposeResult:
        """Lay them out side by side."""
        with Vertical(classes="crib-side"):
            yield self._starter
            yield Text("starter", classes="crib-label")
        yield self._six
        yield self._four
        with Vertical(classes="crib-side"):
            yield self._crib
            yield self._whose

    def show(self, view: State, seat: int, marked: Collection[int], choosing: bool) -> None:
        """Show a seat's cards, those marked for the crib, and numbers where it may choose."""
        hand, playing = view.hands[seat], view.phase is Phase.PLAY
        six = len(hand) == DEALT or view.phase in (Phase.SHUFFLE, Phase.DEAL)
        self._six.display, self._four.display = six, not six
        able = view.able(seat) if playing else hand
        cards, states, labels = [], [], []
        for place, card in enumerate(hand, 1):
            out = six and place in marked
            cards.append(None if playing and card not in view.rest(seat) else card)
            states.append(Art.HELD if out else Art.NORMAL if card in able else Art.DIMMED)
            labels.append("CRIB" if out else f"[{place}]" if choosing and card in able else "")
        (self._six if six else self._four).show(cards, states, labels)

    def show_crib(self, view: State, whose: str) -> None:
        """Show the pack or the starter on it, and the crib with a word about whose it is."""
        pack = BACK if view.hands[0] else None
        self._starter.show(view.starter or pack)
        self._crib.show(view.crib)
        put(self._whose, f"{whose} crib")
