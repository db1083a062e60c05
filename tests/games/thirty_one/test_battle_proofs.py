"""The machine, played card by card by its computer player, agrees with the bulk simulation."""

from __future__ import annotations

from math import sqrt

import pytest

from tui_casino.engine.chance import SeededSource
from tui_casino.engine.croupier import ShuffledShoe
from tui_casino.engine.event_bus import TableUpdate
from tui_casino.engine.game import Seat, SittingOver
from tui_casino.engine.table import Table
from tui_casino.games.thirty_one import DEFINITION
from tui_casino.games.thirty_one.brains.dealer_simulation import run_battle
from tui_casino.games.thirty_one.face.odds_report import battle_report
from tui_casino.games.thirty_one.face.tally import Tally
from tui_casino.games.thirty_one.machine import game
from tui_casino.games.thirty_one.machine.rules import DECKS, Rules
from tui_casino.games.thirty_one.machine.state import Action, Event, Options, State
from tui_casino.structs import replace

ROUNDS = 20_000
IN_BULK = 4_000_000
COUNTS = (
    *("wins", "pushes", "losses", "player_27", "dealer_27"),
    *("player_14", "player_14_won", "dealer_14_won", "player_bust"),
)


def played(rules: Rules, rounds: int) -> Tally:
    options = Options(rules, credit=10**9)
    seat = Seat(0)
    table: Table[Options, State, Action, Event] = Table(
        game, options, ShuffledShoe(), SeededSource(31), {seat: DEFINITION.players["dealer"]()}
    )
    tally = Tally()

    def hear(told: TableUpdate[State, Event]) -> None:
        nonlocal tally
        for event in told.events:
            tally = tally.add(event)

    table.bus.subscribe(seat, hear)
    while tally.rounds < rounds:
        assert not isinstance(game.turn(table.state), SittingOver)
        table.advance()
    return tally


@pytest.mark.prove
@pytest.mark.parametrize(
    "hits_soft", [False, True], ids=["dealer stands on soft 27", "dealer hits soft 27"]
)
def test_rounds_played_by_the_game_agree_with_the_bulk_battle(hits_soft: bool) -> None:
    rules = replace(Rules(), dealer_hits_soft=hits_soft)
    report = played(rules, ROUNDS).report()
    bulk = battle_report(run_battle(rules, IN_BULK, decks=DECKS, seed=31))
    for name in COUNTS:
        share, should = report[name] / ROUNDS, bulk[name] / IN_BULK
        error = sqrt(should * (1 - should) * (1 / ROUNDS + 1 / IN_BULK))
        assert abs(share - should) < 4 * error, (name, share, should, error)
