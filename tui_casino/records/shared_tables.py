"""Tables at which several people play: a table is its log, kept as rows in the ledger's database.

The rows of a table are the lines of a session log, numbered from 0 (the header). A program that
appends a row names the row before it. If two programs append at the same time, only one
succeeds, and the other reads the new row. The money that a row moves
is booked in the same transaction.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol, TypeAlias

from msgspec import Struct

from ..structs import repr_without
from .clock import Clock
from .ledger import LedgerError, OpenSitting


class SharedTable(Struct, frozen=True):
    """A table: its code, its game, who made it and when, and its seed, which stays secret.

    A table that ``is_listed`` is shown to everybody, others only to their players. Each choice may
    take ``seconds``, by default those of the game. ``closed`` and ``frozen`` are the times at which
    it was closed or an operator froze it; times are in milliseconds since 1970.
    """

    code: str
    game: str
    player: str
    made: int
    seed: bytes
    is_listed: bool = False
    closed: int | None = None
    seconds: int | None = None
    frozen: int | None = None

    def __repr__(self) -> str:
        return repr_without(self, "seed")


class SharedRow(Struct, frozen=True):
    """A line of a table's log, and the id of the ``player`` who acted, if it was one.

    If the player sat down, ``sitting`` is the session that brought the money of the seat. ``due``
    is the time at which the seats that are asked after it are no longer waited for, in milliseconds
    since 1970; ``None`` if nobody is asked.
    """

    line: bytes
    player: str | None = None
    sitting: str | None = None
    due: int | None = None


class SeatBuyIn(Struct, frozen=True):
    """A player takes a seat: the session of the seat, which brings its money to the table."""

    sitting: OpenSitting
    player: str
    at: int
    loan: int = 0


class SeatCashOut(Struct, frozen=True):
    """A seat is left: its money goes to the balance of the session's player, in cents."""

    sitting: str
    cents: int
    at: int
    last_hash: str | None = None


class SeatHolds(Struct, frozen=True):
    """The money of a seat after a round, in cents."""

    sitting: str
    cents: int


class SeatMark(Struct, frozen=True):
    """The last line of the player's own log that ended a round, and its hash."""

    sitting: str
    steps: int
    mark: str


class SeatLogEnd(Struct, frozen=True):
    """The hash of the last line of the player's own log, written after the seat was paid out."""

    sitting: str
    last_hash: str


SeatMove: TypeAlias = SeatBuyIn | SeatCashOut | SeatHolds | SeatMark | SeatLogEnd


class PaidSeat(Struct, frozen=True):
    """A seat that was paid out while its player was away, so that the player's log has no end.

    The money that it was taken with is in cents.
    """

    code: str
    sitting: str
    game: str
    bought_in: int


class RowHeard(Struct, frozen=True):
    """A server has appended rows to a table; ``row`` is the last one."""

    code: str
    row: int


class PhraseHeard(Struct, frozen=True):
    """A player, given by the id, has said a phrase, given by its number, at a table."""

    code: str
    player: str
    phrase: int
    at: int


class TablesHeard(Struct, frozen=True):
    """The open tables, each with its last row, as they are in the database.

    ``elsewhere`` are the tables and the ids of the players who read them at other servers;
    ``blocks`` are those of :meth:`SharedTables.blocks`; ``ahead`` is how far the time of the
    database is ahead of the server's, in milliseconds.
    """

    tables: tuple[tuple[SharedTable, int], ...]
    elsewhere: frozenset[tuple[str, str]]
    blocks: frozenset[tuple[str, str]]
    ahead: int


class TablesUnheard(Struct, frozen=True):
    """The database cannot be reached; the next :class:`TablesHeard` says that it can."""


Heard: TypeAlias = RowHeard | PhraseHeard | TablesHeard | TablesUnheard


class TablesWatch(Protocol):
    """Reports what other servers do at the tables, and who reads them here."""

    def report(self, readers: frozenset[tuple[str, str]], /) -> None:
        """Set the tables and the ids of the players who read them at this server."""
        ...

    def close(self) -> None:
        """Report nothing more."""
        ...


class SharedTables(Protocol):
    """The tables of a server. All methods may raise :class:`~.ledger.LedgerError`."""

    def create(self, table: SharedTable, rows: Sequence[SharedRow], /) -> None:
        """Add a table with its first rows. Its code must be new."""
        ...

    def open_tables(self) -> list[SharedTable]:
        """Return the tables that are not closed, the oldest first."""
        ...

    def find(self, code: str, /) -> SharedTable | None:
        """Return a table, which may be closed; ``None`` if there is none with this code."""
        ...

    def paid_seats(self, player: str, /) -> list[PaidSeat]:
        """Return the seats of a player whose own logs have no end, the oldest first."""
        ...

    def rows(self, code: str, first: int = 0, /) -> list[SharedRow]:
        """Return the rows of a table from number ``first`` on."""
        ...

    def append(
        self, code: str, first: int, rows: Sequence[SharedRow], moves: Sequence[SeatMove] = (), /
    ) -> bool:
        """Append rows, numbered from ``first``, and book the moves of money.

        Return false, without a change, if the table does not end with row ``first - 1``.
        """
        ...

    def book(self, move: SeatMove, /) -> None:
        """Book a move that belongs to no row."""
        ...

    def close(self, code: str, at: int, /) -> None:
        """Close a table, whose seats must be free."""
        ...

    def freeze(self, code: str, at: int | None, /) -> None:
        """Note since when an open table is frozen; ``None`` if it is not frozen any more."""
        ...

    def wait_until(self, code: str, row: int, due: int, /) -> None:
        """Change the time until which the seats that are asked after a row are waited for."""
        ...

    def blocks(self) -> list[tuple[str, str]]:
        """Return each player who blocks another one, with that one; both by their ids."""
        ...

    def block(self, player: str, other: str, /, *, on: bool) -> None:
        """Let a player block another one, or no longer."""
        ...

    def watch(self, hear: Callable[[Heard], None], clock: Clock, /) -> TablesWatch | None:
        """Begin to report what other servers do; return ``None`` if there are no others.

        Another thread calls ``hear`` and ``clock``, which is that of this server.
        """
        ...

    def say(self, spoken: PhraseHeard, /) -> None:
        """Report a phrase to the other servers."""
        ...

    def is_present(self, code: str, player: str, /) -> bool:
        """Return whether a player reads a table at another server."""
        ...

    def pays(self, sitting: str, /) -> bool:
        """Return whether a session has brought the money of a seat to an open table."""
        ...

    def time_ahead(self, clock: Clock, /) -> int:
        """Return how far the time of the tables is ahead of a clock, in milliseconds."""
        ...


Row: TypeAlias = tuple[Any, ...]
Execute: TypeAlias = Callable[[str, Sequence[object]], list[Row]]
"""Runs a statement with its values and returns its rows."""
Work: TypeAlias = Callable[[Execute, bool], Any]
"""A unit of work. Its second argument is true if it may be committed already (a lost answer)."""
BookMoves: TypeAlias = Callable[[Execute, Sequence[SeatMove]], object]

ADDED_COLUMNS = ("seconds", "frozen")
"""The columns of ``shared_table`` that the first databases with tables do not have."""
SCHEMA = """\
create table if not exists shared_table (
  code text primary key, game text not null, player text not null, made {integer} not null,
  seed {bytes} not null, listed {integer} not null, closed {integer}, seconds {integer},
  frozen {integer}){strict};
create table if not exists table_row (
  code text not null references shared_table, n {integer} not null, line {bytes} not null,
  player text, sitting text, due {integer}, primary key (code, n)){strict};
create table if not exists player_block (
  player text not null, other text not null, primary key (player, other)){strict};
"""


class SqlTables:
    """The :class:`SharedTables` of a database.

    ``read`` runs a query, ``change`` runs a unit of work in one transaction, and ``book`` books
    moves of money in it.
    """

    def __init__(self, read: Execute, change: Callable[[Work], Any], book: BookMoves) -> None:
        self._read, self._change, self._book = read, change, book

    def create(self, table: SharedTable, rows: Sequence[SharedRow]) -> None:
        def work(execute: Execute, lost: bool) -> None:
            t = table
            added = execute(
                f"insert into shared_table ({COLUMNS}) values (?, ?, ?, ?, ?, ?, ?, ?, ?) "
                "on conflict do nothing returning code",
                (t.code, t.game, t.player, t.made, t.seed, int(t.is_listed), *_later(t)),
            )
            if not added and lost and _has(execute, table, rows):
                return
            if not added:
                raise LedgerError(f"there is already a table {table.code}")
            _insert(execute, table.code, 0, rows)
            self._appended(execute, table.code, len(rows) - 1)

        self._change(work)

    def open_tables(self) -> list[SharedTable]:
        query = f"select {COLUMNS} from shared_table where closed is null order by made, code"
        return [table_of(row) for row in self._read(query, ())]

    def find(self, code: str) -> SharedTable | None:
        query = f"select {COLUMNS} from shared_table where code = ?"
        return next(map(table_of, self._read(query, (code,))), None)

    def paid_seats(self, player: str) -> list[PaidSeat]:
        query = (
            "select code, sitting.id, game, bought from sitting "
            "join table_row on table_row.sitting = sitting.id "
            "where sitting.player = ? and closed is not null and hash is null order by closed, id"
        )
        return [PaidSeat(*row) for row in self._read(query, (player,))]

    def rows(self, code: str, first: int = 0) -> list[SharedRow]:
        return _rows_of(self._read, code, first)

    def append(
        self, code: str, first: int, rows: Sequence[SharedRow], moves: Sequence[SeatMove] = ()
    ) -> bool:
        def work(execute: Execute, lost: bool) -> bool:
            if not self._add(execute, code, first, rows):
                return lost and _rows_of(execute, code, first)[: len(rows)] == [*rows]
            self._book(execute, moves)
            return True

        appended: bool = self._change(work)
        return appended

    def book(self, move: SeatMove) -> None:
        self._change(lambda execute, lost: self._book(execute, [move]))

    def close(self, code: str, at: int) -> None:
        query = "update shared_table set closed = ? where code = ? and closed is null"
        self._change(lambda execute, lost: execute(query, (at, code)))

    def freeze(self, code: str, at: int | None) -> None:
        query = "update shared_table set frozen = ? where code = ? and closed is null"
        self._change(lambda execute, lost: execute(query, (at, code)))

    def wait_until(self, code: str, row: int, due: int) -> None:
        query = "update table_row set due = ? where code = ? and n = ?"
        self._change(lambda execute, lost: execute(query, (due, code, row)))

    def blocks(self) -> list[tuple[str, str]]:
        return [(player, other) for player, other in self._read(BLOCKS, ())]

    def block(self, player: str, other: str, *, on: bool) -> None:
        query = _BLOCK if on else _UNBLOCK
        self._change(lambda execute, lost: execute(query, (player, other)))

    # ---- other servers --------------------------------------------------------------------

    def _add(self, execute: Execute, code: str, first: int, rows: Sequence[SharedRow]) -> bool:
        """Append and report rows; return false if the table does not end before the first."""
        query = (
            "select closed, (select max(n) from table_row where table_row.code = ?) "
            "from shared_table where code = ?"
        )
        (closed, last) = (execute(query, (code, code)) or [(0, None)])[0]
        check_open(code, closed)
        return last == first - 1 and _insert(execute, code, first, rows)

    def _appended(self, execute: Execute, code: str, row: int) -> None:
        """Report the last row of a table in the transaction that makes it."""

    def watch(self, hear: Callable[[Heard], None], clock: Clock) -> TablesWatch | None:
        return None

    def say(self, spoken: PhraseHeard) -> None:
        pass

    def is_present(self, code: str, player: str) -> bool:
        return False

    def pays(self, sitting: str) -> bool:
        return False

    def time_ahead(self, clock: Clock) -> int:
        return 0


COLUMNS = "code, game, player, made, seed, listed, closed, seconds, frozen"
BLOCKS = "select player, other from player_block"
_BLOCK = "insert into player_block values (?, ?) on conflict do nothing"
_UNBLOCK = "delete from player_block where player = ? and other = ?"


def check_open(code: str, closed: int | None) -> None:
    """Raise :class:`LedgerError` if a table was closed."""
    if closed is not None:
        raise LedgerError(f"the table {code} is closed")


def _later(table: SharedTable) -> tuple[int | None, ...]:
    return table.closed, table.seconds, table.frozen


def table_of(row: Row) -> SharedTable:
    """Return the table in a row with these :data:`COLUMNS`."""
    code, game, player, made, seed, listed, *later = row
    return SharedTable(code, game, player, made, bytes(seed), bool(listed), *later)


def _rows_of(execute: Execute, code: str, first: int) -> list[SharedRow]:
    query = "select line, player, sitting, due from table_row where code = ? and n >= ? order by n"
    return [SharedRow(bytes(line), *rest) for line, *rest in execute(query, (code, first))]


def _has(execute: Execute, table: SharedTable, rows: Sequence[SharedRow]) -> bool:
    """Return whether there is exactly this table, which begins with these rows."""
    query = f"select {COLUMNS} from shared_table where code = ?"
    same = [*map(table_of, execute(query, (table.code,)))] == [table]
    return same and _rows_of(execute, table.code, 0)[: len(rows)] == [*rows]


def _insert(execute: Execute, code: str, first: int, rows: Sequence[SharedRow]) -> bool:
    """Insert rows; return false if another program has inserted the first of them."""
    for number, row in enumerate(rows, first):
        added = execute(
            "insert into table_row values (?, ?, ?, ?, ?, ?) on conflict do nothing returning n",
            (code, number, row.line, row.player, row.sitting, row.due),
        )
        if not added:
            return False  # only the first can be there: others append after it
    return True
