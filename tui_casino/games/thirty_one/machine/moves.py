"""The actions at a table of Hit Me, and the events that follow."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from ....cards.card import Hand

DEALER = -1
"""The dealer's place; the player's hands are counted from 0."""


@dataclass(frozen=True, slots=True)
class Bet:
    """Bet this many dollars, and start a round."""

    dollars: int


@dataclass(frozen=True, slots=True)
class Hit:
    """Take a card."""


@dataclass(frozen=True, slots=True)
class Stand:
    """Take no further card; if the player stands on 14, the dealer needs 31."""


@dataclass(frozen=True, slots=True)
class Double:
    """Double the bet, and take exactly one more card."""


@dataclass(frozen=True, slots=True)
class Split:
    """Split a pair into two hands, each with one more card; the second hand gets its own bet."""


@dataclass(frozen=True, slots=True)
class Insure:
    """Make a side bet, as high as the first bet, that the dealer ends on 31."""


@dataclass(frozen=True, slots=True)
class Decline:
    """Decline insurance."""


Action: TypeAlias = Bet | Hit | Stand | Double | Split | Insure | Decline
actions: tuple[type[Action], ...] = (Bet, Hit, Stand, Double, Split, Insure, Decline)


@dataclass(frozen=True, slots=True)
class ShoeBegun:
    """A new shoe has this many cards.

    ``discards`` is true if the shoe ran out during a round, so that the discards were shuffled.
    """

    cards: int
    discards: bool


@dataclass(frozen=True, slots=True)
class RoundBegun:
    """The bet, in cents, has been made."""

    bet: int


@dataclass(frozen=True, slots=True)
class CardDealt:
    """A card was dealt to a place: its cards so far, and the number of the player's hands."""

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
    """The player has taken insurance for this stake, in cents."""

    stake: int


@dataclass(frozen=True, slots=True)
class Declined:
    """The player declined insurance."""


@dataclass(frozen=True, slots=True)
class TurnAsked:
    """The player must choose how to play a hand; the event contains all hands."""

    place: int
    hands: tuple[Hand, ...]
    dealer: Hand


@dataclass(frozen=True, slots=True)
class Stood:
    """The player stands with this total; ``hands`` is the number of the player's hands."""

    place: int
    points: int
    hands: int


@dataclass(frozen=True, slots=True)
class Doubled:
    """The bet on a hand was doubled to this many cents; ``hands`` counts the player's hands."""

    place: int
    bet: int
    hands: int


@dataclass(frozen=True, slots=True)
class PairSplit:
    """A pair was split into two hands, each with this bet, in cents."""

    bet: int


@dataclass(frozen=True, slots=True)
class Settled:
    """One of the player's hands at the end: its bet and what was paid back, in cents.

    ``against`` is the dealer's total that the hand was compared with, and ``on_14`` says whether
    the player stood on 14.
    """

    cards: Hand
    bet: int
    back: int
    against: int
    on_14: bool


@dataclass(frozen=True, slots=True)
class RoundOver:
    """A round is over: its hands, the insurance stake and its payout, and the credit.

    ``bet`` is the first bet of the round. Money is in cents.
    """

    dealer: Hand
    bet: int
    hands: tuple[Settled, ...]
    insurance: int
    insurance_back: int
    credit: int

    @property
    def wagered(self) -> int:
        """The sum of all bets, in cents."""
        return self.insurance + sum(hand.bet for hand in self.hands)

    @property
    def won(self) -> int:
        """The sum of everything paid back, in cents."""
        return self.insurance_back + sum(hand.back for hand in self.hands)


@dataclass(frozen=True, slots=True)
class RoundVoid:
    """The cards were used up during the round: the stakes, in cents, are returned."""

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
