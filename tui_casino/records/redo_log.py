"""A redo log: the newest bytes of an append-only file, stored with the ledger's commit.

A program that commits an entry and also writes it to such a file would have to wait for the disk
twice. To avoid this, the commit includes the file's new bytes. If the machine stops before the file
itself is on the disk, they are written again when the ledger is next opened.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    import sqlite3

_TABLE = "create table promised (start integer primary key, content blob not null) strict"


class RedoChunk(NamedTuple):
    """Bytes of a file, with the position of the first byte."""

    start: int
    content: bytes

    @property
    def end(self) -> int:
        """The position after the last byte."""
        return self.start + len(self.content)


class RedoLog(Protocol):
    """The redo log within a transaction: changes are durable once it is committed."""

    def span(self) -> tuple[int, int] | None:
        """Return the start and end of the stored bytes; ``None`` if the file's end is not known."""
        ...

    def keep(self, piece: RedoChunk) -> None:
        """Append bytes to the stored ones."""
        ...

    def begin(self, start: int) -> None:
        """Delete the stored bytes, because the file is on the disk up to ``start``."""
        ...

    def stored(self) -> RedoChunk | None:
        """Return all stored bytes as one piece. Raises ``ValueError`` if some are missing."""
        ...


class SqliteRedoLog:
    """A :class:`RedoLog` in an SQLite ledger, in a table that is created when first needed."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    @property
    def _begun(self) -> bool:
        query = "select 1 from sqlite_schema where name = 'promised'"
        return self._db.execute(query).fetchone() is not None

    def span(self) -> tuple[int, int] | None:
        """Return the positions at which the stored bytes begin and end."""
        if not self._begun:
            return None
        row: tuple[int | None, int] = self._db.execute(
            "select min(start), (select start + length(content) from promised "
            "order by start desc limit 1) from promised"
        ).fetchone()
        return None if row[0] is None else (row[0], row[1])

    def keep(self, piece: RedoChunk) -> None:
        """Store a piece; it replaces an empty one that only marks the position."""
        self._db.execute("insert or replace into promised values (?, ?)", piece)

    def begin(self, start: int) -> None:
        """Delete all stored bytes, and record the position where the next piece begins."""
        if self._begun:
            self._db.execute("delete from promised")
        else:
            self._db.execute(_TABLE)
        self.keep(RedoChunk(start, b""))

    def stored(self) -> RedoChunk | None:
        """Return all pieces joined."""
        if not self._begun:
            return None
        query = "select start, content from promised order by start"
        pieces = [RedoChunk(*row) for row in self._db.execute(query)]
        for before, piece in pairwise(pieces):
            if piece.start != before.end:
                raise ValueError(f"the redo log has no bytes after position {before.end}")
        whole = b"".join(piece.content for piece in pieces)
        return RedoChunk(pieces[0].start, whole) if pieces else None
