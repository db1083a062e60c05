"""The panel next to a table: no empty sections, and a message while the trainer calculates."""

from __future__ import annotations

from pathlib import Path
from threading import Event

import pytest
from textual.app import App, ComposeResult

from tests.helpers.arcade_pilot import press, settle, strike, text, text_after, until
from tests.tui.test_five_card_draw import dealt
from tui_casino.engine.game import Seat
from tui_casino.games.five_card_draw.brains import adviser
from tui_casino.games.five_card_draw.brains.adviser import DiscardAdvice
from tui_casino.games.five_card_draw.machine.state import State
from tui_casino.tui.widgets.text_blocks import Panel, TailText


async def test_panel_hides_empty_sections_and_marks_slow_lists(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    decided = Event()

    advise = adviser.advise

    def slow(view: State, seat: Seat) -> DiscardAdvice | None:
        decided.wait(10)
        return advise(view, seat)

    async with dealt(tmp_path, size=(132, 43)) as pilot:
        await until(pilot, lambda: "SESSION" in text(pilot.app))
        assert "YOUR HAND" not in text(pilot.app), "no cards are dealt yet"
        assert "WHAT THEY MAY HAVE" not in await text_after(pilot, "space")
        monkeypatch.setattr(adviser, "advise", slow)
        await strike(pilot, "t")
        await until(pilot, lambda: "calculating" in text(pilot.app))
        monkeypatch.undo()
        decided.set()
        await press(pilot, "5")
        await until(pilot, lambda: "best" in text(pilot.app))
        await settle(pilot)


class Beside(App[None]):
    CSS = "Panel { display: block; height: 8; } #panel-log { height: 1fr; }"

    def compose(self) -> ComposeResult:
        yield Panel("hand", "log")


async def test_message_log_in_the_panel_shows_its_newest_lines() -> None:
    async with Beside().run_test() as pilot:
        panel = pilot.app.query_one(Panel)
        for lines in (1, 3):
            panel.put("log", "\n".join(f"act {n}" for n in range(1, 10)), tail=True)
            panel.put("hand", "\n".join(["cards"] * lines))
            await pilot.pause()
            shown = str(panel.query_one("#panel-log", TailText).content).split("\n")
            assert shown == [f"act {n}" for n in range(10 - len(shown), 10)]
            assert len(shown) == panel.query_one("#panel-log").size.height < 9
        panel.put("log", "", tail=True)
        assert not panel.query_one("#panel-log").display
