"""Computers at a shared table, and its clock: all programs get the same choices, each once."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from tests.helpers.shared_table import Desk
from tests.helpers.table_ledgers import BOTH
from tui_casino.engine.game import IllegalAction, Seat
from tui_casino.engine.seating import Join
from tui_casino.games.five_card_draw.brains.levels import computer_turn
from tui_casino.games.five_card_draw.machine import shared_game
from tui_casino.games.five_card_draw.machine import state as m
from tui_casino.host.cage.table_answers import replica_of
from tui_casino.host.storage import HostLedger
from tui_casino.records.ledger import OPENING_BALANCE, OpenSitting
from tui_casino.records.table_replica import TableReplica

SECONDS, BANK = 20, 60
PLAYERS = ("ann", "bob", "cat")
_NUMBERS = count()
Replica = TableReplica[Any, Any, Any, Any]


@pytest.fixture(params=BOTH)
def ledger(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[HostLedger]:
    ledger: HostLedger = request.param(tmp_path, request)()
    yield ledger
    ledger.close()


def sit(replica: Replica, seat: int, player: str) -> None:
    name = f"{player}-{next(_NUMBERS)}"
    booked = OpenSitting(name, "five-card-draw", Path(f"{name}.jsonl"), None, 100_00)
    replica.join(Seat(seat), Join(100), player, booked)


def test_two_programs_make_the_same_choice_for_a_computer_and_one_is_played(
    ledger: HostLedger,
) -> None:
    desk = Desk(ledger, "five-card-draw", {"seats": 3, "computers": "algorithm"})
    sit(desk.replica, 1, "ann")
    desk.replica.act(Seat(1), m.Play(), "ann")
    one, other = desk.replica, replica_of(desk.tables, desk.replica.entry, desk.clock)
    choices = [replica.ask_computer(computer_turn) for replica in (one, other)]
    assert all(choices), "the first to act is a computer"
    acts = [choose() for choose in choices if choose is not None]
    assert acts[0] == acts[1]
    rows = one.rows
    assert one.play_computer(acts[0])
    assert not other.play_computer(acts[1])
    assert not one.play_computer(acts[0])
    assert one.rows == rows + 1
    other.refresh()
    assert other.state == one.state


def test_each_question_of_a_hand_has_the_whole_time(ledger: HostLedger) -> None:
    """In turn, each seat gets its own seconds, even for two questions one after the other."""
    desk = Desk(ledger, "five-card-draw", {"seats": 2})
    for seat, player in enumerate(("ann", "bob")):
        sit(desk.replica, seat, player)
    for seat, player in enumerate(("ann", "bob")):
        desk.replica.act(Seat(seat), m.Play(), player)
    play = desk.replica.state.play
    assert play.dealt_in == (0, 1)
    for seat, action in (
        (0, m.Check()),
        (1, m.Bet()),
        (0, m.Call()),
        (0, m.Discard(())),
        (1, m.Discard(())),
    ):
        desk.now += 1000 * (SECONDS - 1)
        desk.replica.act(Seat(seat), action, ("ann", "bob")[seat])
        assert desk.replica.due == desk.now + 1000 * (SECONDS + BANK)


@pytest.mark.parametrize("number", range(2))
@pytest.mark.parametrize("computers", ["none", "algorithm"])
def test_random_players_of_two_programs_lose_no_cent(
    computers: str, number: int, ledger: HostLedger
) -> None:
    """The ledger has each seat's money between hands; between people, every cent stays."""
    dice = random.Random(number)
    desk = Desk(ledger, "five-card-draw", {"seats": 3, "computers": computers})
    replicas = [desk.replica, replica_of(desk.tables, desk.replica.entry, desk.clock)]
    for _ in range(250):
        replica = dice.choice(replicas)
        replica.refresh()
        desk.now += dice.choice((0, 10, 8_000))
        replica.expire()
        while (choose := replica.ask_computer(computer_turn)) is not None:
            assert replica.play_computer(choose())
        number_of_seat = dice.choice(shared_game.awaited(replica.state) or (0, 1, 2))
        act_at(replica, number_of_seat, dice)
        held = {one.id: one.owed for who in PLAYERS for one in ledger.open_sittings(who)}
        assert held.keys() == {one.sitting for one in replica.occupants.values()}
        for seat, one in replica.occupants.items():
            if not shared_game.money(replica.state, seat).staked:
                assert held[one.sitting] == replica.money(seat)
        if not computers:
            total = sum(map(ledger.balance, PLAYERS)) + sum(held.values())
            assert total == len(PLAYERS) * OPENING_BALANCE
    assert replica.state.play.played > 5
    for replica in replicas:
        replica.refresh()
    again = replica_of(desk.tables, desk.replica.entry, desk.clock)
    assert replicas[0].state == replicas[1].state == again.state


def act_at(replica: Replica, seat: int, dice: random.Random) -> None:
    """Let the player of a seat sit down, or choose at random."""
    offers = [one for one in shared_game.offers(replica.state, Seat(seat)) if one.barred is None]
    if not offers:
        return
    offer: Any = offers[0] if dice.random() < 0.6 else dice.choice(offers)
    if Seat(seat) not in replica.occupants:
        sit(replica, seat, PLAYERS[seat])
        return
    with suppress(IllegalAction):  # it is the turn of the computer in a seat just taken
        replica.act(Seat(seat), offer.sample(_Dice(dice)), PLAYERS[seat])


class _Dice:
    def __init__(self, dice: random.Random) -> None:
        self._dice = dice

    def below(self, n: int, /) -> int:
        return self._dice.randrange(n)
