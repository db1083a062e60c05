"""The names of the players on the screen: ``You``, and a computer player by its name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ....engine.game import Seat
from ....gamekit.words import SEAT_NAMES
from ..machine.state import SEATS

SHORT = 3
"""Letters of a name before a row of holes."""


@dataclass(frozen=True, slots=True)
class SeatNames:
    """The names of both seats for the player in seat ``me``; for a watcher ``me`` is ``None``."""

    me: Seat | None
    names: tuple[str, str]

    @classmethod
    def of_players(cls, players: Mapping[Seat, str | None], me: Seat | None) -> SeatNames:
        """Name the players of a table; two with the same name are called North and South."""
        first, second = (_name(players[Seat(seat)], seat) for seat in SEATS)
        if first == second:
            first, second = (SEAT_NAMES[seat] for seat in SEATS)
        names = (first, second)
        return cls(me, names if me is None else _with_you(names, me))

    def __getitem__(self, seat: int) -> str:
        """Return the name of a seat: ``You``, ``Greedy``."""
        return self.names[seat]

    def with_verb(self, seat: int, you_form: str, name_form: str) -> str:
        """Return the name of a seat with a verb in the right form."""
        return f"{self[seat]} {you_form if seat == self.me else name_form}"

    def possessive(self, seat: int) -> str:
        """Return the possessive: ``your``, ``Greedy's``."""
        return "your" if seat == self.me else f"{self[seat]}'s"

    def recipient(self, seat: int) -> str:
        """Return the name of a seat that receives points: ``you``, ``Greedy``."""
        return "you" if seat == self.me else self[seat]

    def score_label(self, seat: int) -> str:
        """Return the name shown before points; a name that ends in a digit gets a colon."""
        name = self[seat]
        return f"{name}:" if name[-1].isdigit() else name

    def lane_label(self, seat: int) -> str:
        """Return the short name before a row of holes, such as ``YOU`` or ``GRE``."""
        return self[seat][:SHORT].upper()


def _name(player: str | None, seat: int) -> str:
    return SEAT_NAMES[seat] if player is None else player.capitalize()


def _with_you(names: tuple[str, str], me: int) -> tuple[str, str]:
    return ("You", names[1]) if me == 0 else (names[0], "You")
