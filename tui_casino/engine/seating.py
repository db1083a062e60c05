"""Seats that people take and leave between rounds, and the clock on their choices."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, Generic, Protocol

from msgspec import Struct

from ..inputs.numbers import count_noun, list_words
from .game import A, E, Game, O, S, Seat, Step
from .offers import Dice, IntRange, Offer

SHARED = "-shared"
"""The end of a game's name in the log of a table with others."""
NOBODY = "none"
"""The value of a choice of computers if none play."""
COMPUTER = "computer"
"""The choice of the computer that takes a free seat."""
OFFER_SECONDS = 45
"""The time that players wait for others before a computer takes a free seat."""
PACE = "pace"
"""The choice of the time that each choice at a new table may take; it is not in the log."""
READY, SITS_OUT = "ready", "sits out"
"""The choices of a seat for the next round, in the words that the others read."""
MINUTE, DAY = 60, 86_400
"""Two paces, in seconds."""
SLOWEST_LIVE = 3600
"""The seconds from which on a table is played by correspondence."""

_ENTROPY = re.compile("(?:[0-9a-f]{32})?")


class Join(Struct, frozen=True, omit_defaults=True):
    """Take a free seat with this money, in cents, and with random numbers for the shuffles.

    The ``entropy`` has 32 hexadecimal digits, or is empty. Raises ``ValueError`` for other texts.
    """

    cents: int
    entropy: str = ""

    def __post_init__(self) -> None:
        if not _ENTROPY.fullmatch(self.entropy):
            raise ValueError("the entropy of a seat must be 32 hexadecimal digits (0-9, a-f)")


class Leave(Struct, frozen=True):
    """Leave the seat with its money."""


class SitOut(Struct, frozen=True):
    """Let the next round go by."""


class SeatTaken(Struct, frozen=True):
    """Somebody sat down with this money, in cents."""

    seat: Seat
    credit: int


class SeatReady(Struct, frozen=True):
    """A seat is ready for the next round."""

    seat: Seat


class SeatSitsOut(Struct, frozen=True):
    """A seat lets the next round go by."""

    seat: Seat


class SeatLeft(Struct, frozen=True):
    """A seat was left, or its money ran out: what remains of it, in cents."""

    seat: Seat
    credit: int


class ComputerJoin(Struct, frozen=True):
    """Let a computer take a free seat, because nobody else has taken it."""


class ComputerJoined(Struct, frozen=True):
    """A computer sat down with this money, in cents, and stays."""

    seat: Seat
    credit: int


class EntropyDomain(Struct, frozen=True):
    """Every entropy with which a seat may be taken."""

    def contains(self, value: object, /) -> bool:
        """Return whether the value is an entropy."""
        return isinstance(value, str) and _ENTROPY.fullmatch(value) is not None

    def sample(self, dice: Dice, /) -> str:
        """Draw a random entropy."""
        return "".join(f"{dice.below(16):x}" for _ in range(32))

    def all(self) -> Iterator[str]:
        """Iterate over the empty text only, because there are too many others."""
        return iter(("",))


def join_offer(least: int, most: int) -> Offer[Join]:
    """Return the offer of a free seat for an amount of money, in units of the game."""
    return Offer(Join, (IntRange(least, most), EntropyDomain()))


class SeatEntropy(Struct, frozen=True):
    """The entropy of each seat that is taken at a table."""

    seats: tuple[tuple[Seat, str], ...] = ()

    def after(self, actor: Seat | None, action: object, events: tuple[object, ...]) -> SeatEntropy:
        """Return what it is after a step: a seat brings it when taken, and takes it along."""
        left = [event.seat for event in events if isinstance(event, SeatLeft)]
        if not left and not isinstance(action, Join):
            return self
        seats = dict(self.seats)
        if isinstance(action, Join) and actor is not None:
            seats[actor] = action.entropy
        return SeatEntropy(tuple((seat, one) for seat, one in seats.items() if seat not in left))

    @property
    def client_seed(self) -> str:
        """The client seed for a shuffle; empty if no seat has brought any entropy."""
        brought = [entropy for _, entropy in sorted(self.seats) if entropy]
        return hashlib.sha256("|".join(brought).encode()).hexdigest() if brought else ""


class SharedGame(Game[O, S, A, E], Protocol):
    """A game whose seats are taken and left between rounds."""

    def awaited(self, state: S, /) -> tuple[Seat, ...]:
        """Return the seats for whose choice the others wait; their clock runs."""
        ...

    def default(self, state: S, seat: Seat, /) -> A:
        """Return the action of a seat whose clock has run out."""
        ...

    def seen(self, state: S, events: tuple[E, ...], seat: Seat, /) -> Step[Any, Any]:
        """Return a step as a seat sees it: its view, and what it hears.

        The view is a state of the game that the seat plays, see :class:`SharedPlay`.
        """
        ...


class ComputerTurn(Struct, Generic[A], frozen=True):
    """The seat of a computer whose turn it is, and how it chooses, which may take long."""

    seat: Seat
    choose: Callable[[Dice], A]


class TableChoice(Struct, frozen=True):
    """A choice for a new table: the option's name, a question, and a text for each value.

    The values are typed as they are here; ``read`` returns what one stands for.
    """

    name: str
    question: str
    values: Mapping[str, str]
    usual: str
    read: Callable[[str], object] = str

    def value_of(self, typed: str) -> object:
        """Return what a value stands for. Raises ``ValueError``."""
        if typed not in self.values:
            raise ValueError(f"{self.name} is one of {list_words([*self.values])}, not {typed}")
        return self.read(typed)


def by_correspondence(seconds: int) -> bool:
    """Return whether a table with these seconds for a choice is played by correspondence.

    Its players come and go, and their seats wait for them.
    """
    return seconds >= SLOWEST_LIVE


def pace_text(seconds: int) -> str:
    """Return the time for each choice in words."""
    if not by_correspondence(seconds):
        return f"{count_noun(seconds, 'second')} for each choice"
    days = seconds // DAY
    return "a day for each move" if days == 1 else f"{count_noun(days, 'day')} for each move"


def seats_choice(least: int, most: int) -> TableChoice:
    """Return the choice of a number of seats; the usual one is the largest."""
    values = {str(count): f"{count} seats" for count in range(least, most + 1)}
    return TableChoice("seats", "How many seats?", values, str(most), int)


def seat_name(seat: int) -> str:
    """Return the usual name of a seat whose player has none in the game: ``Seat 2``."""
    return f"Seat {seat + 1}"


class SharedPlay(Struct, Generic[O], frozen=True):
    """How a game is played by several people.

    ``game`` decides at the table. ``options`` returns the options of the game that a seat plays,
    given those of the table. If that is the game for one person, it ``is_solo``: everybody plays it
    with the same cards. ``doing`` tells others in a few words what a seat has chosen, and
    ``describe`` returns the rules of a table with these options in a few words. Each choice may
    take ``seconds``; a player whose choice the round waits for has a time bank of ``bank`` seconds
    as well, for all choices together. A player who makes a table makes these ``choices``; if there
    are several ``paces``, one of them, with its seconds, is chosen as well. If
    computers play the free seats, ``computer`` returns the turn of one, if it is a computer's turn,
    and ``computer_name`` the name of the one in a seat, if there is one; both get the state.
    ``ends_round`` returns whether an event ends a round; those who watch hear of it only then.
    ``watched`` returns the lines that report an event to them, with the names of :func:`seat_name`;
    without it, they are those of the game's words.
    """

    game: SharedGame[Any, Any, Any, Any]
    options: Callable[[Any], O] = lambda options: options
    doing: Callable[[Any, Seat], str] = lambda state, seat: ""
    describe: Callable[[Any], str] = lambda options: ""
    is_solo: bool = False
    seconds: int = 15
    bank: int = 0
    choices: tuple[TableChoice, ...] = ()
    paces: Mapping[str, int] = MappingProxyType({})
    computer: Callable[[Any], ComputerTurn[Any] | None] | None = None
    computer_name: Callable[[Any, Seat], str] = lambda state, seat: ""
    ends_round: Callable[[Any], bool] = lambda event: False
    watched: Callable[[Any], tuple[str, ...]] | None = None

    def options_of(self, chosen: Mapping[str, str]) -> Any:
        """Return the options of a new table. Raises ``ValueError`` for an impossible choice."""
        choices = {choice.name: choice for choice in self.choices_at()}
        if unknown := chosen.keys() - choices.keys():
            names = f"the options are {list_words([*choices])}" if choices else "there are none"
            raise ValueError(f"there is no option {min(unknown)}; {names}")
        values = {name: choices[name].value_of(chosen[name]) for name in chosen}
        values.pop(PACE, None)  # of the table, not of the game
        return self.game.Options(**values)

    def choices_at(self, pace: str | None = None) -> tuple[TableChoice, ...]:
        """Return the choices for a new table, first the pace; no computer comes to a slow one."""
        if not self.paces:
            return self.choices
        texts = {name: pace_text(seconds) for name, seconds in self.paces.items()}
        usual = next(name for name, seconds in self.paces.items() if seconds == self.seconds)
        own = TableChoice(PACE, "How long may each move take?", texts, usual)
        is_slow = by_correspondence(self.paces.get(pace or usual, self.seconds))
        return (own, *(one for one in self.choices if not (is_slow and one.name == COMPUTER)))

    def next_choice(self, chosen: Mapping[str, str]) -> TableChoice | None:
        """Return the choice for a new table that comes after those that are made already."""
        choices = self.choices_at(chosen.get(PACE))
        return next((one for one in choices if one.name not in chosen), None)

    def seconds_of(self, chosen: Mapping[str, str]) -> int | None:
        """Return the seconds for each choice at a new table; ``None`` for those of the game.

        Raises ``ValueError`` for an impossible choice.
        """
        if PACE not in chosen or not self.paces:
            return None
        pace = chosen[PACE]
        self.choices_at()[0].value_of(pace)
        seconds = self.paces[pace]
        if by_correspondence(seconds) and chosen.get(COMPUTER, NOBODY) != NOBODY:
            raise ValueError(f"no computer comes to a table with {pace_text(seconds)}")
        return None if seconds == self.seconds else seconds

    def own_seat(self, seat: int) -> Seat:
        """Return the seat in the game that a seat of the table plays."""
        return Seat(0 if self.is_solo else seat)
