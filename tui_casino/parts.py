"""What a game brings to the house: its machine, its words, its tally, its computer players."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, Protocol, Self, TypeVar

from .core import A, A_co, E, Game, IllegalAction, O, Player, S, Seat

E_contra = TypeVar("E_contra", contravariant=True)


class Tally(Protocol[E_contra]):
    """A seat's statistics, a fold over the events it hears; only finished rounds count.

    ``wagered`` and ``won`` are in the game's units, won gross of the bets: at any moment the
    seat's money is what it sat down with, less wagered, plus won.
    """

    @property
    def rounds(self) -> int:
        """Rounds finished."""
        ...

    @property
    def wagered(self) -> int:
        """The sum of all bets."""
        ...

    @property
    def won(self) -> int:
        """The sum of all that was paid out, bets given back included."""
        ...

    def add(self, event: E_contra, /) -> Self:
        """Give the tally with one more event."""
        ...

    def __add__(self, other: Self, /) -> Self:
        """Give the tally of both."""
        ...

    def report(self) -> dict[str, Any]:
        """Give the figures by name, ready for JSON; groups are dictionaries of their own."""
        ...


@dataclass(frozen=True, slots=True)
class Question(Generic[S, E]):
    """What a question of a seat is answered from."""

    view: S
    seat: Seat
    tally: Tally[E]


Answer = Callable[[Question[S, E]], str | None]
"""Answers a question, which changes nothing; ``None`` if it cannot be asked at this moment."""


class Words(Protocol[S, A_co, E]):
    """How a game is spoken with: text only, it never prints."""

    @property
    def verbs(self) -> Mapping[str, Callable[..., A_co]]:
        """The words that act, each with its kind of action."""
        ...

    @property
    def questions(self) -> Mapping[str, Answer[S, E]]:
        """The words that ask."""
        ...

    def help(self, view: S, /) -> str:
        """Give the rules in short, what is played for at this table, and every word."""
        ...

    def lines(self, event: E, seat: Seat | None, /) -> tuple[str, ...]:
        """Say what happened, to a seat or to the house; nothing if it is not worth a line."""
        ...

    def refusal(self, word: str, refused: IllegalAction, view: S, /) -> str:
        """Say why a command was refused."""
        ...


@dataclass(frozen=True, slots=True)
class Parts(Generic[O, S, A, E]):
    """A game with all that every table, log, console and screen needs of it.

    ``players`` are the computer players by name, made anew for each sitting; ``tally`` begins
    the statistics of a seat.
    """

    game: Game[O, S, A, E]
    words: Words[S, A, E]
    tally: Callable[[Seat], Tally[E]]
    players: Mapping[str, Callable[[], Player[S, A]]]
