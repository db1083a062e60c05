"""Seats that people take and leave between rounds, and the clock on their choices."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, Protocol

from msgspec import Struct

from .game import A, E, Game, O, S, Seat, Step
from .offers import Dice

SHARED = "-shared"
"""The end of a game's name in the log of a table with others."""


class Join(Struct, frozen=True):
    """Take a free seat with this money, in cents."""

    cents: int


class Leave(Struct, frozen=True):
    """Leave the seat with its money."""


class SitOut(Struct, frozen=True):
    """Let the next round go by."""


class SeatTaken(Struct, frozen=True):
    """Somebody sat down with this money, in cents."""

    seat: Seat
    credit: int


class SeatLeft(Struct, frozen=True):
    """A seat was left, or its money ran out: what remains of it, in cents."""

    seat: Seat
    credit: int


class SharedGame(Game[O, S, A, E], Protocol):
    """A game whose seats are taken and left between rounds."""

    def awaited(self, state: S, /) -> tuple[Seat, ...]:
        """Return the seats for whose choice the others wait; their clock runs."""
        ...

    def default(self, state: S, seat: Seat, /) -> A:
        """Return the action of a seat whose clock has run out."""
        ...

    def seen(self, state: S, events: tuple[E, ...], seat: Seat, /) -> Step[Any, Any]:
        """Return a step as a seat sees it: its view, and what it hears.

        The view is a state of the game that the seat plays, see :class:`SharedPlay`.
        """
        ...


class ComputerTurn(Struct, Generic[A], frozen=True):
    """The seat of a computer whose turn it is, and how it chooses, which may take long."""

    seat: Seat
    choose: Callable[[Dice], A]


class SharedPlay(Struct, Generic[O], frozen=True):
    """How a game is played by several people.

    ``game`` decides at the table. ``options`` returns the options of the game that a seat plays,
    given those of the table. If that is the game for one person, it ``is_solo``: everybody plays it
    with the same cards. ``doing`` tells others in a few words what a seat has chosen, and
    ``describe`` returns the rules of a table with these options in a few words. Each choice may
    take ``seconds``. A new table may have any of these numbers of ``seats``, as the option
    ``seats``; if there are none, the game decides. If computers play the free seats, ``computer``
    returns the turn of one, if it is a computer's turn, and ``computer_name`` the name of the one
    in a seat, given the options.
    """

    game: SharedGame[Any, Any, Any, Any]
    options: Callable[[Any], O] = lambda options: options
    doing: Callable[[Any, Seat], str] = lambda state, seat: ""
    describe: Callable[[Any], str] = lambda options: ""
    is_solo: bool = False
    seconds: int = 15
    seats: tuple[int, ...] = ()
    computer: Callable[[Any], ComputerTurn[Any] | None] | None = None
    computer_name: Callable[[Any, Seat], str] = lambda options, seat: ""

    def own_seat(self, seat: int) -> Seat:
        """Return the seat in the game that a seat of the table plays."""
        return Seat(0 if self.is_solo else seat)
