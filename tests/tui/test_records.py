"""The records room: the list of logs, and their proof."""

from __future__ import annotations

import os
import shutil
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from tests.golden.write import golden
from tests.tui.houses import (
    ME,
    arcade,
    notes,
    opened,
    practice,
    press,
    settle,
    shuffles,
    table,
    text,
    until,
    with_purse,
)
from tests.tui.recorded import (
    SEAT,
    clock_at,
    in_records,
    listed,
    play,
    sit,
    spoilt,
)
from tui_casino.engine.chance import CommittedSource
from tui_casino.engine.croupier import ShuffledShoe
from tui_casino.gamekit.registry import GAMES
from tui_casino.games.video_poker import PARTS
from tui_casino.games.video_poker.machine.game import Bet, Draw, Options
from tui_casino.house.sitting import House, begin
from tui_casino.tui.modals import Page
from tui_casino.tui.records.browser import RecordsScreen
from tui_casino.tui.records.log_list import LogList
from tui_casino.tui.records.replay import ReplayTable

by_game = pytest.mark.parametrize("listing", GAMES, ids=lambda listing: listing.slug)


@pytest.fixture
def house(tmp_path: Path) -> House:
    return practice(tmp_path)


# ---- the list -----------------------------------------------------------------------------------


async def test_an_empty_folder_says_so(house: House) -> None:
    async with in_records(house) as pilot:
        assert isinstance(pilot.app.screen, RecordsScreen)
        assert "Nothing has been played yet." in text(pilot.app)
        await press(pilot, "enter", "v", "down", "g", "s", "escape")
        assert not isinstance(pilot.app.screen, RecordsScreen)


async def test_the_newest_comes_first_with_what_it_brought(tmp_path: Path) -> None:
    house = with_purse(tmp_path)
    for hour, rounds in enumerate((1, 2)):
        play(replace(house, clock=partial(clock_at, hour)), rounds)
    async with in_records(house) as pilot:
        first, second = listed(pilot.app)
        assert first.startswith("2026-01-01 01:00  Video poker")
        assert [first.split()[-1], second.split()[-1]] == ["-5.00", "0.00"]
        assert f"{ME}'s money" in text(pilot.app)
        assert second.startswith("2026-01-01 00:00  Video poker")
        assert "2 logs" in text(pilot.app)


async def test_filters_by_game_and_by_state(house: House) -> None:
    play(house)
    house.logs.joinpath("none.jsonl").write_text("nonsense\n")
    shutil.copy(golden(GAMES[1]).log, house.logs / "baccarat.jsonl")
    open_one = sit(house)
    async with in_records(house) as pilot:
        assert len(listed(pilot.app)) == 4
        await press(pilot, "s")
        (in_play,) = listed(pilot.app)
        assert "in play" in in_play
        await press(pilot, "s")
        assert len(listed(pilot.app)) == 2
        await press(pilot, "s")
        (damaged,) = listed(pilot.app)
        assert "! damaged: " in damaged
        await press(pilot, "s", "g", "g")
        (baccarat,) = listed(pilot.app)
        assert "Baccarat" in baccarat
        assert "1 of 4 logs" in text(pilot.app)
        await pilot.click("#filter-game")
        await settle(pilot)
        assert "Nothing like that here." in text(pilot.app)
    open_one.log.close()


async def test_the_list_is_walked_by_keys_and_mouse(house: House) -> None:
    for seed in range(30):
        play(house, 1, seed)
    async with in_records(house) as pilot:
        log_list = pilot.app.screen.query_one(LogList)
        await press(pilot, "end")
        assert log_list.cursor == 29
        assert log_list.scroll_offset.y > 0
        await press(pilot, "down", "up", "home", "pagedown")
        assert log_list.cursor == log_list.size.height - 1
        await pilot.click(LogList, offset=(3, 2))
        await settle(pilot)
        assert log_list.cursor == log_list.scroll_offset.y + 2
        await pilot.click(LogList, offset=(3, 2))
        await settle(pilot)
        assert isinstance(pilot.app.screen, ReplayTable)


async def test_what_has_no_game_here_is_not_opened(house: House) -> None:
    path = play(house)
    path.write_text(path.read_text().replace('"video-poker"', '"faro"'))
    async with in_records(house) as pilot:
        await press(pilot, "enter")
        assert isinstance(pilot.app.screen, RecordsScreen)
        assert any("faro" in note for note in notes(pilot.app))
        pilot.app.clear_notifications()
        await press(pilot, "v")
        await until(pilot, lambda: isinstance(pilot.app.screen, Page))
        await settle(pilot)
        assert "'faro', which is no" in " ".join(text(pilot.app).replace("│", " ").split())


async def test_a_log_that_vanished_is_told(house: House) -> None:
    path = play(house)
    async with in_records(house) as pilot:
        path.unlink()
        await press(pilot, "enter")
        assert any("cannot be read" in note for note in notes(pilot.app))
        await press(pilot, "f5")
        assert "Nothing has been played yet." in text(pilot.app)


async def test_a_log_is_verified(house: House) -> None:
    path = play(house)
    async with in_records(house) as pilot:
        await press(pilot, "v")
        await until(pilot, lambda: "Consistent: " in text(pilot.app))
        assert isinstance(pilot.app.screen, Page)
        await press(pilot, "escape")
        spoilt(path, 10)
        await press(pilot, "v")
        await until(pilot, lambda: "Differs in line 11: " in text(pilot.app))


async def test_the_ledger_vouches_for_what_was_played_for_money(tmp_path: Path) -> None:
    house = with_purse(tmp_path)
    play(house)
    async with in_records(house) as pilot:
        await press(pilot, "v")
        await until(pilot, lambda: "Authentic: " in text(pilot.app))


async def test_ten_thousand_logs_open_at_once(house: House) -> None:
    """The list is there before they are read, and draws only what is in sight."""
    path = play(house, 1)
    for number in range(10_000):
        os.link(path, house.logs / f"{number}.jsonl")
    async with opened(arcade(house)) as pilot:
        await press(pilot, "r")
        await until(pilot, lambda: "10,001 logs" in text(pilot.app))
        await press(pilot, "end", "home", "g")
        assert "10,001 logs" in text(pilot.app)


async def test_a_practice_that_was_cut_off_is_gone_on_with(house: House) -> None:
    """At the very step where it stopped, with the cards that would have come."""
    source = CommittedSource(b"s" * 32)
    sitting = begin(house, PARTS, Options(), ShuffledShoe(), source, {SEAT: None})
    for action in (Bet(5), Draw()):
        sitting.table.run()
        sitting.table.submit(SEAT, action)
    sitting.table.run()
    sitting.log.close()
    async with in_records(house) as pilot:
        assert "cut off" in text(pilot.app)
        await press(pilot, "p")
        assert table(pilot.app).table.state == sitting.table.state
        assert table(pilot.app).sitting.log.path == sitting.log.path
        await press(pilot, "1", "space", "escape")
        assert isinstance(pilot.app.screen, RecordsScreen)
        assert "1 log" in text(pilot.app)
        assert "left" in text(pilot.app)


async def test_a_bet_that_waits_is_not_played_on_for_practice(tmp_path: Path) -> None:
    async with opened(arcade(with_purse(tmp_path), fresh=shuffles(1))) as pilot:
        await press(pilot, "1", "space", "escape", "y", "r", "p")
        assert isinstance(pilot.app.screen, RecordsScreen)
        assert "not revealed yet" in notes(pilot.app)[-1]


async def test_the_order_of_the_list(house: House) -> None:
    """By time, result, length and game; of equal ones the newest comes first."""
    paths = [
        play(replace(house, clock=partial(clock_at, n)), n, seed) for n, seed in ((3, 1), (1, 2))
    ]
    async with in_records(house, 132, 43) as pilot:
        screen = pilot.app.screen
        assert isinstance(screen, RecordsScreen)
        found = screen.found
        assert found is not None
        assert [entry.path for entry in found] == paths
        for order, key in (("result", "result"), ("length", "length"), ("game", "game")):
            await press(pilot, "o")
            assert f"Order: {order}" in text(pilot.app)
            shown = [getattr(entry, key) for entry in screen.query_one(LogList).entries]
            assert shown == sorted(shown, reverse=order != "game")
        await press(pilot, "o")
        assert "Order: newest" in text(pilot.app)
