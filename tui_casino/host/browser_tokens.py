"""Single-use links that log a browser in, and the tokens for which the links are exchanged.

Each link and each token contains 256 random bits, of which only a hash is stored. A token belongs
to an SSH key: it logs in the owner of the key, and stops working when the key is revoked.
"""

from __future__ import annotations

import hashlib
import secrets

from ..inputs.errors import BadInput
from .identity_store import IdentityStore

LINK_LIFE = 300_000
"""How many milliseconds a link is valid."""
PASS_LIFE = 7 * 86_400_000
"""How many milliseconds a token is valid."""
MOST_PASSES = 10
"""The maximum number of tokens per key; one more replaces the oldest."""


class ExpiredLink(BadInput):
    """A link that is unknown, used already or too old."""


class BrowserTokens:
    """The links and tokens of all keys. Every method may raise :class:`BadInput`.

    Times are in milliseconds since 1970.
    """

    def __init__(self, store: IdentityStore) -> None:
        self._db = store

    def link(self, fingerprint: str, at: int) -> str:
        """Make a link for a key, which replaces the key's previous link, and return its secret."""
        secret = secrets.token_urlsafe(32)
        with self._db.transaction():
            self._db.rows("delete from link where fingerprint = ? or until <= ?", (fingerprint, at))
            row = (_hashed(secret), fingerprint, at + LINK_LIFE)
            self._db.rows("insert into link values (?, ?, ?)", row)
        return secret

    def follow(self, secret: str, at: int) -> str:
        """Exchange the secret of a link for a token. Raises :class:`ExpiredLink`.

        A link can be exchanged only once.
        """
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
        raise ExpiredLink("That link was used already, or it has expired. Ask for a new one.")

    def owner(self, token: str, at: int) -> str | None:
        """Return the fingerprint of a token's key; ``None`` if the token or key is not valid."""
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
