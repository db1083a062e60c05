"""The actions and events of cribbage."""

from __future__ import annotations

from enum import Enum
from typing import TypeAlias

from msgspec import Struct

from ....cards.card import Card, Hand
from .scoring import Score


class Discard(Struct, frozen=True):
    """Discard the two cards at these places of the hand (from 1, ascending) to the crib."""

    places: tuple[int, ...]


class Lay(Struct, frozen=True):
    """Play the card at this place (from 1) of the four kept cards."""

    place: int


class Go(Struct, frozen=True):
    """Say go: the seat has cards left, but may play none of them."""


class Count(Struct, frozen=True):
    """Claim the points of the hand that is shown."""

    points: int


class Next(Struct, frozen=True):
    """Continue with the next hand of the show, or with the next deal."""


Action: TypeAlias = Discard | Lay | Go | Count | Next
actions: tuple[type[Action], ...] = (Discard, Lay, Go, Count, Next)


class RoundPart(Enum):
    """The part of the round in which points are scored."""

    STARTER = "starter"
    PLAY = "play"
    HAND = "hand"
    CRIB = "crib"


class RoundBegun(Struct, frozen=True):
    """A round begins: the pack is ready, and this seat deals."""

    dealer: int


class CardDealt(Struct, frozen=True):
    """A card was dealt to a seat."""

    seat: int
    card: Card


class HandDealt(Struct, frozen=True):
    """A seat has its six cards, ascending."""

    seat: int
    hand: Hand


class Discarded(Struct, frozen=True):
    """A seat has discarded two cards to the crib and kept four; both tuples are ascending."""

    seat: int
    cards: Hand
    kept: Hand


class StarterTurned(Struct, frozen=True):
    """The starter was turned up."""

    card: Card


class Laid(Struct, frozen=True):
    """A seat has played a card, which brings the segment to this count."""

    seat: int
    count: int
    card: Card


class GoSaid(Struct, frozen=True):
    """A seat has said go."""

    seat: int


class HandShown(Struct, frozen=True):
    """A hand of four cards, ascending, is shown on the table, to be counted with the starter."""

    seat: int
    starter: Card
    hand: Hand
    crib: bool


class HandCounted(Struct, frozen=True):
    """The hand that was shown has been counted: its scores, and the points that its owner claimed.

    ``said`` is ``None`` if the table counts.
    """

    seat: int
    scores: tuple[Score, ...]
    said: int | None


class Scored(Struct, frozen=True):
    """A seat has scored these points, which bring its score to this total."""

    seat: int
    total: int
    points: int
    kind: str
    cards: Hand
    part: RoundPart


class RoundOver(Struct, frozen=True):
    """The round is over, with these points for each seat."""

    points: tuple[int, int]


class GameOver(Struct, frozen=True):
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
