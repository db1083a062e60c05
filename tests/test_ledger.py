from __future__ import annotations

import sqlite3
import stat
import threading
from collections.abc import Callable
from contextlib import closing
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from tests.open_files import can_count_files, open_files
from tui_casino.records.ledger import LOAN, OPENING, Ledger, LedgerError, OpenSitting


def sitting(name: str, cents: int) -> OpenSitting:
    return OpenSitting(name, "toy", Path(f"/logs/{name}.jsonl"), b"seed", cents)


def test_a_new_player_has_a_thousand(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "deep" / "ledger.db")
    assert ledger.purse("ann") == OPENING == 100_000
    assert stat.S_IMODE((tmp_path / "deep" / "ledger.db").stat().st_mode) == 0o600


def test_money_moves_at_buy_in_and_cash_out(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "ledger.db")
    ledger.buy_in(sitting("s1", 60_000), "ann", at=1)
    assert ledger.purse("ann") == 40_000
    assert ledger.open_sittings("ann") == [sitting("s1", 60_000)]
    assert ledger.last_hash(Path("/logs/s1.jsonl"), "") is None
    assert ledger.cash_out("s1", 75_050, "abc", at=2)
    assert ledger.purse("ann") == 115_050
    assert ledger.open_sittings("ann") == []
    assert ledger.last_hash(Path("/logs/s1.jsonl"), "") == "abc"
    assert ledger.last_hash(Path("/moved.jsonl"), "abc") == "abc"
    assert ledger.last_hash(Path("/moved.jsonl"), "abd") is None
    assert ledger.purse("bob") == OPENING


def test_cashing_out_twice_pays_once(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "ledger.db")
    ledger.buy_in(sitting("s1", OPENING), "ann", at=1)
    assert ledger.cash_out("s1", 5, None, at=2)
    assert not ledger.cash_out("s1", 5, None, at=3)
    assert not ledger.cash_out("unknown", 5, None, at=3)
    assert ledger.purse("ann") == 5


def test_nobody_buys_in_beyond_the_purse(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "ledger.db")
    with pytest.raises(LedgerError, match="does not hold"):
        ledger.buy_in(sitting("s1", OPENING + 1), "ann", at=1)
    ledger.buy_in(sitting("s2", OPENING), "ann", at=1)
    with pytest.raises(LedgerError):
        ledger.buy_in(sitting("s3", 1), "ann", at=1)
    with pytest.raises(LedgerError):  # one name, one sitting
        ledger.buy_in(sitting("s2", 0), "ann", at=1)
    assert ledger.purse("ann") == 0
    assert len(ledger.open_sittings("ann")) == 1


def test_the_house_lends_against_a_marker(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "ledger.db")
    ledger.buy_in(sitting("s1", OPENING), "ann", at=1)
    ledger.buy_in(sitting("s2", LOAN - 5), "ann", at=2, loan=LOAN)
    assert ledger.purse("ann") == 5
    assert ledger.lent("ann") == LOAN
    with pytest.raises(LedgerError):
        ledger.buy_in(sitting("s3", 2 * LOAN), "ann", at=2, loan=LOAN)
    assert ledger.lent("ann") == LOAN
    assert ledger.lent("bob") == 0


def test_the_seed_is_forgotten_at_cash_out(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "ledger.db")
    ledger.buy_in(sitting("s1", 1), "ann", at=1)
    ledger.cash_out("s1", 1, None, at=2)
    ledger.close()
    rows = sqlite3.connect(tmp_path / "ledger.db").execute("select seed from sitting").fetchall()
    assert rows == [(None,)]


def test_many_programs_at_once(tmp_path: Path) -> None:
    """Twenty threads with ledgers of their own move money about; it adds up to the cent."""
    Ledger(tmp_path / "ledger.db").close()

    def work(number: int) -> None:
        ledger = Ledger(tmp_path / "ledger.db")
        for turn in range(5):
            name = f"s{number}-{turn}"
            ledger.buy_in(sitting(name, 100), "ann", at=turn)
            ledger.cash_out(name, 100 + number, None, at=turn)
        ledger.close()

    threads = [threading.Thread(target=work, args=(number,)) for number in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert Ledger(tmp_path / "ledger.db").purse("ann") == OPENING + 5 * sum(range(20))


def test_what_is_no_ledger_says_so(tmp_path: Path) -> None:
    (tmp_path / "ledger.db").write_bytes(b"not a database, but long enough to be looked at" * 9)
    with pytest.raises(LedgerError, match=r"ledger\.db cannot be used"):
        Ledger(tmp_path / "ledger.db")
    with pytest.raises(LedgerError):
        Ledger(tmp_path)


def test_a_book_that_cannot_be_written_can_be_read(tmp_path: Path) -> None:
    Ledger(tmp_path / "ledger.db").close()
    ledger = Ledger.look_at(tmp_path / "ledger.db")
    assert ledger.last_hash(Path("x"), "y") is None
    with pytest.raises(LedgerError):
        ledger.buy_in(sitting("s1", 1), "ann", at=1)
    with pytest.raises(LedgerError):
        Ledger.look_at(tmp_path / "none.db").purse("ann")


def test_the_seed_is_in_no_repr(tmp_path: Path) -> None:
    assert "seed" not in repr(sitting("s1", 1))


def test_a_newer_ledger_is_left_alone(tmp_path: Path) -> None:
    Ledger(tmp_path / "ledger.db").close()
    with sqlite3.connect(tmp_path / "ledger.db") as db:
        db.execute("pragma user_version = 7")
    db.close()
    with pytest.raises(LedgerError, match="newer program"):
        Ledger(tmp_path / "ledger.db")


def test_a_guests_ledger_is_in_memory() -> None:
    ledger = Ledger(None)
    ledger.buy_in(sitting("s1", OPENING), "guest", at=1)
    ledger.cash_out("s1", 12, None, at=2)
    assert ledger.purse("guest") == 12


# ---- many threads -----------------------------------------------------------------------------

THREADS, TURNS = 8, 200
in_file_and_memory = pytest.mark.parametrize("name", ["ledger.db", None])


def book(folder: Path, name: str | None) -> Ledger:
    return Ledger(folder / name if name else None)


def all_at_once(work: Callable[[int], object]) -> list[BaseException]:
    """Let threads work at the same time; give what they raised."""
    raised: list[BaseException] = []
    start = threading.Barrier(THREADS)

    def run(number: int) -> None:
        start.wait()
        try:
            work(number)
        except BaseException as error:
            raised.append(error)

    threads = [threading.Thread(target=run, args=(number,)) for number in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return raised


@in_file_and_memory
def test_one_ledger_in_many_threads(name: str | None, tmp_path: Path) -> None:
    """Two players in eight threads: each sitting bought and cashed once, to the cent."""
    ledger = book(tmp_path, name)

    def work(number: int) -> None:
        player = ("ann", "bob")[number % 2]
        for turn in range(TURNS):
            one = sitting(f"s{number}-{turn}", 100 + turn)
            ledger.buy_in(one, player, at=turn)
            assert one in ledger.open_sittings(player)
            assert ledger.cash_out(one.id, one.bought + number, None, at=turn)
            assert not ledger.is_open(one.id)

    assert all_at_once(work) == []
    assert ledger.purse("ann") == OPENING + TURNS * (0 + 2 + 4 + 6)
    assert ledger.purse("bob") == OPENING + TURNS * (1 + 3 + 5 + 7)
    accounts = ledger.accounts()
    assert len(accounts) == THREADS * TURNS
    assert all(one.cashed is not None for one in accounts.values())
    assert len(ledger.moves("ann")) == THREADS * TURNS // 2
    ledger.close()


@in_file_and_memory
def test_who_waits_for_a_book_that_is_closed_is_refused(name: str | None, tmp_path: Path) -> None:
    ledger = book(tmp_path, name)

    def work(number: int) -> None:
        for turn in count():
            if number == 0 and turn == 20:
                ledger.close()
                return
            ledger.buy_in(sitting(f"s{number}-{turn}", 1), "ann", at=turn)

    raised = all_at_once(work)
    assert len(raised) == THREADS - 1
    assert all(isinstance(error, LedgerError) for error in raised)
    assert all("closed" in str(error) for error in raised)
    ledger.close()  # again
    if name:
        again = Ledger(tmp_path / name)
        open_ones = again.open_sittings("ann")
        assert again.purse("ann") == OPENING - len(open_ones)
        assert len([one for one in open_ones if one.id.startswith("s0-")]) == 20
        again.close()


def test_a_busy_book_is_waited_for_as_long_as_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "ledger.db"
    Ledger(path).close()
    waited: list[float] = []
    connect: Callable[..., sqlite3.Connection] = sqlite3.connect

    def watched(*args: Any, timeout: float, **others: Any) -> sqlite3.Connection:
        waited.append(timeout)
        return connect(*args, timeout=timeout, **others)

    with closing(connect(path, isolation_level=None)) as other:
        other.execute("begin immediate")
        monkeypatch.setattr(sqlite3, "connect", watched)
        with pytest.raises(LedgerError, match="locked"):
            Ledger(path, patience=0.05)
        assert waited == [0.05]
        other.execute("rollback")
    Ledger(path, patience=0.05).close()


@can_count_files
def test_a_book_that_cannot_be_opened_leaves_no_file_open(tmp_path: Path) -> None:
    path = tmp_path / "ledger.db"
    path.write_bytes(b"not a database, but long enough to be looked at" * 9)
    before = open_files()
    for way in (Ledger, Ledger.look_at):
        with pytest.raises(LedgerError):
            way(path)
    assert open_files() == before
