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
from ....engine.game import IllegalAction, Refusal, Seat
from ....gamekit.adviser import Mistake
from ....tui.table.view import Acts, Changes, TableView, Wish, words_bindings
from ....tui.widgets.bars import MessageLine
from ....tui.widgets.card_art import State as Art
from ....tui.widgets.cards import CardRow
from ....tui.widgets.meters import Meters
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

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space", "screen.primary", "Deal/Draw", id="game.primary"),
        *(
            Binding(str(n), f"position({n})", "Hold", show=n == 1, key_display="1-5", id=f"hold{n}")
            for n in POSITIONS
        ),
        Binding("plus,equals_sign", "coins(1)", "Bet", key_display="+-", id="bet.more"),
        Binding("minus", "coins(-1)", "Bet less", show=False, id="bet.less"),
        Binding("t", "trainer", "Trainer", id="trainer"),
        Binding("o", "screen.figures", "Odds", show=False, id="odds"),
        Binding("f4", "screen.tables", "Pay table", show=False, id="paytable", key_display="F4"),
        *words_bindings(
            ("d", "Deal", False),
            ("a", "Advice", False),
            ("s", "Statistics", False),
            ("$", "Credit", False),
        ),
    ]

    def forget(self) -> None:
        """Know of no round."""
        self.coins = self.seen.last
        self.paid: RoundPaid | None = None

    def subtitle(self) -> str:
        """Name the pay table, and say if the trainer is on."""
        title = self.facts.options.paytable.title
        return self.between.join([title, *["trainer on"] * self.weighs])

    def compose_table(self) -> ComposeResult:
        """Lay out the pay table over the cards."""
        self.pay_table = PayTableView(self.facts.options.paytable)
        self.row = CardRow(len(POSITIONS), labelled=True)
        self.meters = Meters("credit", "bet", "win", large=True)
        yield self.pay_table
        yield Static(classes="vp-space -two")
        yield MessageLine()
        yield Static(classes="vp-space")
        yield self.row
        yield Static(classes="vp-space -two")
        yield self.meters
        yield Static(classes="vp-space")

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
        bet = view.coins or self.coins
        win = paid.won if paid else 0
        self.pay_table.light(bet, paid.row if paid else None)
        self.meters.read(f"{view.credit:,}", str(bet), f"{win:,}")
        self._show_cards(view, winning_places(view.hand) if win else ())

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
            self.say("No win. Space deals again.")
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
                return "Place your bet: space bets and deals"
            case Phase.DEAL:
                return "Space deals"
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
            refused = IllegalAction(Refusal.VALUE)
            self.say(self.parts.words.refusal("b", refused, self.seen, self.seat), "bad")
            return
        self.coins, self.paid = coins, None
        self.show(self.seen)
        self.say(f"Bet {coins}: space deals")

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

    def action_trainer(self) -> None:
        """Switch the trainer's warnings."""
        self.weighs = not self.weighs
        # the screen writes its title only when the table waits anew
        self.wish(Changes())
        on = "on: it warns before a losing hold" if self.weighs else "off"
        self.say(f"The trainer is {on}.")

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
