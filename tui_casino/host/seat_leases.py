"""Leases of players' seats, which record the server at which a player sits, and until when.

Only the server that holds a player's seat runs their sessions and writes their logs. All times come
from the database, so the servers' clocks do not matter.
"""

from __future__ import annotations

import secrets

from ..records.postgres import Postgres

LEASE = 6.0
"""Seconds without a heartbeat after which the seats of a server are free."""
BEAT = 1.5
"""Seconds between two heartbeats."""
_FORGOTTEN = "1 day"


class SeatLeases:
    """The seats of one server. Every method may raise :class:`~..records.ledger.LedgerError`."""

    def __init__(self, database: Postgres, lease: float = LEASE) -> None:
        """Register this server."""
        self._db, self._lease, self.host = database, lease, secrets.token_hex(8)
        self.beat()

    def beat(self) -> list[str]:
        """Report that this server is alive; return the players who now want to sit elsewhere."""
        self._db.rows(
            "insert into host values (%s, now() + make_interval(secs => %s)) "
            "on conflict (id) do update set until = excluded.until",
            (self.host, self._lease),
        )
        self._db.rows(f"delete from host where until < now() - interval '{_FORGOTTEN}'")
        query = "select player from seat where host = %s and wanted order by player"
        return [player for (player,) in self._db.rows(query, (self.host,))]

    def take(self, player: str) -> str | None:
        """Return the token of a player's seat, or ``None`` while another server has it.

        The other server learns that the seat is wanted and releases it; if that server has died,
        its lease expires. Within one server, the seat goes to the last caller.
        """
        token = secrets.token_hex(16)
        rows = self._db.rows(
            "insert into seat (player, host, token) values (%s, %s, %s) "
            "on conflict (player) do update "
            "set host = excluded.host, token = excluded.token, wanted = false "
            "where seat.host = excluded.host or not exists "
            "(select 1 from host where id = seat.host and until > now()) returning 1",
            (player, self.host, token),
        )
        if rows:
            return token
        self._db.rows("update seat set wanted = true where player = %s", (player,))
        return None

    def release(self, player: str, token: str) -> None:
        """Release a seat if it still has this token."""
        self._db.rows("delete from seat where player = %s and token = %s", (player, token))

    def leave(self, player: str) -> None:
        """Release a player's seat, whatever its token is."""
        self._db.rows("delete from seat where player = %s and host = %s", (player, self.host))

    def end(self) -> None:
        """Release all seats of this server."""
        self._db.rows("delete from host where id = %s", (self.host,))


def seated_players(database: Postgres) -> frozenset[str]:
    """Return the players who have a seat at a server that is alive.

    Raises the same errors as :class:`SeatLeases`.
    """
    rows = database.rows("select player from seat join host on id = host where until > now()")
    return frozenset(player for (player,) in rows)
