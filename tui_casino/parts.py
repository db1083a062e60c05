"""What a game brings to the house: its machine, its words, its tally, its computer players."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
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


def _never(options: object) -> bool:
    return False


@dataclass(frozen=True, slots=True)
class Mistake(Generic[A]):
    """A choice that was not the best: what it costs on average, in the game's units, and which is.

    The cost is above 0.
    """

    cost: Fraction
    better: A


@dataclass(frozen=True, slots=True)
class Expectation:
    """What bets bring back on average, gross like ``won``, and the variance of that.

    In the game's units and their squares. Those of rounds that are independent add up.
    """

    mean: Fraction = Fraction(0)
    variance: Fraction = Fraction(0)

    def __add__(self, other: Expectation) -> Expectation:
        return Expectation(self.mean + other.mean, self.variance + other.variance)


@dataclass(frozen=True, slots=True)
class Parts(Generic[O, S, A, E]):
    """A game with all that every table, log, console and screen needs of it.

    ``players`` are the computer players by name, made anew for each sitting; ``tally`` begins
    the statistics of a seat. ``history`` tells a sitting in readable text, from each state and
    the events that led to it, where a game has more to tell than its lines. ``takes_back`` tells
    for which options a human may take choices back where no purse is touched. ``number_verb`` is
    the verb that a number alone stands for, if there is one. ``points`` says that it is played for
    points, no money; ``waits`` tells for which options such a game waits if it is broken off.

    Two more are for games that know the exact odds. ``judge`` weighs a seat's action, from its
    view before it: a mistake, or ``None`` if nothing better is known. ``quick_judge`` takes
    microseconds, so that whole logs may be judged: the same one, or a rougher one. ``expect`` gives
    what the bets of a round could expect, from the event that ends it; ``None`` for other events.
    """

    game: Game[O, S, A, E]
    words: Words[S, A, E]
    tally: Callable[[Seat], Tally[E]]
    players: Mapping[str, Callable[[], Player[S, A]]]
    history: Callable[[Iterable[tuple[S, tuple[E, ...]]]], Iterator[str]] | None = None
    takes_back: Callable[[O], bool] = _never
    number_verb: str | None = None
    points: bool = False
    waits: Callable[[O], bool] = _never
    judge: Callable[[S, Seat, A], Mistake[A] | None] | None = None
    quick_judge: Callable[[S, Seat, A], Mistake[A] | None] | None = None
    expect: Callable[[O, E], Expectation | None] | None = None

    @property
    def judges_at_once(self) -> bool:
        """Whether the judge itself takes microseconds."""
        return self.judge is not None and self.judge is self.quick_judge

    def cost(self, mistake: Mistake[A]) -> str:
        """Write what a mistake costs on average: ``0.841`` dollars, or ``6.30 points``."""
        if self.points:
            return f"{float(mistake.cost):.2f} points"
        return f"{float(mistake.cost * self.game.unit / 100):.3f}"
