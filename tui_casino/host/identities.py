"""The players known to a server (id, display name and keys), the bans, and browsers' logins.

Keys, players and addresses can be banned, with a reason and an optional end. Each link and each
token that logs a browser in contains 256 random bits, of which only a hash is stored. A token
belongs to an SSH key: it logs in the owner of the key, and stops working when the key is revoked.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Iterable
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from msgspec import Struct

from ..inputs.errors import BadInput
from ..records.clock import format_utc
from ..records.log_header import Identity
from .addresses import Address, is_within, parse_network
from .display_names import skeleton, validate_name
from .identity_store import IdentityStore, SqliteIdentityStore

LINK_LIFE = 300_000
"""How many milliseconds a link is valid."""
PASS_LIFE = 7 * 86_400_000
"""How many milliseconds a token is valid."""
MOST_PASSES = 10
"""The maximum number of tokens per key; one more replaces the oldest."""


class ExpiredLink(BadInput):
    """A link that is unknown, used already or too old."""


class BrowserTokens:
    """The single-use links and the tokens of all keys. Every method may raise :class:`BadInput`.

    Times are in milliseconds since 1970.
    """

    def __init__(self, store: IdentityStore) -> None:
        self._db = store

    def link(self, fingerprint: str, at: int) -> str:
        """Make a link for a key, which replaces the key's previous link, and return its secret."""
        secret = secrets.token_urlsafe(32)
        with self._db.transaction():
            self._db.rows("delete from link where fingerprint = ? or until <= ?", (fingerprint, at))
            row = (_secret_hash(secret), fingerprint, at + LINK_LIFE)
            self._db.rows("insert into link values (?, ?, ?)", row)
        return secret

    def follow(self, secret: str, at: int) -> str:
        """Exchange the secret of a link for a token. Raises :class:`ExpiredLink`.

        A link can be exchanged only once.
        """
        token = secrets.token_urlsafe(32)
        with self._db.transaction():
            query = "delete from link where hash = ? returning fingerprint, until"
            rows = self._db.rows(query, (_secret_hash(secret),))
            if rows and rows[0][1] > at:
                fingerprint = rows[0][0]
                self._db.rows("delete from pass where until <= ?", (at,))
                self._db.rows(
                    "delete from pass where fingerprint = ? and hash not in (select hash from pass "
                    "where fingerprint = ? order by since desc, hash limit ?)",
                    (fingerprint, fingerprint, MOST_PASSES - 1),
                )
                row = (_secret_hash(token), fingerprint, at, at + PASS_LIFE)
                self._db.rows("insert into pass values (?, ?, ?, ?)", row)
                return token
        raise ExpiredLink("That link was used already, or it has expired. Ask for a new one.")

    def owner(self, token: str, at: int) -> str | None:
        """Return the fingerprint of a token's key; ``None`` if the token or key is not valid."""
        query = (
            "select pass.fingerprint from pass join key on key.fingerprint = pass.fingerprint "
            "where hash = ? and until > ? and revoked is null and key.since <= pass.since"
        )
        rows = self._db.rows(query, (_secret_hash(token), at))
        return str(rows[0][0]) if rows else None

    def end(self, token: str) -> None:
        """Revoke a token."""
        self._db.rows("delete from pass where hash = ?", (_secret_hash(token),))


def _secret_hash(secret: str) -> str:
    return hashlib.sha256(secret.encode(errors="replace")).hexdigest()


LONGEST_REASON = 200
_FINGERPRINT = re.compile(r"SHA256:[A-Za-z0-9+/]{43}")


class BanTarget(StrEnum):
    """The kinds of targets of a ban."""

    KEY = "key"
    PLAYER = "player"
    ADDRESS = "address"


class Ban(Struct, frozen=True):
    """A ban: ``target`` is a fingerprint, a player's id or a network. Times are in milliseconds."""

    number: int
    kind: BanTarget
    target: str
    reason: str
    since: int
    until: int | None = None

    @property
    def message(self) -> str:
        """The message to the banned visitor."""
        end = "" if self.until is None else f" until {format_utc(self.until)}"
        return f"You are banned here{end}: {self.reason}"


def is_fingerprint(text: str) -> bool:
    """Return whether a text is the fingerprint of a key, as printed by ``ssh-keygen -l``."""
    return _FINGERPRINT.fullmatch(text) is not None


def is_network(text: str) -> bool:
    """Return whether a text is an IP address or a network."""
    try:
        parse_network(text)
    except BadInput:
        return False
    return True


def parse_reason(text: str) -> str:
    """Return a reason as one line of plain text. Raises :class:`BadInput`."""
    reason = " ".join(text.split())
    if not reason or not reason.isprintable() or len(reason) > LONGEST_REASON:
        raise BadInput(
            f"--reason: give one line of up to {LONGEST_REASON} characters; the player sees it"
        )
    return reason


def parse_ban(
    bans: Iterable[Ban], fingerprint: str | None, player: Identity | None, address: Address | None
) -> Ban | None:
    """Return the ban that applies to a visitor, or the longest one if there are several."""
    matches = [ban for ban in bans if _is_of(ban, fingerprint, player, address)]
    return max(matches, key=lambda ban: (ban.until is None, ban.until or 0), default=None)


def _is_of(
    ban: Ban, fingerprint: str | None, player: Identity | None, address: Address | None
) -> bool:
    match ban.kind:
        case BanTarget.KEY:
            return ban.target == fingerprint
        case BanTarget.PLAYER:
            return player is not None and ban.target == player.id
        case BanTarget.ADDRESS:
            return is_within(address, (parse_network(ban.target),))


CODE_LIFE = 600_000
"""How many milliseconds a code for adding another key is valid."""
MOST_KEYS = 20
"""The maximum number of keys per player."""
_LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"
_GROUPS, _GROUP = 3, 4


class PlayerKey(NamedTuple):
    """A key of a player, and the times when it was added and revoked (milliseconds)."""

    fingerprint: str
    since: int
    revoked: int | None


class KnownPlayer(NamedTuple):
    """A player, the time of their first login (milliseconds), and the number of their keys."""

    identity: Identity
    since: int
    keys: int


class UnknownName(BadInput):
    """There is no such player, key or code."""


class NameTaken(BadInput):
    """Another player has this name or one that looks like it."""


class Guest(Struct, frozen=True):
    """A visitor without a key, whose name is a number."""

    number: int

    @property
    def identity(self) -> Identity:
        """The identity in the guest's logs, which are deleted after the visit."""
        return Identity(f"guest-{self.number}", f"Guest {self.number}")


class Identities:
    """All players. Every method may raise :class:`BadInput`; any thread may call it."""

    def __init__(self, store: IdentityStore | Path) -> None:
        """Open a store, or an SQLite file."""
        self._db: IdentityStore = SqliteIdentityStore(store) if isinstance(store, Path) else store
        self.passes = BrowserTokens(self._db)

    # ---- players --------------------------------------------------------------------------

    def player_of(self, fingerprint: str) -> Identity | None:
        """Return the player who owns a key, if the key is known and not revoked."""
        query = (
            "select id, name from player join key on player = id "
            "where fingerprint = ? and revoked is null"
        )
        rows = self._db.rows(query, (fingerprint,))
        return Identity(*rows[0]) if rows else None

    def players(self) -> list[KnownPlayer]:
        """List all players, sorted by name; revoked keys are not counted."""
        query = (
            "select id, name, player.since, count(fingerprint) from player left join key "
            "on player = id and revoked is null group by id order by name, id"
        )
        rows = self._db.rows(query)
        return [
            KnownPlayer(Identity(name, called), since, keys) for name, called, since, keys in rows
        ]

    def names(self) -> dict[str, str]:
        """Return the display name of each player by id."""
        return dict(self._db.rows("select id, name from player"))

    def find(self, text: str) -> Identity:
        """Return the player with an id or a name, ignoring case. Raises :class:`UnknownName`."""
        rows = self._db.rows(
            "select id, name from player where id = ? or name = ? or skeleton = ? "
            "order by id = ? desc, name = ? desc",
            (text, text, skeleton(text), text, text),
        )
        if not rows:
            raise UnknownName(f"there is no player {text!r}; tui-casino admin players lists them")
        return Identity(*rows[0])

    def enrol(self, fingerprint: str, name: str, at: int) -> Identity:
        """Add a new player with their first key; ``at`` is in milliseconds since 1970.

        Raises :class:`NameTaken`, and :class:`BadInput` for an invalid name.
        """
        name = validate_name(name)
        player = Identity(secrets.token_hex(8), name)
        with self._db.transaction():
            self._call(player, at)
            self._add(fingerprint, player, at)
        return player

    def rename(self, player: Identity, name: str) -> Identity:
        """Give a player another name. Raises the same errors as :meth:`enrol`."""
        name = validate_name(name)
        with self._db.transaction():
            self._call(Identity(player.id, name), None)
        return Identity(player.id, name)

    def _call(self, player: Identity, at: int | None) -> None:
        look = skeleton(player.name)
        query = "select 1 from player where skeleton = ? and id <> ?"
        if self._db.rows(query, (look, player.id)):
            raise NameTaken(f"the name {player.name} is taken, or too similar to another one")
        if at is None:
            query = "update player set name = ?, skeleton = ? where id = ?"
            self._db.rows(query, (player.name, look, player.id))
        else:
            row = (player.id, player.name, look, at)
            self._db.rows("insert into player values (?, ?, ?, ?)", row)

    # ---- keys -----------------------------------------------------------------------------

    def keys(self, player: Identity) -> list[PlayerKey]:
        """List a player's keys, the oldest first, including revoked ones."""
        query = (
            "select fingerprint, since, revoked from key where player = ? "
            "order by since, fingerprint"
        )
        return [PlayerKey(*row) for row in self._db.rows(query, (player.id,))]

    def is_revoked(self, fingerprint: str) -> bool:
        """Return whether a key belonged to a player and was revoked."""
        query = "select 1 from key where fingerprint = ? and revoked is not null"
        return bool(self._db.rows(query, (fingerprint,)))

    def add_key(self, player: Identity, fingerprint: str, at: int) -> None:
        """Add a new key, or one of this player's revoked keys.

        Raises :class:`BadInput` for a key that already belongs to a player.
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
            whose = player.name if whose_it_is == player.id else "another player"
            raise BadInput(f"the key {fingerprint} already belongs to {whose}")
        query = "select count(*) from key where player = ? and revoked is null"
        ((keys,),) = self._db.rows(query, (player.id,))
        if keys >= MOST_KEYS:
            raise BadInput(
                f"{player.name} already has {MOST_KEYS} keys, and no player can have more"
            )
        self._db.rows("insert into key values (?, ?, ?, null)", (fingerprint, player.id, at))

    def revoke(self, fingerprint: str, at: int) -> Identity:
        """Revoke a key and return its player. Raises :class:`UnknownName`."""
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
        """Make a code with which the player can add another key; it replaces the previous code."""
        letters = [secrets.choice(_LETTERS) for _ in range(_GROUPS * _GROUP)]
        groups = ("".join(letters[n : n + _GROUP]) for n in range(0, len(letters), _GROUP))
        code = "-".join(groups)
        with self._db.transaction():
            self._db.rows("delete from code where player = ? or until < ?", (player.id, at))
            row = (_hashed(code), player.id, at + CODE_LIFE)
            self._db.rows("insert into code values (?, ?, ?)", row)
        return code

    def use_code(self, fingerprint: str, code: str, at: int) -> Identity:
        """Add a key to the account of the player who got the code. Raises :class:`BadInput`."""
        with self._db.transaction():
            rows = self._db.rows(
                "select id, name from code join player on player = id where hash = ? and until > ?",
                (_hashed(code), at),
            )
            if not rows:
                raise UnknownName(
                    "that code is wrong or has expired; ask for a new one with add-key"
                )
            player = Identity(*rows[0])
            self._add(fingerprint, player, at)
            self._db.rows("delete from code where player = ?", (player.id,))
        return player

    # ---- bans -----------------------------------------------------------------------------

    def bans(self, at: int) -> list[Ban]:
        """List the bans that are in force at a time, the oldest first."""
        query = "select * from ban where until is null or until > ? order by number"
        rows = self._db.rows(query, (at,))
        return [Ban(number, BanTarget(kind), *rest) for number, kind, *rest in rows]

    def ban(self, kind: BanTarget, target: str, reason: str, at: int, until: int | None) -> Ban:
        """Add a ban with the fields of :class:`~Ban`."""
        with self._db.transaction():
            ((number,),) = self._db.rows(
                "insert into ban (kind, target, reason, since, until) values (?, ?, ?, ?, ?) "
                "returning number",
                (kind.value, target, reason, at, until),
            )
        return Ban(number, kind, target, reason, at, until)

    def unban(self, numbers: list[int], at: int) -> None:
        """End the bans with these numbers now; they stay in the database."""
        with self._db.transaction():
            for number in numbers:
                self._db.rows("update ban set until = ? where number = ?", (at, number))

    # ---- the store ------------------------------------------------------------------------

    def copy_to(self, path: Path) -> None:
        """Copy the database to a new file."""
        self._db.copy_to(path)

    def close(self) -> None:
        """Close the database."""
        self._db.close()


def _hashed(code: str) -> str:
    plain = "".join(letter for letter in code.lower() if letter in _LETTERS)
    return hashlib.sha256(plain.encode()).hexdigest()
