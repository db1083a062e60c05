"""A betting round at fixed limit, and the side pots of players with unequal stacks.

The rules are those of card rooms: one bet and up to three raises of the same size. A player never
puts in more than they have; a player who cannot match a bet can win only the pots they have paid
into.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from ....structs import replace

ANTE = 5
LIMITS = (10, 20)
"""The size of bets before and after the draw, in credits."""
MOST_RAISES = 3


class BettingRules(Struct, frozen=True):
    """The ante and the ``sizes`` of bets before and after the draw, in credits, and most raises."""

    ante: int = ANTE
    sizes: tuple[int, int] = LIMITS
    most_raises: int = MOST_RAISES


class Betting(Struct, frozen=True):
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

        If the seat has now put in more than anybody else, the ``others`` have to act again, in
        order.
        """
        seat, *rest = self.pending
        bets = tuple(bet + chips * (place == seat) for place, bet in enumerate(self.bets))
        if bets[seat] <= max(self.bets):
            return replace(self, bets=bets, pending=tuple(rest))
        raises = self.raises + self.opened
        return replace(self, bets=bets, pending=tuple(others), raises=raises)


def last_acts(betting: Betting, alive: Sequence[int], stacks: Sequence[int]) -> dict[int, str]:
    """Return the last act of each seat in a betting round: check, bet, call or raise.

    ``alive`` are the seats in the hand, in order, and ``stacks`` the chips of all seats; a seat
    without chips that has put in nothing was all in before the round. Seats that have not acted are
    missing. So are seats that have put in chips and have to act again, if others could have bet
    before them.
    """
    if not betting.pending:
        return {}
    if not betting.opened:
        return {seat: "check" for seat in alive if seat not in betting.pending and stacks[seat]}
    top, after = max(betting.bets), alive.index(betting.pending[-1]) + 1
    cycle = (*alive[after:], *alive[:after])
    aggressor = next(seat for seat in cycle if betting.bets[seat] == top)
    acts = {aggressor: "raise" if betting.raises else "bet"}
    for seat in alive:
        if seat != aggressor and betting.bets[seat] == top and seat not in betting.pending:
            acts[seat] = "call"
        elif betting.raises or betting.bets[seat] or not stacks[seat]:
            continue
        elif alive.index(seat) < alive.index(aggressor):
            acts[seat] = "check"
    return acts


class Pot(Struct, frozen=True):
    """A pot in credits, and the seats that can win it."""

    credits: int
    seats: tuple[int, ...]


def pots_of(put_in: Sequence[int], alive: Sequence[int]) -> tuple[Pot, ...]:
    """Split each seat's contribution into the main pot and the side pots.

    An active seat can win from every other seat at most what it has put in itself. Chips that no
    other seat could match form a pot with one seat, which gets them back. The seat that put in the
    most must be active.
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
