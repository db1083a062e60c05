"""Closed screens are removed from memory, and screens are built only when opened."""

from __future__ import annotations

import gc
import weakref
from pathlib import Path

import pytest
from textual.css.stylesheet import Stylesheet

from tests.helpers.arcade_pilot import arcade, practice, press, run_app
from tests.helpers.narrow import instance_of
from tui_casino.gamekit.registry import GAMES
from tui_casino.tui.menu.game_list import GameList
from tui_casino.tui.menu.screen import Menu
from tui_casino.tui.table.live import LiveTable
from tui_casino.tui.widgets.key_bar import KeyBar


@pytest.mark.prove
async def test_closed_tables_are_freed_from_memory(tmp_path: Path) -> None:
    """The painter knows the last one that it wrote for, until it writes for another."""
    tables: list[weakref.ref[object]] = []
    looks: list[weakref.ref[object]] = []
    async with run_app(arcade(practice(tmp_path)), 100, 30) as pilot:
        for number in range(1, len(GAMES) + 1):
            await press(pilot, str(number))
            table = instance_of(LiveTable, pilot.app.screen)
            tables.append(weakref.ref(table))
            looks.append(weakref.ref(table.query_one(KeyBar)._styles_cache))
            del table
            await press(pilot, "escape")
            assert isinstance(pilot.app.screen, Menu)
        gc.collect()
        assert sum(ref() is not None for ref in tables) <= 1
        assert sum(ref() is not None for ref in looks) <= 1


async def test_menu_is_built_only_after_a_table_given_at_the_start(tmp_path: Path) -> None:
    async with run_app(arcade(practice(tmp_path), game="cribbage")) as pilot:
        menu = instance_of(Menu, pilot.app.screen_stack[0])
        assert not menu.query(GameList)
        await press(pilot, "f3", "escape")
        assert not menu.query(GameList)
        await press(pilot, "escape")
        assert pilot.app.screen is menu
        assert menu.query_one(GameList).size.height == 21
        await press(pilot, "2")
        assert pilot.app.screen.query_one(KeyBar).size.width == 80


async def test_menu_is_laid_out_if_the_table_cannot_be_opened(tmp_path: Path) -> None:
    (tmp_path / "logs").write_text("a file where the folder should be")
    async with run_app(arcade(practice(tmp_path), game="cribbage")) as pilot:
        assert isinstance(pilot.app.screen, Menu)
        assert pilot.app.screen.query_one(GameList).size.height == 21


async def test_no_stylesheet_is_parsed_twice_at_the_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def reparse(sheets: Stylesheet) -> None:
        raise AssertionError("all is parsed anew")

    monkeypatch.setattr(Stylesheet, "reparse", reparse)
    async with run_app(arcade(practice(tmp_path))) as pilot:
        assert pilot.app.theme_variables["gold"] in pilot.app.stylesheet._variables.values()
