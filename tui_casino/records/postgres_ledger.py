"""A ledger in PostgreSQL that several hosts share.

Paths of logs under a host's own folder are kept without it, for each host has its own: whichever
takes a sitting up finds its log under its own folder.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from pathlib import Path
from typing import TypeVar

from psycopg import errors

from .ledger import LedgerContents, LedgerLost, LedgerWitness, LogCheckpoint, OpenSitting
from .postgres import Cursor, Postgres
from .sql_ledger import Row, SqlLedger

T = TypeVar("T")

_SHORT = "50ms"
"""How long a note waits for a lock; if it is dropped, the next note repeats it."""


class PostgresLedger(SqlLedger):
    """A :class:`~.ledger.Ledger` in a database; ``root`` is this host's own folder.

    The ``witness`` is told of each sitting that is booked or paid through this one; where the
    answer of the database was lost and it is asked again, he may be told the same twice.

    Each of its threads has a connection of its own. A purse is locked by its row while it changes;
    all lock in the same order, sitting, purse, marker, so that nobody waits for each other.
    """

    _won = "sum(cashed - bought)::bigint"  # a sum of bigints is a numeric
    _lock_row = " for update"

    def __init__(
        self, database: Postgres, root: Path, witness: LedgerWitness | None = None
    ) -> None:
        self._db, self._root, self._witness = database, root, witness

    @property
    def name(self) -> str:
        """Its name in messages."""
        return f"the ledger in {self._db.name}"

    @property
    def _place(self) -> str:
        return self._db.name

    @property
    def persistent(self) -> bool:
        """Whether it outlasts the program."""
        return True

    @property
    def new(self) -> bool:
        """Whether it was begun when it was opened."""
        return self._db.new

    def _ledger_errors(self) -> AbstractContextManager[None]:
        return self._db.clearly()

    def _rows(self, query: str, values: Sequence[object] = ()) -> list[Row]:
        return self._db.rows(_native(query), values)

    def _stored_path(self, log: str) -> str:
        """Return a path without this host's own folder."""
        path = Path(log)
        return str(path.relative_to(self._root) if path.is_relative_to(self._root) else path)

    def _full_path(self, log: str) -> str:
        return str(self._root / log)

    def _moved(self, move: Callable[[Cursor, bool], T]) -> T:
        """Do what moves money; what is promised with it is on the disk before it is committed."""

        def settled(db: Cursor, lost: bool) -> T:
            done = move(db, lost)
            if self._witness is not None and not self._db.grouped:
                self._witness.settle()
            return done

        return self._db.change(settled)

    # ---- money moves ----------------------------------------------------------------------

    def publish(self, commitment: str, at: int) -> None:
        """Have the witness note a commitment that is about to be shown."""
        if self._witness is not None:
            witness = self._witness
            self._moved(lambda db, lost: witness.shows(commitment, at))

    def buy_in(self, sitting: OpenSitting, player: str, at: int, loan: int = 0) -> None:
        """Move the buy-in from the purse to a new sitting, first a loan against a marker to it."""
        booked = (sitting.id, player, at, sitting.checkpoint.head)

        def move(db: Cursor, lost: bool) -> None:
            done = (
                "select 1 from sitting where id = ? and player = ? and opened = ? "
                "and head is not distinct from ?"
            )
            if not (lost and _run(db, done, booked)):  # else only the answer was lost
                self._book(partial(_run, db), sitting, player, at, loan)

        self._moved(move)

    def lend(self, player: str, cents: int, at: int) -> None:
        """Move a loan to a player's purse against a marker, without a sitting."""

        def move(db: Cursor, lost: bool) -> None:
            done = "select 1 from marker where player = ? and at = ? and cents = ?"
            if not (lost and _run(db, done, (player, at, cents))):  # else only the answer was lost
                self._lend(partial(_run, db), player, cents, at)

        self._db.change(move)

    def checkpoint(self, sitting: str, steps: int, mark: str, cents: int) -> bool:
        """Note an open sitting's steps, the hash of the last, and the money after it, in cents."""

        def note(db: Cursor, lost: bool) -> bool:
            if not self._db.grouped:
                _run(db, "select set_config('lock_timeout', ?, true)", (_SHORT,))
            sure = self._db.sure(lasting=False)
            try:
                with db.connection.transaction():
                    _run(  # one message, with the way of committing in it
                        db,
                        "update sitting set steps = ?, mark = ?, held = ? from "
                        "(select set_config('synchronous_commit', ?, true)) as how "
                        "where id = ? and closed is null",
                        (steps, mark, cents, sure, sitting),
                    )
            except errors.LockNotAvailable:
                return False
            if not db.rowcount:
                raise LedgerLost("has forgotten this session", self._db.name)
            return True

        return self._db.change(note)

    def confirm(self, sitting: str, checkpoint: LogCheckpoint) -> None:
        """See that whoever opens the ledger anew finds there what is known of a sitting."""
        self._confirm(self._rows, sitting, checkpoint)

    def cash_out(self, sitting: str, cents: int, last_hash: str | None, at: int) -> bool:
        """Move a sitting's money to the purse, once: false if that was done before."""

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
        """Make one commit of all that one thread does meanwhile; what is refused is undone alone.

        Nothing has happened before this ends, and nothing at all if it raises but
        :class:`~.ledger.LedgerUnsure`.
        """
        with self._db.group(lasting=lasting):
            yield
            if self._witness is not None:
                self._witness.settle()

    # ---- all of it ------------------------------------------------------------------------

    def books(self) -> LedgerContents:
        """Give all that it holds."""

        def look(db: Cursor, lost: bool) -> LedgerContents:
            _run(
                db, "set transaction isolation level repeatable read"
            )  # one snapshot for all tables
            return self._read_books(partial(_run, db))

        return self._db.change(look)

    def amend(self, before: LedgerContents, after: LedgerContents) -> None:
        """Put other books in the place of those ``before``, unless they have changed since."""

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
        """Close the book, once nobody is at it; whoever waits for it is refused."""
        self._db.close()


def _native(query: str) -> str:
    return query.replace("?", "%s")


def _run(db: Cursor, query: str, values: Sequence[object] = ()) -> list[Row]:
    db.execute(_native(query), values)
    return db.fetchall() if db.description else []
