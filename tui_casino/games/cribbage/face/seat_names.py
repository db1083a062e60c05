"""The names of the players on the screen: ``You``, and the names of computer players."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from ....engine.game import Seat
from ....gamekit.words import SEAT_NAMES
from ..machine.state import SEATS

SHORT = 3
"""The number of letters to which a name before a row of holes is shortened."""


class SeatNames(Struct, frozen=True):
    """The names of both seats for the player in seat ``me``, or for a watcher (``None``)."""

    me: Seat | None
    names: tuple[str, str]

    @classmethod
    def of_players(
        cls,
        players: Mapping[Seat, str | None],
        me: Seat | None,
        humans: Sequence[str] = SEAT_NAMES,
    ) -> SeatNames:
        """Return the names of a table's players; two equal names become North and South.

        ``humans`` are the names of the human players by seat.
        """
        first, second = (
            humans[seat] if (player := players[Seat(seat)]) is None else player.capitalize()
            for seat in SEATS
        )
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


def _with_you(names: tuple[str, str], me: int) -> tuple[str, str]:
    return ("You", names[1]) if me == 0 else (names[0], "You")
