"""The view of five-card draw: opponents across the table, the pot, and one's own hand."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal

from ....cards.card import Card
from ....cards.poker import rank_hand
from ....engine.game import Seat
from ....tui.table.view import TableView, words_bindings
from ....tui.widgets.bars import MessageLine, put
from ....tui.widgets.card_art import State as Art
from ....tui.widgets.cards import CardRow
from ....tui.widgets.key_bar import VERB
from ....tui.widgets.meters import Meter
from ....tui.widgets.texts import Text
from ..brains.players import NAMES
from ..machine.moves import (
    Acted,
    Action,
    Bet,
    Call,
    Discard,
    Discarded,
    Event,
    HandBegun,
    HandOver,
    HandShown,
    Play,
    Raise,
)
from ..machine.rules import HAND_CARDS, POSITIONS
from ..machine.state import Options, Phase, Stakes, State
from .tally import Tally
from .widgets.seats import SeatView
from .words import lines, who_wins

TALK = 40
"""How many lines of the table's talk are kept."""
BETS = ("k", "b", "c", "r", "f")
TITLES = {
    Stakes.NOTHING: "for nothing",
    Stakes.ANTE: "ante 5",
    Stakes.LIMIT: "ante 5, fixed limit 10 and 20",
}


class FiveCardDrawView(TableView[Options, State, Action, Event, Tally]):
    """Opponents across the table, one's own hand large, the pot, and the table's talk."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *words_bindings(
            ("r", "Raise", True),
            ("f", "Fold", True),
            ("k", "Check", True),
            ("b", "Bet", True),
            ("c", "Call", False),
        ),
        *(
            Binding(
                str(n),
                f"position({n})",
                "Throw",
                show=n == 1,
                key_display="1-5",
                id=f"mark{n}",
                group=VERB,
            )
            for n in POSITIONS
        ),
        *words_bindings(("d", "Deal", False), ("s", "Statistics", False)),
    ]

    def forget(self) -> None:
        """Know of no hand."""
        self.acts: dict[int, str] = {}
        self.last: HandOver | None = None
        self.shown: dict[int, str] = {}
        self.said: list[str] = []

    def subtitle(self) -> str:
        """Say what is played for."""
        return TITLES[self.facts.options.stakes]

    def compose_table(self) -> ComposeResult:
        """Lay out the opponents over the pot and the talk, and one's own hand below."""
        options, players = self.facts.options, self.facts.players
        self.seats = tuple(
            SeatView(seat, f"{seat} {NAMES[seat]}", players[Seat(seat)] or "human")
            for seat in options.seats[1:]
        )
        self.talk, self.row = Text(id="draw-talk"), CardRow(HAND_CARDS, labelled=True)
        with Horizontal(id="draw-seats"):
            yield from self.seats
        yield self.talk
        yield MessageLine()
        yield self.row

    # ---- what happens ---------------------------------------------------------------------

    def told(self, event: Event) -> None:
        """Take note of deeds, and of how the hand ended."""
        match event:
            case HandBegun():
                self.acts, self.shown, self.last = {}, {}, None
            case Acted(seat, act, chips):
                self.acts[seat] = f"{act} {chips}" if chips else act
            case Discarded(seat):
                self.acts.pop(seat, None)
            case HandShown(seat, _, name):
                self.shown[seat] = name
            case HandOver():
                self.last = event
        self.said += lines(event, self.seat, NAMES)
        del self.said[:-TALK]

    def show(self, view: State) -> None:
        """Draw seats, pot, talk, cards and meters."""
        for seat_view in self.seats:
            seat = seat_view.seat
            seat_view.show(view, self.acts.get(seat, ""), self.shown.get(seat, ""))
        put(self.talk, "\n".join(self.said[-max(self.talk.size.height, 1) :]))
        self._show_cards(view)

    def readings(self, view: State) -> Iterator[Meter]:
        """Give the money at the table, what is in the pot, and what it costs to stay."""
        if view.options.stakes is Stakes.NOTHING:
            yield Meter("hands", str(view.played))
            yield Meter("won", str(self.tally.won_hands), "gold")
            return
        yield self.credit(view)
        yield Meter("pot", f"{view.pot:,}")
        if view.options.stakes is Stakes.LIMIT:
            yield Meter("to call", str(self._owes(view)))
        yield self.last_net()

    def _owes(self, view: State) -> int:
        if view.betting is None or self.seat not in view.alive:
            return 0
        return min(view.betting.owes(self.seat), view.stacks[self.seat])

    def named(self, action: Action) -> str:
        """Call a deed by its sum."""
        view = self.seen
        owes, stack = self._owes(view), view.stacks[self.seat]
        match action:
            case Play():
                return "Deal"
            case Discard(positions):
                return f"Draw {len(positions)}" if positions else "Stand pat"
            case Call():
                return f"{'All-in' if owes == stack else 'Call'} {owes}"
            case Bet() if view.betting:
                return f"Bet {min(view.betting.size, stack)}"
            case Raise() if view.betting:
                all_in = view.betting.bets[self.seat] + stack
                return f"Raise to {min(max(view.betting.bets) + view.betting.size, all_in)}"
        return type(action).__name__

    def meaning(self, action: Action) -> str:
        """Name the cards that are thrown."""
        match action:
            case Discard(positions) if positions:
                hand = self.seen.hands[self.seat]
                thrown = " ".join(hand[place - 1].symbol for place in positions)
                return f"throw {thrown}, {super().meaning(action)}"
        return super().meaning(action)

    def heard(self, event: Event) -> tuple[str, ...]:
        """Say what happened, by the names of the players."""
        return lines(event, self.seat, NAMES)

    def name_of_seat(self, seat: int) -> str:
        """Name another seat."""
        return NAMES[seat]

    def standing(self, view: State) -> str:
        """Give one's hand."""
        return " ".join(card.symbol for card in view.hands[self.seat])

    def _show_cards(self, view: State) -> None:
        hand = view.hands[self.seat]
        choosing = self.open_slot() is not None
        won = view.phase is Phase.REST and self.seat in view.winners
        folded = self.seat in view.folded
        states, labels = [], []
        for place in range(1, len(hand) + 1):
            out = choosing and place in self.draft
            states.append(Art.DIMMED if out or folded else Art.WINNING if won else Art.NORMAL)
            labels.append("OUT" if out else f"[{place}]" if choosing else "WIN" if won else "")
        self.row.show(hand, states, labels)

    def drafted(self) -> None:
        """Draw the marks on one's own cards; nothing else has changed."""
        self._show_cards(self.seen)

    def waits(self, view: State) -> None:
        """Say how the hand ended, or what there is to do."""
        if view.phase is Phase.REST and self.last is not None:
            mine = self.seat in self.last.winners
            self.say(f"{self.result(view)}.", "win" if mine else "")
        else:
            super().waits(view)

    def result(self, view: State) -> str:
        """Say how the last hand ended."""
        if self.last is None:
            return ""
        held = self.shown.get(self.last.winners[0])
        whole = who_wins(self.last.winners, self.seat, NAMES)
        return f"{whole} with {held}" if held else f"{whole}: all others folded"

    def prompt(self, view: State) -> str:
        """Say what the phase asks for."""
        match view.phase:
            case Phase.REST:
                return "The next hand?"
            case Phase.DRAW:
                held = rank_hand(view.hands[self.seat]).name
                return f"You have {held}. Throw which?"
        owes = view.betting.owes(self.seat) if view.betting else 0
        if not owes:
            return "Check or bet?"
        return f"{owes} to call into {view.pot}"

    # ---- keys -----------------------------------------------------------------------------

    def action_position(self, place: int) -> None:
        """Mark a card to discard, or take the mark away."""
        self.mark(place)

    def pressed(self, place: int, card: Card | None) -> None:
        """Mark the card that was clicked on."""
        self.action_position(place)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Grey what cannot be done now."""
        if action == "position":
            return True if self.can(Discard) else None
        if parameters and parameters[0] in BETS and self.facts.options.stakes is not Stakes.LIMIT:
            return False  # there is no betting at this table: no key for it
        return super().check_action(action, parameters)
