"""Hit me on the screen."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical

from ....engine.croupier import CardFile
from ....engine.game import Ask
from ....engine.money import dollars
from ....gamekit.adviser import Mistake
from ....gamekit.seating import Seating
from ....inputs.errors import BadInput
from ....tui.modals import Choice, Line, Page
from ....tui.table.coached import CoachedScreen
from ....tui.table.screen import words_bindings
from ....tui.widgets.bars import MessageLine, TitleBar
from ....tui.widgets.meters import ROOMY, Meters
from ....tui.widgets.panel import PANEL_WIDTH, Panel
from ....tui.widgets.plots import sparkline
from ....tui.windows import ask_over, open_over
from ..brains.odds import fair_price
from ..machine.moves import (
    DEALER,
    Bet,
    Decline,
    Double,
    Hit,
    Insure,
    RoundBegun,
    RoundOver,
    Split,
    Stand,
)
from ..machine.rules import CENTS, MAXIMUM, MINIMUM, Odds, Rules
from ..machine.state import Options, Phase, State
from .deck import read_deck
from .tally import Tally
from .widgets.choices import Choices, Entry
from .widgets.hands import HandView
from .words import STAND_ON_14, results, why, worth

CHIPS = (20, 50, 100, 150, 200)
"""Bets that a digit or a click chooses, in dollars."""
STEP = 10
"""What an arrow adds to the bet, or takes from it."""
PLAYS = {Hit: ("h", "Hit"), Stand: ("s", "Stand"), Double: ("d", "Double"), Split: ("p", "Split")}
KEYS = """\
  space   the next thing to do: deal, hit, stand on a 14
  1 to 5  a bet of 20, 50, 100, 150, 200; arrows: 10 more or less
  o       the odds: each choice, and what the dealer ends on
  t       the trainer: tells what a mistake cost
  F2      statistics, as :stats
  F4      another house, or known cards from a file"""
NOT_YET = "after the bet"
USUAL, DECK = "usual", "deck"
HOUSES: Mapping[str, tuple[str, Rules]] = {
    USUAL: ("The usual house", Rules()),
    "soft": ("The dealer draws to a soft 27", Rules(dealer_hits_soft=True)),
    "two": ("Double on two cards only", Rules(double_two_cards=True)),
    "after": ("No double after a split", Rules(double_after_split=False)),
    "rank": ("Split two of a rank only", Rules(split_same_rank=True)),
    "hands": ("Split to four hands", Rules(most_hands=4)),
    "odds": ("Insurance pays 43:10", Rules(insurance=Odds(43, 10))),
}
TABLES = {name: title for name, (title, _) in HOUSES.items()} | {
    DECK: "Known cards from a file, for practice"
}


BETTER = {
    Hit: "hitting",
    Stand: "standing",
    Double: "doubling",
    Split: "splitting",
    Insure: "insurance",
    Decline: "no insurance",
}


class ThirtyOneScreen(CoachedScreen):
    """The dealer's fan above the player's hands, what may be chosen, and the odds."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *words_bindings(
            ("h", "Hit", True),
            ("s", "Stand", True),
            ("d", "Double", True),
            ("p", "Split", False),
            ("i", "Insurance", False),
            ("n", "No insurance", False),
            ("a", "Advice", False),
            ("$", "Purse", False),
        ),
        *(
            Binding(str(n), f"chip({n - 1})", "Bet", show=False, id=f"chip{n}")
            for n in range(1, len(CHIPS) + 1)
        ),
        Binding("right,plus,equals_sign", f"size({STEP})", "More", show=False, id="bet.more"),
        Binding("left,minus", f"size({-STEP})", "Less", show=False, id="bet.less"),
        Binding("t", "trainer", "Trainer", show=False, id="trainer"),
        Binding("o", "odds", "Odds", show=False, id="odds"),
        Binding("f4", "tables", "Another table", show=False, id="tables", key_display="F4"),
    ]

    def forget(self) -> None:
        """Know of no round."""
        self.bet = self.view.last or MINIMUM
        self.over: RoundOver | None = None
        self.slip = ""
        self.trainer = False
        self.bankroll: list[int] = [self.sitting.cents // CENTS]

    def subtitle(self) -> str:
        """Name the house, and count its cards."""
        view: State = self.view
        titles = {rules: title for title, rules in HOUSES.values()}
        parts = [titles.get(view.options.rules, "A house of its own")]
        if self.table.croupier.kind.name == "cards":
            parts.append("known cards, for practice")
        if view.stock:
            parts.append(f"{view.stock} cards left")
        return (" - " if self.app.has_class("-ascii") else " · ").join(parts)

    def compose_table(self) -> ComposeResult:
        """Lay out the dealer over the player, what may be chosen below, the panel beside."""
        with Horizontal(id="hit-floor"):
            with Vertical(id="hit-table"):
                yield HandView(DEALER)
                with Horizontal(id="hit-hands"):
                    for place in range(self.view.options.rules.most_hands):
                        yield HandView(place)
                yield MessageLine()
                yield Choices()
                yield Meters("purse", "bet", "paid", large=True)
            yield Panel("your choices", "the dealer ends on", "last round", "session", "bankroll")

    # ---- what happens ---------------------------------------------------------------------

    def told(self, event: Any) -> None:
        """Remember how the round ended."""
        match event:
            case RoundBegun(bet):
                self.over, self.bet, self.slip = None, bet // CENTS, ""
            case RoundOver(credit=credit):
                self.over = event
                self.bankroll.append(credit // CENTS)

    def show(self, view: State) -> None:
        """Draw hands, choices and meters."""
        over = self.over
        for hand_view in self.query(HandView):
            hand_view.show(view, over)
        if not view.waiting or view.phase is Phase.DEALER:
            self.query_one(Choices).show(*self._choices(view))
        self.query_one(Meters).read(
            dollars(view.credit),
            dollars(view.staked or CENTS * self.bet),
            dollars(over.won if over else 0),
        )

    def _choices(self, view: State) -> tuple[list[Entry], str]:
        """Give what can be chosen, and under which title if it must not be missed."""
        match view.phase:
            case Phase.BET:
                return [*self._chips()], ""
            case Phase.INSURANCE:
                stake, odds = dollars(view.hands[0].bet), view.options.rules.insurance
                title = f"Insurance: {stake} on his 31, {odds}"
                return [Entry("i", "Insure"), Entry("n", "No insurance")], title
            case Phase.PLAY:
                return [*self._plays(view)], self._on_14 if view.offers_14 else ""
        return [], ""

    @property
    def _roomy(self) -> bool:
        """Whether the message line has room for whole sentences."""
        return self.app.size.width >= ROOMY

    @property
    def _on_14(self) -> str:
        return STAND_ON_14 if self._roomy else "14: only his 31 beats it"

    def _chips(self) -> Iterator[Entry]:
        for key, chip in enumerate(CHIPS, 1):
            yield Entry(str(key), str(chip), chip <= self._most, chip == self.bet)
        if self.bet not in CHIPS:
            yield Entry("", str(self.bet), self.bet <= self._most, True)

    def _plays(self, view: State) -> Iterator[Entry]:
        first = Stand if view.offers_14 else Hit
        for kind in sorted(PLAYS, key=lambda kind: kind is not first):
            key, words = PLAYS[kind]
            yield Entry(key, f"{words} on 14" if kind is first is Stand else words, self.can(kind))

    def waits(self, view: State) -> None:
        """Say how the round ended, or what there is to do."""
        self.query_one(TitleBar).describe(self.subtitle())
        over = self.over
        if view.phase is Phase.BET and over:
            self.say(f"{self.result(view)}{self.slip}", "win" if over.won > over.wagered else "")
        else:
            self.say(f"{self.prompt(view)}{self.slip}")
        self._refresh_panel()

    def judged(self, view: State, action: Any, mistake: Mistake[Any] | None) -> None:
        """Say what the choice cost, behind what is said now, if the trainer is on."""
        if not self.trainer:
            self._refresh_panel()
            return
        self.slip = ""
        if mistake is not None:
            better = BETTER[type(mistake.better)]
            self.slip = f" ({better} was {float(mistake.cost) / CENTS:.2f} better)"
        if isinstance(self.table.game.turn(self.table.state), Ask):
            self.waits(self.view)

    def action_trainer(self) -> None:
        """Switch the trainer on or off, which tells what each mistake costs."""
        self.trainer = not self.trainer
        self.say(
            f"The trainer is {'on: it tells what a mistake costs' if self.trainer else 'off'}."
        )

    def result(self, view: State) -> str:
        """Say how the last round ended, and what it brought."""
        over = self.over
        if over is None:
            return ""
        if self._roomy:
            return "; ".join(_endings(over))
        if len(over.hands) > 1 or over.insurance:
            return f"All in all {worth(over.won - over.wagered)}"
        return why(over.hands[0])  # what it brought stands above the hand

    def prompt(self, view: State) -> str:
        """Say what the table waits for."""
        match view.phase:
            case Phase.BET:
                more = ". F4: another house, or known cards" if self._roomy else ""
                return f"Bet {self.bet}? Space deals{more}"
            case Phase.INSURANCE:
                return fair_price(view.options.rules) if self._roomy else "Insurance?"
            case Phase.PLAY if view.active is not None:
                name = f"Hand {view.active + 1}: " if len(view.hands) > 1 else ""
                if view.offers_14:
                    return f"{name}14! Space stands, h hits on"
                return f"{name}Hit or stand? Space hits"
        return ""

    # ---- keys -----------------------------------------------------------------------------

    @property
    def _most(self) -> int:
        view: State = self.view
        return min(MAXIMUM, view.credit // CENTS)

    def action_primary(self) -> None:
        """Bet what is chosen, or do the first thing on offer."""
        if self.can(Bet):
            self.do(f"b {self.bet}")
        else:
            super().action_primary()

    def action_chip(self, place: int) -> None:
        """Choose a bet."""
        self._choose(CHIPS[place])

    def action_size(self, more: int) -> None:
        """Choose a bet that is larger or smaller."""
        self._choose(self.bet + more)

    def _choose(self, bet: int) -> None:
        if self._gone or self._finish_motion() or not self.can(Bet):
            return
        self.bet = max(MINIMUM, min(bet, self._most))
        self.show(self.view)
        self.say(self.prompt(self.view))

    def on_choices_pressed(self, message: Choices.Pressed) -> None:
        """Do what was clicked on."""
        if message.key.isdigit():
            self.action_chip(int(message.key) - 1)
        else:
            self.do(message.key)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Grey what cannot be done now."""
        if action in ("chip", "size"):
            return True if self.can(Bet) else None
        return super().check_action(action, parameters)

    def keys_help(self) -> str:
        """Say what the keys do."""
        return KEYS

    @work
    async def action_tables(self) -> None:
        """Cash out here and sit down in another house, or with known cards."""
        if self.sitting.staked:
            self.say("First finish this round.", "bad")
            return
        chosen = await ask_over(self, Choice("Table", TABLES))
        if chosen == DECK:
            path = await ask_over(
                self,
                Line("Known cards", "A file of whole numbers, 1 an ace to 13 a king, as dealt:"),
            )
            if path:
                self._sit_with(path)
        elif chosen is not None:
            self.leave_for(Seating(Options(HOUSES[chosen][1])))

    def _sit_with(self, path: str) -> None:
        try:
            cards = read_deck(path)
        except BadInput as error:
            self.say(str(error), "bad")
            return
        options = replace(self.view.options, credit=Options().credit)
        self.leave_for(Seating(options, CardFile(cards), practice=True))

    # ---- figures --------------------------------------------------------------------------

    def action_statistics(self) -> None:
        """Open the statistics."""
        from .statistics import ThirtyOneStatistics

        assert isinstance(self.dialogue.tally, Tally)
        open_over(self, ThirtyOneStatistics(self.dialogue.tally, self.view, self.bankroll))

    def answered(self, word: str, lines: list[str]) -> None:
        """Show statistics on their own screen."""
        if word == "stats":
            self.action_statistics()
        else:
            super().answered(word, lines)

    @work(thread=True, exclusive=True, group="odds")
    def _refresh_panel(self) -> None:
        """Write the panel, off the screen's thread: the first figures take a moment to make."""
        if self.query_one(Panel).display:
            view: State = self.view
            figures = _figures(view)
            self.app.call_from_thread(self._write_panel, view, *figures)

    def _write_panel(self, view: State, choices: str, dealer: str) -> None:
        if self._gone or view != self.view:
            return
        panel = self.query_one(Panel)
        panel.put("your choices", choices or NOT_YET)
        panel.put("the dealer ends on", dealer or NOT_YET)
        panel.put("last round", "\n".join(results(self.over)) if self.over else "")
        assert isinstance(self.dialogue.tally, Tally)
        cost = f"mistakes {self.mistakes:>12,}\ncost     {float(self.cost) / CENTS:>12.2f}"
        panel.put("session", f"{session_text(self.dialogue.tally)}\n{cost}")
        panel.put("bankroll", sparkline(self.bankroll, PANEL_WIDTH, self.app.has_class("-ascii")))

    @work(thread=True, exclusive=True, group="odds-page")
    def action_odds(self) -> None:
        """Show the figures of the panel on a page, where it has no room."""
        figures = _figures(self.view)
        self.app.call_from_thread(self._open_odds, *figures)

    def _open_odds(self, choices: str, dealer: str) -> None:
        if not choices:
            self.say("There is no hand to weigh now.")
        elif not self._gone:
            text = f"{choices}\n\nWhat the dealer ends on\n{dealer}"
            open_over(self, Page("Odds", text))

    def on_resize(self) -> None:
        """Fill the panel when it comes into sight."""
        self._refresh_panel()


def _figures(view: State) -> tuple[str, str]:
    from ..brains.advice import advice, dealer_lines  # numpy, late

    return "\n".join(advice(view)), "\n".join(dealer_lines(view))


def _endings(over: RoundOver) -> Iterator[str]:
    """Say briefly how a round ended: why, for a single hand; the sum, for several."""
    if len(over.hands) == 1:
        (hand,) = over.hands
        yield f"{why(hand)}: {worth(hand.back - hand.bet)}"
    else:
        bets = over.wagered - over.insurance
        yield f"Together {worth(over.won - over.insurance_back - bets)}"
    if over.insurance:
        yield f"insurance: {worth(over.insurance_back - over.insurance)}"


def session_text(tally: Tally) -> str:
    """Say how the session goes."""
    return "\n".join(
        (
            f"games    {tally.rounds:>12,}",
            f"won      {tally.wins:>12,}",
            f"on 14    {tally.player_14_won:>5,} of {tally.player_14:>3,}",
            f"net      {dollars(tally.won - tally.wagered):>12}",
        )
    )


SCREEN = ThirtyOneScreen
