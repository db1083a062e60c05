"""Who is known to a host: players, each by an id that never changes, a name, and keys."""

from __future__ import annotations

import secrets
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from ..inputs.errors import BadInput
from ..inputs.files import prepare
from ..records.header import Identity
from .names import checked, skeleton

_VERSION = 1
_SCHEMA = f"""
create table player (
  id text primary key, name text not null, skeleton text not null unique,
  since integer not null) strict;
create table key (
  fingerprint text primary key, player text not null references player, since integer not null
) strict;
pragma user_version = {_VERSION};
"""


class NameTaken(BadInput):
    """Somebody else is called so, or nearly so."""


@dataclass(frozen=True, slots=True)
class Guest:
    """Who plays without a key, by a number: what he is called, too."""

    number: int

    @property
    def identity(self) -> Identity:
        """Who stands in his logs, which go when he goes."""
        return Identity(f"guest-{self.number}", f"Guest {self.number}")


class Identities:
    """The book of all players, in a file of SQLite. Every method raises :class:`BadInput`."""

    def __init__(self, path: Path) -> None:
        self._path = path
        with self._clearly():
            prepare(path)
            self._db = sqlite3.connect(path, isolation_level=None)
            self._db.execute("pragma journal_mode = wal")
            version = self._db.execute("pragma user_version").fetchone()[0]
            if version > _VERSION:
                raise BadInput(f"{path}: written by a newer program; please upgrade")
            if version == 0:
                self._db.executescript(f"begin immediate; {_SCHEMA} commit;")

    @contextmanager
    def _clearly(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            raise BadInput(f"{self._path} cannot be used: {error}") from None

    def player_of(self, fingerprint: str) -> Identity | None:
        """Give whose key it is, if it is known."""
        query = "select id, name from player join key on player = id where fingerprint = ?"
        with self._clearly():
            row = self._db.execute(query, (fingerprint,)).fetchone()
        return None if row is None else Identity(*row)

    def enrol(self, fingerprint: str, name: str, at: int) -> Identity:
        """Take in a new player by his first key; ``at`` is in milliseconds since 1970.

        Raises :class:`NameTaken`, and :class:`BadInput` for a name that is none.
        """
        name = checked(name)
        player = Identity(secrets.token_hex(8), name)
        with self._clearly():
            self._db.execute("begin immediate")
            try:
                self._db.execute(
                    "insert into player values (?, ?, ?, ?)", (player.id, name, skeleton(name), at)
                )
                self._db.execute("insert into key values (?, ?, ?)", (fingerprint, player.id, at))
                self._db.execute("commit")
            except sqlite3.IntegrityError:
                self._db.execute("rollback")
                raise NameTaken(f"somebody is called {name}, or nearly so") from None
            except BaseException:
                self._db.execute("rollback")
                raise
        return player

    def close(self) -> None:
        """Close the book."""
        self._db.close()
