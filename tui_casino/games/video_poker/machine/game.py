"""Video poker as a state machine: bet 1 to 5 coins, deal five cards, hold, draw, pay."""

from __future__ import annotations

from enum import Enum
from typing import TypeAlias

from msgspec import Struct, field

from ....cards.card import PACK, Card, Hand
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
from ....engine.money import Money
from ....engine.offers import IntRange, Offer, Subset
from ....structs import replace
from .paytables import DEFAULT, load
from .rules import MAX_COINS, PayTable, row_of

slug = "video-poker"
unit = 100  # a credit is one dollar
PLAYER = Seat(0)
POSITIONS = (1, 2, 3, 4, 5)


class Options(Struct, frozen=True):
    """The initial credit and the pay table.

    Raises ``ValueError`` for a credit below zero.
    """

    credit: int = 1000
    paytable: PayTable = field(default_factory=lambda: load(DEFAULT))

    def __post_init__(self) -> None:
        if self.credit < 0:
            raise ValueError(f"the credit must be 0 or more, not {self.credit}")


class Bet(Struct, frozen=True):
    """Bet 1 to 5 coins of one credit each."""

    coins: int


class Draw(Struct, frozen=True):
    """Ask for five cards, like pressing the machine's *deal* button."""


class Hold(Struct, frozen=True):
    """Hold the cards at these positions (1 to 5, ascending) and replace the rest."""

    positions: tuple[int, ...]


Action: TypeAlias = Bet | Draw | Hold
actions: tuple[type[Action], ...] = (Bet, Draw, Hold)


class BetPlaced(Struct, frozen=True):
    """A bet was placed."""

    coins: int


class CardPlaced(Struct, frozen=True):
    """A card was dealt to a position, 1 to 5."""

    position: int
    card: Card


class HandDealt(Struct, frozen=True):
    """All five cards are dealt."""

    hand: Hand


class RoundPaid(Struct, frozen=True):
    """The round is over: final hand, its row if it won, coins bet, credits won, and new credit."""

    hand: Hand
    row: str | None
    coins: int
    won: int
    credit: int


Event: TypeAlias = BetPlaced | CardPlaced | HandDealt | RoundPaid
events: tuple[type[Event], ...] = (BetPlaced, CardPlaced, HandDealt, RoundPaid)


class Phase(Enum):
    """The stage of a round."""

    SHUFFLE = "shuffle"
    BET = "bet"
    DEAL = "deal"
    HOLD = "hold"
    DRAW = "draw"


class State(Struct, frozen=True):
    """The state of a round; the hand of a finished round stays until the next deal.

    ``coins`` is the present bet and ``last`` the most recent one. ``waiting`` are the positions
    that still get a card, from left to right; ``stock`` counts the cards left in the shoe.
    """

    options: Options
    credit: int
    stock: int = 0
    phase: Phase = Phase.SHUFFLE
    coins: int = 0
    last: int = MAX_COINS
    hand: Hand = ()
    held: tuple[int, ...] = ()
    waiting: tuple[int, ...] = ()

    @property
    def shown_hand(self) -> Hand:
        """The hand of this round, or of the last one until there is another bet."""
        return self.hand if self.waiting or self.phase is not Phase.DEAL else ()


def sit(options: Options, purse: int) -> Options:
    """Return the options with the player's whole balance as credit."""
    return replace(options, credit=purse)


def seats(options: Options) -> int:
    """Return the number of seats: one player against the machine."""
    return 1


def start(options: Options) -> State:
    """Return the state before the first round."""
    return State(options, options.credit)


def turn(state: State) -> Turn:
    """Return what has to happen next: a shuffle before a round, a card, an action, or the end."""
    if state.waiting:
        return NeedCard()
    if between_rounds(state) and not state.credit:
        return SittingOver("out of credit")
    return NeedShoe(PACK) if state.phase is Phase.SHUFFLE else AskSeats((PLAYER,))


def between_rounds(state: State) -> bool:
    """Return whether the table is between rounds: no bet is placed."""
    return state.phase in (Phase.SHUFFLE, Phase.BET)


def offers(state: State, seat: Seat) -> tuple[Offer[Action], ...]:
    """Return the legal actions; holds that need more cards than the stock has are excluded."""
    if not is_asked(turn(state), seat):
        return ()
    short = "not enough cards"
    match state.phase:
        case Phase.BET:
            max_coins = min(MAX_COINS, state.credit)
            return (Offer(Bet, (IntRange(1, max_coins),), defaults=(state.last,)),)
        case Phase.DEAL:
            return (Offer(Draw, barred=short if state.stock < len(POSITIONS) else None),)
        case _:
            min_held = max(0, len(POSITIONS) - state.stock)  # the stock cannot replace more cards
            hold_offer = Offer(Hold, (Subset(POSITIONS, min_held, 5),), defaults=((),))
            if not min_held:
                return (hold_offer,)
            return hold_offer, Offer(Hold, (Subset(POSITIONS, 0, min_held - 1),), barred=short)


def step(state: State, actor: Seat | None, action: Action | Chance) -> Step[State, Event]:
    """Apply a player's action, or a shoe or card from the croupier."""
    match action:
        case Shoe(stock):
            return Step(replace(state, stock=stock, phase=Phase.BET))
        case Bet(coins):
            state = replace(
                state, credit=state.credit - coins, coins=coins, last=coins, phase=Phase.DEAL
            )
            return Step(state, (BetPlaced(coins),))
        case Draw():
            return Step(replace(state, hand=(), held=(), waiting=POSITIONS))
        case Hold(held):
            waiting = tuple(place for place in POSITIONS if place not in held)
            state = replace(state, held=held, waiting=waiting, phase=Phase.DRAW)
            return Step(state) if waiting else _pay(state, ())
        case Deal(card):
            return _place(state, card)


def _place(state: State, card: Card) -> Step[State, Event]:
    place, *waiting = state.waiting
    hand = (*state.hand[: place - 1], card, *state.hand[place:])
    state = replace(state, hand=hand, stock=state.stock - 1, waiting=tuple(waiting))
    placed = CardPlaced(place, card)
    if waiting:
        return Step(state, (placed,))
    if state.phase is Phase.DRAW:
        return _pay(state, (placed,))
    return Step(replace(state, phase=Phase.HOLD), (placed, HandDealt(hand)))


def _pay(state: State, events: tuple[Event, ...]) -> Step[State, Event]:
    row = row_of(state.options.paytable, state.hand, state.coins)
    won = row.pay(state.coins) if row else 0
    credit = state.credit + won
    result = RoundPaid(state.hand, row.name if row else None, state.coins, won, credit)
    state = replace(state, credit=credit, coins=0, phase=Phase.SHUFFLE)
    return Step(state, (*events, result))


def view(state: State, seat: Seat | None) -> State:
    """Return the whole state: only the shoe is hidden, and it is not part of the state."""
    return state


def hear(state: State, event: Event, seat: Seat | None) -> Event:
    """Return the event unchanged: every event is public."""
    return event


def money(state: State, seat: Seat) -> Money:
    """Return the credit, and the coins bet in an unfinished round."""
    return Money(state.credit, state.coins)
