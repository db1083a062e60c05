"""The middle of the table: the play with its count, and then each hand as it is counted."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical

from .....cards.card import Card, Hand
from .....tui.widgets.bars import put
from .....tui.widgets.card_art import State as Art
from .....tui.widgets.card_art import index
from .....tui.widgets.cards import Fan
from .....tui.widgets.drawn import look_of
from .....tui.widgets.texts import Text
from ...machine.scoring import Score
from ...machine.state import Phase, State
from ..spoken import in_words, name_of


class PlayView(Vertical):
    """A fan under a caption, and beside it the combinations of a hand that is counted."""

    def __init__(self) -> None:
        super().__init__()
        self._caption, self._fan, self._count = (
            Text(id="crib-caption"),
            Fan(),
            Text(id="crib-count"),
        )
        self._floor = Horizontal(self._fan, self._count, id="crib-play")

    def compose(self) -> ComposeResult:
        """Lay out caption, fan and combinations."""
        yield self._caption
        yield self._floor

    def play(self, view: State, lit: Collection[Card]) -> None:
        """Show all that was laid, earlier segments dimmed, with the cards lit that scored last."""
        laid = [placed.card for placed in view.laid]
        states = [
            Art.DIMMED if n < view.begun else Art.WINNING if card in lit else Art.NORMAL
            for n, card in enumerate(laid)
        ]
        playing = view.phase is Phase.PLAY
        self._show(laid, states, f"count {view.count} of 31" if playing else "", None)

    def count(self, caption: str, cards: Hand, told: Sequence[Score], done: bool) -> None:
        """Show a hand with its starter, the combinations told so far, and the last one lit."""
        lit = told[-1].cards if told else ()
        tier = look_of(self).tier
        found, total = [], 0
        for score in told:
            total += score.points
            combined = " ".join(index(card, tier).strip() for card in sorted(score.cards))
            found.append(f"{total:>2} {name_of(score.kind)} {combined}")
        if done and told:
            found.append(f"{in_words(total)} in all")
        states = [Art.WINNING if card in lit else Art.NORMAL for card in cards]
        self._show(cards, states, caption, found)

    def _show(
        self, cards: Sequence[Card], states: Sequence[Art], caption: str, listed: list[str] | None
    ) -> None:
        self._fan.show(cards, states)
        put(self._caption, caption)
        self._count.display = listed is not None
        put(self._count, "\n".join((listed or [])[-max(self._floor.size.height, 1) :]))
