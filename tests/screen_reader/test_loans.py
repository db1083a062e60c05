"""Loans are asked for and repaid by ear."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from tests.screen_reader.transcripts import visited
from tui_casino.records.ledger import LOAN_CENTS, OPENING_BALANCE, OpenSitting
from tui_casino.records.sqlite_ledger import SqliteLedger


def lose_everything(folder: Path) -> None:
    with closing(SqliteLedger(folder / "ledger.db")) as ledger:
        one = OpenSitting("old", "baccarat", folder, None, OPENING_BALANCE)
        ledger.buy_in(one, "player", 1)
        ledger.cash_out("old", 0, None, 2)


def money(folder: Path) -> tuple[int, int]:
    """Return the balance and the debt, in cents."""
    with closing(SqliteLedger(folder / "ledger.db")) as ledger:
        return ledger.balance("player"), ledger.debt("player")


def test_loan_in_screen_reader_mode_is_booked_only_after_yes(tmp_path: Path) -> None:
    lose_everything(tmp_path)
    said = visited(["1", "sit", "no", "q"], tmp_path)
    assert any(line.startswith("Your balance of 0 is below the smallest bet.") for line in said)
    assert "Borrow 1,000?" in said
    assert money(tmp_path) == (0, 0)
    said = visited(["1", "sit", "yes", "q", "q"], tmp_path)
    assert "The house lends you 1,000." in said
    assert money(tmp_path) == (LOAN_CENTS, LOAN_CENTS)


def test_debt_is_repaid_from_the_screen_reader_menu(tmp_path: Path) -> None:
    assert not any("Repay debt" in line for line in visited(["q"], tmp_path))
    with closing(SqliteLedger(tmp_path / "ledger.db")) as ledger:
        ledger.lend("player", 500_00, 1)
    said = visited(["repay", "2", "repay", "1", "q"], tmp_path)
    assert "Ann: your balance is 1,500, you owe the house 500." in said
    assert "You repaid 250; you still owe 250." in said
    assert "You repaid 250; you owe nothing now." in said
    assert said[-4:].count("Goodbye.") == 1
    assert money(tmp_path) == (OPENING_BALANCE, 0)
