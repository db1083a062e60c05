"""A redo log: the newest bytes of an append-only file, stored by the same commit.

Who books something and writes it into such a file, too, would wait for the disk twice. So the
commit takes the file's new bytes along. If the machine goes down before the file itself is on the
disk, they are written once more when the book is opened again.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    import sqlite3

_TABLE = "create table promised (start integer primary key, content blob not null) strict"


class RedoChunk(NamedTuple):
    """Bytes of a file, from one of them on."""

    start: int
    content: bytes

    @property
    def end(self) -> int:
        """Where the next byte stands."""
        return self.start + len(self.content)


class RedoLog(Protocol):
    """Is part of a transaction: what is done here holds once that is committed."""

    def span(self) -> tuple[int, int] | None:
        """Give where what is kept begins and ends; nothing if the file's own end is not known."""
        ...

    def keep(self, piece: RedoChunk) -> None:
        """Keep what follows on what is kept already."""
        ...

    def begin(self, start: int) -> None:
        """Keep nothing: up to here the file is on the disk."""
        ...

    def stored(self) -> RedoChunk | None:
        """Give all that is kept, as one. Raises ``ValueError`` if something is missing within."""
        ...


class SqliteRedoLog:
    """A :class:`RedoLog` in a book in SQLite: in a table that is made when it is first needed."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    @property
    def _begun(self) -> bool:
        query = "select 1 from sqlite_schema where name = 'promised'"
        return self._db.execute(query).fetchone() is not None

    def span(self) -> tuple[int, int] | None:
        """Give where what is kept begins and ends."""
        if not self._begun:
            return None
        row: tuple[int | None, int] = self._db.execute(
            "select min(start), (select start + length(content) from promised "
            "order by start desc limit 1) from promised"
        ).fetchone()
        return None if row[0] is None else (row[0], row[1])

    def keep(self, piece: RedoChunk) -> None:
        """Keep a piece; in the place of an empty one that only says where it begins."""
        self._db.execute("insert or replace into promised values (?, ?)", piece)

    def begin(self, start: int) -> None:
        """Forget all, but for where the next piece begins."""
        if self._begun:
            self._db.execute("delete from promised")
        else:
            self._db.execute(_TABLE)
        self.keep(RedoChunk(start, b""))

    def stored(self) -> RedoChunk | None:
        """Put all pieces together."""
        if not self._begun:
            return None
        query = "select start, content from promised order by start"
        pieces = [RedoChunk(*row) for row in self._db.execute(query)]
        for before, piece in pairwise(pieces):
            if piece.start != before.end:
                raise ValueError(f"of what was promised the bytes from {before.end} on are missing")
        whole = b"".join(piece.content for piece in pieces)
        return RedoChunk(pieces[0].start, whole) if pieces else None
