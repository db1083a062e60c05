"""The table: both hands with their names, and the spots where chips are put."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message

from .....tui.widgets.card_art import State as Art
from .....tui.widgets.cards import CardRow
from .....tui.widgets.painter import Painted
from .....tui.widgets.texts import Text
from ...machine.rules import CAPACITY, NO_BETS, NO_CARDS, SPOTS, Bets, Hand, Side, Spot, value_of

if TYPE_CHECKING:
    from textual import events

LAST_ROOM = 16
"""Columns of a spot from which on it says that its chips are those of the last coup."""
NAMES = {Side.PLAYER: "PLAYER", Side.BANKER: "BANKER"}
SHORT = {
    Spot.PLAYER: "PLAYER",
    Spot.BANKER: "BANKER",
    Spot.TIE: "TIE",
    Spot.PLAYER_PAIR: "P PAIR",
    Spot.BANKER_PAIR: "B PAIR",
}


class HandView(Vertical):
    """One of the two hands: its name, its total, how it came out, and its cards."""

    def __init__(self, side: Side) -> None:
        super().__init__(classes=f"hand -{side.value}")
        self.side = side
        self._name_line, self._cards = Text(classes="hand-name"), CardRow(CAPACITY)
        self._said: tuple[object, ...] = ()

    def compose(self) -> ComposeResult:
        """Lay out the name over the cards."""
        yield self._name_line
        yield self._cards

    def show(self, hand: Hand, *, natural: bool = False, wins: bool = False) -> None:
        """Show the hand; a winning one is framed and said to win."""
        states = [Art.WINNING if wins else Art.NORMAL] * len(hand)
        self._cards.show(hand.cards, states)
        said = (hand != NO_CARDS, value_of(hand), natural, wins)
        if said != self._said:
            self._said = said
            self._name_line.update(self._title(*said), layout=False)

    def _title(self, dealt: bool, value: int, natural: bool, wins: bool) -> Content:
        colour = "$side-blue" if self.side is Side.PLAYER else "$side-red"
        parts: list[tuple[str, str] | str] = [(NAMES[self.side], f"bold {colour}")]
        if dealt:
            parts.append((f"  {value}", "bold $foreground"))
        if natural:
            parts += ["  ", (" NATURAL ", "bold reverse")]
        if wins:
            star = "*" if self.app.has_class("-ascii") or self.app.has_class("-cp437") else "★"
            parts.append((f"  {star} WINS", "bold $good"))
        return Content.assemble(*parts)


class Spots(Painted):
    """Five spots side by side with the credits that lie there; one can be clicked on."""

    class Pressed(Message):
        """A spot was clicked on."""

        def __init__(self, spot: Spot) -> None:
            super().__init__()
            self.spot = spot

    def __init__(self, commission: bool) -> None:
        super().__init__()
        self._commission = commission
        self._bets: Bets = NO_BETS
        self._won: tuple[bool, ...] | None = None

    def show(self, bets: Bets, won: tuple[bool, ...] | None = None) -> None:
        """Show what lies where, or of a coup that is over, what lay where and which spots won."""
        if (bets, won) != (self._bets, self._won):
            self._bets, self._won = bets, won
            self.refresh()

    @property
    def _room(self) -> int:
        return max(1, self.size.width // len(SPOTS))

    def render(self) -> Content:
        """Draw the spots over the present width, in the middle of the height."""
        lines = [self._line(self._cell)]
        if self.size.height >= 3:
            lines = [self._line(self._pays), *lines, Content("")]
        return Content("\n").join(lines)

    def _line(self, cell: Callable[[int], tuple[str, str]]) -> Content:
        return Content.assemble(*(cell(place) for place in range(len(SPOTS))))

    def _cell(self, place: int) -> tuple[str, str]:
        spot, credits = SPOTS[place], self._bets[place]
        last = "last " if self._won is not None and self._room >= LAST_ROOM else ""
        chips = f"({last}{credits})" if credits else ""
        if self._room >= 14:
            text = f" {place + 1} {SHORT[spot]} {chips}"
        elif self._room >= 11:
            text = f" {place + 1} {spot.value.upper()} {chips}"
        else:
            text = f"{place + 1}{spot.value.upper()}{chips}"
        style = "$muted"
        if self._won is not None:  # the coup is over: these chips have gone one way or the other
            style = "bold $good" if self._won[place] else "$muted"
        elif credits:
            style = "bold $gold"
        return f"{text:<{self._room}}"[: self._room], style

    def _pays(self, place: int) -> tuple[str, str]:
        return f"{'   ' + SPOTS[place].pays(self._commission):<{self._room}}"[
            : self._room
        ], "$muted"

    def on_click(self, event: events.Click) -> None:
        """Tell which spot was clicked on."""
        place = event.x // self._room
        if place < len(SPOTS):
            self.post_message(self.Pressed(SPOTS[place]))
