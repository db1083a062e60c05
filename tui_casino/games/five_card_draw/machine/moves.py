"""The actions of the seats of five-card draw, and the events that follow."""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct

from ....cards.card import Card, Hand


class Play(Struct, frozen=True):
    """Deal the next hand."""


class Discard(Struct, frozen=True):
    """Discard the cards at these ascending positions and draw as many; with none, stand pat."""

    positions: tuple[int, ...]


class Fold(Struct, frozen=True):
    """Give up the hand."""


class Check(Struct, frozen=True):
    """Check: stay in without a bet, which is possible until a player bets."""


class Call(Struct, frozen=True):
    """Match the bet, or put in all remaining chips."""


class Bet(Struct, frozen=True):
    """Open the betting with the limit bet, or with all remaining chips."""


class Raise(Struct, frozen=True):
    """Match the bet and add the limit, or put in all remaining chips."""


Action: TypeAlias = Play | Discard | Fold | Check | Call | Bet | Raise
actions: tuple[type[Action], ...] = (Play, Discard, Fold, Check, Call, Bet, Raise)


class Shuffled(Struct, frozen=True):
    """The deck was shuffled."""


class HandBegun(Struct, frozen=True):
    """The cards are being dealt to these seats, in this order; each has paid the ante."""

    seats: tuple[int, ...]
    ante: int


class CardDealt(Struct, frozen=True):
    """A card was dealt to a seat, in the deal or after a discard."""

    seat: int
    card: Card


class HandHeld(Struct, frozen=True):
    """A seat's hand at the start of a betting round, with its cards in order of importance."""

    seat: int
    hand: Hand


class DrawAsked(Struct, frozen=True):
    """It is a seat's turn to discard; its cards are in order of importance."""

    seat: int
    hand: Hand


class Discarded(Struct, frozen=True):
    """A seat has discarded these cards."""

    seat: int
    cards: Hand


class Acted(Struct, frozen=True):
    """A seat acted in a betting round: the action's name, and the credits that the seat put in."""

    seat: int
    act: str
    chips: int


class HandShown(Struct, frozen=True):
    """A hand shown at the showdown, with its cards in order of importance, and its name."""

    seat: int
    hand: Hand
    name: str


class HandOver(Struct, frozen=True):
    """The hand is over: the winners, and the credits that each seat put in and won."""

    winners: tuple[int, ...]
    put_in: tuple[int, ...]
    won: tuple[int, ...]
    shown: bool


Event: TypeAlias = (
    Shuffled
    | HandBegun
    | CardDealt
    | HandHeld
    | DrawAsked
    | Discarded
    | Acted
    | HandShown
    | HandOver
)
events: tuple[type[Event], ...] = (
    Shuffled,
    HandBegun,
    CardDealt,
    HandHeld,
    DrawAsked,
    Discarded,
    Acted,
    HandShown,
    HandOver,
)
