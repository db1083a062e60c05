"""The computers at a shared table: their levels, and choices that depend on the table only."""

from __future__ import annotations

import pytest

from tests.helpers.random_play import seed_of
from tui_casino.engine.chance import CommittedSource
from tui_casino.engine.croupier import ShuffledShoe
from tui_casino.engine.game import Seat
from tui_casino.engine.seating import Join
from tui_casino.engine.table import Table
from tui_casino.games.five_card_draw.brains.levels import (
    PLAYERS,
    PRESENT,
    computer_name,
    computer_turn,
)
from tui_casino.games.five_card_draw.machine import shared_game
from tui_casino.games.five_card_draw.machine import state as m
from tui_casino.games.five_card_draw.machine.shared_game import COMPUTERS, Options


@pytest.mark.parametrize("level", COMPUTERS)
def test_computers_of_each_level_play_a_hand_the_same_way_with_the_same_dice(level: str) -> None:
    assert PRESENT[level] in PLAYERS
    source = CommittedSource(seed_of(1))
    options = Options(3, computers=level)
    players = dict.fromkeys(map(Seat, range(3)))
    table: Table[Options, shared_game.State, shared_game.Action, shared_game.Event]
    table = Table(shared_game, options, ShuffledShoe(), source, {**players})
    table.submit(Seat(1), Join(400))
    assert computer_turn(table.state) is None
    table.submit(Seat(1), m.Play())
    table.run()
    chosen = 0
    while table.state.play.phase is not m.Phase.REST:
        if (turn := computer_turn(table.state)) is None:
            (seat,) = shared_game.awaited(table.state)
            table.submit(seat, shared_game.default(table.state, seat))
        else:
            dice = f"computer {chosen}"
            action = turn.choose(source.dice(dice))
            assert turn.choose(source.dice(dice)) == action
            table.submit(turn.seat, action)
            chosen += 1
        table.run()
    assert chosen >= 2


def test_computer_has_a_name_where_computers_play() -> None:
    assert computer_name(shared_game.start(Options(2, computers="tight")), Seat(1)) == "Ada"
    assert computer_name(shared_game.start(Options(2)), Seat(1)) == ""


def test_unknown_level_is_refused() -> None:
    with pytest.raises(ValueError, match="no level is called blueprint; the levels are algorithm"):
        Options(2, computers="blueprint")
