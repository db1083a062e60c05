"""What choices cost and bets expect, where a game knows its odds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Generic

from ..engine.game import A, E, O, S, Seat

if TYPE_CHECKING:
    from .laws import Law


@dataclass(frozen=True, slots=True)
class Mistake(Generic[A]):
    """A choice that was not the best: what it costs on average, in the game's units, and which is.

    The cost is above 0.
    """

    cost: Fraction
    better: A


@dataclass(frozen=True, slots=True)
class Kind:
    """What sort of mistake one is: where, by what would have been right, and what was done there.

    Both are short English, the same for all mistakes of a sort: ``4 to a flush``, ``held high
    pair``. Of choices that differ in what was done alone, the ``spot`` is the same.
    """

    spot: str
    slip: str

    def __str__(self) -> str:
        return f"{self.spot}: {self.slip}"


@dataclass(frozen=True, slots=True)
class Worth(Generic[A]):
    """An action, what it brings on average, in the game's units, and the standard error of that.

    The error is 0 where the value is exact, or rounded only.
    """

    action: A
    value: Fraction | float
    error: float = 0.0


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
class Adviser(Generic[O, S, A, E]):
    """What a game knows of its odds; nothing of it has to be there.

    ``judge`` weighs a seat's action, from its view before it: a mistake, or ``None`` if nothing
    better is known. All costs are what it says; what it says of a log is kept.
    ``judges_at_once``: it takes microseconds, so that somebody may wait while it goes through a
    log. ``expect`` gives what the bets of a round could expect, from the event that ends it, and
    ``law`` all that they could bring, and how likely; ``None`` for other events.
    ``worths`` gives all that a seat may choose, from its view, the best first; nothing where there
    is no choice. ``beside`` gives it for an action that was made, itself among the rest, where what
    may be chosen is too much to list or where nobody is told of mistakes. ``kind`` says what sort
    of mistake a choice is, from the view, what was done and what would have been best: a fair
    choice may be asked about as well, with the best in both places, to learn its ``spot``.
    """

    judge: Callable[[S, Seat, A], Mistake[A] | None] | None = None
    judges_at_once: bool = False
    expect: Callable[[O, E], Expectation | None] | None = None
    worths: Callable[[S, Seat], tuple[Worth[A], ...]] | None = None
    law: Callable[[O, E], Law | None] | None = None
    beside: Callable[[S, Seat, A], tuple[Worth[A], ...]] | None = None
    kind: Callable[[S, Seat, A, A], Kind] | None = None

    @property
    def weighs(self) -> bool:
        """Whether anything can be said of what a seat chose."""
        return self.worths is not None or self.beside is not None

    def alternatives(self, view: S, seat: Seat, action: A) -> tuple[Worth[A], ...]:
        """Give what a seat could have done, the best first, what it did among it.

        Nothing where nothing is known of the choice, or where there was none.
        """
        found: tuple[Worth[A], ...] = ()
        if self.beside is not None:
            found = self.beside(view, seat, action)
        elif self.worths is not None:
            found = self.worths(view, seat)
        if all(worth.action != action for worth in found):
            return ()
        return tuple(sorted(found, key=lambda worth: -worth.value))
