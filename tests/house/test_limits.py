"""Limits of time and loss that players set for themselves, with a clock set by the test."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.helpers.parameter_ids import value_id
from tui_casino.cards.card import parse_hand
from tui_casino.engine.chance import CommittedSource
from tui_casino.engine.croupier import FixedShoe
from tui_casino.engine.game import Seat
from tui_casino.games.video_poker import DEFINITION
from tui_casino.games.video_poker.machine.game import Options
from tui_casino.house.house import House
from tui_casino.house.limits import PlayerLimits, PlayTimer
from tui_casino.house.settings import SETTING_CHOICES, BadSetting, Settings, fallback_settings, load
from tui_casino.house.sitting import Sitting, begin_sitting
from tui_casino.house.table_commands import ActionCommand, RefusedCommand
from tui_casino.house.visit_state import VisitState
from tui_casino.inputs.errors import BadInput
from tui_casino.inputs.files import BadFile
from tui_casino.records.sqlite_ledger import SqliteLedger
from tui_casino.screen_reader.table import play_at_table
from tui_casino.structs import replace

MINUTE = 60_000
NOON = 1_767_268_800_000  # of the first day of 2026, in Greenwich


class Clock:
    def __init__(self) -> None:
        self.now = NOON

    def __call__(self) -> int:
        return self.now

    def minutes(self, count: float) -> None:
        self.now += int(count * MINUTE)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Iterator[Clock]:
    before = os.environ.get("TZ")
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    yield Clock()
    if before is None:
        monkeypatch.delenv("TZ")
    else:
        monkeypatch.setenv("TZ", before)
    time.tzset()


def house_at(folder: Path, clock: Clock, limits: PlayerLimits) -> House:
    memory = VisitState(folder / "visits.json")
    pastime = PlayTimer(clock, memory, limits)
    ledger = SqliteLedger(folder / "ledger.db")
    return House(folder / "logs", ledger, "ann", clock=clock, play_timer=pastime)


def sit(house: House) -> Sitting[Any, Any, Any, Any, Any]:
    cards = FixedShoe(parse_hand(" ".join(["2H 3S 5D 7C 9H 4C 6D 8S TH JC"] * 20)))
    return begin_sitting(house, DEFINITION, Options(), cards, CommittedSource(), {Seat(0): None})


def say(sitting: Sitting[Any, Any, Any, Any, Any], *lines: str) -> list[str]:
    return [said for line in lines for said in sitting.dialogue.answer(line)]


LOSING = ("b 5", "d", "h 1 2 3 4 5")


def test_loss_limit_refuses_bets_for_new_rounds(tmp_path: Path, clock: Clock) -> None:
    sitting = sit(house_at(tmp_path, clock, PlayerLimits(loss=10_00)))
    say(sitting, *LOSING, *LOSING)
    assert say(sitting, "b 5") == [
        "b: no new rounds today: loss limit of 10.00 credits reached (F3 Settings)"
    ]
    assert sitting.cents == 990_00


def test_round_in_play_is_finished_despite_the_loss_limit(tmp_path: Path, clock: Clock) -> None:
    sitting = sit(house_at(tmp_path, clock, PlayerLimits(loss=5_00)))
    say(sitting, "b 5")  # these five are at stake already
    assert isinstance(sitting.dialogue.read("d"), ActionCommand)
    assert any("loses" in line for line in say(sitting, "d", "h 1 2 3 4 5"))
    assert isinstance(sitting.dialogue.read("b 5"), RefusedCommand)


def test_daily_loss_counts_all_sessions_of_the_day(tmp_path: Path, clock: Clock) -> None:
    house = house_at(tmp_path, clock, PlayerLimits(loss=10_00))
    first = sit(house)
    say(first, *LOSING)
    first.leave()
    second = sit(house)
    second.dialogue.listen()
    assert isinstance(second.dialogue.read("b 5"), ActionCommand)
    say(second, *LOSING)
    assert isinstance(second.dialogue.read("b 5"), RefusedCommand)
    clock.minutes(24 * 60)
    assert isinstance(second.dialogue.read("b 5"), ActionCommand)


def test_changed_loss_limit_applies_immediately(tmp_path: Path, clock: Clock) -> None:
    house = house_at(tmp_path, clock, PlayerLimits(loss=5_00))
    sitting = sit(house)
    say(sitting, *LOSING)
    assert isinstance(sitting.dialogue.read("b 5"), RefusedCommand)
    assert house.play_timer is not None
    house.play_timer.limits = PlayerLimits(loss=50_00)
    assert isinstance(sitting.dialogue.read("b 5"), ActionCommand)


def test_time_limit_counts_the_whole_day(tmp_path: Path, clock: Clock) -> None:
    house = house_at(tmp_path, clock, PlayerLimits(time=10))
    sitting = sit(house)
    for _ in range(2):
        clock.minutes(3)
        say(sitting, "b 5")
        clock.minutes(60)  # away: five minutes at most count
        say(sitting, "d", "h 1 2 3 4 5")
    refused = sitting.dialogue.read("b 5")
    assert isinstance(refused, RefusedCommand)
    assert "time limit of 10 minutes reached" in refused.reason
    sitting.leave()
    again = house_at(tmp_path, clock, PlayerLimits(time=10))  # another visit
    assert again.play_timer is not None
    assert again.play_timer.played == 16 * MINUTE
    clock.minutes(12 * 60)
    assert again.play_timer.played == 0


def test_free_play_ignores_time_and_loss_limits(tmp_path: Path, clock: Clock) -> None:
    house = House(
        tmp_path / "logs",
        None,
        "ann",
        clock=clock,
        play_timer=PlayTimer(clock, VisitState(), PlayerLimits(time=1, loss=1)),
    )
    sitting = sit(house)
    sitting.dialogue.listen()
    clock.minutes(4)
    say(sitting, *LOSING)
    clock.minutes(4)
    assert isinstance(sitting.dialogue.read("b 5"), ActionCommand)


def test_time_reminder_is_shown_once_per_interval(clock: Clock) -> None:
    pastime = PlayTimer(clock, VisitState(), PlayerLimits(reminder=30))
    assert pastime.reminder() == ""
    clock.minutes(31)
    assert pastime.reminder() == "you have been here for 31 minutes"
    assert pastime.reminder() == ""
    clock.minutes(60)
    assert pastime.reminder() == "you have been here for 1 hour and 31 minutes"
    clock.minutes(28)
    assert pastime.reminder() == ""


def test_player_limits_and_time_reminder_are_off_by_default(clock: Clock) -> None:
    pastime = PlayTimer(clock, VisitState(), Settings().limits)
    clock.minutes(600)
    assert (pastime.reminder(), pastime.limit_message(10**9)) == ("", "")


def test_console_prints_the_time_reminder_apart_from_game_output(
    tmp_path: Path, clock: Clock
) -> None:
    sitting = sit(house_at(tmp_path, clock, PlayerLimits(reminder=15)))

    def lines() -> Iterator[str]:
        yield "b 5"
        clock.minutes(15)
        yield "d"

    said, told = list[str](), list[str]()
    play_at_table(sitting, lines(), said.append, told.append)
    assert told == ["you have been here for 15 minutes"]


@pytest.mark.parametrize(
    "bad", [{"loss_limit": -1}, {"time_limit": 1.5}, {"reminder": True}], ids=value_id
)
def test_invalid_player_limit_setting_is_refused(bad: dict[str, Any]) -> None:
    with pytest.raises(BadSetting, match="from 0 \\(off\\)"):
        Settings(**bad)


INVALID = {
    "loss_limit = 5.0": True,
    "loss_limit = 5\ntheme = midnight": True,
    "time_limit = 30\npace = 'fast'": True,
    "time_limit = 30\ntime_limit = 30": True,
    "theme = midnight": False,
    "pace = 'fast'": False,
}
"""Maps invalid settings to whether they may set a limit."""


@pytest.mark.parametrize("text", INVALID)
def test_invalid_settings_file_that_may_set_a_limit_allows_no_round_for_money(
    text: str, tmp_path: Path, clock: Clock
) -> None:
    path = tmp_path / "settings.toml"
    path.write_text(text)
    with pytest.raises(BadFile):
        load(path)
    settings = fallback_settings(path)
    sitting = sit(house_at(tmp_path, clock, settings.limits))
    refusal = "no new rounds: your limits cannot be read (set them in F3 Settings)"
    assert (say(sitting, "b 5") == [f"b: {refusal}"]) is INVALID[text]


def test_settings_file_that_is_not_a_readable_text_leaves_the_limits_unknown(
    tmp_path: Path,
) -> None:
    not_text, folder, long = (tmp_path / name for name in ("text", "folder", "long"))
    not_text.write_bytes(b"\xff")
    folder.mkdir()
    long.write_text("#" * 20_000)
    assert all(fallback_settings(path).limits.unknown for path in (not_text, folder, long))


@pytest.mark.parametrize("key", ["time_limit", "loss_limit"])
def test_choosing_a_limit_ends_the_refusal_after_an_invalid_settings_file(key: str) -> None:
    settings = Settings(limits_unknown=True)
    choices: dict[str, Any] = {one.key: one for one in SETTING_CHOICES}
    assert choices[key].current(settings) == "unknown"
    changed = choices[key].change(settings, 0)
    assert not changed.limits.unknown
    assert choices[key].current(changed) == "off"
    assert choices["four_colour"].change(settings, True).limits.unknown


def test_links_to_nothing_do_not_count_for_the_log_quota(tmp_path: Path, clock: Clock) -> None:
    house = replace(house_at(tmp_path, clock, PlayerLimits()), log_quota=100)
    house.logs.mkdir()
    (house.logs / "link.jsonl").symlink_to("nothing")
    (house.logs / "loop.jsonl").symlink_to("loop.jsonl")
    (house.logs / "log.jsonl").write_bytes(bytes(100))
    house.check_log_quota()
    (house.logs / "more.jsonl").write_bytes(b"x")
    with pytest.raises(BadInput, match="your logs have reached the limit"):
        house.check_log_quota()
