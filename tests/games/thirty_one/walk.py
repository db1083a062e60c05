"""The walk through Hit Me for the snapshots."""

from __future__ import annotations

from textual.pilot import Pilot

from tests.helpers.arcade_pilot import press, press_until, settle, until
from tests.helpers.narrow import instance_of
from tests.helpers.screen_walks import Shoot, key_of, shoot_after
from tui_casino.cards.card import parse_hand
from tui_casino.engine.croupier import FixedShoe
from tui_casino.gamekit.table_catalog import TableSetup
from tui_casino.games.thirty_one.face.battle_screen import BattleScreen
from tui_casino.games.thirty_one.face.table_view import ThirtyOneView
from tui_casino.games.thirty_one.machine.state import Options as Options31
from tui_casino.tui.modals import TextPage
from tui_casino.tui.table.live import LiveTable

ROUNDS_OF_31 = parse_hand("7C 9D 7H KS 9C 5D  8H AS 8C 2D 3H TS TC KD 9H  5S 6C 4D")
"""Known cards: a 14 that wins, an insured split that loses, and one more round."""


async def thirty_one_table(pilot: Pilot[None], shoot: Shoot) -> None:
    """Play rounds of Hit Me with known cards, and open every window."""
    await shoot_after(pilot, shoot, "before-bet", key_of("thirty-one"))
    await shoot_after(pilot, shoot, "tables", "f4")
    await shoot_after(pilot, shoot, "help", "escape", "f1")
    await press(pilot, "escape")
    table = instance_of(LiveTable, pilot.app.screen)
    table.leave_for(TableSetup(Options31(), FixedShoe(ROUNDS_OF_31), practice=True))
    await settle(pilot)
    pilot.app.clear_notifications()
    await shoot_after(pilot, shoot, "typing", "2", "right", "b", "space", "5")
    await shoot_after(pilot, shoot, "fourteen", "0", "enter", "h")
    await shoot_after(pilot, shoot, "won", "s")
    await shoot_after(pilot, shoot, "statistics", "f2")
    await shoot_after(pilot, shoot, "insurance", "escape", "3", "left", "space")
    await shoot_after(pilot, shoot, "split", "i", "h", "p", "h", "s", "h")
    await shoot_after(pilot, shoot, "leaving", "escape")
    await shoot_after(pilot, shoot, "lost", "n", "s")
    await press_until(pilot, lambda: isinstance(pilot.app.screen, TextPage), "space", "h", "o")
    await settle(pilot)
    await shoot("odds")
    await press(pilot, "escape", "t")
    shown = pilot.app.screen.query_one(ThirtyOneView)
    await until(pilot, lambda: shown.analysis.data is not None)
    await until(pilot, lambda: not shown.side_panel.has_lab or shown.bench.lab.effects)
    await settle(pilot)
    await shoot("trainer")
    await shoot_after(pilot, shoot, "guess", "g")
    await press_until(pilot, lambda: shown.bench.lab.edge and shown.bench.lab.effects, "l")
    await settle(pilot)
    await shoot("lab")
    await press(pilot, "escape", "f6", "1", "s", "7", "7", "enter", "space")
    battle = instance_of(BattleScreen, pilot.app.screen)
    await until(pilot, lambda: battle.last_battle, workers=True)
    await shoot("battle")


WALK = thirty_one_table
