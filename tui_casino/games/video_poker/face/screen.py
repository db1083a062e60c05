"""Video poker on the screen."""

from __future__ import annotations

from collections import Counter
from typing import Any, ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.widgets import Static

from ....cards.card import Hand, show
from ....engine.game import Over
from ....gamekit.seating import Seating
from ....tui.modals import Choice, Page
from ....tui.table.screen import GameScreen, words_bindings
from ....tui.widgets.bars import MessageLine, TitleBar
from ....tui.widgets.card_art import State as Art
from ....tui.widgets.cards import CardRow, CardView
from ....tui.widgets.meters import Meters
from ....tui.widgets.panel import PANEL_WIDTH, Panel
from ....tui.widgets.plots import sparkline
from ....tui.windows import ask_over, open_over
from ..brains.trainer import Judgement, Session, judge
from ..machine.game import (
    POSITIONS,
    Bet,
    BetPlaced,
    Draw,
    Hold,
    Options,
    Phase,
    RoundPaid,
    State,
    between_rounds,
)
from ..machine.paytables import load, names
from ..machine.rules import MAX_COINS
from .tally import Tally
from .widgets import PayTableView, mistake_text, odds_text, places, session_text

KEYS = """\
  space   bet and deal, or draw
  1 to 5  hold a card, or let it go; between rounds, choose the bet
  + and - change the bet
  t       trainer: warns before a losing hold is drawn
  o       the odds of the present hold
  F2      statistics
  F4      another pay table"""


class VideoPokerScreen(GameScreen):
    """The machine: pay table, five cards, meters, and exact figures where there is room."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space", "primary", "Deal/Draw", id="game.primary"),
        *(
            Binding(str(n), f"position({n})", "Hold", show=n == 1, key_display="1-5", id=f"hold{n}")
            for n in POSITIONS
        ),
        Binding("plus,equals_sign", "coins(1)", "Bet", key_display="+-", id="bet.more"),
        Binding("minus", "coins(-1)", "Bet less", show=False, id="bet.less"),
        Binding("t", "trainer", "Trainer", id="trainer"),
        Binding("o", "odds", "Odds", show=False, id="odds"),
        Binding("f4", "paytable", "Pay table", show=False, id="paytable", key_display="F4"),
        *words_bindings(
            ("d", "Deal", False),
            ("a", "Advice", False),
            ("s", "Statistics", False),
            ("$", "Credit", False),
        ),
    ]

    def __init__(self, title: str, sitting: Any) -> None:
        super().__init__(title, sitting)
        self.paytable = self.table.options.paytable
        self.trainer = False
        self.session = Session()
        self._judged: Judgement | None = None
        self._mistaken: Hand = ()
        self._warned: Hold | None = None
        self._weighed: Judgement | None = None
        self._weighed_hand: Hand = ()

    def forget(self) -> None:
        """Know of no round."""
        self.coins = min(MAX_COINS, self.view.last)
        self.paid: RoundPaid | None = None
        self.bankroll: list[int] = [self.view.credit + self.view.coins]

    def subtitle(self) -> str:
        """Name the pay table, and say if the trainer is on."""
        between = " - " if self.app.has_class("-ascii") else " · "
        return between.join([self.paytable.title, *["trainer on"] * self.trainer])

    def compose_table(self) -> ComposeResult:
        """Lay out the pay table over the cards, and the panel beside them."""
        with Horizontal(id="vp-floor"):
            with Vertical(id="vp-machine"):
                yield PayTableView(self.paytable)
                yield Static(classes="vp-space -two")
                yield MessageLine()
                yield Static(classes="vp-space")
                yield CardRow(len(POSITIONS), labelled=True)
                yield Static(classes="vp-space -two")
                yield Meters("credit", "bet", "win", large=True)
                yield Static(classes="vp-space")
            yield Panel("session", "bankroll", "odds", "mistake")

    # ---- what happens ---------------------------------------------------------------------

    def told(self, event: Any) -> None:
        """Remember how the round ended."""
        match event:
            case BetPlaced(coins):
                self.coins, self.paid = coins, None
            case RoundPaid(credit=credit):
                self.paid = event
                self.bankroll.append(credit)

    def show(self, view: State) -> None:
        """Draw pay table, cards and meters."""
        over = self.paid is not None and between_rounds(view)
        won = self.paid if over else None
        bet = view.coins or self.coins
        self.query_one(PayTableView).light(bet, won.row if won else None)
        win = won.won if won else 0
        self.query_one(Meters).read(f"{view.credit:,}", str(bet), f"{win:,}")
        self._show_cards(view)

    def _show_cards(self, view: State) -> None:
        cards = [*view.hand, *[None] * (len(POSITIONS) - len(view.hand))]
        choosing = view.phase is Phase.HOLD
        held = self.draft if choosing else view.held
        won = self.paid is not None and self.paid.won > 0 and between_rounds(view)
        winners = winning_places(view.hand) if won else ()
        states, labels = [], []
        for place in POSITIONS:
            waits = place in view.waiting and view.phase is Phase.DRAW
            if waits:
                states.append(Art.DIMMED)
            elif place in winners:
                states.append(Art.WINNING)
            else:
                states.append(
                    Art.HELD if place in held and not between_rounds(view) else Art.NORMAL
                )
            labels.append(self._label(place, choosing, place in held, place in winners, view))
        self.query_one(CardRow).show(cards, states, labels)

    def _label(self, place: int, choosing: bool, held: bool, won: bool, view: State) -> str:
        if won:
            return "WIN"
        if held and not between_rounds(view):
            return " HELD "
        return f"[{place}]" if choosing else ""

    def waits(self, view: State) -> None:
        """Say what to do, or what was won; weigh the hold that is open."""
        if self.paid is not None and between_rounds(view):
            if self.paid.row is None:
                self.say("No win. Space deals again.")
            else:
                self.say(f"{self.paid.row} pays {self.paid.won:,}", "win")
        else:
            self.say(self.prompt(view))
        self._refresh_panel()

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

    def action_position(self, place: int) -> None:
        """Hold a card or let it go; between rounds, choose the bet."""
        view = self.view
        if view.phase is Phase.HOLD and self.mark(place):
            self._warned = None
            self._show_cards(view)
            self._refresh_panel()
        elif view.phase is Phase.BET:
            self._choose(place)

    def action_coins(self, more: int) -> None:
        """Raise or lower the bet; beyond the end it begins again."""
        if self.view.phase is Phase.BET:
            most = max(1, min(MAX_COINS, self.view.credit))
            self._choose((self.coins - 1 + more) % most + 1)

    def _choose(self, coins: int) -> None:
        if coins > self.view.credit:
            self.say(self.parts.words.refusal("b", _no_amount(), self.view), "bad")
            return
        self.coins, self.paid = coins, None
        self.show(self.view)
        self.say(f"Bet {coins}: space deals")

    def on_card_view_pressed(self, message: CardView.Pressed) -> None:
        """Hold the card that was clicked on."""
        if self.view.phase is Phase.HOLD:
            views = self.query_one(CardRow).views
            self.action_position(POSITIONS[views.index(message.view)])

    def on_pay_table_view_chosen(self, message: PayTableView.Chosen) -> None:
        """Choose the bet of the column that was clicked on."""
        if self.view.phase is Phase.BET:
            self.action_position(message.coins)

    def action_primary(self) -> None:
        """Bet and deal in one, deal, or draw."""
        if self._gone:
            return
        if not self._finish_motion() and self.view.phase is Phase.BET and not self._over():
            self.do(f"b {min(self.coins, self.view.credit)}")
            if isinstance(self.offers[0].kind, type) and self.offers[0].kind is Draw:
                self.submit(Draw())
        elif not self._playing:
            super().action_primary()

    def _over(self) -> bool:
        return isinstance(self.table.game.turn(self.table.state), Over)

    def may_submit(self, action: Any) -> bool:
        """Weigh a hold before it is drawn, and warn once if the trainer is on."""
        if isinstance(action, Bet):
            self.coins = action.coins
        if not isinstance(action, Hold):
            return True
        if self.trainer and self._warned != action:
            judged = self._judge(action.positions)
            if judged is not None and judged.cost > 0:
                self._warned = action
                self.say(
                    f"That costs {float(judged.cost):.3f}: best is {places(judged.best)}. "
                    "Again to draw anyway.",
                    "bad",
                )
                return False
        shown = self._panel_shown or self.trainer  # else the odds would have to be made for it
        self._weighed = self._judge(action.positions) if shown else None
        self._weighed_hand = self.view.hand
        return True

    def submitted(self, action: Any) -> None:
        """Count what a hold was worth, once it is done."""
        self._warned = None
        if isinstance(action, Hold) and self._weighed is not None:
            self.session = self.session.add(self._weighed)
            if self._weighed.cost > 0:
                self._mistaken = self._weighed_hand

    def keys_help(self) -> str:
        """Say what the keys do."""
        return KEYS

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Grey what cannot be done in this phase."""
        if action == "position":
            return True if self.can(Hold) or self.can(Bet) else None
        if action == "coins":
            return True if self.can(Bet) else None
        return super().check_action(action, parameters)

    @work
    async def action_paytable(self) -> None:
        """Cash out here and sit down at a machine with another pay table."""
        if self.sitting.staked:
            self.say("First finish this hand.", "bad")
            return
        chosen = await ask_over(
            self, Choice("Pay table", {name: load(name).title for name in names()})
        )
        if chosen is not None and chosen != self.paytable.name:
            self.leave_for(Seating(Options(paytable=load(chosen))))

    # ---- the trainer's figures ------------------------------------------------------------

    def _judge(self, positions: tuple[int, ...]) -> Judgement | None:
        view = self.view
        try:
            return judge(self.paytable, view.coins, view.hand, positions)
        except ValueError:  # repeated cards of a card file have no exact values
            return None

    @property
    def _panel_shown(self) -> bool:
        return bool(self.query_one(Panel).display)

    @work(thread=True, exclusive=True, group="odds")
    def _refresh_panel(self) -> None:
        """Write the panel, off the screen's thread: the first figures take a moment to make."""
        if not self._panel_shown:
            return
        view = self.view
        judged = self._judge(self.draft) if view.phase is Phase.HOLD else None
        self.app.call_from_thread(self._write_panel, view, judged)

    def _write_panel(self, view: State, judged: Judgement | None) -> None:
        if self._gone:
            return
        panel = self.query_one(Panel)
        tally = self.dialogue.tally
        assert isinstance(tally, Tally)
        panel.put("session", session_text(tally, self.session))
        ascii_only = self.app.has_class("-ascii")
        panel.put("bankroll", sparkline(self.bankroll, PANEL_WIDTH, ascii_only))
        panel.put("odds", odds_text(judged) if judged else "")
        panel.put("mistake", mistake_text(self.session, show(self._mistaken)))

    def action_trainer(self) -> None:
        """Switch the trainer's warnings."""
        self.trainer = not self.trainer
        self.query_one(TitleBar).describe(self.subtitle())
        self.say(
            f"The trainer is {'on: it warns before a losing hold' if self.trainer else 'off'}."
        )

    def action_odds(self) -> None:
        """Show the figures of the present hold on a page, where the panel has no room."""
        view = self.view
        judged = self._judge(self.draft) if view.phase is Phase.HOLD else None
        if judged is None:
            self.say("There is no hand to weigh now.")
        else:
            open_over(self, Page(f"Holding {places(self.draft)}", odds_text(judged).plain))

    def answered(self, word: str, lines: list[str]) -> None:
        """Show advice with its exact value; statistics on their own screen."""
        if word == "s":
            self.action_statistics()
            return
        judged = self._judge(()) if word == "a" and self.view.phase is Phase.HOLD else None
        if judged is None:
            super().answered(word, lines)
        elif judged.list_cost:
            self.say(
                f"The list holds {places(judged.by_list)}, the optimum {places(judged.best)}: "
                f"{float(judged.list_cost):.4f} better"
            )
        else:
            self.say(
                f"Hold {places(judged.best)}: {judged.line}, worth {float(judged.best_value):.3f}"
            )

    def action_statistics(self) -> None:
        """Open the statistics."""
        from .statistics import VideoPokerStatistics

        assert isinstance(self.dialogue.tally, Tally)
        open_over(
            self, VideoPokerStatistics(self.dialogue.tally, self.view, self.bankroll, self.paytable)
        )

    def on_resize(self) -> None:
        """Fill the panel when it comes into sight."""
        self._refresh_panel()


def winning_places(hand: Hand) -> tuple[int, ...]:
    """Give the places, from 1, of the cards that make a paying hand what it is."""
    count = Counter(card.rank for card in hand)
    paired = tuple(place for place, card in enumerate(hand, 1) if count[card.rank] > 1)
    return paired or POSITIONS


def _no_amount() -> Any:
    from ....engine.game import IllegalAction, Refusal

    return IllegalAction(Refusal.VALUE)


SCREEN = VideoPokerScreen
