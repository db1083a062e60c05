"""The statistics of the toy game: rounds and chips."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from tui_casino.engine.game import Seat
from tui_casino.structs import replace

from ..machine.game import Event, Shown


class Tally(Struct, frozen=True):
    """A seat's finished rounds, and the chips won in them."""

    seat: Seat
    rounds: int = 0
    won: int = 0

    @property
    def wagered(self) -> int:
        """The chips wagered: one ante per round."""
        return self.rounds

    def add(self, event: Event) -> Tally:
        """Add an event; only the end of a round counts."""
        if not isinstance(event, Shown):
            return self
        return replace(self, rounds=self.rounds + 1, won=self.won + event.won[self.seat])

    def __add__(self, other: Tally) -> Tally:
        return Tally(self.seat, self.rounds + other.rounds, self.won + other.won)

    def report(self) -> dict[str, Any]:
        """Return the figures by name."""
        return {"rounds": self.rounds, "won": self.won}
