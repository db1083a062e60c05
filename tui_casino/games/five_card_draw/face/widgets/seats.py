"""An opponent's seat: name and stack, a fan of cards, and what he has done."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content

from .....cards.card import Hand
from .....tui.widgets.card_art import State as Art
from .....tui.widgets.card_art import index
from .....tui.widgets.cards import Fan
from .....tui.widgets.drawn import look_of
from .....tui.widgets.texts import Text
from ...machine.state import Phase, Stakes, State

ROOMY = 24
"""Columns from which on there is room for the level beside name and stack."""


class SeatView(Vertical):
    """The seat of an opponent."""

    def __init__(self, seat: int, name: str, level: str) -> None:
        super().__init__(classes="seat")
        self.seat, self._name_of, self._level = seat, name, level
        self._title_line, self._fan = Text(classes="seat-name"), Fan()
        self._deed_line = Text(classes="seat-deed")
        self._said: tuple[object, ...] = ()

    def compose(self) -> ComposeResult:
        """Lay out name, cards and deeds."""
        yield self._title_line
        yield self._fan
        yield self._deed_line

    def show(self, view: State, act: str, name: str) -> None:
        """Show the seat: what it has done in the betting round, or the name of the hand shown."""
        seat = self.seat
        wins = view.phase is Phase.REST and seat in view.winners
        folded = seat in view.folded
        state = Art.WINNING if wins else Art.DIMMED if folded else Art.NORMAL
        hand = view.hands[seat]
        self._fan.show(hand, [state] * len(hand))
        shown = bool(name) and view.phase is Phase.REST
        deed = self._shown(hand, name) if shown else self._deed(view, act)
        roomy = self.size.width >= ROOMY
        said = (view.stacks[seat], view.dealer == seat, wins, deed, roomy)
        if said != self._said:
            self._said = said
            self._title_line.update(self._title(view, wins, roomy), layout=False)
            self._deed_line.update(deed, layout=False)

    def _title(self, view: State, wins: bool, roomy: bool) -> Content:
        parts: list[tuple[str, str]] = [(self._name_of, "bold $good" if wins else "bold $gold")]
        if roomy:
            parts.append((f", {self._level}", "$muted"))
        if view.options.stakes is not Stakes.NOTHING:
            parts.append((f"  {view.stacks[self.seat]}", "$foreground"))
            if view.dealer == self.seat:
                parts.append(("  D", "$muted"))
        return Content.assemble(*parts)

    def _shown(self, hand: Hand, name: str) -> str:
        """Name the hand; where there is no room for the fan, give its cards."""
        if self._fan.display:
            return name
        return "".join(index(card, look_of(self).tier) for card in hand)

    def _deed(self, view: State, act: str) -> str:
        if self.seat in view.folded:
            return "folded"
        drawn = view.drawn[self.seat]
        drew = "" if drawn is None else "stands pat" if not drawn else f"drew {drawn}"
        return ", ".join(filter(None, (drew, act)))
