"""The table: both hands with their names, and the betting spots."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import repeat
from typing import TYPE_CHECKING

from rich.style import Style
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.geometry import Size
from textual.message import Message
from textual.strip import Strip

from .....tui.draw.card_art import CardState as Art
from .....tui.draw.segments import LineBuilder
from .....tui.draw.styles import LineStyles, Look, line_styles_of
from .....tui.widgets.cards import CardRow
from .....tui.widgets.line_widget import LineWidget
from .....tui.widgets.text_blocks import TextBlock as TextWidget
from ...machine.rules import (
    CAPACITY,
    NO_BETS,
    NO_CARDS,
    SPOTS,
    Bets,
    BetSpot,
    Hand,
    HandSide,
    value_of,
)

if TYPE_CHECKING:
    from textual import events

BLANK, BOLD = Strip([]), Style(bold=True)
NAMES = {HandSide.PLAYER: "PLAYER", HandSide.BANKER: "BANKER"}
SHORT = {
    BetSpot.PLAYER: "PLAYER",
    BetSpot.BANKER: "BANKER",
    BetSpot.TIE: "TIE",
    BetSpot.PLAYER_PAIR: "P PAIR",
    BetSpot.BANKER_PAIR: "B PAIR",
}


class HandView(Vertical):
    """One of the two hands: its name, total, result and cards."""

    def __init__(self, side: HandSide) -> None:
        super().__init__(classes=f"hand -{side.value}")
        self.side = side
        self._name_line, self._cards = TextWidget(classes="hand-name"), CardRow(CAPACITY)
        self._title_values: tuple[object, ...] = ()

    def compose(self) -> ComposeResult:
        """Lay out the name above the cards."""
        yield self._name_line
        yield self._cards

    def show(self, hand: Hand, *, natural: bool = False, wins: bool = False) -> None:
        """Show the hand; a winning hand is framed and labelled."""
        states = [Art.WINNING if wins else Art.NORMAL] * len(hand)
        self._cards.show(hand.cards, states)
        title_values = (hand != NO_CARDS, value_of(hand), natural, wins)
        if title_values != self._title_values:
            self._title_values = title_values
            self._name_line.update(self._title(*title_values), layout=False)

    def _title(self, has_cards: bool, value: int, natural: bool, wins: bool) -> Content:
        colour = "$side-blue" if self.side is HandSide.PLAYER else "$side-red"
        parts: list[tuple[str, str] | str] = [(NAMES[self.side], f"bold {colour}")]
        if has_cards:
            parts.append((f"  {value}", "bold $foreground"))
        if natural:
            parts += ["  ", (" NATURAL ", "bold reverse")]
        if wins:
            star = "*" if self.app.has_class("-ascii") or self.app.has_class("-cp437") else "★"
            parts.append((f"  {star} WINS", "bold $good"))
        return Content.assemble(*parts)


class Spots(LineWidget):
    """The five betting spots side by side, with the credits bet on each; they can be clicked."""

    class Pressed(Message):
        """Posted when a spot is clicked."""

        def __init__(self, spot: BetSpot) -> None:
            super().__init__()
            self.spot = spot

    def __init__(self, commission: bool) -> None:
        super().__init__()
        self._commission = commission
        self._bets: Bets = NO_BETS
        self._winning_spots: tuple[bool, ...] | None = None

    def show(self, bets: Bets, winning_spots: tuple[bool, ...] | None = None) -> None:
        """Show the bets; after a coup (``winning_spots``) show its bets and which of them won."""
        if (bets, winning_spots) != (self._bets, self._winning_spots):
            self._bets, self._winning_spots = bets, winning_spots
            self.refresh()

    def _shown(self) -> object:
        return self._bets, self._winning_spots

    def _draw(self, look: Look, area: Size) -> Iterator[Strip]:
        """Draw the spots over the whole width, in the middle of the height."""
        inks, room = line_styles_of(look.palette), max(1, area.width // len(SPOTS))
        spots = [(self._text(place, room), ink) for place, ink in enumerate(self._inks(inks))]
        if area.height >= 3:
            yield from repeat(BLANK, (area.height - 2) // 2)
            pays = (SPOTS[place].pays(self._commission) for place in range(len(SPOTS)))
            line = "".join(f"   {one:<{room}}"[:room] for one in pays)
            yield LineBuilder(look.tier).add(line).strip(area.width)
        named = LineBuilder(look.tier)
        for text, ink in spots:
            named.add(f"{text:<{room}}"[:room], ink)
        yield named.strip(area.width)

    def _text(self, place: int, room: int) -> str:
        """Return a spot's name and its bet, after a coup that coup's bet."""
        spot, credits = SPOTS[place], self._bets[place]
        short = spot.value.upper()
        names = [f" {place + 1} {SHORT[spot]} "] if room >= 14 else []
        names += [f" {place + 1} {short} "] if room >= 11 else []
        names += [f"{place + 1}{short}"]
        if not credits:
            return names[0]
        if self._winning_spots is None:
            return f"{names[0]}({credits})"
        last_bets = (f"(last {credits})", f"last {credits}")
        texts = (f"{name.rstrip()} {last_bet}" for last_bet in last_bets for name in names)
        fitting = (text for text in texts if len(text) - text.startswith(" ") < room)
        # no brackets here: they would mark a bet for the next coup
        return next(fitting, f"{names[-1]} {credits}")

    def _inks(self, inks: LineStyles) -> Iterator[Style]:
        for place, credits in enumerate(self._bets):
            if self._winning_spots is None:
                yield inks.gold if credits else inks.muted
            else:  # after the coup: green for winning bets
                yield inks.good + BOLD if self._winning_spots[place] else inks.muted

    def on_click(self, event: events.Click) -> None:
        """Post :class:`Pressed` for the clicked spot."""
        place = event.x // max(1, self.size.width // len(SPOTS))
        if place < len(SPOTS):
            self.post_message(self.Pressed(SPOTS[place]))
