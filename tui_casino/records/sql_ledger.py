"""The SQL statements that the SQLite and PostgreSQL ledgers share.

The placeholder for a value is ``?``. The parts that differ (tables, transactions, locks and the
handling of lost connections) are in :mod:`.sqlite_ledger` and :mod:`.postgres_stores`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from contextlib import AbstractContextManager
from pathlib import Path

from .ledger import (
    OPENING_BALANCE,
    BalanceTooLow,
    LedgerContents,
    LedgerError,
    LedgerLost,
    LedgerSitting,
    LedgerWitness,
    LogCheckpoint,
    Marker,
    MoneyMovement,
    OpenSitting,
    PlayerWinnings,
    SittingAccount,
)
from .shared_tables import (
    Execute,
    Row,
    SeatBuyIn,
    SeatCashOut,
    SeatHolds,
    SeatLogEnd,
    SeatMark,
    SeatMove,
)

CHECKPOINT_COLUMNS = "head, steps, mark, hash"
"""The columns of :class:`~.ledger.LogCheckpoint`."""
_PLAYED = "(mark is not null or head is null or cashed <> bought)"
"""The condition for finished sessions in which a bet was decided.

Rows without a ``head`` are from older programs, which recorded no rounds.
"""
_INSERT = f"insert into sitting values ({', '.join('?' * 14)})"


class SqlLedger(ABC):
    """The part of a :class:`~.ledger.Ledger` whose SQL is the same in both databases."""

    _witness: LedgerWitness | None
    _known = CHECKPOINT_COLUMNS
    _head, _held, _played = "head", "held", _PLAYED
    _won = "sum(cashed - bought)"
    _lock_row = ""
    """The clause at the end of a query that locks the row until the commit."""

    @property
    @abstractmethod
    def name(self) -> str:
        """The name of the ledger in messages."""

    @property
    @abstractmethod
    def _place(self) -> str:
        """The file or address of the ledger in messages."""

    @abstractmethod
    def _ledger_errors(self) -> AbstractContextManager[None]:
        """Turn database errors into :class:`~.ledger.LedgerError`."""

    @abstractmethod
    def _rows(self, query: str, values: Sequence[object] = ()) -> list[Row]:
        """Run one statement; return the rows."""

    def _stored_path(self, log: str) -> str:
        """Return the path of a log as it is stored."""
        return log

    def _full_path(self, log: object) -> str:
        """Return the whole path of a log from its stored path. Raises ``ValueError``."""
        return text_of(log)

    # ---- one player ---------------------------------------------------------------------------

    def balance(self, player: str) -> int:
        """Return a player's balance in cents; a new player has :data:`~.ledger.OPENING_BALANCE`."""
        with self._ledger_errors():
            rows = self._rows("select cents from purse where player = ?", (player,))
            return _cents_of(rows[0][0]) if rows else OPENING_BALANCE

    def debt(self, player: str) -> int:
        """Return the sum of a player's loans minus the repayments, in cents."""
        with self._ledger_errors():
            return _debt_of(self._rows, player)

    def open_sitting(self, sitting: str) -> OpenSitting | None:
        """Return an open session by its id; ``None`` if it is closed or unknown."""
        sittings = self._open_where("id = ?", sitting)
        return sittings[0] if sittings else None

    def open_sittings(self, player: str) -> list[OpenSitting]:
        """Return a player's open sessions, which wait to be resumed or cashed out, oldest first."""
        return self._open_where("player = ?", player)

    def _open_where(self, condition: str, value: str) -> list[OpenSitting]:
        with self._ledger_errors():
            rows = self._rows(
                f"select id, game, log, seed, bought, {self._held}, {self._known} from sitting "
                f"where {condition} and closed is null order by opened, id",
                (value,),
            )
            return [
                OpenSitting(
                    *(name, game, Path(self._full_path(log)), _seed_of(seed), _cents_of(bought_in)),
                    _known_of(*checkpoint),
                    _optional_cents(last_money),
                )
                for name, game, log, seed, bought_in, last_money, *checkpoint in rows
            ]

    def accounts(self, player: str | None = None) -> dict[str, SittingAccount]:
        """Return the sessions of a player, or of all players, by id (the name of the log)."""
        with self._ledger_errors():
            query = "select id, player, bought, cashed from sitting"
            whose = () if player is None else (player,)
            return {
                name: SittingAccount(player, _cents_of(bought), _optional_cents(cashed))
                for name, player, bought, cashed in self._rows(
                    f"{query} where player = ?" if whose else query, whose
                )
            }

    def movements(self, player: str) -> list[MoneyMovement]:
        """Return a player's finished sessions, loans and repayments, oldest first."""
        with self._ledger_errors():
            rows = self._rows(
                "select closed as at, game, cashed - bought, log, id from sitting "
                f"where player = ? and closed is not null and {self._played} "
                "union all select at, '', cents, '', '' from marker where player = ? "
                "order by at, id",
                (player, player),
            )
            return [
                MoneyMovement(
                    _integer_of(at), game, _integer_of(net), self._full_path(log) if log else ""
                )
                for at, game, net, log, _ in rows
            ]

    def checkpoint_of(self, log: Path, hashes: Sequence[str] = ()) -> LogCheckpoint | None:
        """Return the checkpoint of a log, found by its path, or by its first or last hash."""
        stored = self._stored_path(str(log))
        if not is_text(stored):
            return None
        hashes = hashes or ("",)  # no log has this hash; PostgreSQL does not accept an empty list
        marks = ", ".join("?" * len(hashes))
        first, last = f"{self._head} in ({marks})", f"hash in ({marks})"
        with self._ledger_errors():
            rows = self._rows(
                f"select {self._known} from sitting where log = ? or {last} or {first} "
                f"order by ({last}) is true desc, ({first}) is true desc limit 1",
                (stored, *hashes, *hashes, *hashes, *hashes),
            )
            return _known_of(*rows[0]) if rows else None

    # ---- all players --------------------------------------------------------------------------

    def standings(self) -> list[PlayerWinnings]:
        """Return each player's net result of all finished sessions, highest first."""
        with self._ledger_errors():
            rows = self._rows(
                f"select player, {self._won}, count(*) from sitting "
                f"where closed is not null and {self._played} "
                "group by player order by 2 desc, player"
            )
            return [
                PlayerWinnings(text_of(player), _integer_of(won), _integer_of(count))
                for player, won, count in rows
            ]

    def _read_books(self, execute: Execute) -> LedgerContents:
        """Return the whole contents of the ledger."""
        sittings = (
            "select id, player, game, log, seed, opened, bought, closed, cashed, "
            f"{self._held}, {self._known} from sitting order by opened, id"
        )
        return LedgerContents(
            tuple(
                (text_of(player), _cents_of(cents))
                for player, cents in execute("select player, cents from purse order by player", ())
            ),
            tuple(
                Marker(text_of(player), _integer_of(at), _integer_of(cents))
                for player, at, cents in execute(
                    "select * from marker order by at, player, cents", ()
                )
            ),
            tuple(self._booked(*row) for row in execute(sittings, ())),
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
    ) -> LedgerSitting:
        return LedgerSitting(
            *(text_of(name), text_of(player), text_of(game), self._full_path(log)),
            *(_seed_of(seed), _integer_of(opened), _cents_of(bought)),
            None if closed is None else _integer_of(closed),
            _optional_cents(cashed),
            _known_of(*known),
            _optional_cents(held),
        )

    # ---- moving money, within a transaction ---------------------------------------------------

    def _book(
        self, execute: Execute, sitting: OpenSitting, player: str, at: int, loan: int
    ) -> None:
        """Book a session and its buy-in, after a loan of ``loan`` cents if it is not 0."""
        s = sitting
        booked = LedgerSitting(
            s.id, player, s.game, str(s.log), s.seed, at, s.bought_in, None, None, s.checkpoint
        )
        execute(_INSERT, self._row_of(booked))
        held = self._lock_purse(execute, player) + loan
        if s.bought_in > held:
            raise BalanceTooLow(f"{player}'s balance is below the buy-in of {s.bought_in} cents")
        execute("update purse set cents = ? where player = ?", (held - s.bought_in, player))
        if loan:
            execute("insert into marker values (?, ?, ?)", (player, at, loan))
        if self._witness is not None:  # last: never publish the commitment of an unbooked session
            self._witness.begins(s, player, at, loan)

    def _lend(self, execute: Execute, player: str, cents: int, at: int) -> None:
        """Add a loan to a player's balance and record it."""
        self._pay(execute, player, cents)
        execute("insert into marker values (?, ?, ?)", (player, at, cents))

    def _repay(self, execute: Execute, player: str, cents: int, at: int) -> None:
        """Take a repayment from a player's balance and record it as a negative loan."""
        most = min(self._lock_purse(execute, player), _debt_of(execute, player))
        if not 0 < cents <= most:
            raise LedgerError(f"{player} can repay at most {most} cents, not {cents}")
        self._lend(execute, player, -cents, at)

    def _cash_out(
        self, execute: Execute, sitting: str, cents: int, last_hash: str | None, at: int
    ) -> bool:
        """Close a session and pay the player; return false if it was already closed."""
        rows = execute(
            "update sitting set closed = ?, cashed = ?, hash = ?, seed = null "
            "where id = ? and closed is null returning player",
            (at, cents, last_hash, sitting),
        )
        for (player,) in rows:
            self._pay(execute, player, cents)
            if self._witness is not None:
                self._witness.ends(sitting, last_hash, at)
        return bool(rows)

    def _book_moves(self, execute: Execute, moves: Sequence[SeatMove]) -> None:
        """Book what the rows of a shared table move."""
        for move in moves:
            self._book_move(execute, move)
        if holds := [move for move in moves if isinstance(move, SeatHolds)]:
            each, ids = " ".join(["when ? then ?"] * len(holds)), ", ".join("?" * len(holds))
            values = [value for one in holds for value in (one.sitting, one.cents)]
            execute(
                f"update sitting set held = case id {each} end where id in ({ids})",
                (*values, *(one.sitting for one in holds)),
            )

    def _book_move(self, execute: Execute, move: SeatMove) -> None:
        match move:
            case SeatBuyIn(sitting, player, at, loan):
                self._book(execute, sitting, player, at, loan)
            case SeatCashOut(sitting, cents, at, last_hash):
                self._cash_out(execute, sitting, cents, last_hash, at)  # or the operator has
            case SeatMark(sitting, steps, mark):
                query = "update sitting set steps = ?, mark = ? where id = ? and closed is null"
                execute(query, (steps, mark, sitting))
            case SeatLogEnd(sitting, last_hash):
                query = (
                    "update sitting set hash = ? "
                    "where id = ? and closed is not null and hash is null"
                )
                execute(query, (last_hash, sitting))

    def _pay(self, execute: Execute, player: str, cents: int) -> None:
        held = self._lock_purse(execute, player)
        execute("update purse set cents = ? where player = ?", (held + cents, player))

    def _lock_purse(self, execute: Execute, player: str) -> int:
        """Lock a player's balance until the end of the transaction; return it in cents."""
        execute("insert into purse values (?, ?) on conflict do nothing", (player, OPENING_BALANCE))
        rows = execute(f"select cents from purse where player = ?{self._lock_row}", (player,))
        return _cents_of(rows[0][0])

    def _confirm(self, execute: Execute, sitting: str, checkpoint: LogCheckpoint) -> None:
        """Raise :class:`~.ledger.LedgerLost` unless a session is closed or has this checkpoint."""
        rows = execute(f"select {self._known}, closed from sitting where id = ?", (sitting,))
        if not rows or (rows[0][-1] is None and _known_of(*rows[0][:-1]) != checkpoint):
            raise LedgerLost("was replaced by another or older one", self._place)

    def _replace(self, execute: Execute, after: LedgerContents) -> None:
        """Replace the whole contents of the ledger."""
        for table in ("purse", "marker", "sitting"):
            execute(f"delete from {table}", ())
        for purse in after.balances:
            execute("insert into purse values (?, ?)", purse)
        for marker in after.markers:
            execute("insert into marker values (?, ?, ?)", marker)
        for booked in after.sittings:
            execute(_INSERT, self._row_of(booked))

    def _row_of(self, booked: LedgerSitting) -> Row:
        """Return a session as a row, in the order of the table's columns."""
        b, checkpoint = booked, booked.checkpoint
        return (
            *(b.id, b.player, b.game, self._stored_path(b.log), b.seed, b.opened, b.bought_in),
            *(
                b.closed,
                b.cashed_out,
                checkpoint.last,
                checkpoint.head,
                checkpoint.steps,
                checkpoint.mark,
                b.last_money,
            ),
        )

    def _changed_error(self) -> LedgerError:
        return LedgerError(f"{self.name} has changed in the meantime; check it and try again")


def _debt_of(execute: Execute, player: str) -> int:
    """Return the sum of a player's loans and repayments, in cents."""
    query = "select coalesce(sum(cents), 0) from marker where player = ?"
    return int(execute(query, (player,))[0][0])


# ---- values: a damaged file may contain anything; wrong types raise ``ValueError`` -------------


def _known_of(head: object, steps: object, mark: object, last: object) -> LogCheckpoint:
    """Return the checkpoint with these values of the columns :data:`CHECKPOINT_COLUMNS`."""
    return LogCheckpoint(_hash_of(head), _cents_of(steps), _hash_of(mark), _hash_of(last))


def text_of(value: object) -> str:
    """Return a text from the database; in a damaged file, SQLite may also find bytes or null."""
    if not isinstance(value, str):
        raise ValueError(f"{value!r} is not a text")
    return value


def _hash_of(value: object) -> str | None:
    if value is not None and not isinstance(value, str):
        raise ValueError("a hash is not a text")
    return value


def _optional_cents(value: object) -> int | None:
    """Return an amount of cents from the database, or ``None`` if it is missing."""
    return None if value is None else _cents_of(value)


def _cents_of(value: object) -> int:
    """Return an amount of cents or a count from the database: a whole number of at least 0."""
    if type(value) is not int or value < 0:
        raise ValueError(f"{value!r} is not an amount in cents")
    return value


def _integer_of(value: object) -> int:
    """Return a value of the database as an integer; raises ``ValueError`` for any other type."""
    if type(value) is not int:
        raise ValueError(f"{value!r} is not a whole number")
    return value


def _seed_of(value: object) -> bytes | None:
    """Return a seed; ``None`` after the session has ended."""
    if value is not None and not isinstance(value, bytes):
        raise ValueError("a seed is not bytes")
    return value


def is_text(path: str) -> bool:
    """Return whether a path can be stored as text."""
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return "\0" not in path
