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
from tui_casino.records.log_catalog import log_paths


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


@pytest.mark.parametrize("least", [0, verify.WORTH_PROCESSES], ids=["several", "one"])
def test_verify_of_a_folder_names_entries_that_are_no_files_and_verifies_the_rest(
    folder: Path, monkeypatch: pytest.MonkeyPatch, least: int
) -> None:
    monkeypatch.setattr(verify, "WORTH_PROCESSES", least)
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    (folder / "tampered.jsonl").unlink()
    (folder / "dangling.jsonl").symlink_to("nowhere")
    (folder / "loop.jsonl").symlink_to("loop.jsonl")
    (folder / "folder.jsonl").mkdir()
    os.mkfifo(folder / "pipe.jsonl")
    ran = run(["verify", str(folder)])
    assert ran.code == 2
    lines = ran.out.splitlines()
    for line in (
        "cannot be read: dangling.jsonl: No such file or directory",
        "cannot be read: loop.jsonl: Too many levels of symbolic links",
        "cannot be read: folder.jsonl: Is a directory",
        "cannot be read: pipe.jsonl: it is a pipe; give a regular file",
    ):
        assert line in lines
    found = f"{len(PURSED)} authentic, 1 consistent, 0 differ, 6 cannot be read"
    assert lines[-1] == f"{len(PURSED) + 7} logs: {found}"


def test_verify_of_a_folder_goes_on_if_a_log_is_deleted_meanwhile(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def paths(where: Path) -> list[Path]:
        return [*log_paths(where), where / "deleted.jsonl"]

    monkeypatch.setattr(verify, "log_paths", paths)
    ran = run(["verify", str(folder)])
    assert ran.code == 1
    assert "cannot be read: deleted.jsonl: No such file or directory" in ran.out.splitlines()
    assert f"{len(PURSED)} authentic" in summary(ran)


def test_verify_tells_bytes_after_the_end_from_a_log_that_is_cut_off(folder: Path) -> None:
    (log, *_) = (path for path in folder.iterdir() if f"-{PURSED[0].slug}-" in path.name)
    raw = log.read_bytes()
    log.write_bytes(raw + bytes(100))
    ran = run(["verify", str(log)])
    assert (ran.code, ran.out.startswith("authentic: ")) == (0, True)
    assert ran.err == f"{log}: 100 bytes after its last line are ignored\n"
    assert "; 100 bytes after its last line are ignored" in run(["verify", str(folder)]).out
    log.write_bytes(raw[:-1])
    assert "cut off after step" in run(["verify", str(log)]).err


def test_verify_names_line_ends_that_another_program_has_changed(folder: Path) -> None:
    reason = "it ends with CR LF instead of LF: another program has changed the file"
    for log in [path for path in folder.iterdir() if path.name[:2] == "20"]:
        raw = log.read_bytes()
        for count, line in ((-1, "1: the header"), (1, "1: the header")):
            log.write_bytes(raw.replace(b"\n", b"\r\n", count))
            ran = run(["verify", str(log)])
            assert ran.code == 1
            assert f"differs: {log}:{line}: {reason}" in ran.out
        first, second, *rest = raw.splitlines(keepends=True)
        log.write_bytes(b"".join([first, second.replace(b"\n", b"\r\n"), *rest]))
        assert f"differs: {log}:2: step 1: {reason}" in run(["verify", str(log)]).out


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
