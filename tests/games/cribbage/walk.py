"""The walk through cribbage for the snapshots."""

from __future__ import annotations

import re

from textual.pilot import Pilot

from tests.helpers.arcade_pilot import press, settle, text, until
from tests.helpers.screen_walks import Shoot, key_of
from tui_casino.games.cribbage.face.table_catalog import (
    CribbageSetup,
    players_against,
    seating_of,
    trainer_setup,
)
from tui_casino.games.cribbage.machine.state import CountingMode, Options
from tui_casino.structs import replace
from tui_casino.tui.modals import TextPage
from tui_casino.tui.table.live import LiveTable

ROUND, GAME = 12345, 55510
"""The seeds of a round of the trainer, and of a game."""
COUNTED = Options(counting=CountingMode.MUGGINS)


async def cribbage_table(pilot: Pilot[None], shoot: Shoot) -> None:
    """Play a trainer round from a known seed, begin a game, and open every window."""
    await press(pilot, key_of("cribbage"))
    table = pilot.app.screen
    assert isinstance(table, LiveTable)
    table.leave_for(seating_of(replace(trainer_setup(), java=ROUND)))
    await settle(pilot)
    pilot.app.clear_notifications()
    await shoot("before-bet")
    await press(pilot, "f4")
    await shoot("tables")
    await press(pilot, "escape", "f1")
    await shoot("help")
    await press(pilot, "escape", "t")
    await until(pilot, lambda: re.search(r"(BEST|ALL) DISCARDS", text(pilot.app)))
    await press(pilot, "down", "down", "down")
    await shoot("discarding")
    await press(pilot, "o")
    await until(pilot, lambda: isinstance(pilot.app.screen, TextPage))
    await settle(pilot)
    await shoot("odds")
    await press(pilot, "escape", "x", "space", "1")
    await shoot("typing")
    await press(pilot, "space", "2", "enter")
    await until(pilot, lambda: re.search(r"\n +EV ", text(pilot.app)))
    await press(pilot, "1", "1", "t")
    await shoot("play")
    await press(pilot, "2", "3", "4", "space")
    await shoot("lost")
    await press(pilot, "space")
    await shoot("won")
    await press(pilot, "v")
    await shoot("log")
    await press(pilot, "escape", "f2")
    await shoot("statistics")
    await press(pilot, "escape", "space")
    await shoot("crib")
    table = pilot.app.screen
    assert isinstance(table, LiveTable)
    table.leave_for(seating_of(CribbageSetup(COUNTED, players_against("greedy"), java=GAME)))
    await settle(pilot)
    pilot.app.clear_notifications()
    await shoot("game")
    await count_wrong(pilot)
    await shoot("missed")
    await press(pilot, "escape")
    await shoot("leaving")


async def count_wrong(pilot: Pilot[None]) -> None:
    """Play the first round up to the human's hand, and count it as 0."""
    await press(pilot, "1", "4", "space")
    for key in ("3", "1", "2", "4", "space"):
        await press(pilot, key)
    await press(pilot, "c", "space", "0", "enter")


WALK = cribbage_table
