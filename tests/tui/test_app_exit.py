"""An app that ends while a screen opens has no fault to report."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from textual.css.query import NoMatches
from textual.screen import Screen

from tui_casino.house.house import House
from tui_casino.house.settings import Settings
from tui_casino.tui.app import Arcade, StartOptions
from tui_casino.tui.terminal.detection import detect


class Incomplete(Screen[None]):
    """A screen that looks for a part that is not there, with or without an end of the app."""

    def __init__(self, *, ends: bool) -> None:
        super().__init__()
        self._ends, self.looked = ends, asyncio.Event()

    def on_mount(self) -> None:
        self.looked.set()
        if self._ends:
            self.app.exit()
        self.query_one("#nothing")


@pytest.mark.parametrize("ends", [True, False], ids=["app ends", "app runs"])
async def test_missing_widget_raises_an_error_only_while_the_app_runs(
    ends: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    faults: list[BaseException] = []

    def note(error: BaseException) -> str:
        faults.append(error)
        return ""

    monkeypatch.setattr("tui_casino.tui.app.report_fault", note)
    terminal = detect({"TERM": "xterm-256color"}, "utf-8")
    app = Arcade(
        StartOptions(House(tmp_path, None, "ann"), terminal, Settings(), tmp_path / "settings")
    )
    try:
        async with app.run_test(size=(100, 30)):
            screen = Incomplete(ends=ends)
            app.push_screen(screen)
            await asyncio.wait_for(screen.looked.wait(), 10)
    except NoMatches:
        assert not ends
    assert bool(faults) is not ends
