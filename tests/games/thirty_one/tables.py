"""Tables of Hit Me with known cards, played by typed words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from tui_casino.cards.card import Card, parse_hand
from tui_casino.engine.chance import SeededSource
from tui_casino.engine.croupier import Croupier, FixedShoe, ShuffledShoe
from tui_casino.engine.game import Seat
from tui_casino.engine.table import Table
from tui_casino.games.thirty_one import DEFINITION
from tui_casino.games.thirty_one.face.tally import Tally
from tui_casino.games.thirty_one.machine import game
from tui_casino.games.thirty_one.machine.rules import CENTS, Rules
from tui_casino.games.thirty_one.machine.state import Action, Event, Options, RoundOver, State
from tui_casino.house.seat_dialogue import Dialogue
from tui_casino.inputs.files import UserPath

SEAT = Seat(0)
Playing = Dialogue[Options, State, Action, Event, Tally]
DECK = Path(__file__).parents[2] / "data" / "thirty_one" / "deck.txt"
ASKED: Mapping[str, UserPath] = {"deck": UserPath(DECK.name, DECK.parent)}
"""The files of the named tables that ask for one."""
ENOUGH = " 2C" * 40
"""Cards that follow the known ones, so that the dealer always has enough."""


class Told(Playing):
    """A table that records all events, and is played by words."""

    def __init__(self, croupier: Croupier, rules: Rules, dollars: int) -> None:
        options = Options(rules, CENTS * dollars)
        table = Table(game, options, croupier, SeededSource(1), {SEAT: None})
        self.heard: list[Event] = []
        table.bus.subscribe(SEAT, lambda told: self.heard.extend(told.events))
        super().__init__(table, DEFINITION)
        self.listen()

    @property
    def state(self) -> State:
        return self.table.state

    @property
    def over(self) -> RoundOver:
        """The last finished round."""
        return [event for event in self.heard if isinstance(event, RoundOver)][-1]

    @property
    def offered(self) -> set[str]:
        """The words on offer, without those that are barred."""
        kinds = {offer.kind for offer in game.offers(self.state, SEAT) if not offer.barred}
        return {word for word, kind in DEFINITION.words.verbs.items() if kind in kinds}

    def play(self, *words: str) -> list[str]:
        """Play these words, each of them on offer; return all lines printed."""
        said: list[str] = []
        for word in words:
            steps = len(self.heard)
            said += self.answer(word)
            assert len(self.heard) > steps, f"{word} was refused: {said[-1]}"
        return said

    def refused(self, word: str) -> str:
        """Expect a word to be refused without any change; return the refusal."""
        before = self.state
        (said,) = self.answer(word)
        assert self.state == before
        return said


def dealt(cards: str | Iterable[Card], rules: Rules | None = None, dollars: int = 1_000) -> Told:
    """Begin at a table with these cards: the player's first, then the dealer's."""
    known = parse_hand(cards) if isinstance(cards, str) else tuple(cards)
    return Told(FixedShoe(known), rules or Rules(), dollars)


def shuffled(rules: Rules | None = None, dollars: int = 1_000) -> Told:
    """Begin at a table with a shuffled shoe."""
    return Told(ShuffledShoe(), rules or Rules(), dollars)


def played(cards: str, *words: str, rules: Rules | None = None, dollars: int = 1_000) -> Told:
    """Play one round with a bet of 20, all words on offer; the dealer has enough cards."""
    table = dealt(cards + ENOUGH, rules, dollars)
    table.play("b 20", *words)
    return table
