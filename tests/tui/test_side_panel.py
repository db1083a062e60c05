"""The panel beside a table: no title over nothing, and a word while the trainer weighs."""

from __future__ import annotations

from pathlib import Path
from threading import Event

import pytest

from tests.tui.houses import press, settle, strike, text, until
from tests.tui.test_five_card_draw import dealt
from tui_casino.games.five_card_draw.brains import adviser
from tui_casino.games.five_card_draw.machine.state import State


async def test_a_part_with_nothing_to_say_has_no_title_and_one_that_is_weighed_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    decided = Event()

    def slow(view: State, seat: int) -> None:
        decided.wait(10)

    async with dealt(tmp_path, size=(132, 43)) as pilot:
        await until(pilot, lambda: "SESSION" in text(pilot.app))
        assert "YOUR HAND" not in text(pilot.app), "no cards are dealt yet"
        await press(pilot, "space")
        await until(pilot, lambda: "Ask the trainer: t" in text(pilot.app))
        assert "WHAT THEY MAY HAVE" not in text(pilot.app)
        monkeypatch.setattr(adviser, "advise", slow)
        await strike(pilot, "t")
        await until(pilot, lambda: "The trainer is weighing." in text(pilot.app))
        assert "Ask the trainer" not in text(pilot.app)
        monkeypatch.undo()
        decided.set()
        await press(pilot, "5")
        await until(pilot, lambda: "best" in text(pilot.app))
        await settle(pilot)
