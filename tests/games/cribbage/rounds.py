"""Rounds for tests: a table that draws in Java's order, and its log."""

from __future__ import annotations

from typing import TypeAlias

from tui_casino.cards.card import Card, parse_hand
from tui_casino.engine.chance import JavaRandomSource, SeededSource
from tui_casino.engine.croupier import FixedShoe, JavaCroupier
from tui_casino.engine.event_bus import ALL_CARDS
from tui_casino.engine.game import AskSeats, Seat
from tui_casino.engine.offers import Offer
from tui_casino.engine.table import Table
from tui_casino.games.cribbage.brains.players import PLAYERS
from tui_casino.games.cribbage.face.original_trainer_files import head_lines, log_lines
from tui_casino.games.cribbage.machine import game
from tui_casino.games.cribbage.machine.state import (
    TRAINING,
    Action,
    Discard,
    Event,
    Go,
    Lay,
    Options,
    Phase,
    State,
)

CribbageTable: TypeAlias = Table[Options, State, Action, Event]


def trainer(seed: int, *who: str, options: Options = TRAINING) -> tuple[CribbageTable, list[Event]]:
    """Return a trainer table with these players, and the list that will collect its events."""
    players = {Seat(seat): PLAYERS[name]() for seat, name in enumerate(who)}
    table: CribbageTable = Table(game, options, JavaCroupier(), JavaRandomSource(seed), players)
    heard: list[Event] = []
    table.bus.subscribe(ALL_CARDS, lambda told: heard.extend(told.events))
    return table, heard


def log_of(seed: int) -> str:
    """Play a round of two random players to its end, and return its log."""
    table, heard = trainer(seed, "random", "random")
    table.run()
    lines = [*head_lines(table.source.spec, ["random"] * 2)]
    lines += [line for event in heard for line in log_lines(event)]
    return "".join(f"{line}\n" for line in lines)


def known(first: str, second: str, starter: str, options: Options = TRAINING) -> KnownRound:
    """Deal these six-card hands, seat 0 first, and this starter after the discards."""
    hands = parse_hand(first), parse_hand(second)
    cards = [card for pair in zip(*hands, strict=True) for card in pair]
    return KnownRound(options, [*cards, Card.parse(starter)])


class KnownRound:
    """A table of two humans with known cards; deals of later rounds may follow the first."""

    def __init__(self, options: Options, cards: list[Card]) -> None:
        humans = dict.fromkeys((Seat(0), Seat(1)))
        self.table: CribbageTable = Table(game, options, FixedShoe(cards), SeededSource(0), humans)
        self.heard: list[Event] = []
        self.table.bus.subscribe(ALL_CARDS, lambda told: self.heard.extend(told.events))
        self.table.run()

    @property
    def state(self) -> State:
        return self.table.state

    @property
    def asked_seat(self) -> Seat | None:
        match game.turn(self.state):
            case AskSeats((seat,)):
                return seat
        return None

    @property
    def offers(self) -> tuple[Offer[Action], ...]:
        """The offers of the seat that is asked."""
        return () if self.asked_seat is None else game.offers(self.state, self.asked_seat)

    @property
    def log(self) -> list[str]:
        return [line for event in self.heard for line in log_lines(event)]

    def do(self, *actions: Action) -> None:
        """Let the asked seats take these actions, one after the other."""
        for action in actions:
            assert self.asked_seat is not None
            self.table.submit(self.asked_seat, action)
            self.table.run()

    def discard(self, first: str, second: str) -> None:
        """Let pone, then the dealer, give two cards to the crib."""
        for gone in (first, second):
            assert self.asked_seat is not None
            cards = self.state.hands[self.asked_seat]
            self.do(Discard(tuple(sorted(cards.index(card) + 1 for card in parse_hand(gone)))))

    def lay(self, cards: str) -> None:
        """Let the asked player play these cards; ``go`` says go."""
        for word in cards.split():
            assert self.asked_seat is not None
            if word == "go":
                self.do(Go())
            else:
                self.do(Lay(self.state.hands[self.asked_seat].index(Card.parse(word)) + 1))

    def finish(self, until: Phase = Phase.REST) -> None:
        """Take the first offer until this phase is reached, or until the game is over."""
        while self.asked_seat is not None and self.state.phase is not until:
            self.do(next(iter(self.offers[0].all())))


FIRST = "2H 4D 6S 8C TD KC"
SECOND = "3H 5D 7S 9C JD QC"


def round_at_show(options: Options = TRAINING, starter: str = "AS") -> KnownRound:
    """Play a round to its show: seat 0 holds 4D 6S 8C TD, seat 1 5D 7S 9C JD."""
    round = known(FIRST, SECOND, starter, options)
    round.discard("2H KC", "3H QC")
    round.finish(Phase.SHOW)
    return round
