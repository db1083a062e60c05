"""Hit Me for several people at one table: each plays their own hands against the same dealer.

The rules are those of the game for one person. People take and leave seats between rounds. Once
everybody has bet or sits out, the cards are dealt, and all play their hands at the same time: the
shoe gives cards in the order in which they are asked for. Once all hands are played, the dealer
draws until no hand requires another card. A table lasts until the cards are used up in a round.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeAlias

from msgspec import Struct

from ....cards.card import Hand, format_cards, whole_packs
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
    is_asked,
)
from ....engine.money import Money, dollars
from ....engine.offers import Offer
from ....engine.seating import (
    SHARED,
    SITS_OUT,
    Join,
    Leave,
    SeatLeft,
    SeatSitsOut,
    SeatTaken,
    SitOut,
    join_offer,
)
from ....structs import replace
from . import game
from . import state as m
from .rules import CENTS, DECKS, LEAST_STOCK, LIMIT, MINIMUM

MOST_SEATS = 5
"""The number of seats at a full table."""
MORE_STOCK = 4
"""The number of cards, for each further seat, that the shoe needs before a round."""
_MOST_CREDIT = 1 << 53


class Options(Struct, frozen=True):
    """The number of seats, and the rules of the house; its credit is not used.

    Raises ``ValueError`` for an impossible number of seats.
    """

    seats: int = MOST_SEATS
    table: m.Options = m.Options()

    def __post_init__(self) -> None:
        if not 2 <= self.seats <= MOST_SEATS:
            raise ValueError(f"a table has 2 to {MOST_SEATS} seats, not {self.seats}")


class Bettor(Struct, frozen=True):
    """Somebody at the table, with the fields of :class:`.state.State` that are their own.

    The ``phase`` is ``BET`` until a bet is made. Without hands it is ``DEALER`` for a bettor who
    sits out.
    """

    credit: int
    phase: m.Phase = m.Phase.BET
    last: int = 0
    hands: tuple[m.PlayerHand, ...] = ()
    insurance: int = 0

    @property
    def is_ready(self) -> bool:
        """Whether there is a bet for the round, or the bettor sits out."""
        return self.phase is not m.Phase.BET

    @property
    def sits_out(self) -> bool:
        """Whether the bettor lets the round go by."""
        return self.is_ready and not self.hands


class State(Struct, frozen=True):
    """The state of the table: the cards of all, and the bettors by seat.

    ``phase`` is ``SHUFFLE``, ``BET``, ``PLAY`` from the first to the last card of a round, or
    ``VOID``. ``waiting`` lists the seat and the place of each hand that gets one of the next cards;
    both are ``DEALER`` for the dealer's. The rest is as in :class:`.state.State`.
    """

    options: Options
    bettors: tuple[Bettor | None, ...]
    phase: m.Phase = m.Phase.SHUFFLE
    stock: int = 0
    discards: Hand = ()
    dealer: Hand = ()
    waiting: tuple[tuple[int, int], ...] = ()

    @property
    def present(self) -> dict[Seat, Bettor]:
        """The bettors at the table by their seats."""
        return {Seat(seat): one for seat, one in enumerate(self.bettors) if one is not None}

    @property
    def playing(self) -> tuple[Seat, ...]:
        """The seats that have bet on the present round."""
        return tuple(
            seat for seat, one in self.present.items() if one.is_ready and not one.sits_out
        )


Action: TypeAlias = Join | Leave | SitOut | m.Action
actions: tuple[type[Action], ...] = (Join, Leave, SitOut, *m.actions)


class SeatHeard(Struct, frozen=True):
    """An event of the game for one person, of this ``kind``, at a seat."""

    seat: Seat
    kind: str
    event: m.Event


Event: TypeAlias = m.ShoeBegun | SeatTaken | SeatLeft | SeatSitsOut | SeatHeard
events: tuple[type[Event], ...] = (m.ShoeBegun, SeatTaken, SeatLeft, SeatSitsOut, SeatHeard)

slug = game.slug + SHARED
unit = game.unit


def sit(options: Options, purse: int) -> Options:
    """Return the options: everybody brings their own money when they join."""
    return options


def options_for_one(options: Options) -> m.Options:
    """Return the options of the game for one person with these rules."""
    return options.table


def seats(options: Options) -> int:
    """Return the number of seats."""
    return options.seats


def least_stock(options: Options) -> int:
    """Return the number of cards with which the shoe still serves a round.

    A table for one is shuffled below ``LEAST_STOCK``; each further seat adds a hand. Five seats
    take 25 cards per round on average, and no more than 41 in 7,500 simulated rounds. In a round
    that needs even more cards, the discards are shuffled in.
    """
    return LEAST_STOCK + MORE_STOCK * (options.seats - 1)


def start(options: Options) -> State:
    """Return the state before the first shoe, with free seats."""
    return State(options, (None,) * options.seats)


def bettor_at(state: State, seat: Seat) -> m.State:
    """Return the table as the game for one person shows it to the bettor at a seat.

    The cards of others count as discards, because they are not in the shoe. A bettor whose hands
    are played, or who sits out, waits for the dealer's next card.
    """
    bettor = state.bettors[seat]
    assert bettor is not None, "the seat is free"
    phase, dealer, discards = bettor.phase, state.dealer, state.discards
    waiting: tuple[int, ...] = (m.DEALER,) if phase is m.Phase.DEALER else ()
    if state.phase is m.Phase.PLAY:
        waiting = waiting or tuple(at for who, at in state.waiting if who in (seat, m.DEALER))
        discards += _cards(one for other, one in state.present.items() if other != seat)
    elif bettor.is_ready:  # the cards of the last round are gone
        dealer, waiting = (), waiting or (0, m.DEALER)
    else:
        phase = state.phase
    return m.State(
        state.options.table,
        bettor.credit,
        phase,
        state.stock,
        discards,
        bettor.last,
        dealer,
        bettor.hands,
        bettor.insurance,
        waiting,
    )


def _cards(bettors: Iterable[Bettor]) -> Hand:
    return tuple(card for bettor in bettors for hand in bettor.hands for card in hand.cards)


def turn(state: State) -> Turn:
    """Return what has to happen next: a shoe, a card, or choices of the seats.

    Free seats are asked between rounds, because somebody may join; a bettor who sits out is asked
    during the round, because they may leave.
    """
    if state.waiting:
        begins = not state.dealer and not _cards(state.present.values())
        return NeedCard(begins) if state.stock else NeedShoe(state.discards)
    match state.phase:
        case m.Phase.SHUFFLE:
            return NeedShoe(whole_packs(DECKS))
        case m.Phase.VOID:
            return SittingOver("the cards are used up, and the round is void")
    return AskSeats(tuple(filter(lambda seat: _is_asked(state, seat), map(Seat, _places(state)))))


def _places(state: State) -> range:
    return range(len(state.bettors))


def _is_asked(state: State, seat: Seat) -> bool:
    bettor = state.bettors[seat]
    if state.phase is m.Phase.BET:
        return bettor is None or not bettor.is_ready
    return bettor is not None and (bettor.sits_out or _chooses(state, seat))


def _chooses(state: State, seat: Seat) -> bool:
    """Return whether the game for one person asks a bettor."""
    return is_asked(game.turn(bettor_at(state, seat)), game.PLAYER)


def offers(state: State, seat: Seat) -> tuple[Offer[Action], ...]:
    """Return the legal actions: join, what the game for one person allows, sit out, and leave."""
    if not is_asked(turn(state), seat):
        return ()
    if state.bettors[seat] is None:
        return (join_offer(CENTS * MINIMUM, _MOST_CREDIT),)
    own = game.offers(bettor_at(state, seat), game.PLAYER)
    if state.phase is m.Phase.PLAY:
        return own or (Offer(Leave),)
    return (*own, *((Offer(SitOut),) if state.playing else ()), Offer(Leave))


def step(state: State, actor: Seat | None, action: Action | Chance) -> Step[State, Event]:
    """Apply an action of a seat, or a shoe or card from the croupier."""
    match action:
        case Shoe(stock):
            return _shoe(state, stock)
        case Deal():
            return _deal(state, action)
    assert actor is not None, "only the croupier acts without a seat"
    match action:
        case Join(cents):
            return Step(_with(state, actor, Bettor(cents)), (SeatTaken(actor, cents),))
        case Leave():
            return _continue(*_leave(state, actor))
        case SitOut():
            bettor = replace(state.present[actor], phase=m.Phase.DEALER, hands=(), insurance=0)
            return _continue(_with(state, actor, bettor), (SeatSitsOut(actor),))
    played = game.play(bettor_at(state, actor), action)
    waiting = tuple((actor, place) for place in played.state.waiting)
    after = _taken_over(state, {actor: played.state})
    if state.phase is m.Phase.PLAY:
        after = replace(after, waiting=waiting)
    return _continue(after, _heard(actor, played.events))


def _heard(seat: Seat, events: Iterable[m.Event]) -> tuple[Event, ...]:
    return tuple(SeatHeard(seat, type(event).__name__, event) for event in events)


def _with(state: State, seat: Seat, bettor: Bettor | None) -> State:
    bettors = (*state.bettors[:seat], bettor, *state.bettors[seat + 1 :])
    return replace(state, bettors=bettors)


def _taken_over(state: State, played: Mapping[Seat, m.State]) -> State:
    """Return the table after the game for one person has been played at some seats."""
    for seat, one in played.items():
        bettor = Bettor(one.credit, one.phase, one.last, one.hands, one.insurance)
        state = _with(state, seat, bettor)
    return state


def _leave(state: State, seat: Seat) -> tuple[State, tuple[Event, ...]]:
    return _with(state, seat, None), (SeatLeft(seat, state.present[seat].credit),)


# ---- the cards -----------------------------------------------------------------------------------


def _shoe(state: State, stock: int) -> Step[State, Event]:
    in_round = state.phase is m.Phase.PLAY
    if in_round and not stock:
        return _void(state)
    phase = state.phase if in_round else m.Phase.BET
    state = replace(state, stock=stock, discards=(), phase=phase)
    return Step(state, (m.ShoeBegun(stock, in_round),))


def _deal(state: State, deal: Deal) -> Step[State, Event]:
    (who, _), *waiting = state.waiting
    seats = state.playing if who == m.DEALER else (Seat(who),)
    played = {seat: game.play(bettor_at(state, seat), deal) for seat in seats}
    dealer = (*state.dealer, deal.card) if who == m.DEALER else state.dealer
    state = replace(state, stock=state.stock - 1, dealer=dealer, waiting=tuple(waiting))
    state = _taken_over(state, {seat: one.state for seat, one in played.items()})
    events = [event for seat, one in played.items() for event in _heard(seat, one.events)]
    return _continue(state, (*events,))


def _continue(state: State, events: tuple[Event, ...]) -> Step[State, Event]:
    """Begin the round once everybody is ready; let the dealer play once all hands are played."""
    playing = state.playing
    if state.waiting or not playing:
        return Step(state, events)
    if state.phase is m.Phase.BET:
        if all(bettor.is_ready for bettor in state.present.values()):
            waiting = *((seat, 0) for seat in playing), (m.DEALER, m.DEALER)
            state = replace(state, phase=m.Phase.PLAY, dealer=(), waiting=waiting)
        return Step(state, events)
    if any(state.present[seat].phase is not m.Phase.DEALER for seat in playing):
        return Step(state, events)
    if any(game.dealer_draws_against(bettor_at(state, seat)) for seat in playing):
        return Step(replace(state, waiting=((m.DEALER, m.DEALER),)), events)
    return _settle(state, events)


def _settle(state: State, events: tuple[Event, ...]) -> Step[State, Event]:
    """Pay the round out, and let everybody leave who cannot bet again.

    Insurance is won if the dealer has 31 at last, even if only others required the last cards.
    """
    settled = {seat: game.settle(bettor_at(state, seat)) for seat in state.playing}
    events += tuple(event for seat, one in settled.items() for event in _heard(seat, one.events))
    state = replace(
        state,
        phase=m.Phase.SHUFFLE if state.stock < least_stock(state.options) else m.Phase.BET,
        discards=(*state.discards, *_cards(state.present.values()), *state.dealer),
    )
    state = _taken_over(state, {seat: one.state for seat, one in settled.items()})
    for seat, bettor in state.present.items():
        state = _with(state, seat, replace(bettor, phase=m.Phase.BET))
        if bettor.credit < CENTS * MINIMUM:
            state, left = _leave(state, seat)
            events += left
    return Step(state, events)


def _void(state: State) -> Step[State, Event]:
    """Return all stakes and pay everybody out: no card is left."""
    void = {seat: game.void(bettor_at(state, seat)) for seat in state.playing}
    events = tuple(event for seat, one in void.items() for event in _heard(seat, one.events))
    state = _taken_over(state, {seat: one.state for seat, one in void.items()})
    state = replace(state, phase=m.Phase.VOID, waiting=())
    for seat in state.present:
        state, left = _leave(state, seat)
        events += left
    return Step(state, events)


# ---- what seats see ------------------------------------------------------------------------------


def view(state: State, seat: Seat | None) -> State:
    """Return the whole state: every card is face up."""
    return state


def hear(state: State, event: Event, seat: Seat | None) -> Event:
    """Return the whole event: nothing is hidden."""
    return event


def seen(state: State, events: tuple[Event, ...], seat: Seat) -> Step[m.State, m.Event]:
    """Return a step as the game for one person shows it to a bettor.

    After the last round of somebody who has left, the view still has their hands.
    """
    told, left, hands = list[m.Event](), 0, tuple[m.PlayerHand, ...]()
    for event in events:
        match event:
            case m.ShoeBegun():
                told.append(event)
            case SeatHeard(at, _, heard) if at == seat:
                told.append(heard)
                if isinstance(heard, m.RoundOver):
                    hands = tuple(m.PlayerHand(one.bet, one.cards) for one in heard.hands)
            case SeatLeft(at, credit) if at == seat:
                left = credit
    if state.bettors[seat] is not None:
        return Step(bettor_at(state, seat), (*told,))
    gone = _with(state, seat, Bettor(left, hands=hands))
    return Step(bettor_at(gone, seat), (*told,))


def ends_round(event: Event) -> bool:
    """Return whether an event ends a round."""
    return isinstance(event, SeatHeard) and isinstance(event.event, m.RoundOver | m.RoundVoid)


def money(state: State, seat: Seat) -> Money:
    """Return the credit of a seat, including a bet before the deal, and the stakes of a round."""
    if state.bettors[seat] is None:
        return Money(0)
    own = game.money(bettor_at(state, seat), game.PLAYER)
    return own if state.phase is m.Phase.PLAY else Money(own.free + own.staked)


def awaited(state: State) -> tuple[Seat, ...]:
    """Return the seats that still have to bet, once somebody has, or to play their hands."""
    if not isinstance(turn(state), AskSeats) or not state.playing:
        return ()
    if state.phase is m.Phase.BET:
        return tuple(seat for seat, one in state.present.items() if not one.is_ready)
    return tuple(seat for seat in state.playing if _chooses(state, seat))


def default(state: State, seat: Seat) -> Action:
    """Return the action of a seat whose time is over: sit out, no insurance, or stand."""
    match state.present[seat].phase:
        case m.Phase.BET:
            return SitOut()
        case m.Phase.INSURANCE:
            return m.Decline()
    return m.Stand()


MOST_NAMED = 5
"""The maximum number of cards of a hand that are named to others."""


def doing(state: State, seat: Seat) -> str:
    """Return the bet or the hands of a seat: ``bets 20.00``, ``KS 7H = 17``, ``stands on 27``."""
    if (bettor := state.bettors[seat]) is None:
        return ""
    if bettor.sits_out:
        return SITS_OUT
    if bettor.is_ready and state.phase is m.Phase.BET:
        return f"bets {dollars(bettor.hands[0].bet)}"
    return " and ".join(_hand_text(hand) for hand in bettor.hands if hand.cards)


def _hand_text(hand: m.PlayerHand) -> str:
    points = hand.total.points
    if points > LIMIT:
        return f"bust with {points}"
    if points == LIMIT:
        return str(LIMIT)
    if hand.stood:
        return f"stands on {points}"
    named = len(hand.cards) <= MOST_NAMED
    return f"{format_cards(hand.cards) if named else f'{len(hand.cards)} cards'} = {points}"
