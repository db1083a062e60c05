"""The tables of several people in PostgreSQL, at which players of several servers sit.

The database alone is the truth. A notification only wakes the servers that wait for a row, and one
thread of each server also looks once a second at the last row of every open table. The same thread
stores who reads which table at its server.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from contextlib import suppress
from threading import Event, Thread
from time import monotonic
from typing import Any

import psycopg

from .clock import Clock
from .postgres import Postgres
from .shared_tables import (
    ADDED_COLUMNS,
    COLUMNS,
    SCHEMA,
    BookMoves,
    Execute,
    Heard,
    PhraseHeard,
    Row,
    RowHeard,
    SharedRow,
    SqlTables,
    TablesHeard,
    TablesUnheard,
    TablesWatch,
    Work,
    check_open,
    table_of,
)

POLL = 1.0
"""Seconds between two looks at all tables."""
PRESENT = 4.0
"""Seconds after which a reader who was not reported again is no longer present."""
_SLICE = 0.2
"""The maximum number of seconds for which a watch that is closed still runs."""
_AGAIN = 0.3
"""Seconds between two attempts to reach the database."""
_CHANNEL = "'casino_tables_' || md5(current_schema())"
_NOW = "(extract(epoch from clock_timestamp()) * 1000)::bigint"
_TABLES = (
    SCHEMA.format(integer="bigint", bytes="bytea", strict="")
    + """\
create index if not exists table_row_by_sitting on table_row (sitting) where sitting is not null;
create unlogged table if not exists table_presence (
  code text not null, player text not null, host text not null, until timestamptz not null,
  primary key (code, player, host));
"""
)
_MISSING = """
select to_regclass('table_presence') is null or to_regclass('player_block') is null
  or (select count(*) from pg_attribute
      where attrelid = to_regclass('shared_table') and attname = any(%s) and not attisdropped) < %s
"""
_OPEN = f"""
select {COLUMNS}, (select max(n) from table_row where table_row.code = shared_table.code)
from shared_table where closed is null order by made, code
"""
_APPEND = f"""
with known as (
  select code, closed, (select max(n) from table_row where table_row.code = shared_table.code)
  from shared_table where code = ?),
first as (
  insert into table_row select code, ?, ?, ?, ?, ? from known where closed is null and max = ?
  on conflict do nothing returning code, n),
others as (
  insert into table_row select code, n + number, line, player, session, due
  from first, unnest(?::bytea[], ?::text[], ?::text[], ?::bigint[])
    with ordinality as row (line, player, session, due, number))
select closed, (select pg_notify({_CHANNEL}, ?) from first) is not null from known
"""
"""Append rows and report the last one, if the table is open and ends before the first."""


def make_room(database: Postgres) -> None:
    """Add the database tables for tables of several people, if they are not there.

    The version of the database stays the same, so older servers continue to use it.
    """
    columns = list(ADDED_COLUMNS)
    (missing,) = database.rows(_MISSING, (columns, len(columns)))
    if missing[0]:  # otherwise there is nothing to write, so do not wait for others
        added = (f"alter table shared_table add column if not exists {c} bigint" for c in columns)
        database.extend([*filter(str.strip, _TABLES.split(";")), *added])


class PostgresTables(SqlTables):
    """The tables of a database that several servers share."""

    def __init__(
        self,
        database: Postgres,
        read: Execute,
        change: Callable[[Work], Any],
        book: BookMoves,
    ) -> None:
        super().__init__(read, change, book)
        self._db, self._host = database, secrets.token_hex(8)

    def _add(self, execute: Execute, code: str, first: int, rows: Sequence[SharedRow]) -> bool:
        """Append and report rows in one round trip."""
        begun, *others = ((row.line, row.player, row.sitting, row.due) for row in rows)
        columns = [list(column) for column in zip(*others, strict=True)] or [[]] * 4
        last = f"{code}:{first + len(others)}"
        found = execute(_APPEND, (code, first, *begun, first - 1, *columns, last))
        ((closed, added),) = found or [(0, False)]
        check_open(code, closed)
        return bool(added)

    def _appended(self, execute: Execute, code: str, row: int) -> None:
        execute(f"select pg_notify({_CHANNEL}, ?)", (f"{code}:{row}",))

    def say(self, spoken: PhraseHeard) -> None:
        """Report a phrase to the other servers."""
        s = spoken
        payload = f"{s.code}:{s.phrase}:{s.at}:{s.player}"
        self._read(f"select pg_notify({_CHANNEL}, ?)", (payload,))

    def is_present(self, code: str, player: str) -> bool:
        """Return whether a player reads a table at another server."""
        query = (
            "select 1 from table_presence where code = ? and player = ? and host <> ? "
            "and until > clock_timestamp()"
        )
        return bool(self._read(query, (code, player, self._host)))

    def pays(self, sitting: str) -> bool:
        """Return whether a session has brought the money of a seat to an open table."""
        query = (
            "select 1 from table_row join shared_table on shared_table.code = table_row.code "
            "where sitting = ? and closed is null limit 1"
        )
        return bool(self._read(query, (sitting,)))

    def time_ahead(self, clock: Clock) -> int:
        """Return how far the time of the database is ahead of a clock, in milliseconds."""
        return _ahead(lambda query: self._read(query, ()), clock)

    def watch(self, hear: Callable[[Heard], None], clock: Clock) -> TablesWatch:
        """Begin to report what other servers do; another thread calls ``hear`` and ``clock``."""
        return _Watch(self._db, self._host, hear, clock)


class _Watch:
    """Listens and looks on a thread and a connection of its own."""

    def __init__(
        self, database: Postgres, host: str, hear: Callable[[Heard], None], clock: Clock
    ) -> None:
        self._db, self._host, self._hear, self._clock = database, host, hear, clock
        self._readers = frozenset[tuple[str, str]]()
        self._was_reported = False
        self._closed = Event()
        self._thread = Thread(target=self._run, name="tables", daemon=True)
        self._thread.start()

    def report(self, readers: frozenset[tuple[str, str]]) -> None:
        self._readers = readers

    def close(self) -> None:
        self._closed.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._closed.is_set():
            try:
                with suppress(psycopg.Error, OSError), self._db.connect() as connection:
                    self._listen(connection)
                if not self._closed.is_set():
                    self._hear(TablesUnheard())
            except RuntimeError:  # the event loop has ended
                return
            self._closed.wait(_AGAIN)

    def _listen(self, connection: psycopg.Connection[Row]) -> None:
        (channel,) = connection.execute(f"select {_CHANNEL}").fetchall()[0]
        connection.execute(f"listen {channel}")
        due = monotonic()
        while not self._closed.is_set():
            if (rest := due - monotonic()) <= 0:
                due = monotonic() + POLL
                self._hear(self._look(connection))
                continue
            for note in connection.notifies(timeout=min(rest, _SLICE)):
                if (heard := _note_of(note.payload)) is not None:
                    self._hear(heard)

    def _look(self, connection: psycopg.Connection[Row]) -> TablesHeard:
        def execute(query: str, values: Sequence[object] = ()) -> list[Row]:
            return connection.execute(query, values).fetchall()

        readers = sorted(self._readers)
        if readers or self._was_reported:
            with connection.transaction():
                connection.execute(
                    "delete from table_presence where host = %s "
                    "or until < clock_timestamp() - interval '1 minute'",
                    (self._host,),
                )
                connection.execute(
                    "insert into table_presence select code, player, %s, "
                    "clock_timestamp() + make_interval(secs => %s) "
                    "from unnest(%s::text[], %s::text[]) as reader (code, player)",
                    (self._host, PRESENT, [c for c, _ in readers], [p for _, p in readers]),
                )
        self._was_reported = bool(readers)
        elsewhere = execute(
            "select code, player from table_presence "
            "where host <> %s and until > clock_timestamp()",
            (self._host,),
        )
        return TablesHeard(
            tuple((table_of(row[:-1]), row[-1] or 0) for row in execute(_OPEN)),
            frozenset((code, player) for code, player in elsewhere),
            frozenset(
                (one, other) for one, other in execute("select player, other from player_block")
            ),
            _ahead(execute, self._clock),
        )


def _ahead(execute: Callable[[str], list[Row]], clock: Clock) -> int:
    before = clock()
    ((there,),) = execute(f"select {_NOW}")
    return int(there) - (before + clock()) // 2


def _note_of(payload: str) -> Heard | None:
    code, *fields = payload.split(":", 3)
    with suppress(ValueError):
        match fields:
            case [row]:
                return RowHeard(code, int(row))
            case [phrase, at, player]:
                return PhraseHeard(code, player, int(phrase), int(at))
    return None
