"""A table of 31 at one moment: the shoe, the credit, the dealer's hand and the player's."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from ....cards.card import Hand
from .rules import CENTS, FOURTEEN, LIMIT, PURSE, Rules, Total, total_of


@dataclass(frozen=True, slots=True)
class Options:
    """The house's rules, and what the player brings, in cents.

    Raises ``ValueError`` for what no table has.
    """

    rules: Rules = field(default_factory=Rules)
    credit: int = CENTS * PURSE

    def __post_init__(self) -> None:
        if self.credit < 0:
            raise ValueError(f"a credit is not negative, like {self.credit}")


class Phase(Enum):
    """How far the round is."""

    SHUFFLE = "shuffle"
    BET = "bet"
    DEAL = "deal"
    INSURANCE = "insurance"
    PLAY = "play"
    DEALER = "dealer"
    VOID = "void"


IN_PLAY = (Phase.DEAL, Phase.INSURANCE, Phase.PLAY, Phase.DEALER)


@dataclass(frozen=True, slots=True)
class PlayerHand:
    """One of the player's hands and its bet in cents."""

    bet: int
    cards: Hand = ()
    doubled: bool = False
    stood: bool = False

    @property
    def total(self) -> Total:
        """What it counts."""
        return total_of(self.cards)

    @property
    def done(self) -> bool:
        """Whether it takes no further card: stood, 31, or bust."""
        return self.stood or self.total.points >= LIMIT

    @property
    def on_14(self) -> bool:
        """Whether the player stands on 14, so that only 31 beats it."""
        return self.stood and self.total.points == FOURTEEN


@dataclass(frozen=True, slots=True)
class State:
    """The table at one moment; a finished round's hands stay until the next.

    ``credit`` is in cents, without what is staked, and so is the ``insurance``; ``last`` is the
    last bet in dollars, 0 before the first one. ``discards`` are the cards of finished rounds
    since the shuffle, ``waiting`` the places that get a card next.
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
        """The place of the hand that is being played; none before and after the player's turn."""
        if self.phase is not Phase.PLAY:
            return None
        return next((place for place, hand in enumerate(self.hands) if not hand.done), None)

    @property
    def offers_14(self) -> bool:
        """Whether the hand in play may stand on 14 now."""
        place = self.active
        if place is None or self.waiting:
            return False
        return self.hands[place].total.points == FOURTEEN

    @property
    def staked(self) -> int:
        """What is at stake in the round, in cents."""
        if self.phase not in IN_PLAY:
            return 0
        return self.insurance + sum(hand.bet for hand in self.hands)
