"""What players are called on the screen: ``You``, and a computer player by its name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ....engine.game import Seat
from ....gamekit.words import SEAT_NAMES
from ..machine.state import SEATS

SHORT = 3
"""Letters of a name beside a row of holes."""


@dataclass(frozen=True, slots=True)
class SeatNames:
    """The names of both seats, for whoever looks on from one of them, or from none."""

    me: Seat | None
    of: tuple[str, str]

    @classmethod
    def at(cls, players: Mapping[Seat, str | None], me: Seat | None) -> SeatNames:
        """Name the players of a table; two of the same name are called North and South."""
        first, second = (_name(players[Seat(seat)], seat) for seat in SEATS)
        if first == second:
            first, second = (SEAT_NAMES[seat] for seat in SEATS)
        names = (first, second)
        return cls(me, names if me is None else _with_you(names, me))

    def __getitem__(self, seat: int) -> str:
        """Give a name: ``You``, ``Greedy``."""
        return self.of[seat]

    def does(self, seat: int, do: str, does: str) -> str:
        """Say that somebody does something."""
        return f"{self[seat]} {do if seat == self.me else does}"

    def whose(self, seat: int) -> str:
        """Say whose something is: ``your``, ``Greedy's``."""
        return "your" if seat == self.me else f"{self[seat]}'s"

    def to(self, seat: int) -> str:
        """Say to whom points go."""
        return "you" if seat == self.me else self[seat]

    def scored(self, seat: int) -> str:
        """Give the name that stands before points: a number in it is kept apart from them."""
        name = self[seat]
        return f"{name}:" if name[-1].isdigit() else name

    def lane(self, seat: int) -> str:
        """Give the name beside a row of holes: ``YOU``, ``GRE``."""
        return self[seat][:SHORT].upper()


def _name(player: str | None, seat: int) -> str:
    return SEAT_NAMES[seat] if player is None else player.capitalize()


def _with_you(names: tuple[str, str], me: int) -> tuple[str, str]:
    return ("You", names[1]) if me == 0 else (names[0], "You")
