"""The protocol of a game: a pure state machine, stepped by seats and by the croupier.

A game says whose turn it is, what may be done as plain data (offers), and what each action
leads to. It has no clock, no randomness and no output. One guard refuses what is not on offer,
so a game's ``step`` never has to.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Generic, NewType, Protocol, TypeAlias, TypeVar

from ..cards.card import BACK, Card
from .money import Money
from .offers import Dice, Offer

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
class AskSeats:
    """These seats shall choose: one, or several at once, in rising order.

    Several may answer in any order; the turn after an answer tells who is asked still.
    """

    seats: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class SittingOver:
    """The sitting has come to its own end, and why."""

    reason: str


Turn: TypeAlias = NeedShoe | NeedCard | AskSeats | SittingOver


def is_asked(turn: Turn, seat: Seat) -> bool:
    """Tell whether a seat is among those that shall choose."""
    return isinstance(turn, AskSeats) and seat in turn.seats


# What may be done: an action class, and a slot for each of its fields.


O = TypeVar("O")  # noqa: E741 - options, state, action, event: the four types of a game
S = TypeVar("S")
A = TypeVar("A")
E = TypeVar("E")
S_contra = TypeVar("S_contra", contravariant=True)
A_player = TypeVar("A_player")


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

    def offers(self, state: S, seat: Seat, /) -> tuple[Offer[A], ...]:
        """Tell what a seat may do: nothing unless asked. Its own view is enough to know it."""
        ...

    def step(self, state: S, actor: Seat | None, action: A | Chance, /) -> Step[S, E]:
        """Do what the guard has let pass, by a seat or, for ``None``, by the croupier."""
        ...

    def view(self, state: S, seat: Seat | None, /) -> S:
        """Give the state as a seat may see it, hidden cards replaced by backs.

        ``None`` is a watcher, who sees open cards only: none that a seat has hidden from another.
        """
        ...

    def hear(self, state: S, event: E, seat: Seat | None, /) -> E:
        """Give the event of a step that led to this state as a seat, or a watcher, may hear it."""
        ...

    def money(self, state: S, seat: Seat, /) -> Money:
        """Give a seat's money."""
        ...


class ComputerPlayer(Protocol[S_contra, A_player]):
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
    """An action that is not on offer: ``kind`` of refusal, and ``reason`` in words."""

    def __init__(self, kind: Refusal, reason: str | None = None) -> None:
        self.kind = kind
        self.reason = reason or kind.value
        super().__init__(self.reason)


def check_legal(game: Game[O, S, A, E], state: S, actor: Seat | None, action: object) -> None:
    """Refuse what is not on offer to an actor: any seat that is asked, or ``None``, the croupier.

    Raises :class:`IllegalAction`.
    """
    match game.turn(state), actor, action:
        case (NeedShoe(), None, Shoe()) | (NeedCard(), None, Deal()):
            return
        case AskSeats(seats), _, _ if actor in seats:
            offers = game.offers(state, actor)
        case _:
            raise IllegalAction(Refusal.TURN)
    of_kind = [offer for offer in offers if offer.kind is type(action)]
    if not of_kind:
        raise IllegalAction(Refusal.MOMENT)
    if any(offer.contains(action) for offer in of_kind):
        return
    barred = next((offer.barred for offer in of_kind if offer.fits(action)), None)
    raise IllegalAction(Refusal.VALUE if barred is None else Refusal.BARRED, barred)


def apply_action(
    game: Game[O, S, A, E], state: S, actor: Seat | None, action: A | Chance
) -> Step[S, E]:
    """Do an action if it is on offer. Raises :class:`IllegalAction`, the state unharmed."""
    check_legal(game, state, actor, action)
    return game.step(state, actor, action)
