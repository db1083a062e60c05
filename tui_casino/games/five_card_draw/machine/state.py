"""The tables of five-card draw, and a hand at one moment."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from ....cards.card import Hand
from ....engine.game import Seat
from .betting import Betting
from .rules import MOST_OPPONENTS

HUMAN = Seat(0)
ANTE = 5
STACK = 400
LIMITS = (10, 20)
"""The size of bets before the draw and after it."""


class Stakes(Enum):
    """What is played for."""

    NOTHING = "nothing"
    ANTE = "ante"
    LIMIT = "limit"


@dataclass(frozen=True, slots=True)
class Options:
    """How many opponents, what is played for, and the credits that the first seat brings.

    At the table with an ante each opponent brings as much as the first seat, with fixed limit
    400, and so does the first seat at most. Raises ``ValueError`` for what no table has.
    """

    opponents: int = MOST_OPPONENTS
    stakes: Stakes = Stakes.LIMIT
    credit: int = STACK

    def __post_init__(self) -> None:
        if not 1 <= self.opponents <= MOST_OPPONENTS:
            raise ValueError(f"there are 1 to {MOST_OPPONENTS} opponents, not {self.opponents}")
        if self.credit < 0:
            raise ValueError(f"a credit is not negative, like {self.credit}")

    @property
    def seats(self) -> tuple[int, ...]:
        """The seats, the human's first."""
        return tuple(range(self.opponents + 1))


class Phase(Enum):
    """How far the hand is."""

    REST = "rest"
    SHUFFLE = "shuffle"
    DEAL = "deal"
    OPENING = "opening"
    DRAW = "draw"
    CLOSING = "closing"
    SHORT = "short"


@dataclass(frozen=True, slots=True)
class State:
    """A hand at one moment; a finished one stays until the next begins.

    All tuples are by seat but for these: ``dealt_in`` are the seats of this hand in the order in
    which they act, ``waiting`` those that get a card next, ``drawing`` those that have not
    discarded yet. ``put_in`` is what lies in the pot, ``thrown`` what was discarded, ``drawn``
    how many cards that were (``None`` before it was a seat's turn). ``opener`` is the seat that
    bet first before the draw, if one did.
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

    @property
    def alive(self) -> tuple[int, ...]:
        """The seats that can win the hand, in the order in which they act."""
        return tuple(seat for seat in self.dealt_in if seat not in self.folded)

    @property
    def pot(self) -> int:
        """What lies in the middle, in credits."""
        return sum(self.put_in)
