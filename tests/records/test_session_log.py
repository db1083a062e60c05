"""The session log's own promises: whole lines or nothing, locked, private, honest about damage."""

from __future__ import annotations

import errno
import os
import stat
import time
import tracemalloc
from contextlib import ExitStack
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from msgspec import Struct

from tests.contract.test_records import clock, header_of, record
from tests.helpers.faulty_toy import toy
from tests.helpers.parameter_ids import labelled
from tests.helpers.random_play import fair_table, play, seed_of, with_wild
from tui_casino.engine.game import Seat
from tui_casino.inputs.files import BadFile
from tui_casino.records.log_catalog import hold_lock
from tui_casino.records.replay import ProofLevel, verify_log
from tui_casino.records.session_log import (
    IN_MEMORY,
    TAKEN_BACK,
    LogInUse,
    LogWriter,
    SittingResult,
    is_log_over,
    line_hash,
    read_log,
)

DEFINITION = with_wild(toy())


class Long(Struct, frozen=True):
    """An action that takes room."""

    text: str


def begun(path: Path) -> LogWriter:
    return LogWriter.begin(path, header_of(fair_table(DEFINITION, seed_of(1))), clock)


def test_log_file_is_readable_only_by_its_owner(tmp_path: Path) -> None:
    begun(tmp_path / "log").close()
    assert stat.S_IMODE((tmp_path / "log").stat().st_mode) == 0o600


def test_each_log_line_contains_the_hash_of_the_line_before(tmp_path: Path) -> None:
    record(toy(), tmp_path / "log", seed_of(1), 20, ())
    log = read_log(tmp_path / "log")
    lines = (tmp_path / "log").read_bytes().splitlines()
    assert log.hash == line_hash(lines[-1])
    for before, line in pairwise(lines):
        assert f'"prev":"{line_hash(before)}"'.encode() in line


def test_two_programs_cannot_write_one_log(tmp_path: Path) -> None:
    log = begun(tmp_path / "log")
    with pytest.raises(LogInUse, match="another program"):
        LogWriter.resume(tmp_path / "log", clock)
    log.close()
    LogWriter.resume(tmp_path / "log", clock)[0].close()


def written(log: LogWriter, size: int) -> None:
    """Write steps until the log has so many bytes; each is as long as the one before."""
    while log.path.stat().st_size < size:
        log.step(Seat(0), Long("x" * 4_000), ())


def test_log_writer_waits_for_a_reader_but_not_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The menu locks a log for a moment to see whether it is in play, while a table opens."""
    path = tmp_path / "log"
    begun(path).close()
    pauses = iter(range(3))
    with ExitStack() as reading:
        assert reading.enter_context(hold_lock(path))

        def pause(_: float) -> None:
            if next(pauses) == 2:
                reading.close()

        monkeypatch.setattr(time, "sleep", pause)
        log, _ = LogWriter.resume(path, clock)
        log.close()
    assert list(pauses) == []
    monkeypatch.setattr(time, "sleep", lambda _: None)
    with hold_lock(path), pytest.raises(LogInUse):  # a reader that does not finish
        LogWriter.resume(path, clock)


@pytest.mark.parametrize("size", [IN_MEMORY // 2, 3 * IN_MEMORY], ids=labelled("{} bytes"))
def test_log_damaged_during_play_is_repaired_before_the_next_line(
    size: int, tmp_path: Path
) -> None:
    log = begun(tmp_path / "log")
    written(log, size)
    for damage in (b"", b"damaged!\n"):
        whole = log.path.read_bytes()
        if damage:
            log.path.write_bytes(whole[: -len(damage)] + damage)
        else:
            log.path.unlink()
        log.step(Seat(0), Long("more"), ())
        assert len(log.take_repaired()) == 1
        assert log.path.read_bytes().startswith(whole)
    whole = log.path.read_bytes()
    log.close()
    again, found = LogWriter.resume(log.path, clock)
    assert again.steps == log.steps == len(found.lines)
    log.path.unlink()
    again.step(Seat(0), Long("more"), ())
    again.close()
    assert log.path.read_bytes().startswith(whole)
    assert all(should == held for _, should, held in read_log(log.path).chain())


def test_long_log_being_written_is_not_kept_in_memory(tmp_path: Path) -> None:
    log = begun(tmp_path / "log")
    written(log, 2 * IN_MEMORY)
    tracemalloc.start()
    try:
        written(log, 20 * IN_MEMORY)
        now, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    log.close()
    assert now < IN_MEMORY / 4


@pytest.mark.parametrize("taken", [0, 1, 50], ids=labelled("{} bytes written"))
def test_full_disk_leaves_no_partial_line_in_the_log(
    taken: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only some bytes of the line fit; after space is freed, the same step is written again."""
    seed = seed_of(1)
    table = fair_table(toy(), seed)
    log = LogWriter.begin(tmp_path / "log", header_of(table), clock)
    table.bus.recorder = log.step
    play(table, seed, 5)
    whole, state = (tmp_path / "log").read_bytes(), table.state
    real = os.write
    room = [taken]

    def write(file: int, data: Any) -> int:
        if not room[0]:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        room[0], size = 0, room[0]
        return real(file, bytes(data)[:size])

    monkeypatch.setattr(os, "write", write)
    with pytest.raises(OSError, match="No space"):
        table.advance()
    monkeypatch.setattr(os, "write", real)
    assert (tmp_path / "log").read_bytes() == whole
    assert table.state == state
    play(table, seed, 30)
    log.close()
    assert read_log(tmp_path / "log").torn == 0
    verdict = verify_log(DEFINITION, read_log(tmp_path / "log"))
    assert verdict.proof is ProofLevel.CONSISTENT


@pytest.mark.parametrize(
    ("raw", "why"),
    [
        (b"", "no complete first line"),
        (b"{", "no complete first line"),
        (b"\n", "no complete first line"),
        (b"hello\n", "not the first line of a log"),
        (b"{}\n", "not the first line of a log"),
        (b'{"format":99}\n', "written by a newer program: format 99, this one reads 1 to 5"),
        (b'{"format":1}\n', "not the first line of a log.*game"),
        (b"[" * 100_000 + b"\n", "not the first line"),
        (b"\xff\xfe\n", "not the first line"),
    ],
)
def test_log_with_an_invalid_first_line_is_refused_with_the_reason(
    raw: bytes, why: str, tmp_path: Path
) -> None:
    (tmp_path / "log").write_bytes(raw)
    with pytest.raises(BadFile, match=why) as bad:
        read_log(tmp_path / "log")
    assert str(bad.value).startswith(f"{tmp_path / 'log'}:1: ")


def test_missing_log_and_folder_are_refused_with_the_reason(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="No such file"):
        read_log(tmp_path / "none")
    with pytest.raises(BadFile, match="directory"):
        read_log(tmp_path)


def test_reading_a_damaged_log_gives_steps_up_to_the_damage_and_its_line(tmp_path: Path) -> None:
    record(toy(), tmp_path / "log", seed_of(1), 20, ())
    lines = (tmp_path / "log").read_bytes().splitlines(keepends=True)
    lines[7] = b'{"n":7,"by":0}\n'
    (tmp_path / "log").write_bytes(b"".join(lines))
    steps = read_log(tmp_path / "log").steps()
    assert [next(steps).n for _ in range(6)] == [1, 2, 3, 4, 5, 6]
    with pytest.raises(BadFile, match=r"log:8: not a step"):
        next(steps)


def test_torn_last_line_of_a_log_is_removed_by_the_next_written_line(tmp_path: Path) -> None:
    record(toy(), tmp_path / "log", seed_of(1), 9, (), end=False)
    whole = (tmp_path / "log").read_bytes()
    (tmp_path / "log").write_bytes(whole + b'{"n":10,"by"')
    log, found = LogWriter.resume(tmp_path / "log", clock)
    assert found.torn == 12
    assert log.steps == 9
    assert (tmp_path / "log").stat().st_size == len(whole) + 12  # who only looks changes nothing
    log.end(SittingResult("left", (50, 50), None))
    log.close()
    after = (tmp_path / "log").read_bytes()
    assert after.startswith(whole + b'{"end":')
    assert read_log(tmp_path / "log").torn == 0


@pytest.mark.parametrize("game", ["baccarat", "cribbage", "video-poker"])
def test_log_is_over_if_its_last_line_is_a_final_end(game: str, tmp_path: Path) -> None:
    golden = Path(__file__).parents[1] / "golden" / game / "session.jsonl"
    raw, path = golden.read_bytes(), tmp_path / "log.jsonl"
    *lines, last = raw.splitlines(keepends=True)
    before = b"".join(lines)
    goes_on = last.replace(b'"why":"', b'"why":"' + TAKEN_BACK.encode() + b'","x":"')
    for text in (raw, raw + b"torn", before, before + last[:-1], lines[0], b"", before + goes_on):
        path.write_bytes(text)
        assert is_log_over(path) == (text.startswith(raw)), text[-80:]
        if text:
            assert is_log_over(path) == read_log(path).over
    path.write_bytes(lines[0] + b"x" * 100_000 + b"\n" + last)
    assert is_log_over(path)
