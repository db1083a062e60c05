"""The statistics of a seat, updated with every event that the seat sees."""

from __future__ import annotations

from typing import Any, Protocol, Self, TypeVar

E_contra = TypeVar("E_contra", contravariant=True)
T = TypeVar("T", bound="Tally[Any]")
"""A game's own kind of tally."""


class Tally(Protocol[E_contra]):
    """A seat's statistics, a fold over the events it hears; only finished rounds count.

    ``wagered`` and ``won`` are in the game's units, won gross of the bets: at any moment the
    seat's money is what it sat down with, less wagered, plus won.
    """

    @property
    def rounds(self) -> int:
        """Rounds finished."""
        ...

    @property
    def wagered(self) -> int:
        """The sum of all bets."""
        ...

    @property
    def won(self) -> int:
        """The sum of all that was paid out, bets given back included."""
        ...

    def add(self, event: E_contra, /) -> Self:
        """Give the tally with one more event."""
        ...

    def __add__(self, other: Self, /) -> Self:
        """Give the tally of both."""
        ...

    def report(self) -> dict[str, Any]:
        """Give the figures by name, ready for JSON; groups are dictionaries of their own.

        What a round or a hand brought on average is in the group ``average``: statistics tell how
        that went over time.
        """
        ...
