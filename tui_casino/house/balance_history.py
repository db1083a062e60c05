"""A player's balance over time, from the ledger: by game, by week and in total."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import accumulate

from ..records.ledger import OPENING_BALANCE, MoneyMovement
from .house import House

WEEK = 7 * 24 * 60 * 60 * 1000
"""Milliseconds."""


@dataclass(frozen=True, slots=True)
class BalanceHistory:
    """What a player has, and how it came to that; all in cents, from the first sitting on.

    ``cents`` is the purse at home, ``lent`` what the house lent. ``all`` is the player's money
    after each finished sitting and each loan, ``games`` what had been won at each game after each
    of its sittings; both begin with what there was before. ``sittings`` are the finished ones,
    oldest first.
    """

    cents: int
    lent: int = 0
    all: tuple[int, ...] = (OPENING_BALANCE,)
    games: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    sittings: tuple[MoneyMovement, ...] = ()

    def since(self, at: int) -> int:
        """Add up what was won since a moment, in milliseconds since 1970."""
        return sum(sitting.cents for sitting in self.sittings if sitting.at >= at)

    @property
    def best(self) -> MoneyMovement | None:
        """The sitting that brought most, if one brought anything: the first of several."""
        best = max(self.sittings, key=lambda sitting: sitting.cents, default=None)
        return best if best is not None and best.cents > 0 else None


def read_balance_history(house: House) -> BalanceHistory | None:
    """Read a player's money from the ledger; there is none where it is practice.

    Raises :class:`~tui_casino.records.ledger.LedgerError`.
    """
    ledger, player = house.ledger, house.player
    if ledger is None:
        return None
    return balance_history_of(ledger.balance(player), ledger.movements(player))


def balance_history_of(cents: int, moves: Iterable[MoneyMovement]) -> BalanceHistory:
    """Add up what moved a purse, of which so many cents are at home now."""
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
