"""The humans' money at a table: free and at stake."""

from __future__ import annotations

from ..engine.game import A, E, O, S
from ..engine.money import Money
from ..engine.table import Table


def money_at_table(table: Table[O, S, A, E]) -> int:
    """Return the humans' money, free and at stake, in cents."""
    return table.game.unit * sum(one.free + one.staked for one in _money(table))


def is_staked(table: Table[O, S, A, E]) -> bool:
    """Return whether a human has a bet at stake."""
    return any(one.staked for one in _money(table))


def _money(table: Table[O, S, A, E]) -> list[Money]:
    return [table.game.money(table.state, seat) for seat in table.humans]
