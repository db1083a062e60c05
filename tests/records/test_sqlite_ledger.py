from __future__ import annotations

import os
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.helpers.open_files import can_count_files, open_files
from tui_casino.records.ledger import (
    NO_CHECKPOINT,
    OPENING_BALANCE,
    LedgerBusy,
    LedgerDamaged,
    LedgerError,
    LedgerLost,
    LedgerSitting,
    LogCheckpoint,
    Marker,
    OpenSitting,
)
from tui_casino.records.sqlite_ledger import SqliteLedger


def sitting(name: str, cents: int, known: LogCheckpoint = NO_CHECKPOINT) -> OpenSitting:
    return OpenSitting(name, "toy", Path(f"/logs/{name}.jsonl"), b"seed", cents, known)


def test_ledger_folder_is_created_and_its_file_is_private(tmp_path: Path) -> None:
    ledger = SqliteLedger(tmp_path / "deep" / "ledger.db")
    assert ledger.balance("ann") == OPENING_BALANCE == 100_000
    assert stat.S_IMODE((tmp_path / "deep" / "ledger.db").stat().st_mode) == 0o600
    ledger.close()


def test_file_that_is_not_a_ledger_is_refused(tmp_path: Path) -> None:
    (tmp_path / "ledger.db").write_bytes(b"not a database, but long enough to be looked at" * 9)
    with pytest.raises(LedgerError, match=r"ledger\.db cannot be used"):
        SqliteLedger(tmp_path / "ledger.db")
    with pytest.raises(LedgerError):
        SqliteLedger(tmp_path)


def test_ledger_opened_for_reading_refuses_entries(tmp_path: Path) -> None:
    SqliteLedger(tmp_path / "ledger.db").close()
    ledger = SqliteLedger.look_at(tmp_path / "ledger.db")
    assert ledger.checkpoint_of(Path("x"), ("y", "z")) is None
    with pytest.raises(LedgerError):
        ledger.buy_in(sitting("s1", 1), "ann", at=1)
    with pytest.raises(LedgerError):
        SqliteLedger.look_at(tmp_path / "none.db").balance("ann")


def test_ledger_of_a_newer_version_is_refused(tmp_path: Path) -> None:
    SqliteLedger(tmp_path / "ledger.db").close()
    with sqlite3.connect(tmp_path / "ledger.db") as db:
        db.execute("pragma user_version = 7")
    db.close()
    with pytest.raises(LedgerError, match="newer program"):
        SqliteLedger(tmp_path / "ledger.db")


def test_entry_waits_for_a_busy_ledger_up_to_the_given_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "ledger.db"
    SqliteLedger(path).close()
    waited: list[float] = []
    connect: Callable[..., sqlite3.Connection] = sqlite3.connect

    def watched(*args: Any, timeout: float, **others: Any) -> sqlite3.Connection:
        waited.append(timeout)
        return connect(*args, timeout=timeout, **others)

    with closing(connect(path, isolation_level=None)) as other:
        other.execute("begin immediate")
        monkeypatch.setattr(sqlite3, "connect", watched)
        with closing(SqliteLedger(path, patience=0.05)) as ledger:  # to open it writes nothing
            with pytest.raises(LedgerBusy, match="locked"):
                ledger.buy_in(sitting("s1", 1), "ann", at=1)
            assert waited == [0.05]
            other.execute("rollback")
            ledger.buy_in(sitting("s1", 1), "ann", at=1)


@can_count_files
def test_ledger_that_cannot_be_opened_leaves_no_open_file(tmp_path: Path) -> None:
    path = tmp_path / "ledger.db"
    path.write_bytes(b"not a database, but long enough to be looked at" * 9)
    before = open_files()
    for way in (SqliteLedger, SqliteLedger.look_at):
        with pytest.raises(LedgerError):
            way(path)
    assert open_files() == before


# ---- one that an older program wrote ----------------------------------------------------------

VERSION_1 = """
create table purse (player text primary key, cents integer not null check (cents >= 0)) strict;
create table marker (player text not null, at integer not null, cents integer not null) strict;
create table sitting (
  id text primary key, player text not null, game text not null, log text not null, seed blob,
  opened integer not null, bought integer not null check (bought >= 0),
  closed integer, cashed integer check (cashed >= 0), hash text) strict;
create index sitting_by_player on sitting (player, closed);
insert into purse values ('ann', 250);
insert into marker values ('ann', 3, 100000);
insert into sitting values ('s1', 'ann', 'toy', '/logs/s1.jsonl', null, 1, 100000, 2, 50, 'last');
insert into sitting values
  ('s2', 'ann', 'toy', '/logs/s2.jsonl', x'73656564', 3, 99800, null, null, null);
pragma user_version = 1;
"""


@pytest.fixture
def old(tmp_path: Path) -> Path:
    path = tmp_path / "ledger.db"
    with closing(sqlite3.connect(path)) as db:
        db.execute("pragma journal_mode = wal")
        db.executescript(VERSION_1)
    return path


def test_ledger_of_an_older_version_is_upgraded(old: Path) -> None:
    for _ in range(2):
        ledger = SqliteLedger(old)
        assert not ledger.new
        assert ledger.balance("ann") == 250
        assert ledger.books().markers == (Marker("ann", 3, 100_000),)
        assert ledger.open_sittings("ann") == [sitting("s2", 99_800)]
        assert ledger.checkpoint_of(Path("/logs/s1.jsonl")) == LogCheckpoint(last="last")
        assert ledger.checkpoint_of(Path("/logs/s2.jsonl")) == NO_CHECKPOINT
        ledger.close()
    with closing(sqlite3.connect(old)) as db:
        assert db.execute("pragma user_version").fetchone() == (2,)
        assert db.execute("pragma integrity_check").fetchone() == ("ok",)


def test_session_of_an_older_ledger_gets_checkpoints_from_its_next_round(old: Path) -> None:
    ledger = SqliteLedger(old)
    ledger.confirm("s2", NO_CHECKPOINT)
    ledger.checkpoint("s2", 9, "ninth", 7)
    ledger.confirm("s2", LogCheckpoint(None, 9, "ninth"))
    ledger.cash_out("s2", 5, "end", at=4)
    assert ledger.books().sittings[1] == LedgerSitting(
        "s2",
        "ann",
        "toy",
        "/logs/s2.jsonl",
        None,
        3,
        99_800,
        4,
        5,
        LogCheckpoint(None, 9, "ninth", "end"),
        7,
    )
    ledger.close()


def test_reading_a_ledger_of_an_older_version_does_not_change_its_file(old: Path) -> None:
    raw = old.read_bytes()
    ledger = SqliteLedger.look_at(old)
    assert ledger.checkpoint_of(Path("/logs/s1.jsonl")) == LogCheckpoint(last="last")
    assert ledger.checkpoint_of(Path("/moved"), ("x", "last")) == LogCheckpoint(last="last")
    assert len(ledger.books().sittings) == 2
    ledger.close()
    assert old.read_bytes() == raw


# ---- one that is harmed while it is open --------------------------------------------------------


def deleted(path: Path) -> None:
    path.unlink()


def replaced(path: Path) -> None:
    raw = path.read_bytes()
    path.unlink()
    path.with_name("in between").write_bytes(b"so that the next file is another")
    path.write_bytes(raw)


def cut(path: Path) -> None:
    os.truncate(path, 0)


def moved(path: Path) -> None:
    path.rename(path.with_name("moved"))


HARM = {
    "database deleted": ("", deleted),
    "database replaced": ("", replaced),
    "database moved": ("", moved),
    "database truncated": ("", cut),
    "write-ahead log deleted": ("-wal", deleted),
    "shared-memory file deleted": ("-shm", deleted),
    "write-ahead log replaced": ("-wal", replaced),
}


@pytest.mark.parametrize("harm", HARM)
def test_external_change_of_the_ledger_file_is_detected(harm: str, tmp_path: Path) -> None:
    """At each round's end, before a cash-out is claimed, and before anything else is written."""
    path = tmp_path / "ledger.db"
    ledger = SqliteLedger(path)
    known = LogCheckpoint(head="first")
    ledger.buy_in(sitting("s1", 100, known), "ann", at=1)
    ledger.confirm("s1", known)
    suffix, do = HARM[harm]
    do(path.with_name(path.name + suffix))
    ways: tuple[Callable[[], object], ...] = (
        lambda: ledger.checkpoint("s1", 1, "x", 7),
        lambda: ledger.confirm("s1", known),
        lambda: ledger.cash_out("s1", 100, "last", at=2),
        lambda: ledger.buy_in(sitting("s2", 1), "ann", at=2),
    )
    for way in ways:
        with pytest.raises(LedgerLost, match=r"while in use.*tui-casino ledger rebuild"):
            way()
    ledger.close()


def test_ledger_moved_away_and_back_can_be_used(tmp_path: Path) -> None:
    path, away = tmp_path / "ledger.db", tmp_path / "away.db"
    ledger = SqliteLedger(path)
    ledger.buy_in(sitting("s1", 100), "ann", at=1)
    path.rename(away)
    with pytest.raises(LedgerLost, match="was deleted"):
        ledger.cash_out("s1", 100, "last", at=2)
    away.rename(path)
    assert ledger.cash_out("s1", 100, "last", at=2)
    ledger.close()


def test_older_copy_written_over_the_ledger_is_detected(tmp_path: Path) -> None:
    """Into the very same file, so that only what it says betrays it."""
    path, copy = tmp_path / "ledger.db", tmp_path / "copy.db"
    ledger = SqliteLedger(path)
    known = LogCheckpoint(head="first")
    ledger.buy_in(sitting("s1", 100, known), "ann", at=1)
    ledger.copy_to(copy)
    ledger.checkpoint("s1", 5, "fifth", 7)
    known = LogCheckpoint("first", 5, "fifth")
    ledger.confirm("s1", known)
    with closing(sqlite3.connect(path)) as db:  # as it would be had it been written back
        db.execute("pragma wal_checkpoint(truncate)")
    path.write_bytes(copy.read_bytes())
    with pytest.raises(LedgerLost):
        ledger.confirm("s1", known)
    ledger.close()


def test_opening_a_ledger_twice_keeps_its_locks_for_other_programs(tmp_path: Path) -> None:
    """To open it once more in this process, and to close that, must not end the locks on it."""
    path = tmp_path / "ledger.db"
    ledger = SqliteLedger(path)
    SqliteLedger(path).close()
    ledger.buy_in(sitting("s1", 1), "ann", at=1)
    program = (
        "import sqlite3, sys; db = sqlite3.connect(sys.argv[1], timeout=0);"
        "print(db.execute('select count(*) from sitting').fetchone()[0]); db.close()"
    )
    ran = subprocess.run([sys.executable, "-c", program, str(path)], capture_output=True, text=True)
    assert ran.stdout == "1\n", ran.stderr
    assert path.with_name("ledger.db-wal").exists(), "it was not the last to have it open"
    assert ledger.cash_out("s1", 1, None, at=2)
    ledger.close()


def test_ledger_checkpoint_is_skipped_while_locked_and_made_later(tmp_path: Path) -> None:
    path = tmp_path / "ledger.db"
    ledger = SqliteLedger(path)
    ledger.buy_in(sitting("s1", 1), "ann", at=1)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("begin immediate")
        assert not ledger.checkpoint("s1", 1, "x", 7)
        other.execute("rollback")
    assert ledger.checkpoint("s1", 2, "y", 7)
    ledger.close()


def test_ledger_syncs_every_entry_except_checkpoints(tmp_path: Path) -> None:
    ledger = SqliteLedger(tmp_path / "ledger.db", patience=3)
    ledger.buy_in(sitting("s1", 1), "ann", at=1)
    ledger.checkpoint("s1", 1, "x", 7)
    for pragma, value in (("synchronous", 2), ("busy_timeout", 3000)):
        assert ledger._db.execute(f"pragma {pragma}").fetchone() == (value,)
    ledger.close()


@pytest.mark.parametrize("way", [SqliteLedger, SqliteLedger.look_at])
def test_damaged_ledger_and_newer_format_raise_different_errors(
    way: Callable[[Path], SqliteLedger], tmp_path: Path
) -> None:
    """One that is damaged may be put aside; one that is locked or of a newer program may not."""
    path = tmp_path / "ledger.db"
    path.write_bytes(b"not a database, but long enough to be looked at" * 9)
    with pytest.raises(LedgerDamaged):
        way(path).books()
    path.unlink()
    SqliteLedger(path).close()
    with closing(sqlite3.connect(path)) as db:
        db.execute("drop table purse")
    with pytest.raises(LedgerDamaged):
        way(path).books()
    with closing(sqlite3.connect(path)) as db:
        db.execute("pragma user_version = 99")
    with pytest.raises(LedgerError) as newer:
        way(path).books()
    assert not isinstance(newer.value, LedgerDamaged)


def test_locked_ledger_is_not_reported_as_damaged(tmp_path: Path) -> None:
    path = tmp_path / "ledger.db"
    SqliteLedger(path).close()
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("begin immediate")
        with (
            closing(SqliteLedger(path, patience=0)) as ledger,
            pytest.raises(LedgerError) as locked,
        ):
            ledger.buy_in(sitting("s1", 1), "ann", at=1)
    assert not isinstance(locked.value, LedgerDamaged)


# ---- a medium that cannot be written -----------------------------------------------------------


def test_a_ledger_on_a_read_only_medium_is_read_without_new_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "ledger.db"
    ledger = SqliteLedger(path)
    balance = ledger.balance("ann")
    ledger.close()
    before = sorted(tmp_path.iterdir())
    monkeypatch.setattr("os.access", lambda *where: False)
    with closing(SqliteLedger.look_at(path)) as looked:
        assert looked.balance("ann") == balance
        assert sorted(tmp_path.iterdir()) == before


def test_reading_a_read_only_ledger_includes_entries_in_the_wal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "ledger.db"
    with closing(SqliteLedger(path)) as ledger:
        ledger.buy_in(OpenSitting("s", "baccarat", tmp_path, None, 100), "ann", 1)
        assert path.with_name("ledger.db-wal").stat().st_size
        monkeypatch.setattr("os.access", lambda *where: False)
        with closing(SqliteLedger.look_at(path)) as looked:
            assert looked.balance("ann") == ledger.balance("ann")
