"""The operator's commands about shared tables: freeze, thaw, close and count them."""

from __future__ import annotations

from collections import Counter

from ...engine.seating import Leave
from ..cage_protocol import TableCount, TableCounts
from .table_answers import Replica, TableRefusal, shared_play, state_of
from .table_desk import TableDesk

MOST_STEPS = 2000
"""The maximum number of choices and leaves for the seats of a table that is closed."""
CLOSED_BY_OPERATOR = "the operator closed it"


class TableOperator:
    """The operator's commands about the tables of a desk. All may raise :class:`LedgerError`."""

    def __init__(self, desk: TableDesk) -> None:
        self._desk = desk

    async def freeze(self, code: str) -> None:
        """Stop a table: nobody acts or sits down, and no time runs out, until it is thawed."""

        def do(replica: Replica) -> None:
            if replica.entry.frozen is not None:
                raise TableRefusal(f"the table {code} is frozen already")
            replica.freeze()

        await self._desk.operate(code, do)

    async def thaw(self, code: str) -> None:
        """Let a frozen table continue; clocks and absences of players begin again."""

        def do(replica: Replica) -> None:
            if replica.entry.frozen is None:
                raise TableRefusal(f"the table {code} is not frozen")
            replica.thaw()

        await self._desk.operate(code, do)

    async def close(self, code: str) -> int:
        """Pay everybody out and close a table; return how many players sat there.

        A round is first played to its end, with the defaults of the clock.
        """

        def do(replica: Replica) -> int:
            count = len(replica.occupants)
            pay_out(replica)
            replica.finish(CLOSED_BY_OPERATOR)
            return count

        return await self._desk.operate(code, do)

    async def counts(self) -> TableCounts:
        """Return figures about the tables."""
        found = await self._desk.on_each(
            lambda one: (one.entry.game, state_of(one), len(one.occupants))
        )
        tables = Counter((game, state) for game, state, _ in found if state != "closed")
        times = self._desk.appends
        return TableCounts(
            tuple(TableCount(*key, number) for key, number in sorted(tables.items())),
            sum(seats for _, _, seats in found),
            times.rows,
            times.last,
            times.slowest,
        )


def pay_out(replica: Replica) -> None:
    """Let everybody leave, once what is at stake is decided by the defaults of the clock.

    Raises :class:`LedgerError`.
    """
    turn_of = shared_play(replica.entry.game).computer
    for _ in range(MOST_STEPS):
        leaving = [seat for seat in replica.occupants if replica.offers(seat, Leave)]
        may_all_leave = len(leaving) == len(replica.occupants)
        if not may_all_leave and replica.play_default(turn_of):
            continue
        if not leaving:
            break
        # first those who are ready: otherwise a round could begin with them once others have left
        seat = min(leaving, key=replica.is_awaited)
        replica.act(seat, Leave(), replica.occupants[seat].player)
    if replica.occupants:
        raise TableRefusal(f"the round at the table {replica.entry.code} does not end; try again")
