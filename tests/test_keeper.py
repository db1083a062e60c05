"""Frames of a log that is being written: any step of it is found at once later."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from tests.bench.bench_records import Quick
from tui_casino.engine.chance import NumberedSource
from tui_casino.engine.croupier import ShuffledShoe
from tui_casino.engine.game import Seat
from tui_casino.games.video_poker import PARTS
from tui_casino.games.video_poker.machine.game import Options
from tui_casino.house.lobby import AnySitting
from tui_casino.house.sitting import House, begin
from tui_casino.records.cache import Cache
from tui_casino.records.playback import EVERY, Recording

BOT = replace(PARTS, players={"quick": Quick})


def sit(folder: Path, cache: Path | None) -> AnySitting:
    house = House(folder / "logs", None, "player", cache=cache)
    return begin(house, BOT, Options(), ShuffledShoe(), NumberedSource(3), {Seat(0): "quick"})


def play(sitting: AnySitting, steps: int) -> None:
    while sitting.log.steps < steps:
        assert sitting.table.advance()


def until(holds: Callable[[], object]) -> None:
    late = time.monotonic() + 20
    while not holds():
        assert time.monotonic() < late
        time.sleep(0.01)


def kept(sitting: AnySitting, cache: Path) -> list[int]:
    return [frame.n for frame in Cache(cache).frames(sitting.log.path)]


def test_frames_are_kept_while_it_is_played(tmp_path: Path) -> None:
    cache = tmp_path / "cache.db"
    sitting = sit(tmp_path, cache)
    play(sitting, EVERY - 1)
    assert kept(sitting, cache) == []
    play(sitting, EVERY)
    until(lambda: kept(sitting, cache) == [EVERY])
    play(sitting, 2 * EVERY + 7)
    until(lambda: kept(sitting, cache) == [EVERY, 2 * EVERY])
    sitting.leave()
    with Recording(PARTS, sitting.log.path, Cache(cache)) as recording:
        assert recording.indexed == 2 * EVERY, "nothing is to be worked out but the rest"
    with Recording(PARTS, sitting.log.path, Cache(None)) as bare:
        assert bare.at(EVERY + 3) == recording_at(sitting.log.path, cache, EVERY + 3)


def recording_at(path: Path, cache: Path, step: int) -> object:
    with Recording(PARTS, path, Cache(cache)) as recording:
        return recording.at(step)


def test_without_a_cache_nothing_is_kept(tmp_path: Path) -> None:
    sitting = sit(tmp_path, None)
    play(sitting, 2 * EVERY)
    sitting.leave()
    assert {path.name for path in tmp_path.iterdir()} == {"logs"}


@pytest.mark.parametrize("harm", ["gone", "changed"])
def test_a_log_that_somebody_meddles_with_is_played_on(harm: str, tmp_path: Path) -> None:
    cache = tmp_path / "cache.db"
    sitting = sit(tmp_path, cache)
    play(sitting, EVERY)
    until(lambda: kept(sitting, cache) == [EVERY])
    path = sitting.log.path
    if harm == "gone":
        path.unlink()
    else:
        path.write_bytes(path.read_bytes()[:1000])
    play(sitting, 3 * EVERY + 1)
    sitting.leave()
    with Recording(PARTS, path, Cache(cache)) as recording:
        assert recording.at(recording.steps).state == sitting.table.state
    assert sitting.log.take_mended()


def test_closing_does_not_wait_for_what_is_left_to_do(tmp_path: Path) -> None:
    sitting = sit(tmp_path, tmp_path / "cache.db")
    play(sitting, 20 * EVERY)
    begun = time.monotonic()
    sitting.leave()
    assert time.monotonic() - begun < 5
    assert sitting.log.follower is not None
