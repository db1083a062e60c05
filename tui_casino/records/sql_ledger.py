"""What a ledger in SQL asks and books, in statements that SQLite and PostgreSQL both know.

Each value is a ``?``. What only one of the two knows is in :mod:`.sqlite_ledger` and
:mod:`.postgres_ledger`: tables, transactions, locks, and what a lost connection needs.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, TypeAlias

from .ledger import (
    OPENING,
    Account,
    Booked,
    Books,
    Known,
    LedgerError,
    LedgerLost,
    Marker,
    Move,
    OpenSitting,
    Standing,
    Witness,
)

Row: TypeAlias = tuple[Any, ...]
Ask: TypeAlias = Callable[[str, Sequence[object]], list[Row]]
"""Runs a statement with its values and returns the rows, if there are any."""

KNOWN = "head, steps, mark, hash"
"""The columns of :class:`~.ledger.Known`."""
_PLAYED = "(mark is not null or head is null or cashed <> bought)"
"""The condition for finished sittings in which a bet was decided. Those without a ``head`` were
begun by older programs, which noted no rounds."""
_INSERT = f"insert into sitting values ({', '.join('?' * 14)})"


class SqlLedger(ABC):
    """The part of a :class:`~.ledger.Ledger` that is the same SQL wherever it is kept."""

    _witness: Witness | None
    _known = KNOWN
    _head, _held, _played = "head", "held", _PLAYED
    _won = "sum(cashed - bought)"
    _lock_row = ""
    """What a query ends with that keeps others from changing its row until the commit."""

    @property
    @abstractmethod
    def name(self) -> str:
        """What messages call it."""

    @property
    @abstractmethod
    def _place(self) -> str:
        """Where it is, for messages."""

    @abstractmethod
    def _clearly(self) -> AbstractContextManager[None]:
        """Raise what goes wrong meanwhile as :class:`~.ledger.LedgerError`."""

    @abstractmethod
    def _rows(self, query: str, values: Sequence[object] = ()) -> list[Row]:
        """Run one statement; return the rows."""

    def _stored(self, log: str) -> str:
        """Return the path of a log as it is stored."""
        return log

    def _full(self, log: str) -> str:
        """Return the whole path of a log that is stored."""
        return log

    # ---- one player's -------------------------------------------------------------------------

    def purse(self, player: str) -> int:
        """Return a player's purse in cents; a new player's is :data:`~.ledger.OPENING`."""
        with self._clearly():
            rows = self._rows("select cents from purse where player = ?", (player,))
            return _cents_of(rows[0][0]) if rows else OPENING

    def lent(self, player: str) -> int:
        """Return the sum of a player's markers, in cents."""
        with self._clearly():
            query = "select coalesce(sum(cents), 0) from marker where player = ?"
            return int(self._rows(query, (player,))[0][0])

    def open_sitting(self, sitting: str) -> OpenSitting | None:
        """Return a sitting, if it waits to be resumed or cashed out."""
        found = self._open("id = ?", sitting)
        return found[0] if found else None

    def open_sittings(self, player: str) -> list[OpenSitting]:
        """List a player's sittings that wait to be resumed or cashed out, oldest first."""
        return self._open("player = ?", player)

    def _open(self, condition: str, value: str) -> list[OpenSitting]:
        with self._clearly():
            rows = self._rows(
                f"select id, game, log, seed, bought, {self._held}, {self._known} from sitting "
                f"where {condition} and closed is null order by opened, id",
                (value,),
            )
            return [
                OpenSitting(
                    *(name, game, Path(self._full(log)), _seed_of(seed), _cents_of(bought)),
                    _known_of(*known),
                    _maybe_cents(held),
                )
                for name, game, log, seed, bought, held, *known in rows
            ]

    def accounts(self, player: str | None = None) -> dict[str, Account]:
        """List all sittings of a player, or of all, by their id, which is the name of the log."""
        with self._clearly():
            query = "select id, player, bought, cashed from sitting"
            whose = () if player is None else (player,)
            return {
                name: Account(player, _cents_of(bought), _maybe_cents(cashed))
                for name, player, bought, cashed in self._rows(
                    f"{query} where player = ?" if whose else query, whose
                )
            }

    def moves(self, player: str) -> list[Move]:
        """List a player's finished sittings and loans, oldest first."""
        with self._clearly():
            rows = self._rows(
                "select closed as at, game, cashed - bought, log, id from sitting "
                f"where player = ? and closed is not null and {self._played} "
                "union all select at, '', cents, '', '' from marker where player = ? "
                "order by at, id",
                (player, player),
            )
            return [
                Move(_whole_of(at), game, _whole_of(net), self._full(log) if log else "")
                for at, game, net, log, _ in rows
            ]

    def known(self, log: Path, hashes: Sequence[str] = ()) -> Known | None:
        """Return what is known of a log, found by its path or its first or last line's hash."""
        if not _is_text(str(log)):  # ours are
            return None
        hashes = hashes or ("",)  # nothing has that one, and PostgreSQL knows no empty list
        marks = ", ".join("?" * len(hashes))
        first, last = f"{self._head} in ({marks})", f"hash in ({marks})"
        with self._clearly():
            rows = self._rows(
                f"select {self._known} from sitting where log = ? or {last} or {first} "
                f"order by ({last}) is true desc, ({first}) is true desc limit 1",
                (self._stored(str(log)), *hashes, *hashes, *hashes, *hashes),
            )
            return _known_of(*rows[0]) if rows else None

    # ---- all players' -------------------------------------------------------------------------

    def standings(self) -> list[Standing]:
        """List what each player has won in all sittings that are over, the most first."""
        with self._clearly():
            rows = self._rows(
                f"select player, {self._won}, count(*) from sitting "
                f"where closed is not null and {self._played} "
                "group by player order by 2 desc, player"
            )
            return [
                Standing(_text_of(player), _whole_of(won), _whole_of(many))
                for player, won, many in rows
            ]

    def _all(self, ask: Ask) -> Books:
        """Return all that the ledger holds."""
        sittings = (
            "select id, player, game, log, seed, opened, bought, closed, cashed, "
            f"{self._held}, {self._known} from sitting order by opened, id"
        )
        return Books(
            tuple(
                (_text_of(player), _cents_of(cents))
                for player, cents in ask("select player, cents from purse order by player", ())
            ),
            tuple(
                Marker(_text_of(player), _whole_of(at), _whole_of(cents))
                for player, at, cents in ask("select * from marker order by at, player, cents", ())
            ),
            tuple(self._booked(*row) for row in ask(sittings, ())),
        )

    def _booked(
        self,
        name: object,
        player: object,
        game: object,
        log: object,
        seed: object,
        opened: object,
        bought: object,
        closed: object,
        cashed: object,
        held: object,
        *known: object,
    ) -> Booked:
        return Booked(
            *(_text_of(name), _text_of(player), _text_of(game), self._full(_text_of(log))),
            *(_seed_of(seed), _whole_of(opened), _cents_of(bought)),
            None if closed is None else _whole_of(closed),
            _maybe_cents(cashed),
            _known_of(*known),
            _maybe_cents(held),
        )

    # ---- money moves, within a transaction ----------------------------------------------------

    def _book(self, ask: Ask, sitting: OpenSitting, player: str, at: int, loan: int) -> None:
        """Book a sitting and its buy-in, first a loan against a marker to it."""
        s = sitting
        booked = Booked(s.id, player, s.game, str(s.log), s.seed, at, s.bought, None, None, s.known)
        ask(_INSERT, self._row_of(booked))
        held = self._locked(ask, player) + loan
        if s.bought > held:
            raise LedgerError(f"{player}'s purse does not hold the buy-in of {s.bought} cents")
        ask("update purse set cents = ? where player = ?", (held - s.bought, player))
        if loan:
            ask("insert into marker values (?, ?, ?)", (player, at, loan))
        if self._witness is not None:  # last: nothing is promised that is not booked
            self._witness.begins(s, player, at, loan)

    def _lend(self, ask: Ask, player: str, cents: int, at: int) -> None:
        """Move a loan to a player's purse against a marker."""
        self._pay(ask, player, cents)
        ask("insert into marker values (?, ?, ?)", (player, at, cents))

    def _cash_out(self, ask: Ask, sitting: str, cents: int, last_hash: str | None, at: int) -> bool:
        """Move a sitting's money to the purse, unless that was done before."""
        rows = ask(
            "update sitting set closed = ?, cashed = ?, hash = ?, seed = null "
            "where id = ? and closed is null returning player",
            (at, cents, last_hash, sitting),
        )
        for (player,) in rows:
            self._pay(ask, player, cents)
            if self._witness is not None:
                self._witness.ends(sitting, last_hash, at)
        return bool(rows)

    def _pay(self, ask: Ask, player: str, cents: int) -> None:
        held = self._locked(ask, player)
        ask("update purse set cents = ? where player = ?", (held + cents, player))

    def _locked(self, ask: Ask, player: str) -> int:
        """Return a player's purse, which nobody else changes until this is done."""
        ask("insert into purse values (?, ?) on conflict do nothing", (player, OPENING))
        rows = ask(f"select cents from purse where player = ?{self._lock_row}", (player,))
        return _cents_of(rows[0][0])

    def _confirm(self, ask: Ask, sitting: str, known: Known) -> None:
        """Raise :class:`~.ledger.LedgerLost` unless all that is known of a sitting is there."""
        rows = ask(f"select {self._known}, closed from sitting where id = ?", (sitting,))
        if not rows or (rows[0][-1] is None and _known_of(*rows[0][:-1]) != known):
            raise LedgerLost("was replaced by another or older one", self._place)

    def _replace(self, ask: Ask, after: Books) -> None:
        """Put other books in the place of all that the ledger holds."""
        for table in ("purse", "marker", "sitting"):
            ask(f"delete from {table}", ())
        for purse in after.purses:
            ask("insert into purse values (?, ?)", purse)
        for marker in after.markers:
            ask("insert into marker values (?, ?, ?)", marker)
        for booked in after.sittings:
            ask(_INSERT, self._row_of(booked))

    def _row_of(self, booked: Booked) -> Row:
        """Return a sitting as a row, in the order of the table's columns."""
        b, known = booked, booked.known
        return (
            *(b.id, b.player, b.game, self._stored(b.log), b.seed, b.opened, b.bought),
            *(b.closed, b.cashed, known.last, known.head, known.steps, known.mark, b.held),
        )

    def _changed(self) -> LedgerError:
        return LedgerError(f"{self.name} has changed meanwhile; look at it again")


# ---- values: damage may make nonsense of any, which is then a ``ValueError`` -------------------


def _known_of(head: object, steps: object, mark: object, last: object) -> Known:
    """Make what is known of a log."""
    return Known(_hash_of(head), _cents_of(steps), _hash_of(mark), _hash_of(last))


def _text_of(value: object) -> str:
    """Read a name: SQLite gives what a damaged file has there, bytes or nothing as well."""
    if not isinstance(value, str):
        raise ValueError(f"{value!r} is no text")
    return value


def _hash_of(value: object) -> str | None:
    if value is not None and not isinstance(value, str):
        raise ValueError("a hash is no text")
    return value


def _maybe_cents(value: object) -> int | None:
    """Read an amount that may be missing."""
    return None if value is None else _cents_of(value)


def _cents_of(value: object) -> int:
    """Read an amount: a whole number that is not negative."""
    if type(value) is not int or value < 0:
        raise ValueError(f"{value!r} is not an amount in cents")
    return value


def _whole_of(value: object) -> int:
    """Read a whole number."""
    if type(value) is not int:
        raise ValueError(f"{value!r} is not a whole number")
    return value


def _seed_of(value: object) -> bytes | None:
    """Read a seed, if there is one still."""
    if value is not None and not isinstance(value, bytes):
        raise ValueError("a seed is no bytes")
    return value


def _is_text(path: str) -> bool:
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return "\0" not in path
