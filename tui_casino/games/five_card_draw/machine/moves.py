"""What the seats of five-card draw do, and what is told of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from ....cards.card import Card, Hand


@dataclass(frozen=True, slots=True)
class Play:
    """Have the next hand dealt."""


@dataclass(frozen=True, slots=True)
class Discard:
    """Discard the cards at these positions, in rising order, and draw as many; none: stand pat."""

    positions: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Fold:
    """Give up the hand."""


@dataclass(frozen=True, slots=True)
class Check:
    """Stay in without a bet, while there is none."""


@dataclass(frozen=True, slots=True)
class Call:
    """Match the bet, or put in all that is left."""


@dataclass(frozen=True, slots=True)
class Bet:
    """Open the betting with the limit, or with all that is left."""


@dataclass(frozen=True, slots=True)
class Raise:
    """Match the bet and add the limit, or all that is left."""


Action: TypeAlias = Play | Discard | Fold | Check | Call | Bet | Raise
actions: tuple[type[Action], ...] = (Play, Discard, Fold, Check, Call, Bet, Raise)


@dataclass(frozen=True, slots=True)
class Shuffled:
    """The deck was shuffled."""


@dataclass(frozen=True, slots=True)
class HandBegun:
    """The cards are being dealt to these seats, in this order; each has paid the ante."""

    seats: tuple[int, ...]
    ante: int


@dataclass(frozen=True, slots=True)
class CardDealt:
    """A card came to a seat: in the deal, or drawn for a discard."""

    seat: int
    card: Card


@dataclass(frozen=True, slots=True)
class HandHeld:
    """What a seat holds as a round of bets opens, in order of importance."""

    seat: int
    hand: Hand


@dataclass(frozen=True, slots=True)
class DrawAsked:
    """It is a seat's turn to discard; its hand in order of importance."""

    seat: int
    hand: Hand


@dataclass(frozen=True, slots=True)
class Discarded:
    """A seat has discarded these cards."""

    seat: int
    cards: Hand


@dataclass(frozen=True, slots=True)
class Acted:
    """What a seat did in a betting round: the action's name, and the credits that it put in."""

    seat: int
    act: str
    chips: int


@dataclass(frozen=True, slots=True)
class HandShown:
    """A hand at the showdown, in order of importance, and what it is in words."""

    seat: int
    hand: Hand
    name: str


@dataclass(frozen=True, slots=True)
class HandOver:
    """The hand is decided: who won, and by seat what was put in and what came back."""

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
