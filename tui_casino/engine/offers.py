"""The offers of a game: each is an action class, with a domain of values for each field."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import combinations, islice, product
from typing import Any, Generic, Protocol, TypeVar

from msgspec import Struct


class Dice(Protocol):
    """The random numbers for one choice."""

    def below(self, n: int, /) -> int:
        """Draw a whole number from 0 to n - 1 with equal chances."""
        ...


class FieldDomain(Protocol):
    """The values that one field of an action may take now."""

    def contains(self, value: object, /) -> bool:
        """Return whether the field may have this value."""
        ...

    def sample(self, dice: Dice, /) -> Any:
        """Draw a random value; every value is possible."""
        ...

    def all(self) -> Iterator[Any]:
        """Iterate over all values."""
        ...


class IntRange(Struct, frozen=True):
    """A whole number from ``low`` to ``high``, inclusive."""

    low: int
    high: int

    def contains(self, value: object, /) -> bool:
        """Return whether the value is a whole number within the limits."""
        return type(value) is int and self.low <= value <= self.high

    def sample(self, dice: Dice, /) -> int:
        """Draw a random number within the limits."""
        return self.low + dice.below(self.high - self.low + 1)

    def all(self) -> Iterator[int]:
        """Iterate from the lowest number to the highest."""
        return iter(range(self.low, self.high + 1))


class OneOf(Struct, frozen=True):
    """A choice of one of these values."""

    values: tuple[Any, ...]

    def contains(self, value: object, /) -> bool:
        """Return whether the value is one of the allowed values, and of the same type."""
        return any(type(value) is type(one) and value == one for one in self.values)

    def sample(self, dice: Dice, /) -> Any:
        """Draw a random value."""
        return self.values[dice.below(len(self.values))]

    def all(self) -> Iterator[Any]:
        """Iterate over the values."""
        return iter(self.values)


class Subset(Struct, frozen=True):
    """A tuple of ``minimum`` to ``maximum`` different values, ordered as in ``values``."""

    values: tuple[Any, ...]
    minimum: int
    maximum: int

    def contains(self, value: object, /) -> bool:
        """Return whether the value is a tuple of an allowed size, in the right order."""
        if not isinstance(value, tuple) or not self.minimum <= len(value) <= self.maximum:
            return False
        remaining = iter(self.values)  # each search continues after the last match
        return all(any(type(v) is type(one) and v == one for one in remaining) for v in value)

    def sample(self, dice: Dice, /) -> tuple[Any, ...]:
        """Draw a random size, then a random subset of this size."""
        size = self.minimum + dice.below(self.maximum - self.minimum + 1)
        places = list(range(len(self.values)))
        drawn = sorted(places.pop(dice.below(len(places))) for _ in range(size))
        return tuple(self.values[place] for place in drawn)

    def all(self) -> Iterator[tuple[Any, ...]]:
        """Iterate over all subsets, smaller subsets first."""
        for size in range(self.minimum, self.maximum + 1):
            yield from combinations(self.values, size)


A_co = TypeVar("A_co", covariant=True)


class Offer(Struct, Generic[A_co], frozen=True):
    """A set of actions that a seat may choose now: ``kind(*values)``, a value from each domain.

    ``barred`` is the reason why the actions are impossible although the phase is right, such as
    "not enough cards". ``defaults`` are the values for the command without arguments; an offer
    without domains needs no defaults. A game lists its primary offer first; the space key chooses
    it with its defaults.
    """

    kind: Callable[..., A_co]
    domains: tuple[FieldDomain, ...] = ()
    barred: str | None = None
    defaults: tuple[Any, ...] | None = None

    def fits(self, action: object) -> bool:
        """Return whether the action belongs to the offer, barred or not."""
        if type(action) is not self.kind:
            return False
        for slot, name in zip(self.domains, action.__struct_fields__, strict=True):  # type: ignore[attr-defined]
            if not slot.contains(getattr(action, name)):
                return False
        return True

    def contains(self, action: object) -> bool:
        """Return whether the action belongs to the offer and is not barred."""
        return self.barred is None and self.fits(action)

    def sample(self, dice: Dice) -> A_co:
        """Draw a random action of the offer."""
        return self.kind(*(slot.sample(dice) for slot in self.domains))

    def all(self) -> Iterator[A_co]:
        """Iterate over all actions of the offer."""
        return (self.kind(*values) for values in product(*(slot.all() for slot in self.domains)))


def has_choice(offers: Iterable[Offer[Any]]) -> bool:
    """Return whether more than one action is allowed."""
    able = (offer for offer in offers if offer.barred is None)
    return len([*islice((one for offer in able for one in offer.all()), 2)]) > 1
