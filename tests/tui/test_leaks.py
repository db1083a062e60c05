"""The leaks: what each kind of mistake costs, on the screen."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from textual.pilot import Pilot

from tests.helpers.arcade_pilot import (
    arcade,
    lines,
    practice,
    press,
    press_until,
    run_app,
    screen_after,
    text,
    text_after,
    until,
)
from tests.helpers.narrow import instance_of, not_none
from tests.helpers.parameter_ids import labelled, size_id
from tests.helpers.quick_cases import first_of
from tests.tui.sample_logs import copy_golden, play
from tui_casino.gamekit.registry import DEFINITIONS, listing_of
from tui_casino.house.own_sessions import own_logs
from tui_casino.house.sitting import House
from tui_casino.records.cache import Cache
from tui_casino.structs import replace
from tui_casino.teacher.leaks import (
    HabitLeak,
    Leak,
    describe_habit,
    describe_leak,
    find_habits,
    find_leaks,
)
from tui_casino.teacher.mistakes import ReviewedSitting, review_sittings
from tui_casino.teacher.session_report import cost_rows, format_cost, leak_sentences
from tui_casino.tui.draw.text import fit_names
from tui_casino.tui.history.leaks_screen import EXPORTS, LeaksScreen
from tui_casino.tui.modals import ChoiceDialog
from tui_casino.tui.positions.position_screen import PositionScreen
from tui_casino.tui.practice.screen import PracticeScreen
from tui_casino.tui.replay.screen import ReplayTable


def leaked(house: House) -> list[Leak]:
    leaks = review_sittings(own_logs(house, {}), DEFINITIONS, Cache(None))
    return find_leaks(each for each in leaks if isinstance(each, ReviewedSitting))


def habits_of(house: House) -> list[HabitLeak]:
    reviewed = review_sittings(own_logs(house, {}), DEFINITIONS, Cache(None))
    return find_habits(each for each in reviewed if isinstance(each, ReviewedSitting))


@pytest.fixture
def house(tmp_path: Path) -> House:
    """Video poker played badly, and a game of cribbage."""
    house = practice(tmp_path)
    play(house, 6, 7, hold=())
    copy_golden(house, listing_of("cribbage"))
    return house


def leaks_of(pilot: Pilot[None]) -> list[Leak]:
    screen = instance_of(LeaksScreen, pilot.app.screen)
    return screen.leaks


@asynccontextmanager
async def in_leaks(house: House, width: int = 80, height: int = 24) -> AsyncIterator[Pilot[None]]:
    async with run_app(arcade(house), width, height) as pilot:
        await press(pilot, "l")
        screen = instance_of(LeaksScreen, pilot.app.screen)
        await until(pilot, lambda: screen.studied is not None)
        yield pilot


async def test_leaks_screen_names_kinds_of_mistakes_like_the_command(house: House) -> None:
    first = habits_of(house)[0]
    leaks = first.leaks
    async with in_leaks(house, 132, 43) as pilot:
        assert describe_habit(first)[0] in text(pilot.app)
        shown = await text_after(pilot, "enter")
        assert leaks == tuple(leaks_of(pilot))
        for leak in leaks[:5]:
            (row,) = (line for line in lines(pilot.app) if leak.kind.label in line and "±" in line)
            assert f" {leak.count} " in row
            assert f" {format_cost(leak.rate.cost)} " in row
        assert describe_leak(leaks[0])[0] in shown
        for leak in leaks:
            often = describe_leak(leak)[0]
            assert often.startswith("You did this ") or re.fullmatch(
                r"You \w.* in [\d,]+ of (1 such choice|[\d,]+ such choices)( \(.*%\))?;"
                r" \w.* (never does|always does|does in .*%)(; [\d,]+ mistakes?)?\.",
                often,
            ), "the number, the total and what the strong player does"
        await press(pilot, "down")
        assert describe_leak(leaks[min(1, len(leaks) - 1)])[0] in text(pilot.app)
        await press(pilot, "end", "down")
        assert describe_leak(leaks[-1])[0] in text(pilot.app)
        await press(pilot, "x")
        assert "this key has no action here" in lines(pilot.app)[-2]
        await press(pilot, "escape", "escape")  # the first one clears the refusal
        assert describe_habit(first)[0] in text(pilot.app)
        await press(pilot, "home", "g")
        assert "Video poker" in lines(pilot.app)[0]
        assert "discard" not in text(pilot.app)
        await press(pilot, "g", "g", "o", "t")
        assert "most frequent first" in lines(pilot.app)[-2]
        await press(pilot, "escape")
        assert not isinstance(pilot.app.screen, LeaksScreen)


async def test_figures_on_the_leaks_page_are_also_said(house: House) -> None:
    """Of habits and their kinds, and of all mistakes together."""
    async with in_leaks(house, 132, 43) as pilot:
        for opens in ("", "enter"):
            await press(pilot, *filter(None, (opens,)))
            leaks = leaks_of(pilot)
            shown = [line for line in lines(pilot.app) if re.search(r"±\d", line)]
            rows = [line for line in shown if "100 choices" not in line and "all, " not in line]
            assert len(rows) == len(leaks)
            for row, leak in zip(rows, leaks, strict=True):
                name = leak.kind.label if leak.kind.slip else leak.habit
                figures = re.findall(r"[\d,.]*\d", row.partition(name)[2])
                assert len(figures) == 4, row
                said = " ".join(leak_sentences(leak))
                assert not {*figures} - {*re.findall(r"[\d,.]*\d", said)}, said
        page = text(pilot.app)
        for total in cost_rows(not_none(instance_of(LeaksScreen, pilot.app.screen)._overall)):
            assert re.search(f"{total.name} .*{re.escape(total.value)}", page), total


async def test_leaks_are_sorted_by_cost_relative_to_a_strong_player(house: House) -> None:
    """The figures stay in bets and points, and the heading names both units."""
    async with in_leaks(house, 132) as pilot:
        leaks = leaks_of(pilot)
        relative = [leak.rate.cost / DEFINITIONS[leak.game].adviser.strong_loss for leak in leaks]
        assert relative == sorted(relative, reverse=True)
        assert {leak.unit for leak in leaks} == {"bets", "points"}
        heads = next(line for line in lines(pilot.app) if "habit" in line and "count" in line)
        assert "bets/pts" in heads
        assert "× strong" in heads
        (row,) = (line for line in lines(pilot.app) if leaks[0].habit in line and "±" in line)
        assert f" {relative[0]:,.1f} " in row
        await press(pilot, "g")  # one game
        heads = next(line for line in lines(pilot.app) if "habit" in line and "count" in line)
        assert "bets/pts" not in heads
        assert ("bets" in heads) != ("points" in heads)


async def test_kind_on_the_leaks_screen_opens_its_mistakes_and_their_replay(house: House) -> None:
    async with in_leaks(house) as pilot:
        assert isinstance(await screen_after(pilot, "g", "enter", "enter"), ChoiceDialog)
        await press_until(pilot, lambda: isinstance(pilot.app.screen, ReplayTable), "space")
        screen = instance_of(ReplayTable, pilot.app.screen)
        await until(pilot, lambda: screen.step > 0)
        choice = screen.seat_view.moment(screen.step + 1)
        assert choice.by == 0, "the choice comes next"
        assert screen.analysis.reviewer.mistake(screen.step + 1) is not None
        assert isinstance(await screen_after(pilot, "escape"), LeaksScreen)


async def test_kind_on_the_leaks_screen_can_be_practised_and_drilled(house: House) -> None:
    """The costliest of its mistakes comes first; a drill is of the same spot."""
    async with in_leaks(house) as pilot:
        await press(pilot, "g", "enter")
        kind = leaks_of(pilot)[0].kind
        assert "Practise th" in lines(pilot.app)[-2]
        await press_until(pilot, lambda: isinstance(pilot.app.screen, PositionScreen), "space")
        await press(pilot, "escape")
        room = instance_of(PracticeScreen, pilot.app.screen)
        assert kind in {row.kind for row in room.page.rows}
        await press(pilot, "escape", "d")
        await until(pilot, lambda: isinstance(pilot.app.screen, PositionScreen))


async def test_click_moves_the_cursor_of_the_leaks_and_a_second_click_practises(
    house: House,
) -> None:
    async with in_leaks(house, 132, 43) as pilot:
        page = instance_of(LeaksScreen, pilot.app.screen).page
        top = page.plan(page.size).top
        await pilot.click(page, offset=(9, top + 1))
        await pilot.pause()
        assert page.at == 1
        assert describe_habit(habits_of(house)[1])[0] in text(pilot.app)
        count = leaks_of(pilot)[1].count
        assert f"Practise {'this one' if count == 1 else f'these {count}'}" in lines(pilot.app)[-2]
        await pilot.click(page, offset=(9, top + 1))
        await until(pilot, lambda: not isinstance(pilot.app.screen, LeaksScreen))


async def test_e_exports_the_leaks_as_csv_and_json(house: House) -> None:
    async with in_leaks(house) as pilot:
        await press(pilot, "e")
        assert "Exported CSV and JSON to" in lines(pilot.app)[-2]
    assert house.folder is not None
    report = json.loads((house.folder / EXPORTS[1]).read_text())
    assert {name: one["count"] for name, one in report.items()} == {
        f"{leak.game}: {leak.kind}": leak.count for leak in leaked(house)
    }


@pytest.mark.parametrize("width", [60, 100], ids=labelled("{} columns"))
async def test_leaks_screen_compares_your_strength_with_computer_players(
    tmp_path: Path, width: int
) -> None:
    house = practice(tmp_path)
    play(house, 110, 7, hold=())
    async with in_leaks(house, width, 30) as pilot:
        shown = text(pilot.app)
        assert "100 choices" in shown.casefold()
        assert ("weaker than the 34-line" in shown) is (width == 100)
    copy_golden(house, listing_of("cribbage"))  # fewer than 100 choices
    async with in_leaks(house, width, 30) as pilot:
        assert "100 choices" not in text(pilot.app).casefold(), "two games are listed"
        assert "100 choices" in (await text_after(pilot, "g")).casefold()


async def test_leaks_screen_without_mistakes_says_so(tmp_path: Path) -> None:
    async with in_leaks(replace(practice(tmp_path), cache=tmp_path / "cache.db")) as pilot:
        assert "No mistakes in these sessions" in text(pilot.app)
        await press(pilot, "enter")
        assert "there are no mistakes" in lines(pilot.app)[-2]


@pytest.mark.parametrize("size", first_of([(60, 20), (80, 24), (200, 60), (40, 15)]), ids=size_id)
async def test_leaks_screen_names_habits_at_every_size(house: House, size: tuple[int, int]) -> None:
    habits = habits_of(house)
    async with in_leaks(house, *size) as pilot:
        for habit in habits[:5]:
            shown = text(pilot.app).casefold()
            assert habit.total.habit in shown
            assert describe_habit(habit)[0].casefold()[:24] in shown
            await press(pilot, "down")
        await press(pilot, "pagedown", "pageup")


def test_long_leak_names_are_shortened_by_words_and_stay_distinct() -> None:
    names = [
        "facing a bet before the draw with ace high: called",
        "facing a raise before the draw with ace high: called",
        "facing a raise before the draw with no pair: called",
        "the draw with a low pair: stood pat",
        "short",
    ]
    for room in (24, 30, 40, 46):
        fitted = fit_names(names, room)
        assert len({*fitted}) == len(names)
        assert fitted[-1] == "short"
        for name, short in zip(names, fitted, strict=True):
            assert len(short) <= room
            words = {*short.replace("…", " ").replace(":", " ").split()}
            assert words <= {*name.replace(":", " ").split()}, "whole words"
    assert fit_names(names, 60) == names
    for room in (30, 40, 46):
        for name, short in zip(names, fit_names(names, room), strict=True):
            (spot, colon, slip), (spot_now, _, slip_now) = (
                name.partition(": "),
                short.partition(": "),
            )
            assert slip_now.split("…")[0].split()[:1] == slip.split()[:1], "the verb stays"
            assert spot_now.split("…")[0].split()[:1] == spot.split()[:1] or not colon
    assert fit_names(["breaking a pair for the crib"], 22) == ["breaking… for the crib"]
