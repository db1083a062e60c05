"""The protocol of a game: a pure state machine, advanced by the seats and the croupier.

A game determines whose turn it is, which actions are legal (as offers, which are plain data), and
what each action leads to. It has no clock, no randomness and no output. :func:`check_legal` refuses
illegal actions for all games, so a game's ``step`` need not check them.
"""

from __future__ import annotations

from enum import Enum
from typing import Generic, NewType, Protocol, TypeAlias, TypeVar

from msgspec import Struct

from ..cards.card import BACK, Card
from .money import Money
from .offers import Dice, Offer

Seat = NewType("Seat", int)
"""A place at the table, counted from 0."""


# The croupier's actions, the same in every game.


class Shoe(Struct, frozen=True):
    """The croupier has made a shoe; ``stock`` cards can be dealt from now on."""

    stock: int


class Deal(Struct, frozen=True):
    """The croupier deals one card. Raises ``ValueError`` for a face-down card."""

    card: Card

    def __post_init__(self) -> None:
        if self.card is BACK:
            raise ValueError("a face-down card cannot be dealt")


Chance: TypeAlias = Shoe | Deal


# The kinds of turns.


class NeedShoe(Struct, frozen=True):
    """The croupier must make a shoe of these cards."""

    pack: tuple[Card, ...]


class NeedCard(Struct, frozen=True):
    """The croupier must deal a card.

    If it ``begins`` a round, the cards that are left in the shoe may be shuffled before.
    """

    begins: bool = False


class AskSeats(Struct, frozen=True):
    """These seats (one or several, in ascending order) must choose.

    Several seats may answer in any order; after each answer, the turn lists the remaining seats.
    """

    seats: tuple[Seat, ...]


class SittingOver(Struct, frozen=True):
    """The session is over for the given reason."""

    reason: str


Turn: TypeAlias = NeedShoe | NeedCard | AskSeats | SittingOver


def is_asked(turn: Turn, seat: Seat) -> bool:
    """Return whether a seat is one of the seats that must choose."""
    return isinstance(turn, AskSeats) and seat in turn.seats


# The protocol.


O = TypeVar("O")  # noqa: E741 - options, state, action, event: the four types of a game
S = TypeVar("S")
A = TypeVar("A")
E = TypeVar("E")
S_contra = TypeVar("S_contra", contravariant=True)
A_player = TypeVar("A_player")


class Step(Struct, Generic[S, E], frozen=True):
    """The result of an action: the new state, and the events that led to it."""

    state: S
    events: tuple[E, ...] = ()


class Game(Protocol[O, S, A, E]):
    """The rules of a game as a state machine; a plain module can implement this protocol.

    Options, states, actions and events are frozen, hashable structs.
    """

    @property
    def slug(self) -> str:
        """The game's name in commands, files and logs."""
        ...

    @property
    def unit(self) -> int:
        """The number of cents in one unit of the game's money."""
        ...

    @property
    def Options(self) -> type[O]:  # noqa: N802 - it is a class
        """The class of the options chosen before a session; every option has a default."""
        ...

    @property
    def actions(self) -> tuple[type[A], ...]:
        """The classes of all actions of seats."""
        ...

    @property
    def events(self) -> tuple[type[E], ...]:
        """The classes of all events."""
        ...

    def sit(self, options: O, purse: int, /) -> O:
        """Return the options for a player with this balance, which is in the game's units."""
        ...

    def seats(self, options: O, /) -> int:
        """Return the number of seats."""
        ...

    def start(self, options: O, /) -> S:
        """Return the state before the first step."""
        ...

    def turn(self, state: S, /) -> Turn:
        """Return whose turn it is."""
        ...

    def offers(self, state: S, seat: Seat, /) -> tuple[Offer[A], ...]:
        """Return the legal actions of a seat that must choose; ``state`` may be the seat's view."""
        ...

    def step(self, state: S, actor: Seat | None, action: A | Chance, /) -> Step[S, E]:
        """Apply a legal action of a seat, or of the croupier (``None``)."""
        ...

    def view(self, state: S, seat: Seat | None, /) -> S:
        """Return the state as a seat may see it, with backs instead of hidden cards.

        ``None`` is a watcher, who sees only the cards that all seats see.
        """
        ...

    def hear(self, state: S, event: E, seat: Seat | None, /) -> E:
        """Return an event of the step that led to ``state``, as a seat or a watcher may see it."""
        ...

    def money(self, state: S, seat: Seat, /) -> Money:
        """Return a seat's money."""
        ...


class ComputerPlayer(Protocol[S_contra, A_player]):
    """A computer player, which chooses one of its offers and sees only its own view."""

    def choose(
        self, view: S_contra, seat: Seat, offers: tuple[Offer[A_player], ...], dice: Dice, /
    ) -> A_player:
        """Return one of the offered actions; use the ``dice`` for this choice only."""
        ...


class Refusal(Enum):
    """The reasons for refusing an action, in the order in which they are checked."""

    WORDS = "the words cannot be understood"
    TURN = "it is somebody else's turn"
    MOMENT = "not now"
    VALUE = "the value is out of range"
    BARRED = "it cannot be done now"


class IllegalAction(ValueError):
    """Raised for an illegal action, with the ``kind`` of refusal and the ``reason`` in words."""

    def __init__(self, kind: Refusal, reason: str | None = None) -> None:
        self.kind = kind
        self.reason = reason or kind.value
        super().__init__(self.reason)


def check_legal(game: Game[O, S, A, E], state: S, actor: Seat | None, action: object) -> None:
    """Raise :class:`IllegalAction` if an action is not legal for a seat, or for the croupier.

    The croupier is the actor ``None``.
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
    """Apply an action. Raises :class:`IllegalAction` if it is not legal."""
    check_legal(game, state, actor, action)
    return game.step(state, actor, action)
