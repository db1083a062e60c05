"""A small whole game of hidden cards and stakes, on which the contract's own checks are tried.

Two seats ante a chip, and get a card each, face down. Both are asked at once whether they keep it
or change it, and neither knows the other's answer before both have answered. The higher rank takes
the pot, and equal ranks take their antes back.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import SimpleNamespace
from typing import Any

from tui_casino.cards.card import BACK, PACK, Card
from tui_casino.engine.game import (
    Ask,
    Chance,
    Deal,
    IllegalAction,
    NeedCard,
    NeedShoe,
    Over,
    Seat,
    Shoe,
    Step,
    Turn,
    asks,
)
from tui_casino.engine.money import Money
from tui_casino.engine.offers import Dice, Offer, OneOf
from tui_casino.gamekit.parts import Parts
from tui_casino.gamekit.words import Question

slug = "toy"
unit = 100
SEATS = (Seat(0), Seat(1))


@dataclass(frozen=True, slots=True)
class Options:
    chips: int = 50


@dataclass(frozen=True, slots=True)
class Keep:
    pass


@dataclass(frozen=True, slots=True)
class Change:
    how: int


Action = Keep | Change
actions: tuple[type[Action], ...] = (Keep, Change)


@dataclass(frozen=True, slots=True)
class Dealt:
    seat: Seat
    card: Card


@dataclass(frozen=True, slots=True)
class Answered:
    """A seat has answered; ``changes`` is ``None`` to those who do not know it yet."""

    seat: Seat
    changes: bool | None


@dataclass(frozen=True, slots=True)
class AllAnswered:
    """Both have answered: these seats change their cards."""

    changing: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class Shown:
    cards: tuple[Card, ...]
    won: tuple[int, int]


Event = Dealt | Answered | AllAnswered | Shown
events: tuple[type[Event], ...] = (Dealt, Answered, AllAnswered, Shown)


@dataclass(frozen=True, slots=True)
class State:
    """``asked`` are the seats that have not answered yet, ``waits`` those that get a card next."""

    chips: tuple[int, int]
    stock: int = 0
    cards: tuple[Card, ...] = ()
    thrown: tuple[Card, ...] = ()
    asked: tuple[Seat, ...] = ()
    changing: tuple[Seat, ...] = ()
    waits: tuple[Seat, ...] = ()
    staked: bool = False


def sit(options: Options, purse: int) -> Options:
    return replace(options, chips=purse)


def seats(options: Options) -> int:
    return 2


def start(options: Options) -> State:
    return State((options.chips, options.chips))


def turn(state: State) -> Turn:
    broke = not state.staked and not min(state.chips)
    if broke or (state.staked and not state.stock):
        return Over("no chips or cards")
    if not state.staked:
        return NeedShoe(PACK)
    return NeedCard() if state.waits else Ask(state.asked)


def offers(state: State, seat: Seat) -> tuple[Offer[Action], ...]:
    if not asks(turn(state), seat):
        return ()
    barred = None if state.stock > 2 else "too few cards"
    return Offer(Keep), Offer(Change, (OneOf((1, 2)),), barred=barred)


def step(state: State, actor: Seat | None, action: Action | Chance) -> Step[State, Event]:
    match action:
        case Shoe(stock):
            chips = (state.chips[0] - 1, state.chips[1] - 1)
            return Step(State(chips, stock, asked=SEATS, waits=SEATS, staked=True))
        case Deal(card):
            seat, *rest = state.waits
            cards = (*state.cards[:seat], card, *state.cards[seat + 1 :])
            state = replace(state, stock=state.stock - 1, cards=cards, waits=tuple(rest))
            told = Dealt(seat, card)
            return Step(state, (told,)) if rest or state.asked else _settle(state, (told,))
    assert actor is not None, "a card is changed by its seat"
    return _answer(state, actor, isinstance(action, Change))


def _answer(state: State, seat: Seat, changes: bool) -> Step[State, Event]:
    asked = tuple(other for other in state.asked if other != seat)
    changing = tuple(sorted((*state.changing, seat))) if changes else state.changing
    state = replace(state, asked=asked, changing=changing)
    told = Answered(seat, changes)
    if asked:
        return Step(state, (told,))
    both = AllAnswered(changing)
    if not changing:
        return _settle(state, (told, both))
    thrown = tuple(state.cards[other] for other in changing)
    return Step(replace(state, thrown=thrown, waits=changing), (told, both))


def _settle(state: State, told: tuple[Event, ...]) -> Step[State, Event]:
    a, b = (card.rank for card in state.cards)
    won = (1, 1) if a == b else (2, 0) if a > b else (0, 2)
    chips = (state.chips[0] + won[0], state.chips[1] + won[1])
    state = replace(state, chips=chips, staked=False)
    return Step(state, (*told, Shown((*state.cards, *state.thrown), won)))


def view(state: State, seat: Seat | None) -> State:
    if not state.staked:
        return state
    cards = tuple(card if i == seat else BACK for i, card in enumerate(state.cards))
    changing = state.changing
    if state.asked:
        changing = tuple(other for other in changing if other == seat)
    return replace(state, cards=cards, thrown=(BACK,) * len(state.thrown), changing=changing)


def hear(state: State, event: Event, seat: Seat | None) -> Event:
    match event:
        case Dealt(other) if other != seat:
            return Dealt(other, BACK)
        case Answered(other) if other != seat:
            return Answered(other, None)
    return event


def money(state: State, seat: Seat) -> Money:
    return Money(state.chips[seat], int(state.staked))


@dataclass(frozen=True, slots=True)
class Tally:
    seat: Seat
    rounds: int = 0
    won: int = 0

    @property
    def wagered(self) -> int:
        return self.rounds

    def add(self, event: Event) -> Tally:
        if not isinstance(event, Shown):
            return self
        return replace(self, rounds=self.rounds + 1, won=self.won + event.won[self.seat])

    def __add__(self, other: Tally) -> Tally:
        return Tally(self.seat, self.rounds + other.rounds, self.won + other.won)

    def report(self) -> dict[str, Any]:
        return {"rounds": self.rounds, "won": self.won}


verbs: Mapping[str, Any] = {"k": Keep, "c": Change}


def help(view: State) -> str:
    return "k  keep\nc 1  change\n$  chips"


def chips(question: Question[State, Tally]) -> str:
    return str(question.view.chips[question.seat])


questions: Mapping[str, Any] = {"$": chips}


def lines(event: Event, seat: Seat | None) -> tuple[str, ...]:
    return (str(event),)


def refusal(word: str, refused: IllegalAction, view: State) -> str:
    return f"{word}: {refused}"


class Keeper:
    def choose(
        self, view: State, seat: Seat, offers: tuple[Offer[Action], ...], dice: Dice
    ) -> Action:
        return Keep()


def toy(**planted: Any) -> Parts[Any, Any, Any, Any, Any]:
    """Give the game, with some of its functions or classes replaced by faulty ones."""
    names: Any = SimpleNamespace(**{**globals(), **planted})
    players: Any = planted.get("players", {"keeper": Keeper})
    return Parts(names, names, names.Tally, players)
