"""Seats that were paid out while their players were away, so that their own logs have no end."""

from __future__ import annotations

from ...house.shared_tables import TableNews
from ...records.clock import Clock
from ...records.shared_tables import PaidSeat, SeatLogEnd, SharedTables
from .ledger_writer import Durability, LedgerWriter
from .table_answers import TableRefusal, line_about, replica_of, table_news


class PaidSeatDesk:
    """Lets a player read the rest of such a stay, at an open or a closed table."""

    def __init__(self, scribe: LedgerWriter, tables: SharedTables, clock: Clock) -> None:
        self._scribe, self._tables, self._clock = scribe, tables, clock

    async def list(self, player: str) -> list[PaidSeat]:
        """Return the player's seats of this kind, the oldest first."""
        return await self._scribe.do(lambda: self._tables.paid_seats(player))

    async def read(self, player: str, code: str, sitting: str, first: int) -> TableNews:
        """Return what happened at a seat from row ``first`` on."""

        def look() -> TableNews:
            entry = self._tables.find(code)
            replica = None if entry is None else replica_of(self._tables, entry, self._clock)
            stay = None if replica is None else replica.stay_of(player, sitting)
            if replica is None or stay is None:
                raise TableRefusal(f"you have not played at a table {code}")
            seats = line_about(replica, lambda player: "", lambda player: False).seats
            return table_news(replica, player, first, seats, stay)

        return await self._scribe.do(look)

    async def end_log(self, player: str, sitting: str, last_hash: str) -> None:
        """Store the hash of the last line of the log of a seat."""

        def book() -> None:
            if sitting not in {one.sitting for one in self._tables.paid_seats(player)}:
                raise TableRefusal(f"the session {sitting} is not waiting for the end of its log")
            self._tables.book(SeatLogEnd(sitting, last_hash))

        await self._scribe.do(book, Durability.MOVES)
