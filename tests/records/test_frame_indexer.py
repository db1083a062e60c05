"""Frames of a log that is being written: any step of it is found at once later."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.bench.bench_records import Quick
from tests.helpers.open_files import can_count_files, open_files
from tui_casino.engine.chance import SeededSource
from tui_casino.engine.croupier import ShuffledShoe
from tui_casino.engine.game import Seat
from tui_casino.games.video_poker import DEFINITION
from tui_casino.games.video_poker.face.tally import Tally
from tui_casino.games.video_poker.machine.game import Options
from tui_casino.house.house import House, LazyExecutor
from tui_casino.house.lobby import AnySitting
from tui_casino.house.sitting import begin_sitting
from tui_casino.records.cache import FRAME_INTERVAL, Cache
from tui_casino.records.codec import decode
from tui_casino.records.frame_indexer import IndexingExecutor
from tui_casino.records.playback import MarkIndex, Playback
from tui_casino.records.recording_review import RecordingReview
from tui_casino.records.session_log import LogWriter
from tui_casino.structs import replace

AnyPlayback = Playback[Any, Any, Any, Any, Any]
BOT = replace(DEFINITION, players={"quick": Quick})


@pytest.fixture
def workers() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(2) as workers:
        yield workers


def sit(folder: Path, cache: Path | None, workers: IndexingExecutor | None) -> AnySitting:
    house = House(folder / "logs", None, "player", cache=cache, workers=workers)
    return begin_sitting(house, BOT, Options(), ShuffledShoe(), SeededSource(3), {Seat(0): "quick"})


def play(sitting: AnySitting, steps: int) -> None:
    while sitting.log.steps < steps:
        assert sitting.table.advance()


def until(holds: Callable[[], object]) -> None:
    late = time.monotonic() + 20
    while not holds():
        assert time.monotonic() < late
        time.sleep(0.01)


def cached_steps(sitting: AnySitting, cache: Path) -> list[int]:
    return [frame.n for frame in Cache(cache).frames(sitting.log.path)]


def test_replay_frames_are_cached_during_play_at_every_interval(
    tmp_path: Path, workers: IndexingExecutor
) -> None:
    cache = tmp_path / "cache.db"
    sitting = sit(tmp_path, cache, workers)
    play(sitting, FRAME_INTERVAL - 1)
    assert cached_steps(sitting, cache) == []
    play(sitting, FRAME_INTERVAL)
    until(lambda: cached_steps(sitting, cache) == [FRAME_INTERVAL])
    play(sitting, 2 * FRAME_INTERVAL + 7)
    until(lambda: cached_steps(sitting, cache) == [FRAME_INTERVAL, 2 * FRAME_INTERVAL])
    sitting.leave()
    with Playback(DEFINITION, sitting.log.path, Cache(cache)) as recording:
        assert recording.indexed == 2 * FRAME_INTERVAL, "nothing is to be worked out but the rest"
    with Playback(DEFINITION, sitting.log.path, Cache(None)) as bare:
        assert bare.moment_at(FRAME_INTERVAL + 3) == recording_at(
            sitting.log.path, cache, FRAME_INTERVAL + 3
        )


def recording_at(path: Path, cache: Path, step: int) -> object:
    with Playback(DEFINITION, path, Cache(cache)) as recording:
        return recording.moment_at(step)


def test_frame_indexing_during_play_does_not_evaluate_choices(tmp_path: Path) -> None:
    """They are the same as where all was judged at once, and kept when they have been found."""
    sitting = sit(tmp_path, None, None)
    play(sitting, 3 * FRAME_INTERVAL + 9)
    sitting.leave()
    path, cache = sitting.log.path, Cache(tmp_path / "cache.db")
    with Playback(DEFINITION, path, Cache(None)) as bare:
        should = mistakes(bare)
        assert should
        assert mistakes_backwards(bare) == should
    for find in (mistakes, mistakes_backwards):
        cache.forget(path)
        with Playback(DEFINITION, path, cache) as indexing:
            assert [*indexing.index()]
        with Playback(DEFINITION, path, cache) as recording:
            assert find(recording) == should
            assert [*recording.index()] == [recording.steps], "only the rest is worked out"
    kept = [decode(frame.marks, MarkIndex) for frame in cache.frames(path)]
    assert len(kept) == 3


def mistakes(recording: AnyPlayback) -> list[int]:
    found, review = [0], RecordingReview(recording)
    while (step := review.next_mistake(found[-1])) is not None:
        found.append(step)
    return found[1:]


def mistakes_backwards(recording: AnyPlayback) -> list[int]:
    found, review = [recording.steps + 1], RecordingReview(recording)
    while (step := review.previous_mistake(found[-1])) is not None:
        found.append(step)
    return found[:0:-1]


PLAYS_ON = f"""
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tui_casino.engine.chance import SeededSource
from tui_casino.engine.croupier import ShuffledShoe
from tui_casino.engine.game import Seat
from tui_casino.gamekit.registry import GAMES
from tui_casino.house.house import House
from tui_casino.house.sitting import begin_sitting
from tui_casino.records.cache import Cache

folder = Path(sys.argv[1])
with ThreadPoolExecutor(1) as workers:
    house = House(folder / "logs", None, "player", cache=folder / "cache.db", workers=workers)
    definition = GAMES[0].definition()
    seats = {{Seat(0): None}}
    options = definition.game.Options()
    sitting = begin_sitting(house, definition, options, ShuffledShoe(), SeededSource(7), seats)
    while sitting.log.steps < {FRAME_INTERVAL}:
        if not sitting.table.advance():
            first = definition.game.offers(sitting.table.state, Seat(0))[0]
            sitting.table.submit(Seat(0), first.kind(*(first.defaults or ())))
sitting.close()
print(len(Cache(house.cache).frames(sitting.log.path)), "numpy" in sys.modules)
"""


def test_frame_indexing_does_not_load_the_odds_of_the_game(tmp_path: Path) -> None:
    """They would take more memory than all else, in the middle of a sitting."""
    command = [sys.executable, "-c", PLAYS_ON, str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout == "1 False\n"


@pytest.mark.parametrize("without", ["cache", "workers"])
def test_no_replay_frames_are_stored_without_a_cache_or_workers(
    without: str, tmp_path: Path, workers: IndexingExecutor
) -> None:
    cache = None if without == "cache" else tmp_path / "cache.db"
    sitting = sit(tmp_path, cache, None if without == "workers" else workers)
    assert sitting.log.follower is None
    play(sitting, 2 * FRAME_INTERVAL)
    sitting.leave()
    assert {path.name for path in tmp_path.iterdir()} == {"logs"}


@pytest.mark.parametrize("harm", ["gone", "changed"])
def test_log_deleted_or_cut_during_frame_indexing_does_not_stop_play(
    harm: str, tmp_path: Path, workers: IndexingExecutor
) -> None:
    cache = tmp_path / "cache.db"
    sitting = sit(tmp_path, cache, workers)
    play(sitting, FRAME_INTERVAL)
    until(lambda: cached_steps(sitting, cache) == [FRAME_INTERVAL])
    path = sitting.log.path
    if harm == "gone":
        path.unlink()
    else:
        path.write_bytes(path.read_bytes()[:1000])
    play(sitting, 3 * FRAME_INTERVAL + 1)
    sitting.leave()
    with Playback(DEFINITION, path, Cache(cache)) as recording:
        assert recording.moment_at(recording.steps).state == sitting.table.state
    assert sitting.log.take_repaired()


class Held:
    """A worker that starts no job before the test allows it."""

    def __init__(self) -> None:
        self.pool = ThreadPoolExecutor(1)
        self.submit = self.pool.submit
        self._go = threading.Event()
        self.submit(self._go.wait)

    def let(self) -> None:
        self._go.set()

    def go_home(self, *, cancelled: bool = False) -> None:
        self.pool.shutdown(wait=False, cancel_futures=cancelled)
        self.let()
        self.pool.shutdown()


@can_count_files
def test_closing_a_log_does_not_wait_for_indexing(tmp_path: Path) -> None:
    cache, held, before = tmp_path / "cache.db", Held(), open_files()
    sitting = sit(tmp_path, cache, held)
    play(sitting, 20 * FRAME_INTERVAL)
    sitting.leave()  # he has not begun
    LogWriter.resume(sitting.log.path, lambda: 1)[0].close()
    held.go_home()
    assert open_files() == before
    assert cached_steps(sitting, cache) == []


@can_count_files
def test_log_closed_during_indexing_is_no_longer_open(tmp_path: Path) -> None:
    """While the worker is busy, nobody waits for it, and it does no more of the job."""
    cache, before, player = tmp_path / "cache.db", open_files(), threading.current_thread()
    begun, go, done = threading.Event(), threading.Event(), threading.Event()

    def tally(seat: Seat) -> Tally:
        if threading.current_thread() is not player:
            begun.set()
            go.wait(20)
            done.set()
        return DEFINITION.tally(seat)

    with ThreadPoolExecutor(1) as workers:
        house = House(tmp_path / "logs", None, "player", cache=cache, workers=workers)
        slow, source = replace(BOT, tally=tally), SeededSource(3)
        sitting = begin_sitting(house, slow, Options(), ShuffledShoe(), source, {Seat(0): "quick"})
        play(sitting, 5 * FRAME_INTERVAL)
        assert begun.wait(20)
        sitting.leave()
        assert not done.is_set(), "who leaves waits for nobody"
        LogWriter.resume(sitting.log.path, lambda: 1)[0].close()
        go.set()
    assert open_files() == before
    assert cached_steps(sitting, cache) == [FRAME_INTERVAL]


@can_count_files
@pytest.mark.parametrize("cancelled", [False, True], ids=["after their work", "cancelled"])
def test_stopped_indexing_workers_close_all_logs(cancelled: bool, tmp_path: Path) -> None:
    """Who plays on plays without them."""
    cache, before = tmp_path / "cache.db", open_files()
    held = Held()
    sittings = [sit(tmp_path, cache, held) for _ in range(3)]
    for sitting in sittings:
        play(sitting, 2 * FRAME_INTERVAL)
    held.go_home(cancelled=cancelled)
    for sitting in sittings:
        assert cached_steps(sitting, cache) == ([] if cancelled else [FRAME_INTERVAL])
        play(sitting, 4 * FRAME_INTERVAL)
        sitting.leave()
    assert open_files() == before


@can_count_files
def test_hundred_indexed_sessions_leave_no_thread_and_no_open_file(tmp_path: Path) -> None:
    """Two workers do what is to be done for all of them."""
    threads, before, cache = threading.active_count(), open_files(), tmp_path / "cache.db"
    with ThreadPoolExecutor(2) as workers:
        sittings = [sit(tmp_path, cache, workers) for _ in range(100)]
        for sitting in sittings[:10]:
            play(sitting, FRAME_INTERVAL)
        for sitting in sittings[10:]:  # to ask is to have them look into the log
            play(sitting, 20)
            assert sitting.log.follower is not None
            sitting.log.follower.written(FRAME_INTERVAL)
        assert threading.active_count() <= threads + 2
        until(lambda: all(cached_steps(sitting, cache) for sitting in sittings[:10]))
        for sitting in sittings:
            sitting.close()
    assert threading.active_count() == threads
    assert open_files() == before


def test_indexing_thread_starts_with_the_first_job_and_ends_with_play(tmp_path: Path) -> None:
    threads, cache = threading.active_count(), tmp_path / "cache.db"
    with closing(LazyExecutor()) as workers:
        sitting = sit(tmp_path, cache, workers)
        play(sitting, FRAME_INTERVAL - 1)
        assert threading.active_count() == threads
        play(sitting, FRAME_INTERVAL)
        until(lambda: cached_steps(sitting, cache) == [FRAME_INTERVAL])
        assert threading.active_count() == threads + 1
        sitting.leave()
    assert threading.active_count() == threads
    with pytest.raises(RuntimeError):
        workers.submit(threading.Event().set)
