"""A PostgreSQL database that several servers share: connections, transactions and tables.

The modules that use it document their tables: ledger, logs, identities, seats.
"""

from __future__ import annotations

import logging
import select
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from threading import local
from time import monotonic
from typing import Any, NamedTuple, TypeVar

import psycopg
from psycopg import conninfo, errors
from psycopg_pool import ConnectionPool, PoolClosed, PoolTimeout

from ..inputs.errors import BadInput
from .ledger import AWAY, LedgerBusy, LedgerDamaged, LedgerError, LedgerUnsure

logging.getLogger("psycopg").addHandler(logging.NullHandler())  # errors are raised here instead

T = TypeVar("T")
Row = tuple[Any, ...]
Cursor = psycopg.Cursor[Row]

PATIENCE = 10.0
"""Seconds to wait for the database, or for another program that is writing to it."""
_CONNECTIONS = 4
"""The number of connections, and so of database threads, that a process can use together."""
_IDLE = 60.0
"""Seconds after which an unused connection is closed."""
_AGAIN = 1.0
"""Seconds during which the pool reconnects by itself; after that, only on request."""
_AWAY, _BRIEF = 2.0, 0.1
"""The seconds after a failed connection during which waits are short, and their length."""
_TRIES = 20
"""The number of attempts for a transaction that conflicts with others."""
_VERSION = 2
_LOCK = 0x7475692D63617369
"""The lock held while tables are created, because two servers may start at the same time."""
_PASSES = """
create table link (
  hash text primary key, fingerprint text collate "C" not null unique, until bigint not null);
create table pass (
  hash text primary key, fingerprint text collate "C" not null, since bigint not null,
  until bigint not null);
create index pass_by_key on pass (fingerprint);
"""
_SCHEMA = f"""
create table casino (version integer not null);
create table purse (
  player text collate "C" primary key, cents bigint not null check (cents >= 0));
create table marker (
  player text collate "C" not null, at bigint not null, cents bigint not null);
create index marker_by_player on marker (player);
create table sitting (
  id text collate "C" primary key, player text not null, game text not null, log text not null,
  seed bytea, opened bigint not null, bought bigint not null check (bought >= 0),
  closed bigint, cashed bigint check (cashed >= 0), hash text,
  head text, steps bigint not null default 0, mark text, held bigint check (held >= 0));
create index sitting_by_player on sitting (player, closed);
create index sitting_by_log on sitting (log);
create index sitting_by_head on sitting (head);
create index sitting_by_hash on sitting (hash);
create table player (
  id text collate "C" primary key, name text collate "C" not null, skeleton text not null unique,
  since bigint not null);
create table key (
  fingerprint text collate "C" primary key, player text not null references player,
  since bigint not null, revoked bigint);
create index key_by_player on key (player);
create table code (
  hash text primary key, player text not null unique references player, until bigint not null);
create table ban (
  number bigint generated always as identity primary key, kind text not null, target text not null,
  reason text not null, since bigint not null, until bigint);
create table host (id text primary key, until timestamptz not null);
create table seat (
  player text primary key, host text not null references host on delete cascade,
  token text not null, wanted boolean not null default false);
create index seat_by_host on seat (host);
create table log (
  name text primary key, player text not null, lines bigint not null, bytes bigint not null);
create index log_by_player on log (player);
create table line (
  log text not null references log on delete cascade, n bigint not null, line bytea not null,
  primary key (log, n));
{_PASSES}
"""

_BUSY = (
    PoolTimeout,
    errors.LockNotAvailable,
    errors.QueryCanceled,
    errors.SerializationFailure,
    errors.DeadlockDetected,
    errors.TooManyConnections,
)
_DAMAGE = (errors.UndefinedTable, errors.UndefinedColumn, errors.DatatypeMismatch)


class Postgres:
    """A database, with connections for all threads of this process; tables are created if needed.

    All methods may raise :class:`~.ledger.LedgerError`. ``new`` is true if the tables were created
    now.
    """

    def __init__(self, url: str, patience: float | None = None) -> None:
        """Connect to the database; ``patience`` is in seconds, by default :data:`PATIENCE`."""
        self.name, self._url = "the database", url
        self.patience = PATIENCE if patience is None else patience
        self._longest = f"{round(self.patience * 1000)}ms"
        self._local, self._away_until = local(), 0.0
        with self.clearly():
            self.name = _named(url)
            with self._first(url) as first:
                self.new = self._begin(first)
            self._pool = ConnectionPool(
                url,
                kwargs=_OPTIONS,
                min_size=0,
                max_size=_CONNECTIONS,
                timeout=max(self.patience, 0.1),
                max_idle=_IDLE,
                reconnect_timeout=_AGAIN,
                num_workers=1,
                configure=self._configure,
                check=_check,
                open=True,
            )

    @contextmanager
    def _first(self, url: str) -> Iterator[psycopg.Connection[Row]]:
        """Connect without the pool, because the pool would retry and hide the error."""
        with psycopg.connect(url, **_OPTIONS) as connection:
            yield connection

    def _configure(self, connection: psycopg.Connection[Row]) -> None:
        for setting in ("lock_timeout", "idle_in_transaction_session_timeout"):
            connection.execute("select set_config(%s, %s, false)", (setting, self._longest))

    def _begin(self, connection: psycopg.Connection[Row]) -> bool:
        if self._version(connection) == _VERSION:
            return False  # there is nothing to write, so do not wait for others
        # Outside the transaction, because a transaction would not see tables that another server
        # has created in the meantime.
        connection.execute("select pg_advisory_lock(%s)", (_LOCK,))
        version = self._version(connection)
        if version == _VERSION:
            return False
        with connection.transaction():
            connection.execute(_SCHEMA if version == 0 else _PASSES)
            connection.execute("delete from casino")
            connection.execute("insert into casino values (%s)", (_VERSION,))
        return version == 0

    def extend(self, statements: Sequence[str]) -> None:
        """Run statements that add what an older program does not know, while no other server does.

        The version of the database stays the same.
        """

        def work(db: Cursor, lost: bool) -> None:
            db.execute("select pg_advisory_xact_lock(%s)", (_LOCK,))
            for statement in statements:
                db.execute(statement)

        self.change(work)

    def connect(self) -> psycopg.Connection[Row]:
        """Open one more connection, which the caller closes. Raises ``psycopg.Error``."""
        return psycopg.connect(self._url, **_OPTIONS)

    def _version(self, connection: psycopg.Connection[Row]) -> int:
        there = connection.execute("select to_regclass('casino')").fetchone()
        if there == (None,):
            return 0
        row = connection.execute("select version from casino").fetchone()
        version = 0 if row is None else int(row[0])
        if version > _VERSION:
            raise LedgerError(
                f"{self.name}: written by a newer program (version {version}, "
                f"this one knows {_VERSION}); please upgrade"
            )
        return version

    @contextmanager
    def clearly(self) -> Iterator[None]:
        """Turn all database errors into clear ledger errors."""
        try:
            yield
        except BadInput:
            raise
        except PoolClosed:
            raise LedgerError(f"{self.name} is closed") from None
        except _BUSY as error:
            raise _away(LedgerBusy, f"{self.name} cannot be used now: {_said(error)}") from None
        except (psycopg.Error, OSError, ValueError, TypeError, OverflowError) as error:
            kind = LedgerDamaged if isinstance(error, _DAMAGE) else LedgerError
            raise _away(kind, f"{self.name} cannot be used: {_said(error)}") from None

    @contextmanager
    def _connection(self) -> Iterator[psycopg.Connection[Row]]:
        """Take a connection from the pool; wait only briefly if a connection failed recently."""
        with ExitStack() as closing:
            brief = monotonic() < self._away_until
            try:
                connection = closing.enter_context(
                    self._pool.connection(timeout=_BRIEF if brief else None)
                )
            except PoolTimeout:
                self._away_until = monotonic() + _AWAY
                raise
            yield connection

    def rows(self, query: str, values: Sequence[object] | Mapping[str, object] = ()) -> list[Row]:
        """Run one statement in its own transaction; return its rows."""
        group = self._group
        with self.clearly(), ExitStack() as closing:
            if group is None:
                connection = closing.enter_context(self._connection())
                cursor = connection.execute(query, values)
            else:  # a failed statement must not undo the others
                cursor = closing.enter_context(_transaction(group.connection, query, values))
            return cursor.fetchall() if cursor.description else []

    def row(self, query: str, values: Sequence[object] | Mapping[str, object] = ()) -> Row | None:
        """Run one statement; return its first row, if there is one."""
        rows = self.rows(query, values)
        return rows[0] if rows else None

    def change(self, work: Callable[[Cursor, bool], T], wait: str | None = None) -> T:
        """Do a unit of work in one transaction, so that either all of it is done or nothing.

        Each lock is waited for as long as ``wait`` says, like "300ms"; by default the patience.
        ``work`` gets a cursor, and is run again if other transactions interfered. Its second
        argument is true if the connection was lost during the first attempt, which may have
        succeeded. Raises :class:`~.ledger.LedgerUnsure` if this cannot be determined.
        """
        group, lost = self._group, False
        with self.clearly():
            if group is not None:
                with self._patient(group.connection, wait), group.connection.cursor() as cursor:
                    return work(cursor, False)
            for tries_left in reversed(range(_TRIES)):
                try:
                    with self._connection() as connection:
                        try:
                            with (
                                self._patient(connection, wait),
                                connection.cursor() as cursor,
                            ):
                                return work(cursor, lost)
                        except psycopg.OperationalError as error:
                            if lost or not connection.closed:
                                raise
                            lost = True
                            cut = _said(error)
                except (errors.SerializationFailure, errors.DeadlockDetected):
                    if not tries_left:
                        raise
                except (psycopg.OperationalError, PoolTimeout):
                    if not lost:
                        raise
                    raise _away(
                        LedgerUnsure, f"the connection to {self.name} was lost: {cut}"
                    ) from None
        raise AssertionError("the last attempt returns or raises")

    @contextmanager
    def _patient(self, connection: psycopg.Connection[Row], wait: str | None) -> Iterator[None]:
        """Run a transaction, or a part of one, in which each lock is waited for so long."""
        if wait is None:
            with connection.transaction():
                yield
            return
        longest = ("lock_timeout", self._longest)
        with _transaction(connection, _SET, ("lock_timeout", wait), at_end=longest):
            yield

    @contextmanager
    def group(self, *, lasting: bool) -> Iterator[None]:
        """Commit all work that this thread does in the block; failed parts are undone separately.

        A commit that is not ``lasting`` does not wait for the disk. Raises
        :class:`~.ledger.LedgerUnsure` if the connection is lost during the commit.
        """
        with self.clearly(), self._connection() as connection:
            committing = False
            try:
                sure = "on" if lasting else "off"
                with _transaction(connection, _SET, ("synchronous_commit", sure)):
                    self._local.group = _Group(connection, sure)
                    try:
                        yield
                    finally:
                        self._local.group = None
                    committing = True
            except psycopg.OperationalError as error:
                if committing and connection.closed:
                    raise _away(
                        LedgerUnsure, f"the connection to {self.name} was lost: {_said(error)}"
                    ) from None
                raise

    @property
    def _group(self) -> _Group | None:
        return getattr(self._local, "group", None)

    def sure(self, *, lasting: bool) -> str:
        """Return the ``synchronous_commit`` of a transaction or of its group: "on" or "off"."""
        group = self._group
        return group.sure if group is not None else "on" if lasting else "off"

    @property
    def grouped(self) -> bool:
        """Whether this thread is inside a :meth:`group`."""
        return self._group is not None

    def close(self) -> None:
        """Close all connections; callers that are waiting get an error."""
        self._pool.close()


class _Group(NamedTuple):
    connection: psycopg.Connection[Row]
    sure: str


_OPTIONS: dict[str, Any] = {
    "autocommit": True,
    "connect_timeout": 5,
    "application_name": "tui-casino",
    "keepalives_idle": 10,
    "tcp_user_timeout": 10_000,
}


_SET = "select set_config(%s, %s, true)"


def _check(connection: psycopg.Connection[Row]) -> None:
    """Raise ``psycopg.Error`` if the server has closed an unused connection.

    Only if it has sent something, as it does then, this takes a round trip.
    """
    poll = select.poll()
    poll.register(connection.fileno(), select.POLLIN)
    if poll.poll(0):
        ConnectionPool.check_connection(connection)


@contextmanager
def _transaction(
    connection: psycopg.Connection[Row],
    query: str,
    values: Sequence[object] | Mapping[str, object],
    at_end: Sequence[object] = (),
) -> Iterator[Cursor]:
    """Run a transaction, or a part of one; it begins with a statement, in one round trip.

    With values ``at_end``, it also ends with the statement, unless an error is raised.
    """
    with ExitStack() as closing:
        with connection.pipeline():
            # not connection.transaction(), which would keep the pipeline open
            closing.enter_context(psycopg.Transaction(connection))
            cursor = connection.execute(query, values)
        yield cursor
        if at_end:
            with connection.pipeline():
                connection.execute(query, at_end)
                closing.close()


def _away(kind: type[LedgerError], reason: str) -> LedgerError:
    error = kind(reason)
    error.public = AWAY
    return error


def _named(url: str) -> str:
    """Return the name of the database in messages: its address, without secrets."""
    try:
        parts = conninfo.conninfo_to_dict(url)
    except psycopg.ProgrammingError as error:
        raise BadInput(f"this is not a database URL: {_said(error)}") from None
    host = parts.get("host") or "localhost"
    port = f":{parts['port']}" if parts.get("port") else ""
    return f"the database postgresql://{host}{port}/{parts.get('dbname') or ''}"


def _said(error: Exception) -> str:
    """Return the first line of an error's message."""
    with suppress(IndexError):
        return str(error).strip().splitlines()[0]
    return type(error).__name__
