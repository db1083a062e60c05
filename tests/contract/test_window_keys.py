"""In no window of the house is a key silent: it does something, or is told what would."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path
from string import printable
from typing import Any, cast

import pytest
from textual.app import App
from textual.dom import DOMNode
from textual.keys import _character_to_key
from textual.pilot import Pilot
from textual.screen import ModalScreen, Screen

from tests.helpers.arcade_pilot import arcade, lines, practice, press, run_app, settle, text
from tui_casino.gamekit.registry import GAMES
from tui_casino.games.baccarat.face.widgets.roads import RoadsPage
from tui_casino.games.thirty_one.face.battle_screen import BattleScreen
from tui_casino.games.thirty_one.face.lab_screen import LabBench, LabScreen
from tui_casino.games.thirty_one.machine.rules import Rules
from tui_casino.house.shared_tables import SharedTablesClient, TableLine, WatchedRounds
from tui_casino.house.table_watch import TableWatch
from tui_casino.tui.app import Arcade
from tui_casino.tui.command_palette import CommandPalette
from tui_casino.tui.history.summary_screen import SummaryWindow
from tui_casino.tui.menu.tour import Tour
from tui_casino.tui.modals import (
    ChoiceDialog,
    ConfirmationDialog,
    InputDialog,
    LedgerBusyDialog,
    OddsWindow,
    TerminalTooSmall,
    TextPage,
)
from tui_casino.tui.replay.graph import CurveWindow
from tui_casino.tui.replay.proof import ProofPage
from tui_casino.tui.room import Room
from tui_casino.tui.settings.keymap import WINDOWS
from tui_casino.tui.settings.screen import KeyPrompt, KeysScreen, SettingsScreen
from tui_casino.tui.table.face import face_of
from tui_casino.tui.table.hot_seat_screen import HotSeatScreen, NamesDialog
from tui_casino.tui.table.snapshot import StatisticsPage
from tui_casino.tui.table.statistics_screen import StatisticsScreen
from tui_casino.tui.watch_page import WatchPage
from tui_casino.tui.window import PassingWindow, Window

SOME_KEYS = ["z", "colon", "b", "1"]
KEYS = [_character_to_key(letter) for letter in printable.strip(" \t\n\r\x0b\x0c")] + ["space"]
PAGE = StatisticsPage("Rounds  3", lambda: "as it should be", {}, (30, 60))
Made = Callable[[Arcade], Screen[Any]]


async def never() -> None:
    await asyncio.Event().wait()


def nothing(*_: object) -> None:
    """Do nothing."""


class NoMoreRounds:
    """A table at which no more rounds end."""

    def watch(self, code: str, after: int, wait: float) -> WatchedRounds:
        return WatchedRounds((), after)


def watched() -> TableWatch:
    line = TableLine("K7QX", "baccarat", "open", 0, (), b"{}", "")
    return TableWatch(cast(SharedTablesClient, NoMoreRounds()), line)


MADE: dict[type[Screen[Any]], Made] = {
    TextPage: lambda app: TextPage("Help", "What there is to know."),
    OddsWindow: lambda app: OddsWindow("Odds", "1 to 3"),
    ChoiceDialog: lambda app: ChoiceDialog(
        "Which one?", {"one": "The first", "two": "The second"}, "two"
    ),
    InputDialog: lambda app: InputDialog("A word", "Type a word."),
    NamesDialog: lambda app: NamesDialog(),
    ConfirmationDialog: lambda app: ConfirmationDialog(
        "A bet is at stake", "It waits.", "Leave", "Stay"
    ),
    TerminalTooSmall: lambda app: TerminalTooSmall(40, 15),
    KeyPrompt: lambda app: KeyPrompt("Advice"),
    KeysScreen: lambda app: KeysScreen(app.settings.keys, app._keyboard()),
    SettingsScreen: lambda app: SettingsScreen(app.settings, app._keyboard()),
    CommandPalette: lambda app: CommandPalette([*app._deeds(app.screen_stack[0])], nothing),
    LedgerBusyDialog: lambda app: LedgerBusyDialog(never),
    ProofPage: lambda app: ProofPage("Proof", "Consistent: yes", "ab" * 32),
    Tour: lambda app: Tour(),
    CurveWindow: lambda app: CurveWindow(),
    SummaryWindow: lambda app: SummaryWindow(app.desk, GAMES[0], Path("gone.jsonl")),
    HotSeatScreen: lambda app: HotSeatScreen("Cribbage", "North", ["South lays the 7."], nothing),
    StatisticsScreen: lambda app: StatisticsScreen("toy", PAGE, (1, 2), None, "cents"),
    RoadsPage: lambda app: RoadsPage(()),
    LabScreen: lambda app: LabScreen(LabBench(app.screen, Rules(), lambda: None), nothing),
    BattleScreen: lambda app: BattleScreen(Rules(), None),
    WatchPage: lambda app: WatchPage(watched(), ("Bob bets 5 on Player, and wins 5.",)),
}


def windows() -> Iterator[type[DOMNode]]:
    """Give everything that opens over a screen, that of the games too."""
    yield from (kind for kinds in WINDOWS.values() for kind in kinds if issubclass(kind, Screen))
    for game in GAMES:
        yield from (window() for window in face_of(game).pages.windows.values())


def kinds_of(kind: type[DOMNode]) -> Iterator[type[DOMNode]]:
    yield kind
    for sub in kind.__subclasses__():
        yield from kinds_of(sub)


def looks(app: App[Any]) -> object:
    """Give all that a key may change."""
    refused = [*app.screen.query(".-unheard")]  # in a narrow window the colour alone says it
    return text(app), [*app.screen_stack], app.focused, refused


async def walk(made: Made, keys: list[str], folder: Path) -> None:
    app = arcade(practice(folder))
    async with run_app(app) as pilot:
        house = [*app.screen_stack]
        window: Screen[Any] | None = None
        for key in keys:
            if window not in app.screen_stack:
                await back_to(house, pilot)
                window = made(app)
                await app.push_screen(window)
                await settle(pilot)
            if isinstance(window, Window):
                window.name_keys()  # two refused keys may be told the same
                await settle(pilot)
            before = looks(app)
            await press(pilot, key)
            assert looks(app) != before, f"{key} is silent"
            if window in app.screen_stack:
                await back_to([*house, window], pilot)


async def back_to(stack: list[Screen[Any]], pilot: Pilot[None]) -> None:
    """Close what a key has opened."""
    while len(pilot.app.screen_stack) > len(stack):
        await press(pilot, "escape")
    assert pilot.app.screen_stack == stack


def test_every_window_class_handles_keys_and_is_covered_by_these_tests() -> None:
    for kind in windows():
        assert issubclass(kind, Window | Room) or "on_key" in vars(kind), kind
    ours = (kind for kind in kinds_of(ModalScreen) if kind.__module__.startswith("tui_casino."))
    assert all(issubclass(kind, Window) for kind in ours)
    assert {kind for kind in kinds_of(Window) if "games" not in kind.__module__} - {
        Window,
        PassingWindow,
    } <= {*MADE}


@pytest.mark.parametrize(
    ("kind", "keys"),
    [
        *((kind, SOME_KEYS) for kind in (StatisticsScreen, ConfirmationDialog, HotSeatScreen)),
        *(pytest.param(kind, KEYS, marks=pytest.mark.prove) for kind in MADE),
    ],
    ids=lambda value: value.__name__ if isinstance(value, type) else f"{len(value)} keys",
)
async def test_every_printable_key_in_a_window_acts_or_is_answered(
    kind: type[Screen[Any]], keys: list[str], tmp_path: Path
) -> None:
    await walk(MADE[kind], keys, tmp_path)


async def test_answer_to_a_key_without_action_names_a_valid_key_and_disappears(
    tmp_path: Path,
) -> None:
    async with run_app(arcade(practice(tmp_path)), 40, 15) as pilot:
        await press(pilot, "f1", "z")
        edge = lines(pilot.app)[-1]
        assert "z: no action here. Esc closes" in edge
        await press(pilot, "down")
        assert "Esc" in (edge := lines(pilot.app)[-1])
        assert "no such key" not in edge
        await press(pilot, "escape", "f3", "z")
        assert "not z: arrows change, Esc closes" in text(pilot.app), "as much as there is room"
