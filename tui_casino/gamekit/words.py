"""How a game is spoken with."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Generic, Protocol

from ..engine.game import IllegalAction, S, Seat
from ..engine.offers import A_co
from .tally import E_contra, T

SEAT_NAMES = ("North", "South", "East", "West")
"""The names of players, by seat, who have no other: those who share a keyboard."""


@dataclass(frozen=True, slots=True)
class Question(Generic[S, T]):
    """What a question of a seat is answered from."""

    view: S
    seat: Seat
    tally: T


Answer = Callable[[Question[S, T]], str | None]
"""Answers a question, which changes nothing; ``None`` if it cannot be asked at this moment."""


class Words(Protocol[S, A_co, E_contra, T]):
    """How a game is spoken with: text only, it never prints."""

    @property
    def verbs(self) -> Mapping[str, Callable[..., A_co]]:
        """The words that act, each with its kind of action."""
        ...

    @property
    def questions(self) -> Mapping[str, Answer[S, T]]:
        """The words that ask."""
        ...

    def help(self, view: S, /) -> str:
        """Give the rules in short, what is played for at this table, and every word."""
        ...

    def lines(self, event: E_contra, seat: Seat | None, /) -> tuple[str, ...]:
        """Say what happened, to a seat, or for ``None`` to the house or a watcher.

        Nothing if it is not worth a line.
        """
        ...

    def refusal(self, word: str, refused: IllegalAction, view: S, seat: Seat, /) -> str:
        """Say to a seat why its command was refused, in a line that names the word.

        Nothing where the game has no words of its own for it: then the house says why, the same
        at every table.
        """
        ...
