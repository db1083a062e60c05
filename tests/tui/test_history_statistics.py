"""The statistics room: what all sittings come to, by game, time, and money or practice."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from fractions import Fraction
from functools import partial
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Static

from tests.helpers.arcade_pilot import (
    arcade,
    clock,
    lines,
    practice,
    press,
    resize,
    run_app,
    shuffles,
    text,
    text_after,
    until,
    with_purse,
)
from tests.helpers.parameter_ids import size_id
from tests.helpers.quick_cases import first_of
from tests.tui.sample_logs import HOUR, play, sit, spoilt
from tui_casino.engine.money import dollars
from tui_casino.gamekit.number_formats import signed_money
from tui_casino.gamekit.registry import DEFINITIONS, GAMES
from tui_casino.games import video_poker
from tui_casino.house.sitting import House
from tui_casino.records.cache import Cache
from tui_casino.records.log_catalog import list_logs
from tui_casino.records.session_statistics import TotalsByGame, compute_statistics
from tui_casino.records.summaries import review_log, review_logs
from tui_casino.structs import replace
from tui_casino.tui.history.log_list import COLUMNS, LogRow
from tui_casino.tui.history.statistics_screen import (
    DAY,
    EXPORTS,
    HistoryStatisticsScreen,
    period_start,
)
from tui_casino.tui.history.summary_screen import summary_lines
from tui_casino.tui.table.statistics_screen import export_figures


def ago(hours: int) -> int:
    return clock() - HOUR * hours


def lived(house: House) -> None:
    """Sittings of a month: two days, ten days and forty days ago, and an hour ago."""
    for seed, hours in enumerate((1, 48, 240, 960)):
        play(replace(house, clock=partial(ago, hours)), 2, seed)


@asynccontextmanager
async def in_room(house: House, width: int = 80, height: int = 24) -> AsyncIterator[Pilot[None]]:
    async with run_app(arcade(house), width, height) as pilot:
        await press(pilot, "f2")
        assert isinstance(pilot.app.screen, HistoryStatisticsScreen)
        yield pilot


def practice_totals(house: House, begin: int = 0) -> TotalsByGame:
    totals = [entry for entry in list_logs(house.logs, DEFINITIONS, {}) if entry.started >= begin]
    return compute_statistics(
        review_logs(totals, DEFINITIONS, Cache(None), choices=True), DEFINITIONS
    ).practice


def figure(pilot: Pilot[None], name: str) -> str:
    """Return the text next to a name."""
    sums = str(pilot.app.screen.query_one("#stats-sums", Static).content)
    (line,) = (line for line in sums.splitlines() if line.startswith(f"{name}  "))
    return line.split()[len(name.split())]


async def test_statistics_screen_shows_the_figures_of_the_report(tmp_path: Path) -> None:
    house = practice(tmp_path)
    lived(house)
    report = practice_totals(house).overall.report()
    async with in_room(house) as pilot:
        assert figure(pilot, "sessions") == "4"
        assert figure(pilot, "rounds") == "8"
        assert figure(pilot, "wagered") == "40.00"
        assert figure(pilot, "net") == signed_money(report["net"])
        assert figure(pilot, "return") == f"{report['return_percent']:.2f}%"
        assert figure(pilot, "expected") == "100.17%"  # Double Bonus 10/7 at its best
        assert figure(pilot, "deviation") == f"{report['expected']['luck']:+.2f}".replace("-", "−")
        assert figure(pilot, "mistakes") == str(report["mistakes"]["count"])
        assert dollars(round(report["mistakes"]["cost"])) in text(pilot.app)
        plot = str(pilot.app.screen.query_one("#stats-plot", Static).content)
        assert plot.startswith("BANKROLL")


async def test_statistics_screen_can_be_limited_to_a_period_and_a_game(tmp_path: Path) -> None:
    house = practice(tmp_path)
    lived(replace(house, clock=clock))
    async with in_room(house) as pilot:
        counts = []
        for _ in range(4):
            screen = pilot.app.screen
            sums = str(screen.query_one("#stats-sums", Static).content)
            counts.append(re.findall(r"sessions +(\d+)\n", sums)[:1])
            await press(pilot, "t")
        assert counts == [["4"], [], ["2"], ["3"]], "all, today, 7 days, 30 days"
        await press(pilot, "right")
        assert "Video poker" in lines(pilot.app)[0]
        assert figure(pilot, "sessions") == "4"
        own = str(pilot.app.screen.query_one("#stats-own", Static).content)
        assert "wagered" not in own, "that is said in the sums"
        assert own
        assert "No finished session here." in await text_after(pilot, "g")
        await press(pilot, "left", "left")
        assert "all games" in lines(pilot.app)[0]
        await press(pilot, "x")
        assert "this key has no action here" in lines(pilot.app)[-2]
        await press(pilot, "escape")
        assert figure(pilot, "sessions"), "it only clears the refusal"
        await press(pilot, "escape")
        assert not isinstance(pilot.app.screen, HistoryStatisticsScreen)


def test_statistics_period_begins_at_midnight_or_some_days_ago() -> None:
    noon = clock() + DAY // 2
    assert period_start("all", noon) is None
    assert period_start("today", noon) == clock()
    assert period_start("today", clock()) == clock()
    assert period_start("7 days", noon) == noon - 7 * DAY


async def test_statistics_screen_separates_money_and_free_play(tmp_path: Path) -> None:
    house = with_purse(tmp_path)
    play(house, 2)
    play(replace(house, ledger=None), 3)
    async with in_room(house) as pilot:
        assert figure(pilot, "rounds") == "2"
        assert "for money" in lines(pilot.app)[0]
        await press(pilot, "k")
        assert "free play" in lines(pilot.app)[0]
        assert figure(pilot, "rounds") == "3"


async def test_player_without_money_sessions_sees_free_play_first(tmp_path: Path) -> None:
    house = with_purse(tmp_path)
    play(replace(house, ledger=None), 3)
    async with in_room(house) as pilot:
        assert figure(pilot, "rounds") == "3"
        assert "free play" in lines(pilot.app)[0]
        await press(pilot, "k")
        assert "for money" in lines(pilot.app)[0]
        assert "No finished session here." in text(pilot.app)


async def test_statistics_screen_counts_excluded_sessions_by_reason(
    tmp_path: Path,
) -> None:
    house = practice(tmp_path)
    spoilt(play(house), 10)
    play(house)
    waits = sit(house)
    async with in_room(house) as pilot:
        assert "2 sessions are not counted: 1 damaged, 1 not finished" in text(pilot.app).replace(
            "1 not finished, 1 damaged", "1 damaged, 1 not finished"
        )
        assert "best session" not in text(pilot.app), "there is only one"
        assert figure(pilot, "sessions") == "1"
    waits.log.close()


async def test_e_on_the_statistics_screen_exports_csv_and_json(tmp_path: Path) -> None:
    house = practice(tmp_path)
    play(house)
    async with in_room(house) as pilot:
        await press(pilot, "e")
        assert "Exported CSV and JSON to" in lines(pilot.app)[-2]
    assert house.folder is not None
    rows = [*csv.reader((house.folder / EXPORTS[0]).read_text().splitlines())]
    report = json.loads((house.folder / EXPORTS[1]).read_text())
    net = practice_totals(house).overall.net
    assert report["practice"]["overall"]["net"] == net
    assert ["practice.overall.net", str(net)] in rows
    assert ["unit", "cents"] in rows


def test_e_without_an_export_folder_writes_no_statistics() -> None:
    assert export_figures({}, EXPORTS, None) == (["There is no folder to export to."], False)


async def test_statistics_screen_stores_reviews_in_the_cache(tmp_path: Path) -> None:
    """What was worked out is not worked out again; so it is quick the second time."""
    house = replace(practice(tmp_path), cache=tmp_path / "cache.db")
    play(house)
    async with in_room(house):
        assert len(Cache(house.cache).reviews()) == 1


@pytest.mark.parametrize("size", first_of([(60, 20), (132, 43), (40, 15)]), ids=size_id)
async def test_statistics_screen_works_at_other_sizes_and_keeps_its_game(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    house = practice(tmp_path)
    play(house)
    async with in_room(house, *size) as pilot:
        assert "sessions" in text(pilot.app)
        await press(pilot, "right", "down", "pagedown")
        await resize(pilot, 80, 24)
        await press(pilot, "home")
        assert "Video poker" in lines(pilot.app)[0]


async def test_sessions_for_money_are_still_counted_during_free_play(tmp_path: Path) -> None:
    """As with ``--seed``: nothing is played for money then, but what was is not forgotten."""
    money = with_purse(tmp_path)
    async with run_app(arcade(money, fresh=shuffles(1))) as pilot:
        await press(pilot, "1", "space", "1", "space", "escape")
    practising = replace(money, ledger=None, archive=money.ledger)
    async with run_app(arcade(practising, seed=5)) as pilot:
        assert "money" in await text_after(pilot, "f2")
        assert re.search(r"rounds +1\b", text(pilot.app))
        assert "cashed out" in await text_after(pilot, "escape", "r")
        await press(pilot, "v")
        await until(pilot, lambda: "Authentic: " in text(pilot.app))


async def test_statistics_screen_shows_the_cost_of_mistakes_over_time(tmp_path: Path) -> None:
    """From the oldest sitting to the newest, and nothing where there is but one."""
    house = practice(tmp_path)
    play(replace(house, clock=partial(ago, 48)), 2, 7, hold=())
    async with in_room(house, 132, 43) as pilot:
        assert "COST OF MISTAKES PER ROUND" not in text(pilot.app)
    play(replace(house, clock=partial(ago, 1)), 2, 8, hold=(1, 2))
    costs = []
    for path in sorted(house.logs.iterdir()):
        fold = review_log(video_poker.DEFINITION, path, choices=True)[0]
        costs.append(dollars(round(Fraction(fold.cost) / fold.rounds)))
    async with in_room(house, 132, 43) as pilot:
        said = f"{costs[0]} in the first session, {costs[1]} in the last"
        assert said in text(pilot.app)
    assert costs[0] != costs[1]


async def test_summary_and_statistics_show_the_result_without_luck(tmp_path: Path) -> None:
    house = practice(tmp_path)
    path = play(house, 2, 7, hold=())
    found = list_logs(house.logs, DEFINITIONS, {})
    (reviewed,) = review_logs(found, DEFINITIONS, Cache(None), choices=True)
    split = review_log(video_poker.DEFINITION, path, choices=True)[0].split
    assert split is not None
    own, luck = signed_money(round(split.play)), signed_money(split.net - round(split.play))
    (column,) = (one for one in COLUMNS if one.heading == "your play")
    assert column.say(LogRow(reviewed.entry, summary=reviewed.summary), 0) == (own, 0)
    assert column.say(LogRow(reviewed.entry), 0) == ("", 0)
    listing = next(game for game in GAMES if game.slug == "video-poker")
    (line,) = (
        line for line in summary_lines(listing, reviewed, weighed=True) if "your play" in line
    )
    assert line.split(maxsplit=2)[2] == f"{own}{split.margin}, luck {luck}"
    async with in_room(house, 132, 43) as pilot:
        await until(pilot, lambda: "your play" in text(pilot.app))
        (line,) = (line for line in text(pilot.app).splitlines() if "your play" in line)
        details = re.escape(f"{split.margin}, luck {luck}".strip())
        assert re.search(rf"your play +{re.escape(own)} +{details}", line)


async def test_statistics_screen_shows_results_of_a_game_by_period(tmp_path: Path) -> None:
    """Parts of time in the order of time, in points or dollars; nothing of all games together."""
    house = practice(tmp_path)
    for hours in (960, 48, 1):
        play(replace(house, clock=partial(ago, hours)), 2, hours)
    async with in_room(house, 132, 43) as pilot:
        await until(pilot, lambda: figure(pilot, "sessions") == "3")
        assert "period from" not in text(pilot.app)
        shown = await text_after(pilot, "right")
        assert "Video poker" in shown
        (heads,) = (line for line in shown.splitlines() if "period from" in line)
        *_, nets = (
            line for line in shown.splitlines() if line.strip().startswith("net in credits")
        )
        assert len(heads.split()[2:]) >= 3
        eras = practice_totals(house).eras["video-poker"]
        report = [f"{era.net / 100:+,.0f}".replace("-", "−") for era in eras]
        assert report == nets.split()[3:]
