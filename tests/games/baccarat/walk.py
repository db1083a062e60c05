"""The walk through baccarat for the snapshots."""

from __future__ import annotations

from textual.pilot import Pilot

from tests.tui.houses import press, settle, strike, until
from tests.tui.walks import (
    LEAST,
    OTHER_LOOKS,
    PLAIN_LOOKS,
    SMALL,
    Shoot,
    Trip,
    key_of,
    stop_in_the_deal,
)
from tui_casino.tui.modals import ConfirmationDialog


async def baccarat_table(pilot: Pilot[None], shoot: Shoot) -> None:
    """Play coups with and without bets, and open all windows on the way."""
    await press(pilot, key_of("baccarat"))
    shoot("before-bet")
    await press(pilot, "f4")
    shoot("tables")
    await press(pilot, "escape", "f1")
    shoot("help")
    await press(pilot, "escape", "plus", "1", "1", "3", "minus", "4")
    shoot("bets")
    await press(pilot, "c", "b", "space", "2", "5", "space", "b")
    shoot("typing")
    await press(pilot, "enter", "space")
    shoot("tie")
    await press(pilot, "a")
    shoot("odds")
    await press(pilot, "escape", "r", "space")
    shoot("won")
    await press(pilot, *["r", "space"] * 2)
    shoot("lost")
    await press(pilot, *["space"] * 20)
    shoot("roads")
    await press(pilot, "v")
    shoot("all-roads")
    await press(pilot, "escape", "f2")
    shoot("statistics")
    await press(pilot, "escape", "1")
    await stop_in_the_deal(pilot, 3)
    shoot("dealing")
    await strike(pilot, "escape")
    await until(pilot, lambda: isinstance(pilot.app.screen, ConfirmationDialog))
    await settle(pilot, workers=False)
    shoot("leaving")


async def some_coups(pilot: Pilot[None], shoot: Shoot) -> None:
    """Show only the table, in other looks."""
    await press(pilot, key_of("baccarat"), "1", "space", *["r", "space"] * 15)
    shoot("roads")


WALK = baccarat_table
OTHER_WALKS = (
    *(Trip("baccarat", some_coups, LEAST, look) for look in PLAIN_LOOKS),
    *(Trip("baccarat", some_coups, SMALL, look) for look in OTHER_LOOKS),
)
