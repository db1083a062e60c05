"""Single-use links that log a browser in, and the tokens that the links are exchanged for.

Both are 256 random bits, and only their hashes are stored. A token logs in the player of its key,
and stops working when that key is revoked.
"""

from __future__ import annotations

import hashlib
import secrets

from ..inputs.errors import BadInput
from .identity_store import IdentityStore

LINK_LIFE = 300_000
"""Milliseconds in which a link can be followed."""
PASS_LIFE = 7 * 86_400_000
"""Milliseconds in which a browser needs no new link."""
MOST_PASSES = 10
"""Of a key; with another one the oldest ends."""


class ExpiredLink(BadInput):
    """A link that is not known, was used, or is too old."""


class BrowserTokens:
    """The links and passes of all keys. Every method raises :class:`BadInput`.

    Times are in milliseconds since 1970.
    """

    def __init__(self, store: IdentityStore) -> None:
        self._db = store

    def link(self, fingerprint: str, at: int) -> str:
        """Make what a link ends with, for a player's key; it takes the last one's place."""
        secret = secrets.token_urlsafe(32)
        with self._db.transaction():
            self._db.rows("delete from link where fingerprint = ? or until <= ?", (fingerprint, at))
            row = (_hashed(secret), fingerprint, at + LINK_LIFE)
            self._db.rows("insert into link values (?, ?, ?)", row)
        return secret

    def follow(self, secret: str, at: int) -> str:
        """Exchange a link's secret for a token, which works once. Raises :class:`ExpiredLink`."""
        token = secrets.token_urlsafe(32)
        with self._db.transaction():
            query = "delete from link where hash = ? returning fingerprint, until"
            rows = self._db.rows(query, (_hashed(secret),))
            if rows and rows[0][1] > at:
                fingerprint = rows[0][0]
                self._db.rows("delete from pass where until <= ?", (at,))
                self._db.rows(
                    "delete from pass where fingerprint = ? and hash not in (select hash from pass "
                    "where fingerprint = ? order by since desc, hash limit ?)",
                    (fingerprint, fingerprint, MOST_PASSES - 1),
                )
                row = (_hashed(token), fingerprint, at, at + PASS_LIFE)
                self._db.rows("insert into pass values (?, ?, ?, ?)", row)
                return token
        raise ExpiredLink("That link was used already, or it is too old; ask for a new one.")

    def owner(self, token: str, at: int) -> str | None:
        """Return the fingerprint of a token's key, while both are valid; else ``None``."""
        query = (
            "select pass.fingerprint from pass join key on key.fingerprint = pass.fingerprint "
            "where hash = ? and until > ? and revoked is null and key.since <= pass.since"
        )
        rows = self._db.rows(query, (_hashed(token), at))
        return str(rows[0][0]) if rows else None

    def end(self, token: str) -> None:
        """Revoke a token."""
        self._db.rows("delete from pass where hash = ?", (_hashed(token),))


def _hashed(secret: str) -> str:
    return hashlib.sha256(secret.encode(errors="replace")).hexdigest()
