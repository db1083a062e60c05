"""The actions and events of baccarat."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from ....cards.card import Card
from .rules import Bets, BetSpot, CoupOutcome, Hand, HandSide


@dataclass(frozen=True, slots=True)
class Bet:
    """Put so many credits on a spot, on top of what lies there."""

    credits: int
    spot: BetSpot


@dataclass(frozen=True, slots=True)
class Clear:
    """Take back all bets."""


@dataclass(frozen=True, slots=True)
class Repeat:
    """Put down the bets of the last coup that had any, in place of what lies there."""


@dataclass(frozen=True, slots=True)
class Play:
    """Have a coup dealt, with or without bets; where a shoe is finished, have the next one made."""


Action: TypeAlias = Bet | Clear | Repeat | Play
actions: tuple[type[Action], ...] = (Bet, Clear, Repeat, Play)


@dataclass(frozen=True, slots=True)
class ShoeBegun:
    """A shoe lies ready."""

    cards: int


@dataclass(frozen=True, slots=True)
class BurnCard:
    """The first card of a shoe, face up; so many more are burnt after it."""

    card: Card
    burns: int


@dataclass(frozen=True, slots=True)
class Burnt:
    """A card that nobody sees left the shoe."""

    card: Card


@dataclass(frozen=True, slots=True)
class BetsLaid:
    """What lies on the spots now, in credits."""

    bets: Bets


@dataclass(frozen=True, slots=True)
class CutCard:
    """The cut card came out: this coup and one more finish the shoe."""


@dataclass(frozen=True, slots=True)
class CardDealt:
    """A card came to the player or the banker."""

    side: HandSide
    card: Card


@dataclass(frozen=True, slots=True)
class InitialDeal:
    """Both have two cards."""

    player: Hand
    banker: Hand


@dataclass(frozen=True, slots=True)
class AfterDraw:
    """Neither had a natural; third cards have been drawn or refused."""

    player: Hand
    banker: Hand


@dataclass(frozen=True, slots=True)
class CoupOver:
    """A coup is over: the hands, what lay on the spots in credits, and in cents what each brought.

    ``paid`` counts bets that come back; ``credit`` is what there is now, in cents.
    """

    player: Hand
    banker: Hand
    outcome: CoupOutcome
    bets: Bets
    paid: Bets
    credit: int


@dataclass(frozen=True, slots=True)
class ShoeFinished:
    """No further coup is played from this shoe."""

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
