"""Notices: one at a time, in the title row of the screen they are for, and kept to be read."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from textual.app import App

from tests.helpers.arcade_pilot import arcade, lines, practice, press, run_app, settle, text, until
from tests.helpers.parameter_ids import size_id
from tests.helpers.quick_cases import first_of
from tests.helpers.screen_walks import LOOKS
from tui_casino.tui.app import Arcade
from tui_casino.tui.draw.segments import drop_trailing_parts
from tui_casino.tui.table.live import LiveTable
from tui_casino.tui.terminal.detection import GlyphSet
from tui_casino.tui.widgets.hint_line import MARKS
from tui_casino.tui.widgets.title_bar import KEPT, REST, Notices, make_notice

LONG = f"/home/player/.config/tui-casino/settings.toml:1: {'what is wrong with it, ' * 5}at last"


def notice_text(app: App[Any]) -> str:
    """Give the title row."""
    return lines(app)[0].strip()


def next_one(app: App[Any]) -> None:
    """Let the time of the notice that is shown be over."""
    assert isinstance(app, Arcade)
    app.notices._next()


@pytest.mark.parametrize("size", first_of([(80, 24), (60, 20), (132, 43)]), ids=size_id)
@pytest.mark.parametrize("look", first_of(LOOKS))
async def test_notice_covers_only_the_title_row(
    tmp_path: Path, size: tuple[int, int], look: str
) -> None:
    async with run_app(arcade(practice(tmp_path), LOOKS[look]), *size) as pilot:
        app = pilot.app
        await press(pilot, "1", "space")
        before = lines(app)
        app.notify("All is well.")
        app.notify(LONG, title="Settings", severity="warning")
        await settle(pilot)
        assert lines(app)[1:] == before[1:]
        mark = MARKS[LOOKS[look].tier]["told"]
        assert notice_text(app).endswith(f"VIDEO POKER  {mark} All is well.")
        next_one(app)
        await settle(pilot)
        assert lines(app)[1:] == before[1:]
        assert "! Settings: /home/player" in notice_text(app)
        assert notice_text(app).endswith(REST)
        next_one(app)
        await settle(pilot)
        assert lines(app) == before


async def test_notice_disappears_after_some_time(tmp_path: Path) -> None:
    async with run_app(arcade(practice(tmp_path))) as pilot:
        before = notice_text(pilot.app)
        pilot.app.notify("Soon gone.", timeout=0.05)
        await settle(pilot)
        assert "Soon gone." in notice_text(pilot.app)
        await until(pilot, lambda: notice_text(pilot.app) == before)


async def test_notice_disappears_with_its_screen(tmp_path: Path) -> None:
    """Those that were told at a table do not follow to the menu, nor back to a table."""
    async with run_app(arcade(practice(tmp_path))) as pilot:
        app = pilot.app
        await press(pilot, "1", "space", "space")
        for words in ("One of the table.", "Two of the table."):
            app.notify(words)
        await settle(pilot)
        assert "One of the table." in notice_text(app)
        await press(pilot, "escape")
        assert "of the table" not in text(app)
        assert "You leave with " in notice_text(app)
        next_one(app)
        await press(pilot, "1")
        assert isinstance(app.screen, LiveTable)
        assert "of the table" not in text(app)


async def test_notice_is_shown_below_a_window(tmp_path: Path) -> None:
    async with run_app(arcade(practice(tmp_path))) as pilot:
        await press(pilot, "1", "f3")
        pilot.app.notify("While a window is open.")
        await until(pilot, lambda: "While a window is open." in notice_text(pilot.app))
        await press(pilot, "escape")
        assert "While a window is open." in notice_text(pilot.app)


class Stack:
    """The part of an app that notices need."""

    def __init__(self) -> None:
        self.screen_stack: list[Any] = []
        self.due: list[Callable[[], None]] = []

    def set_timer(self, seconds: float, then: Callable[[], None]) -> Any:
        self.due.append(then)
        return self

    def stop(self) -> None:
        self.due.clear()


class Place:
    def __init__(self, *, is_modal: bool = False) -> None:
        self.is_modal = is_modal

    def query(self, kind: object) -> tuple[()]:
        return ()


def test_queued_notices_are_shown_one_at_a_time() -> None:
    app: Any = Stack()
    table: Any = Place()
    app.screen_stack = [table, Place(is_modal=True)]
    notices = Notices(app)
    for name in "abc":
        notices.add(make_notice(name))
    seen = []
    while (now := notices.shown_on(table)) is not None:
        seen.append(now.text)
        app.due.pop()()
    assert seen == ["a", "b", "c"]
    assert [stored.text for stored in notices.history] == seen


def test_notice_for_another_screen_does_not_delay_later_ones() -> None:
    app: Any = Stack()
    table: Any
    menu: Any
    table, menu = Place(), Place()
    app.screen_stack = [menu, table]
    notices = Notices(app)
    notices.add(make_notice("at the table"))
    notices.add(make_notice("at the table, too"))
    app.screen_stack.pop()
    notices.add(make_notice("in the menu"))
    assert notices.shown_on(menu) == make_notice("in the menu")
    assert notices.shown_on(table) is None


def test_list_of_past_notices_keeps_only_the_last_ones() -> None:
    app: Any = Stack()
    notices = Notices(app)
    for number in range(KEPT + 10):
        notices.add(make_notice(str(number)))
    assert [stored.text for stored in notices.history] == [str(n) for n in range(10, KEPT + 10)]


def test_notice_is_one_line_without_control_characters() -> None:
    assert make_notice("two\nlines\x1b[2J", "Keys").text == r"Keys: two lines\x1b[2J"


def test_longer_notices_are_shown_for_a_longer_time() -> None:
    assert make_notice("x" * 150).seconds == pytest.approx(12)
    assert make_notice("x" * 15).seconds == pytest.approx(3)
    assert make_notice("x", seconds=1.5).seconds == pytest.approx(1.5)


@pytest.mark.parametrize(
    ("width", "expected"),
    [
        (40, "limit 10/20 · hand 14 · after the draw"),
        (30, "limit 10/20 · hand 14"),
        (12, "limit 10/20"),
        (8, "limit …"),
        (0, ""),
    ],
)
def test_narrow_title_row_drops_its_last_parts_first(width: int, expected: str) -> None:
    assert (
        drop_trailing_parts("limit 10/20 · hand 14 · after the draw", width, GlyphSet.UNICODE)
        == expected
    )


async def test_screens_have_no_widgets_of_textual_for_notices_and_tooltips(tmp_path: Path) -> None:
    async with run_app(arcade(practice(tmp_path))) as pilot:
        await press(pilot, "1", "f3")
        await pilot.hover(offset=(3, 3))
        assert len(pilot.app.screen_stack) > 2
        for screen in pilot.app.screen_stack:
            assert not screen.query(".-textual-system")
