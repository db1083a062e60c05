"""The toy game: two seats ante a chip and get a card each; the higher rank wins the pot.

The cards are dealt face down. Both seats are asked at the same time to keep or change their card,
and neither sees the other's answer before both have answered. With equal ranks, both antes are
returned.
"""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct

from tui_casino.cards.card import BACK, PACK, Card
from tui_casino.engine.game import (
    AskSeats,
    Chance,
    Deal,
    NeedCard,
    NeedShoe,
    Seat,
    Shoe,
    SittingOver,
    Step,
    Turn,
    is_asked,
)
from tui_casino.engine.money import Money
from tui_casino.engine.offers import Offer, OneOf
from tui_casino.structs import replace

slug = "toy"
unit = 100
SEATS = (Seat(0), Seat(1))


class Options(Struct, frozen=True):
    """The money of each seat at the start, in chips of 1.00."""

    chips: int = 50


class Ante(Struct, frozen=True):
    """Put in a chip, and get a card."""


class Keep(Struct, frozen=True):
    """Keep the card."""


class Change(Struct, frozen=True):
    """Discard the card and get another; ``how`` (one hand or two) makes no difference."""

    how: int


Action: TypeAlias = Ante | Keep | Change
actions: tuple[type[Action], ...] = (Ante, Keep, Change)


class Dealt(Struct, frozen=True):
    """A seat got a card."""

    seat: Seat
    card: Card


class Answered(Struct, frozen=True):
    """A seat has answered; ``changes`` is ``None`` for viewers who may not know it yet."""

    seat: Seat
    changes: bool | None


class AllAnswered(Struct, frozen=True):
    """Both seats have answered, and these seats change their cards."""

    changing: tuple[Seat, ...]


class Shown(Struct, frozen=True):
    """A round is over: the cards of both seats, their discards, and the chips that each won."""

    cards: tuple[Card, ...]
    won: tuple[int, int]


Event: TypeAlias = Dealt | Answered | AllAnswered | Shown
events: tuple[type[Event], ...] = (Dealt, Answered, AllAnswered, Shown)


class State(Struct, frozen=True):
    """The table at one moment; the cards of a finished round stay until the next round.

    ``asked`` are the seats that have not answered yet, ``waits`` the seats that get a card next.
    ``staked`` is true while the antes are in the pot.
    """

    chips: tuple[int, int]
    stock: int = 0
    cards: tuple[Card, ...] = ()
    thrown: tuple[Card, ...] = ()
    asked: tuple[Seat, ...] = SEATS
    changing: tuple[Seat, ...] = ()
    waits: tuple[Seat, ...] = ()
    staked: bool = False


def sit(options: Options, purse: int) -> Options:
    """Bring the whole balance; the opponent brings the same amount."""
    return replace(options, chips=purse)


def seats(options: Options) -> int:
    """Return 2."""
    return len(SEATS)


def start(options: Options) -> State:
    """Return the first state: the chips of the options, and no cards."""
    return State((options.chips, options.chips))


def turn(state: State) -> Turn:
    """Return what happens next: antes, shuffle, two cards, both choices, changed cards."""
    broke = not state.staked and not min(state.chips)
    if broke or (state.staked and not state.stock):
        return SittingOver("no chips or cards")
    if state.waits:
        return NeedCard()
    return AskSeats(state.asked) if state.asked else NeedShoe(PACK)


def offers(state: State, seat: Seat) -> tuple[Offer[Action], ...]:
    """Offer the ante; then offer to keep the card, or to change it if cards are left."""
    if not is_asked(turn(state), seat):
        return ()
    if not state.staked:
        return (Offer(Ante),)
    barred = None if state.stock > len(SEATS) else "too few cards"
    return Offer(Keep), Offer(Change, (OneOf((1, 2)),), barred=barred)


def step(state: State, actor: Seat | None, action: Action | Chance) -> Step[State, Event]:
    """Apply an offered action, or a card or shuffle from the croupier."""
    match action:
        case Shoe(stock):
            chips = (state.chips[0] - 1, state.chips[1] - 1)
            return Step(State(chips, stock, waits=SEATS, staked=True))
        case Deal(card):
            return _deal(state, card)
    assert actor is not None, "only a seat antes and answers"
    if isinstance(action, Ante):
        return Step(replace(state, asked=_without(actor, state.asked)))
    return _answer(state, actor, isinstance(action, Change))


def _without(seat: Seat, seats: tuple[Seat, ...]) -> tuple[Seat, ...]:
    return tuple(other for other in seats if other != seat)


def _deal(state: State, card: Card) -> Step[State, Event]:
    seat, *rest = state.waits
    cards = (*state.cards[:seat], card, *state.cards[seat + 1 :])
    state = replace(state, stock=state.stock - 1, cards=cards, waits=tuple(rest))
    told = Dealt(seat, card)
    return Step(state, (told,)) if rest or state.asked else _settle(state, (told,))


def _answer(state: State, seat: Seat, changes: bool) -> Step[State, Event]:
    asked = _without(seat, state.asked)
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
    state = replace(state, chips=chips, asked=SEATS, staked=False)
    return Step(state, (*told, Shown((*state.cards, *state.thrown), won)))


def view(state: State, seat: Seat | None) -> State:
    """Hide the other seat's card and answer during a round."""
    if not state.staked:
        return state
    cards = tuple(card if i == seat else BACK for i, card in enumerate(state.cards))
    changing = state.changing
    if state.asked:
        changing = tuple(other for other in changing if other == seat)
    return replace(state, cards=cards, thrown=(BACK,) * len(state.thrown), changing=changing)


def hear(state: State, event: Event, seat: Seat | None) -> Event:
    """Return the event without the other seat's card or answer."""
    match event:
        case Dealt(other) if other != seat:
            return Dealt(other, BACK)
        case Answered(other) if other != seat:
            return Answered(other, None)
    return event


def money(state: State, seat: Seat) -> Money:
    """Return a seat's chips and its ante."""
    return Money(state.chips[seat], int(state.staked))
