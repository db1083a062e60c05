"""The time bank of a player at a table of draw: what is used of it follows from the rows."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from tests.helpers.shared_table import Desk
from tui_casino.engine.game import Seat
from tui_casino.engine.seating import Join, Leave
from tui_casino.games.five_card_draw.machine import shared_game
from tui_casino.games.five_card_draw.machine import state as m
from tui_casino.host.cage.table_answers import replica_of
from tui_casino.records.ledger import OpenSitting
from tui_casino.records.sqlite_ledger import SqliteLedger
from tui_casino.records.table_replica import BankClock, TableReplica

ANN, BOB = 0, 1
PLAYERS = ("ann", "bob", "cat")
_NUMBERS = count()


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    ledger = SqliteLedger(tmp_path / "ledger")
    desk = Desk(ledger, "five-card-draw", {"seats": 3})
    for seat in range(2):
        sit(desk, seat)
    yield desk
    ledger.close()


def sit(desk: Desk, seat: int) -> None:
    name = f"sitting-{next(_NUMBERS)}"
    booked = OpenSitting(name, "five-card-draw", Path(f"{name}.jsonl"), None, 100_00)
    desk.replica.join(Seat(seat), Join(100), PLAYERS[seat], booked)


def begin(desk: Desk) -> None:
    """Let both be ready; Bob is asked first in the first hand."""
    for seat in range(2):
        act(desk, 0, seat, m.Play())
    assert shared_game.awaited(desk.replica.state) == (BOB,)


def act(desk: Desk, seconds: float, seat: int, action: Any) -> None:
    """Let a seat act after these seconds."""
    desk.now += round(1000 * seconds)
    desk.replica.act(Seat(seat), action, PLAYERS[seat])


def clocks(desk: Desk) -> tuple[float, float]:
    """Return the seconds until the time is over, and those of the bank among them.

    Another program must read the same in the rows.
    """
    other = replica_of(desk.tables, desk.replica.entry, desk.clock)
    assert (other.due, other.bank) == (desk.replica.due, desk.replica.bank)
    assert desk.replica.due is not None
    return (desk.replica.due - desk.now) / 1000, desk.replica.bank / 1000


def test_time_above_20_seconds_is_taken_from_the_60_of_the_bank(desk: Desk) -> None:
    begin(desk)
    assert clocks(desk) == (80, 60)
    act(desk, 20, BOB, m.Check())
    assert clocks(desk) == (80, 60), "Ann has her own bank"
    act(desk, 37.5, ANN, m.Bet())
    assert clocks(desk) == (80, 60), "Bob has used nothing"
    act(desk, 25, BOB, m.Call())
    assert clocks(desk) == (75, 55), "Bob also discards first, and 5 seconds are used"
    act(desk, 3, BOB, m.Discard(()))
    assert clocks(desk) == (62.5, 42.5), "Ann has used 17.5 seconds"
    act(desk, 62.4, ANN, m.Discard(()))
    assert clocks(desk) == (75, 55)
    act(desk, 1, BOB, m.Check())
    assert clocks(desk) == (20.1, 0.1)


def test_bank_is_used_before_the_default_is_played_and_is_empty_afterwards(desk: Desk) -> None:
    begin(desk)
    act(desk, 0, BOB, m.Check())
    act(desk, 0, ANN, m.Bet())
    act(desk, 50, BOB, m.Call())
    assert clocks(desk) == (50, 30)
    desk.now += 49_999
    assert not desk.replica.expire()
    desk.now += 1
    assert desk.replica.expire()
    act(desk, 0, ANN, m.Discard(()))
    assert clocks(desk) == (20, 0), "Bob is asked, and his bank is empty"
    desk.now += 20_000
    assert desk.replica.expire()
    assert clocks(desk) == (80, 60), "Ann has used nothing"


def test_bank_is_not_used_between_hands(desk: Desk) -> None:
    act(desk, 0, BOB, m.Play())
    assert clocks(desk) == (20, 0)
    desk.now += 20_000
    assert desk.replica.expire()
    assert desk.replica.state.people[ANN].sits_out
    act(desk, 0, ANN, m.Play())
    assert clocks(desk) == (80, 60)


def test_newcomer_changes_nothing_for_the_player_who_is_asked(desk: Desk) -> None:
    begin(desk)
    desk.now += 30_000
    sit(desk, 2)
    assert clocks(desk) == (50, 60), "10 of these 60 seconds are used already"
    act(desk, 5, BOB, m.Check())
    act(desk, 0, ANN, m.Bet())
    assert clocks(desk) == (65, 45)


def test_new_session_at_the_table_has_a_full_bank(desk: Desk) -> None:
    begin(desk)
    desk.now += 80_000
    assert desk.replica.expire()
    act(desk, 0, ANN, m.Bet())
    assert clocks(desk) == (20, 0)
    act(desk, 0, BOB, m.Fold())
    act(desk, 0, BOB, Leave())
    sit(desk, BOB)
    act(desk, 0, BOB, m.Play())
    act(desk, 0, ANN, m.Play())
    while shared_game.awaited(desk.replica.state) != (BOB,):
        act(desk, 0, ANN, shared_game.default(desk.replica.state, Seat(ANN)))
    assert clocks(desk) == (80, 60)


def test_rows_of_a_program_without_banks_use_nothing(desk: Desk) -> None:
    entry, tables = desk.replica.entry, desk.tables
    before: TableReplica[Any, Any, Any, Any] = TableReplica(
        tables, entry, shared_game, desk.clock, 20
    )
    desk.replica, now = before, desk.replica
    begin(desk)
    act(desk, 15, BOB, m.Check())
    now.refresh()
    desk.replica = now
    assert clocks(desk) == (20, 0)
    act(desk, 15, ANN, m.Bet())
    assert clocks(desk) == (80, 60)


@pytest.mark.parametrize(("at", "used"), [(0, 0), (40, 0), (41, 1), (100, 60), (999, 60)])
def test_clock_with_a_bank_says_how_much_is_used(at: int, used: int) -> None:
    assert BankClock(Seat(0), 100, 60).used_at(at) == used
