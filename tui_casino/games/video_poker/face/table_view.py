"""The view of video poker: the pay table above five cards, and the machine's meters."""

from __future__ import annotations

from functools import cached_property
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widget import Widget
from textual.widgets import Static

from ....cards.card import Card, Hand, card_symbols
from ....gamekit.adviser import Decision
from ....gamekit.number_formats import signed_count
from ....inputs.numbers import count_noun
from ....structs import replace
from ....tui.draw.card_art import CardState as Art
from ....tui.draw.choice_list import SPACE, YOURS
from ....tui.table.lazy import modals
from ....tui.table.listed_view import ChoiceRanking
from ....tui.table.view import (
    GUESS_FIRST,
    DoActions,
    ShowRefusal,
    TableView,
    ViewChanged,
    ViewRequest,
    word_bindings,
)
from ....tui.widgets.cards import CardRow
from ....tui.widgets.key_bar import VERB, digit_bindings
from ....tui.widgets.key_names import key_name_of_binding
from ....tui.widgets.line_widget import BlankColumn, BlankRow
from ....tui.widgets.text_blocks import LateColumn, Meter
from ....tui.widgets.title_bar import Head, MessageLine
from ..brains.adviser import HoldRanking, rank_holds
from ..machine import game as m
from ..machine.rules import MAX_COINS, winning_places
from .hold_advice import hold_choices, hold_in_words, hold_value_text, sitting_figures
from .table_catalog import return_of
from .tally import Tally, row_in_words
from .widgets.pay_table import (
    CHANCE,
    FrequencyColumn,
    PayTableView,
    hold_frequencies,
    sitting_frequencies,
)
from .widgets.sitting_panel import (
    BankrollPlot,
    HoldListView,
    PlayedHand,
    SittingView,
    StrategyLineView,
)
from .words import pays_of, possible_now


def number_refusal(line: str, word: str) -> ShowRefusal | None:
    """Return a hint about commas or repeated positions after ``h``, or ``None``."""
    numbers = line.replace(",", " ").split()[1:]
    once = " ".join((word, *dict.fromkeys(numbers)))
    if word == "h" and "," in line:
        return ShowRefusal(line, "no commas, please:", f"{once} holds these cards")
    if word == "h" and len({*numbers}) < len(numbers):
        return ShowRefusal(line, "type each position once:", f"{once} holds these cards")
    return None


LARGE_WINDOW = (172, 55)
"""The smallest window, in columns and rows, with all holds and session figures at the side."""
ROOMY_WINDOW = (112, 30)
"""The smallest window with large cards next to the best holds."""
PAYS = 54
"""The smallest width, in columns, of a page with the pays of every bet."""
HANDS_LISTED = 8
"""The number of recent hands that the panel lists."""
HANDS_KEPT = 32
"""The number of recent hands that the view remembers."""


NOT_NOW = {
    m.Phase.BET: "there is no bet yet:",
    m.Phase.DEAL: "the bet is placed:",
    m.Phase.HOLD: "finish this hand first:",
}
"""By phase: the reason for refusing a command that belongs to another phase."""


class VideoPokerView(TableView[m.Options, m.State, m.Action, m.Event, Tally]):
    """The video poker machine. The bet chosen for the next round is kept only in the view.

    While the trainer is on, a thread ranks all 32 holds of a hand after the deal. When cards are
    marked, the view only looks up the hold in this ranking, which is kept until the next deal.
    """

    LARGE_METERS = ("credit", "bet", "last round")
    best_holds: HoldListView | None = None
    """The list of holds in the side panel, if there is one."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *digit_bindings(len(m.POSITIONS), "position", "Hold", "hold"),
        Binding("p", "pays", "Pays", id="pays", group=VERB),
        Binding("plus,equals_sign", "coins(1)", "Bet more", show=False, id="bet.more"),
        Binding("minus", "coins(-1)", "Bet less", show=False, id="bet.less"),
        *word_bindings(("d", "Deal", False), ("s", "Statistics", False)),
        GUESS_FIRST,
    ]

    def reset(self) -> None:
        self.coins = self.seen.last
        self.last_result: m.RoundPaid | None = None
        self.last_hands: tuple[PlayedHand, ...] = ()
        self._message_state = self._room
        self.analysis.forget()

    def subtitle(self) -> str:
        """Return the pay table's title and, in a large window, its return."""
        title, return_text = (
            self.info.options.paytable.title,
            self.has_class("-vast") and self._return,
        )
        return f"{title}, {return_text} with perfect play" if return_text else title

    @cached_property
    def _return(self) -> str:
        return return_of(self.info.options.paytable)

    def column_heads(self) -> tuple[Head, ...]:
        """Return the pay table's column heads, unless its box shows them."""
        return () if self.pay_table.boxed else self.pay_table.heads

    def above_panel(self) -> Widget:
        """Create the list of best holds, which the side panel shows while the trainer is on."""
        self.best_holds = HoldListView(classes="vp-best")
        return self.best_holds

    def compose_table(self) -> ComposeResult:
        """Lay out the pay table above the cards, with lists and figures next to them."""
        self.pay_table = PayTableView(self.info.options.paytable)
        self.card_row = CardRow(len(m.POSITIONS), labelled=True)
        self.narrow_holds = HoldListView(classes="vp-beside")
        self.all_holds = HoldListView(classes="vp-all")
        self.strategy_line = StrategyLineView(classes="vp-list")
        self.sitting = SittingView(classes="vp-sitting")
        self.bankroll = BankrollPlot(classes="vp-bankroll")
        self._fit()
        with BlankRow(classes="vp-hall"):
            with BlankColumn(classes="vp-machine"):
                yield self.pay_table
                yield Static(classes="vp-space", markup=False)
                yield MessageLine()
                yield Static(classes="vp-space -near", markup=False)
                with BlankRow(classes="vp-cards"):
                    yield self.card_row
                    yield self.narrow_holds
                yield Static(classes="vp-space", markup=False)
                yield self.bankroll
            yield LateColumn(self.all_holds, self.strategy_line, self.sitting, classes="vp-side")

    def on_resize(self) -> None:
        """Switch to or from the large layout if the window's size asks for it."""
        self._fit()

    def _fit(self) -> None:
        columns, rows = self.app.size
        self.set_class(columns >= LARGE_WINDOW[0] and rows >= LARGE_WINDOW[1], "-vast")
        self.set_class(columns >= ROOMY_WINDOW[0] and rows >= ROOMY_WINDOW[1], "-roomy")

    # ---- what happens ---------------------------------------------------------------------

    def apply_event(self, event: m.Event) -> None:
        """Remember the bet, and the result of a finished round."""
        match event:
            case m.BetPlaced(coins):
                self.coins, self.last_result = coins, None
                self.analysis.forget()
            case m.RoundPaid(hand, row, coins, winnings):
                self.last_result = event
                self.last_hands = (PlayedHand(hand, row, winnings - coins), *self.last_hands)[
                    :HANDS_KEPT
                ]

    def show(self, view: m.State) -> None:
        """Draw the pay table, the cards and the lists of holds."""
        result = self.last_result if m.between_rounds(view) else None
        winner = (result.row, self.win.counted(result.won)) if result and result.row else None
        self.pay_table.show(self.bet, winner, self._frequencies(view))
        self._show_cards(view, winning_places(view.hand) if result and result.won else ())
        held_places = self._held_places(view)
        lists = [self.narrow_holds, self.all_holds]
        if self.best_holds is not None:
            self.best_holds.display = self.weighs
            lists.append(self.best_holds)
        choices, last_hands = self.choice_list, None if self.practises else self.last_hands
        for hold_list in lists:
            hold_list.show_hands(choices, last_hands)
        if self.has_class("-vast"):
            figures = sitting_figures(self.tally, self.totals)
            self.strategy_line.show(self.ranking, held_places, trains=self.weighs)
            self.sitting.show(figures, self.last_hands, trains=self.weighs)
            self.bankroll.show(self.totals.bankroll)
        self._say_again(view)

    def _say_again(self, view: m.State) -> None:
        """Rewrite the message if the trainer was switched or the width of the message changed."""
        (trained, room), self._message_state = self._message_state, self._room
        if not room or (trained, room) == self._message_state or self.is_over:
            return
        warned = self.message.is_warning and trained == self.weighs
        if not warned and (view.phase is m.Phase.HOLD or self.last_result is not None):
            self.show_prompt(view)

    @property
    def _room(self) -> tuple[bool, int]:
        """Whether the message shows a hold's EV, and the message's width in columns."""
        return self.weighs, self.message.size.width if self.is_mounted else 0

    @property
    def recent_lines(self) -> tuple[str, ...]:
        """The most recent hands with their net results, for the panel."""
        return tuple(
            f"{row_in_words(row or 'nothing'):<20}{signed_count(net):>8}"
            for _, row, net in self.last_hands[:HANDS_LISTED]
        )

    @property
    def bet(self) -> int:
        """The coins bet, or the coins chosen for the next bet, at most the credit."""
        return self.seen.coins or min(self.coins, self.seen.credit)

    @property
    def practises(self) -> bool:
        """Whether a single hand is practised, apart from any session."""
        return self.guesses and not self.tally.rounds

    def _held_places(self, view: m.State) -> tuple[int, ...]:
        return self.selection if view.phase is m.Phase.HOLD else view.held

    def meter_readings(self, view: m.State) -> tuple[Meter, ...]:
        """Return credit, bet and last round's net; with the trainer also the mistakes.

        Only the bet matters in practice.
        """
        bet = Meter("bet", str(self.bet))
        if self.practises:
            return (bet,)
        return (self.credit(view), bet, self.last_net(), *self.mistakes())

    # ---- the EV of the holds --------------------------------------------------------------

    def analysed_position(self, view: m.State) -> tuple[Hand, int] | None:
        """Return the hand and the bet; after the draw, they stay those of the choice."""
        if self.weighs and view.phase is m.Phase.HOLD:
            return view.hand, view.coins
        position: tuple[Hand, int] | None = self.analysis.position
        return position

    def analyse(
        self, position: tuple[Hand, int]
    ) -> tuple[HoldRanking, ChoiceRanking[m.Action]] | None:
        """Rank all 32 holds; there is no ranking if the hand is not complete."""
        ranking = rank_holds(self.info.options.paytable, *position)
        return None if ranking is None else (ranking, hold_choices(ranking))

    @property
    def ranking(self) -> HoldRanking | None:
        """The ranking of all holds, as soon as it is known."""
        return self.analysis.data[0] if self.analysis.data else None

    def rank_choices(self) -> ChoiceRanking[m.Action] | None:
        """Return the ranked holds; the marked one is highlighted, later the one that was held."""
        if self.analysis.data is None:
            return None
        held = (m.Hold(self._held_places(self.seen)),)
        label = SPACE if self.seen.phase is m.Phase.HOLD else YOURS
        choices: ChoiceRanking[m.Action] = self.analysis.data[1]
        return replace(choices, chosen=(label, held))

    def analysis_ended(self) -> None:
        super().analysis_ended()
        if self.seen.phase is m.Phase.HOLD and self.awaited and not self.message.is_warning:
            self.show_prompt(self.seen)

    def _frequencies(self, view: m.State) -> FrequencyColumn:
        """Return each row's chance with this hold (trainer on) or its hits in this session."""
        if self.practises:
            return FrequencyColumn("")
        if not self.weighs:
            return sitting_frequencies(self.tally, view.options.paytable)
        if self.ranking is None:
            return FrequencyColumn(CHANCE)
        return hold_frequencies(self.ranking.hold_at(self._held_places(view)))

    @property
    def evaluated_cards(self) -> Widget:
        return self.card_row

    # ---- texts ----------------------------------------------------------------------------

    def name_of_action(self, action: m.Action) -> str:
        match action:
            case m.Bet(coins):
                return f"Bet {coins}"
            case m.Hold(positions):
                discard_count = len(m.POSITIONS) - len(positions)
                return f"Draw {discard_count}" if discard_count else "Stand pat"
        return f"Deal for {self.bet}"

    def meaning(self, action: m.Action) -> str:
        """Describe an action; for a hold, name the cards that are held."""
        match action:
            case m.Hold(positions):
                return f"hold {hold_in_words(self.seen.hand, positions)}, {super().meaning(action)}"
        return super().meaning(action)

    def describe_position(self, view: m.State) -> str:
        return card_symbols(view.shown_hand)

    def digits(self, action: str) -> int | None:
        """Return the highest bet that the credit allows, while the digits choose the bet."""
        if action.startswith("position") and self.seen.phase is m.Phase.BET:
            return min(MAX_COINS, self.seen.credit)
        return super().digits(action)

    def binding_label(self, action: str) -> str | None:
        """Label the digits by what they choose now; hide the pays key if all pays are visible."""
        if action.startswith("position"):
            if self.is_over or not (self.seen.hand or m.between_rounds(self.seen)):
                return ""  # no card can be held, and no bet can be chosen
            return "Bet" if m.between_rounds(self.seen) else "Hold"
        if action == "pays":
            return "" if self.pay_table.shows_all else None
        return super().binding_label(action)

    def _show_cards(self, view: m.State, winners: tuple[int, ...]) -> None:
        cards = [*view.shown_hand, *[None] * (len(m.POSITIONS) - len(view.shown_hand))]
        may_hold = view.phase is m.Phase.HOLD
        held_places = () if m.between_rounds(view) else self.selection if may_hold else view.held
        states, labels = [], []
        for place in m.POSITIONS:
            if place in view.waiting and view.phase is m.Phase.DRAW:
                state, label = Art.DIMMED, ""
            elif place in winners:
                state, label = self.win.card_state(winners.index(place)), "WIN"
            elif place in held_places and view.shown_hand:
                state, label = Art.HELD, " HELD "
            else:
                was_held = m.between_rounds(view) and place in view.held
                state, label = Art.NORMAL, f"[{place}]" if may_hold else "held" * was_held
            states.append(state)
            labels.append(label)
        self.card_row.show(cards, states, labels)

    def show_selection(self) -> None:
        """Draw the marked cards and, once the holds are ranked, everything that depends on them."""
        if self.ranking is None:
            self._show_cards(self.seen, ())
        else:
            super().show_selection()
            self.show_prompt(self.seen)

    def show_prompt(self, view: m.State) -> None:
        """Show what to do next, or the result of the last round."""
        if self.last_result is None or not m.between_rounds(view):
            self.say(self.prompt(view))
        else:
            self.say(self.result(view), self.win.kind if self.last_result.row else "")

    def result(self, view: m.State) -> str:
        if self.last_result is None:
            return ""
        won = self.win.counted(self.last_result.won)
        paid = f"{self.last_result.row} pays {count_noun(won, 'credit')}"
        return paid if self.last_result.row else "No win"

    def prompt(self, view: m.State) -> str:
        """Return the phase's prompt, or the EV of the marked hold if the trainer is on."""
        match view.phase:
            case m.Phase.BET:
                return "Place your bet"
            case m.Phase.DEAL:
                return "The bet is placed: deal the cards"
            case m.Phase.HOLD if self.weighs and self.ranking is not None:
                return hold_value_text(self.ranking, self.selection, self._room[1])
            case _:
                return "Which cards do you hold?"

    def show_decision(self, decision: Decision[m.State, m.Action]) -> None:
        """Show the hold in the list of holds."""
        if self.weighs:
            self.present(self.seen)

    def refused(self, line: str, word: str, why: str) -> ShowRefusal:
        """Return the refusal for the hint line: the reason without the prescribed words."""
        message, _, reason = why.partition("; ")
        if reason == possible_now(self.seen):
            return ShowRefusal(line, NOT_NOW.get(self.seen.phase, "not now:"), reason)
        return number_refusal(line, word) or ShowRefusal(
            line, reason or message.removeprefix(f"{word}: ")
        )

    # ---- keys -----------------------------------------------------------------------------

    @property
    def primary(self) -> ViewRequest[m.Action] | None:
        """Between rounds, the main key both bets and deals."""
        return DoActions((m.Bet(self.bet), m.Draw())) if self.is_offered(m.Bet) else None

    def action_position(self, place: int) -> None:
        """Hold or release a card; between rounds, choose the bet."""
        if self.seen.phase is m.Phase.BET:
            self._choose(place)
        else:
            self.mark(place)

    def action_coins(self, step: int) -> None:
        if self.seen.phase is m.Phase.BET:
            key = key_name_of_binding(self, "bet.more" if step > 0 else "bet.less")
            self._choose(self.bet + step, key)

    def _choose(self, coins: int, key: str = "") -> None:
        """Choose a bet, or refuse it; the refusal shows ``key`` (or the digit) as the key."""
        if not 1 <= coins <= min(MAX_COINS, self.seen.credit):
            short = coins > self.seen.credit and coins <= MAX_COINS
            reason = f"your credit is {self.seen.credit}." if short else "bet 1 to 5 credits."
            self.refuse(key or str(coins), reason)
            return
        self.coins, self.last_result = coins, None
        self.present(self.seen)
        self.say(f"Bet {coins}?")
        self.request(ViewChanged())

    def action_pays(self) -> None:
        """Show the whole pay table; in a narrow window only the pays for the present bet."""
        paytable = self.info.options.paytable
        if self.size.width >= PAYS:
            self.open(modals.TextPage(paytable.title, pays_of(paytable)))
            return
        coins = self.bet or MAX_COINS
        rows = (f"{row.name:<20}{row.pay(coins):>6,}" for row in paytable.rows)
        self.open(modals.TextPage(f"{paytable.title}, bet {coins}", "\n".join(rows)))

    def click_card(self, place: int, card: Card | None) -> None:
        if self.seen.phase is m.Phase.HOLD:
            self.action_position(place)

    def on_pay_table_view_chosen(self, message: PayTableView.Chosen) -> None:
        if self.seen.phase is m.Phase.BET:
            self.action_position(message.coins)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Disable (``None``) the actions that are impossible in this phase."""
        if action == "position":
            return True if self.is_offered(m.Hold) or self.is_offered(m.Bet) else None
        if action == "coins":
            return True if self.is_offered(m.Bet) else None
        return super().check_action(action, parameters)

    # ---- the trainer ----------------------------------------------------------------------

    @property
    def knows_values(self) -> bool:
        """Whether the trainer is on; ranking all holds takes no time that a player notices."""
        return self.weighs and self.seen.phase is m.Phase.HOLD

    def before_action(self, action: m.Action) -> None:
        """Remember the bet even if the log cannot be written now."""
        if isinstance(action, m.Bet):
            self.coins = action.coins
