"""Whatever the painter does, the terminal shows what Textual would paint whole."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from textual.pilot import Pilot

from tests.helpers.arcade_pilot import (
    PATIENCE,
    STILL,
    TRUE,
    arcade,
    practice,
    press,
    resize,
    shuffles,
    stopped_after,
    strike,
    strike_until,
    table,
    until,
)
from tests.helpers.quick_cases import by_game, by_game_first
from tests.helpers.screen_walks import LEAST, LOOKS, UNICODE, key_of, stop_in_the_deal
from tests.tui.emulated_terminal import check, run_on_emulator
from tests.tui.sample_logs import copy_golden
from tests.tui.sample_logs import replay_screen as replayed
from tui_casino.gamekit.registry import GAMES, GameListing
from tui_casino.house.settings import Settings
from tui_casino.tui.menu.screen import Menu
from tui_casino.tui.modals import ConfirmationDialog
from tui_casino.tui.settings.screen import SettingsScreen
from tui_casino.tui.table import pacing
from tui_casino.tui.table.live import LiveTable
from tui_casino.tui.table.pacing import Pacing
from tui_casino.tui.terminal.detection import TerminalCapabilities
from tui_casino.tui.theme import PALETTES

first_game = pytest.mark.parametrize(
    "listing",
    [GAMES[0], *(pytest.param(listing, marks=pytest.mark.prove) for listing in GAMES[1:])],
    ids=lambda listing: listing.slug,
)
MOVING = Settings(animation=True)
QUICK = 0.01
"""Seconds between two cards."""


def house_app(
    folder: Path, terminal: TerminalCapabilities = TRUE, settings: Settings = STILL
) -> Any:
    return arcade(practice(folder), terminal, settings, fresh=shuffles(*range(1, 100)))


# ---- sessions -----------------------------------------------------------------------------------

PLAY = (*["space"] * 4, *"12345", *"hsbdaxkctipm")
LINES = (*"b5", "enter", "plus", "minus", "left", "right", "up", "down", "backspace", "tab")
WINDOWS = ("escape", "escape", "n", "y", "f1", "f2", "f3", "f4", "o", "v")
SIZES = ((80, 24), (100, 30), (132, 43), (60, 20), LEAST)
SESSIONS = tuple(
    (size, look, motion)
    for place, size in enumerate(SIZES)
    for motion, look in ((place % 2 == 0, UNICODE), (place % 2 == 1, [*LOOKS][1 + place % 4]))
)


async def session(pilot: Pilot[None], dice: random.Random, keys: int) -> None:
    """Strike keys by chance, among them such as open windows; look at the screen after each."""
    for number in range(keys):
        kind = dice.choices((PLAY, LINES, WINDOWS), (6, 2, 1))[0]
        key = dice.choice(kind)
        if pilot.app.animation_level == "none":
            await press(pilot, key)
        else:  # the next key may come in the middle of a deal
            await strike(pilot, key)
            await asyncio.sleep(dice.choice((0, 0, QUICK, 5 * QUICK)))
        if dice.random() < 0.03:
            pilot.app.notify("A notice.\n" * dice.randint(1, 5))
        if dice.random() < 0.03:
            await resize(pilot, *dice.choice(SIZES))
        await check(pilot, f"after key {number}, {key!r},", anew=dice.random() < 0.1)


async def one_session(
    folder: Path, listing: GameListing, size: tuple[int, int], look: str, motion: bool, keys: int
) -> None:
    app = house_app(folder, LOOKS[look], MOVING if motion else STILL)
    with patch.object(pacing, "PACE", QUICK):
        async with run_on_emulator(app, *size) as pilot:
            await press(pilot, key_of(listing.slug))
            name = f"{listing.slug} {size} {look} {motion}"
            await session(pilot, random.Random(name), keys)


@by_game_first("video-poker")
async def test_directly_painted_screen_equals_a_full_repaint_after_any_key(
    tmp_path: Path, listing: GameListing
) -> None:
    size, look, motion = SESSIONS[GAMES.index(listing)]
    await one_session(tmp_path, listing, size, look, motion, 8)


@pytest.mark.prove
@pytest.mark.parametrize(
    ("size", "look", "motion"),
    SESSIONS,
    ids=[
        f"{columns}x{rows} {look}, {'animated' if motion else 'still'}"
        for (columns, rows), look, motion in SESSIONS
    ],
)
@by_game
async def test_directly_painted_screen_equals_a_full_repaint_in_long_sessions(
    tmp_path: Path, listing: GameListing, size: tuple[int, int], look: str, motion: bool
) -> None:
    await one_session(tmp_path, listing, size, look, motion, 60)


# ---- what may come between ----------------------------------------------------------------------


@pytest.mark.parametrize(
    "window", ["f1", *(pytest.param(key, marks=pytest.mark.prove) for key in ("f2", "f3"))]
)
async def test_deal_continues_on_the_table_below_a_window(tmp_path: Path, window: str) -> None:
    """Its cards are seen through the window's sides, and all of them once it closes."""
    over = asyncio.Event()

    async def rest(*_: object) -> None:
        await over.wait()
        await asyncio.sleep(8 * QUICK)

    with patch.object(pacing, "PACE", PATIENCE), patch.object(Pacing, "_rest", rest):
        async with run_on_emulator(house_app(tmp_path, settings=MOVING), 100, 30) as pilot:
            await press(pilot, key_of("video-poker"))
            await strike(pilot, "space")
            dealing = table(pilot.app).pacing
            await until(pilot, lambda: dealing.is_dealing)
            with patch.object(
                type(dealing), "skip_motion", lambda self: False
            ):  # or keys would end it
                await strike_until(pilot, window, lambda: pilot.app.screen is not table(pilot.app))
                assert dealing.is_dealing
                over.set()
                while dealing.is_dealing:
                    await check(pilot, "while it is dealt")
                await strike(pilot, "escape")
            await check(pilot, "behind the window", anew=True)
            assert pilot.app.screen is table(pilot.app)


async def test_painted_screen_is_correct_under_odds_and_table_windows(tmp_path: Path) -> None:
    async with run_on_emulator(house_app(tmp_path)) as pilot:
        await press(pilot, key_of("video-poker"), "space", "2")
        for key in ("o", "down", "escape", "3", "space", "f4", "down", "escape", "space"):
            await press(pilot, key)
            await check(pilot, f"after {key}")


@first_game
async def test_painted_screen_is_correct_after_a_resize_during_a_deal(
    tmp_path: Path, listing: GameListing
) -> None:
    async with run_on_emulator(house_app(tmp_path)) as pilot:
        with stopped_after(2) as stopped:  # by Space, or as the table opens
            await strike(pilot, key_of(listing.slug))
            await until(pilot, lambda: isinstance(pilot.app.screen, LiveTable))
            await check(pilot, "as the table opens")
            if not stopped():
                await strike(pilot, "space")
            await until(pilot, stopped)
        for size in ((60, 20), (30, 10), (100, 30)):
            await resize(pilot, *size, workers=False)
            await check(pilot, f"at {size}")


async def test_painted_screen_is_correct_after_leaving_during_a_deal(tmp_path: Path) -> None:
    async with run_on_emulator(house_app(tmp_path)) as pilot:
        await press(pilot, key_of("baccarat"), "1")
        await stop_in_the_deal(pilot, 2)
        await strike(pilot, "escape")
        await until(pilot, lambda: isinstance(pilot.app.screen, ConfirmationDialog))
        await check(pilot, "asked whether to leave")
        await strike_until(pilot, "y", lambda: isinstance(pilot.app.screen, Menu))
        await check(pilot, "in the menu", anew=True)


@first_game
async def test_painted_screen_is_correct_during_a_replay(
    tmp_path: Path, listing: GameListing
) -> None:
    house = practice(tmp_path)
    copy_golden(house, listing)
    async with run_on_emulator(arcade(house), 100, 30) as pilot:
        await press(pilot, "r", "enter")
        for key in (*["right"] * 5, "left", "end", "home", "f2", "escape"):
            await press(pilot, key)
            await check(pilot, f"after {key}")
        assert replayed(pilot.app).step == 0


@first_game
async def test_painted_screen_is_correct_after_a_change_of_theme(
    tmp_path: Path, listing: GameListing
) -> None:
    """In the settings, through whose sides the table is seen, and behind them."""
    async with run_on_emulator(house_app(tmp_path), 100, 30) as pilot:
        await press(pilot, key_of(listing.slug), "space", "f3")
        assert isinstance(pilot.app.screen, SettingsScreen)
        for number in range(len(PALETTES)):
            await press(pilot, "right")
            await check(pilot, f"in theme {number}", anew=True)
        await press(pilot, "left", "escape", "space")
        await check(pilot, "at the table", anew=True)


async def test_painted_screen_is_correct_while_a_command_is_typed(tmp_path: Path) -> None:
    async with run_on_emulator(house_app(tmp_path)) as pilot:
        await press(pilot, key_of("video-poker"))
        for key in ("b", "space", "9", "9", "enter", "escape", "b", "3", "backspace", "2", "enter"):
            await press(pilot, key)
            await check(pilot, f"after {key}")
