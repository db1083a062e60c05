"""The leaks: what each kind of mistake costs, on the screen."""

from __future__ import annotations

import json
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from textual.pilot import Pilot

from tests.cases import first_of
from tests.golden.write import golden
from tests.tui.houses import arcade, lines, practice, press, run_app, text, until
from tests.tui.sample_logs import play
from tui_casino.gamekit.adviser import MistakeKind
from tui_casino.gamekit.registry import GAMES
from tui_casino.house.sitting import House
from tui_casino.records.cache import Cache
from tui_casino.teacher.leaks import CostRate, Leak, describe_leak, find_leaks
from tui_casino.teacher.mistakes import ReviewedSitting, review_sittings
from tui_casino.tui.history.leaks_page import fit_kind_name, format_cost
from tui_casino.tui.history.leaks_screen import EXPORTS, LeaksScreen
from tui_casino.tui.history.player_logs import games, own_logs
from tui_casino.tui.modals import ChoiceDialog
from tui_casino.tui.practice.position_screen import PositionScreen
from tui_casino.tui.practice.screen import PracticeScreen
from tui_casino.tui.replay.screen import ReplayTable


def leaked(house: House) -> list[Leak]:
    leaks = review_sittings(own_logs(house, {}), games(), Cache(None))
    return find_leaks(each for each in leaks if isinstance(each, ReviewedSitting))


@pytest.fixture
def house(tmp_path: Path) -> House:
    """Video poker played badly, and a game of cribbage."""
    house = practice(tmp_path)
    play(house, 6, 7, hold=())
    cribbage = next(game for game in GAMES if game.slug == "cribbage")
    shutil.copy(golden(cribbage).log, house.logs / "cribbage.jsonl")
    return house


def leaks_of(pilot: Pilot[None]) -> list[Leak]:
    screen = pilot.app.screen
    assert isinstance(screen, LeaksScreen)
    return screen.leaks


@asynccontextmanager
async def in_leaks(house: House, width: int = 80, height: int = 24) -> AsyncIterator[Pilot[None]]:
    async with run_app(arcade(house), width, height) as pilot:
        await press(pilot, "l")
        screen = pilot.app.screen
        assert isinstance(screen, LeaksScreen)
        await until(pilot, lambda: screen.studied is not None)
        yield pilot


async def test_kinds_are_told_as_the_command_tells_them(house: House) -> None:
    leaks = leaked(house)
    async with in_leaks(house, 132, 43) as pilot:
        shown = text(pilot.app)
        for leak in leaks[:5]:
            (row,) = (line for line in lines(pilot.app) if str(leak.kind) in line and "±" in line)
            assert f" {leak.count} " in row
            assert f" {format_cost(leak.rate.cost)} " in row
        assert describe_leak(leaks[0])[0] in shown
        await press(pilot, "down")
        assert describe_leak(leaks[1])[0] in text(pilot.app)
        await press(pilot, "end", "down")
        assert describe_leak(leaks[-1])[0] in text(pilot.app)
        await press(pilot, "x")
        assert "this key has no action here" in lines(pilot.app)[-2]
        await press(pilot, "home", "g")
        assert "Video poker" in lines(pilot.app)[0]
        assert "discard" not in text(pilot.app)
        await press(pilot, "g", "g", "o", "t")
        assert "most frequent first" in lines(pilot.app)[-2]
        await press(pilot, "escape")
        assert not isinstance(pilot.app.screen, LeaksScreen)


async def test_points_are_not_sorted_among_bets(house: House) -> None:
    async with in_leaks(house, 132) as pilot:
        units = [leak.unit for leak in leaks_of(pilot)]
        assert (
            units
            == sorted(units)
            == ["bets"] * units.count("bets") + ["points"] * (len(units) - units.count("bets"))
        )
        assert len({*units}) == 2
        assert "per 100 rounds · bets or points" in text(pilot.app)
        await press(pilot, "g")  # one game
        assert "in bets or points" not in text(pilot.app)


async def test_a_kind_leads_to_its_mistakes_and_each_to_its_replay(house: House) -> None:
    async with in_leaks(house) as pilot:
        await press(pilot, "g", "enter")
        assert isinstance(pilot.app.screen, ChoiceDialog)
        await press(pilot, "space")
        await until(pilot, lambda: isinstance(pilot.app.screen, ReplayTable))
        screen = pilot.app.screen
        assert isinstance(screen, ReplayTable)
        await until(pilot, lambda: screen.step > 0)
        choice = screen.seat_view.moment(screen.step + 1)
        assert choice.by == 0, "the choice comes next"
        assert screen.analysis.reviewer.mistake(screen.step + 1) is not None
        await press(pilot, "escape")
        assert isinstance(pilot.app.screen, LeaksScreen)


async def test_a_kind_is_practised_and_drilled(house: House) -> None:
    """The costliest of its mistakes comes first; a drill is of the same spot."""
    async with in_leaks(house) as pilot:
        await press(pilot, "g")
        kind = leaks_of(pilot)[0].kind
        assert "Practise th" in lines(pilot.app)[-2]
        await press(pilot, "space")
        await until(pilot, lambda: isinstance(pilot.app.screen, PositionScreen))
        await press(pilot, "escape")
        room = pilot.app.screen
        assert isinstance(room, PracticeScreen)
        assert kind in {row.kind for row in room.piles.rows}
        await press(pilot, "escape", "d")
        await until(pilot, lambda: isinstance(pilot.app.screen, PositionScreen))


async def test_they_are_exported(house: House) -> None:
    async with in_leaks(house) as pilot:
        await press(pilot, "e")
        assert "Exported CSV and JSON to" in lines(pilot.app)[-2]
    assert house.folder is not None
    report = json.loads((house.folder / EXPORTS[1]).read_text())
    assert {name: one["count"] for name, one in report.items()} == {
        f"{leak.game}: {leak.kind}": leak.count for leak in leaked(house)
    }


async def test_who_has_made_no_mistake_is_told_so(tmp_path: Path) -> None:
    async with in_leaks(replace(practice(tmp_path), cache=tmp_path / "cache.db")) as pilot:
        assert "No mistakes in these sessions" in text(pilot.app)
        await press(pilot, "enter")
        assert "there are no mistakes" in lines(pilot.app)[-2]


@pytest.mark.parametrize("size", first_of([(60, 20), (200, 60), (40, 15)]))
async def test_it_fits_other_sizes(house: House, size: tuple[int, int]) -> None:
    async with in_leaks(house, *size) as pilot:
        assert "count" in text(pilot.app)
        assert describe_leak(leaked(house)[0])[0][: size[0] - 5] in text(pilot.app)
        await press(pilot, "pagedown", "pageup")


def test_a_name_that_is_too_long_keeps_what_was_done() -> None:
    none = CostRate(0.0, 0.0)
    kind = MistakeKind("discard to their crib", "kept fewer points")
    leak = Leak("cribbage", kind, 1, none, 1, "points", none, none)
    assert fit_kind_name(leak, 45) == str(kind)
    assert fit_kind_name(leak, 30) == "discard to…: kept fewer points"
    assert fit_kind_name(leak, 24).startswith("discard…: kept")
