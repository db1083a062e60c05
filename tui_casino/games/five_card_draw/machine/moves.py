"""The actions of the seats of five-card draw, and the events that follow."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from ....cards.card import Card, Hand


@dataclass(frozen=True, slots=True)
class Play:
    """Deal the next hand."""


@dataclass(frozen=True, slots=True)
class Discard:
    """Discard the cards at these ascending positions and draw as many; with none, stand pat."""

    positions: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Fold:
    """Give up the hand."""


@dataclass(frozen=True, slots=True)
class Check:
    """Check: stay in without a bet, which is possible until a player bets."""


@dataclass(frozen=True, slots=True)
class Call:
    """Match the bet, or put in all remaining chips."""


@dataclass(frozen=True, slots=True)
class Bet:
    """Open the betting with the limit bet, or with all remaining chips."""


@dataclass(frozen=True, slots=True)
class Raise:
    """Match the bet and add the limit, or put in all remaining chips."""


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
    """A card was dealt to a seat, in the deal or after a discard."""

    seat: int
    card: Card


@dataclass(frozen=True, slots=True)
class HandHeld:
    """A seat's hand at the start of a betting round, with its cards in order of importance."""

    seat: int
    hand: Hand


@dataclass(frozen=True, slots=True)
class DrawAsked:
    """It is a seat's turn to discard; its cards are in order of importance."""

    seat: int
    hand: Hand


@dataclass(frozen=True, slots=True)
class Discarded:
    """A seat has discarded these cards."""

    seat: int
    cards: Hand


@dataclass(frozen=True, slots=True)
class Acted:
    """A seat acted in a betting round: the action's name, and the credits that the seat put in."""

    seat: int
    act: str
    chips: int


@dataclass(frozen=True, slots=True)
class HandShown:
    """A hand shown at the showdown, with its cards in order of importance, and its name."""

    seat: int
    hand: Hand
    name: str


@dataclass(frozen=True, slots=True)
class HandOver:
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
