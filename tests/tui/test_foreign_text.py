"""The output of screens to the terminal when all that they show comes from hostile files."""

from __future__ import annotations

import json
import re
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from textual.content import Content
from textual.widgets import Static

from tests.fuzz.test_logs import chained
from tests.helpers.arcade_pilot import arcade, practice, press, settle, text
from tests.tui.emulated_terminal import OnEmulator
from tests.tui.sample_logs import clock_at, play
from tui_casino.house.sitting import House
from tui_casino.records.log_catalog import LABEL_FILE_NAME
from tui_casino.structs import replace
from tui_casino.tui.modals import ChoiceDialog, ConfirmationDialog, InputDialog, TextPage

BAD = "\x1b]0;owned\x07\x1b[2J\x9b2J\u202e\u2066\u200b\x00\r[/foo][@click=app.quit]x[/]"
SEEN = "[/foo][@click=app.quit]x[/]"
OWN = re.compile(r"\x1b\[[0-9;:]*m|\n?\x1b\[[0-9]+;[0-9]+H|\x1b\[\?[0-9]+[hl]|\x1b\]22;[a-z]+\x07")
"""What the program itself writes: styles, moves, modes, the shape of the pointer."""


class Noted(OnEmulator):
    """A terminal that notes what it is given."""

    def __init__(self, *args: Any, **options: Any) -> None:
        self.noted: list[str] = []
        super().__init__(*args, **options)

    def write(self, data: str) -> None:
        self.noted.append(data)
        super().write(data)


def check(app: Any) -> None:
    raw = OWN.sub("", "".join(app._driver.noted))
    assert raw.replace("\n", "").isprintable(), ascii(raw[-2000:])


def change(path: Path, line: int, **values: Any) -> None:
    lines = path.read_bytes().splitlines()
    record = json.loads(lines[line])
    lines[line] = json.dumps({**record, **values}).encode()
    path.write_bytes(chained(lines))


@pytest.fixture
def house(tmp_path: Path) -> House:
    """Logs with bad words in every field, under bad names."""
    house = practice(tmp_path)
    paths = [play(replace(house, clock=partial(clock_at, n)), 1) for n in range(5)]
    for path in paths:
        end = json.loads(path.read_bytes().splitlines()[-1])["end"]
        change(path, -1, end={**end, "why": BAD})
        change(path, 0, parent={"log": BAD, "step": 1}, program=BAD)
    change(paths[1], 0, game=BAD)
    change(paths[2], 0, players=[BAD])
    table = json.loads(paths[3].read_bytes().splitlines()[0])["options"]
    change(paths[3], 0, options={"paytable": {**table["paytable"], "title": BAD}})
    for path in paths:
        path.rename(path.with_name(BAD.replace("/", "-").replace("\0", "") + path.name))
    (house.logs / LABEL_FILE_NAME).write_text(
        json.dumps({"labels": {each.name: {"name": BAD} for each in house.logs.glob("*.jsonl")}})
    )
    return house


@pytest.mark.prove
async def test_hostile_logs_are_shown_without_control_characters(house: House) -> None:
    app = arcade(house, error=BAD)
    app.driver_class = Noted
    async with app.run_test(headless=False, size=(120, 40), notifications=True) as pilot:
        await settle(pilot)
        check(app)
        await press(pilot, "r", *["down"] * 4, "v", "escape", *["up"] * 4, "enter", "end")
        assert " end: " in text(app)
        check(app)
        await press(pilot, "question_mark", "escape", "escape", "f2")
        assert "STATISTICS" in text(app)
        check(app)


async def test_hostile_text_is_shown_as_plain_text_in_every_window(tmp_path: Path) -> None:
    windows = (
        TextPage(BAD, BAD),
        ChoiceDialog(BAD, {"one": BAD}),
        InputDialog(BAD, BAD),
        ConfirmationDialog(BAD, BAD, BAD, BAD),
    )
    app = arcade(practice(tmp_path))
    app.driver_class = Noted
    async with app.run_test(headless=False, size=(100, 30), notifications=True) as pilot:
        await settle(pilot)
        for window in windows:
            app.push_screen(window)
            app.notify(BAD, title=BAD)
            await settle(pilot)
            check(app)
            assert text(app).count(SEEN) >= 2, window
            window.dismiss()
            await settle(pilot)
        # and past all that is careful, a widget that is not
        await app.screen.mount(Static(Content(BAD, strip_control_codes=False)))
        await settle(pilot)
        check(app)
        assert SEEN in text(app)
