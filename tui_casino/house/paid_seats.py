"""Finish the logs of seats at tables with others that were paid out while the player was away."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..engine.game import Seat
from ..engine.money import dollars
from ..engine.seat_table import SeatTable
from ..gamekit.definition import AnyDefinition, Games
from ..gamekit.registry import title_of
from ..gamekit.unaided import unaided
from ..inputs.errors import BadInput
from ..records.ledger import Ledger, LogCheckpoint, OpenSitting
from ..records.session_log import read_log
from ..structs import replace
from .house import House
from .resumption import reopen_table
from .shared_seat import NOT_HELPED, SeatFeed, SeatLedger, SharedSeat, TableSource
from .shared_tables import SharedTablesClient, TableNews
from .sitting import TableElsewhere


class PaidTables:
    """The tables of a server, of which only a stay is read that is over."""

    def __init__(self, tables: SharedTablesClient, sitting: str) -> None:
        self._tables, self._sitting = tables, sitting

    def read(self, code: str, first: int, wait: float, heard: int = 0) -> TableNews:
        """Return what happened at the seat from row ``first`` on."""
        return self._tables.read_stay(code, self._sitting, first)

    def seat(self, code: str) -> None:
        """Return nothing: the player has left."""


class PaidSeatLedger(SeatLedger):
    """The ledger of a seat that was paid out: it only takes the hash of the log's last line."""

    def __init__(
        self, ledger: Ledger, tables: SharedTablesClient, code: str, entry: OpenSitting
    ) -> None:
        super().__init__(ledger, tables, code, 0, "")
        self._entry = entry

    def open_sitting(self, sitting: str) -> OpenSitting | None:
        """Return the session of the seat, as if it were open."""
        return self._entry if sitting == self._entry.id else None

    def checkpoint(self, sitting: str, steps: int, mark: str, cents: int) -> bool:
        """Do nothing: the end of the log follows."""
        return True

    def cash_out(self, sitting: str, cents: int, last_hash: str | None, at: int) -> bool:
        """Store the hash of the last line; the money was paid by the table."""
        if last_hash is not None:
            self._tables.end_log(sitting, last_hash)
        return True


def finish_paid_seats(house: House, games: Games) -> Iterator[str]:
    """Write the rest of such a stay to the player's log; yield a sentence about each of them.

    A log that cannot be finished is left as it is. If it is missing, the last line that the ledger
    knows becomes its end. Raises :class:`~tui_casino.records.ledger.LedgerError`.
    """
    if (tables := house.shared_tables) is None or house.ledger is None:
        return
    for paid in tables.paid():
        title = title_of(paid.game)
        if paid.game not in games:
            continue
        path = house.locate(house.logs / f"{paid.sitting}.jsonl")
        known = house.ledger.checkpoint_of(path) or LogCheckpoint()
        entry = OpenSitting(
            *(paid.sitting, paid.game, path, None, paid.bought_in), checkpoint=known
        )
        if not path.exists() and (last := known.mark or known.head) is not None:
            tables.end_log(paid.sitting, last)
            if known.steps:  # else it was cut off before its first line
                yield f"the log of your seat at the table {paid.code} ({title}) is missing"
            continue
        try:
            cents = _finish(house, house.ledger, tables, games[paid.game], paid.code, entry)
        except (BadInput, OSError) as error:
            yield f"the log of your seat at the table {paid.code} ({title}) has no end: {error}"
        else:
            where = f"your seat at the table {paid.code} ({title})"
            money = f"; you were paid {dollars(cents)}" * bool(cents)
            yield f"{where} was left while you were away{money}"


def _finish(
    house: House,
    ledger: Ledger,
    tables: SharedTablesClient,
    definition: AnyDefinition,
    code: str,
    entry: OpenSitting,
) -> int:
    """Finish the log of a seat at the table with this code; return the money paid, in cents."""
    definition = unaided(definition, NOT_HELPED)
    shared, header = definition.shared, read_log(entry.log).header
    if shared is None or header.seat is None:
        raise BadInput("it is not the log of a seat at a table with others")
    source = TableSource(header.source.value, header.source.word)
    reader: Any = PaidTables(tables, entry.id)  # a feed that nobody acts through needs no more
    feed = SeatFeed(reader, code, shared, definition.game)
    own_ledger = PaidSeatLedger(ledger, tables, code, entry)
    seated = replace(house, ledger=own_ledger, restore_source=source.restore)
    elsewhere = TableElsewhere(code, Seat(header.seat), feed)
    sitting = reopen_table(seated, own_ledger, definition, entry, elsewhere)
    assert sitting is not None, "its ledger has it"
    with sitting:
        assert isinstance(sitting.table, SeatTable), "its steps come from elsewhere"
        seat = SharedSeat(sitting, sitting.table, feed, source)
        feed.begin(sitting.table.row + 1)
        seat.catch_up()
        seat.end()
        sitting.leave()
        return sitting.cents
