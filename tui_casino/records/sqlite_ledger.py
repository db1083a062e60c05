"""A ledger in a file of SQLite, or in memory for a guest."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from threading import RLock

from ..inputs.errors import BadInput
from ..inputs.files import check_regular, opened
from .ledger import (
    OPENING,
    Account,
    Booked,
    Books,
    Known,
    LedgerBusy,
    LedgerDamaged,
    LedgerError,
    LedgerLost,
    Marker,
    Move,
    OpenSitting,
    Witness,
)
from .ledger_files import Files
from .ledger_rows import booked_of, cents_of, known_of, maybe_cents, row_of, seed_of, whole_of

_VERSION = 2
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
_FROM_1 = """
alter table sitting add column head text;
alter table sitting add column steps integer not null default 0;
alter table sitting add column mark text;
alter table sitting add column held integer check (held >= 0);
pragma user_version = 2;
"""
_KNOWN = "head, steps, mark, hash"
_BEFORE_2 = "null, 0, null, hash"  # an older ledger that is only looked at

PATIENCE = 10.0
"""Seconds that one program waits while another one writes."""
_SHORT = 50
"""Milliseconds that a note waits which the next one makes up for."""
_ALONE = "begin immediate", "commit", "rollback"
_NESTED = "savepoint one", "release one", "rollback to one"
_DAMAGE = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR}
_INSERT = "insert into sitting values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"


class SqliteLedger:
    """A :class:`~.ledger.Ledger`; ``path`` is its file, if it has one.

    All threads share one connection, as those of a book in memory must: one at a time.
    """

    _grouped = False

    def __init__(
        self, path: Path | None, patience: float | None = None, witness: Witness | None = None
    ) -> None:
        """Open the book, or begin one; ``None`` keeps it in memory, for a guest.

        ``patience`` is how many seconds it waits while another program writes, else
        :data:`PATIENCE`; the ``witness`` is told of each sitting.
        """
        self.path, self.new, self._lock = path, path is None, RLock()
        self._witness = witness
        self._files: Files | None = None
        self._patience = PATIENCE if patience is None else patience
        self._known, self._held = _KNOWN, "held"
        if sqlite3.sqlite_version_info < (3, 37):
            raise LedgerError(f"SQLite 3.37 is needed, Python has {sqlite3.sqlite_version}")
        with self._alone():
            if path is not None:
                path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
                self.new = _created(path)
            self._db = _connected(path or ":memory:", self._patience)
            try:
                self._db.execute("pragma journal_mode = wal")
                self._db.execute("pragma synchronous = full")
                self._begin()
                self._files = Files(path) if path is not None else None
            except BaseException:
                self._db.close()
                raise

    @classmethod
    def look_at(cls, path: Path, patience: float | None = None) -> SqliteLedger:
        """Open a book that is only to be read, even where it cannot be written."""
        ledger = cls.__new__(cls)
        ledger.path, ledger.new, ledger._lock = path, False, RLock()
        ledger._witness = None
        ledger._files, ledger._patience = None, PATIENCE if patience is None else patience
        with ledger._alone():
            check_regular(path)
            ledger._db = _connected(f"{path.absolute().as_uri()}?mode=ro", ledger._patience)
            try:
                older = ledger._version() < 2
                ledger._known, ledger._held = (_BEFORE_2, "null") if older else (_KNOWN, "held")
            except BaseException:
                ledger._db.close()
                raise
        return ledger

    @property
    def name(self) -> str:
        """What messages call it."""
        return f"the ledger {self.path}" if self.path else "the ledger of a guest"

    @property
    def lasts(self) -> bool:
        """Whether it outlasts the program."""
        return self.path is not None

    def _begin(self) -> None:
        if self._version() == _VERSION:
            return  # nothing is to be written, so nobody is waited for
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
    def _alone(self) -> Iterator[None]:
        """Keep the other threads waiting meanwhile, and say clearly what goes wrong."""
        with self._lock:
            try:
                yield
            except BadInput:
                raise
            except (sqlite3.Error, OSError, ValueError, TypeError, OverflowError) as error:
                # beside errors of its own SQLite gives values that damage has made nonsense
                kind = LedgerDamaged if _is_damage(error) else LedgerError
                kind = LedgerBusy if _is_busy(error) else kind
                raise kind(f"the ledger {self.path} cannot be used: {error}") from None

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        begin, commit, undo = _NESTED if self._grouped else _ALONE
        with self._alone():
            self._check_files()
            self._db.execute(begin)
            try:
                yield
                if self._witness is not None and not self._grouped:
                    self._witness.settle()
                self._db.execute(commit)
            except BaseException:
                if self._db.in_transaction:
                    self._db.execute(undo)
                raise

    @contextmanager
    def together(self, *, lasting: bool) -> Iterator[None]:
        """Make one commit of all that one thread does meanwhile; what is refused is undone alone.

        Nothing has happened before this ends, and nothing at all if it raises. If it need not be
        ``lasting``, it waits for no disk, as :meth:`mark` alone does not.
        """
        with self._alone():
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

    def purse(self, player: str) -> int:
        """Give a player's purse in cents; a new player's is :data:`~.ledger.OPENING`."""
        with self._alone():
            row = self._db.execute("select cents from purse where player = ?", (player,)).fetchone()
            return OPENING if row is None else cents_of(row[0])

    def _move(self, player: str, cents: int) -> None:
        self._db.execute("insert or ignore into purse values (?, ?)", (player, OPENING))
        self._db.execute("update purse set cents = cents + ? where player = ?", (cents, player))

    def lent(self, player: str) -> int:
        """Give the sum of a player's markers, in cents."""
        with self._alone():
            query = "select coalesce(sum(cents), 0) from marker where player = ?"
            return int(self._db.execute(query, (player,)).fetchone()[0])

    def buy_in(self, sitting: OpenSitting, player: str, at: int, loan: int = 0) -> None:
        """Move the buy-in from the purse to a new sitting, first a loan against a marker to it."""
        s = sitting
        with self._transaction():
            if loan:
                self._lend(player, loan, at)
            if s.bought > self.purse(player):
                raise LedgerError(f"{player}'s purse does not hold the buy-in of {s.bought} cents")
            self._move(player, -s.bought)
            booked = Booked(
                s.id, player, s.game, str(s.log), s.seed, at, s.bought, None, None, s.known
            )
            self._db.execute(_INSERT, row_of(booked))
            if self._witness is not None:  # last: nothing is promised that is not booked
                self._witness.begins(s, player, at, loan)

    def lend(self, player: str, cents: int, at: int) -> None:
        """Move a loan to a player's purse against a marker, without a sitting."""
        with self._transaction():
            self._lend(player, cents, at)

    def _lend(self, player: str, cents: int, at: int) -> None:
        self._db.execute("insert into marker values (?, ?, ?)", (player, at, cents))
        self._move(player, cents)

    def mark(self, sitting: str, steps: int, mark: str, cents: int) -> bool:
        """Note an open sitting's steps, the hash of the last, and the money after it, in cents."""
        with self._alone():
            self._check_files()
            if self._grouped:
                return self._note(sitting, steps, mark, cents)
            # In a WAL a commit then waits for no disk. It is written all the same, so that a
            # program that is killed loses nothing; a power cut may take the last notes.
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
        found = self._db.execute(
            "update sitting set steps = ?, mark = ?, held = ? where id = ? and closed is null",
            (steps, mark, cents, sitting),
        ).rowcount
        if not found:
            raise LedgerLost("has forgotten this sitting", str(self.path))
        return True

    def confirm(self, sitting: str, known: Known) -> None:
        """See that whoever opens the ledger anew finds there what is known of a sitting."""
        with self._alone():
            self._check_files()
            try:
                self._db.execute("pragma shrink_memory")  # what it remembers may be in no file
                query = f"select {self._known}, closed from sitting where id = ?"
                row = self._db.execute(query, (sitting,)).fetchone()
            except sqlite3.Error as error:
                if _is_damage(error):
                    raise LedgerLost("was harmed", f"{self.path}: {error}") from None
                raise
            if row is None or (row[-1] is None and known_of(*row[:-1]) != known):
                raise LedgerLost("was replaced by another or older one", str(self.path))

    def cash_out(self, sitting: str, cents: int, last_hash: str | None, at: int) -> bool:
        """Move a sitting's money to the purse, once: false if that was done before."""
        with self._transaction():
            row = self._db.execute(
                "update sitting set closed = ?, cashed = ?, hash = ?, seed = null "
                "where id = ? and closed is null returning player",
                (at, cents, last_hash, sitting),
            ).fetchone()
            if row is not None:
                self._move(row[0], cents)
                if self._witness is not None:
                    self._witness.ends(sitting, last_hash, at)
        return row is not None

    # ---- looked up ------------------------------------------------------------------------

    def open_sitting(self, sitting: str) -> OpenSitting | None:
        """Give a sitting, if it waits to be taken up or cashed out."""
        found = self._open("id = ?", sitting)
        return found[0] if found else None

    def open_sittings(self, player: str) -> list[OpenSitting]:
        """List a player's sittings that wait to be taken up or cashed out, oldest first."""
        return self._open("player = ?", player)

    def _open(self, condition: str, value: str) -> list[OpenSitting]:
        with self._alone():
            rows = self._db.execute(
                f"select id, game, log, seed, bought, {self._held}, {self._known} from sitting "
                f"where {condition} and closed is null order by opened, id",
                (value,),
            ).fetchall()
            return [
                OpenSitting(
                    *(name, game, Path(log), seed_of(seed), cents_of(bought)),
                    known_of(*known),
                    maybe_cents(held),
                )
                for name, game, log, seed, bought, held, *known in rows
            ]

    def accounts(self, player: str | None = None) -> dict[str, Account]:
        """List all sittings of a player, or of all, by their id, which is the name of the log."""
        with self._alone():
            query = "select id, player, bought, cashed from sitting"
            whose = () if player is None else (player,)
            rows = self._db.execute(f"{query} where player = ?" if whose else query, whose)
            return {
                name: Account(player, cents_of(bought), maybe_cents(cashed))
                for name, player, bought, cashed in rows
            }

    def moves(self, player: str) -> list[Move]:
        """List a player's finished sittings and loans, oldest first."""
        with self._alone():
            rows = self._db.execute(
                "select closed as at, game, cashed - bought, log, id from sitting "
                "where player = ?1 and closed is not null "
                "union all select at, '', cents, '', '' from marker where player = ?1 "
                "order by at, id",
                (player,),
            ).fetchall()
            return [Move(whole_of(at), game, whole_of(net), log) for at, game, net, log, _ in rows]

    def known(self, log: Path, hashes: Sequence[str] = ()) -> Known | None:
        """Tell what is known of a log, found by its path or by its first or last line's hash."""
        marks = ", ".join("?" * len(hashes))
        head = "head" if self._known != _BEFORE_2 else "hash"
        with self._alone():
            try:
                row = self._db.execute(
                    f"select {self._known} from sitting where log = ? or hash in ({marks}) "
                    f"or {head} in ({marks}) "
                    f"order by hash in ({marks}) desc, {head} in ({marks}) desc",
                    (str(log), *hashes, *hashes, *hashes, *hashes),
                ).fetchone()
            except UnicodeEncodeError:  # a path that is no text; ours are
                return None
            return None if row is None else known_of(*row)

    # ---- all of it ------------------------------------------------------------------------

    def books(self) -> Books:
        """Give all that it holds."""
        with self._alone():
            purses = self._db.execute("select player, cents from purse order by player")
            markers = self._db.execute("select * from marker order by at, player, cents")
            sittings = self._db.execute(
                "select id, player, game, log, seed, opened, bought, closed, cashed, "
                f"{self._held}, {self._known} from sitting order by opened, id"
            )
            return Books(
                tuple((player, cents_of(cents)) for player, cents in purses),
                tuple(
                    Marker(player, whole_of(at), whole_of(cents)) for player, at, cents in markers
                ),
                tuple(booked_of(*row) for row in sittings),
            )

    def amend(self, before: Books, after: Books) -> None:
        """Put other books in the place of those ``before``, unless they have changed since."""
        with self._transaction():
            if self.books() != before:
                raise LedgerError(f"{self.name} has changed meanwhile; look at it again")
            for table in ("purse", "marker", "sitting"):
                self._db.execute(f"delete from {table}")
            self._db.executemany("insert into purse values (?, ?)", after.purses)
            self._db.executemany("insert into marker values (?, ?, ?)", after.markers)
            self._db.executemany(_INSERT, map(row_of, after.sittings))

    def copy_to(self, path: Path) -> None:
        """Write all of it to a new file. Raises :class:`~.ledger.LedgerError`."""
        with self._alone():
            os.close(opened(path, os.O_CREAT | os.O_EXCL | os.O_RDWR))
            with closing(sqlite3.connect(path)) as copy:
                self._db.backup(copy)

    def close(self) -> None:
        """Close the book, once nobody is at it; whoever waits for it is refused."""
        with self._lock:
            self._files = None  # SQLite takes those that are for the moment away
            self._db.close()


def _created(path: Path) -> bool:
    """Make the file, readable by its owner alone (SQLite's own would be for all), if there is none.

    One that is there is not opened: to close it again would end all locks this process has on it.
    """
    with suppress(FileExistsError):
        os.close(opened(path, os.O_CREAT | os.O_EXCL | os.O_RDWR))
        return True
    check_regular(path)
    return False


def is_locked(path: Path) -> bool:
    """Tell whether another program is writing a book at this moment."""
    try:
        with closing(_connected(path, 0.0)) as db:
            db.execute("begin immediate")
            db.execute("rollback")
    except sqlite3.Error as error:
        return _is_busy(error)
    return False


def _is_busy(error: Exception) -> bool:
    """Tell whether another program is in the way; https://sqlite.org/rescode.html has the codes."""
    code = getattr(error, "sqlite_errorcode", None)  # an error of the module's own has none
    return code is not None and code & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


def _connected(book: str | Path, patience: float) -> sqlite3.Connection:
    return sqlite3.connect(
        book,
        timeout=patience,
        isolation_level=None,
        check_same_thread=False,  # they take turns
        uri=isinstance(book, str) and book.startswith("file:"),
    )


def _is_damage(error: Exception) -> bool:
    """Tell whether it is the fault of what the file holds, not of the moment or the machine."""
    if isinstance(error, sqlite3.Error):
        code: int = getattr(error, "sqlite_errorcode", 0)
        return code & 0xFF in _DAMAGE
    return not isinstance(error, OSError)
