"""A recording in odd situations: frames of another log, growth, damage, two threads."""

from __future__ import annotations

import json
import os
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from tests.contract.test_records import clock, header_of, record
from tests.helpers.faulty_toy import toy
from tests.helpers.parameter_ids import labelled
from tests.helpers.random_play import fair_table, play, seed_of, with_wild
from tui_casino.inputs.files import BadFile
from tui_casino.records import playback
from tui_casino.records.cache import Cache
from tui_casino.records.playback import Playback, ReplayMark
from tui_casino.records.session_log import LogWriter, SittingResult
from tui_casino.structs import replace

DEFINITION = with_wild(toy())
STEPS = 200


@pytest.fixture(autouse=True)
def _short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(playback, "FRAME_INTERVAL", 10)


@pytest.fixture
def cache(tmp_path: Path) -> Cache:
    return Cache(tmp_path / "cache" / "records.db")


@pytest.fixture
def log(tmp_path: Path) -> Path:
    record(DEFINITION, tmp_path / "log.jsonl", seed_of(1), STEPS, ())
    return tmp_path / "log.jsonl"


def opened(log: Path, cache: Cache) -> Playback[Any, Any, Any, Any, Any]:
    return Playback(DEFINITION, log, cache)


def states(log: Path) -> list[Any]:
    with opened(log, Cache(None)) as found:
        return [found.moment_at(step).state for step in range(found.steps + 1)]


def test_cached_replay_frames_are_private_to_the_user_and_reused(log: Path, cache: Cache) -> None:
    with opened(log, cache) as found:
        assert found.indexed == 0
        assert list(found.index()) == list(range(10, STEPS + 1, 10))
    assert cache.path is not None
    assert cache.path.stat().st_mode & 0o777 == 0o600
    with opened(log, cache) as found:
        assert found.indexed == STEPS
        assert [found.moment_at(step).state for step in range(STEPS + 1)] == states(log)


def test_replay_frames_of_an_interrupted_indexing_are_kept(log: Path, cache: Cache) -> None:
    with opened(log, cache) as found:
        work = found.index()
        assert [next(work) for _ in range(3)] == [10, 20, 30]
        work.close()
    with opened(log, cache) as found:
        assert found.indexed == 30
        assert found.moment_at(STEPS).state == states(log)[-1]


@pytest.mark.parametrize(("part", "step"), [("encode", 15), ("walk_steps", 15), ("walk_steps", 5)])
def test_replay_step_that_ran_out_of_memory_is_computed_again_later(
    part: str, step: int, log: Path, cache: Cache, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever failed half-way is worked out again, as if it had not been begun."""
    whole, called = getattr(playback, part), 0

    def lacking(*given: Any) -> Any:
        nonlocal called
        called += 1
        if part == "encode" and called in (3, 4):  # after those of the beginning
            raise MemoryError
        found = whole(*given)
        return breaking(found) if part == "walk_steps" and called == step // 10 + 1 else found

    def breaking(steps: Iterator[Any]) -> Iterator[Any]:
        yield next(steps)
        raise MemoryError

    monkeypatch.setattr(playback, part, lacking)
    with opened(log, cache) as found:
        for _ in range(2):
            with suppress(MemoryError):
                found.moment_at(step)
        assert found.moment_at(step).state == states(log)[step]
        list(found.index())
    with opened(log, cache) as found:
        assert found.indexed == STEPS, "the frames are those of the log"


def test_cached_replay_frames_of_a_replaced_log_are_dropped(log: Path, cache: Cache) -> None:
    with opened(log, cache) as found:
        list(found.index())
    log.unlink()
    record(DEFINITION, log, seed_of(2), STEPS, ())
    with opened(log, cache) as found:
        assert found.indexed == 0
        assert found.moment_at(STEPS).state == states(log)[-1]
    assert cache.frames(log) == []


def test_change_within_a_log_drops_only_later_cached_frames(log: Path, cache: Cache) -> None:
    with opened(log, cache) as found:
        list(found.index())
    lines = log.read_bytes().splitlines(keepends=True)
    lines[75] = lines[75].replace(b'"at":1', b'"at":2')
    log.write_bytes(b"".join(lines))
    with opened(log, cache) as found:
        assert found.indexed == 70


def test_missing_cached_replay_frame_is_computed_again(log: Path, cache: Cache) -> None:
    with opened(log, cache) as found:
        list(found.index())
    assert cache.path is not None
    with sqlite3.connect(cache.path) as db:
        db.execute("delete from frame where n = 50")
    with opened(log, cache) as found:
        assert found.indexed == 40
        list(found.index())
        assert [found.moment_at(step).state for step in range(STEPS + 1)] == states(log)


@pytest.mark.parametrize("column", ["state", "tally", "digest", "marks"])
def test_changed_frame_of_the_playback_cache_is_ignored(
    column: str, log: Path, cache: Cache
) -> None:
    with opened(log, cache) as found:
        list(found.index())
    change(cache, f"update frame set {column} = x'00' where n = 50")
    with opened(log, cache) as found:
        assert found.indexed == 40
        assert found.moment_at(55).state == states(log)[55]
        assert found.fault is None


def test_cached_frame_with_a_wrong_state_does_not_change_the_replay(
    log: Path, cache: Cache
) -> None:
    """A poisoned frame never makes an intact log a damaged one, nor shows another table."""
    with opened(log, cache) as found:
        list(found.index())
    assert cache.path is not None
    with sqlite3.connect(cache.path) as db:
        (state,) = db.execute("select state from frame where n = 50").fetchone()
        wrong = {**json.loads(state), "stock": 0, "staked": True, "waits": []}
        db.execute("update frame set state = ? where n = 50", (json.dumps(wrong).encode(),))
    with opened(log, cache) as found:
        assert [found.moment_at(step).state for step in range(STEPS + 1)] == states(log)
        assert found.fault is None


@pytest.mark.parametrize("first", ["at", "index", "next"])
def test_log_has_priority_over_a_sealed_frame_of_the_cache(
    first: str, log: Path, cache: Cache
) -> None:
    with opened(log, cache) as found:
        for _ in zip(range(5), found.index(), strict=False):
            pass  # up to step 50
    *_, frame = cache.frames(log)
    wrong = {**json.loads(frame.state), "stock": 0, "staked": True, "waits": []}
    cache.keep_frames(log, [replace(frame, state=json.dumps(wrong).encode())])
    with opened(log, cache) as found:
        if first == "at":
            found.moment_at(STEPS)
        elif first == "index":
            list(found.index())
        else:
            assert found.next_mark(ReplayMark.ROUND, STEPS) is None
        assert [found.moment_at(step).state for step in range(STEPS + 1)] == states(log)
        assert (found.fault, found.steps) == (None, STEPS)


@pytest.mark.parametrize("fault", ["mode", "link", "short", "pipe"])
def test_frames_sealed_with_an_unsafe_key_are_ignored(fault: str, log: Path, cache: Cache) -> None:
    """Whoever laid the cache there before us does not get his rows believed."""
    with opened(log, cache) as found:
        list(found.index())
    assert cache.path is not None
    key = cache.path.with_suffix(".key")
    if fault == "mode":
        key.chmod(0o644)
    elif fault == "short":
        key.write_bytes(b"x")
    else:
        key.rename(key.with_name("theirs"))
        key.symlink_to("theirs") if fault == "link" else os.mkfifo(key)
    again = Cache(cache.path)
    assert again.frames(log) == []
    assert stat.S_IMODE(key.lstat().st_mode) == 0o600
    with opened(log, again) as found:
        list(found.index())
    assert Cache(cache.path).frames(log)


def change(cache: Cache, statement: str) -> None:
    assert cache.path is not None
    with sqlite3.connect(cache.path) as db:
        db.execute(statement)


def test_playback_follows_a_growing_log_to_its_end(tmp_path: Path, cache: Cache) -> None:
    path, seed = tmp_path / "log.jsonl", seed_of(3)
    table = fair_table(DEFINITION, seed)
    writer = LogWriter.begin(path, header_of(table), clock)
    table.bus.recorder = writer.step
    with opened(path, cache) as found:
        assert (found.steps, found.end, found.refresh()) == (0, None, False)
        for more in (7, 20, 3, 25):
            play(table, seed, more)
            assert found.refresh()
            list(found.index())
            state = found.moment_at(found.steps).state
            assert state == table.state
            assert not found.refresh()
            assert found.moment_at(found.steps).state is state, "it is not replayed again"
            assert found.moment_at(found.steps - 1).step == found.steps - 1
        assert found.steps == 55
        writer.end(SittingResult("left", (0, 0), None))
        writer.close()
        assert not found.refresh()
        assert found.steps == 55
        assert found.end is not None
    with opened(path, cache) as found:
        assert found.indexed == 50


def test_playback_does_not_count_a_torn_last_line_as_a_step(log: Path, cache: Cache) -> None:
    raw = log.read_bytes()
    log.write_bytes(raw[:-30])
    with opened(log, cache) as found:
        assert (found.steps, found.end) == (STEPS, None)


def test_playback_ends_at_a_step_that_is_not_valid(log: Path, cache: Cache) -> None:
    lines = log.read_bytes().splitlines(keepends=True)
    lines[64] = lines[63]
    log.write_bytes(b"".join(lines))
    with opened(log, cache) as found:
        assert found.steps == STEPS
        with pytest.raises(BadFile, match=r"log.jsonl:65: not a step"):
            found.moment_at(64)
        assert found.steps == 63
        assert found.fault is not None
        assert found.fault.startswith("line 65: ")
        assert found.moment_at(63).step == 63
        assert list(found.index()) == [63]
    with opened(log, cache) as found:
        assert list(found.index())[-1] == 63
        assert found.steps == 63
        assert found.next_mark(ReplayMark.ROUND, 63) is None


def test_playback_ends_at_a_step_by_the_wrong_seat(log: Path, cache: Cache) -> None:
    lines = log.read_bytes().splitlines(keepends=True)
    at = next(i for i, line in enumerate(lines) if i > 30 and b'"is":"Deal"' in line)
    lines[at] = lines[at].replace(b'"by":null', b'"by":0')
    log.write_bytes(b"".join(lines))
    with opened(log, cache) as found:
        list(found.index())
        assert found.steps == at - 1


@pytest.mark.parametrize("step", [-1, STEPS + 1], ids=labelled("step {}"))
def test_playback_of_a_step_outside_the_log_raises_an_index_error(
    step: int, log: Path, cache: Cache
) -> None:
    with opened(log, cache) as found, pytest.raises(IndexError, match=f"0 to {STEPS}"):
        found.moment_at(step)


def test_log_deleted_while_open_can_still_be_shown(log: Path, cache: Cache) -> None:
    whole = states(log)
    with opened(log, cache) as found:
        log.unlink()
        with pytest.raises(BadFile, match="no longer exists"):
            found.refresh()
        assert found.moment_at(150).state == whole[150]
    with pytest.raises(BadFile, match="No such file"):
        opened(log, cache)


def test_playback_reports_a_log_replaced_or_shortened_while_open(log: Path, cache: Cache) -> None:
    raw = log.read_bytes()
    with opened(log, cache) as found:
        log.write_bytes(raw[: len(raw) // 2])
        with pytest.raises(BadFile, match="no longer the log that was opened"):
            found.refresh()
        with pytest.raises(BadFile, match="shorter since it was opened"):
            found.moment_at(STEPS)
        assert 0 < found.steps < STEPS
    with opened(log, cache) as found:
        log.unlink()
        log.write_bytes(raw)
        with pytest.raises(BadFile, match="no longer the log that was opened"):
            found.refresh()
    with opened(log, cache) as found:
        list(found.index())
        lines = raw.splitlines(keepends=True)
        log.write_bytes(raw.replace(lines[14], b"x" * (len(lines[14]) - 1) + b"\n"))
        with pytest.raises(BadFile, match="please open it again"):
            found.moment_at(14)
        log.write_bytes(b"".join(lines[:64]) + b"x" * (1 << 21))
        with pytest.raises(BadFile, match="jsonl:65: the line has more than 1,048,576 bytes"):
            found.moment_at(64)


def test_playback_refuses_an_invalid_log_or_a_log_of_another_game(
    tmp_path: Path, log: Path, cache: Cache
) -> None:
    (tmp_path / "empty").touch()
    with pytest.raises(BadFile, match="no complete first line"):
        opened(tmp_path / "empty", cache)
    with pytest.raises(BadFile, match="directory"):
        opened(tmp_path, cache)
    log.write_bytes(log.read_bytes().replace(b'"game":"toy"', b'"game":"whist"', 1))
    with pytest.raises(BadFile, match="a log of whist"):
        opened(log, cache)


def test_playback_can_be_read_while_another_thread_indexes(log: Path, cache: Cache) -> None:
    whole = states(log)
    with opened(log, cache) as found:
        seen: list[int] = []
        worker = Thread(target=lambda: seen.extend(found.index()))
        worker.start()
        for step in range(STEPS, 0, -1):
            assert found.moment_at(step).state == whole[step]
        worker.join()
        assert found.indexed == STEPS
    assert [frame.n for frame in cache.frames(log)] == list(range(10, STEPS + 1, 10))


def test_two_open_playbacks_can_index_the_same_log_in_turns(log: Path, cache: Cache) -> None:
    with opened(log, cache) as one, opened(log, cache) as other:
        ours, theirs = one.index(), other.index()
        for _ in range(5):
            next(ours), next(ours), next(theirs)
        theirs.close()
        list(ours)
    with opened(log, cache) as found:
        assert found.indexed == STEPS
        assert [found.moment_at(step).state for step in range(STEPS + 1)] == states(log)


@pytest.mark.parametrize("damage", ["text", "zeros", "folder"])
def test_damaged_cache_does_not_affect_playback(damage: str, log: Path, cache: Cache) -> None:
    path = cache.path
    assert path is not None
    with opened(log, cache) as found:
        list(found.index())
    if damage == "folder":
        cache = Cache(log.parent)
    else:
        path.write_bytes(b"no database\n" * 500 if damage == "text" else b"\0" * 9000)
        path.with_name("records.db-wal").unlink(missing_ok=True)
    for _ in range(2):
        with opened(log, cache) as found:
            list(found.index())
            assert found.moment_at(STEPS).state == states(log)[-1]
    if damage != "folder":
        assert cache.frames(log)  # begun anew
