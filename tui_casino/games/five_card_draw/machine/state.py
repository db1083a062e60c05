"""The options, the state, the actions and the events of five-card draw."""

from __future__ import annotations

from enum import Enum
from typing import TypeAlias

from msgspec import UNSET, Struct, UnsetType

from ....cards.card import Card, Hand
from ....engine.game import Seat
from .betting import Betting, BettingRules
from .rules import MOST_OPPONENTS

HUMAN = Seat(0)
STACK = 400


class Stakes(Enum):
    """The stakes of a table."""

    NOTHING = "nothing"
    ANTE = "ante"
    LIMIT = "limit"


class Options(Struct, frozen=True):
    """The number of opponents, the stakes, and the credits that the first seat brings.

    With an ante, each opponent brings as much as the first seat. At fixed limit, each opponent
    brings 400 credits; the first seat brings at most 400, except in a daily deal, where each
    opponent brings as much as the first seat. If the stacks ``are_even``, everybody brings as much
    as the first seat; logs contain this field only then. Raises ``ValueError`` for an unsupported
    number of opponents and for a negative credit.
    """

    opponents: int = MOST_OPPONENTS
    stakes: Stakes = Stakes.LIMIT
    credit: int = STACK
    are_even: bool | UnsetType = UNSET

    def __post_init__(self) -> None:
        if not 1 <= self.opponents <= MOST_OPPONENTS:
            raise ValueError(
                f"the number of opponents must be 1 to {MOST_OPPONENTS}, not {self.opponents}"
            )
        if self.credit < 0:
            raise ValueError(f"the credit must be 0 or more, not {self.credit}")

    @property
    def seats(self) -> tuple[int, ...]:
        """The seats of the table, beginning with the human's."""
        return tuple(range(self.opponents + 1))

    @property
    def betting(self) -> BettingRules:
        """The rules of betting; a table without stakes has no ante, and only the limit has bets."""
        return BettingRules(ante=0) if self.stakes is Stakes.NOTHING else BettingRules()


class Phase(Enum):
    """The phases of a hand."""

    REST = "rest"
    SHUFFLE = "shuffle"
    DEAL = "deal"
    OPENING = "opening"
    DRAW = "draw"
    CLOSING = "closing"
    SHORT = "short"


class State(Struct, frozen=True):
    """The state of a hand; a finished hand stays until the next begins.

    All tuples are by seat, with three exceptions: ``dealt_in`` holds the seats of this hand in the
    order in which they act, ``waiting`` the seats that get the next cards, and ``drawing`` those
    that have not discarded yet. ``put_in`` holds the chips in the pot, ``thrown`` the discards, and
    ``drawn`` their number (``None`` before a seat's turn). ``opener`` is the seat that bet first
    before the draw, or ``None``. The ``starters`` may begin the next hand, in which nobody who is
    ``away`` is dealt in.
    """

    options: Options
    stacks: tuple[int, ...]
    phase: Phase = Phase.REST
    dealer: int = 0
    stock: int = 0
    played: int = 0
    dealt_in: tuple[int, ...] = ()
    folded: tuple[int, ...] = ()
    hands: tuple[Hand, ...] = ()
    thrown: tuple[Hand, ...] = ()
    drawn: tuple[int | None, ...] = ()
    put_in: tuple[int, ...] = ()
    waiting: tuple[int, ...] = ()
    drawing: tuple[int, ...] = ()
    betting: Betting | None = None
    open: tuple[int, ...] = ()
    winners: tuple[int, ...] = ()
    opener: int | None = None
    starters: tuple[int, ...] = (HUMAN,)
    away: tuple[int, ...] = ()

    @property
    def alive(self) -> tuple[int, ...]:
        """The seats that can still win the hand, in the order in which they act."""
        return tuple(seat for seat in self.dealt_in if seat not in self.folded)

    @property
    def pot(self) -> int:
        """The chips in the pot, in credits."""
        return sum(self.put_in)


class Play(Struct, frozen=True):
    """Deal the next hand."""


class Discard(Struct, frozen=True):
    """Discard the cards at these ascending positions and draw as many; with none, stand pat."""

    positions: tuple[int, ...]


class Fold(Struct, frozen=True):
    """Give up the hand."""


class Check(Struct, frozen=True):
    """Check: stay in without a bet, which is possible until a player bets."""


class Call(Struct, frozen=True):
    """Match the bet, or put in all remaining chips."""


class Bet(Struct, frozen=True):
    """Open the betting with the limit bet, or with all remaining chips."""


class Raise(Struct, frozen=True):
    """Match the bet and add the limit, or put in all remaining chips."""


Action: TypeAlias = Play | Discard | Fold | Check | Call | Bet | Raise
actions: tuple[type[Action], ...] = (Play, Discard, Fold, Check, Call, Bet, Raise)


class Shuffled(Struct, frozen=True):
    """The deck was shuffled."""


class HandBegun(Struct, frozen=True):
    """The cards are being dealt to these seats, in this order; each has paid the ante."""

    seats: tuple[int, ...]
    ante: int


class CardDealt(Struct, frozen=True):
    """A card was dealt to a seat, in the deal or after a discard."""

    seat: int
    card: Card


class HandHeld(Struct, frozen=True):
    """A seat's hand at the start of a betting round, with its cards in order of importance."""

    seat: int
    hand: Hand


class DrawAsked(Struct, frozen=True):
    """It is a seat's turn to discard; its cards are in order of importance."""

    seat: int
    hand: Hand


class Discarded(Struct, frozen=True):
    """A seat has discarded these cards."""

    seat: int
    cards: Hand


class Acted(Struct, frozen=True):
    """A seat acted in a betting round: the action's name, and the credits that the seat put in."""

    seat: int
    act: str
    chips: int


class HandShown(Struct, frozen=True):
    """A hand shown at the showdown, with its cards in order of importance, and its name."""

    seat: int
    hand: Hand
    name: str


class HandOver(Struct, frozen=True):
    """The hand is over: the winners, and the credits that each seat put in and won."""

    winners: tuple[int, ...]
    put_in: tuple[int, ...]
    won: tuple[int, ...]
    shown: bool


Event: TypeAlias = (
    Shuffled
    | HandBegun
    | CardDealt
    | HandHeld
    | DrawAsked
    | Discarded
    | Acted
    | HandShown
    | HandOver
)
events: tuple[type[Event], ...] = (
    Shuffled,
    HandBegun,
    CardDealt,
    HandHeld,
    DrawAsked,
    Discarded,
    Acted,
    HandShown,
    HandOver,
)
