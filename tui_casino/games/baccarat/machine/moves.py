"""The actions and events of baccarat."""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct

from ....cards.card import Card
from .rules import Bets, BetSpot, CoupOutcome, Hand, HandSide


class Bet(Struct, frozen=True):
    """Bet credits on a spot, in addition to the bet that is already there."""

    credits: int
    spot: BetSpot


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

    bets: Bets


class CutCard(Struct, frozen=True):
    """The cut card came out: the shoe ends after this coup and one more."""


class CardDealt(Struct, frozen=True):
    """A card was dealt to the player or the banker."""

    side: HandSide
    card: Card


class InitialDeal(Struct, frozen=True):
    """Both sides have two cards."""

    player: Hand
    banker: Hand


class AfterDraw(Struct, frozen=True):
    """The third cards, if any, have been drawn; this does not occur after a natural."""

    player: Hand
    banker: Hand


class CoupOver(Struct, frozen=True):
    """A coup is over: its hands and outcome, and the bet (credits) and payout (cents) of each spot.

    ``paid`` includes returned stakes; ``credit`` is the new credit in cents.
    """

    player: Hand
    banker: Hand
    outcome: CoupOutcome
    bets: Bets
    paid: Bets
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
