"""The view of baccarat: both hands side by side, the betting spots, and the five roads."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widget import Widget

from ....engine.money import dollars
from ....tui.table.listed_view import PRIMARY
from ....tui.table.view import DoActions, TableView, ViewChanged, ViewRequest, word_bindings
from ....tui.widgets.key_bar import VERB, digit_bindings
from ....tui.widgets.key_names import key_name_of_binding
from ....tui.widgets.text_blocks import Meter
from ....tui.widgets.title_bar import MessageLine
from ..machine import rules
from ..machine import state as m
from .tally import Tally
from .widgets.roads import RoadsPage, RoadsView
from .widgets.table import BaccaratScene, BaccaratTable, SideScene
from .words import AFTER_DRAW, INITIAL_DEAL, WINNER

CHIPS = (1, 5, 25, 100, 500)
DRAWN = " after a draw"
"""Follows the totals in a result if there were third cards and the message has room."""


class BaccaratView(TableView[rules.Options, m.State, m.Action, m.Event, Tally]):
    """Both hands, the betting spots and the roads. The chosen chip is kept only in the view."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *digit_bindings(len(rules.SPOTS), "chip", "Bet", "spot", first=0),
        *word_bindings(("r", "Repeat", True)),
        Binding(
            "plus,equals_sign", "size(1)", "Chip", key_display="+-", id="chip.more", group=VERB
        ),
        Binding("minus", "size(-1)", "Smaller chip", show=False, id="chip.less"),
        *word_bindings(("c", "Clear", True), ("d", "Deal", False), ("s", "Statistics", False)),
        Binding("v", "roads", "Roads", id="roads"),
    ]
    chip = CHIPS[1]

    def reset(self) -> None:
        self.last: m.CoupOver | None = None
        self.note = ""
        self._initial_dealt = self._third_cards = False

    def subtitle(self) -> str:
        view, options = self.seen, self.seen.options
        shoe = f"{options.decks} deck{'s' if options.decks > 1 else ''}"
        rule = "5% commission" if options.commission else "no commission"
        parts = [shoe if options.decks else "the known shoe", rule]
        if view.unseen:
            coups = len(view.coups)
            parts.append(f"{coups} coup{'s' * (coups != 1)}, {view.stock} cards left")
        if view.finished and view.coups:
            parts.append("finished")
        elif view.coups_left is not None:
            parts.append("last coup")
        return self.separator.join(parts)

    def compose_table(self) -> ComposeResult:
        """Lay out hands, betting spots, message and roads."""
        self.felt, self.roads = BaccaratTable(self.info.options), RoadsView()
        yield self.felt
        yield MessageLine()
        yield self.roads

    @property
    def evaluated_cards(self) -> Widget:
        """The felt with both hands."""
        return self.felt

    def on_resize(self) -> None:
        """Name the key that shows all roads, for windows without room for all of them."""
        self.roads.set_more_text(
            f"{key} all roads" if (key := key_name_of_binding(self, "roads")) else ""
        )

    # ---- what happens ---------------------------------------------------------------------

    def watches_next_card(self, state: m.State) -> bool:
        """Return whether the next card belongs to a coup that has begun."""
        return state.phase is m.Phase.COUP and len(state.player) > 0

    def apply_event(self, event: m.Event) -> None:
        """Show the deal's prescribed messages; remember the coup's end and the shoe's events."""
        match event:
            case m.BetsLaid():
                self.note = ""
            case m.CardDealt():
                self._third_cards = self._initial_dealt
                self.say(AFTER_DRAW if self._initial_dealt else INITIAL_DEAL)
            case m.InitialDeal():
                self._initial_dealt = True
            case m.AfterDraw():
                self._third_cards = True
            case m.CoupOver():
                self.last, self._initial_dealt = event, False
            case m.BurnCard(card, burns):
                self.last = None
                card_text = card if self.ascii_only else card.symbol
                self.note = f"Burn card {card_text}: {burns} more burnt. "
            case m.CutCard():
                self.note = "The cut card is out: one more coup. "

    def show(self, view: m.State) -> None:
        """Draw hands, betting spots and roads."""
        last = self.last if view.phase is m.Phase.BET and view.player.cards else None
        coup = view.coups[-1] if last and view.coups else None
        last_bets, nets = rules.NO_BETS, rules.NO_BETS
        if last is not None:
            last_bets = last.bets
            nets = rules.bets_of(
                self.win.counted(paid - rules.CENTS * bet)
                for paid, bet in zip(last.paid, last.bets, strict=True)
            )
        self.felt.show(
            BaccaratScene(
                self._side(rules.HandSide.PLAYER, view.player, coup),
                self._side(rules.HandSide.BANKER, view.banker, coup),
                view.bets,
                last_bets,
                nets,
            )
        )
        self.roads.show(view.coups)

    def _side(self, side: rules.HandSide, hand: rules.Hand, coup: rules.Coup | None) -> SideScene:
        """Return a hand as it is drawn; ``coup`` is the coup that is over, if it is."""
        if coup is None:
            return SideScene(hand)
        wins = coup.outcome.value.lower() == side.value
        states = tuple(map(self.win.card_state, range(len(hand)))) if wins else ()
        return SideScene(hand, states, coup.natural and rules.value_of(hand) >= 8, wins)

    def meter_readings(self, view: m.State) -> tuple[Meter, ...]:
        """Return credit, bet, chip and the last coup's net."""
        bet, chip = Meter("bet", str(sum(view.bets))), Meter("chip", str(self.chip))
        credit = Meter("credit", dollars(view.free), "gold" if view.free else "bad")
        return credit, bet, chip, self.last_net()

    def name_of_action(self, action: m.Action) -> str:
        match action:
            case m.Bet(credits, spot):
                return f"Bet {credits} on {spot.label}"
            case m.Repeat():
                return f"Repeat {sum(self.seen.last)}"
            case m.Clear():
                return "Clear"
        if self.seen.finished:
            return "Begin the next shoe"
        staked = sum(self.seen.bets)
        return f"Deal for {staked}" if staked else "Deal without a bet"

    def binding_label(self, action: str) -> str | None:
        if action.startswith("chip("):
            return f"Bet a chip of {self.chip}"
        if action == PRIMARY and self.primary:
            return f"Repeat {sum(self.seen.last)} and deal"
        if action == PRIMARY and not self.default_actions:
            return "Deal"
        return super().binding_label(action)

    @property
    def primary(self) -> ViewRequest[m.Action] | None:
        """The request of Space without a bet: repeat the last bets, if possible, and deal."""
        repeats = self.is_offered(m.Repeat) and not any(self.seen.bets)
        return DoActions((m.Repeat(), m.Play())) if repeats else None

    @property
    def default_actions(self) -> tuple[m.Action, ...]:
        """The actions of the main key: it deals if there are bets now or bets to repeat."""
        deals = any(self.seen.bets) or self.seen.finished or self.primary is not None
        return super().default_actions if deals else ()

    @property
    def leading_action(self) -> str:
        """The action listed first in the key bar: betting, as long as there is no bet."""
        return PRIMARY if self.default_actions else "chip(0)"

    def disabled_reason(self, action: str, parameters: tuple[object, ...]) -> str:
        """Explain that space needs a bet first, and that there is no trainer for baccarat."""
        if action == "primary":
            bet_key, repeat_key, deal_key = (
                key_name_of_binding(self, name) for name in ("spot1", "word.r", "word.d")
            )
            return f"bet with {bet_key}; {repeat_key} repeats bets, {deal_key} deals without a bet."
        if action == "trainer":
            key = key_name_of_binding(self, "game.odds")
            return f"there is no trainer for baccarat; {key} shows the odds of every bet."
        return ""

    def show_prompt(self, view: m.State) -> None:
        """Show the result of the last coup, or what to do next."""
        result, note = self.result(view), self.note
        if result and not any(view.bets):
            if view.finished:
                result += ". The shoe is finished"
            self.say(
                note + result,
                self.win.kind if self.last and _net(self.last) > 0 else "",
                [note + result.replace(DRAWN, "")],
            )
        else:
            self.say(note + self.prompt(view))
        self.note = ""

    def result(self, view: m.State) -> str:
        """Return the winner of the last coup, the totals, and the player's net result.

        The known shoe is the classic table, which announces the outcome with the course's word.
        """
        last = self.last
        if last is None or not view.player.cards:
            return ""
        high, low = sorted((rules.value_of(last.player), rules.value_of(last.banker)), reverse=True)
        money = self.win.counted(_net(last))
        outcome = f"{last.outcome}{'' if last.outcome is rules.CoupOutcome.TIE else ' wins'}"
        if not view.options.decks:
            outcome = f"{WINNER}: {last.outcome}"
        drawn = DRAWN if self._third_cards else ""
        net = _money(money) if any(last.bets) else ""
        return f"{outcome} {high} to {low}{drawn}{net}"

    def prompt(self, view: m.State) -> str:
        if view.finished:
            return "The shoe is finished"
        if any(view.bets):
            return f"Bets: {sum(view.bets)} credits"
        return "Place your bets"

    def after_action(self, action: m.Action) -> None:
        """Forget the last coup's result once the next coup is dealt."""
        if isinstance(action, m.Play):
            self.last = None

    # ---- keys -----------------------------------------------------------------------------

    def action_chip(self, place: int) -> None:
        self.act(m.Bet(self.chip, rules.SPOTS[place]))

    def on_baccarat_table_pressed(self, message: BaccaratTable.Pressed) -> None:
        self.action_chip(rules.SPOTS.index(message.spot))

    def action_size(self, step: int) -> None:
        place = CHIPS.index(self.chip) + step
        if not 0 <= place < len(CHIPS):
            end = "largest" if step > 0 else "smallest"
            key = key_name_of_binding(self, "chip.more" if step > 0 else "chip.less")
            self.refuse(key, f"{self.chip} is the {end} chip.")
            return
        self.chip = CHIPS[place]
        self.present(self.seen)
        self.request(ViewChanged())

    def action_roads(self) -> None:
        self.open(RoadsPage(self.seen.coups))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Disable (``None``) the actions that are impossible now."""
        if action == "chip":
            return True if self.is_offered(m.Bet) else None
        return super().check_action(action, parameters)


def _net(last: m.CoupOver) -> int:
    return sum(last.paid) - rules.CENTS * sum(last.bets)


def _money(net: int) -> str:
    if net > 0:
        return f". You win {dollars(net)}"
    return f". You lose {dollars(-net)}" if net else ". You break even"
