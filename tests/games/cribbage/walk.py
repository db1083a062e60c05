"""The walk through cribbage, of which pictures are taken."""

from __future__ import annotations

from dataclasses import replace

from textual.pilot import Pilot

from tests.tui.houses import press, settle, until
from tests.tui.walks import Shoot, key_of
from tui_casino.games.cribbage.face.tables import seating_of, trainer
from tui_casino.tui.modals import Page
from tui_casino.tui.table.live import LiveTable

ROUND = 12345
"""The seed of a round of cribbage."""


async def cribbage_table(pilot: Pilot[None], shoot: Shoot) -> None:
    """A round of the trainer from a known seed, and the beginning of a game; all that opens."""
    await press(pilot, key_of("cribbage"))
    table = pilot.app.screen
    assert isinstance(table, LiveTable)
    table.leave_for(seating_of(replace(trainer(), java=ROUND)))
    await settle(pilot)
    pilot.app.clear_notifications()
    shoot("before-bet")
    await press(pilot, "f4")
    shoot("tables")
    await press(pilot, "escape", "f1")
    shoot("help")
    await press(pilot, "escape", "2", "5")
    shoot("discarding")
    await press(pilot, "a")
    await until(pilot, lambda: isinstance(pilot.app.screen, Page))
    await settle(pilot)
    shoot("adviser")
    await press(pilot, "escape", "x", "space", "1")
    shoot("typing")
    await press(pilot, "space", "2", "enter", "1")
    shoot("play")
    await press(pilot, "2", "3", "4", "space")
    shoot("lost")
    await press(pilot, "space")
    shoot("won")
    await press(pilot, "v")
    shoot("log")
    await press(pilot, "escape", "f2")
    shoot("statistics")
    await press(pilot, "escape", "space")
    shoot("crib")
    await press(pilot, "f4", "down", "down", "enter")
    await settle(pilot)
    pilot.app.clear_notifications()
    shoot("game")
    await press(pilot, "escape")
    shoot("leaving")


WALK = cribbage_table
