"""The actions at a table of Hit Me, and the events that follow."""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct

from ....cards.card import Hand

DEALER = -1
"""The dealer's place; the player's hands are counted from 0."""


class Bet(Struct, frozen=True):
    """Bet this many dollars, and start a round."""

    dollars: int


class Hit(Struct, frozen=True):
    """Take a card."""


class Stand(Struct, frozen=True):
    """Take no further card; if the player stands on 14, the dealer needs 31."""


class Double(Struct, frozen=True):
    """Double the bet, and take exactly one more card."""


class Split(Struct, frozen=True):
    """Split a pair into two hands, each with one more card; the second hand gets its own bet."""


class Insure(Struct, frozen=True):
    """Make a side bet, as high as the first bet, that the dealer ends on 31."""


class Decline(Struct, frozen=True):
    """Decline insurance."""


Action: TypeAlias = Bet | Hit | Stand | Double | Split | Insure | Decline
actions: tuple[type[Action], ...] = (Bet, Hit, Stand, Double, Split, Insure, Decline)


class ShoeBegun(Struct, frozen=True):
    """A new shoe has this many cards.

    ``discards`` is true if the shoe ran out during a round, so that the discards were shuffled.
    """

    cards: int
    discards: bool


class RoundBegun(Struct, frozen=True):
    """The bet, in cents, has been made."""

    bet: int


class CardDealt(Struct, frozen=True):
    """A card was dealt to a place: its cards so far, and the number of the player's hands."""

    place: int
    cards: Hand
    hands: int


class InsuranceAsked(Struct, frozen=True):
    """The dealer shows an ace: insurance costs this stake, in cents."""

    stake: int
    dealer: Hand
    hand: Hand


class Insured(Struct, frozen=True):
    """The player has taken insurance for this stake, in cents."""

    stake: int


class Declined(Struct, frozen=True):
    """The player declined insurance."""


class TurnAsked(Struct, frozen=True):
    """The player must choose how to play a hand; the event contains all hands."""

    place: int
    hands: tuple[Hand, ...]
    dealer: Hand


class Stood(Struct, frozen=True):
    """The player stands with this total; ``hands`` is the number of the player's hands."""

    place: int
    points: int
    hands: int


class Doubled(Struct, frozen=True):
    """The bet on a hand was doubled to this many cents; ``hands`` counts the player's hands."""

    place: int
    bet: int
    hands: int


class PairSplit(Struct, frozen=True):
    """A pair was split into two hands, each with this bet, in cents."""

    bet: int


class Settled(Struct, frozen=True):
    """One of the player's hands at the end: its bet and what was paid back, in cents.

    ``against`` is the dealer's total that the hand was compared with, and ``on_14`` says whether
    the player stood on 14.
    """

    cards: Hand
    bet: int
    back: int
    against: int
    on_14: bool


class RoundOver(Struct, frozen=True):
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


class RoundVoid(Struct, frozen=True):
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
