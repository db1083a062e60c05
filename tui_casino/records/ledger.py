"""The ledger: one purse a player, in cents; money moves at the buy-in and at the cash-out.

Between the two it is in the sitting, and the sitting's log is the truth. The seed of an open
sitting waits here too, so that a broken one can be taken up, until it is revealed.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import RLock
from typing import NamedTuple

from ..inputs.errors import BadInput

OPENING = 1_000_00
"""A new player's purse, in cents."""
LOAN = 1_000_00
"""What the house lends a player who cannot make the smallest bet, in cents."""

_VERSION = 1
_SCHEMA = f"""
create table purse (player text primary key, cents integer not null check (cents >= 0)) strict;
create table marker (player text not null, at integer not null, cents integer not null) strict;
create table sitting (
  id text primary key, player text not null, game text not null, log text not null, seed blob,
  opened integer not null, bought integer not null check (bought >= 0),
  closed integer, cashed integer check (cashed >= 0), hash text) strict;
create index sitting_by_player on sitting (player, closed);
pragma user_version = {_VERSION};
"""


class LedgerError(BadInput):
    """The ledger cannot be used: what is wrong with it, and where it is."""


@dataclass(frozen=True, slots=True)
class OpenSitting:
    """A sitting that has not been cashed out: its log, its seed, what was bought in (cents)."""

    id: str
    game: str
    log: Path
    seed: bytes | None = field(repr=False)
    bought: int


class Move(NamedTuple):
    """What changed a player's money: a finished sitting of a ``game``, or a loan, which has none.

    ``at`` is when, in milliseconds since 1970, ``cents`` what was won, lost, or lent, and ``log``
    the path of the sitting's log.
    """

    at: int
    game: str
    cents: int
    log: str


@dataclass(frozen=True, slots=True)
class Account:
    """Whose a sitting is, what was bought in and, once it is over, cashed out (cents)."""

    player: str
    bought: int
    cashed: int | None


PATIENCE = 10.0
"""Seconds that one program waits while another one writes."""


class Ledger:
    """The book of all players of this machine's user. Every method raises :class:`LedgerError`.

    Several programs may have it open at once, and any thread may use it: one at a time, for all
    share one connection, as those of a book in memory must.
    """

    def __init__(self, path: Path | None, patience: float | None = None) -> None:
        """Open the book, or begin one; ``None`` keeps it in memory, for a guest.

        ``patience`` is how many seconds it waits while another program writes, else
        :data:`PATIENCE`.
        """
        self.path, self._lock = path, RLock()
        if sqlite3.sqlite_version_info < (3, 37):
            raise LedgerError(f"SQLite 3.37 is needed, Python has {sqlite3.sqlite_version}")
        with self._alone():
            if path is not None:
                path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
                os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))  # SQLite's own would be 0644
            self._db = _connected(path or ":memory:", patience)
            try:
                self._db.execute("pragma journal_mode = wal")
                self._db.execute("pragma synchronous = full")
                self._begin()
            except BaseException:
                self._db.close()
                raise

    @classmethod
    def look_at(cls, path: Path, patience: float | None = None) -> Ledger:
        """Open a book that is only to be read, even where it cannot be written."""
        ledger = cls.__new__(cls)
        ledger.path, ledger._lock = path, RLock()
        with ledger._alone():
            uri = f"{path.absolute().as_uri()}?mode=ro"
            ledger._db = _connected(uri, patience, uri=True)
            try:
                ledger._version()
            except BaseException:
                ledger._db.close()
                raise
        return ledger

    def _begin(self) -> None:
        with self._transaction():
            if self._version() == 0:
                for statement in filter(str.strip, _SCHEMA.split(";")):
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
                raise LedgerError(f"the ledger {self.path} cannot be used: {error}") from None

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        with self._alone():
            self._db.execute("begin immediate")
            try:
                yield
                self._db.execute("commit")
            except BaseException:
                if self._db.in_transaction:
                    self._db.execute("rollback")
                raise

    def purse(self, player: str) -> int:
        """Give a player's purse in cents; a new player's is :data:`OPENING`."""
        with self._alone():
            row = self._db.execute("select cents from purse where player = ?", (player,)).fetchone()
            return OPENING if row is None else _cents(row[0])

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
                self._db.execute("insert into marker values (?, ?, ?)", (player, at, loan))
                self._move(player, loan)
            if s.bought > self.purse(player):
                raise LedgerError(f"{player}'s purse does not hold the buy-in of {s.bought} cents")
            self._move(player, -s.bought)
            self._db.execute(
                "insert into sitting values (?, ?, ?, ?, ?, ?, ?, null, null, null)",
                (s.id, player, s.game, str(s.log), s.seed, at, s.bought),
            )

    def cash_out(self, sitting: str, cents: int, last_hash: str | None, at: int) -> bool:
        """Move a sitting's money to the purse, once: false if that was done before.

        ``last_hash`` is that of the log's last line; the seed, revealed there, is forgotten here.
        """
        with self._transaction():
            row = self._db.execute(
                "update sitting set closed = ?, cashed = ?, hash = ?, seed = null "
                "where id = ? and closed is null returning player",
                (at, cents, last_hash, sitting),
            ).fetchone()
            if row is not None:
                self._move(row[0], cents)
        return row is not None

    def is_open(self, sitting: str) -> bool:
        """Tell whether a sitting waits to be taken up or cashed out."""
        with self._alone():
            query = "select 1 from sitting where id = ? and closed is null"
            return self._db.execute(query, (sitting,)).fetchone() is not None

    def open_sittings(self, player: str) -> list[OpenSitting]:
        """List a player's sittings that wait to be taken up or cashed out, oldest first."""
        with self._alone():
            rows = self._db.execute(
                "select id, game, log, seed, bought from sitting "
                "where player = ? and closed is null order by opened, id",
                (player,),
            ).fetchall()
            return [
                OpenSitting(name, game, Path(log), _seed(seed), _cents(bought))
                for name, game, log, seed, bought in rows
            ]

    def accounts(self) -> dict[str, Account]:
        """List all sittings of all players by their id, which is the name of the log."""
        with self._alone():
            rows = self._db.execute("select id, player, bought, cashed from sitting").fetchall()
            return {
                name: Account(player, _cents(bought), None if cashed is None else _cents(cashed))
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
            return [Move(_whole(at), game, _whole(net), log) for at, game, net, log, _ in rows]

    def last_hash(self, log: Path, found: str = "") -> str | None:
        """Give the hash that a finished sitting's log ended on, if this ledger knows the log.

        It knows one by its path, or by the hash that was ``found``: logs may be moved about.
        """
        with self._alone():
            try:
                row = self._db.execute(
                    "select hash from sitting where closed is not null and (hash = ? or log = ?) "
                    "order by hash = ? desc",
                    (found, str(log), found),
                ).fetchone()
            except UnicodeEncodeError:  # a path that is no text; ours are
                return None
        return None if row is None else row[0]

    def close(self) -> None:
        """Close the book, once nobody is at it; whoever waits for it is refused."""
        with self._lock:
            self._db.close()


def _connected(
    book: str | Path, patience: float | None, *, uri: bool = False
) -> sqlite3.Connection:
    return sqlite3.connect(
        book,
        timeout=PATIENCE if patience is None else patience,
        isolation_level=None,
        check_same_thread=False,  # they take turns
        uri=uri,
    )


def _cents(value: object) -> int:
    if type(value) is not int or value < 0:
        raise ValueError(f"{value!r} is no amount in cents")
    return value


def _whole(value: object) -> int:
    if type(value) is not int:
        raise ValueError(f"{value!r} is not a whole number")
    return value


def _seed(value: object) -> bytes | None:
    if value is not None and not isinstance(value, bytes):
        raise ValueError("a seed is no bytes")
    return value
