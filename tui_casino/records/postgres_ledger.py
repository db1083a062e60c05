"""A ledger in PostgreSQL: one for several hosts.

Paths of logs under a host's own folder are kept without it, for each host has its own: whichever
takes a sitting up finds its log under its own folder.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from psycopg import errors

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
from .ledger_rows import (
    PLAYED,
    booked_of,
    cents_of,
    known_of,
    maybe_cents,
    row_of,
    seed_of,
    whole_of,
)
from .postgres import Cursor, Postgres

T = TypeVar("T")

_KNOWN = "head, steps, mark, hash"
_INSERT = f"insert into sitting values ({', '.join(['%s'] * 14)})"
_SHORT = "50ms"
"""How long a note waits, which the next one makes up for."""


class PostgresLedger:
    """A :class:`~.ledger.Ledger` in a database; ``root`` is this host's own folder.

    The ``witness`` is told of each sitting that is booked or paid through this one; where the
    answer of the database was lost and it is asked again, he may be told the same twice.

    Each of its threads has a connection of its own. A purse is locked by its row while it changes;
    all lock in the same order, sitting, purse, marker, so that nobody waits for each other.
    """

    def __init__(self, database: Postgres, root: Path, witness: Witness | None = None) -> None:
        self._db, self._root, self._witness = database, root, witness

    @property
    def name(self) -> str:
        """What messages call it."""
        return f"the ledger in {self._db.name}"

    @property
    def lasts(self) -> bool:
        """Whether it outlasts the program."""
        return True

    @property
    def new(self) -> bool:
        """Whether it was begun when it was opened."""
        return self._db.new

    def _moved(self, move: Callable[[Cursor, bool], T]) -> T:
        """Do what moves money; what is promised with it is on the disk before it is committed."""

        def settled(db: Cursor, lost: bool) -> T:
            done = move(db, lost)
            if self._witness is not None and not self._db.grouped:
                self._witness.settle()
            return done

        return self._db.change(settled)

    # ---- money moves ----------------------------------------------------------------------

    def purse(self, player: str) -> int:
        """Give a player's purse in cents; a new player's is :data:`~.ledger.OPENING`."""
        row = self._db.row("select cents from purse where player = %s", (player,))
        return OPENING if row is None else cents_of(row[0])

    def lent(self, player: str) -> int:
        """Give the sum of a player's markers, in cents."""
        query = "select coalesce(sum(cents), 0)::bigint from marker where player = %s"
        row = self._db.row(query, (player,))
        return 0 if row is None else int(row[0])

    def publish(self, commitment: str, at: int) -> None:
        """Have the witness note a commitment that is about to be shown."""
        if self._witness is not None:
            witness = self._witness
            self._moved(lambda db, lost: witness.shows(commitment, at))

    def buy_in(self, sitting: OpenSitting, player: str, at: int, loan: int = 0) -> None:
        """Move the buy-in from the purse to a new sitting, first a loan against a marker to it."""
        s = sitting
        booked = Booked(
            *(s.id, player, s.game, self._kept(s.log), s.seed, at, s.bought, None, None, s.known)
        )

        def move(db: Cursor, lost: bool) -> None:
            if (
                lost
                and db.execute(
                    "select 1 from sitting where id = %s and player = %s and opened = %s "
                    "and head is not distinct from %s",
                    (s.id, player, at, s.known.head),
                ).fetchone()
            ):
                return  # it was done, only the answer was lost
            db.execute(_INSERT, row_of(booked))
            held = _locked(db, player) + loan
            if s.bought > held:
                raise LedgerError(f"{player}'s purse does not hold the buy-in of {s.bought} cents")
            db.execute("update purse set cents = %s where player = %s", (held - s.bought, player))
            if loan:
                db.execute("insert into marker values (%s, %s, %s)", (player, at, loan))
            if self._witness is not None:  # last: nothing is promised that is not booked
                self._witness.begins(s, player, at, loan)

        self._moved(move)

    def lend(self, player: str, cents: int, at: int) -> None:
        """Move a loan to a player's purse against a marker, without a sitting."""
        marker = (player, at, cents)

        def move(db: Cursor, lost: bool) -> None:
            noted = "select 1 from marker where player = %s and at = %s and cents = %s"
            if lost and db.execute(noted, marker).fetchone():
                return  # it was done, only the answer was lost
            held = _locked(db, player)
            db.execute("update purse set cents = %s where player = %s", (held + cents, player))
            db.execute("insert into marker values (%s, %s, %s)", marker)

        self._db.change(move)

    def mark(self, sitting: str, steps: int, mark: str, cents: int) -> bool:
        """Note an open sitting's steps, the hash of the last, and the money after it, in cents."""

        def note(db: Cursor, lost: bool) -> bool:
            if not self._db.grouped:
                db.execute("select set_config('lock_timeout', %s, true)", (_SHORT,))
            sure = self._db.sure(lasting=False)
            try:
                with db.connection.transaction():
                    db.execute(
                        "update sitting set steps = %s, mark = %s, held = %s from "
                        "(select set_config('synchronous_commit', %s, true)) as how "
                        "where id = %s and closed is null",
                        (steps, mark, cents, sure, sitting),
                    )
            except errors.LockNotAvailable:
                return False
            if not db.rowcount:
                raise LedgerLost("has forgotten this session", self._db.name)
            return True

        return self._db.change(note)

    def confirm(self, sitting: str, known: Known) -> None:
        """See that whoever opens the ledger anew finds there what is known of a sitting."""
        row = self._db.row(f"select {_KNOWN}, closed from sitting where id = %s", (sitting,))
        if row is None or (row[-1] is None and known_of(*row[:-1]) != known):
            raise LedgerLost("was replaced by another or older one", self._db.name)

    def cash_out(self, sitting: str, cents: int, last_hash: str | None, at: int) -> bool:
        """Move a sitting's money to the purse, once: false if that was done before."""

        def move(db: Cursor, lost: bool) -> bool:
            found = db.execute(
                "update sitting set closed = %s, cashed = %s, hash = %s, seed = null "
                "where id = %s and closed is null returning player",
                (at, cents, last_hash, sitting),
            ).fetchone()
            if found is not None:
                held = _locked(db, found[0])
                db.execute(
                    "update purse set cents = %s where player = %s", (held + cents, found[0])
                )
                if self._witness is not None:
                    self._witness.ends(sitting, last_hash, at)
            elif lost:  # was it ours whose answer was lost?
                found = db.execute(
                    "select 1 from sitting where id = %s and closed = %s and cashed = %s "
                    "and hash is not distinct from %s",
                    (sitting, at, cents, last_hash),
                ).fetchone()
            return found is not None

        return self._moved(move)

    @contextmanager
    def together(self, *, lasting: bool) -> Iterator[None]:
        """Make one commit of all that one thread does meanwhile; what is refused is undone alone.

        Nothing has happened before this ends, and nothing at all if it raises but
        :class:`~.ledger.LedgerUnsure`.
        """
        with self._db.group(lasting=lasting):
            yield
            if self._witness is not None:
                self._witness.settle()

    # ---- looked up ------------------------------------------------------------------------

    def open_sitting(self, sitting: str) -> OpenSitting | None:
        """Give a sitting, if it waits to be taken up or cashed out."""
        found = self._open("id = %s", sitting)
        return found[0] if found else None

    def open_sittings(self, player: str) -> list[OpenSitting]:
        """List a player's sittings that wait to be taken up or cashed out, oldest first."""
        return self._open("player = %s", player)

    def _open(self, condition: str, value: str) -> list[OpenSitting]:
        rows = self._db.rows(
            f"select id, game, log, seed, bought, held, {_KNOWN} from sitting "
            f"where {condition} and closed is null order by opened, id",
            (value,),
        )
        with self._db.clearly():
            return [
                OpenSitting(
                    *(name, game, self._root / log, seed_of(seed), cents_of(bought)),
                    known_of(*known),
                    maybe_cents(held),
                )
                for name, game, log, seed, bought, held, *known in rows
            ]

    def accounts(self, player: str | None = None) -> dict[str, Account]:
        """List all sittings of a player, or of all, by their id, which is the name of the log."""
        query = "select id, player, bought, cashed from sitting"
        if player is None:
            rows = self._db.rows(query)
        else:
            rows = self._db.rows(f"{query} where player = %s", (player,))
        return {
            name: Account(player, cents_of(bought), maybe_cents(cashed))
            for name, player, bought, cashed in rows
        }

    def moves(self, player: str) -> list[Move]:
        """List a player's finished sittings and loans, oldest first."""
        rows = self._db.rows(
            "select closed as at, game, cashed - bought, log, id from sitting "
            f"where player = %s and closed is not null and {PLAYED} "
            "union all select at, '', cents, '', '' from marker where player = %s "
            "order by at, id",
            (player, player),
        )
        return [
            Move(whole_of(at), game, whole_of(net), str(self._root / log) if log else "")
            for at, game, net, log, _ in rows
        ]

    def known(self, log: Path, hashes: Sequence[str] = ()) -> Known | None:
        """Tell what is known of a log, found by its path or by its first or last line's hash."""
        if not _is_text(str(log)):  # ours are
            return None
        marks = [*hashes]
        row = self._db.row(
            f"select {_KNOWN} from sitting where log = %s or hash = any(%s) or head = any(%s) "
            "order by (hash = any(%s)) is true desc, (head = any(%s)) is true desc limit 1",
            (self._kept(log), marks, marks, marks, marks),
        )
        return None if row is None else known_of(*row)

    def _kept(self, log: Path) -> str:
        """Give a path as it is kept: without this host's own folder."""
        return str(log.relative_to(self._root) if log.is_relative_to(self._root) else log)

    def standings(self) -> list[Standing]:
        """List what each player has won in all sittings that are over, the most first."""
        rows = self._db.rows(
            "select player, sum(cashed - bought)::bigint, count(*) from sitting "
            f"where closed is not null and {PLAYED} group by player order by 2 desc, player"
        )
        return [Standing(player, whole_of(won), whole_of(many)) for player, won, many in rows]

    # ---- all of it ------------------------------------------------------------------------

    def books(self) -> Books:
        """Give all that it holds."""

        def look(db: Cursor, lost: bool) -> Books:
            db.execute("set transaction isolation level repeatable read")  # all of one moment
            return self._books(db)

        return self._db.change(look)

    def _books(self, db: Cursor) -> Books:
        purses = db.execute("select player, cents from purse order by player").fetchall()
        markers = db.execute("select * from marker order by at, player, cents").fetchall()
        sittings = db.execute(
            "select id, player, game, log, seed, opened, bought, closed, cashed, "
            f"held, {_KNOWN} from sitting order by opened, id"
        ).fetchall()
        return Books(
            tuple((player, cents_of(cents)) for player, cents in purses),
            tuple(Marker(player, whole_of(at), whole_of(cents)) for player, at, cents in markers),
            tuple(
                booked_of(name, player, game, str(self._root / log), *rest)
                for name, player, game, log, *rest in sittings
            ),
        )

    def amend(self, before: Books, after: Books) -> None:
        """Put other books in the place of those ``before``, unless they have changed since."""
        rows = [row_of(one) for one in after.sittings]
        kept = [(*row[:3], self._kept(Path(str(row[3]))), *row[4:]) for row in rows]

        def put(db: Cursor, lost: bool) -> None:
            db.execute("lock table sitting, purse, marker in exclusive mode")
            if (now := self._books(db)) != before:
                if lost and now == after:
                    return
                raise LedgerError(f"{self.name} has changed meanwhile; look at it again")
            for table in ("purse", "marker", "sitting"):
                db.execute(f"delete from {table}")
            db.executemany("insert into purse values (%s, %s)", after.purses)
            db.executemany("insert into marker values (%s, %s, %s)", after.markers)
            db.executemany(_INSERT, kept)

        self._db.change(put)

    def close(self) -> None:
        """Close the book, once nobody is at it; whoever waits for it is refused."""
        self._db.close()


def _locked(db: Cursor, player: str) -> int:
    """Give a player's purse, which nobody else changes until this is done."""
    db.execute("insert into purse values (%s, %s) on conflict do nothing", (player, OPENING))
    row = db.execute("select cents from purse where player = %s for update", (player,)).fetchone()
    assert row is not None
    return cents_of(row[0])


def _is_text(path: str) -> bool:
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return "\0" not in path
