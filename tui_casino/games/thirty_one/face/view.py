"""The table of 31 on the screen."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal

from ....engine.money import dollars
from ....tui.table.glance import Judged
from ....tui.table.view import PRIMARY, Acts, Changes, TableView, Wish, words_bindings
from ....tui.widgets.bars import MessageLine
from ....tui.widgets.key_bar import VERB
from ....tui.widgets.meters import Meter
from ..machine.moves import (
    DEALER,
    Action,
    Bet,
    Decline,
    Double,
    Event,
    Hit,
    Insure,
    RoundBegun,
    RoundOver,
    Split,
    Stand,
)
from ..machine.rules import CENTS, MAXIMUM, MINIMUM
from ..machine.state import Options, Phase, State
from .insurance import fair_price
from .tables import house_title
from .tally import Tally
from .widgets.choices import Choices, Entry
from .widgets.hands import HandView
from .words import STAND_ON_14, results, why, worth

CHIPS = (20, 50, 100, 150, 200)
"""Bets that a digit or a click chooses, in dollars."""
ROOMY = 60
"""Columns from which on there is room for whole sentences."""
STEP = 10
"""What an arrow adds to the bet, or takes from it."""
PLAYS: Mapping[type[Action], tuple[str, str]] = MappingProxyType(
    {Hit: ("h", "Hit"), Stand: ("s", "Stand"), Double: ("d", "Double"), Split: ("p", "Split")}
)
"""What can be done with a hand: the key, and what it is called."""
BETTER: Mapping[type[Action], str] = MappingProxyType(
    {
        Hit: "hitting",
        Stand: "standing",
        Double: "doubling",
        Split: "splitting",
        Insure: "insurance",
        Decline: "no insurance",
    }
)
"""What the trainer calls the better choice."""


class ThirtyOneView(TableView[Options, State, Action, Event, Tally]):
    """The dealer's fan above the player's hands, and what may be chosen.

    ``bet`` is the one that is chosen, in dollars, ``ended`` the last round once it is finished,
    and ``slip`` what the trainer says to the last choice.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        *words_bindings(
            ("h", "Hit", True),
            ("s", "Stand", True),
            ("d", "Double", True),
            ("p", "Split", True),
            ("i", "Insure", True),
            ("n", "No insurance", True),
        ),
        *(
            Binding(
                str(n),
                f"chip({n - 1})",
                "Bet",
                show=n == 1,
                key_display="1-5",
                id=f"chip{n}",
                group=VERB,
            )
            for n in range(1, len(CHIPS) + 1)
        ),
        Binding("right,plus,equals_sign", f"size({STEP})", "More", show=False, id="bet.more"),
        Binding("left,minus", f"size({-STEP})", "Less", show=False, id="bet.less"),
    ]

    def forget(self) -> None:
        """Know of no round."""
        self.bet = self.seen.last or MINIMUM
        self.ended: RoundOver | None = None
        self.slip = ""

    def subtitle(self) -> str:
        """Name the house, and count its cards."""
        parts = [house_title(self.facts.options.rules)]
        if self.facts.croupier.name == "cards":
            parts.append("known cards, for practice")
        if self.seen.stock:
            parts.append(f"{self.seen.stock} cards left")
        return self.between.join(parts)

    def compose_table(self) -> ComposeResult:
        """Lay out the dealer over the player, and what may be chosen below."""
        places = range(self.facts.options.rules.most_hands)
        self.dealer, self.hands = HandView(DEALER), tuple(map(HandView, places))
        self.choices = Choices()
        yield self.dealer
        with Horizontal(id="hit-hands"):
            yield from self.hands
        yield MessageLine()
        yield self.choices

    # ---- what happens ---------------------------------------------------------------------

    def told(self, event: Event) -> None:
        """Remember how the round ended."""
        match event:
            case RoundBegun(bet):
                self.ended, self.bet, self.slip = None, bet // CENTS, ""
            case RoundOver():
                self.ended = event

    def show(self, view: State) -> None:
        """Draw hands, choices and meters."""
        over = self.ended
        for hand_view in (self.dealer, *self.hands):
            hand_view.show(view, over)
        if not view.waiting or view.phase is Phase.DEALER:
            self.choices.show(*self._choices(view))

    def readings(self, view: State) -> tuple[Meter, ...]:
        """Give credit, bet, what the last round brought, and with the trainer the mistakes."""
        bet = Meter("bet", dollars(view.staked or CENTS * self.bet))
        return (self.credit(view), bet, self.last_net(), *self.mistakes())

    def named(self, action: Action) -> str:
        """Call a deed by its sum."""
        hand = self.seen.hands[self.seen.active] if self.seen.active is not None else None
        match action:
            case Bet(amount):
                return f"Bet {amount}"
            case Stand():
                return "Stand on 14" if self.seen.offers_14 else "Stand"
            case Double() | Split() if hand is not None:
                return f"{type(action).__name__} for {dollars(hand.bet)}"
            case Insure():
                return f"Insure for {dollars(self.seen.hands[0].bet)}"
            case Decline():
                return "No insurance"
        return type(action).__name__

    def standing(self, view: State) -> str:
        """Give the cards of the hand that is played, and the dealer's."""
        hand = view.hands[view.active or 0].cards
        mine, his = (" ".join(card.symbol for card in cards) for cards in (hand, view.dealer))
        return f"{mine} against {his}"

    @property
    def lead(self) -> str:
        """Space; where insurance is asked, that."""
        return "word('i')" if self.can(Insure) else PRIMARY

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
        over = self.ended
        if view.phase is Phase.BET and over:
            self.say(f"{self.result(view)}{self.slip}", "win" if over.won > over.wagered else "")
        else:
            self.say(f"{self.prompt(view)}{self.slip}")

    def judged(self, judged: Judged[State, Action]) -> None:
        """Say what the choice cost, behind what is said now, if the trainer is on."""
        if not self.weighs:
            return
        self.slip = ""
        if (mistake := judged.mistake) is not None:
            better = BETTER[type(mistake.better)]
            self.slip = f" ({better} was {float(mistake.cost) / CENTS:.2f} better)"
        if self.offers:
            self.waits(self.seen)

    def result(self, view: State) -> str:
        """Say how the last round ended, and what it brought."""
        over = self.ended
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
                return f"Bet {self.bet}?"
            case Phase.INSURANCE:
                return fair_price(view.options.rules) if self._roomy else "Insurance?"
            case Phase.PLAY if view.active is not None:
                name = f"Hand {view.active + 1}: " if len(view.hands) > 1 else ""
                if view.offers_14:
                    return f"{name}14! Stand, or hit on?"
                return f"{name}Hit or stand?"
        return ""

    @property
    def story(self) -> tuple[str, ...]:
        """Say how the last round ended, a line for each hand."""
        return results(self.ended) if self.ended else ()

    # ---- keys -----------------------------------------------------------------------------

    @property
    def _most(self) -> int:
        return min(MAXIMUM, self.seen.credit // CENTS)

    @property
    def primary(self) -> Wish[Action] | None:
        """The bet that is chosen, if the purse covers it; else the first thing on offer."""
        bet = Bet(self.bet)
        return Acts((bet,)) if any(offer.admits(bet) for offer in self.offers) else None

    def action_chip(self, place: int) -> None:
        """Choose a bet."""
        self._choose(CHIPS[place])

    def action_size(self, more: int) -> None:
        """Choose a bet that is larger or smaller."""
        self._choose(self.bet + more)

    def _choose(self, bet: int) -> None:
        if not self.can(Bet):
            self.act()  # in the deal it only ends that, as any key does
            return
        self.bet = max(MINIMUM, min(bet, self._most))
        self.present(self.seen)
        self.say(self.prompt(self.seen))
        self.wish(Changes())

    def on_choices_pressed(self, message: Choices.Pressed) -> None:
        """Do what was clicked on."""
        if message.key.isdigit():
            self.action_chip(int(message.key) - 1)
        else:
            self.type(message.key)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Grey what cannot be done now."""
        if action in ("chip", "size"):
            return True if self.can(Bet) else None
        return super().check_action(action, parameters)


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
