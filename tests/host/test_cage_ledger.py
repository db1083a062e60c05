"""A session's ledger behaves like every other ledger."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.contract import test_ledgers
from tests.contract.test_ledgers import (  # noqa: F401 - tried here over lines to a cage
    test_a_debt_can_be_repaid_in_parts,
    test_buy_in_above_the_balance_is_refused,
    test_cashing_out_twice_pays_once,
    test_checkpoint_has_the_first_line_then_each_round_then_the_last,
    test_checkpoint_of_a_finished_or_unknown_session_is_refused,
    test_ledger_balances_add_up_after_entries_by_many_threads,
    test_ledger_confirms_only_the_current_checkpoint_of_a_session,
    test_loan_is_possible_without_a_session,
    test_loan_raises_balance_and_debt_only_if_the_buy_in_succeeds,
    test_money_moves_at_buy_in_and_cash_out,
    test_moved_log_is_found_by_its_first_or_last_hash,
    test_new_player_has_a_balance_of_one_thousand,
    test_repayment_above_the_debt_or_the_balance_is_refused,
)
from tests.host.cage_processes import Cages, Everybody
from tui_casino.records.ledger import Ledger


@pytest.fixture
def ledger(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Ledger]:
    monkeypatch.setattr(test_ledgers, "TURNS", 5)
    cages = Cages(tmp_path / "ledger.db")
    ledger = Everybody(cages)
    yield ledger
    ledger.close()
    cages.close()
    assert cages.audit == []
