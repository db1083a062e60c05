"""The actions and events of baccarat."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from ....cards.card import Card
from .rules import Bets, BetSpot, CoupOutcome, Hand, HandSide


@dataclass(frozen=True, slots=True)
class Bet:
    """Bet credits on a spot, in addition to the bet that is already there."""

    credits: int
    spot: BetSpot


@dataclass(frozen=True, slots=True)
class Clear:
    """Take back all bets."""


@dataclass(frozen=True, slots=True)
class Repeat:
    """Replace the present bets with those of the last coup that had bets."""


@dataclass(frozen=True, slots=True)
class Play:
    """Deal a coup, with or without bets; after a finished shoe, begin the next one."""


Action: TypeAlias = Bet | Clear | Repeat | Play
actions: tuple[type[Action], ...] = (Bet, Clear, Repeat, Play)


@dataclass(frozen=True, slots=True)
class ShoeBegun:
    """A new shoe with this number of cards is ready."""

    cards: int


@dataclass(frozen=True, slots=True)
class BurnCard:
    """The first card of a shoe was turned face up; ``burns`` more cards are burnt after it."""

    card: Card
    burns: int


@dataclass(frozen=True, slots=True)
class Burnt:
    """A card was burnt face down."""

    card: Card


@dataclass(frozen=True, slots=True)
class BetsLaid:
    """The bets have changed; ``bets`` are the credits now bet on each spot."""

    bets: Bets


@dataclass(frozen=True, slots=True)
class CutCard:
    """The cut card came out: the shoe ends after this coup and one more."""


@dataclass(frozen=True, slots=True)
class CardDealt:
    """A card was dealt to the player or the banker."""

    side: HandSide
    card: Card


@dataclass(frozen=True, slots=True)
class InitialDeal:
    """Both sides have two cards."""

    player: Hand
    banker: Hand


@dataclass(frozen=True, slots=True)
class AfterDraw:
    """The third cards, if any, have been drawn; this does not occur after a natural."""

    player: Hand
    banker: Hand


@dataclass(frozen=True, slots=True)
class CoupOver:
    """A coup is over: its hands and outcome, and the bet (credits) and payout (cents) of each spot.

    ``paid`` includes returned stakes; ``credit`` is the new credit in cents.
    """

    player: Hand
    banker: Hand
    outcome: CoupOutcome
    bets: Bets
    paid: Bets
    credit: int


@dataclass(frozen=True, slots=True)
class ShoeFinished:
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
