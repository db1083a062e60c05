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
    shoot_after,
    stop_in_the_deal,
)
from tui_casino.tui.modals import ConfirmationDialog


async def baccarat_table(pilot: Pilot[None], shoot: Shoot) -> None:
    """Play coups with and without bets, and open all windows on the way."""
    await shoot_after(pilot, shoot, "before-bet", key_of("baccarat"))
    await shoot_after(pilot, shoot, "tables", "f4")
    await shoot_after(pilot, shoot, "help", "escape", "f1")
    await shoot_after(pilot, shoot, "bets", "escape", "plus", "1", "1", "3", "minus", "4")
    await shoot_after(pilot, shoot, "typing", "c", "b", "space", "2", "5", "space", "b")
    await shoot_after(pilot, shoot, "tie", "enter", "space")
    await shoot_after(pilot, shoot, "odds", "a")
    await shoot_after(pilot, shoot, "won", "escape", "r", "space")
    await shoot_after(pilot, shoot, "lost", *["r", "space"] * 2)
    await shoot_after(pilot, shoot, "roads", *["space"] * 20)
    await shoot_after(pilot, shoot, "all-roads", "v")
    await shoot_after(pilot, shoot, "statistics", "escape", "f2")
    await press(pilot, "escape", "1")
    await stop_in_the_deal(pilot, 3)
    await shoot("dealing")
    await strike(pilot, "escape")
    await until(pilot, lambda: isinstance(pilot.app.screen, ConfirmationDialog))
    await settle(pilot, workers=False)
    await shoot("leaving")


async def some_coups(pilot: Pilot[None], shoot: Shoot) -> None:
    """Show only the table, with other glyphs and colours."""
    await shoot_after(pilot, shoot, "roads", key_of("baccarat"), "1", "space", *["r", "space"] * 15)


WALK = baccarat_table
OTHER_WALKS = (
    *(Trip("baccarat", some_coups, LEAST, look) for look in PLAIN_LOOKS),
    *(Trip("baccarat", some_coups, SMALL, look) for look in OTHER_LOOKS),
)
