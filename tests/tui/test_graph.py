"""The curve of a recording: its scale, its rules, its mistakes, and the window that it has."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.helpers.arcade_pilot import practice, press, text, until
from tests.tui.sample_logs import copy_golden, run_replay
from tui_casino.gamekit.registry import listing_of
from tui_casino.tui.replay.graph import BankrollCurve, CurveWindow, plot_rows
from tui_casino.tui.replay.screen import ReplayTable
from tui_casino.tui.terminal.detection import GlyphSet

CHANCE = BankrollCurve("CHANCE TO WIN", "%", (0.0, 100.0), (0, 50, 100), (40.0, 75.0, 60.0), 100)


@pytest.mark.parametrize("tier", [GlyphSet.UNICODE, GlyphSet.ASCII])
def test_win_chance_graph_always_has_the_scale_0_to_100_percent(tier: GlyphSet) -> None:
    rows, left = plot_rows(CHANCE, 40, 9, tier)
    figures = [row[:left].strip() for row in rows]
    assert figures == ["100%", "", "", "", "50%", "", "", "", "0%"]
    assert {len(row) for row in rows} == {40}
    assert all(row[left:].strip() for row in (rows[0], rows[4], rows[8])), "they are ruled"
    assert tier is GlyphSet.UNICODE or "".join(rows).isascii()


def test_money_graph_is_scaled_to_its_range() -> None:
    money = BankrollCurve("MONEY", "", None, (0, 10, 20), (1000.0, 980.0, 1005.0), 20)
    rows, left = plot_rows(money, 40, 4, GlyphSet.UNICODE)
    assert [row[:left].strip() for row in rows] == ["1,005", "", "", "980"]
    lost = BankrollCurve("POINTS AHEAD", "", None, (0, 10), (0.0, -12.0), 10)
    assert plot_rows(lost, 40, 4, GlyphSet.UNICODE)[0][-1].startswith("−12")


def test_small_graph_has_no_middle_line() -> None:
    rows, left = plot_rows(CHANCE, 60, 3, GlyphSet.ASCII)
    assert "." not in rows[1][left:]


def test_graph_repeats_the_value_of_a_step_until_the_next_one() -> None:
    assert [CHANCE.value_at(step) for step in (0, 49, 50, 99, 100)] == [40, 40, 75, 75, 60]


async def test_win_chance_graph_opens_with_a_key_in_a_small_window(tmp_path: Path) -> None:
    """It tells where the replay stands, and marks the mistakes as they are found."""
    house = practice(tmp_path)
    listing = listing_of("cribbage")
    copy_golden(house, listing)
    async with run_replay(house) as pilot:
        await until(pilot, lambda: isinstance(pilot.app.screen, ReplayTable))
        await press(pilot, "c")
        await until(pilot, lambda: isinstance(pilot.app.screen, CurveWindow))
        await until(pilot, lambda: "CHANCE TO WIN  44%" in text(pilot.app))
        await until(pilot, lambda: "▲1" in text(pilot.app))
        await press(pilot, "escape")
        assert isinstance(pilot.app.screen, ReplayTable)
