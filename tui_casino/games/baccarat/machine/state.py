"""The state of a baccarat table, its actions and its events."""

from __future__ import annotations

from enum import Enum
from typing import TypeAlias

from msgspec import Struct

from ....cards.card import Card
from ....engine.game import Seat
from . import rules

PLAYER = Seat(0)

SMALLEST_BET = rules.CENTS * min(spot.min_bet for spot in rules.SPOTS)


class Phase(Enum):
    """The stage of the game."""

    SHUFFLE = "shuffle"
    BURN = "burn"
    BET = "bet"
    COUP = "coup"


class State(Struct, frozen=True):
    """The state of the table; the hands of a finished coup stay until the next coup.

    ``credit`` is in cents. It includes the ``bets`` (in credits) until the deal begins. ``unseen``
    is the number of unseen cards of each rank, including burnt cards. The ``burn_card`` was shown;
    ``burning`` cards are still to be burnt. ``coups_left`` counts down once the cut card is out,
    and ``last`` contains the bets of the last coup with bets.
    """

    options: rules.Options
    credit: int
    phase: Phase = Phase.SHUFFLE
    stock: int = 0
    unseen: tuple[int, ...] = ()
    burn_card: Card | None = None
    burning: int = 0
    coups_left: int | None = None
    bets: rules.Bets = rules.NO_BETS
    last: rules.Bets = rules.NO_BETS
    player: rules.Hand = rules.NO_CARDS
    banker: rules.Hand = rules.NO_CARDS
    coups: tuple[rules.Coup, ...] = ()

    @property
    def free(self) -> int:
        """The money, in cents, that can still be bet in addition to the present bets."""
        return self.credit - (rules.CENTS * sum(self.bets) if self.phase is not Phase.COUP else 0)

    @property
    def finished(self) -> bool:
        """Whether this shoe is finished, so that no further coup is played from it."""
        return self.coups_left == 0 or not contains_at_least(self, rules.COUP_CARDS)


def contains_at_least(state: State, cards: int) -> bool:
    """Return whether the shoe has at least this number of cards."""
    return state.stock >= cards


class Bet(Struct, frozen=True):
    """Bet credits on a spot, in addition to the bet that is already there."""

    credits: int
    spot: rules.BetSpot


class Clear(Struct, frozen=True):
    """Take back all bets."""


class Repeat(Struct, frozen=True):
    """Replace the present bets with those of the last coup that had bets."""


class Play(Struct, frozen=True):
    """Deal a coup, with or without bets; after a finished shoe, begin the next one."""


Action: TypeAlias = Bet | Clear | Repeat | Play
actions: tuple[type[Action], ...] = (Bet, Clear, Repeat, Play)


class ShoeBegun(Struct, frozen=True):
    """A new shoe with this number of cards is ready."""

    cards: int


class BurnCard(Struct, frozen=True):
    """The first card of a shoe was turned face up; ``burns`` more cards are burnt after it."""

    card: Card
    burns: int


class Burnt(Struct, frozen=True):
    """A card was burnt face down."""

    card: Card


class BetsLaid(Struct, frozen=True):
    """The bets have changed; ``bets`` are the credits now bet on each spot."""

    bets: rules.Bets


class CutCard(Struct, frozen=True):
    """The cut card came out: the shoe ends after this coup and one more."""


class CardDealt(Struct, frozen=True):
    """A card was dealt to the player or the banker."""

    side: rules.HandSide
    card: Card


class InitialDeal(Struct, frozen=True):
    """Both sides have two cards."""

    player: rules.Hand
    banker: rules.Hand


class AfterDraw(Struct, frozen=True):
    """The third cards, if any, have been drawn; this does not occur after a natural."""

    player: rules.Hand
    banker: rules.Hand


class CoupOver(Struct, frozen=True):
    """A coup is over: its hands and outcome, and the bet (credits) and payout (cents) of each spot.

    ``paid`` includes returned stakes; ``credit`` is the new credit in cents.
    """

    player: rules.Hand
    banker: rules.Hand
    outcome: rules.CoupOutcome
    bets: rules.Bets
    paid: rules.Bets
    credit: int


class ShoeFinished(Struct, frozen=True):
    """The shoe is finished after ``coups`` coups."""

    coups: int


Event: TypeAlias = (
    ShoeBegun
    | BurnCard
    | Burnt
    | BetsLaid
    | CutCard
    | CardDealt
    | InitialDeal
    | AfterDraw
    | CoupOver
    | ShoeFinished
)
events: tuple[type[Event], ...] = (
    ShoeBegun,
    BurnCard,
    Burnt,
    BetsLaid,
    CutCard,
    CardDealt,
    InitialDeal,
    AfterDraw,
    CoupOver,
    ShoeFinished,
)
