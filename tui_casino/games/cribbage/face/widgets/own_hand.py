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

    def compose(self) -> ComposeResult:
        """Lay them out side by side."""
        with Vertical(classes="crib-side"):
            yield CardView(id="crib-starter")
            yield Text("starter", classes="crib-label")
        yield CardRow(DEALT, labelled=True, id="crib-six")
        yield CardRow(KEPT, labelled=True, id="crib-four")
        with Vertical(classes="crib-side"):
            yield Fan(id="crib-crib")
            yield Text(id="crib-whose", classes="crib-label")

    def show(self, view: State, seat: int, marked: Collection[int], choosing: bool) -> None:
        """Show a seat's cards, those marked for the crib, and numbers where it may choose."""
        hand, playing = view.hands[seat], view.phase is Phase.PLAY
        six = len(hand) == DEALT or view.phase in (Phase.SHUFFLE, Phase.DEAL)
        for row in self.query(CardRow):
            row.display = six == (row.id == "crib-six")
        able = view.able(seat) if playing else hand
        cards, states, labels = [], [], []
        for place, card in enumerate(hand, 1):
            out = six and place in marked
            cards.append(None if playing and card not in view.rest(seat) else card)
            states.append(Art.HELD if out else Art.NORMAL if card in able else Art.DIMMED)
            labels.append("CRIB" if out else f"[{place}]" if choosing and card in able else "")
        self.query_one("#crib-six" if six else "#crib-four", CardRow).show(cards, states, labels)

    def show_crib(self, view: State, whose: str) -> None:
        """Show the pack or the starter on it, and the crib with a word about whose it is."""
        pack = BACK if view.hands[0] else None
        self.query_one("#crib-starter", CardView).show(view.starter or pack)
        self.query_one("#crib-crib", Fan).show(view.crib)
        put(self.query_one("#crib-whose", Text), f"{whose} crib")
