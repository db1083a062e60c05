"""Another program writes the ledger: the screen says so and waits, till the player gives up."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from textual.screen import Screen

from tests.helpers.arcade_pilot import (
    ME,
    arcade,
    clock,
    leave,
    message_text,
    notes,
    press,
    run_app,
    table,
    until,
)
from tui_casino.house.sitting import House, SittingEnding
from tui_casino.records.ledger import OPENING_BALANCE, LedgerBusy, LedgerError
from tui_casino.records.sqlite_ledger import SqliteLedger
from tui_casino.tui import modals as patience
from tui_casino.tui.menu.screen import Menu
from tui_casino.tui.modals import LedgerBusyDialog
from tui_casino.tui.table.live import LiveTable


@contextmanager
def locked(house: House) -> Iterator[None]:
    """Write in the ledger as another program."""
    assert isinstance(house.ledger, SqliteLedger)
    assert house.ledger.path is not None
    with sqlite3.connect(house.ledger.path, isolation_level=None) as other:
        other.execute("begin immediate")
        try:
            yield
        finally:
            other.execute("rollback")
    other.close()


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[House]:
    monkeypatch.setattr(patience, "PAUSE", 0.001)
    ledger = SqliteLedger(tmp_path / "ledger.db", patience=0)
    yield House(tmp_path / "logs", ledger, ME, clock=clock, folder=tmp_path)
    ledger.close()


def test_balance_can_be_read_while_the_ledger_is_locked(house: House) -> None:
    with locked(house):
        assert isinstance(house.ledger, SqliteLedger)
        assert house.ledger.balance(ME) == OPENING_BALANCE
        assert house.ledger.path is not None
        SqliteLedger(house.ledger.path, patience=0).close()
        with pytest.raises(LedgerBusy, match="is locked"):
            house.ledger.cash_out("none", 0, None, 1)


async def test_opening_and_leaving_a_table_wait_for_a_locked_ledger(house: House) -> None:
    async with run_app(arcade(house)) as pilot:

        async def comes(screen: type[Screen[Any]]) -> None:
            await until(pilot, lambda: isinstance(pilot.app.screen, screen), workers=True)

        with locked(house):
            pilot.app.simulate_key("1")
            await comes(LedgerBusyDialog)
            pilot.app.simulate_key("escape")
            await comes(Menu)
            assert not [*house.logs.glob("*.jsonl")], "no log is left of an attempt"
            pilot.app.simulate_key("1")
            await comes(LedgerBusyDialog)
        await comes(LiveTable)
        sitting = table(pilot.app).sitting
        assert sitting.cents == OPENING_BALANCE
        assert len([*house.logs.glob("*.jsonl")]) == 1
        await press(pilot, "space", "space")
        purse = sitting.cents
        with locked(house):
            pilot.app.simulate_key("escape")
            await comes(LedgerBusyDialog)
            pilot.app.simulate_key("escape")
            await comes(LiveTable)
            assert {sitting.ending} == {None}
            pilot.app.simulate_key("escape")
            await comes(LedgerBusyDialog)
        await comes(Menu)
        assert sitting.ending is SittingEnding.CASHED_OUT
        assert house.ledger is not None
        assert house.ledger.balance(ME) == purse
        assert house.ledger.open_sittings(ME) == []


async def test_credit_is_shown_if_the_balance_cannot_be_read(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*given: object) -> int:
        raise LedgerError("the ledger is gone")

    async with run_app(arcade(house, whole_balance=False)) as pilot:
        await press(pilot, "1", "space", "space")
        with monkeypatch.context() as broken:
            broken.setattr(SqliteLedger, "balance", fails)
            await press(pilot, "dollar_sign")
        credit = table(pilot.app).table.state.credit
        assert message_text(pilot.app) == f"player's credit is {credit}"
        await leave(pilot)


async def test_ledger_error_while_waiting_for_a_lock_is_reported(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*given: object) -> None:
        raise LedgerError("the ledger is gone")

    async with run_app(arcade(house)) as pilot:
        with locked(house):
            pilot.app.simulate_key("1")
            await until(pilot, lambda: isinstance(pilot.app.screen, LedgerBusyDialog))
            monkeypatch.setattr(SqliteLedger, "buy_in", fails)
        await until(pilot, lambda: "the ledger is gone" in " ".join(notes(pilot.app)))
        assert isinstance(pilot.app.screen, Menu)
