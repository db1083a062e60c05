"""The statistics of a seat, updated with every event that the seat sees."""

from __future__ import annotations

from typing import Any, Protocol, Self, TypeVar

E_contra = TypeVar("E_contra", contravariant=True)
T = TypeVar("T", bound="Tally[Any]")
"""A game's own type of tally."""


class Tally(Protocol[E_contra]):
    """A seat's statistics, accumulated from the events the seat sees; only finished rounds count.

    ``wagered`` and ``won`` are in the game's units, and ``won`` includes returned stakes. So after
    a round, the seat's money is its initial money minus ``wagered`` plus ``won``.
    """

    @property
    def rounds(self) -> int:
        """The number of finished rounds."""
        ...

    @property
    def wagered(self) -> int:
        """The sum of all bets."""
        ...

    @property
    def won(self) -> int:
        """The sum of all payouts, including returned bets."""
        ...

    def add(self, event: E_contra, /) -> Self:
        """Return the tally with one more event."""
        ...

    def __add__(self, other: Self, /) -> Self:
        """Return the sum of two tallies."""
        ...

    def report(self) -> dict[str, Any]:
        """Return the named figures for JSON output; groups are nested dictionaries.

        Averages per round or hand are in the group ``average``; the statistics also show how these
        averages change over time.
        """
        ...
