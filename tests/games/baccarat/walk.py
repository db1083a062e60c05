"""The walk through baccarat for the snapshots."""

from __future__ import annotations

from textual.pilot import Pilot

from tests.helpers.arcade_pilot import press, settle, strike, until
from tests.helpers.screen_walks import (
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
    await shoot("before-bet")
    await press(pilot, "f4")
    await shoot("tables")
    await press(pilot, "escape", "f1")
    await shoot("help")
    await press(pilot, "escape", "plus", "1", "1", "3", "minus", "4")
    await shoot("bets")
    await press(pilot, "c", "b", "space", "2", "5", "space", "b")
    await shoot("typing")
    await press(pilot, "enter", "space")
    await shoot("tie")
    await press(pilot, "a")
    await shoot("odds")
    await press(pilot, "escape", "r", "space")
    await shoot("won")
    await press(pilot, *["r", "space"] * 2)
    await shoot("lost")
    await press(pilot, *["space"] * 20)
    await shoot("roads")
    await press(pilot, "v")
    await shoot("all-roads")
    await press(pilot, "escape", "f2")
    await shoot("statistics")
    await press(pilot, "escape", "1")
    await stop_in_the_deal(pilot, 3)
    await shoot("dealing")
    await strike(pilot, "escape")
    await until(pilot, lambda: isinstance(pilot.app.screen, ConfirmationDialog))
    await settle(pilot, workers=False)
    await shoot("leaving")


async def some_coups(pilot: Pilot[None], shoot: Shoot) -> None:
    """Show only the table, with other glyphs and colours."""
    await press(pilot, key_of("baccarat"), "1", "space", *["r", "space"] * 15)
    await shoot("roads")


WALK = baccarat_table
OTHER_WALKS = (
    *(Trip("baccarat", some_coups, LEAST, look) for look in PLAIN_LOOKS),
    *(Trip("baccarat", some_coups, SMALL, look) for look in OTHER_LOOKS),
)
