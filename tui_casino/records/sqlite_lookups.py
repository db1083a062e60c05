"""What a ledger in a file of SQLite tells; :mod:`.sqlite_ledger` is what writes it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

from ..inputs.errors import BadInput
from ..inputs.files import folder_reason
from .ledger import (
    OPENING,
    Account,
    Books,
    Known,
    LedgerBusy,
    LedgerDamaged,
    LedgerError,
    Marker,
    Move,
    OpenSitting,
    Standing,
)
from .ledger_rows import (
    PLAYED,
    booked_of,
    cents_of,
    known_of,
    maybe_cents,
    seed_of,
    text_of,
    whole_of,
)

KNOWN = "head, steps, mark, hash"
BEFORE_2 = "null, 0, null, hash"  # an older ledger that is only looked at
_DAMAGE = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR}


class SqliteLookups:
    """The part of a :class:`~.ledger.Ledger` that changes nothing; ``path`` is its file, if any.

    All threads share one connection, as those of a book in memory must: one at a time. ``_known``
    and ``_held`` are how this version of the file calls what is known of a sitting.
    """

    path: Path | None
    _lock: AbstractContextManager[bool]
    _db: sqlite3.Connection
    _known: str
    _held: str

    @property
    def _played(self) -> str:
        """The condition for finished sittings with a bet; an older file does not tell them."""
        return "true" if self._known == BEFORE_2 else PLAYED

    @property
    def name(self) -> str:
        """What messages call it."""
        return f"the ledger {self.path}" if self.path else "the ledger of a guest"

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Keep the other threads waiting meanwhile, and say clearly what goes wrong."""
        with self._lock:
            try:
                yield
            except BadInput:
                raise
            except (sqlite3.Error, OSError, ValueError, TypeError, OverflowError) as error:
                # beside errors of its own SQLite gives values that damage has made nonsense
                kind = LedgerDamaged if is_damage(error) else LedgerError
                kind = LedgerBusy if is_busy(error) else kind
                raise kind(f"the ledger {self.path} cannot be used: {self._why(error)}") from None

    def _why(self, error: Exception) -> str:
        if isinstance(error, OSError) and self.path is not None:
            return folder_reason(self.path.parent, error)
        return str(error)

    # ---- one player's -------------------------------------------------------------------------

    def purse(self, player: str) -> int:
        """Give a player's purse in cents; a new player's is :data:`~.ledger.OPENING`."""
        with self._alone():
            row = self._db.execute("select cents from purse where player = ?", (player,)).fetchone()
            return OPENING if row is None else cents_of(row[0])

    def lent(self, player: str) -> int:
        """Give the sum of a player's markers, in cents."""
        with self._alone():
            query = "select coalesce(sum(cents), 0) from marker where player = ?"
            return int(self._db.execute(query, (player,)).fetchone()[0])

    def open_sitting(self, sitting: str) -> OpenSitting | None:
        """Give a sitting, if it waits to be taken up or cashed out."""
        found = self._open("id = ?", sitting)
        return found[0] if found else None

    def open_sittings(self, player: str) -> list[OpenSitting]:
        """List a player's sittings that wait to be taken up or cashed out, oldest first."""
        return self._open("player = ?", player)

    def _open(self, condition: str, value: str) -> list[OpenSitting]:
        with self._alone():
            rows = self._db.execute(
                f"select id, game, log, seed, bought, {self._held}, {self._known} from sitting "
                f"where {condition} and closed is null order by opened, id",
                (value,),
            ).fetchall()
            return [
                OpenSitting(
                    *(name, game, Path(log), seed_of(seed), cents_of(bought)),
                    known_of(*known),
                    maybe_cents(held),
                )
                for name, game, log, seed, bought, held, *known in rows
            ]

    def accounts(self, player: str | None = None) -> dict[str, Account]:
        """List all sittings of a player, or of all, by their id, which is the name of the log."""
        with self._alone():
            query = "select id, player, bought, cashed from sitting"
            whose = () if player is None else (player,)
            rows = self._db.execute(f"{query} where player = ?" if whose else query, whose)
            return {
                name: Account(player, cents_of(bought), maybe_cents(cashed))
                for name, player, bought, cashed in rows
            }

    def moves(self, player: str) -> list[Move]:
        """List a player's finished sittings and loans, oldest first."""
        with self._alone():
            rows = self._db.execute(
                "select closed as at, game, cashed - bought, log, id from sitting "
                f"where player = ?1 and closed is not null and {self._played} "
                "union all select at, '', cents, '', '' from marker where player = ?1 "
                "order by at, id",
                (player,),
            ).fetchall()
            return [Move(whole_of(at), game, whole_of(net), log) for at, game, net, log, _ in rows]

    def known(self, log: Path, hashes: Sequence[str] = ()) -> Known | None:
        """Tell what is known of a log, found by its path or by its first or last line's hash."""
        marks = ", ".join("?" * len(hashes))
        head = "head" if self._known != BEFORE_2 else "hash"
        with self._alone():
            try:
                row = self._db.execute(
                    f"select {self._known} from sitting where log = ? or hash in ({marks}) "
                    f"or {head} in ({marks}) "
                    f"order by hash in ({marks}) desc, {head} in ({marks}) desc",
                    (str(log), *hashes, *hashes, *hashes, *hashes),
                ).fetchone()
            except UnicodeEncodeError:  # a path that is no text; ours are
                return None
            return None if row is None else known_of(*row)

    # ---- all players' ---------------------------------------------------------------------

    def books(self) -> Books:
        """Give all that it holds."""
        with self._alone():
            purses = self._db.execute("select player, cents from purse order by player")
            markers = self._db.execute("select * from marker order by at, player, cents")
            sittings = self._db.execute(
                "select id, player, game, log, seed, opened, bought, closed, cashed, "
                f"{self._held}, {self._known} from sitting order by opened, id"
            )
            return Books(
                tuple((text_of(player), cents_of(cents)) for player, cents in purses),
                tuple(
                    Marker(text_of(player), whole_of(at), whole_of(cents))
                    for player, at, cents in markers
                ),
                tuple(booked_of(*row) for row in sittings),
            )

    def standings(self) -> list[Standing]:
        """List what each player has won in all sittings that are over, the most first."""
        with self._alone():
            rows = self._db.execute(
                "select player, sum(cashed - bought), count(*) from sitting "
                f"where closed is not null and {self._played} "
                "group by player order by 2 desc, player"
            )
            return [
                Standing(text_of(player), whole_of(won), whole_of(many))
                for player, won, many in rows
            ]


def is_busy(error: Exception) -> bool:
    """Tell whether another program is in the way; https://sqlite.org/rescode.html has the codes."""
    code = getattr(error, "sqlite_errorcode", None)  # an error of the module's own has none
    return code is not None and code & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


def is_damage(error: Exception) -> bool:
    """Tell whether it is the fault of what the file holds, not of the moment or the machine."""
    if isinstance(error, sqlite3.Error):
        code: int = getattr(error, "sqlite_errorcode", 0)
        return code & 0xFF in _DAMAGE
    return not isinstance(error, OSError)
