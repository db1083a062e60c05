"""Baccarat on the screen."""

from __future__ import annotations

from typing import Any, ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical

from ....engine.game import IllegalAction
from ....engine.money import dollars
from ....gamekit.seating import Seating
from ....tui.modals import Choice
from ....tui.table.screen import GameScreen, words_bindings
from ....tui.widgets.bars import MessageLine, TitleBar, capital
from ....tui.widgets.meters import Meters
from ....tui.widgets.panel import PANEL_WIDTH, Panel
from ....tui.widgets.plots import sparkline
from ....tui.windows import ask_over, open_over
from ..machine.moves import Bet, BetsLaid, BurnCard, CoupOver, CutCard, Play
from ..machine.rules import CENTS, DECKS, SPOTS, Outcome, Side, value_of
from ..machine.state import Options, Phase, State
from .advice import next_odds, odds_lines
from .reasons import why
from .tally import Tally
from .widgets.roads import RoadsPage, RoadsView
from .widgets.table import HandView, Spots

CHIPS = (1, 5, 25, 100, 500)
KEYS = """\
  space   deal; begin the next shoe
  1 to 5  put a chip on Player, Banker, Tie, Player pair, Banker pair
  + and - a larger or smaller chip
  v       view all five roads
  F2      statistics
  F4      another table: decks, commission"""
TABLES = {
    f"{decks}-{rule}": f"{decks} deck{'s' if decks > 1 else ''}, {title}"
    for decks in DECKS
    for rule, title in (("commission", "5 % commission"), ("free", "no commission, 6 pays half"))
}


class BaccaratScreen(GameScreen):
    """Both hands side by side, the spots, all five roads, and exact figures where there is room."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space", "primary", "Deal", id="game.primary"),
        *(
            Binding(str(n), f"chip({n - 1})", "Bet", show=n == 1, key_display="1-5", id=f"spot{n}")
            for n in range(1, len(SPOTS) + 1)
        ),
        Binding("plus,equals_sign", "size(1)", "Chip", key_display="+-", id="chip.more"),
        Binding("minus", "size(-1)", "Smaller chip", show=False, id="chip.less"),
        *words_bindings(("r", "Repeat", True), ("c", "Clear", False), ("d", "Deal", False)),
        Binding("v", "roads", "Roads", show=False, id="roads"),
        Binding("f4", "tables", "Another table", show=False, id="tables", key_display="F4"),
        *words_bindings(("a", "Odds", False), ("s", "Statistics", False), ("$", "Credit", False)),
    ]

    def __init__(self, title: str, sitting: Any) -> None:
        super().__init__(title, sitting)
        self.chip = CHIPS[1]

    def forget(self) -> None:
        """Know of no coup."""
        self.over: CoupOver | None = None
        self.note = ""
        self.bankroll: list[int] = [self.sitting.cents // CENTS]

    def subtitle(self) -> str:
        """Describe the table and its shoe."""
        view: State = self.view
        options = view.options
        shoe = f"{options.decks} deck{'s' if options.decks > 1 else ''}"
        rule = "5 % commission" if options.commission else "no commission"
        between = " - " if self.app.has_class("-ascii") else " · "
        parts = [shoe if options.decks else "the known shoe", rule]
        if view.unseen:
            coups = len(view.coups)
            parts.append(f"{coups} coup{'s' * (coups != 1)}, {view.stock} cards left")
        if view.finished and view.coups:
            parts.append("finished")
        elif view.coups_left is not None:
            parts.append("last coup")
        return between.join(parts)

    def compose_table(self) -> ComposeResult:
        """Lay out hands, spots and roads, and the panel beside them."""
        with Horizontal(id="bac-floor"):
            with Vertical(id="bac-table"):
                with Horizontal(id="bac-hands"):
                    yield HandView(Side.PLAYER)
                    yield HandView(Side.BANKER)
                yield Spots(self.table.options.commission)
                yield MessageLine()
                yield Meters("credit", "bet", "chip", "paid")
                yield RoadsView()
            yield Panel("next coup", "last coup", "session", "bankroll")

    # ---- what happens ---------------------------------------------------------------------

    def told(self, event: Any) -> None:
        """Remember how the coup ended, and what the shoe had to say."""
        match event:
            case BetsLaid():
                self.note = ""
            case CoupOver(credit=credit):
                self.over = event
                self.bankroll.append(credit // CENTS)
            case BurnCard(card, burns):
                self.over = None
                self.note = f"Burn card {card.symbol if self._signs else card}, {burns} burnt. "
            case CutCard():
                self.note = "The cut card is out: one more coup. "

    @property
    def _signs(self) -> bool:
        return not self.app.has_class("-ascii")

    def show(self, view: State) -> None:
        """Draw hands, spots, meters and roads."""
        over = self.over if view.phase is Phase.BET and view.player.cards else None
        coup = view.coups[-1] if over and view.coups else None
        for hand_view in self.query(HandView):
            side = hand_view.side
            hand = view.player if side is Side.PLAYER else view.banker
            natural = coup is not None and coup.natural and value_of(hand) >= 8
            wins = coup is not None and coup.outcome.value.lower() == side.value
            hand_view.show(hand, natural=natural, wins=wins)
        lying = over is not None and not any(view.bets)
        bets = over.bets if over and lying else view.bets
        won = tuple(paid > 0 for paid in over.paid) if over and lying else None
        self.query_one(Spots).show(bets, won)
        self.query_one(Meters).read(
            dollars(view.free),
            str(sum(view.bets)),
            str(self.chip),
            dollars(sum(over.paid)) if over and lying else "0",
        )
        self.query_one(RoadsView).show(view.coups)

    def waits(self, view: State) -> None:
        """Say how the coup ended and what it brought, or what to do."""
        self.query_one(TitleBar).describe(self.subtitle())
        result, note = self.result(view), self.note
        if result and not any(view.bets):
            if view.finished:
                result += ". The shoe is finished: space begins the next"
            self.say(note + result, "win" if self.over and _net(self.over) > 0 else "")
        else:
            self.say(note + self.prompt(view))
        self.note = ""
        self._refresh_panel()

    def result(self, view: State) -> str:
        """Say how the last coup ended, and what it brought."""
        over = self.over
        if over is None or not view.player.cards:
            return ""
        high, low = sorted((value_of(over.player), value_of(over.banker)), reverse=True)
        ended = "Tie" if over.outcome is Outcome.TIE else f"{over.outcome} wins"
        return f"{ended}, {high} to {low}{_money(over)}"

    def prompt(self, view: State) -> str:
        """Say what the table waits for."""
        if view.finished:
            return "The shoe is finished: space begins the next"
        if any(view.bets):
            return f"{sum(view.bets)} on the table: space deals"
        return "Place your bets (1-5), space deals"

    def submitted(self, action: Any) -> None:
        """Forget the last coup's money once there are new bets."""
        if isinstance(action, Play):
            self.over = None

    # ---- keys -----------------------------------------------------------------------------

    def action_chip(self, place: int) -> None:
        """Put a chip on a spot."""
        if self._gone or self._finish_motion():
            return
        try:
            self.submit(Bet(self.chip, SPOTS[place]))
        except IllegalAction as refused:
            why = self.parts.words.refusal("b", refused, self.view)
            self.say(capital(why.removeprefix("b: ")), "bad")

    def on_spots_pressed(self, message: Spots.Pressed) -> None:
        """Put a chip on the spot that was clicked on."""
        self.action_chip(SPOTS.index(message.spot))

    def action_size(self, more: int) -> None:
        """Take the next larger or smaller chip."""
        place = CHIPS.index(self.chip) + more
        self.chip = CHIPS[max(0, min(place, len(CHIPS) - 1))]
        self.show(self.view)

    def action_roads(self) -> None:
        """Show all roads in full height."""
        open_over(self, RoadsPage(self.view.coups))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Grey what cannot be done now."""
        if action == "chip":
            return True if self.can(Bet) else None
        return super().check_action(action, parameters)

    def keys_help(self) -> str:
        """Say what the keys do."""
        return KEYS

    @work
    async def action_tables(self) -> None:
        """Cash out here and sit down at another table."""
        if self.sitting.staked:
            self.say("First finish this coup.", "bad")
            return
        chosen = await ask_over(self, Choice("Table", TABLES))
        if chosen is not None:
            decks, rule = chosen.split("-")
            self.leave_for(Seating(Options(decks=int(decks), commission=rule == "commission")))

    # ---- figures --------------------------------------------------------------------------

    def action_statistics(self) -> None:
        """Open the statistics."""
        from .statistics import BaccaratStatistics

        assert isinstance(self.dialogue.tally, Tally)
        open_over(self, BaccaratStatistics(self.dialogue.tally, self.view, self.bankroll))

    def answered(self, word: str, lines: list[str]) -> None:
        """Show statistics on their own screen."""
        if word == "s":
            self.action_statistics()
        else:
            super().answered(word, lines)

    def _refresh_panel(self) -> None:
        panel = self.query_one(Panel)
        if not panel.display:
            return
        view: State = self.view
        odds = next_odds(view)
        panel.put("next coup", "\n".join(odds_lines(odds, view.options.commission)))
        played = view.coups and view.player.cards and view.phase is Phase.BET
        panel.put("last coup", "\n".join(why(view.player, view.banker)) if played else "")
        assert isinstance(self.dialogue.tally, Tally)
        panel.put("session", session_text(self.dialogue.tally))
        ascii_only = self.app.has_class("-ascii")
        panel.put("bankroll", sparkline(self.bankroll, PANEL_WIDTH, ascii_only))

    def on_resize(self) -> None:
        """Fill the panel when it comes into sight."""
        self._refresh_panel()


def _net(over: CoupOver) -> int:
    return sum(over.paid) - CENTS * sum(over.bets)


def _money(over: CoupOver) -> str:
    net = _net(over)
    if not any(over.bets):
        return ""
    if net > 0:
        return f": you win {dollars(net)}"
    return f": you lose {dollars(-net)}" if net else ": you come out even"


def session_text(tally: Tally) -> str:
    """Say how the session goes."""
    lines = [f"coups    {tally.rounds:>10,}", f"net      {dollars(tally.won - tally.wagered):>10}"]
    lines += [f"{name:<9}{count:>10,}" for name, count in tally.endings()[:3]]
    return "\n".join(lines)


SCREEN = BaccaratScreen
