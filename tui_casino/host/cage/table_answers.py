"""Read a shared table from its rows, and describe it to those who sit there and in lists."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from itertools import islice
from typing import Any, TypeAlias

from ...engine.game import Seat
from ...engine.seating import Join, SharedPlay
from ...gamekit.registry import GAMES, find_listing
from ...house.shared_tables import TableEvent, TableLine, TableNews, TableSeat
from ...records.clock import Clock
from ...records.codec import encode, name_and_fields
from ...records.ledger import LedgerDamaged, LedgerError
from ...records.shared_tables import PaidSeat, SeatLogEnd, SharedTable, SharedTables
from ...records.table_replica import SeenRow, Stay, TableReplica
from ...structs import replace
from .ledger_writer import Durability, LedgerWriter
from .slow_tables import is_slow

Replica: TypeAlias = TableReplica[Any, Any, Any, Any]

SHOWN = 200
"""The maximum number of updates in one answer; the reader asks for the others next."""


class TableRefusal(LedgerError):
    """A request that a table does not allow; nothing has happened."""


def shared_play(slug: str) -> SharedPlay[Any]:
    """Return how a game is played by several people. Raises :class:`LedgerError`."""
    listing = find_listing(slug)
    if listing is None or (shared := listing.definition().shared) is None:
        games = ", ".join(one.slug for one in GAMES if one.definition().shared is not None)
        raise LedgerError(f"{slug} cannot be played by several people; these games can: {games}")
    return shared


def replica_of(tables: SharedTables, entry: SharedTable, clock: Clock) -> Replica:
    """Read a table from its rows. Raises :class:`LedgerError`."""
    try:
        shared = shared_play(entry.game)
    except LedgerError as error:
        raise LedgerDamaged(str(error)) from None
    try:
        return TableReplica(tables, entry, shared.game, clock, shared.seconds, shared.bank)
    except LedgerError:
        raise
    except ValueError as error:  # written by another version of the game, or damaged
        raise LedgerDamaged(f"the table {entry.code} cannot be read: {error}") from None


def unread_text(code: str) -> str:
    """Return that this program cannot read a table."""
    return f"the table {code} is played by another version of this program, or is damaged"


def join_action(entry: SharedTable, cents: int, entropy: str) -> Join:
    """Return the action that takes a seat with a buy-in. Raises :class:`LedgerError`."""
    units, rest = divmod(cents, shared_play(entry.game).game.unit)
    if rest:
        raise LedgerError(f"the table {entry.code} is played for whole credits")
    try:
        return Join(units, entropy)
    except ValueError as error:
        raise LedgerError(str(error)) from None


def table_news(
    replica: Replica,
    player: str,
    first: int,
    seats: tuple[TableSeat, ...],
    stay: Stay | None = None,
) -> TableNews:
    """Return what a player saw at a table from row ``first`` on, up to :data:`SHOWN` steps.

    Without a ``stay`` it is the last one of the player.
    """
    stay = stay or replica.stays.get(player)
    seen = () if stay is None else replica.seen_in(stay, first)
    updates = tuple(map(table_event, islice(seen, SHOWN)))
    seed = replica.entry.seed if replica.ended else None
    seat = None if stay is None else stay.seat
    is_frozen = replica.entry.frozen is not None and not replica.ended
    due = None if is_frozen else replica.due
    why = replica.why_ended or replica.why_over
    news = TableNews(replica.rows, seat, due, updates, seats, seed, why, is_frozen=is_frozen)
    return replace(news, is_offer=replica.is_offer, bank=replica.bank)


def table_event(row: SeenRow[Any]) -> TableEvent:
    """Return a row as it is sent to the session of a seat."""
    return TableEvent(
        row.number,
        row.actor,
        encode({"is": row.kind} if row.action is None else name_and_fields(row.action)),
        encode(row.seen.state),
        encode(tuple(map(name_and_fields, row.seen.events))),
        row.action is not None,
    )


def line_about(
    replica: Replica,
    name_of: Callable[[str], str],
    is_away: Callable[[str], bool],
    viewer: str | None = None,
) -> TableLine:
    """Describe a table for the list of a ``viewer``; the players are named by their ids."""
    entry, seats, own = replica.entry, list[TableSeat](), None
    shared = shared_play(entry.game)
    for seat in map(Seat, range(replica.seats)):
        if (occupant := replica.occupants.get(seat)) is not None:
            state = "away" if is_away(occupant.player) else "seated"
            own = seat if occupant.player == viewer else own
            name = name_of(occupant.player)
        elif name := shared.computer_name(replica.state, seat):
            state = "computer"
        else:
            seats.append(TableSeat("", "free", 0))
            continue
        doing = shared.doing(replica.state, seat)
        stays = state == "computer" and not replica.offers(seat, Join)
        is_asked = replica.is_awaited(seat)
        seats.append(TableSeat(name, state, replica.money(seat), doing, stays, is_asked))
    line = TableLine(
        entry.code,
        entry.game,
        state_of(replica),
        replica.rows,
        tuple(seats),
        encode(replica.options),
        sha256(entry.seed).hexdigest(),
        own,
        entry.player == viewer,
        replica.seconds,
    )
    if own is None or not is_slow(entry) or entry.frozen is not None:
        return line
    return replace(line, asked_until=replica.due) if replica.is_awaited(own) else line


def state_of(replica: Replica) -> str:
    """Return the state of a table in lists: open, frozen or closed."""
    if replica.ended:
        return "closed"
    return "open" if replica.entry.frozen is None else "frozen"


class PaidSeatDesk:
    """Lets a player read the rest of a stay that ended while the player was away."""

    def __init__(self, scribe: LedgerWriter, tables: SharedTables, clock: Clock) -> None:
        self._scribe, self._tables, self._clock = scribe, tables, clock

    async def list(self, player: str) -> list[PaidSeat]:
        """Return the player's seats that were paid out then, the oldest first."""
        return await self._scribe.do(lambda: self._tables.paid_seats(player))

    async def read(self, player: str, code: str, sitting: str, first: int) -> TableNews:
        """Return what happened at a seat from row ``first`` on."""

        def look() -> TableNews:
            entry = self._tables.find(code)
            try:
                replica = None if entry is None else replica_of(self._tables, entry, self._clock)
            except LedgerDamaged:
                raise TableRefusal(unread_text(code)) from None
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
