"""The view of video poker: the pay table over five cards, and the meters of the machine."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import Static

from ....cards.card import Card, Hand
from ....engine.game import Seat
from ....gamekit.adviser import Mistake
from ....tui.table.view import Acts, Changes, TableView, Wish, words_bindings
from ....tui.widgets.bars import MessageLine
from ....tui.widgets.card_art import State as Art
from ....tui.widgets.cards import CardRow
from ....tui.widgets.key_bar import VERB
from ....tui.widgets.meters import Meter
from ..brains.adviser import judge
from ..machine.game import (
    POSITIONS,
    Action,
    Bet,
    BetPlaced,
    Draw,
    Event,
    Hold,
    Options,
    Phase,
    RoundPaid,
    State,
    between_rounds,
)
from ..machine.rules import MAX_COINS
from .figures import places
from .tally import Tally
from .widgets import PayTableView


class VideoPokerView(TableView[Options, State, Action, Event, Tally]):
    """The machine; the bet that is chosen for the next round is the view's own."""

    LARGE_METERS = ("credit", "bet", "last round")

    BINDINGS: ClassVar[list[BindingType]] = [
        *(
            Binding(
                str(n),
                f"position({n})",
                "Hold",
                show=n == 1,
                key_display="1-5",
                id=f"hold{n}",
                group=VERB,
            )
            for n in POSITIONS
        ),
        Binding("plus,equals_sign", "coins(1)", "Bet", key_display="+-", id="bet.more", group=VERB),
        Binding("minus", "coins(-1)", "Bet less", show=False, id="bet.less"),
        *words_bindings(("d", "Deal", True), ("s", "Statistics", False)),
    ]

    def forget(self) -> None:
        """Know of no round."""
        self.coins = self.seen.last
        self.paid: RoundPaid | None = None

    def subtitle(self) -> str:
        """Name the pay table."""
        return self.facts.options.paytable.title

    def compose_table(self) -> ComposeResult:
        """Lay out the pay table over the cards."""
        self.pay_table = PayTableView(self.facts.options.paytable)
        self.row = CardRow(len(POSITIONS), labelled=True)
        yield self.pay_table
        yield Static(classes="vp-space -two")
        yield MessageLine()
        yield Static(classes="vp-space")
        yield self.row
        yield Static(classes="vp-space -two")

    # ---- what happens ---------------------------------------------------------------------

    def told(self, event: Event) -> None:
        """Remember how the round ended."""
        match event:
            case BetPlaced(coins):
                self.coins, self.paid = coins, None
            case RoundPaid():
                self.paid = event

    def show(self, view: State) -> None:
        """Draw pay table, cards and meters."""
        paid = self.paid if between_rounds(view) else None
        self.pay_table.light(view.coins or self.coins, paid.row if paid else None)
        self._show_cards(view, winning_places(view.hand) if paid and paid.won else ())

    def readings(self, view: State) -> tuple[Meter, ...]:
        """Give credit, bet, what the last round brought, and with the trainer the mistakes."""
        bet = Meter("bet", str(view.coins or self.coins))
        return (self.credit(view), bet, self.last_net(), *self.mistakes())

    def named(self, action: Action) -> str:
        """Call a deed by what it does to cards and money."""
        match action:
            case Bet(coins):
                return f"Bet {coins}"
            case Hold(positions):
                thrown = len(POSITIONS) - len(positions)
                return f"Draw {thrown}" if thrown else "Stand pat"
        coins = self.seen.coins or min(self.coins, self.seen.credit)
        return f"Deal for {coins}"

    def meaning(self, action: Action) -> str:
        """Name the cards that are held."""
        match action:
            case Hold(positions):
                held = " ".join(self.seen.hand[place - 1].symbol for place in positions)
                return f"hold {held or 'nothing'}, {super().meaning(action)}"
        return super().meaning(action)

    def standing(self, view: State) -> str:
        """Give the hand that was dealt."""
        return " ".join(card.symbol for card in view.hand)

    def called(self, action: str) -> str | None:
        """Call the digits by what they choose."""
        if action.startswith("position"):
            return "Bet" if self.can(Bet) else "Hold"
        return super().called(action)

    def _show_cards(self, view: State, winners: tuple[int, ...]) -> None:
        cards = [*view.hand, *[None] * (len(POSITIONS) - len(view.hand))]
        choosing = view.phase is Phase.HOLD
        held = () if between_rounds(view) else self.draft if choosing else view.held
        states, labels = [], []
        for place in POSITIONS:
            if place in view.waiting and view.phase is Phase.DRAW:
                state, label = Art.DIMMED, ""
            elif place in winners:
                state, label = Art.WINNING, "WIN"
            elif place in held:
                state, label = Art.HELD, " HELD "
            else:
                state, label = Art.NORMAL, f"[{place}]" if choosing else ""
            states.append(state)
            labels.append(label)
        self.row.show(cards, states, labels)

    def waits(self, view: State) -> None:
        """Say what to do, or what was won."""
        if self.paid is None or not between_rounds(view):
            self.say(self.prompt(view))
        elif self.paid.row is None:
            self.say("No win")
        else:
            self.say(self.result(view), "win")

    def result(self, view: State) -> str:
        """Say what the last hand was paid."""
        if self.paid is None:
            return ""
        return f"{self.paid.row} pays {self.paid.won:,}" if self.paid.row else "No win"

    def prompt(self, view: State) -> str:
        """Say what the phase asks for."""
        match view.phase:
            case Phase.BET:
                return "Place your bet"
            case Phase.DEAL:
                return "The bet is placed"
            case _:
                return "Hold which cards?"

    # ---- keys -----------------------------------------------------------------------------

    @property
    def primary(self) -> Wish[Action] | None:
        """Between rounds, bet and deal in one."""
        bet = Bet(min(self.coins, self.seen.credit))
        return Acts((bet, Draw())) if self.can(Bet) else None

    def action_position(self, place: int) -> None:
        """Hold a card or let it go; between rounds, choose the bet."""
        if self.seen.phase is Phase.BET:
            self._choose(place)
        else:
            self.mark(place)

    def action_coins(self, more: int) -> None:
        """Raise or lower the bet; beyond the end it begins again."""
        if self.seen.phase is Phase.BET:
            most = max(1, min(MAX_COINS, self.seen.credit))
            self._choose((self.coins - 1 + more) % most + 1)

    def _choose(self, coins: int) -> None:
        if coins > self.seen.credit:
            self.refuse(str(coins), f"your credit is {self.seen.credit}.")
            return
        self.coins, self.paid = coins, None
        self.present(self.seen)
        self.say(f"Bet {coins}?")
        self.wish(Changes())

    def pressed(self, place: int, card: Card | None) -> None:
        """Hold the card that was clicked on."""
        if self.seen.phase is Phase.HOLD:
            self.action_position(place)

    def on_pay_table_view_chosen(self, message: PayTableView.Chosen) -> None:
        """Choose the bet of the column that was clicked on."""
        if self.seen.phase is Phase.BET:
            self.action_position(message.coins)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Grey what cannot be done in this phase."""
        if action == "position":
            return True if self.can(Hold) or self.can(Bet) else None
        if action == "coins":
            return True if self.can(Bet) else None
        return super().check_action(action, parameters)

    # ---- the trainer ----------------------------------------------------------------------

    def warning(self, action: Action) -> Callable[[], str | None] | None:
        """Warn once of a hold that loses, if the trainer is on."""
        if isinstance(action, Bet):
            self.coins = action.coins  # chosen, even if it cannot be written now
        if not self.weighs or not isinstance(action, Hold):
            return None
        return partial(loss_of, self.seen, self.seat, action)


def loss_of(view: State, seat: Seat, hold: Hold) -> str | None:
    """Say what a hold loses beside the best; ``None`` for the best, and where it is not known."""
    match judge(view, seat, hold):
        case Mistake(cost, Hold(best)):
            return f"That costs {float(cost):.3f}: best is {places(best)}. Again to draw anyway."
    return None


def winning_places(hand: Hand) -> tuple[int, ...]:
    """Give the places, from 1, of the cards that make a paying hand what it is."""
    count = Counter(card.rank for card in hand)
    paired = tuple(place for place, card in enumerate(hand, 1) if count[card.rank] > 1)
    return paired or POSITIONS
