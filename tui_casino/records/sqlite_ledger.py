"""A ledger in an SQLite file, or in memory for a guest."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from threading import RLock
from typing import NamedTuple, TypeVar
from urllib.parse import quote_from_bytes, unquote_to_bytes

from ..inputs.errors import BadInput
from ..inputs.files import check_regular, folder_reason, open_regular
from .ledger import (
    LedgerBusy,
    LedgerContents,
    LedgerDamaged,
    LedgerError,
    LedgerLost,
    LedgerWitness,
    LogCheckpoint,
    OpenSitting,
)
from .redo_log import RedoLog, SqliteRedoLog
from .shared_tables import ADDED_COLUMNS, SCHEMA, Execute, Row, SharedTables, SqlTables
from .sql_ledger import SqlLedger, is_text, text_of

T = TypeVar("T")
_SUFFIXES = ("", "-wal", "-shm")  # the database, its newest writes, and their index


class LedgerFileCheck:
    """The state of a ledger's files when it was opened, to compare later.

    While a program has the ledger open, SQLite neither deletes nor replaces a file, and the
    database never becomes shorter. If another program deletes, replaces or shortens one of the
    files, writes of this program are lost.
    """

    def __init__(self, path: Path) -> None:
        self._opened = {str(path) + suffix: _look(str(path) + suffix) for suffix in _SUFFIXES}
        self._book = str(path)
        self._size = _look(self._book).size

    def harm(self) -> tuple[str, str] | None:
        """Return the first damaged file and what happened to it; ``None`` if no file is damaged."""
        for file, before in self._opened.items():
            now = _look(file)
            if before.file is None:  # this file does not exist on a disk that cannot share memory
                continue
            if now.file is None:
                return file, "was deleted"
            if now.file != before.file:
                return file, "was replaced"
            if file == self._book:
                if now.size < self._size:
                    return file, "was shortened"
                self._size = now.size
        return None


class _Look(NamedTuple):
    file: tuple[int, int] | None
    size: int


def _look(file: str) -> _Look:
    try:
        status = os.stat(file)
    except OSError:
        return _Look(None, 0)
    return _Look((status.st_dev, status.st_ino), status.st_size)


_VERSION = 2
_URI = "file://"  # no path begins with it, because a path has no doubled slashes
_SCHEMA = f"""
create table purse (player text primary key, cents integer not null check (cents >= 0)) strict;
create table marker (player text not null, at integer not null, cents integer not null) strict;
create table sitting (
  id text primary key, player text not null, game text not null, log text not null, seed blob,
  opened integer not null, bought integer not null check (bought >= 0),
  closed integer, cashed integer check (cashed >= 0), hash text,
  head text, steps integer not null default 0, mark text, held integer check (held >= 0)) strict;
create index sitting_by_player on sitting (player, closed);
pragma user_version = {_VERSION};
"""
_TABLES = SCHEMA.format(integer="integer", bytes="blob", strict=" strict")
_ONE = "shared_table"
_FROM_1 = """
alter table sitting add column head text;
alter table sitting add column steps integer not null default 0;
alter table sitting add column mark text;
alter table sitting add column held integer check (held >= 0);
pragma user_version = 2;
"""

PATIENCE = 10.0
"""Seconds that one program waits while another one writes."""
_SHORT = 50
"""Milliseconds that a checkpoint waits for a lock; the next checkpoint replaces a skipped one."""
_ALONE = "begin immediate", "commit", "rollback"
_NESTED = "savepoint one", "release one", "rollback to one"
_DAMAGE = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR}


class SqliteLedger(SqlLedger):
    """A :class:`~.ledger.Ledger`; ``path`` is its file, if it has one.

    All threads share one connection and take turns, because a database in memory can have only one
    connection.
    """

    _grouped = False
    _redo: RedoLog | None = None  # only in a ledger with a file

    def __init__(
        self, path: Path | None, patience: float | None = None, witness: LedgerWitness | None = None
    ) -> None:
        """Open or create a ledger; without a path it is kept in memory, for a guest.

        ``patience`` is the number of seconds to wait while another program writes, by default
        :data:`PATIENCE`. The ``witness`` records each session.
        """
        self.path, self.new, self._lock = path, path is None, RLock()
        self._witness = witness
        self._files: LedgerFileCheck | None = None
        self._patience = PATIENCE if patience is None else patience
        if sqlite3.sqlite_version_info < (3, 37):
            raise LedgerError(
                f"SQLite 3.37 or newer is required; Python has {sqlite3.sqlite_version}"
            )
        with self._ledger_errors():
            if path is not None:
                path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
                self.new = _created(path)
            self._db = _connected(path or ":memory:", self._patience)
            try:
                self._db.execute("pragma journal_mode = wal")
                self._db.execute("pragma synchronous = full")
                self._begin()
                if witness is not None and path is not None:
                    self._redo = SqliteRedoLog(self._db)
                    witness.recover(self._redo)
                self._files = LedgerFileCheck(path) if path is not None else None
            except BaseException:
                self._db.close()
                raise

    @classmethod
    def look_at(cls, path: Path, patience: float | None = None) -> SqliteLedger:
        """Open a ledger only for reading, even if the file is read-only."""
        ledger = cls.__new__(cls)
        ledger.path, ledger.new, ledger._lock = path, False, RLock()
        ledger._witness = None
        ledger._files, ledger._patience = None, PATIENCE if patience is None else patience
        with ledger._ledger_errors():
            check_regular(path)
            ledger._db = _read_only(path, ledger._patience)
            try:
                if ledger._version() < 2:  # this version has no first lines and no rounds
                    ledger._known, ledger._head, ledger._held = (
                        "null, 0, null, hash",
                        "hash",
                        "null",
                    )
                    ledger._played = "true"
            except BaseException:
                ledger._db.close()
                raise
        return ledger

    @property
    def persistent(self) -> bool:
        """Whether the ledger is kept when the program ends."""
        return self.path is not None

    @property
    def name(self) -> str:
        """The name of the ledger in messages."""
        return f"the ledger {self.path}" if self.path else "the ledger of a guest"

    @contextmanager
    def _ledger_errors(self) -> Iterator[None]:
        """Hold the lock, and turn database errors into clear ledger errors."""
        with self._lock:
            try:
                yield
            except BadInput:
                raise
            except (sqlite3.Error, OSError, ValueError, TypeError, OverflowError) as error:
                # ValueError and others: values that SQLite read from a damaged file
                kind = LedgerDamaged if _is_damage(error) else LedgerError
                kind = LedgerBusy if is_busy(error) else kind
                raise kind(
                    f"the ledger {self.path} cannot be used: {self._reason_of(error)}"
                ) from None

    def _reason_of(self, error: Exception) -> str:
        if isinstance(error, OSError) and self.path is not None:
            return folder_reason(self.path.parent, error)
        return str(error)

    @property
    def _place(self) -> str:
        return str(self.path)

    def _stored_path(self, log: str) -> str:
        """Return the path as it is stored: as a file URI if it is not UTF-8."""
        with suppress(UnicodeEncodeError):  # a text that no file system has as a path
            return log if is_text(log) else _URI + quote_from_bytes(os.fsencode(log))
        return log

    def _full_path(self, log: object) -> str:
        path = text_of(log)
        if not path.startswith(_URI):
            return path
        return os.fsdecode(unquote_to_bytes(path.removeprefix(_URI)))

    def _rows(self, query: str, values: Sequence[object] = ()) -> list[Row]:
        return self._db.execute(query, values).fetchall()

    def _begin(self) -> None:
        if self._version() == _VERSION:
            return  # there is nothing to write, so do not wait for others
        with self._transaction():
            steps = {0: _SCHEMA, 1: _FROM_1}.get(self._version(), "")
            for statement in filter(str.strip, steps.split(";")):
                self._db.execute(statement)

    def _version(self) -> int:
        version: int = self._db.execute("pragma user_version").fetchone()[0]
        if version > _VERSION:
            raise LedgerError(
                f"{self.path}: written by a newer program (version {version}, "
                f"this one knows {_VERSION}); please upgrade"
            )
        return version

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        begin, commit, undo = _NESTED if self._grouped else _ALONE
        with self._ledger_errors():
            self._check_files()
            self._db.execute(begin)
            try:
                yield
                if self._witness is not None and not self._grouped:
                    self._witness.settle(self._redo)
                self._db.execute(commit)
            except BaseException:
                if self._db.in_transaction:
                    self._db.execute(undo)
                raise

    @contextmanager
    def together(self, *, lasting: bool) -> Iterator[None]:
        """Commit all work that a thread does in the block; refused parts are undone separately.

        Nothing is committed before the block ends, or if the block raises. The commit does not wait
        for the disk unless it is ``lasting``; nor does a single :meth:`checkpoint`.
        """
        with self._ledger_errors():
            self._db.execute(f"pragma synchronous = {'full' if lasting else 'normal'}")
            try:
                with self._transaction():
                    self._grouped = True
                    try:
                        yield
                    finally:
                        self._grouped = False
            finally:
                self._db.execute("pragma synchronous = full")

    def _check_files(self) -> None:
        if self._files is not None and (harm := self._files.harm()):
            raise LedgerLost(harm[1], harm[0])

    # ---- money moves ----------------------------------------------------------------------

    def publish(self, commitment: str, at: int) -> None:
        """Let the witness record a commitment that is about to be shown."""
        with self._transaction():
            if self._witness is not None:
                self._witness.shows(commitment, at)

    def buy_in(self, sitting: OpenSitting, player: str, at: int, loan: int = 0) -> None:
        """Move the buy-in from the balance to a new session, after a loan if there is one."""
        with self._transaction():
            self._book(self._rows, sitting, player, at, loan)

    def lend(self, player: str, cents: int, at: int) -> None:
        """Add a loan to a player's balance, without a session."""
        with self._transaction():
            self._lend(self._rows, player, cents, at)

    def repay(self, player: str, cents: int, at: int) -> None:
        """Pay a part of a player's debt from the balance."""
        with self._transaction():
            self._repay(self._rows, player, cents, at)

    def checkpoint(self, sitting: str, steps: int, mark: str, cents: int) -> bool:
        """Record an open session's steps, the hash of the last step, and the money, in cents."""
        with self._ledger_errors():
            self._check_files()
            if self._grouped:
                return self._note(sitting, steps, mark, cents)
            # With a WAL, such a commit does not wait for the disk. It is still written to the file,
            # so a killed program loses nothing; a power cut may lose the last checkpoints.
            self._db.execute("pragma synchronous = normal")
            self._db.execute(f"pragma busy_timeout = {_SHORT}")
            try:
                return self._note(sitting, steps, mark, cents)
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY:
                    return False
                raise
            finally:
                self._db.execute(f"pragma busy_timeout = {round(self._patience * 1000)}")
                self._db.execute("pragma synchronous = full")

    def _note(self, sitting: str, steps: int, mark: str, cents: int) -> bool:
        changed = self._db.execute(
            "update sitting set steps = ?, mark = ?, held = ? where id = ? and closed is null",
            (steps, mark, cents, sitting),
        ).rowcount
        if not changed:
            raise LedgerLost("lost this session", str(self.path))
        return True

    def confirm(self, sitting: str, checkpoint: LogCheckpoint) -> None:
        """Check that the file has this checkpoint of a session."""
        with self._ledger_errors():
            self._check_files()
            try:
                self._db.execute("pragma shrink_memory")  # SQLite's memory may differ from the file
                self._confirm(self._rows, sitting, checkpoint)
            except sqlite3.Error as error:
                if _is_damage(error):
                    raise LedgerLost("was damaged", f"{self.path}: {error}") from None
                raise

    def cash_out(self, sitting: str, cents: int, last_hash: str | None, at: int) -> bool:
        """Move a session's money to the balance; return false if it was already moved."""
        with self._transaction():
            return self._cash_out(self._rows, sitting, cents, last_hash, at)

    # ---- tables of several people ---------------------------------------------------------

    def shared_tables(self) -> SharedTables:
        """Return the tables at which several people play; the first call makes room for them."""
        with self._transaction():
            for statement in filter(str.strip, _TABLES.split(";")):
                self._db.execute(statement)
            there = {
                name for (name,) in self._rows("select name from pragma_table_info(?)", (_ONE,))
            }
            for name in (one for one in ADDED_COLUMNS if one not in there):
                self._db.execute(f"alter table {_ONE} add column {name} integer")
        return SqlTables(self._read, self._change, self._book_moves)

    def _read(self, query: str, values: Sequence[object]) -> list[Row]:
        with self._ledger_errors():
            return self._rows(query, values)

    def _change(self, work: Callable[[Execute, bool], T]) -> T:
        with self._transaction():
            return work(self._rows, False)

    # ---- all of it ------------------------------------------------------------------------

    def books(self) -> LedgerContents:
        """Return the whole contents of the ledger."""
        with self._ledger_errors():
            return self._read_books(self._rows)

    def amend(self, before: LedgerContents, after: LedgerContents) -> None:
        """Replace the contents ``before`` with ``after``, unless they have changed since."""
        with self._transaction():
            if self.books() != before:
                raise self._changed_error()
            self._replace(self._rows, after)

    def copy_to(self, path: Path) -> None:
        """Write all contents to a new file. Raises :class:`~.ledger.LedgerError`."""
        with self._ledger_errors():
            os.close(open_regular(path, os.O_CREAT | os.O_EXCL | os.O_RDWR))
            with closing(sqlite3.connect(path)) as copy:
                self._db.backup(copy)

    def close(self) -> None:
        """Close the ledger once it is no longer in use; callers that are waiting get an error."""
        with self._lock:
            self._files = None  # SQLite deletes some of them when it closes
            self._db.close()


def _created(path: Path) -> bool:
    """Create the file, readable only by its owner (SQLite would create it readable by all).

    An existing file is not opened, because closing it would release all locks of this process on
    the file.
    """
    with suppress(FileExistsError):
        os.close(open_regular(path, os.O_CREAT | os.O_EXCL | os.O_RDWR))
        return True
    check_regular(path)
    return False


def is_locked(path: Path) -> bool:
    """Return whether another program is writing to a ledger at the moment."""
    try:
        with closing(_connected(path, 0.0)) as db:
            db.execute("begin immediate")
            db.execute("rollback")
    except sqlite3.Error as error:
        return is_busy(error)
    return False


def _connected(book: str | Path, patience: float) -> sqlite3.Connection:
    return sqlite3.connect(
        book,
        timeout=patience,
        isolation_level=None,
        check_same_thread=False,  # threads take turns
        uri=isinstance(book, str) and book.startswith("file:"),
    )


def _read_only(path: Path, patience: float) -> sqlite3.Connection:
    """Connect for reading only, even if the file is on a medium that cannot be written.

    To read a database in WAL mode, SQLite makes files next to it, unless the URI promises that
    nothing changes the database (https://sqlite.org/wal.html, section 5). That would be wrong for a
    database whose WAL still has contents.
    """
    uri = f"{path.absolute().as_uri()}?mode=ro"
    wal = path.with_name(f"{path.name}-wal")
    if not os.access(path.parent, os.W_OK) and not (wal.exists() and wal.stat().st_size):
        uri += "&immutable=1"
    return _connected(uri, patience)


def is_busy(error: Exception) -> bool:
    """Return whether another program holds a lock (see https://sqlite.org/rescode.html)."""
    code = getattr(error, "sqlite_errorcode", None)  # errors of the Python module have no code
    return code is not None and code & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


def _is_damage(error: Exception) -> bool:
    """Return whether damage in the file caused the error, rather than a lock or the machine."""
    if isinstance(error, sqlite3.Error):
        code: int = getattr(error, "sqlite_errorcode", 0)
        return code & 0xFF in _DAMAGE
    return not isinstance(error, OSError)
