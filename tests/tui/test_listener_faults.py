"""A subscriber of a table may fail: the player gets one message and can continue."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import NoReturn

import pytest

from tests.helpers.arcade_pilot import (
    arcade,
    notes,
    practice,
    press,
    run_app,
    table,
    type_line,
    with_purse,
)
from tests.tui.test_cribbage import GREEDY, at_cribbage
from tui_casino.engine.event_bus import EventBus
from tui_casino.gamekit.table_catalog import TableSetup
from tui_casino.games.cribbage.face.table_catalog import CribbageSetup
from tui_casino.games.cribbage.machine.state import TRAINING
from tui_casino.games.video_poker.machine.game import Options
from tui_casino.records.session_log import read_log


@pytest.fixture(autouse=True)
def _faults_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are fatal in tests else."""
    monkeypatch.setattr(EventBus, "on_fault", lambda bus, fault: bus.faults.append(fault))


async def test_unwritable_extra_log_is_reported_once_and_play_continues(tmp_path: Path) -> None:
    stored = tmp_path / "kept"
    stored.mkdir()
    path = stored / "cribbage.log"
    async with at_cribbage(tmp_path, CribbageSetup(TRAINING, GREEDY, 55510, path)) as pilot:
        app, before = pilot.app, table(pilot.app).sitting.log.steps
        assert not [note for note in notes(app) if "cribbage.log" in note]
        stored.rename(tmp_path / "moved")
        await type_line(pilot, "x 1 2")
        reason = f"{path}: the log cannot be written: No such file or directory."
        assert [note for note in notes(app) if "cribbage.log" in note] == [reason]
        assert len(table(app).table.bus.faults) > 1
        await type_line(pilot, "1")
        assert table(app).sitting.log.steps > before + 1, "play goes on"
        assert notes(app).count(reason) == 1


def _breaks(event: object) -> NoReturn:
    raise ZeroDivisionError("a plugin's own fault")


async def test_listener_error_is_written_to_a_report_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    seating = TableSetup(Options(), listener=lambda source: _breaks)
    app = arcade(practice(tmp_path), seed=1, game="video-poker", seating=seating)
    async with run_app(app) as pilot:
        await press(pilot, "space")
        (note,) = (note for note in notes(app) if "background task" in note)
        (report,) = tmp_path.glob("tui-casino-error-*.txt")
        assert note.endswith(f"was written to {report}.")
        assert "ZeroDivisionError" in report.read_text()
        await press(pilot, "space")
        assert len([*tmp_path.glob("tui-casino-error-*.txt")]) == 1


async def test_play_continues_if_the_error_report_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "gone"))
    seating = TableSetup(Options(), listener=lambda source: _breaks)
    app = arcade(practice(tmp_path), seed=1, game="video-poker", seating=seating)
    async with run_app(app) as pilot:
        await press(pilot, "space")
        (note,) = (note for note in notes(app) if "background task" in note)
        assert note.endswith("The error report could not be written: No such file or directory.")
        assert table(app).sitting.staked, "play goes on"


async def test_lost_ledger_is_reported_and_no_cash_out_is_announced(tmp_path: Path) -> None:
    app = arcade(with_purse(tmp_path), game="video-poker")
    async with run_app(app) as pilot:
        await press(pilot, "space")
        (tmp_path / "ledger.db").unlink()
        await press(pilot, "space")
        table(app).sitting.binding.wait()  # the ledger is written aside; trouble is told at a turn
        await press(pilot, "space", "space")
        (note,) = (note for note in notes(app) if "was deleted while in use" in note)
        assert "tui-casino ledger rebuild" in note
        log = table(app).sitting.log
        await press(pilot, "escape")
        assert not [note for note in notes(app) if "cash out" in note.lower()]
        assert notes(app)[-1].endswith("Your money stays at the table.")
        assert read_log(log.path).end is not None
