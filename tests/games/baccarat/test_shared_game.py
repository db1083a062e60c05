"""Baccarat for several people: each seat has the same coups and payouts as the game for one."""

from __future__ import annotations

import random
from typing import Any

import pytest

from tests.helpers.random_play import seed_of
from tui_casino.engine.chance import CommittedSource
from tui_casino.engine.croupier import ShuffledShoe
from tui_casino.engine.game import AskSeats, Seat, check_legal
from tui_casino.engine.seating import Join, Leave
from tui_casino.engine.table import Table
from tui_casino.games.baccarat.machine import game, shared_game
from tui_casino.games.baccarat.machine import state as m

SEATS = 4


def seated(number: int, seats: int = SEATS) -> Table[Any, Any, Any, Any]:
    options = shared_game.Options(seats)
    players = dict.fromkeys(map(Seat, range(seats)))
    source = CommittedSource(seed_of(number))
    return Table(shared_game, options, ShuffledShoe(), source, players)


@pytest.mark.parametrize("number", range(3))
def test_each_seat_plays_the_same_session_as_alone_with_the_same_cards(number: int) -> None:
    """A seat's own actions and all cards, played alone, give the same money after each coup."""
    dice, table = random.Random(number), seated(number)
    alone: dict[Seat, m.State] = {}
    played: list[Any] = []
    table.run()
    for _ in range(600):
        if not table.waiting:
            actor, action = table.ask()
            table.play(actor, action)
            played.append(action)
            alone = {seat: game.step(one, None, action).state for seat, one in alone.items()}
            for seat, one in alone.items():
                bettor = table.state.bettors[seat]
                if one.phase is m.Phase.BET and bettor is not None:
                    assert bettor.credit == one.credit
            continue
        turn = shared_game.turn(table.state)
        assert isinstance(turn, AskSeats)
        seat = dice.choice(turn.seats)
        able = [one for one in shared_game.offers(table.state, seat) if one.barred is None]
        offer = able[0] if dice.random() < 0.3 else dice.choice(able)
        action = Join(50_00) if offer.kind is Join else offer.sample(_Dice(dice))
        before = table.state
        table.submit(seat, action)
        if isinstance(action, Join):
            alone[seat] = _beginning(before, 50_00)
        elif isinstance(action, Leave):
            del alone[seat]
        elif not isinstance(action, m.Play):
            check_legal(game, alone[seat], m.PLAYER, action)
            alone[seat] = game.step(alone[seat], m.PLAYER, action).state
        if table.state.shoe.phase is not m.Phase.BET:  # all were ready
            alone = {one: game.step(at, m.PLAYER, m.Play()).state for one, at in alone.items()}
        for left in [one for one in alone if table.state.bettors[one] is None]:
            del alone[left]
    assert len(table.state.shoe.coups) > 5


def _beginning(state: shared_game.State, cents: int) -> m.State:
    return m.State(
        state.options.table,
        cents,
        **{
            name: getattr(state.shoe, name)
            for name in m.State.__struct_fields__
            if name not in ("options", "credit", "bets", "last")
        },
    )


class _Dice:
    def __init__(self, dice: random.Random) -> None:
        self._dice = dice

    def below(self, n: int, /) -> int:
        return self._dice.randrange(n)
