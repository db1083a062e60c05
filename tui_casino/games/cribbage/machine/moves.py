"""The actions and events of cribbage."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from ....cards.card import Card, Hand
from .scoring import Score


@dataclass(frozen=True, slots=True)
class Discard:
    """Discard the two cards at these places of the hand (from 1, ascending) to the crib."""

    places: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Lay:
    """Play the card at this place (from 1) of the four kept cards."""

    place: int


@dataclass(frozen=True, slots=True)
class Go:
    """Say go: the seat has cards left, but may play none of them."""


@dataclass(frozen=True, slots=True)
class Count:
    """Claim the points of the hand that is shown."""

    points: int


@dataclass(frozen=True, slots=True)
class Next:
    """Continue with the next hand of the show, or with the next deal."""


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
    """A round begins: the pack is ready, and this seat deals."""

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
    """A seat has discarded two cards to the crib and kept four; both tuples are ascending."""

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
    """A hand of four cards, ascending, is shown on the table, to be counted with the starter."""

    seat: int
    starter: Card
    hand: Hand
    crib: bool


@dataclass(frozen=True, slots=True)
class HandCounted:
    """The hand that was shown has been counted: its scores, and the points that its owner claimed.

    ``said`` is ``None`` if the table counts.
    """

    seat: int
    scores: tuple[Score, ...]
    said: int | None


@dataclass(frozen=True, slots=True)
class Scored:
    """A seat has scored these points, which bring its score to this total."""

    seat: int
    total: int
    points: int
    kind: str
    cards: Hand
    part: RoundPart


@dataclass(frozen=True, slots=True)
class RoundOver:
    """The round is over, with these points for each seat."""

    points: tuple[int, int]


@dataclass(frozen=True, slots=True)
class GameOver:
    """A seat has won the game; ``worth`` is 1, or 2 with a skunk, or 3 with a double skunk."""

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
