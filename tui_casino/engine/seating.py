"""Seats that people take and leave between rounds, and the clock on their choices."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, Protocol

from msgspec import Struct

from .game import A, E, Game, O, S, Seat


class Join(Struct, frozen=True):
    """Take a free seat with this money, in cents."""

    cents: int


class Leave(Struct, frozen=True):
    """Leave the seat with its money."""


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


class SharedPlay(Struct, Generic[O, A], frozen=True):
    """How a game is played by several people, who each play the game for one with the same cards.

    ``game`` decides at the table. ``options`` returns the options of the game for one, given those
    of the table. ``ready`` is the choice that brings the next cards; the table makes it for a
    player whose time is over. ``doing`` tells others in a few words what a seat has chosen.
    """

    game: SharedGame[Any, Any, Any, Any]
    options: Callable[[Any], O]
    ready: A
    doing: Callable[[Any, Seat], str]
