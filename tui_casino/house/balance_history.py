"""A player's balance over time, from the ledger: by game, by week and in total."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import accumulate

from ..records.ledger import OPENING_BALANCE, MoneyMovement
from .house import House

WEEK = 7 * 24 * 60 * 60 * 1000
"""One week in milliseconds."""


@dataclass(frozen=True, slots=True)
class BalanceHistory:
    """A player's balance and its course since the first session, in cents.

    ``cents`` is the balance, ``lent`` the debt to the house. ``all`` is the player's money after
    each finished session and each loan, ``games`` the total won at each game after each of its
    sessions; both begin with the value before the first. ``sittings`` are the finished sessions,
    oldest first.
    """

    cents: int
    lent: int = 0
    all: tuple[int, ...] = (OPENING_BALANCE,)
    games: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    sittings: tuple[MoneyMovement, ...] = ()

    def since(self, at: int) -> int:
        """Return the total won since a time, in milliseconds since 1970."""
        return sum(sitting.cents for sitting in self.sittings if sitting.at >= at)

    @property
    def best(self) -> MoneyMovement | None:
        """The first session with the highest win; ``None`` if no session won anything."""
        best = max(self.sittings, key=lambda sitting: sitting.cents, default=None)
        return best if best is not None and best.cents > 0 else None


def read_balance_history(house: House) -> BalanceHistory | None:
    """Read a player's money from the ledger; ``None`` in free play.

    Raises :class:`~tui_casino.records.ledger.LedgerError`.
    """
    ledger, player = house.ledger, house.player
    if ledger is None:
        return None
    return balance_history_of(ledger.balance(player), ledger.movements(player))


def balance_history_of(cents: int, moves: Iterable[MoneyMovement]) -> BalanceHistory:
    """Return the history of a balance from its movements; ``cents`` is the balance now."""
    every = [*moves]
    sittings = tuple(move for move in every if move.game)
    nets: dict[str, list[int]] = {}
    for sitting in sittings:
        nets.setdefault(sitting.game, []).append(sitting.cents)
    return BalanceHistory(
        cents,
        sum(move.cents for move in every if not move.game),
        (*accumulate((move.cents for move in every), initial=OPENING_BALANCE),),
        {game: (*accumulate(own, initial=0),) for game, own in nets.items()},
        sittings,
    )
