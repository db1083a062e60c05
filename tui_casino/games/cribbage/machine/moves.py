"""The actions and events of cribbage."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from ....cards.card import Card, Hand
from .scoring import Score


@dataclass(frozen=True, slots=True)
class Discard:
    """Give the two cards at these places of the hand, from 1 and ascending, to the crib."""

    places: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Lay:
    """Play the card at this place, from 1, of the four cards kept."""

    place: int


@dataclass(frozen=True, slots=True)
class Go:
    """Say go: there are cards left, but none may be played."""


@dataclass(frozen=True, slots=True)
class Count:
    """Claim the points of the hand that is shown."""

    points: int


@dataclass(frozen=True, slots=True)
class Next:
    """Be ready for the next hand of the show, or for the next deal."""


Action: TypeAlias = Discard | Lay | Go | Count | Next
actions: tuple[type[Action], ...] = (Discard, Lay, Go, Count, Next)


class RoundPart(Enum):
    """The part of the round in which points are scored."""

    STARTER = "starter"
    PLAY = "play"
    HAND = "hand"
    CRIB = "crib"


@dataclass(frozen=True, slots=True)
class RoundBegun:
    """The pack is ready, and this seat deals."""

    dealer: int


@dataclass(frozen=True, slots=True)
class CardDealt:
    """A card was dealt to a seat."""

    seat: int
    card: Card


@dataclass(frozen=True, slots=True)
class HandDealt:
    """A seat has its six cards, ascending."""

    seat: int
    hand: Hand


@dataclass(frozen=True, slots=True)
class Discarded:
    """A seat has given two cards to the crib and kept four, both ascending."""

    seat: int
    cards: Hand
    kept: Hand


@dataclass(frozen=True, slots=True)
class StarterTurned:
    """The starter was turned up."""

    card: Card


@dataclass(frozen=True, slots=True)
class Laid:
    """A seat has played a card, which brings the segment to this count."""

    seat: int
    count: int
    card: Card


@dataclass(frozen=True, slots=True)
class GoSaid:
    """A seat has said go."""

    seat: int


@dataclass(frozen=True, slots=True)
class HandShown:
    """A hand of four, ascending, is on the table to be counted with the starter."""

    seat: int
    starter: Card
    hand: Hand
    crib: bool


@dataclass(frozen=True, slots=True)
class HandCounted:
    """The hand that was shown is counted: all its scores, and the points that its owner claimed.

    ``said`` is ``None`` if the table counts.
    """

    seat: int
    scores: tuple[Score, ...]
    said: int | None


@dataclass(frozen=True, slots=True)
class Scored:
    """A seat has scored these points, which bring it to this total."""

    seat: int
    total: int
    points: int
    kind: str
    cards: Hand
    part: RoundPart


@dataclass(frozen=True, slots=True)
class RoundOver:
    """The round is over; the totals by seat."""

    points: tuple[int, int]


@dataclass(frozen=True, slots=True)
class GameOver:
    """A seat has won the game; ``worth`` is 1, with a skunk 2, with a double skunk 3."""

    winner: int
    points: tuple[int, int]
    worth: int


Event: TypeAlias = (
    RoundBegun
    | CardDealt
    | HandDealt
    | Discarded
    | StarterTurned
    | Laid
    | GoSaid
    | HandShown
    | HandCounted
    | Scored
    | RoundOver
    | GameOver
)
events: tuple[type[Event], ...] = (
    RoundBegun,
    CardDealt,
    HandDealt,
    Discarded,
    StarterTurned,
    Laid,
    GoSaid,
    HandShown,
    HandCounted,
    Scored,
    RoundOver,
    GameOver,
)
