"""``tui-casino verify`` on a log and on a folder of logs."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from tests.helpers.command_runner import Ran, output, run
from tests.helpers.ledger_sessions import (
    PURSED,
    chained,
    house_in,
    ledger_of,
    lines_of,
    played,
    write,
)
from tui_casino.cli import verify
from tui_casino.house.paths import ledger_file
from tui_casino.house.sitting import House


@pytest.fixture
def house() -> House:
    return house_in(ledger_file().parent)


@pytest.fixture
def folder(house: House, tmp_path: Path) -> Path:
    """A log a game that the ledger knows, and of the first one all that can become of a log."""
    paths = [played(game, house, number).log.path for number, game in enumerate(PURSED)]
    ledger_of(house).close()
    folder = paths[0].parent
    lines = lines_of(paths[0])
    lines[0]["program"] = "somebody's"
    lines = chained(lines)
    write(folder / "strange.jsonl", lines)
    lines[5]["at"] += 1
    write(folder / "tampered.jsonl", lines)
    (folder / "torn.jsonl").write_text('{"format"')
    (folder / "newer.jsonl").write_text('{"format":99}\n')
    (folder / "notes.txt").write_text("not a log")
    return folder


def summary(ran: Ran) -> str:
    return ran.out.splitlines()[-1]


def check_lines(ran: Ran) -> None:
    lines = ran.out.splitlines()
    assert len(lines) == len(PURSED) + 4 + 1
    for game in PURSED:
        (line,) = (line for line in lines if f"-{game.slug}-" in line)
        assert line.startswith("authentic: ")
        assert line.endswith("every card follows from the committed seed")
    said = "\n".join(lines)
    assert "\nconsistent: strange.jsonl: " in said
    assert "\ndiffers: tampered.jsonl:7: step 6: its hash is not that of the previous line" in said
    assert "\ncannot be read: torn.jsonl:1: no complete first line" in said
    assert "\ncannot be read: newer.jsonl:1: written by a newer program" in said
    assert "notes.txt" not in said
    found = f"{len(PURSED)} authentic, 1 consistent, 1 differs, 2 cannot be read"
    assert summary(ran) == f"{len(PURSED) + 4} logs: {found}"


def test_verify_of_a_folder_prints_a_line_per_log_and_a_summary(folder: Path) -> None:
    ran = run(["verify", str(folder)])
    assert ran.code == 1
    check_lines(ran)


def test_verify_prints_the_same_with_one_process_and_with_several(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    alone = run(["verify", str(folder)])
    monkeypatch.setattr(verify, "WORTH_PROCESSES", 0)
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    together = run(["verify", str(folder)])
    assert together == alone
    check_lines(together)


def test_verify_of_an_intact_folder_succeeds(folder: Path) -> None:
    for bad in ("tampered", "torn", "newer"):
        (folder / f"{bad}.jsonl").unlink()
    assert run(["verify", str(folder)]).code == 0


def test_verify_of_a_folder_with_an_unreadable_log_exits_with_code_2(folder: Path) -> None:
    (folder / "tampered.jsonl").unlink()
    assert run(["verify", str(folder)]).code == 2


def test_verify_refuses_a_folder_without_logs_and_says_that_it_has_none(tmp_path: Path) -> None:
    assert "contains no logs" in output("verify", str(tmp_path), code=2).err


def test_verify_reports_a_log_copied_elsewhere_as_authentic(folder: Path, tmp_path: Path) -> None:
    (log, *_) = (path for path in folder.iterdir() if f"-{PURSED[0].slug}-" in path.name)
    moved = shutil.copy(log, tmp_path / "moved.jsonl")
    assert run(["verify", str(moved)]).out.startswith("authentic: ")


def test_verify_reports_a_clock_that_was_set_back_during_a_session(tmp_path: Path) -> None:
    times = iter(range(2_000_000_000_000, 0, -1))
    log = played(PURSED[0], house_in(tmp_path, lambda: next(times))).log.path
    err = output("verify", str(log)).err
    assert err == "the clock was set back before step 1; times are not part of the verification\n"
