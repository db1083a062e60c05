"""Leases of players' seats: which of several hosts a player sits at, until when.

Whoever has a player's seat has all his sittings, and alone writes his logs. All times are the
database's, so no clock of a host matters.
"""

from __future__ import annotations

import secrets

from ..records.postgres import Postgres

LEASE = 6.0
"""Seconds after which the seats of a host that is not heard of are free."""
BEAT = 1.5
"""Seconds between two signs of life."""
_FORGOTTEN = "1 day"


class SeatLeases:
    """The seats that one host has. Every method raises :class:`~..records.ledger.LedgerError`."""

    def __init__(self, database: Postgres, lease: float = LEASE) -> None:
        """Let it be known that there is this host."""
        self._db, self._lease, self.host = database, lease, secrets.token_hex(8)
        self.beat()

    def beat(self) -> list[str]:
        """Say that this host lives; give the players who want to sit elsewhere by now."""
        self._db.rows(
            "insert into host values (%s, now() + make_interval(secs => %s)) "
            "on conflict (id) do update set until = excluded.until",
            (self.host, self._lease),
        )
        self._db.rows(f"delete from host where until < now() - interval '{_FORGOTTEN}'")
        query = "select player from seat where host = %s and wanted order by player"
        return [player for (player,) in self._db.rows(query, (self.host,))]

    def take(self, player: str) -> str | None:
        """Give the token of a player's seat, or nothing as long as another host has it.

        That host is told that it is wanted, and gives it back; a dead one's lease runs out. Within
        a host the seat goes to whoever takes it last.
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
        """Leave a seat, if it is this one still."""
        self._db.rows("delete from seat where player = %s and token = %s", (player, token))

    def leave(self, player: str) -> None:
        """Leave a player's seat, whichever token it has."""
        self._db.rows("delete from seat where player = %s and host = %s", (player, self.host))

    def end(self) -> None:
        """Let all seats of this host be free at once."""
        self._db.rows("delete from host where id = %s", (self.host,))


def seated_players(database: Postgres) -> frozenset[str]:
    """Return the players who sit at a live host. Raises as the methods of :class:`SeatLeases`."""
    rows = database.rows("select player from seat join host on id = host where until > now()")
    return frozenset(player for (player,) in rows)
