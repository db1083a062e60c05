"""What choices cost and bets expect, where a game knows its odds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import Enum
from fractions import Fraction
from math import hypot
from pathlib import Path
from typing import TYPE_CHECKING, Generic

from ..engine.game import A, E, O, S, Seat

if TYPE_CHECKING:
    from .laws import Law


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of mistake: the spot where it was made, and what was done wrong there.

    Both are short English, the same for all mistakes of a kind: ``4 to a flush``, ``held high
    pair``. Choices that differ only in what was done have the same ``spot``.
    """

    spot: str
    slip: str

    def __str__(self) -> str:
        return f"{self.spot}: {self.slip}"


UNNAMED = Kind("a choice", "not the best")
"""The kind of all mistakes of a game that names none."""


@dataclass(frozen=True, slots=True)
class Mistake(Generic[A]):
    """A choice that was not the best: what it costs on average, and what would have been best.

    The cost is in the game's units and above 0.
    """

    cost: Fraction
    best: A
    kind: Kind = UNNAMED


@dataclass(frozen=True, slots=True)
class Worth(Generic[A]):
    """An action, what it brings on average, in the game's units, and the standard error of that.

    The error is 0 where the value is exact, or only rounded.
    """

    action: A
    value: Fraction | float
    error: float = 0.0


class Values(Enum):
    """Which decisions are weighed with the values of all their alternatives."""

    NONE = "none"
    OF_MISTAKES = "mistakes"
    OF_ALL = "all"


@dataclass(frozen=True, slots=True)
class Decision(Generic[S, A]):
    """A choice that a seat made, and what it cost.

    ``view`` is what the seat saw before it. ``spot`` names where the choice was made, as
    :class:`Kind` does. ``values`` are the alternatives, the best first, if they were asked for.
    A decision from a log has its ``step``, its ``round`` (from 1), the time ``at`` (milliseconds
    since 1970), the ``game`` and the ``log``. In words, view and actions are texts.
    """

    seat: Seat
    view: S
    action: A
    spot: str
    mistake: Mistake[A] | None = None
    values: tuple[Worth[A], ...] = ()
    step: int = 0
    round: int = 0
    at: int = 0
    game: str = ""
    log: Path = Path()

    @property
    def cost(self) -> Fraction:
        """What it costs on average, in the game's units; 0 if nothing better is known."""
        return self.mistake.cost if self.mistake else Fraction(0)

    @property
    def best(self) -> A:
        """The best action known: the one that was chosen, if it is no mistake."""
        return self.mistake.best if self.mistake else self.action

    @property
    def kind(self) -> Kind:
        """The kind of mistake that it is."""
        return self.mistake.kind if self.mistake else Kind(self.spot, "")

    def loss(self, alternative: Worth[A]) -> float:
        """Return what one of the ``values`` loses compared with the best; 0 if it is as good.

        For the action that was chosen it is the cost.
        """
        if alternative.action == self.action:
            return float(self.cost)
        first = self.values[0].value
        top = next((one.value for one in self.values if one.action == self.best), first)
        return max(0.0, float(max(top, first)) - float(alternative.value))

    @property
    def value(self) -> Fraction | float | None:
        """What the chosen action brings on average; ``None`` if no values were asked for."""
        return next((one.value for one in self.values if one.action == self.action), None)


@dataclass(frozen=True, slots=True)
class Expectation:
    """What bets bring back on average, gross like ``won``, and the variance of that.

    In the game's units and their squares. Those of rounds that are independent add up.
    """

    mean: Fraction = Fraction(0)
    variance: Fraction = Fraction(0)

    def __add__(self, other: Expectation) -> Expectation:
        return Expectation(self.mean + other.mean, self.variance + other.variance)


SURE = 2
"""Standard errors that make a difference, where a game has values but no judge."""


@dataclass(frozen=True, slots=True)
class Adviser(Generic[O, S, A, E]):
    """What a game knows of its odds; every part of it is optional.

    ``judge`` weighs a seat's action, from its view before it: a mistake, or ``None`` if nothing
    better is known. Every cost that is shown is what it says. ``kind`` says what kind of
    mistake a choice is, from the view, what was done and what would have been best; asked with the
    best in both places it gives the ``spot`` of a fair choice. It raises ``TypeError`` or
    ``ValueError`` for actions that nobody weighs.
    ``worths`` gives all that a seat may choose, from its view, the best first; nothing if there is
    no choice. ``beside`` gives it for an action that was made, itself included, where there are
    too many choices to list, or where nobody is told of mistakes.
    ``expect`` gives what the bets of a round could expect, from the event that ends it, and ``law``
    everything that they could bring and how likely; ``None`` for other events.

    Choices are weighed by :meth:`.Parts.decision` only.
    """

    judge: Callable[[S, Seat, A], Mistake[A] | None] | None = None
    expect: Callable[[O, E], Expectation | None] | None = None
    worths: Callable[[S, Seat], tuple[Worth[A], ...]] | None = None
    law: Callable[[O, E], Law | None] | None = None
    beside: Callable[[S, Seat, A], tuple[Worth[A], ...]] | None = None
    kind: Callable[[S, Seat, A, A], Kind] | None = None

    @property
    def judges(self) -> bool:
        """Whether mistakes are found."""
        return self.judge is not None

    @property
    def weighs_ahead(self) -> bool:
        """Whether all choices of a view have values before one is made."""
        return self.worths is not None

    @property
    def weighs(self) -> bool:
        """Whether alternatives have values."""
        return self.worths is not None or self.beside is not None

    def values(self, view: S, seat: Seat) -> tuple[Worth[A], ...]:
        """Return what each choice at a view is worth, the best first; nothing without a choice."""
        return self.worths(view, seat) if self.worths else ()

    def alternatives(self, view: S, seat: Seat, action: A) -> tuple[Worth[A], ...]:
        """Return what a seat could have done, the best first, its action included.

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

    def mistake(
        self, view: S, seat: Seat, action: A, values: tuple[Worth[A], ...] = ()
    ) -> Mistake[A] | None:
        """Return what is wrong with an action; ``None`` if nothing better is known.

        The ``values`` of the alternatives save time if they are known already. A game without a
        judge is judged by them: a difference counts beyond :data:`SURE` standard errors.
        """
        lost: Fraction | float = 0
        if values:
            made = next(worth for worth in values if worth.action == action)
            best = values[0]
            lost = best.value - made.value
            if not lost:
                return None  # nothing is better, and a judge may take long
        if self.judge is not None:
            found = self.judge(view, seat, action)
            if found is None or self.kind is None:
                return found
            return replace(found, kind=self.kind(view, seat, action, found.best))
        if not lost or lost <= SURE * hypot(best.error, made.error):
            return None
        return Mistake(Fraction(lost), best.action)

    def spot(self, view: S, seat: Seat, action: A) -> str | None:
        """Name the spot where a fair choice was made; ``None`` for actions that nobody weighs."""
        if self.kind is None:
            return UNNAMED.spot
        try:
            return self.kind(view, seat, action, action).spot
        except (TypeError, ValueError):  # such as a bet before the deal
            return None
