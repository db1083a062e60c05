"""The walk through cribbage for the snapshots."""

from __future__ import annotations

import re

from textual.pilot import Pilot

from tests.helpers.arcade_pilot import press, press_until, settle, text, until
from tests.helpers.narrow import instance_of
from tests.helpers.screen_walks import Shoot, key_of, shoot_after
from tui_casino.games.cribbage.face.table_catalog import (
    CribbageSetup,
    seating_of,
    trainer_setup,
)
from tui_casino.games.cribbage.machine.state import CountingMode, Options
from tui_casino.records.log_header import HUMAN
from tui_casino.structs import replace
from tui_casino.tui.modals import TextPage
from tui_casino.tui.table.live import LiveTable

ROUND, GAME = 12345, 55510
"""The seeds of a round of the trainer, and of a game."""
COUNTED = Options(counting=CountingMode.MUGGINS)


async def cribbage_table(pilot: Pilot[None], shoot: Shoot) -> None:
    """Play a trainer round from a known seed, begin a game, and open every window."""
    await press(pilot, key_of("cribbage"))
    table = instance_of(LiveTable, pilot.app.screen)
    table.leave_for(seating_of(replace(trainer_setup(), java=ROUND)))
    await settle(pilot)
    pilot.app.clear_notifications()
    await shoot("before-bet")
    await shoot_after(pilot, shoot, "tables", "f4")
    await shoot_after(pilot, shoot, "help", "escape", "f1")
    await press(pilot, "escape", "t")
    await until(pilot, lambda: re.search(r"(BEST|ALL) DISCARDS", text(pilot.app)))
    await shoot_after(pilot, shoot, "discarding", "down", "down", "down")
    await press_until(pilot, lambda: isinstance(pilot.app.screen, TextPage), "o")
    await settle(pilot)
    await shoot("odds")
    await shoot_after(pilot, shoot, "typing", "escape", "x", "space", "1")
    await press_until(pilot, lambda: re.search(r"\n +EV ", text(pilot.app)), "space", "2", "enter")
    await shoot_after(pilot, shoot, "play", "1", "1", "t")
    await shoot_after(pilot, shoot, "lost", "2", "3", "4", "space")
    await shoot_after(pilot, shoot, "won", "space")
    await shoot_after(pilot, shoot, "log", "v")
    await shoot_after(pilot, shoot, "statistics", "escape", "f2")
    await shoot_after(pilot, shoot, "crib", "escape", "space")
    table = instance_of(LiveTable, pilot.app.screen)
    table.leave_for(seating_of(CribbageSetup(COUNTED, ("greedy", HUMAN), java=GAME)))
    await settle(pilot)
    pilot.app.clear_notifications()
    await shoot("game")
    await count_wrong(pilot)
    await shoot("missed")
    await shoot_after(pilot, shoot, "leaving", "escape")


async def count_wrong(pilot: Pilot[None]) -> None:
    """Play the first round up to the human's hand, and count it as 0."""
    await press(pilot, "1", "4", "space")
    for key in ("3", "1", "2", "4", "space"):
        await press(pilot, key)
    await press(pilot, "c", "space", "0", "enter")


WALK = cribbage_table
