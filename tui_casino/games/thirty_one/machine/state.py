"""The options and the state of a table of Hit Me, its actions and its events."""

from __future__ import annotations

from enum import Enum
from typing import TypeAlias

from msgspec import Struct, field

from ....cards.card import Hand
from .rules import CENTS, LIMIT, PURSE, SAFE_TOTAL, Rules, Total, total_of


class Options(Struct, frozen=True):
    """The house rules, and the player's starting credit in cents.

    Raises ``ValueError`` for a negative credit.
    """

    rules: Rules = field(default_factory=Rules)
    credit: int = CENTS * PURSE

    def __post_init__(self) -> None:
        if self.credit < 0:
            raise ValueError(f"the credit must be 0 or more, not {self.credit}")


class Phase(Enum):
    """The phases of a round."""

    SHUFFLE = "shuffle"
    BET = "bet"
    DEAL = "deal"
    INSURANCE = "insurance"
    PLAY = "play"
    DEALER = "dealer"
    VOID = "void"


IN_PLAY = (Phase.DEAL, Phase.INSURANCE, Phase.PLAY, Phase.DEALER)


class PlayerHand(Struct, frozen=True):
    """One of the player's hands and its bet in cents."""

    bet: int
    cards: Hand = ()
    doubled: bool = False
    stood: bool = False

    @property
    def total(self) -> Total:
        """The total of the hand."""
        return total_of(self.cards)

    @property
    def done(self) -> bool:
        """Whether the hand takes no further card: stood, 31, or bust."""
        return self.stood or self.total.points >= LIMIT

    @property
    def on_14(self) -> bool:
        """Whether the player stands on 14, so that only 31 beats it."""
        return self.stood and self.total.points == SAFE_TOTAL


class State(Struct, frozen=True):
    """The state of the table; the hands of a finished round stay until the next round begins.

    ``credit``, without the stakes, and ``insurance`` are in cents; ``last`` is the last bet in
    dollars, 0 before the first one. ``discards`` holds the cards of finished rounds since the
    shuffle, and ``waiting`` the places that get the next cards.
    """

    options: Options
    credit: int
    phase: Phase = Phase.SHUFFLE
    stock: int = 0
    discards: Hand = ()
    last: int = 0
    dealer: Hand = ()
    hands: tuple[PlayerHand, ...] = ()
    insurance: int = 0
    waiting: tuple[int, ...] = ()

    @property
    def active(self) -> int | None:
        """The place of the hand that is being played, or ``None`` outside the player's turn."""
        if self.phase is not Phase.PLAY:
            return None
        return next((place for place, hand in enumerate(self.hands) if not hand.done), None)

    @property
    def offers_14(self) -> bool:
        """Whether the hand in play may stand on 14 now."""
        place = self.active
        if place is None or self.waiting:
            return False
        return self.hands[place].total.points == SAFE_TOTAL

    @property
    def staked(self) -> int:
        """The money at stake in the round, in cents."""
        if self.phase not in IN_PLAY:
            return 0
        return self.insurance + sum(hand.bet for hand in self.hands)


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
