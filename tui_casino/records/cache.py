"""The cache of results calculated from the logs: replay frames and reviews.

No proof depends on the cache, and it may be deleted at any time. A damaged cache is replaced by an
empty one, and the program also works without a cache. Each row is sealed with a key that this
program made for this file, so rows that other programs added or changed are ignored.
"""

from __future__ import annotations

import hmac
import os
import secrets
import sqlite3
import stat
from collections.abc import Callable, Iterable
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, TypeVar

from msgspec import Struct

from .. import __version__
from ..inputs.files import create_private_file, open_regular
from .codec import encode

T = TypeVar("T")
Row = tuple[Any, ...]
CachedValues = dict[tuple[str, int, int], bytes]
CacheWrite = tuple[Path, int, int, bytes]

FRAME_INTERVAL = 500
"""The number of steps between frames; replaying them takes well under a tenth of a second."""

_VERSION = 12
_KEY_BYTES = 32
_PATIENCE = 2.0  # seconds
_SCHEMA = f"""
drop table if exists frame;
drop table if exists fold;
drop table if exists slip;
drop table if exists review;
create table if not exists frame (
  program text, log text, n integer, offset integer not null, digest blob not null,
  state blob not null, tally blob not null, marks blob not null, seal blob not null,
  primary key (program, log, n)) strict, without rowid;
create table if not exists review (
  program text, log text, size integer not null, changed integer not null,
  value blob not null, seal blob not null,
  primary key (program, log)) strict, without rowid;
pragma user_version = {_VERSION};
"""


class CachedFrame(Struct, frozen=True):
    """The situation in a log after step ``n``; the next step begins at the byte ``offset``.

    ``digest`` is the hash of all bytes before the offset. ``state`` and ``tally`` are JSON, and so
    are the ``marks`` of the steps since the previous frame.
    """

    n: int
    offset: int
    digest: bytes
    state: bytes
    tally: bytes
    marks: bytes


class Cache:
    """The cache file, which any number of programs may use at the same time.

    If the path is ``None``, nothing is stored. Each version of the program uses only its own rows,
    because the rules of another version may differ.
    """

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self._key: bytes | None = None

    def frames(self, log: Path) -> list[CachedFrame]:
        """Return the frames of a log, in the order of the steps."""
        query = (
            "select n, offset, digest, state, tally, marks, seal from frame "
            "where program = ? and log = ? order by n"
        )
        rows: list[Row] = []
        rows = self._do(lambda db: db.execute(query, _whose(log)).fetchall(), rows)
        return [
            CachedFrame(*row) for *row, seal in rows if self._sealed((*_whose(log), *row), seal)
        ]

    def keep_frames(self, log: Path, frames: Iterable[CachedFrame]) -> None:
        """Store more frames of a log."""
        rows = [(*_whose(log), f.n, f.offset, f.digest, f.state, f.tally, f.marks) for f in frames]
        insert = "insert or replace into frame values (?, ?, ?, ?, ?, ?, ?, ?, ?)"
        self._do(lambda db: db.executemany(insert, map(self._with_seal, rows)), None)

    def drop_frames(self, log: Path, after: int) -> None:
        """Delete the frames after a step."""
        delete = "delete from frame where program = ? and log = ? and n > ?"
        self._do(lambda db: db.execute(delete, (*_whose(log), after)), None)

    def reviews(self) -> CachedValues:
        """Return all cached reviews; the keys are path, size and modification time of the log."""
        query = "select program, log, size, changed, value, seal from review where program = ?"
        rows: list[Row] = []
        rows = self._do(lambda db: db.execute(query, (__version__,)).fetchall(), rows)
        good = (row for *row, seal in rows if self._sealed(("review", *row), seal))
        return {(log, size, changed): value for _, log, size, changed, value in good}

    def review(self, log: Path, size: int, changed: int) -> bytes | None:
        """Return the review of a log, if it has this size and modification time."""
        query = (
            "select program, log, size, changed, value, seal from review "
            "where program = ? and log = ? and size = ? and changed = ?"
        )
        stamp, rows = (*_whose(log), size, changed), list[Row]()
        rows = self._do(lambda db: db.execute(query, stamp).fetchall(), rows)
        return next((row[4] for *row, seal in rows if self._sealed(("review", *row), seal)), None)

    def keep_reviews(self, reviews: Iterable[CacheWrite]) -> None:
        """Store reviews, each with the path, size and modification time of its log."""
        rows = [(*_whose(log), size, changed, value) for log, size, changed, value in reviews]
        sealed = (
            (*row, self._seal(("review", *row))) for row in rows
        )  # lazily: _do reads the key first
        insert = "insert or replace into review values (?, ?, ?, ?, ?, ?)"
        self._do(lambda db: db.executemany(insert, sealed), None)

    def forget(self, log: Path) -> None:
        """Delete all frames and reviews of a log."""

        def forget(db: sqlite3.Connection) -> None:
            for table in ("frame", "review"):
                db.execute(f"delete from {table} where program = ? and log = ?", _whose(log))

        self._do(forget, None)

    def _do(self, job: Callable[[sqlite3.Connection], T], otherwise: T) -> T:
        """Run a job in a transaction; return ``otherwise`` if the cache cannot be used."""
        if self.path is None:
            return otherwise
        try:
            with closing(self._connect(self.path)) as db, db:
                if self._key is None:
                    self._key = _key_of(self.path.with_suffix(".key"))
                return job(db)
        except sqlite3.DatabaseError as error:
            if type(error) is sqlite3.DatabaseError:  # not a database, or a damaged one
                self._remove(self.path)
        except (OSError, UnicodeEncodeError, TypeError):  # an unusual path, or unexpected values
            pass
        return otherwise

    def _with_seal(self, row: Row) -> Row:
        return (*row, self._seal(row))

    def _sealed(self, row: Row, seal: bytes) -> bool:
        return hmac.compare_digest(self._seal(row), seal)

    def _seal(self, row: Row) -> bytes:
        """Return the HMAC-SHA256 of a row; only a program that has the key can calculate it."""
        assert self._key is not None, "the key must be read before any row is written"
        return hmac.digest(self._key, encode(row), "sha256")

    @staticmethod
    def _connect(path: Path) -> sqlite3.Connection:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        create_private_file(path)
        db = sqlite3.connect(path, timeout=_PATIENCE)
        try:
            if _version_of(db) != _VERSION:
                with suppress(sqlite3.OperationalError):  # another program is doing the same
                    db.execute("pragma journal_mode = wal")
                db.execute("begin immediate")
                if _version_of(db) != _VERSION:  # it may have done so while this one waited
                    for statement in _SCHEMA.split(";"):
                        db.execute(statement)
                db.commit()
            db.execute("pragma synchronous = normal")
        except BaseException:
            db.close()
            raise
        return db

    @staticmethod
    def _remove(path: Path) -> None:
        for name in (path, path.with_name(f"{path.name}-wal"), path.with_name(f"{path.name}-shm")):
            with suppress(OSError):
                name.unlink(missing_ok=True)


def key_of(log: Path) -> str:
    """Return the name under which a log is cached."""
    return os.path.abspath(log)


def _version_of(db: sqlite3.Connection) -> int:
    version: int = db.execute("pragma user_version").fetchone()[0]
    return version


def _whose(log: Path) -> tuple[str, str]:
    return __version__, key_of(log)


def _key_of(path: Path) -> bytes:
    """Read the key next to a cache, or make one. Raises ``OSError``.

    A key that other users can read or write is not used, because they could seal rows with it.
    """
    for _ in range(2):
        try:
            file = open_regular(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0))
        except FileNotFoundError:
            pass
        except OSError:  # a link, or a file that cannot be read
            path.unlink(missing_ok=True)
        else:
            try:
                key = os.read(file, _KEY_BYTES + 1)
                if len(key) == _KEY_BYTES and _ours_alone(os.fstat(file)):
                    return key
            finally:
                os.close(file)
            path.unlink(missing_ok=True)
        _make_key(path)
    raise OSError(f"{path} cannot be created")


def _make_key(path: Path) -> None:
    """Write a complete new key, unless another program has made one first."""
    new = path.with_name(f"{path.name}.{secrets.token_hex(8)}")
    file = open_regular(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL)
    try:
        os.write(file, secrets.token_bytes(_KEY_BYTES))
    finally:
        os.close(file)
    try:
        os.link(new, path)
    except FileExistsError:
        pass
    except OSError:  # a file system without links
        os.replace(new, path)
    finally:
        new.unlink(missing_ok=True)


def _ours_alone(status: os.stat_result) -> bool:
    if not stat.S_ISREG(status.st_mode):
        return False
    return status.st_uid == os.getuid() and not status.st_mode & 0o077
