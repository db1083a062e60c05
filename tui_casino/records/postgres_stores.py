"""The ledger and the players' logs in PostgreSQL, which several servers share.

Paths of logs under a server's own folder are stored relative to it. Each server has its own folder,
so a server that resumes a session finds its log there.
"""

from __future__ import annotations

import errno
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from pathlib import Path
from typing import TypeVar

from psycopg import errors

from .ledger import (
    LedgerContents,
    LedgerError,
    LedgerLost,
    LedgerWitness,
    LogCheckpoint,
    Marker,
    OpenSitting,
)
from .postgres import Cursor, Postgres
from .postgres_tables import PostgresTables, make_room
from .shared_tables import Execute, Row, SharedTables
from .sql_ledger import SqlLedger, text_of

T = TypeVar("T")

_SHORT = "50ms"
"""How long a checkpoint waits for a lock; a skipped checkpoint is replaced by the next one."""


_TURN = "300ms"
"""How long a change of a table waits for a lock."""
_LOCK_TIMEOUT = "set_config('lock_timeout', ?, true)"


class PostgresLedger(SqlLedger):
    """A :class:`~.ledger.Ledger` in a database; ``root`` is this server's own folder.

    The ``witness`` records each session that is booked or paid here. If the answer of the database
    is lost and the work is repeated, the witness may get the same entry twice.

    Each thread has its own connection. The row of a balance is locked while it changes. All
    transactions lock in the same order (session, balance, loan), so there are no deadlocks.
    """

    _won = "sum(cashed - bought)::bigint"  # a sum of bigints is a numeric
    _lock_row = " for update"

    def __init__(
        self, database: Postgres, root: Path, witness: LedgerWitness | None = None
    ) -> None:
        self._db, self._root, self._witness = database, root, witness

    @property
    def name(self) -> str:
        """The name of the ledger in messages."""
        return f"the ledger in {self._db.name}"

    @property
    def _place(self) -> str:
        return self._db.name

    @property
    def persistent(self) -> bool:
        """Whether the ledger is kept when the program ends."""
        return True

    @property
    def new(self) -> bool:
        """Whether opening the ledger created it."""
        return self._db.new

    def _ledger_errors(self) -> AbstractContextManager[None]:
        return self._db.clearly()

    def _rows(self, query: str, values: Sequence[object] = ()) -> list[Row]:
        return self._db.rows(_native(query), values)

    def _stored_path(self, log: str) -> str:
        """Return the path as it is stored: relative if it is in this server's own folder."""
        path = Path(log)
        return str(path.relative_to(self._root) if path.is_relative_to(self._root) else path)

    def _full_path(self, log: object) -> str:
        return str(self._root / text_of(log))

    def _moved(self, move: Callable[[Cursor, bool], T], wait: str | None = None) -> T:
        """Run a transaction that moves money; first make the witness's records durable."""

        def settled(db: Cursor, lost: bool) -> T:
            done = move(db, lost)
            if self._witness is not None and not self._db.grouped:
                self._witness.settle()
            return done

        return self._db.change(settled, wait)

    # ---- money moves ----------------------------------------------------------------------

    def publish(self, commitment: str, at: int) -> None:
        """Let the witness record a commitment that is about to be shown."""
        if self._witness is not None:
            witness = self._witness
            self._moved(lambda db, lost: witness.shows(commitment, at))

    def buy_in(self, sitting: OpenSitting, player: str, at: int, loan: int = 0) -> None:
        """Move the buy-in from the balance to a new session, after a loan if there is one."""
        booked = (sitting.id, player, at, sitting.checkpoint.head)

        def move(db: Cursor, lost: bool) -> None:
            done = (
                "select 1 from sitting where id = ? and player = ? and opened = ? "
                "and head is not distinct from ?"
            )
            if not (lost and _run(db, done, booked)):  # otherwise only the answer was lost
                self._book(partial(_run, db), sitting, player, at, loan)

        self._moved(move)

    def lend(self, player: str, cents: int, at: int) -> None:
        """Add a loan to a player's balance, without a session."""
        self._book_loan(Marker(player, at, cents), lambda db: self._lend(db, player, cents, at))

    def repay(self, player: str, cents: int, at: int) -> None:
        """Pay a part of a player's debt from the balance."""
        self._book_loan(Marker(player, at, -cents), lambda db: self._repay(db, player, cents, at))

    def _book_loan(self, loan: Marker, book: Callable[[Execute], None]) -> None:
        """Book a loan or a repayment, unless it was booked and only the answer was lost."""

        def move(db: Cursor, lost: bool) -> None:
            done = "select 1 from marker where player = ? and at = ? and cents = ?"
            if not (lost and _run(db, done, loan)):
                book(partial(_run, db))

        self._db.change(move)

    def checkpoint(self, sitting: str, steps: int, mark: str, cents: int) -> bool:
        """Record an open session's steps, the hash of the last step, and the money, in cents."""

        def note(db: Cursor, lost: bool) -> bool:
            if not self._db.grouped:
                _run(db, f"select {_LOCK_TIMEOUT}", (_SHORT,))
            sure = self._db.sure(lasting=False)
            try:
                with db.connection.transaction():
                    _run(  # one message, including how to commit
                        db,
                        "update sitting set steps = ?, mark = ?, held = ? from "
                        "(select set_config('synchronous_commit', ?, true)) as how "
                        "where id = ? and closed is null",
                        (steps, mark, cents, sure, sitting),
                    )
            except errors.LockNotAvailable:
                return False
            if not db.rowcount:
                raise LedgerLost("lost this session", self._db.name)
            return True

        return self._db.change(note)

    def confirm(self, sitting: str, checkpoint: LogCheckpoint) -> None:
        """Check that the database has this checkpoint of a session."""
        self._confirm(self._rows, sitting, checkpoint)

    def cash_out(self, sitting: str, cents: int, last_hash: str | None, at: int) -> bool:
        """Move a session's money to the balance; return false if it was already moved."""

        def move(db: Cursor, lost: bool) -> bool:
            if self._cash_out(partial(_run, db), sitting, cents, last_hash, at):
                return True
            mine = (
                "select 1 from sitting where id = ? and closed = ? and cashed = ? "
                "and hash is not distinct from ?"
            )  # true if this program closed it and only the answer was lost
            return lost and bool(_run(db, mine, (sitting, at, cents, last_hash)))

        return self._moved(move)

    @contextmanager
    def together(self, *, lasting: bool) -> Iterator[None]:
        """Commit all work that a thread does in the block; refused parts are undone separately.

        Nothing is committed before the block ends, or if the block raises. After
        :class:`~.ledger.LedgerUnsure`, it is not known whether the work was committed.
        """
        with self._db.group(lasting=lasting):
            yield
            if self._witness is not None:
                self._witness.settle()

    # ---- tables of several people ---------------------------------------------------------

    def shared_tables(self) -> SharedTables:
        """Return the tables at which several people play; the first call makes room for them."""
        with self._ledger_errors():
            make_room(self._db)
        return PostgresTables(self._db, self._read, self._change, self._book_moves)

    def _read(self, query: str, values: Sequence[object]) -> list[Row]:
        with self._ledger_errors():
            return self._rows(query, values)

    def _change(self, work: Callable[[Execute, bool], T]) -> T:
        """Do a unit of work at a table; wait only briefly for another server.

        A server may hold several tables until it commits, and so may another one.
        """
        return self._moved(lambda db, lost: work(partial(_run, db), lost), _TURN)

    # ---- all of it ------------------------------------------------------------------------

    def books(self) -> LedgerContents:
        """Return all contents of the ledger."""

        def look(db: Cursor, lost: bool) -> LedgerContents:
            _run(
                db, "set transaction isolation level repeatable read"
            )  # one snapshot for all tables
            return self._read_books(partial(_run, db))

        return self._db.change(look)

    def amend(self, before: LedgerContents, after: LedgerContents) -> None:
        """Replace the contents ``before`` with ``after``, unless they have changed since."""

        def put(db: Cursor, lost: bool) -> None:
            ask = partial(_run, db)
            ask("lock table sitting, purse, marker in exclusive mode")
            now = self._read_books(ask)
            if now == before:
                self._replace(ask, after)
            elif not (lost and now == after):
                raise self._changed_error()

        self._db.change(put)

    def close(self) -> None:
        """Close the ledger once it is no longer in use; callers that are waiting get an error."""
        self._db.close()


def _native(query: str) -> str:
    return query.replace("?", "%s")


def _run(db: Cursor, query: str, values: Sequence[object] = ()) -> list[Row]:
    db.execute(_native(query), values)
    return db.fetchall() if db.description else []


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
