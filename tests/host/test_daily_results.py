"""The files with the judged daily deals of a server."""

from __future__ import annotations

import asyncio
from datetime import date, timedelta
from pathlib import Path

import pytest

from tests.host.test_visit import two_doors
from tui_casino.host.config import Config
from tui_casino.host.daily_results import (
    ANSWER_DAYS,
    DailyResults,
    JudgedAnswers,
    Judgement,
)
from tui_casino.host.data_folder import DataFolder
from tui_casino.host.gateway import daily_judge
from tui_casino.host.gateway.daily_judge import DailyJudge, open_days
from tui_casino.host.gateway.visit import ProcessSockets, Visit
from tui_casino.host.rate_limits import JobLimit
from tui_casino.host.session_protocol import Hello
from tui_casino.house.daily_board import DAYS, JudgedTry
from tui_casino.records.clock import now
from tui_casino.structs import replace

DAY = date(2026, 11, 28)
GAME = "video-poker"
MIDNIGHT = 1_795_824_000_000
"""The beginning of the day, in milliseconds since 1970."""


def judged(player: str, answer: str = "held AS", day: date = DAY, cost: str = "0") -> Judgement:
    return Judgement(
        JudgedTry(day, GAME, player, player.title(), cost, "bets", "1"),
        JudgedAnswers(GAME, (("q1", answer), ("q2", "held none"))),
    )


@pytest.fixture
def results(tmp_path: Path) -> DailyResults:
    return DailyResults(tmp_path / "daily")


def test_each_player_counts_once_per_game_and_day(results: DailyResults) -> None:
    results.add([judged("ann"), judged("bob", "held AH")], DAY)
    results.add([judged("ann", "held AH", cost="5"), judged("cem")], DAY)
    assert [(one.player, one.cost) for one in results.read([DAY])] == [
        ("ann", "0"),
        ("bob", "0"),
        ("cem", "0"),
    ]
    assert results.answers(DAY, GAME) == {
        "q1": {"held AS": 2, "held AH": 1},
        "q2": {"held none": 3},
    }
    assert results.answers(DAY, "cribbage") == {}
    assert results.read([DAY - timedelta(days=1)]) == ()


def test_line_torn_by_a_crash_does_not_harm_the_next_one(results: DailyResults) -> None:
    results.add([judged("ann")], DAY)
    path = results.folder / f"{DAY}.jsonl"
    path.write_bytes(path.read_bytes()[:-20])
    results.add([judged("bob")], DAY)
    assert [one.player for one in results.read([DAY])] == ["bob"]
    results.add([judged("ann")], DAY)
    assert [one.player for one in results.read([DAY])] == ["bob", "ann"]


def test_old_results_are_removed(results: DailyResults) -> None:
    for back in (0, ANSWER_DAYS, ANSWER_DAYS + 1, DAYS, DAYS + 1):
        results.add([judged("ann", day=DAY - timedelta(days=back))], DAY - timedelta(days=back))
    for name in ("note.txt", "2026-99-99.jsonl"):
        (results.folder / name).write_text("of the operator")
    results.add([judged("bob")], DAY)
    ages = {
        (DAY - date.fromisoformat(path.name[:10])).days: "answers" in path.name
        for path in sorted(results.folder.glob("2026-1*"))
    }
    assert set(ages) == {0, ANSWER_DAYS, ANSWER_DAYS + 1, DAYS}
    assert results.answers(DAY - timedelta(days=ANSWER_DAYS), GAME)
    assert not results.answers(DAY - timedelta(days=ANSWER_DAYS + 1), GAME)
    assert (results.folder / "note.txt").exists()
    assert (results.folder / "2026-99-99.jsonl").exists()


@pytest.mark.parametrize(
    ("minutes", "days"), [(-1, [27]), (0, [27, 28]), (9, [27, 28]), (10, [28]), (720, [28])]
)
def test_yesterdays_tries_are_judged_until_the_seed_is_revealed(
    minutes: int, days: list[int]
) -> None:
    assert [day.day for day in open_days(MIDNIGHT + minutes * 60_000)] == days


async def test_session_that_asks_again_and_again_is_judged_once_per_pause(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    visits = list[str]()

    class Judging(Visit):
        async def play(self, sockets: ProcessSockets) -> None:
            visits.append(self.player)
            self._terminal.write(b"no judgement\n")
            await asyncio.sleep(0)

    monkeypatch.setattr(daily_judge, "Visit", Judging)
    monkeypatch.setattr(daily_judge, "PAUSE", 0.05)
    with two_doors() as (doors, _zygote, _cage):
        judge = DailyJudge(Config(), DataFolder(tmp_path), doors, JobLimit(2))
        hello = Hello("ann", "Ann", str(tmp_path), 80, 24, {}, 512, 60, 1)
        for _ in range(100):
            judge.judge_tries(hello)
        judge.judge_tries(replace(hello, player="bob"))
        judge.judge_tries(replace(hello, player="guest", guest=True))
        await asyncio.sleep(0.3)
        await judge.close()
    days = len(open_days(now()))
    assert sorted(visits) == ["ann"] * (2 * days) + ["bob"] * days
