"""What a game is: a pure machine, stepped by seats and by the croupier.

A game says whose turn it is, what may be done as plain data (offers), and what each action
leads to. It has no clock, no randomness and no output. One guard refuses what is not on offer,
so a game's ``step`` never has to.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum
from itertools import combinations, product
from typing import Any, Generic, NewType, Protocol, TypeAlias, TypeVar

from .cards import BACK, Card
from .frozen import names_of

Seat = NewType("Seat", int)
"""A place at the table, counted from 0."""


# What the croupier does, the same in every game.


@dataclass(frozen=True, slots=True)
class Shoe:
    """The croupier has made a shoe; ``stock`` cards can be dealt from now on."""

    stock: int


@dataclass(frozen=True, slots=True)
class Deal:
    """The croupier deals one card. Raises ``ValueError`` for a back."""

    card: Card

    def __post_init__(self) -> None:
        if self.card is BACK:
            raise ValueError("a card that lies face down cannot be dealt")


Chance: TypeAlias = Shoe | Deal


# Whose turn it is.


@dataclass(frozen=True, slots=True)
class NeedShoe:
    """The croupier shall make a shoe of these cards."""

    pack: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class NeedCard:
    """The croupier shall deal a card."""


@dataclass(frozen=True, slots=True)
class Ask:
    """A seat shall choose."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Over:
    """The sitting has come to its own end, and why."""

    why: str


Turn: TypeAlias = NeedShoe | NeedCard | Ask | Over


@dataclass(frozen=True, slots=True)
class Money:
    """A seat's money in the game's own units: free to take away, and at stake in the round."""

    free: int
    staked: int = 0


def dollars(cents: int) -> str:
    """Print cents as ``1,000.00``."""
    return f"{'-' if cents < 0 else ''}{abs(cents) // 100:,}.{abs(cents) % 100:02}"


class Dice(Protocol):
    """Chance for one choice."""

    def below(self, n: int, /) -> int:
        """Draw a whole number from 0 to n - 1, each as likely."""
        ...


# What may be done: an action class, and a slot for each of its fields.


class Slot(Protocol):
    """The values that one field of an action may take now."""

    def admits(self, value: object, /) -> bool:
        """Tell whether the field may have this value."""
        ...

    def sample(self, dice: Dice, /) -> Any:
        """Draw some value; every one is possible."""
        ...

    def all(self) -> Iterator[Any]:
        """Go through every value."""
        ...


@dataclass(frozen=True, slots=True)
class Whole:
    """A whole number from ``low`` to ``high``, both included."""

    low: int
    high: int

    def admits(self, value: object, /) -> bool:
        """Tell whether this is a whole number within the limits."""
        return type(value) is int and self.low <= value <= self.high

    def sample(self, dice: Dice, /) -> int:
        """Draw one of the numbers."""
        return self.low + dice.below(self.high - self.low + 1)

    def all(self) -> Iterator[int]:
        """Count from the lowest to the highest."""
        return iter(range(self.low, self.high + 1))


@dataclass(frozen=True, slots=True)
class OneOf:
    """One of these values."""

    values: tuple[Any, ...]

    def admits(self, value: object, /) -> bool:
        """Tell whether this is one of the values, and of the same type."""
        return any(type(value) is type(one) and value == one for one in self.values)

    def sample(self, dice: Dice, /) -> Any:
        """Draw one of the values."""
        return self.values[dice.below(len(self.values))]

    def all(self) -> Iterator[Any]:
        """Go through the values."""
        return iter(self.values)


@dataclass(frozen=True, slots=True)
class Some:
    """From ``least`` to ``most`` different ones of these values, as a tuple in their order."""

    values: tuple[Any, ...]
    least: int
    most: int

    def admits(self, value: object, /) -> bool:
        """Tell whether this is a tuple of so many of the values in their order."""
        if not isinstance(value, tuple) or not self.least <= len(value) <= self.most:
            return False
        rest = iter(self.values)  # each search goes on where the last one ended
        return all(any(type(v) is type(one) and v == one for one in rest) for v in value)

    def sample(self, dice: Dice, /) -> tuple[Any, ...]:
        """Draw how many, then which."""
        size = self.least + dice.below(self.most - self.least + 1)
        places = list(range(len(self.values)))
        drawn = sorted(places.pop(dice.below(len(places))) for _ in range(size))
        return tuple(self.values[place] for place in drawn)

    def all(self) -> Iterator[tuple[Any, ...]]:
        """Go through every choice, the smaller ones first."""
        for size in range(self.least, self.most + 1):
            yield from combinations(self.values, size)


O = TypeVar("O")  # noqa: E741 - options, state, action, event: the four types of a game
S = TypeVar("S")
A = TypeVar("A")
E = TypeVar("E")
A_co = TypeVar("A_co", covariant=True)
S_contra = TypeVar("S_contra", contravariant=True)
A_player = TypeVar("A_player")


@dataclass(frozen=True, slots=True)
class Offer(Generic[A_co]):
    """A family of actions that may be done now: ``kind(*values)``, a value from each slot.

    ``barred`` says why it cannot be done although the moment is right ("not enough cards").
    ``usual`` are the values that the bare word means; an offer without slots needs none. A
    game lists its primary offer first: Enter takes it, if it can be taken with its usual values.
    """

    kind: Callable[..., A_co]
    slots: tuple[Slot, ...] = ()
    barred: str | None = None
    usual: tuple[Any, ...] | None = None

    def fits(self, action: object) -> bool:
        """Tell whether the action is of this family, barred or not."""
        if type(action) is not self.kind:
            return False
        for slot, name in zip(self.slots, names_of(type(action)), strict=True):  # type: ignore[arg-type]
            if not slot.admits(getattr(action, name)):
                return False
        return True

    def admits(self, action: object) -> bool:
        """Tell whether the action may be done."""
        return self.barred is None and self.fits(action)

    def sample(self, dice: Dice) -> A_co:
        """Draw an action of the family."""
        return self.kind(*(slot.sample(dice) for slot in self.slots))

    def all(self) -> Iterator[A_co]:
        """Go through every action of the family."""
        return (self.kind(*values) for values in product(*(slot.all() for slot in self.slots)))


@dataclass(frozen=True, slots=True)
class Step(Generic[S, E]):
    """What an action led to: the new state, and what happened on the way."""

    state: S
    events: tuple[E, ...] = ()


class Game(Protocol[O, S, A, E]):
    """The rules of a game as a machine; a plain module satisfies it.

    Options, states, actions and events are frozen, hashable dataclasses.
    """

    @property
    def slug(self) -> str:
        """The game's name in commands, files and logs."""
        ...

    @property
    def unit(self) -> int:
        """How many cents one unit of the game's money is worth."""
        ...

    @property
    def Options(self) -> type[O]:  # noqa: N802 - it is a class
        """What can be chosen before a sitting; every option has a default."""
        ...

    @property
    def actions(self) -> tuple[type[A], ...]:
        """Every kind of action that a seat may take at some moment."""
        ...

    @property
    def events(self) -> tuple[type[E], ...]:
        """Every kind of event that a step may tell."""
        ...

    def sit(self, options: O, purse: int, /) -> O:
        """Give the options with what a player of this purse, in units, brings to the table."""
        ...

    def seats(self, options: O, /) -> int:
        """Count the seats."""
        ...

    def start(self, options: O, /) -> S:
        """Give the state before the first step."""
        ...

    def turn(self, state: S, /) -> Turn:
        """Tell whose turn it is."""
        ...

    def offers(self, state: S, /) -> tuple[Offer[A], ...]:
        """Tell what the asked seat may do; a seat's own view is enough to know it."""
        ...

    def step(self, state: S, action: A | Chance, /) -> Step[S, E]:
        """Do what the guard has let pass."""
        ...

    def view(self, state: S, seat: Seat, /) -> S:
        """Give the state as a seat may see it, hidden cards replaced by backs."""
        ...

    def hear(self, state: S, event: E, seat: Seat, /) -> E:
        """Give the event of a step that led to this state as a seat may hear it."""
        ...

    def money(self, state: S, seat: Seat, /) -> Money:
        """Give a seat's money."""
        ...


class Player(Protocol[S_contra, A_player]):
    """A computer player: from its view and the offers it chooses; it keeps no dice."""

    def choose(
        self, view: S_contra, seat: Seat, offers: tuple[Offer[A_player], ...], dice: Dice, /
    ) -> A_player:
        """Choose one of the actions on offer."""
        ...


class Refusal(Enum):
    """Why an action is refused, in the order in which it is looked for."""

    WORDS = "the words cannot be understood"
    TURN = "it is somebody else's turn"
    MOMENT = "not at this moment"
    VALUE = "the value is out of range"
    BARRED = "it cannot be done now"


class IllegalAction(ValueError):
    """An action that is not on offer: ``kind`` of refusal, and ``why`` in words."""

    def __init__(self, kind: Refusal, why: str | None = None) -> None:
        self.kind = kind
        self.why = why or kind.value
        super().__init__(self.why)


def guard(game: Game[O, S, A, E], state: S, actor: Seat | None, action: object) -> None:
    """Refuse what is not on offer to an actor; ``None`` is the croupier.

    Raises :class:`IllegalAction`.
    """
    match game.turn(state), actor, action:
        case (NeedShoe(), None, Shoe()) | (NeedCard(), None, Deal()):
            return
        case Ask(seat), _, _ if seat == actor:
            pass
        case _:
            raise IllegalAction(Refusal.TURN)
    of_kind = [offer for offer in game.offers(state) if offer.kind is type(action)]
    if not of_kind:
        raise IllegalAction(Refusal.MOMENT)
    if any(offer.admits(action) for offer in of_kind):
        return
    barred = next((offer.barred for offer in of_kind if offer.fits(action)), None)
    raise IllegalAction(Refusal.VALUE if barred is None else Refusal.BARRED, barred)


def apply(game: Game[O, S, A, E], state: S, actor: Seat | None, action: A | Chance) -> Step[S, E]:
    """Do an action if it is on offer. Raises :class:`IllegalAction`, the state unharmed."""
    guard(game, state, actor, action)
    return game.step(state, action)
