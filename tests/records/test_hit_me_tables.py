"""A shared table of Hit Me is its rows: money moves with them, and the clock decides."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from tests.helpers.external_programs import program_path
from tests.helpers.random_play import Wild, seed_of
from tests.helpers.table_ledgers import BOTH
from tui_casino.engine.chance import DiceStream
from tui_casino.engine.croupier import ShuffledShoe
from tui_casino.engine.game import AskSeats, IllegalAction, Seat
from tui_casino.engine.seating import Join, Leave, SitOut
from tui_casino.games.thirty_one.machine import shared_game
from tui_casino.games.thirty_one.machine import state as m
from tui_casino.host.storage import HostLedger
from tui_casino.records.ledger import OPENING_BALANCE, OpenSitting
from tui_casino.records.shared_tables import SharedTable
from tui_casino.records.table_replica import TableReplica

CODE, SECONDS = "K7QX", 20
PLAYERS = ("ann", "bob", "cat", "dan", "eve")
Replica = TableReplica[Any, Any, Any, Any]
_SITTINGS = count()


class Tables:
    """A ledger with a table, its clock, and the replicas of programs that play there."""

    def __init__(self, ledger: HostLedger, number: int) -> None:
        self.ledger, self.now = ledger, 1_000
        self.tables = ledger.shared_tables()
        entry = SharedTable(CODE, shared_game.slug, "ann", self.now, seed_of(number))
        self.first: Replica = TableReplica.create(
            self.tables,
            entry,
            shared_game,
            shared_game.Options(),
            ShuffledShoe(),
            self.clock,
            SECONDS,
        )

    def clock(self) -> int:
        return self.now

    def another(self) -> Replica:
        (entry,) = self.tables.open_tables()
        return TableReplica(self.tables, entry, shared_game, self.clock, SECONDS)

    def sit(self, replica: Replica, seat: int, cents: int = 100_00) -> None:
        name = f"sitting-{next(_SITTINGS)}"
        booked = OpenSitting(name, shared_game.slug, Path(f"{name}.jsonl"), None, cents)
        replica.join(Seat(seat), Join(cents, f"{seat:032x}"), PLAYERS[seat], booked)


@pytest.fixture(params=BOTH)
def ledger(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[HostLedger]:
    ledger: HostLedger = request.param(tmp_path, request)()
    yield ledger
    ledger.close()


def won(replica: Replica) -> int:
    """Return what the house has paid to all seats, less their bets, in cents."""
    return sum(
        event.event.won - event.event.wagered
        for update, _ in replica._played_rows
        for event in update.events
        if isinstance(event, shared_game.SeatHeard) and isinstance(event.event, m.RoundOver)
    )


def test_clock_plays_for_everybody_who_does_not_answer(ledger: HostLedger) -> None:
    """Ann has bet; Bob sits out, and Ann stands in the end, without insurance."""
    tables = Tables(ledger, 1)
    replica = tables.first
    tables.sit(replica, 0)
    tables.sit(replica, 1)
    assert not shared_game.awaited(replica.state)
    replica.act(Seat(0), m.Bet(20), "ann")
    expired = 0
    while (due := replica.due) is not None:
        tables.now = due - 1
        assert not replica.expire()
        tables.now += 1
        assert replica.expire()
        expired += 1
    assert expired in (2, 3), "the bet, perhaps insurance, and the hand"
    (over,) = [
        event.event
        for update, _ in replica._played_rows
        for event in update.events
        if isinstance(event, shared_game.SeatHeard) and isinstance(event.event, m.RoundOver)
    ]
    assert len(over.hands[0].cards) == 1
    assert replica.money(Seat(0)) == 100_00 + over.won - over.wagered
    assert replica.money(Seat(1)) == 100_00


@pytest.mark.parametrize("number", range(3))
def test_two_programs_and_random_players_lose_no_cent(number: int, ledger: HostLedger) -> None:
    """Two replicas act without telling each other; in the end both have the same state."""
    dice, tables = random.Random(number), Tables(ledger, number)
    replicas = [tables.first, tables.another()]
    start = len(PLAYERS) * OPENING_BALANCE
    for step in range(250):
        replica = dice.choice(replicas)
        tables.now += dice.choice((0, 10, 4_000))
        replica.expire()
        turn = shared_game.turn(replica.state)
        assert isinstance(turn, AskSeats)
        seat = dice.choice(turn.seats)
        offers = shared_game.offers(replica.state, seat)
        try:
            if offers[0].kind is Join:
                tables.sit(replica, seat)
            else:
                stream = DiceStream(seed_of(number), f"step {step}")
                action = Wild().choose(None, seat, offers, stream)
                replica.act(seat, action, PLAYERS[seat])
        except IllegalAction:  # the state has changed at the other program
            pass
        replica.refresh()
        held = {one.id: one.owed for each in PLAYERS for one in ledger.open_sittings(each)}
        assert held.keys() == {one.sitting for one in replica.occupants.values()}
        for at, one in replica.occupants.items():
            if not shared_game.money(replica.state, at).staked:
                assert held[one.sitting] == replica.money(at)
        if replica.state.phase is m.Phase.BET:
            paid = sum(map(ledger.balance, PLAYERS)) + sum(held.values())
            assert paid == start + won(replica)
    assert won(replica)
    for replica in replicas:
        replica.refresh()
    assert replicas[0].state == replicas[1].state == tables.another().state


def test_cards_of_a_table_whose_shoe_runs_out_in_rounds_follow_from_its_seed(
    ledger: HostLedger, tmp_path: Path
) -> None:
    """The discards that are shuffled in are those of all seats."""
    tables = Tables(ledger, 7)
    replica, step = tables.first, 0
    with patch.object(shared_game, "least_stock", return_value=3):
        for seat in range(3):
            tables.sit(replica, seat, 1_000_00)
        while sum(line.line.count(b'"discards":true') for line in replica._rows) < 2:
            offered = {
                seat: [offer for offer in offers if offer.kind not in (Join, Leave, SitOut)]
                for seat in map(Seat, range(3))
                if (offers := shared_game.offers(replica.state, seat))
            }
            seat = next(seat for seat, found in offered.items() if found)
            step += 1
            dice = DiceStream(seed_of(7), f"step {step}")
            wild = Wild().choose(None, seat, (*offered[seat],), dice)
            replica.act(seat, m.Bet(20) if isinstance(wild, m.Bet) else wild, PLAYERS[seat])
        while replica.due is not None:
            tables.now = replica.due
            replica.expire()
    for seat in [*replica.occupants]:
        replica.act(seat, Leave(), PLAYERS[seat])
    replica.finish()
    path = tmp_path / "table.jsonl"
    path.write_bytes(b"".join(row.line + b"\n" for row in tables.tables.rows(CODE)))
    program_path("json_pp")  # perl alone may come without its modules
    docs = Path(__file__).parents[2] / "docs"
    for program, script in ((sys.executable, "check.py"), ("perl", "check.pl")):
        command = [program, str(docs / script), str(path)]
        ran = subprocess.run(command, capture_output=True, text=True, check=True)
        assert "shoes follow from the seed" in ran.stdout
