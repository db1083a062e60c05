"""The walk through five-card draw for the snapshots."""

from __future__ import annotations

from typing import Any

from textual.pilot import Pilot

from tests.helpers.arcade_pilot import press
from tests.helpers.screen_walks import Shoot, key_of, shoot_after
from tui_casino.games.five_card_draw.brains.players import decide
from tui_casino.games.five_card_draw.machine.state import Phase
from tui_casino.tui.table.live import LiveTable


async def five_card_draw_table(pilot: Pilot[None], shoot: Shoot) -> None:
    """Play hands of five-card draw, lost and won, with and without bets; open every window."""
    await shoot_after(pilot, shoot, "before-bet", key_of("five-card-draw"))
    await shoot_after(pilot, shoot, "tables", "f4")
    await shoot_after(pilot, shoot, "levels", "enter")
    await shoot_after(pilot, shoot, "help", "escape", "f1")
    await shoot_after(pilot, shoot, "holding", "escape", "space", "4", "5")
    await shoot_after(pilot, shoot, "advice", "a")
    await shoot_after(pilot, shoot, "typing", "x", "space", "5")
    await shoot_after(pilot, shoot, "lost", "enter")
    await press(pilot, "f4", "home", "enter", "enter")  # a single opponent is soon beaten
    for _ in range(20):  # plays as the algorithm does
        table = table_of(pilot)
        await press(pilot, "space")
        await press(pilot, *map(str, decide(table.view.seen.hands[0]).discards), "space")
        if 0 in table.view.seen.winners:
            break
    await shoot("won")
    await shoot_after(pilot, shoot, "statistics", "f2")
    await press(pilot, "escape", "f4", "down", "down", "down", "down", "down", "enter", "enter")
    await shoot_after(pilot, shoot, "bets", "space", "b")
    await shoot_after(pilot, shoot, "chart", "t", "C")
    await press(pilot, "escape")
    while table_of(pilot).view.seen.phase is not Phase.CLOSING:
        await press(pilot, "space")
    await shoot("trainer")
    await shoot_after(pilot, shoot, "leaving", "escape")


def table_of(pilot: Pilot[None]) -> LiveTable[Any, Any, Any, Any, Any]:
    screen = pilot.app.screen
    assert isinstance(screen, LiveTable)
    return screen


WALK = five_card_draw_table
