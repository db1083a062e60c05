"""What a database that several hosts share adds to the contract of ledgers: others, and deaths."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

import psycopg
import pytest

from tests.contract.test_ledgers import all_at_once, sitting
from tests.helpers.postgres_server import PATIENCE, Server
from tui_casino.inputs.errors import BadInput
from tui_casino.records.ledger import (
    OPENING_BALANCE,
    LedgerBusy,
    LedgerContents,
    LedgerDamaged,
    LedgerError,
    LedgerLost,
    LedgerUnsure,
)
from tui_casino.records.postgres import Postgres
from tui_casino.records.postgres_stores import PostgresLedger
from tui_casino.records.shared_tables import SeatBuyIn, SharedRow, SharedTable
from tui_casino.structs import replace

HERE = Path("/srv/a")


@pytest.fixture
def ledger(database: str) -> Iterator[PostgresLedger]:
    with closing(opened(database)) as ledger:
        yield ledger


def opened(url: str, root: Path = HERE, patience: float | None = None) -> PostgresLedger:
    return PostgresLedger(Postgres(url, patience), root)


def test_each_server_finds_a_log_under_its_own_folder(
    ledger: PostgresLedger, database: str
) -> None:
    log = Path("players/ann/sessions/s1.jsonl")
    one = replace(sitting("s1", 5), log=HERE / log)
    ledger.buy_in(one, "ann", at=1)
    with closing(opened(database, Path("/srv/b"))) as other:
        found = other.open_sitting("s1")
        assert found is not None
        assert found.log == Path("/srv/b") / log
        assert other.checkpoint_of(Path("/srv/b") / log) == one.checkpoint
        assert other.checkpoint_of(HERE / log) is None
        assert other.checkpoint_of(Path("/srv/\udcff")) is None
        other.cash_out("s1", 5, "last", at=2)
        assert other.movements("ann")[0].log == str(Path("/srv/b") / log)
        assert other.books().sittings[0].log == str(Path("/srv/b") / log)
    assert ledger.books().sittings[0].log == str(HERE / log)


# ---- what cannot be used ----------------------------------------------------------------------


def test_missing_database_is_reported_without_its_password(tmp_path: Path) -> None:
    with pytest.raises(LedgerError) as refused:
        Postgres(f"postgresql://ann:geheim@/casino?host={tmp_path}")
    assert f"the database postgresql://{tmp_path}/casino cannot be used" in str(refused.value)
    assert "geheim" not in str(refused.value)
    with pytest.raises(BadInput, match="not a database URL") as wrong:
        Postgres("postgresql://ann:geheim@/casino?nonsense=1")
    assert "geheim" not in str(wrong.value)


def test_database_of_a_newer_program_is_refused(ledger: PostgresLedger, database: str) -> None:
    with psycopg.connect(database) as db:
        db.execute("update casino set version = 9")
    with pytest.raises(LedgerError, match="newer program"):
        Postgres(database)


def test_locked_and_damaged_databases_raise_different_errors(database: str) -> None:
    with closing(opened(database, patience=0.05)) as ledger:
        ledger.buy_in(sitting("s1", 1), "ann", at=1)
        with psycopg.connect(database) as other:
            other.execute("select * from purse for update")
            with pytest.raises(LedgerBusy):
                ledger.cash_out("s1", 1, None, at=2)
        with psycopg.connect(database) as other:
            other.execute("select * from sitting for update")
            assert not ledger.checkpoint("s1", 1, "x", 7)
        assert ledger.checkpoint("s1", 2, "y", 7)
        with psycopg.connect(database) as db:
            db.execute("drop table purse")
        with pytest.raises(LedgerDamaged):
            ledger.balance("ann")


def test_servers_started_together_create_one_ledger(database: str) -> None:
    begun: list[bool] = []

    def work(number: int) -> None:
        with closing(opened(database)) as ledger:
            begun.append(ledger.new)

    assert all_at_once(work) == []
    assert sorted(begun) == [False] * 7 + [True]


def test_amending_a_database_ledger_during_play_causes_no_deadlock(
    ledger: PostgresLedger, database: str
) -> None:
    """They lock rows and tables in other orders; whoever is in the way does it again."""

    def work(number: int) -> None:
        with closing(opened(database)) as own:
            for turn in range(20):
                if number:
                    own.buy_in(sitting(f"s{number}-{turn}", 1), "ann", at=turn, loan=1)
                    own.cash_out(f"s{number}-{turn}", 1, None, at=turn)
                else:
                    before = own.books()
                    with suppress(LedgerError):  # it has changed in the meantime
                        own.amend(before, before)

    assert all_at_once(work) == []
    assert ledger.balance("ann") == OPENING_BALANCE + 7 * 20


# ---- deaths -----------------------------------------------------------------------------------


def adds_up(books: LedgerContents) -> bool:
    """Return whether every cent is in a balance, at a table, or was won or lost there."""
    purses = dict.fromkeys({one.player for one in books.sittings}, OPENING_BALANCE)
    for marker in books.markers:
        purses[marker.player] += marker.cents
    for one in books.sittings:
        purses[one.player] += (one.cashed_out or 0) - one.bought_in
        assert (one.closed is None) == (one.cashed_out is None) == (one.seed is not None)
    return purses == dict(books.balances)


PROGRAM = """
import sys
from itertools import count
from pathlib import Path
from tests.contract.test_ledgers import sitting
from tui_casino.records.postgres import Postgres
from tui_casino.records.postgres_stores import PostgresLedger
from tui_casino.records.shared_tables import SeatBuyIn, SharedRow, SharedTable
url, name = sys.argv[1:]
ledger = PostgresLedger(Postgres(url), Path("/srv"))
for turn in count():
    one = f"{name}-{turn}"
    ledger.buy_in(sitting(one, 100), "ann", at=turn, loan=7)
    print("in", one, flush=True)
    ledger.checkpoint(one, 1, "x", 100)
    ledger.cash_out(one, 100 + turn, "last", at=turn)
    print("out", one, flush=True)
"""


@pytest.mark.prove
def test_killed_program_leaves_no_partial_entry_in_the_database(
    ledger: PostgresLedger, database: str
) -> None:
    """Every confirmed change is stored; any other is stored fully or not at all."""
    dice = random.Random(17)
    playing = [
        subprocess.Popen(
            [sys.executable, "-c", PROGRAM, database, str(number)],
            stdout=subprocess.PIPE,
            text=True,
            env={"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        )
        for number in range(3)
    ]
    said: list[str] = []
    for one in playing:
        assert one.stdout is not None
        said.extend(one.stdout.readline() for _ in range(dice.randrange(20, 60)))
        time.sleep(dice.uniform(0, 0.003))
        one.kill()
        said.extend(one.stdout.readlines())
        one.stdout.close()
        one.wait()
    assert len(said) >= 60, "each of them has played until it was killed"
    books = ledger.books()
    assert adds_up(books)
    booked = {one.id: one for one in books.sittings}
    for line in filter(lambda line: line.endswith("\n"), said):
        way, name = line.split()
        assert name in booked
        assert way == "in" or booked[name].cashed_out is not None


def paid(ledger: PostgresLedger, name: str, at: int) -> bool:
    """Cash out as soon as the pool, which tries now and then, has connected again."""
    until = time.monotonic() + PATIENCE
    while True:
        try:
            return ledger.cash_out(name, 200, "last", at=at)
        except LedgerBusy:
            assert time.monotonic() < until, "the pool does not connect again"
            time.sleep(0.05)


@pytest.mark.prove
def test_killed_database_loses_no_confirmed_entry(postgres: Server) -> None:
    url = postgres.schema()
    with closing(opened(url, patience=1)) as ledger:
        for turn in range(3):
            ledger.buy_in(sitting(f"s{turn}", 100), "ann", at=turn)
            postgres.kill()
            with pytest.raises(LedgerError):
                ledger.cash_out(f"s{turn}", 200, "last", at=turn)
            postgres.start()
            assert paid(ledger, f"s{turn}", at=turn)
        assert adds_up(ledger.books())
        assert ledger.balance("ann") == OPENING_BALANCE + 300


def test_database_entry_is_made_once_although_the_connection_is_cut(
    ledger: PostgresLedger, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After the commit, before its answer: it is not done twice."""
    ledger.buy_in(sitting("s0", 1), "ann", at=1)
    cut: list[int] = []
    leave = psycopg.Transaction.__exit__

    def cut_off(self: psycopg.Transaction, *error: object) -> bool | None:
        left = leave(self, *error)  # type: ignore[arg-type]
        if not cut:
            cut.append(1)
            self.connection.close()
            raise psycopg.OperationalError("the line was cut")
        return left

    for do in (
        lambda: ledger.buy_in(sitting("s1", 100), "ann", at=2),
        lambda: ledger.cash_out("s1", 150, "last", at=3) or pytest.fail("it was not paid"),
    ):
        cut.clear()
        with monkeypatch.context() as patched:
            patched.setattr(psycopg.Transaction, "__exit__", cut_off)
            do()
        assert cut
    assert ledger.balance("ann") == OPENING_BALANCE - 1 + 50
    assert adds_up(ledger.books())


# ---- in one commit ----------------------------------------------------------------------------


def test_database_rolls_back_only_the_refused_entry_of_a_group(
    ledger: PostgresLedger, database: str
) -> None:
    with closing(opened(database)) as other:
        with ledger.together(lasting=True):
            ledger.buy_in(sitting("s1", 100), "ann", at=1)
            with pytest.raises(LedgerError, match="is below the buy-in"):
                ledger.buy_in(sitting("s2", 2 * OPENING_BALANCE), "ann", at=1)
            with pytest.raises(LedgerLost):
                ledger.checkpoint("s2", 1, "x", 7)
            assert ledger.checkpoint("s1", 1, "x", 7)
            assert ledger.balance("ann") == OPENING_BALANCE - 100
            assert other.books() == LedgerContents(), "nothing has happened before it ends"
        assert [one.id for one in other.open_sittings("ann")] == ["s1"]
        with suppress(ZeroDivisionError), ledger.together(lasting=False):
            ledger.cash_out("s1", 100, None, at=2)
            _ = 1 / 0
        assert [one.id for one in other.open_sittings("ann")] == ["s1"]


@pytest.mark.parametrize(
    ("lasting", "waits"),
    [(True, "on"), (False, "off")],
    ids=["lasting group", "group that may be lost"],
)
def test_checkpoint_does_not_weaken_the_durability_of_its_group(
    database: str, lasting: bool, waits: str
) -> None:
    with closing(Postgres(database)) as db:
        ledger = PostgresLedger(db, HERE)
        ledger.buy_in(sitting("s1", 100), "ann", at=1)
        with ledger.together(lasting=lasting):
            ledger.checkpoint("s1", 1, "x", 7)
            with pytest.raises(LedgerError, match="division by zero"):
                db.row("select 1 / 0")
            assert db.row("show synchronous_commit") == (waits,)
        assert db.row("show synchronous_commit") == ("on",)
        assert db.row("show lock_timeout") == ("10s",)


def test_unknown_outcome_of_a_database_commit_is_reported(
    ledger: PostgresLedger, monkeypatch: pytest.MonkeyPatch
) -> None:
    leave = psycopg.Transaction.__exit__

    def cut_off(self: psycopg.Transaction, *error: object) -> bool | None:
        leave(self, *error)  # type: ignore[arg-type]
        self.connection.close()
        raise psycopg.OperationalError("the line was cut")

    with monkeypatch.context() as patched:
        patched.setattr(psycopg.Transaction, "__exit__", cut_off)
        with pytest.raises(LedgerUnsure, match="was lost: the line was cut"):
            ledger.buy_in(sitting("s1", 100), "ann", at=2)
        with (
            pytest.raises(LedgerUnsure, match="was lost: the line was cut"),
            ledger.together(lasting=True),
        ):
            pass
    assert ledger.balance("ann") == OPENING_BALANCE - 100


# ---- tables of several people -----------------------------------------------------------------


def test_tables_are_added_beside_an_older_server(ledger: PostgresLedger, database: str) -> None:
    """The version stays, so that the older one goes on; columns that came later are added."""
    ledger.shared_tables()
    with psycopg.connect(database) as db:
        db.execute("drop table table_presence")
        db.execute("alter table shared_table drop column seconds, drop column frozen")
    with closing(opened(database)) as other:

        def work(number: int) -> None:
            other.shared_tables()

        assert all_at_once(work) == []
        assert other.shared_tables().open_tables() == []
        query = "select id from sitting where id = 'x' union all select code from table_presence"
        assert other._rows(query) == []
    with psycopg.connect(database) as db:
        assert db.execute("select version from casino").fetchall() == [(2,)]


def test_seat_is_taken_once_although_the_answer_was_lost(
    ledger: PostgresLedger, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A commit whose answer is lost is tried again, and recognises the rows and their money."""
    tables, now = ledger.shared_tables(), 1_000
    begin, end = (SharedRow(line, "ann", "s1", now) for line in (b"header", b"step"))
    buys = SeatBuyIn(sitting("s1", 40), "ann", now)
    entry = SharedTable("K7QX", "toy", "ann", now, b"seed")
    cut: list[int] = []
    leave = psycopg.Transaction.__exit__

    def cut_off(self: psycopg.Transaction, *error: object) -> bool | None:
        done = leave(self, *error)  # type: ignore[arg-type]
        if not cut:
            cut.append(1)
            self.connection.close()
            raise psycopg.OperationalError("the line was cut")
        return done

    with monkeypatch.context() as patched:
        patched.setattr(psycopg.Transaction, "__exit__", cut_off)
        tables.create(entry, [begin])
        assert cut.pop()
        assert tables.append("K7QX", 1, [end], [buys])
        assert cut
    assert not tables.append("K7QX", 1, [end], [buys])
    with pytest.raises(LedgerError, match="already a table"):
        tables.create(entry, [begin])
    assert tables.rows("K7QX") == [begin, end]
    assert ledger.balance("ann") == OPENING_BALANCE - 40
    assert tables.pays("s1")
    tables.close("K7QX", now)
    assert not tables.pays("s1")
