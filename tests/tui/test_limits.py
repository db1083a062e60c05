"""A limit that is reached, and a reminder, at a table on the screen."""

from __future__ import annotations

from pathlib import Path

from tests.helpers.arcade_pilot import (
    STILL,
    arcade,
    clock,
    hint_text,
    leave,
    notes,
    press,
    run_app,
    shuffles,
    table,
    type_line,
    with_purse,
)
from tui_casino.house.visit_state import VisitState
from tui_casino.structs import replace

MINUTE = 60_000


async def test_time_limit_on_the_screen_blocks_new_rounds_after_a_reminder(tmp_path: Path) -> None:
    late = [clock()]
    house = replace(with_purse(tmp_path), clock=lambda: late[0])
    memory = VisitState(tmp_path / "visits.json")
    memory.has_played("2026-01-01", 60 * MINUTE)
    memory.has_shown_round()
    limits = replace(STILL, time_limit=60, reminder=30)
    app = arcade(house, settings=limits, memory=memory, fresh=shuffles(1))
    async with run_app(app) as pilot:
        late[0] += 45 * MINUTE
        await press(pilot, "1")
        assert "You have been here for 45 minutes." in notes(app)
        await press(pilot, "space")
        assert "no new rounds today: time limit of 1 hour reached" in hint_text(app)
        await type_line(pilot, "b 5")
        assert "no new rounds today: time limit of 1 hour reached" in hint_text(app)
        assert not table(app).sitting.staked
        app.apply_settings(replace(limits, time_limit=0))
        await press(pilot, "space")
        assert table(app).view.seen.hand
        await leave(pilot)


async def test_unknown_limits_block_rounds_until_a_limit_is_chosen_in_settings(
    tmp_path: Path,
) -> None:
    app = arcade(
        with_purse(tmp_path), settings=replace(STILL, limits_unknown=True), fresh=shuffles(1)
    )
    async with run_app(app) as pilot:
        await press(pilot, "1")
        await press(pilot, "space")
        assert "your limits cannot be read" in hint_text(app)
        assert not table(app).sitting.staked
        app.apply_settings(replace(app.settings, four_colour=True))
        await press(pilot, "space")
        assert not table(app).sitting.staked
        app.apply_settings(replace(app.settings, limits_unknown=False))
        await press(pilot, "space")
        assert table(app).view.seen.hand
        await leave(pilot)
