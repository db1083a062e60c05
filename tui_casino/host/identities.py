"""The players known to a host (id, display name and keys), and the bans."""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from ..inputs.errors import BadInput
from ..records.log_header import Identity
from .bans import Ban, BanTarget
from .browser_tokens import BrowserTokens
from .display_names import skeleton, validate_name
from .identity_store import IdentityStore, SqliteIdentityStore

CODE_LIFE = 600_000
"""Milliseconds in which a code for another key can be used."""
MOST_KEYS = 20
"""Of a player."""
_LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"
_GROUPS, _GROUP = 3, 4


class PlayerKey(NamedTuple):
    """A key of a player, since when he has it, and when it was revoked (milliseconds)."""

    fingerprint: str
    since: int
    revoked: int | None


class KnownPlayer(NamedTuple):
    """A player, since when he is known (milliseconds), and how many keys he has."""

    identity: Identity
    since: int
    keys: int


class UnknownName(BadInput):
    """There is nobody, or nothing, of that name."""


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
    """The book of all players. Every method raises :class:`BadInput`; any thread may use it."""

    def __init__(self, store: IdentityStore | Path) -> None:
        """Open it in a store, or in a file of SQLite."""
        self._db: IdentityStore = SqliteIdentityStore(store) if isinstance(store, Path) else store
        self.passes = BrowserTokens(self._db)

    # ---- players --------------------------------------------------------------------------

    def player_of(self, fingerprint: str) -> Identity | None:
        """Give whose key it is, if it is known and not revoked."""
        query = (
            "select id, name from player join key on player = id "
            "where fingerprint = ? and revoked is null"
        )
        rows = self._db.rows(query, (fingerprint,))
        return Identity(*rows[0]) if rows else None

    def players(self) -> list[KnownPlayer]:
        """List all players by their names; a revoked key is none of theirs."""
        query = (
            "select id, name, player.since, count(fingerprint) from player left join key "
            "on player = id and revoked is null group by id order by name, id"
        )
        rows = self._db.rows(query)
        return [
            KnownPlayer(Identity(name, called), since, keys) for name, called, since, keys in rows
        ]

    def find(self, text: str) -> Identity:
        """Give the player of an id or a name, in any case. Raises :class:`UnknownName`."""
        rows = self._db.rows(
            "select id, name from player where id = ? or name = ? or skeleton = ? "
            "order by id = ? desc, name = ? desc",
            (text, text, skeleton(text), text, text),
        )
        if not rows:
            raise UnknownName(f"there is no player {text!r}; tui-casino admin players lists them")
        return Identity(*rows[0])

    def enrol(self, fingerprint: str, name: str, at: int) -> Identity:
        """Take in a new player by his first key; ``at`` is in milliseconds since 1970.

        Raises :class:`NameTaken`, and :class:`BadInput` for a name that is none.
        """
        name = validate_name(name)
        player = Identity(secrets.token_hex(8), name)
        with self._db.transaction():
            self._call(player, at)
            self._add(fingerprint, player, at)
        return player

    def rename(self, player: Identity, name: str) -> Identity:
        """Call a player otherwise. Raises as :meth:`enrol`."""
        name = validate_name(name)
        with self._db.transaction():
            self._call(Identity(player.id, name), None)
        return Identity(player.id, name)

    def _call(self, player: Identity, at: int | None) -> None:
        look = skeleton(player.name)
        query = "select 1 from player where skeleton = ? and id <> ?"
        if self._db.rows(query, (look, player.id)):
            raise NameTaken(f"somebody is called {player.name}, or nearly so")
        if at is None:
            query = "update player set name = ?, skeleton = ? where id = ?"
            self._db.rows(query, (player.name, look, player.id))
        else:
            row = (player.id, player.name, look, at)
            self._db.rows("insert into player values (?, ?, ?, ?)", row)

    # ---- keys -----------------------------------------------------------------------------

    def keys(self, player: Identity) -> list[PlayerKey]:
        """List a player's keys, the oldest first, those that were revoked too."""
        query = (
            "select fingerprint, since, revoked from key where player = ? "
            "order by since, fingerprint"
        )
        return [PlayerKey(*row) for row in self._db.rows(query, (player.id,))]

    def is_revoked(self, fingerprint: str) -> bool:
        """Tell whether a key was somebody's and is not any more."""
        query = "select 1 from key where fingerprint = ? and revoked is not null"
        return bool(self._db.rows(query, (fingerprint,)))

    def add_key(self, player: Identity, fingerprint: str, at: int) -> None:
        """Give a player another key: one that is new, or that was his and was revoked.

        Raises :class:`BadInput` for one that is somebody's.
        """
        with self._db.transaction():
            self._db.rows(
                "delete from key where fingerprint = ? and player = ? and revoked is not null",
                (fingerprint, player.id),
            )
            self._add(fingerprint, player, at)

    def _add(self, fingerprint: str, player: Identity, at: int) -> None:
        query = "select player, revoked from key where fingerprint = ?"
        for whose_it_is, revoked in self._db.rows(query, (fingerprint,)):
            if revoked is not None:
                raise BadInput(f"the key {fingerprint} was revoked")
            his = whose_it_is == player.id
            whose = "has that key already" if his else "is not whose key that is"
            raise BadInput(f"{player.name} {whose}: {fingerprint}")
        query = "select count(*) from key where player = ? and revoked is null"
        ((keys,),) = self._db.rows(query, (player.id,))
        if keys >= MOST_KEYS:
            raise BadInput(f"{player.name} has {MOST_KEYS} keys, and nobody has more")
        self._db.rows("insert into key values (?, ?, ?, null)", (fingerprint, player.id, at))

    def revoke(self, fingerprint: str, at: int) -> Identity:
        """Let a key open nothing any more; give whose it was. Raises :class:`UnknownName`."""
        with self._db.transaction():
            rows = self._db.rows(
                "update key set revoked = ? where fingerprint = ? and revoked is null "
                "returning (select id from player where id = player), "
                "(select name from player where id = player)",
                (at, fingerprint),
            )
        if not rows:
            raise UnknownName(f"no player has the key {fingerprint!r}")
        return Identity(*rows[0])

    def code(self, player: Identity, at: int) -> str:
        """Make a code by which another key becomes this player's; it takes the last one's place."""
        letters = [secrets.choice(_LETTERS) for _ in range(_GROUPS * _GROUP)]
        groups = ("".join(letters[n : n + _GROUP]) for n in range(0, len(letters), _GROUP))
        code = "-".join(groups)
        with self._db.transaction():
            self._db.rows("delete from code where player = ? or until < ?", (player.id, at))
            row = (_hashed(code), player.id, at + CODE_LIFE)
            self._db.rows("insert into code values (?, ?, ?)", row)
        return code

    def use_code(self, fingerprint: str, code: str, at: int) -> Identity:
        """Make a key that of the player who was given the code. Raises :class:`BadInput`."""
        with self._db.transaction():
            rows = self._db.rows(
                "select id, name from code join player on player = id where hash = ? and until > ?",
                (_hashed(code), at),
            )
            if not rows:
                raise UnknownName("that code is not known, or it is too old; ask for a new one")
            player = Identity(*rows[0])
            self._add(fingerprint, player, at)
            self._db.rows("delete from code where player = ?", (player.id,))
        return player

    # ---- bans -----------------------------------------------------------------------------

    def bans(self, at: int) -> list[Ban]:
        """List the bans that hold at a time, the oldest first."""
        query = "select * from ban where until is null or until > ? order by number"
        rows = self._db.rows(query, (at,))
        return [Ban(number, BanTarget(kind), *rest) for number, kind, *rest in rows]

    def ban(self, kind: BanTarget, target: str, reason: str, at: int, until: int | None) -> Ban:
        """Keep somebody out, see :class:`~.bans.Ban`."""
        with self._db.transaction():
            ((number,),) = self._db.rows(
                "insert into ban (kind, target, reason, since, until) values (?, ?, ?, ?, ?) "
                "returning number",
                (kind.value, target, reason, at, until),
            )
        return Ban(number, kind, target, reason, at, until)

    def unban(self, numbers: list[int], at: int) -> None:
        """Let bans end now, by their numbers; they stay in the book."""
        with self._db.transaction():
            for number in numbers:
                self._db.rows("update ban set until = ? where number = ?", (at, number))

    # ---- all of it ------------------------------------------------------------------------

    def copy_to(self, path: Path) -> None:
        """Write all of it to a new file."""
        self._db.copy_to(path)

    def close(self) -> None:
        """Close the book."""
        self._db.close()


def _hashed(code: str) -> str:
    plain = "".join(letter for letter in code.lower() if letter in _LETTERS)
    return hashlib.sha256(plain.encode()).hexdigest()
