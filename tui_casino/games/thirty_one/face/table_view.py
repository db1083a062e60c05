"""The table of Hit Me on the screen."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType

from ....cards.card import card_symbols
from ....engine.money import dollars
from ....gamekit.adviser import Decision
from ....gamekit.lazy_import import LazyModule
from ....gamekit.table_catalog import AnyTableSetup
from ....structs import replace
from ....tui.draw.canvas import TableRow, TableRows
from ....tui.draw.choice_list import ChoiceList
from ....tui.table.listed_view import PRIMARY, ChoiceRanking
from ....tui.table.view import (
    GUESS_FIRST,
    DoActions,
    SitDown,
    TableView,
    ViewChanged,
    ViewRequest,
    word_bindings,
)
from ....tui.widgets.hint_line import HintMessage
from ....tui.widgets.key_bar import digit_bindings
from ....tui.widgets.line_widget import BlankColumn, BlankRow
from ....tui.widgets.text_blocks import Meter
from ....tui.widgets.title_bar import MessageLine
from ..brains.adviser import (
    ThirtyOnePosition,
    TrainerData,
    high_low_count,
    position_of,
    read_trainer_data,
)
from ..brains.odds import fair_prices
from ..machine import state as m
from ..machine.rules import CENTS, MAXIMUM, MINIMUM, Rules
from . import scenes
from .lab_screen import LabBench, LabScreen
from .table_catalog import house_title
from .tally import Tally
from .widgets.side_panel import ChartBench, SidePanelContent, ThirtyOneSidePanel
from .widgets.table import LowerTable, TableTop, ThirtyOneScene
from .words import STAND_ON_14, refusal_of_play, results

if TYPE_CHECKING:
    from . import battle_screen  # late: needs numpy
else:
    battle_screen = LazyModule(".battle_screen", __package__)

STEP = 10
"""The amount in dollars by which an arrow key changes the bet."""
ROUNDS_KEPT = 30
"""The number of recent rounds that are stored."""


class ThirtyOneView(TableView[m.Options, m.State, m.Action, m.Event, Tally]):
    """The dealer's fan above the player's hands; with the trainer also the chart and the EVs.

    ``bet`` is the chosen bet in dollars, ``last_result`` the last finished round, and
    ``recent_rounds`` are the rounds that were played on this screen.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        *word_bindings(
            ("h", "Hit", True),
            ("s", "Stand", True),
            ("d", "Double", True),
            ("p", "Split", True),
            ("i", "Insure", True),
            ("n", "No insurance", True),
        ),
        *digit_bindings(len(scenes.CHIPS), "chip", "Bet", "chip", first=0),
        Binding("right,plus,equals_sign", f"size({STEP})", "More", show=False, id="bet.more"),
        Binding("left,minus", f"size({-STEP})", "Less", show=False, id="bet.less"),
        Binding("c", "turn", "Pairs", show=False, id="chart.turn"),
        GUESS_FIRST,
        Binding("l", "lab", "Rules lab", show=False, id="lab.open"),
        Binding("f6", "battle", "Simulate", id="battle.open", key_display="F6"),
    ]

    keeps_list = True

    def reset(self) -> None:
        self.bet = self.seen.last or MINIMUM
        self.last_result: m.RoundOver | None = None
        self.recent_rounds: tuple[m.RoundOver, ...] = ()

    def subtitle(self) -> str:
        parts = [house_title(self.info.options.rules)]
        if self.info.croupier.name == "cards":
            parts.append("known cards, free play")
        if self.seen.stock:
            parts.append(f"{self.seen.stock} cards left")
        return self.separator.join(parts)

    def compose_table(self) -> ComposeResult:
        """Lay out the hands, the side panel next to them, and the EVs below on a tall screen."""
        rules = self.info.options.rules
        self.chart_bench = ChartBench(self, rules, self._show_current)
        self.bench = LabBench(self, rules, self._show_current)
        self.table_top = TableTop(self.press)
        self.lower_table = LowerTable()
        self.side_panel = ThirtyOneSidePanel()
        with BlankRow(id="hit-floor"):
            with BlankColumn():
                yield self.table_top
                yield MessageLine()
                yield self.lower_table
            yield self.side_panel

    # ---- events ---------------------------------------------------------------------------

    def watches_next_card(self, state: m.State) -> bool:
        return state.phase is m.Phase.DEALER

    def apply_event(self, event: m.Event) -> None:
        """Remember the result when a round ends."""
        match event:
            case m.RoundBegun(bet):
                self.last_result, self.bet = None, bet // CENTS
            case m.RoundOver():
                self.last_result, self.kept_ranking = event, None
                self.recent_rounds = (*self.recent_rounds, event)[-ROUNDS_KEPT:]

    def show(self, view: m.State) -> None:
        """Draw the hands, and the trainer's figures or the rules."""
        if not view.hands:  # the player sits a round out at a table with others
            self.last_result = None
        if self.weighs:
            self.chart_bench.update(position_of(view))
        choices = self.choice_list
        is_roomy = self.lower_table.size.height > 0
        self.table_top.show(self._scene(view, None if is_roomy else choices, is_roomy=is_roomy))
        self.lower_table.show_rows(choices, self._message_rows(view))
        self.side_panel.show(self._side_content(view))
        if self.side_panel.has_lab:
            self.bench.begin()

    def _show_current(self) -> None:
        if self.is_attached:
            self.show(self.seen)
            self.refresh_bindings()  # the trainer may lead with another choice

    def _scene(
        self, view: m.State, choices: ChoiceList | None, *, is_roomy: bool
    ) -> ThirtyOneScene:
        data = self.trainer_data if self.weighs else None
        scene = ThirtyOneScene(
            scenes.dealer_scene(view),
            scenes.hand_scenes(
                view, self.last_result, self._win_mark, marks_14=not self._hides_best
            ),
            view.active,
            next_card_space=len(view.dealer) < 2 and view.phase is not m.Phase.DEALER,
            choices=choices,
            hand_rows=self._hand_rows(view),
            round=is_roomy,
        )
        if data is None:
            return scene
        dealer_ends = (
            scenes.dealer_rows(data, all_totals=True),
            scenes.dealer_rows(data, all_totals=False),
        )
        remaining = data.position.remaining
        return replace(
            scene,
            dealer_rows=dealer_ends,
            shoe_rows=scenes.shoe_rows(remaining, high_low_count(remaining)),
        )

    def _hand_rows(self, view: m.State) -> tuple[TableRows, TableRows]:
        """Return the rows next to the hand, and a shorter version of them."""
        if view.phase in (m.Phase.BET, m.Phase.SHUFFLE):
            chips = (
                scenes.chip_rows(self.bet, self._highest_bet)
                if self._highest_bet >= MINIMUM
                else ()
            )
            return chips, chips
        if view.offers_14 and not self._hides_best:
            return scenes.offer_rows(), scenes.offer_rows()[:1]
        return (), ()

    def _message_rows(self, view: m.State) -> TableRows:
        """Return the results of several hands or of the session."""
        if len(self.recent_lines) > 1 and view.phase is not m.Phase.PLAY:
            return tuple(TableRow(((line, "muted"),)) for line in self.recent_lines)
        return scenes.sitting_rows(
            self.tally, self.totals.bankroll, self.lower_table.row_width, self.ascii_only
        )

    def _side_content(self, view: m.State) -> SidePanelContent:
        if not self.weighs:
            pages = (("t", "Trainer"), ("l", "Rules lab"), ("F6", "Simulate"))
            is_helped = self.live and not self.definition.unaided
            rules, rounds = (
                scenes.rule_rows(
                    view.options.rules, hints=not (self.guesses or self.definition.unaided)
                ),
                scenes.round_rows(self.recent_rounds, self._win_mark),
            )
            return SidePanelContent(rules=rules, rounds=rounds, keys=pages if is_helped else ())
        chart = self.chart_bench.chart(guess=self.guesses_first)
        page_name = "hands" if chart is not None and chart.on_pairs else "pairs"
        guess = "show first" if self.guesses_first else "guess first"
        keys = (("c", page_name), ("g", guess), ("l", "rules lab"))
        return SidePanelContent(chart=chart, lab=self.bench.lab, keys=keys if self.live else ())

    def meter_readings(self, view: m.State) -> tuple[Meter, ...]:
        """Return the credit, the bet, the last result and, with the trainer, the mistakes."""
        bet = Meter("bet", dollars(view.staked or CENTS * self.bet))
        return (self.credit(view), bet, self.last_net(), *self.mistakes())

    # ---- choices --------------------------------------------------------------------------

    def name_of_action(self, action: m.Action) -> str:
        """Return the label of an action, including its amount."""
        place = 0 if self.seen.phase is m.Phase.INSURANCE else self.seen.active
        bet = dollars(self.seen.hands[place].bet) if place is not None else ""
        match action:
            case m.Bet(amount):
                return f"Bet {dollars(CENTS * amount)}"
            case m.Stand():
                return "Stand on 14" if self.seen.offers_14 and not self._hides_best else "Stand"
            case m.Double() | m.Split() | m.Insure() if bet:
                return f"{type(action).__name__} for {bet}"
            case m.Decline():
                return "No insurance"
        return type(action).__name__

    def binding_label(self, action: str) -> str | None:
        """Label Space with its effect."""
        if action == PRIMARY and not self.default_actions:
            return f"Bet {dollars(CENTS * self.bet)}" if self.is_offered(m.Bet) else "Hit"
        return super().binding_label(action)

    @property
    def default_actions(self) -> tuple[m.Action, ...]:
        """Bet, hit, stand on 14, or no to insurance.

        A player who gets no hints also hits a 14, so that the default action does not give it away.
        """
        if self.is_offered(m.Decline):
            return (m.Decline(),)
        return (m.Hit(),) if self.seen.offers_14 and self._hides_best else super().default_actions

    @property
    def _hides_best(self) -> bool:
        """Whether nothing on the screen may tell the best choice."""
        is_helped = not (self.guesses or self.definition.unaided)
        return not is_helped or (self.weighs and self.guesses_first)

    def analysed_position(self, view: m.State) -> ThirtyOnePosition | None:
        """Return the position of a choice; while the trainer is off, the last one is kept."""
        if self.weighs:
            return position_of(view)
        position: ThirtyOnePosition | None = self.analysis.position
        return position

    def analyse(self, position: ThirtyOnePosition) -> TrainerData:
        return read_trainer_data(position)

    @property
    def trainer_data(self) -> TrainerData | None:
        """The data of the position, as soon as they are known; none while the player guesses."""
        data: TrainerData | None = self.analysis.data
        return None if self.guesses_first else data

    @property
    def is_calculating(self) -> bool:
        return not self.guesses_first and super().is_calculating

    def rank_choices(self) -> ChoiceRanking[m.Action] | None:
        """Return the choices of the position, also those that are not possible."""
        if (data := self.trainer_data) is None:
            return None
        basis = scenes.ev_source_message(data, self.seen.hands[self.seen.active or 0].bet)
        return scenes.rank_plays(
            data,
            lambda key: refusal_of_play(key, self.seen),
            basis if self.lower_table.size.height else "",
        )

    @property
    def knows_values(self) -> bool:
        return not self.guesses_first and super().knows_values

    @property
    def answers(self) -> tuple[str, ...]:
        """The answers to an offer of insurance: first no, then yes."""
        return (PRIMARY, "word('i')") if self.is_offered(m.Insure) else ()

    def event_lines(self, event: m.Event) -> tuple[str, ...]:
        """Describe an event, without the advice for a 14 while the player gets no hints."""
        lines = super().event_lines(event)
        if not self._hides_best:
            return lines
        return tuple(line for line in lines if not line.startswith(STAND_ON_14))

    def describe_position(self, view: m.State) -> str:
        hand = view.hands[view.active or 0].cards
        own, dealer = card_symbols(hand), card_symbols(view.dealer)
        return f"{own} against {dealer}"

    @property
    def leading_action(self) -> str:
        """The trainer's best choice if it is shown; otherwise Space or a bet."""
        if self.knows_values:
            return super().leading_action
        return PRIMARY if self.default_actions else "chip(0)"

    def disabled_reason(self, action: str, parameters: tuple[object, ...]) -> str:
        match action:
            case "primary":
                return f"your credit is {dollars(self.seen.credit)}."
            case "word" if self.is_offered(m.Bet):
                return "place a bet first."
            case "chip" | "size":
                return "the bet is fixed for this round."
            case "turn":
                return super().disabled_reason("guess", parameters)
        return super().disabled_reason(action, parameters)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        match action:
            case "chip" | "size":
                return True if self.is_offered(m.Bet) else None
            case "turn":
                return True if self.weighs else None
            case "lab" | "battle" if self.definition.unaided:
                return None
        return super().check_action(action, parameters)

    # ---- messages -------------------------------------------------------------------------

    def show_prompt(self, view: m.State) -> None:
        """Show the result of the round, or the next choice."""
        result = self.last_result
        if view.phase is m.Phase.BET and result:
            kind = self.win.kind if result.won > result.wagered else ""
            self.say(self.result(view), kind, scenes.ending_messages(result))
        else:
            self._ask(view)

    def _ask(self, view: m.State) -> None:
        question, *shorter = self._questions(view)
        self.say(question, "", shorter)

    def show_decision(self, decision: Decision[m.State, m.Action]) -> None:
        """Show the EVs as they were at the choice."""
        if self.weighs:
            self.present(self.seen)

    def result(self, view: m.State) -> str:
        """Describe how the last round ended, and its result."""
        return (
            self._first_that_fits(*scenes.ending_messages(self.last_result), marks=4)
            if self.last_result
            else ""
        )

    def prompt(self, view: m.State) -> str:
        """Return the question that the table asks."""
        return self._first_that_fits(*self._questions(view))

    def _questions(self, view: m.State) -> tuple[str, ...]:
        """Return the texts of the table's question, from the longest to the shortest."""
        match view.phase:
            case m.Phase.BET:
                return (f"Bet {dollars(CENTS * self.bet)}?",)
            case m.Phase.INSURANCE:
                rules = view.options.rules
                offer = f"Insurance? It pays {rules.insurance}"
                if self._hides_best or self.weighs or self.definition.unaided:
                    return (offer,)
                fair, fair_14 = fair_prices(rules)
                offer += f"; fair odds {fair}"
                return f"{offer}, or {fair_14} on a 14", offer, "Insurance?"
            case m.Phase.PLAY if view.active is not None:
                hints = not (self._hides_best or self.definition.unaided)
                return (*scenes.ask_for_choice(view, view.active, hints=hints),)
        return ("",)

    def _first_that_fits(self, *variants: str, marks: int = 0) -> str:
        """Return the first variant of a message that fits the message line, or else the last."""
        room = (self.message.size.width or self.app.size.width) - marks
        return next((text for text in variants if len(text) <= room), variants[-1])

    @property
    def recent_lines(self) -> tuple[str, ...]:
        """The results of the last round, one line per hand."""
        return results(self.last_result) if self.last_result else ()

    @property
    def _win_mark(self) -> str:
        return "*" if self.app.has_class("-ascii") or self.app.has_class("-cp437") else "★"

    # ---- keys -----------------------------------------------------------------------------

    @property
    def _highest_bet(self) -> int:
        """The highest possible bet, in dollars."""
        return min(MAXIMUM, self.seen.credit // CENTS)

    @property
    def primary(self) -> ViewRequest[m.Action] | None:
        """The request of Space: the chosen bet if the credit covers it, or else the first offer."""
        bet = m.Bet(self.bet)
        return DoActions((bet,)) if any(offer.contains(bet) for offer in self.offers) else None

    def action_chip(self, place: int) -> None:
        self._choose(scenes.CHIPS[place])

    def action_size(self, change: int) -> None:
        self._choose(self.bet + change)

    def _choose(self, bet: int) -> None:
        if not self.is_offered(m.Bet):
            self.act()  # during the deal this key only finishes the deal, as any key does
            return
        self.bet = max(MINIMUM, min(bet, self._highest_bet))
        if bet != self.bet:
            self.show_message(
                HintMessage(
                    "told",
                    f"Bet {dollars(CENTS * self.bet)}:",
                    scenes.bet_limit_message(bet, self._highest_bet),
                )
            )
        self.present(self.seen)
        self._ask(self.seen)
        self.request(ViewChanged())

    def press(self, key: str) -> None:
        """Press the key of an item that was clicked."""
        self.app.simulate_key({"F6": "f6"}.get(key, key))

    def on_thirty_one_side_panel_pressed(self, message: ThirtyOneSidePanel.Pressed) -> None:
        self.press(message.key)

    def on_thirty_one_side_panel_switched(self, message: ThirtyOneSidePanel.Switched) -> None:
        self.bench.switch(message.number)

    def action_turn(self) -> None:
        self.chart_bench.on_other_page = not self.chart_bench.on_other_page
        self.show(self.seen)

    @property
    def weighs(self) -> bool:
        """Whether the trainer is on; a player who guesses first still sees the chart around it."""
        return self.trains

    def action_lab(self) -> None:
        self.open(LabScreen(self.bench, self._sit_down))

    def _sit_down(self, rules: Rules) -> None:
        """Sit down at a new table with these rules."""
        if self.seen.staked:
            self.refuse("F4", "finish this round first.")
            return

        def change(seating: AnyTableSetup) -> AnyTableSetup:
            return replace(seating, options=replace(seating.options, rules=rules), explicit=True)

        self.request(SitDown(change))

    def action_battle(self) -> None:
        self.open(battle_screen.BattleScreen(self.info.options.rules, self.info.folder))
