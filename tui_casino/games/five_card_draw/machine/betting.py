"""A betting round at fixed limit, and the side pots of players with unequal stacks.

The rules of card rooms: one bet and up to three raises of the same size. Nobody puts in more than
they have; a player who cannot match a bet can win only the pots they have paid into.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

MOST_RAISES = 3


@dataclass(frozen=True, slots=True)
class Betting:
    """The state of a betting round: each seat's bet, and the seats still to act, in order.

    ``size`` is the amount of a bet and of each raise. Seats count from 0.
    """

    size: int
    bets: tuple[int, ...]
    pending: tuple[int, ...]
    raises: int = 0

    @property
    def opened(self) -> bool:
        """Whether anybody has bet."""
        return any(self.bets)

    def owes(self, seat: int) -> int:
        """Return the chips that the seat must put in to stay."""
        return max(self.bets) - self.bets[seat]

    def passes(self) -> Betting:
        """Return the round after the first pending seat has checked or folded."""
        return replace(self, pending=self.pending[1:])

    def puts(self, chips: int, others: Sequence[int] = ()) -> Betting:
        """Return the round after the first pending seat has put in chips.

        If that is more than anybody has put in, the ``others`` have to act again, in their order.
        """
        seat, *rest = self.pending
        bets = tuple(bet + chips * (place == seat) for place, bet in enumerate(self.bets))
        if bets[seat] <= max(self.bets):
            return replace(self, bets=bets, pending=tuple(rest))
        raises = self.raises + self.opened
        return replace(self, bets=bets, pending=tuple(others), raises=raises)


@dataclass(frozen=True, slots=True)
class Pot:
    """A pot in credits, and the seats that can win it."""

    credits: int
    seats: tuple[int, ...]


def pots_of(put_in: Sequence[int], alive: Sequence[int]) -> tuple[Pot, ...]:
    """Split each seat's contribution into the main pot and the side pots.

    An active seat can win from every other seat at most what it has put in itself. Chips that
    nobody could match form a pot with one seat, which gets them back. The seat that put in the most
    must be active.
    """
    pots: list[Pot] = []
    below = 0
    for level in sorted({put_in[seat] for seat in alive}):
        credits = sum(min(paid, level) - min(paid, below) for paid in put_in)
        seats = tuple(seat for seat in alive if put_in[seat] >= level)
        if credits:
            pots.append(Pot(credits, seats))
        below = level
    return tuple(pots)
