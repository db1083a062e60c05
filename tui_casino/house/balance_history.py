"""A player's balance over time, from the ledger: for each game, for each week and in total."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import timedelta
from itertools import accumulate, count

from msgspec import Struct, field

from ..records.clock import local_date
from ..records.ledger import OPENING_BALANCE, MoneyMovement
from .house import House

WEEK = 7 * 24 * 60 * 60 * 1000
"""One week in milliseconds."""
_DAY = timedelta(days=1)


class BalanceHistory(Struct, frozen=True):
    """A player's balance and how it has changed since the first session, in cents.

    ``cents`` is the balance, ``lent`` the debt to the house, and ``at_tables`` the money in open
    sessions, as of the last round of each. ``all`` lists the player's own money, without loans,
    after each finished session. ``games`` lists, for each game, the total won after each of its
    sessions. ``all`` and the lists in ``games`` begin with the value before the first session.
    ``sittings`` are the finished sessions, oldest first.
    """

    cents: int
    lent: int = 0
    at_tables: int = 0
    all: tuple[int, ...] = (OPENING_BALANCE,)
    games: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    sittings: tuple[MoneyMovement, ...] = ()

    def since(self, at: int) -> int:
        """Return the total won since a time, in milliseconds since 1970."""
        return sum(sitting.cents for sitting in self.sittings if sitting.at >= at)

    @property
    def repayments(self) -> Mapping[int, str]:
        """The amounts that the player may repay now, in cents, each with its name."""
        most = min(self.cents, self.lent)
        named = {most // 10: "a tenth", most // 2: "half", most: "your whole balance"}
        if most == self.lent:
            named[most] = "the whole debt"
        return {cents: named[cents] for cents in sorted(named, reverse=True) if cents > 0}

    def days_in_a_row(self, now: int) -> int:
        """Return for how many days in a row the player has finished a session, up to ``now``.

        The run still counts on the day after its last session.
        """
        days = {local_date(sitting.at) for sitting in self.sittings}
        last = local_date(now)
        if last not in days:
            last -= _DAY
        return next(length for length in count() if last - length * _DAY not in days)

    @property
    def best(self) -> MoneyMovement | None:
        """The first session with the highest win; ``None`` if no session won anything."""
        best = max(self.sittings, key=lambda sitting: sitting.cents, default=None)
        return best if best is not None and best.cents > 0 else None


def read_balance_history(house: House) -> BalanceHistory | None:
    """Read a player's balance history from the ledger; return ``None`` in free play.

    Raises :class:`~tui_casino.records.ledger.LedgerError`.
    """
    ledger, player = house.ledger, house.player
    if ledger is None:
        return None
    at_tables = sum(one.owed for one in ledger.open_sittings(player))
    return balance_history_of(ledger.balance(player), ledger.movements(player), at_tables)


def balance_history_of(
    cents: int, moves: Iterable[MoneyMovement], at_tables: int = 0
) -> BalanceHistory:
    """Compute a balance history from money movements; ``cents`` is the current balance."""
    every = [*moves]
    sittings = tuple(move for move in every if move.game)
    nets: dict[str, list[int]] = {}
    for sitting in sittings:
        nets.setdefault(sitting.game, []).append(sitting.cents)
    return BalanceHistory(
        cents,
        sum(move.cents for move in every if not move.game),
        at_tables,
        (*accumulate((sitting.cents for sitting in sittings), initial=OPENING_BALANCE),),
        {game: (*accumulate(own, initial=0),) for game, own in nets.items()},
        sittings,
    )
