"""The state of a table of Hit Me: the shoe, the credit, and the hands."""

from __future__ import annotations

from enum import Enum

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
