"""Baccarat for several people at one table: each bets for themselves, on the same coups.

The shoe and the hands are those of the game for one person; a seat is a place for a bettor, and may
be free. People take and leave seats between coups. A coup begins once everybody at the table is
ready. A table lasts for one shoe; after its last coup everybody is paid out.
"""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct

from ....engine.game import (
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
)
from ....engine.money import Money
from ....engine.offers import Offer
from ....engine.seating import (
    READY,
    SHARED,
    Join,
    Leave,
    SeatLeft,
    SeatReady,
    SeatTaken,
    join_offer,
)
from ....structs import replace
from . import game, rules
from . import state as m

MOST_SEATS = 7
"""The number of seats at a full table."""


class Options(Struct, frozen=True):
    """The number of seats, and the rules of the shoe and of payouts; its credit is not used.

    Raises ``ValueError`` for an impossible number of seats.
    """

    seats: int = MOST_SEATS
    table: rules.Options = rules.Options()

    def __post_init__(self) -> None:
        if not 2 <= self.seats <= MOST_SEATS:
            raise ValueError(f"a table has 2 to {MOST_SEATS} seats, not {self.seats}")


class Bettor(Struct, frozen=True):
    """Somebody at the table: the credit in cents, and the bets as in :class:`.state.State`."""

    credit: int
    bets: rules.Bets = rules.NO_BETS
    last: rules.Bets = rules.NO_BETS
    is_ready: bool = False


class State(Struct, frozen=True):
    """The state of the table: the shoe with the coup, without bets, and the bettors by seat."""

    options: Options
    shoe: m.State
    bettors: tuple[Bettor | None, ...]


Action: TypeAlias = Join | Leave | m.Bet | m.Clear | m.Repeat | m.Play
actions: tuple[type[Action], ...] = (Join, Leave, m.Bet, m.Clear, m.Repeat, m.Play)


class SeatBets(Struct, frozen=True):
    """The bets of a seat have changed."""

    seat: Seat
    bets: rules.Bets


class SeatPaid(Struct, frozen=True):
    """The bets of a seat are decided, as in :class:`.state.CoupOver`."""

    seat: Seat
    bets: rules.Bets
    paid: rules.Bets
    credit: int


Event: TypeAlias = m.Event | SeatTaken | SeatLeft | SeatBets | SeatReady | SeatPaid
events: tuple[type[Event], ...] = (
    *m.events,
    SeatTaken,
    SeatLeft,
    SeatBets,
    SeatReady,
    SeatPaid,
)

slug = game.slug + SHARED
unit = game.unit
_CREDIT = 1 << 53
"""The credit of the shoe, which only has to be enough for a bet."""


def sit(options: Options, purse: int) -> Options:
    """Return the options: everybody brings their own money when they join."""
    return options


def options_for_one(options: Options) -> rules.Options:
    """Return the options of the game for one person with these cards and rules."""
    return options.table


def seats(options: Options) -> int:
    """Return the number of seats."""
    return options.seats


def start(options: Options) -> State:
    """Return the state before the first shoe, with free seats."""
    shoe = m.State(options.table, _CREDIT)
    return State(options, shoe, (None,) * options.seats)


def bettor_at(state: State, seat: Seat) -> m.State:
    """Return the table as the game for one person shows it to the bettor at a seat."""
    bettor = state.bettors[seat]
    assert bettor is not None, "the seat is free"
    return replace(state.shoe, credit=bettor.credit, bets=bettor.bets, last=bettor.last)


def turn(state: State) -> Turn:
    """Return what has to happen next: a shoe, a card, or choices of the seats.

    Free seats are asked as well, because somebody may join.
    """
    match game.turn(state.shoe):
        case NeedCard():
            is_coup = state.shoe.phase is m.Phase.COUP
            return NeedCard(is_coup and state.shoe.player == rules.NO_CARDS)
        case NeedShoe() as need:
            return need
    if state.shoe.finished:
        return SittingOver("the shoe is finished")
    return AskSeats(
        tuple(
            Seat(seat)
            for seat, bettor in enumerate(state.bettors)
            if bettor is None or not bettor.is_ready
        )
    )


def offers(state: State, seat: Seat) -> tuple[Offer[Action], ...]:
    """Return the legal actions: join, or what the game for one person allows, and leave."""
    asked = turn(state)
    if not isinstance(asked, AskSeats) or seat not in asked.seats:
        return ()
    if state.bettors[seat] is None:
        return (join_offer(m.SMALLEST_BET, _CREDIT),)
    return (*game.offers(bettor_at(state, seat), m.PLAYER), Offer(Leave))


def step(state: State, actor: Seat | None, action: Action | Chance) -> Step[State, Event]:
    """Apply an action of a seat, or a shoe or card from the croupier."""
    if isinstance(action, Shoe | Deal):
        return _dealt(state, action)
    assert actor is not None, "only the croupier acts without a seat"
    match action:
        case Join(cents):
            return Step(_with(state, actor, Bettor(cents)), (SeatTaken(actor, cents),))
        case Leave():
            return _begin_if_ready(*_leave(state, actor))
        case m.Play():
            bettor = state.bettors[actor]
            assert bettor is not None, "the seat is free"
            ready = _with(state, actor, replace(bettor, is_ready=True))
            return _begin_if_ready(ready, (SeatReady(actor),))
    changed = game.step(bettor_at(state, actor), m.PLAYER, action).state
    bettor = state.bettors[actor]
    assert bettor is not None, "the seat is free"
    state = _with(state, actor, replace(bettor, bets=changed.bets))
    return Step(state, (SeatBets(actor, changed.bets),))


def _with(state: State, seat: Seat, bettor: Bettor | None) -> State:
    bettors = (*state.bettors[:seat], bettor, *state.bettors[seat + 1 :])
    return replace(state, bettors=bettors)


def _leave(state: State, seat: Seat) -> tuple[State, tuple[Event, ...]]:
    bettor = state.bettors[seat]
    assert bettor is not None, "the seat is free"
    return _with(state, seat, None), (SeatLeft(seat, bettor.credit),)


def _begin_if_ready(state: State, events: tuple[Event, ...]) -> Step[State, Event]:
    """Begin the next coup if everybody at the table is ready."""
    present = [bettor for bettor in state.bettors if bettor is not None]
    if not present or not all(bettor.is_ready for bettor in present):
        return Step(state, events)
    begun = game.step(state.shoe, m.PLAYER, m.Play())
    bettors = tuple(bettor and _staked(bettor) for bettor in state.bettors)
    shoe = replace(begun.state, credit=_CREDIT)
    return Step(replace(state, shoe=shoe, bettors=bettors), (*events, *begun.events))


def _staked(bettor: Bettor) -> Bettor:
    """Return a bettor whose bets are at stake."""
    last = bettor.bets if any(bettor.bets) else bettor.last
    credit = bettor.credit - rules.CENTS * sum(bettor.bets)
    return replace(bettor, credit=credit, last=last, is_ready=False)


def _dealt(state: State, action: Chance) -> Step[State, Event]:
    dealt = game.step(state.shoe, None, action)
    state = replace(state, shoe=replace(dealt.state, credit=_CREDIT))
    told: list[Event] = [*dealt.events]
    if not any(isinstance(event, m.CoupOver) for event in dealt.events):
        return Step(state, (*told,))
    coup = state.shoe.coups[-1]
    for place, bettor in enumerate(state.bettors):
        if bettor is None:
            continue
        seat = Seat(place)
        paid = rules.bets_of(
            rules.payout(spot, credits, coup, state.options.table)
            for spot, credits in zip(rules.SPOTS, bettor.bets, strict=True)
        )
        rest = replace(bettor, credit=bettor.credit + sum(paid), bets=rules.NO_BETS)
        told.append(SeatPaid(seat, bettor.bets, paid, rest.credit))
        state = _with(state, seat, rest)
        if rest.credit < m.SMALLEST_BET or state.shoe.finished:
            state, left = _leave(state, seat)
            told += left
    return Step(state, (*told,))


def view(state: State, seat: Seat | None) -> State:
    """Return the whole state: all bets are open, and it never contains the hidden burnt cards."""
    return state


def hear(state: State, event: Event, seat: Seat | None) -> Event:
    """Return the event, with the face of a burnt card hidden."""
    hidden: Event = event
    if isinstance(event, m.Burnt):
        hidden = game.hear(state.shoe, event, seat)
    return hidden


def seen(state: State, events: tuple[Event, ...], seat: Seat) -> Step[m.State, m.Event]:
    """Return a step as the game for one person shows it to a bettor.

    A bettor who is ready sees the coup begin, and waits for its first card.
    """
    told, left = list[m.Event](), 0
    paid = next((one for one in events if isinstance(one, SeatPaid) and one.seat == seat), None)
    for event in events:
        match event:
            case m.CoupOver() if paid is not None:
                told.append(replace(event, bets=paid.bets, paid=paid.paid, credit=paid.credit))
            case SeatBets(bettor, bets) if bettor == seat:
                told.append(m.BetsLaid(bets))
            case SeatLeft(bettor, credit) if bettor == seat:
                left = credit
            case SeatTaken() | SeatLeft() | SeatBets() | SeatReady() | SeatPaid():
                pass
            case _:
                told.append(game.hear(state.shoe, event, m.PLAYER))
    bettor_there = state.bettors[seat]
    if bettor_there is None:
        return Step(replace(state.shoe, credit=left), (*told,))
    view = bettor_at(state, seat)
    begun = game.step(view, m.PLAYER, m.Play()).state if bettor_there.is_ready else view
    return Step(begun, (*told,))


def money(state: State, seat: Seat) -> Money:
    """Return the credit of a seat, including bets before the deal, and the bets of a coup."""
    bettor = state.bettors[seat]
    if bettor is None:
        return Money(0)
    is_dealt = state.shoe.phase is m.Phase.COUP
    return Money(bettor.credit, rules.CENTS * sum(bettor.bets) if is_dealt else 0)


def awaited(state: State) -> tuple[Seat, ...]:
    """Return the seats that are not ready, once somebody has bet or is ready for the next coup."""
    present = [(Seat(seat), one) for seat, one in enumerate(state.bettors) if one is not None]
    if not isinstance(turn(state), AskSeats) or not any(
        one.is_ready or any(one.bets) for _, one in present
    ):
        return ()
    return tuple(seat for seat, one in present if not one.is_ready)


def default(state: State, seat: Seat) -> Action:
    """Return the action of a seat whose time is over: it is ready, with the bets it has."""
    return m.Play()


def doing(state: State, seat: Seat) -> str:
    """Return the bets of a seat, and whether it is ready: ``25 on Player, ready``."""
    bettor = state.bettors[seat]
    if bettor is None:
        return ""
    bets = [
        f"{credits} on {spot.label}"
        for spot, credits in zip(rules.SPOTS, bettor.bets, strict=True)
        if credits
    ]
    return ", ".join([*bets, *([READY] if bettor.is_ready else [])])
