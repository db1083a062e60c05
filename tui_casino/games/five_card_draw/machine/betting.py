"""A betting round at fixed limit, and the pots that stacks of unlike size make.

The rules of card rooms: a bet, up to three raises of the same size, and nobody puts in more than
lies before him; who cannot match plays for the pots that he has paid into.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

MOST_RAISES = 3


@dataclass(frozen=True, slots=True)
class Betting:
    """A round at one moment: what each seat has put in, and who still has to act, in order.

    ``size`` is what a bet and each raise add. Seats count from 0.
    """

    size: int
    bets: tuple[int, ...]
    pending: tuple[int, ...]
    raises: int = 0

    @property
    def opened(self) -> bool:
        """Whether somebody has bet."""
        return any(self.bets)

    def owes(self, seat: int) -> int:
        """Give what the seat has to put in to stay."""
        return max(self.bets) - self.bets[seat]

    def passes(self) -> Betting:
        """Go on to the next seat: the first of those pending has checked or folded."""
        return replace(self, pending=self.pending[1:])

    def puts(self, chips: int, others: Sequence[int] = ()) -> Betting:
        """Let the first of those pending put in chips.

        If that is more than anybody has put in, the ``others`` in their order have to act again.
        """
        seat, *rest = self.pending
        bets = tuple(bet + chips * (place == seat) for place, bet in enumerate(self.bets))
        if bets[seat] <= max(self.bets):
            return replace(self, bets=bets, pending=tuple(rest))
        raises = self.raises + self.opened
        return replace(self, bets=bets, pending=tuple(others), raises=raises)


@dataclass(frozen=True, slots=True)
class Pot:
    """A pot of so many credits, and the seats that can win it."""

    credits: int
    seats: tuple[int, ...]


def pots_of(put_in: Sequence[int], alive: Sequence[int]) -> tuple[Pot, ...]:
    """Part what was put in by seat into the main pot and the side pots.

    A seat that is alive can win as much from each other as it has put in itself. What nobody
    could match is a pot of one, which goes back. Some seat that is
    alive must have put in the most.
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
