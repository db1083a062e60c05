"""A session's ledger behaves like every other ledger."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.contract import test_ledgers
from tests.contract.test_ledgers import (  # noqa: F401 - tried here over lines to a cage
    test_a_debt_can_be_repaid_in_parts,
    test_a_log_that_was_moved_is_known_by_either_end,
    test_a_new_player_has_a_thousand,
    test_a_sitting_that_is_over_or_unknown_cannot_be_marked,
    test_cashing_out_twice_pays_once,
    test_it_knows_the_first_line_then_each_round_then_the_last,
    test_money_moves_at_buy_in_and_cash_out,
    test_nobody_buys_in_beyond_the_purse,
    test_nobody_repays_more_than_the_debt_or_the_balance,
    test_one_ledger_in_many_threads,
    test_the_house_lends_against_a_marker,
    test_the_house_lends_without_a_sitting_too,
    test_what_it_was_told_is_confirmed,
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
