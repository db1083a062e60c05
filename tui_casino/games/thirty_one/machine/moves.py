"""What is done at a table of 31, and what comes of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from ....cards.card import Hand

DEALER = -1
"""The dealer's place; the player's hands are counted from 0."""


@dataclass(frozen=True, slots=True)
class Bet:
    """Bet so many dollars, and have a round dealt."""

    dollars: int


@dataclass(frozen=True, slots=True)
class Hit:
    """Take a card."""


@dataclass(frozen=True, slots=True)
class Stand:
    """Take no further card; on 14 it makes the dealer need 31."""


@dataclass(frozen=True, slots=True)
class Double:
    """Double the bet, and take exactly one more card."""


@dataclass(frozen=True, slots=True)
class Split:
    """Make two hands of two cards, the second one with a bet of its own."""


@dataclass(frozen=True, slots=True)
class Insure:
    """Bet as much again that the dealer's hand ends on 31."""


@dataclass(frozen=True, slots=True)
class Decline:
    """Do without insurance."""


Action: TypeAlias = Bet | Hit | Stand | Double | Split | Insure | Decline
actions: tuple[type[Action], ...] = (Bet, Hit, Stand, Double, Split, Insure, Decline)


@dataclass(frozen=True, slots=True)
class ShoeBegun:
    """So many cards lie ready: a shoe, or in mid-round the ``discards`` shuffled in."""

    cards: int
    discards: bool


@dataclass(frozen=True, slots=True)
class RoundBegun:
    """The bet is made, in cents."""

    bet: int


@dataclass(frozen=True, slots=True)
class CardDealt:
    """A card came to a place: its cards by now, and how many hands the player has."""

    place: int
    cards: Hand
    hands: int


@dataclass(frozen=True, slots=True)
class InsuranceAsked:
    """The dealer shows an ace: insurance costs this stake, in cents."""

    stake: int
    dealer: Hand
    hand: Hand


@dataclass(frozen=True, slots=True)
class Insured:
    """The player is insured for this stake, in cents."""

    stake: int


@dataclass(frozen=True, slots=True)
class Declined:
    """The player does without insurance."""


@dataclass(frozen=True, slots=True)
class TurnAsked:
    """The player is asked for a hand; all hands as they lie."""

    place: int
    hands: tuple[Hand, ...]
    dealer: Hand


@dataclass(frozen=True, slots=True)
class Stood:
    """The player stands with this total; ``hands`` is how many hands he has."""

    place: int
    points: int
    hands: int


@dataclass(frozen=True, slots=True)
class Doubled:
    """A hand's bet was doubled, to this many cents; ``hands`` is how many the player has."""

    place: int
    bet: int
    hands: int


@dataclass(frozen=True, slots=True)
class PairSplit:
    """Two cards are two hands now, each with this bet, in cents."""

    bet: int


@dataclass(frozen=True, slots=True)
class Settled:
    """One of the player's hands at the end: what was bet on it and what came back, in cents.

    ``against`` is the dealer's total that it was compared with, ``on_14`` whether the player
    stood on 14.
    """

    cards: Hand
    bet: int
    back: int
    against: int
    on_14: bool


@dataclass(frozen=True, slots=True)
class RoundOver:
    """A round is over: the hands, the insurance's stake and what it brought back, the credit.

    ``bet`` is what the round began with. Money is in cents.
    """

    dealer: Hand
    bet: int
    hands: tuple[Settled, ...]
    insurance: int
    insurance_back: int
    credit: int

    @property
    def wagered(self) -> int:
        """All that was staked."""
        return self.insurance + sum(hand.bet for hand in self.hands)

    @property
    def won(self) -> int:
        """All that came back."""
        return self.insurance_back + sum(hand.back for hand in self.hands)


@dataclass(frozen=True, slots=True)
class RoundVoid:
    """The cards are used up in mid-round: the stakes, in cents, go back."""

    back: int


Event: TypeAlias = (
    ShoeBegun
    | RoundBegun
    | CardDealt
    | InsuranceAsked
    | Insured
    | Declined
    | TurnAsked
    | Stood
    | Doubled
    | PairSplit
    | RoundOver
    | RoundVoid
)
events: tuple[type[Event], ...] = (
    ShoeBegun,
    RoundBegun,
    CardDealt,
    InsuranceAsked,
    Insured,
    Declined,
    TurnAsked,
    Stood,
    Doubled,
    PairSplit,
    RoundOver,
    RoundVoid,
)
