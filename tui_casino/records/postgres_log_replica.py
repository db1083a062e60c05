"""The lines of a player's logs in PostgreSQL; only the server that has the seat may write them."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import contextmanager

from .ledger import LedgerError
from .postgres import Cursor, Postgres

_NEXT = """
with held as (select 1 from seat where player = %(player)s and token = %(token)s for share),
grown as (
  insert into log (name, player, lines, bytes)
  select %(log)s, %(player)s, 1, %(size)s from held
  where %(number)s = 1
    or exists (select 1 from log where name = %(log)s and player = %(player)s)
  on conflict (name) do update set lines = log.lines + 1, bytes = log.bytes + %(size)s
  where log.lines = %(number)s - 1 and log.player = %(player)s
  returning 1)
insert into line select %(log)s, %(number)s, %(line)s
from grown, (select set_config('synchronous_commit', %(sure)s, true)) as how returning 1
"""
"""The statement that stores the next line; no other statement is needed in the usual case."""
_HELD = "select 1 from seat where player = %s and token = %s for share"
_LOST = "you now play on another server; nothing is written here"


class PostgresLogReplica:
    """A log replica in PostgreSQL; ``token`` proves that this server holds the player's seat."""

    def __init__(self, database: Postgres, player: str, token: str) -> None:
        self._db, self._player, self._token = database, player, token

    def append(self, log: str, number: int, line: bytes, *, lasting: bool) -> None:
        """Store the next line, or the last one again."""
        values = {
            "log": log,
            "player": self._player,
            "token": self._token,
            "number": number,
            "line": line,
            "size": len(line) + 1,
            "sure": self._db.sure(lasting=lasting),
        }
        with _as_of_a_file():
            if not self._db.rows(_NEXT, values):
                self._db.change(lambda db, lost: self._replace(db, values))

    def _replace(self, db: Cursor, values: dict[str, object]) -> None:
        """Replace the last line, because the database's answer to it was lost.

        Raises :class:`LedgerError` for any other line.
        """
        if db.execute(_HELD, (self._player, self._token)).fetchone() is None:
            raise LedgerError(_LOST)
        query = "select lines from log where name = %(log)s and player = %(player)s for update"
        row = db.execute(query, values).fetchone()
        if row is None or values["number"] != row[0]:
            raise LedgerError("the database has a different log")
        db.execute("delete from line where log = %(log)s and n = %(number)s", values)
        db.execute("insert into line values (%(log)s, %(number)s, %(line)s)", values)
        db.execute(
            "update log set bytes = "
            "(select sum(octet_length(line) + 1) from line where log = name) where name = %(log)s",
            values,
        )

    def check(self) -> None:
        """Check that this server still holds the player's seat; lock it until the commit."""
        with _as_of_a_file():
            if not self._db.rows(_HELD, (self._player, self._token)):
                raise LedgerError(_LOST)

    def sizes(self) -> dict[str, int]:
        """Return the size of each log in bytes, including line feeds."""
        with _as_of_a_file():
            rows = self._db.rows("select name, bytes from log where player = %s", (self._player,))
        return {str(name): int(size) for name, size in rows}

    def text(self, log: str) -> bytes:
        """Return the bytes of a log as in its file."""
        query = (
            "select line from line join log on log = name "
            "where name = %s and player = %s order by n"
        )
        with _as_of_a_file():
            return b"".join(line + b"\n" for (line,) in self._db.rows(query, (log, self._player)))

    def forget(self, log: str) -> None:
        """Delete the log of a session that never began."""
        query = (
            "delete from log where name = %s and player = %s and exists "
            "(select 1 from seat where player = log.player and token = %s)"
        )
        with _as_of_a_file():
            self._db.rows(query, (log, self._player, self._token))


@contextmanager
def _as_of_a_file() -> Iterator[None]:
    """Convert database errors to ``OSError``, which the log writer handles."""
    try:
        yield
    except LedgerError as error:
        raise OSError(errno.EIO, error.shown) from None
