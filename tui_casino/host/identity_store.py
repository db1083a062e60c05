"""The storage of identities: an SQLite file, or a database that several servers share.

Both stores execute the same SQL, with ``?`` for each value, so the SQL uses only features that both
databases support.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, Any, Protocol

from ..inputs.errors import BadInput
from ..inputs.files import create_private_file, os_error_reason

if TYPE_CHECKING:
    from ..records.postgres import Postgres

DatabaseRow = tuple[Any, ...]

_VERSION = 3
_PASSES = """
create table link (
  hash text primary key, fingerprint text not null unique, until integer not null) strict;
create table pass (
  hash text primary key, fingerprint text not null, since integer not null,
  until integer not null) strict;
create index pass_by_key on pass (fingerprint);
"""
_SCHEMA = f"""
create table player (
  id text primary key, name text not null, skeleton text not null unique,
  since integer not null) strict;
create table key (
  fingerprint text primary key, player text not null references player, since integer not null,
  revoked integer) strict;
create table code (
  hash text primary key, player text not null unique references player, until integer not null
) strict;
create table ban (
  number integer primary key autoincrement, kind text not null, target text not null,
  reason text not null, since integer not null, until integer) strict;
{_PASSES}
pragma user_version = {_VERSION};
"""
_FROM_1 = """
alter table key add column revoked integer;
create table code (
  hash text primary key, player text not null unique references player, until integer not null
) strict;
create table ban (
  number integer primary key autoincrement, kind text not null, target text not null,
  reason text not null, since integer not null, until integer) strict;
pragma user_version = 2;
"""
_FROM_2 = f"{_PASSES} pragma user_version = 3;"


class IdentityStore(Protocol):
    """Tables that any thread can query. Every method may raise :class:`BadInput`."""

    def rows(self, query: str, values: Sequence[object] = ()) -> list[DatabaseRow]:
        """Run a statement and return its rows."""
        ...

    def transaction(self) -> AbstractContextManager[None]:
        """Run statements as one transaction that locks out other writers."""
        ...

    def copy_to(self, path: Path) -> None:
        """Copy the tables to a new file."""
        ...

    def close(self) -> None:
        """Close the store."""
        ...


class SqliteIdentityStore:
    """An :class:`IdentityStore` in an SQLite file."""

    def __init__(self, path: Path) -> None:
        self._path, self._lock = path, RLock()
        with self._clearly():
            create_private_file(path)
            self._db = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
            self._db.execute("pragma journal_mode = wal")
            while self._version() < _VERSION:
                with self.transaction():
                    steps = {0: _SCHEMA, 1: _FROM_1, 2: _FROM_2}.get(self._version(), "")
                    for statement in filter(str.strip, steps.split(";")):
                        self._db.execute(statement)

    def _version(self) -> int:
        version: int = self._db.execute("pragma user_version").fetchone()[0]
        if version > _VERSION:
            raise BadInput(f"{self._path}: written by a newer program; please upgrade")
        return version

    @contextmanager
    def _clearly(self) -> Iterator[None]:
        with self._lock:
            try:
                yield
            except (sqlite3.Error, OSError) as error:
                reason = os_error_reason(error) if isinstance(error, OSError) else error
                raise BadInput(f"{self._path.name} cannot be used: {reason}") from None

    def rows(self, query: str, values: Sequence[object] = ()) -> list[DatabaseRow]:
        """Run a statement and return its rows."""
        with self._clearly():
            return self._db.execute(query, values).fetchall()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Run statements as one transaction."""
        with self._clearly():
            self._db.execute("begin immediate")
            try:
                yield
                self._db.execute("commit")
            except BaseException:
                if self._db.in_transaction:
                    self._db.execute("rollback")
                raise

    def copy_to(self, path: Path) -> None:
        """Copy the tables to a new file."""
        with self._clearly():
            create_private_file(path)
            with closing(sqlite3.connect(path)) as copy:
                self._db.backup(copy)

    def close(self) -> None:
        """Close the file."""
        self._db.close()


class PostgresIdentityStore:
    """An :class:`IdentityStore` in PostgreSQL."""

    def __init__(self, database: Postgres) -> None:
        self._db = database

    def rows(self, query: str, values: Sequence[object] = ()) -> list[DatabaseRow]:
        """Run a statement and return its rows."""
        return self._db.rows(query.replace("?", "%s"), values)

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Run statements as one transaction."""
        with self._db.group(lasting=True):
            self._db.rows("lock table player in exclusive mode")
            yield

    def copy_to(self, path: Path) -> None:
        """Refuse: a database has its own backup tools."""
        raise BadInput("back up a database with its own tools, such as pg_dump")

    def close(self) -> None:
        """Close the connections."""
        self._db.close()
