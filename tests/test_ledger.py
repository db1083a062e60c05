from __future__ import annotations

import sqlite3
import stat
import threading
from pathlib import Path

import pytest

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
