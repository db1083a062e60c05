"""The trainer's log is written for every round, however the round starts and continues."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.games.cribbage.test_step_back import ROUND, type_in
from tests.helpers.arcade_pilot import practice
from tests.helpers.narrow import instance_of, not_none
from tui_casino.engine.event_bus import EventBus
from tui_casino.games.cribbage import DEFINITION
from tui_casino.games.cribbage.face.original_trainer_files import LOG_NAME
from tui_casino.games.cribbage.face.table_catalog import TABLES
from tui_casino.house.lobby import AnySitting, sit_down
from tui_casino.house.resumption import resume_from_log
from tui_casino.house.sitting import branch_sitting
from tui_casino.inputs.files import BadFile
from tui_casino.records.session_log import read_log
from tui_casino.structs import replace

SEED = 7


def at(folder: Path, table: str = "trainer") -> AnySitting:
    """Sit down at a table of the menu, in a house whose player has this folder."""
    seating = TABLES.setup(table)
    source = not_none(seating.source(SEED) if seating.source else None)
    return sit_down(practice(folder), DEFINITION, seating, source)


def trainer_log_lines(folder: Path) -> list[str]:
    return (folder / LOG_NAME).read_text().splitlines()


def whole_round(folder: Path, lines: Sequence[str] = ROUND) -> list[str]:
    folder.mkdir(exist_ok=True)
    with at(folder) as sitting:
        type_in(sitting, *lines)
    return trainer_log_lines(folder)


def test_round_from_the_menu_is_logged_in_the_player_s_folder(tmp_path: Path) -> None:
    log = whole_round(tmp_path)
    assert log[:3] == ["seed,7", "cribbage.RandomPlayer,P0", "cribbage.HumanPlayer,P1"]
    assert sum(line.startswith("show") for line in log) == 3


def test_trainer_log_begins_with_the_deal(tmp_path: Path) -> None:
    with at(tmp_path) as sitting:
        assert not (tmp_path / LOG_NAME).exists()
        sitting.table.run()
        assert (tmp_path / LOG_NAME).exists()


def test_resumed_round_has_a_complete_trainer_log(tmp_path: Path) -> None:
    sitting = at(tmp_path)
    for line in ROUND[:3]:
        sitting.dialogue.answer(line)
    sitting.close()  # as if the program had been killed
    (tmp_path / LOG_NAME).unlink()
    path = sitting.log.path
    with resume_from_log(practice(tmp_path), DEFINITION, path) as again:
        type_in(again, *ROUND[3:])
    assert trainer_log_lines(tmp_path) == whole_round(tmp_path / "other")


def test_branch_and_step_back_have_a_complete_trainer_log(tmp_path: Path) -> None:
    other = whole_round(tmp_path / "other")
    with at(tmp_path) as sitting:
        type_in(sitting, *ROUND)
    (tmp_path / LOG_NAME).unlink()
    discard = next(line.n for line in read_log(sitting.log.path).steps() if line.by == 1)
    with branch_sitting(practice(tmp_path), DEFINITION, sitting.log.path, discard) as again:
        assert trainer_log_lines(tmp_path)[-1] == "discard,P1,[3D,4C]"
        type_in(again, *ROUND[1:])
    assert trainer_log_lines(tmp_path) == other
    assert whole_round(tmp_path, ("x 1 3", "u", *ROUND)) == other


def test_player_without_a_folder_gets_no_trainer_log(tmp_path: Path) -> None:
    seating = TABLES.setup("trainer")
    assert seating.source is not None
    house = replace(practice(tmp_path), folder=None)
    with sit_down(house, DEFINITION, seating, seating.source(SEED)) as sitting:
        type_in(sitting, *ROUND)
    assert not (tmp_path / LOG_NAME).exists()


def test_unwritable_trainer_log_is_reported_and_play_continues(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(EventBus, "on_fault", lambda bus, fault: bus.faults.append(fault))
    (tmp_path / LOG_NAME).mkdir()
    with at(tmp_path) as sitting:
        sitting.dialogue.answer(ROUND[0])
        (tmp_path / LOG_NAME).rmdir()
        type_in(sitting, *ROUND[1:])
    fault = instance_of(BadFile, sitting.table.bus.faults[0])
    assert "the log cannot be written" in str(fault)
    assert trainer_log_lines(tmp_path) == whole_round(tmp_path / "other"), (
        "what was not written comes later"
    )
