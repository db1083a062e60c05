"""The files with the judged daily deals of a server."""

from __future__ import annotations

import asyncio
import os
from datetime import date, timedelta
from pathlib import Path
from typing import cast

import pytest

from tests.host.loopback_server import until
from tui_casino.host.config import Config
from tui_casino.host.daily_deals import (
    ANSWER_DAYS,
    DailyResults,
    JudgedAnswers,
    Judgement,
    open_days,
)
from tui_casino.host.data_folder import DataFolder
from tui_casino.host.gateway import daily_judge
from tui_casino.host.gateway.visit import ProcessSockets, Visit
from tui_casino.host.rate_limits import JobLimit
from tui_casino.host.session_protocol import Hello
from tui_casino.house.daily_ranking import DAYS, JudgedTry

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


def test_daily_result_of_a_player_counts_once_per_game_and_day(results: DailyResults) -> None:
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


def test_daily_results_have_the_current_names_of_their_players(results: DailyResults) -> None:
    results.add([judged("ann"), judged("bob"), judged("cem")], DAY)
    renamed = {"ann": "Zoe", "dan": "Ann", "bob": "Bob"}  # somebody else took the old name
    assert [(one.player, one.name) for one in results.read([DAY], renamed)] == [
        ("ann", "Zoe"),
        ("bob", "Bob"),
        ("cem", "Cem"),
    ]


def test_torn_line_of_daily_results_does_not_damage_the_next_one(results: DailyResults) -> None:
    results.add([judged("ann")], DAY)
    path = results.folder / f"{DAY}.jsonl"
    path.write_bytes(path.read_bytes()[:-20])
    results.add([judged("bob")], DAY)
    assert [one.player for one in results.read([DAY])] == ["bob"]
    results.add([judged("ann")], DAY)
    assert [one.player for one in results.read([DAY])] == ["bob", "ann"]


@pytest.mark.parametrize("failing", [1, 2])
def test_daily_answers_are_not_counted_twice_after_a_full_disk(
    failing: int, results: DailyResults, monkeypatch: pytest.MonkeyPatch
) -> None:
    writes, pwrite = 0, os.pwrite

    def write(file: int, content: bytes, at: int) -> int:
        nonlocal writes
        writes += 1
        return pwrite(file, content[:20] if writes == failing else content, at)

    monkeypatch.setattr(os, "pwrite", write)
    with pytest.raises(OSError, match="No space left"):
        results.add([judged("ann")], DAY)
    for name in ("ann", "bob"):
        results.add([judged(name)], DAY)
    assert [one.player for one in results.read([DAY])] == ["ann", "bob"]
    assert results.answers(DAY, GAME)["q1"] == {"held AS": 3 - failing}


def test_old_daily_results_and_answers_are_removed_but_no_other_files(
    results: DailyResults,
) -> None:
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


class JudgeAtMidnight:
    """A judge whose jobs wait until they are released; ``judged`` are the days, in order."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.judged, self.free, self.at = list[str | None](), asyncio.Event(), MIDNIGHT

        async def play(visit: Visit, sockets: ProcessSockets) -> None:
            self.judged.append(visit._hello.judge)
            await self.free.wait()

        monkeypatch.setattr(Visit, "play", play)
        monkeypatch.setattr(daily_judge, "now", lambda: self.at)
        self._judge = daily_judge.DailyJudge(
            Config(), DataFolder(folder), cast(ProcessSockets, None), JobLimit(1)
        )
        self.close = self._judge.close

    def report(self, player: str, minutes: int) -> None:
        """Report a finished try of a player some minutes after midnight."""
        self.at = MIDNIGHT + minutes * 60_000
        self._judge.judge_tries(Hello(player, player, "/home", 80, 24, {}, 1, 1, 1))


async def test_repeated_reports_of_a_daily_session_cause_one_more_judgement(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    judge = JudgeAtMidnight(tmp_path, monkeypatch)
    judge.report("eve", 20)
    await until(lambda: len(judge.judged) == 1)
    before = len(asyncio.all_tasks())
    for _ in range(1000):
        judge.report("eve", 20)
    assert len(asyncio.all_tasks()) == before + 1
    judge.free.set()
    await until(lambda: len(asyncio.all_tasks()) < before)
    judge.report("eve", 20)
    await until(lambda: len(judge.judged) == 3)
    assert set(judge.judged) == {"2026-11-28"}
    await judge.close()


async def test_daily_report_made_during_the_wait_for_the_seed_is_judged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    judge = JudgeAtMidnight(tmp_path, monkeypatch)
    judge.report("eve", 20)
    await until(lambda: len(judge.judged) == 1)
    judge.report("ann", -1)
    judge.report("ann", 20)
    judge.free.set()
    await until(lambda: len(judge.judged) == 3)
    assert judge.judged == ["2026-11-28", "2026-11-27", "2026-11-28"]
    await judge.close()


@pytest.mark.parametrize(
    ("minutes", "days"),
    [(-1, [27]), (0, [27, 28]), (9, [27, 28]), (10, [28]), (720, [28])],
    ids=[
        "before midnight",
        "at midnight",
        "9 minutes after midnight",
        "10 minutes after midnight",
        "at noon",
    ],
)
def test_yesterdays_daily_tries_are_judged_until_the_seed_is_revealed(
    minutes: int, days: list[int]
) -> None:
    assert [day.day for day in open_days(MIDNIGHT + minutes * 60_000)] == days
