"""A shared table is its rows: replicas agree, money moves with the rows, clocks decide."""

from __future__ import annotations

import random
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from tests.helpers.random_play import seed_of
from tests.helpers.table_ledgers import BOTH, OpenLedger
from tui_casino.engine.croupier import ShuffledShoe
from tui_casino.engine.game import AskSeats, IllegalAction, Seat
from tui_casino.engine.seating import Join, Leave
from tui_casino.games.baccarat.machine import shared_game
from tui_casino.games.baccarat.machine import state as m
from tui_casino.games.baccarat.machine.rules import BetSpot
from tui_casino.host.storage import HostLedger
from tui_casino.records.ledger import (
    OPENING_BALANCE,
    BalanceTooLow,
    LedgerDamaged,
    LedgerError,
    OpenSitting,
)
from tui_casino.records.shared_tables import ADDED_COLUMNS, SharedTable
from tui_casino.records.sqlite_ledger import SqliteLedger
from tui_casino.records.table_replica import TableReplica

CODE, SECONDS = "K7QX", 15
ANN, BOB = "ann", "bob"
Replica = TableReplica[Any, Any, Any, Any]


class Time:
    """A clock that only the test moves, in milliseconds."""

    def __init__(self) -> None:
        self.now = 1_000

    def __call__(self) -> int:
        return self.now


@pytest.fixture
def time() -> Time:
    return Time()


@pytest.fixture(params=BOTH)
def opened(request: pytest.FixtureRequest, tmp_path: Path) -> OpenLedger:
    opened: OpenLedger = request.param(tmp_path, request)
    return opened


@pytest.fixture
def ledger(opened: OpenLedger) -> Iterator[HostLedger]:
    ledger = opened()
    yield ledger
    ledger.close()


@pytest.fixture
def begun(ledger: HostLedger, time: Time) -> Replica:
    entry = SharedTable(CODE, shared_game.slug, ANN, time(), seed_of(1))
    options = shared_game.Options(3)
    return TableReplica.create(
        ledger.shared_tables(), entry, shared_game, options, ShuffledShoe(), time, SECONDS
    )


def another(ledger: HostLedger, time: Time) -> Replica:
    """Return the replica that another program makes from the rows."""
    tables = ledger.shared_tables()
    (entry,) = tables.open_tables()
    return TableReplica(tables, entry, shared_game, time, SECONDS)


_SITTINGS = count()


def sit(replica: Replica, player: str, seat: int, cents: int = 50_00) -> None:
    name = f"sitting-{next(_SITTINGS)}"
    booked = OpenSitting(name, shared_game.slug, Path(f"{name}.jsonl"), None, cents)
    replica.join(Seat(seat), Join(cents), player, booked)


def won(replica: Replica) -> int:
    """Return what the house has paid to all seats, less their bets, in cents."""
    return sum(
        sum(event.paid) - 100 * sum(event.bets)
        for update, _ in replica._played_rows
        for event in update.events
        if isinstance(event, shared_game.SeatPaid)
    )


def test_tables_of_an_older_program_are_read(tmp_path: Path, time: Time) -> None:
    path = tmp_path / "ledger"
    entry = SharedTable(CODE, shared_game.slug, ANN, time(), seed_of(1))
    with closing(SqliteLedger(path)) as ledger:
        ledger.shared_tables().create(entry, ())
    with closing(sqlite3.connect(path)) as before:  # as the first program with tables made them
        for name in ADDED_COLUMNS:
            before.execute(f"alter table shared_table drop column {name}")
        before.commit()
    with closing(SqliteLedger(path)) as ledger:
        assert ledger.shared_tables().open_tables() == [entry]


def test_money_goes_to_the_seat_and_back_with_the_rows(ledger: HostLedger, begun: Replica) -> None:
    sit(begun, ANN, 0)
    assert ledger.balance(ANN) == OPENING_BALANCE - 50_00
    (sitting,) = ledger.open_sittings(ANN)
    assert sitting.owed == 50_00
    begun.act(Seat(0), m.Bet(10, BetSpot.TIE), ANN)
    begun.act(Seat(0), m.Play(), ANN)
    credit = begun.state.bettors[0].credit
    (sitting,) = ledger.open_sittings(ANN)
    assert sitting.owed == credit != 50_00
    begun.act(Seat(0), Leave(), ANN)
    assert not ledger.open_sittings(ANN)
    assert ledger.balance(ANN) == OPENING_BALANCE - 50_00 + credit


def test_seat_without_enough_money_is_not_taken(ledger: HostLedger, begun: Replica) -> None:
    rows = begun.rows
    with pytest.raises(BalanceTooLow):
        sit(begun, ANN, 0, OPENING_BALANCE + 1)
    assert begun.rows == rows
    assert begun.state.bettors == (None,) * 3
    sit(begun, ANN, 0)


def test_nobody_acts_for_another_seat(begun: Replica) -> None:
    sit(begun, ANN, 0)
    for player, seat in ((BOB, 0), (ANN, 1)):
        with pytest.raises(IllegalAction):
            begun.act(Seat(seat), m.Play(), player)


def test_slower_of_two_programs_reads_on_and_acts_again(
    ledger: HostLedger, time: Time, begun: Replica
) -> None:
    other = another(ledger, time)
    sit(begun, ANN, 0)
    sit(other, BOB, 1)
    assert [one.player for one in other.occupants.values()] == [ANN, BOB]
    with pytest.raises(IllegalAction):
        sit(begun, BOB, 1)
    assert begun.state == other.state
    assert ledger.balance(BOB) == OPENING_BALANCE - 50_00, "the second buy-in did not happen"


def test_clock_plays_for_a_seat_that_does_not_answer(
    ledger: HostLedger, time: Time, begun: Replica
) -> None:
    sit(begun, ANN, 0)
    sit(begun, BOB, 1)
    began = [begun.due]
    begun.act(Seat(0), m.Bet(5, BetSpot.PLAYER), ANN)
    began.append(begun.due)
    assert began == [None, time() + 1000 * SECONDS], "the clock runs from the first bet on"
    time.now += 5_000
    begun.act(Seat(0), m.Play(), ANN)
    assert begun.due == 1_000 + 1000 * SECONDS, "the window does not begin again"
    other = another(ledger, time)
    assert not other.expire()
    time.now += 10_000
    assert other.expire()
    assert len(other.state.shoe.coups) == 1
    assert not begun.expire(), "the others read that it has happened"
    assert begun.state == other.state


def test_row_that_was_changed_is_noticed(ledger: HostLedger, time: Time, begun: Replica) -> None:
    sit(begun, ANN, 0)
    begun.act(Seat(0), m.Bet(5, BetSpot.PLAYER), ANN)
    (last,) = ledger.shared_tables().rows(CODE, begun.rows - 1)
    forged = last.line.replace(b'"credits":5', b'"credits":6')
    assert forged != last.line
    tables: Any = ledger.shared_tables()
    query = "update table_row set line = ? where n = ?"
    tables._change(lambda execute, lost: execute(query, (forged, begun.rows - 1)))
    with pytest.raises(LedgerDamaged, match=f"the table {CODE} is damaged in row {begun.rows - 1}"):
        another(ledger, time)


@pytest.mark.parametrize("number", range(3))
def test_two_programs_and_random_players_lose_no_cent(
    number: int, opened: OpenLedger, ledger: HostLedger, time: Time, begun: Replica
) -> None:
    """Two replicas act in turn without telling each other; in the end both have the same state."""
    dice, players = random.Random(number), (ANN, BOB, "cat")
    elsewhere = opened()
    replicas = [begun, another(elsewhere, time)]
    start = len(players) * OPENING_BALANCE
    for _ in range(120):
        replica = dice.choice(replicas)
        time.now += dice.choice((0, 10, 4_000))
        replica.expire()
        number_of_seat = dice.randrange(3)
        seat, player = Seat(number_of_seat), players[number_of_seat]
        state = replica.state
        turn = shared_game.turn(state)
        assert isinstance(turn, AskSeats)
        if seat not in turn.seats:
            continue
        offers = [one for one in shared_game.offers(state, seat) if one.barred is None]
        offer = dice.choice(offers)
        try:
            if offer.kind is Join:
                sit(replica, player, seat, 20_00)
            else:
                replica.act(seat, offer.sample(_Dice(dice)), player)
        except IllegalAction:  # the state has changed at the other program
            pass
        replica.refresh()
        held = {one.id: one.owed for each in players for one in ledger.open_sittings(each)}
        assert held == {
            one.sitting: replica.state.bettors[at].credit for at, one in replica.occupants.items()
        }
        assert sum(map(ledger.balance, players)) + sum(held.values()) == start + won(replica)
    for replica in replicas:
        replica.refresh()
    assert replicas[0].state == replicas[1].state == another(ledger, time).state
    elsewhere.close()


def test_two_servers_append_at_the_same_time(
    opened: OpenLedger, ledger: HostLedger, time: Time, begun: Replica
) -> None:
    """Each has a player, who bets and is ready; the slower one reads on and acts again."""
    elsewhere = opened()
    replicas = {ANN: begun, BOB: another(elsewhere, time)}
    for seat, (player, replica) in enumerate(replicas.items()):
        sit(replica, player, seat, 500_00)
    start, rounds, raised = threading.Barrier(2), 15, list[BaseException]()

    def play(seat: Seat, player: str) -> None:
        try:
            for _ in range(rounds):
                start.wait(20)
                replicas[player].act(seat, m.Bet(5, BetSpot.PLAYER), player)
                start.wait(20)
                replicas[player].act(seat, m.Play(), player)
        except BaseException as error:
            raised.append(error)
            start.abort()

    playing = [
        threading.Thread(target=play, args=(Seat(seat), player))
        for seat, player in enumerate(replicas)
    ]
    for one in playing:
        one.start()
    for one in playing:
        one.join()
    assert raised == []
    for replica in replicas.values():
        replica.refresh()
    fresh = another(ledger, time)
    assert begun.state == replicas[BOB].state == fresh.state
    assert len(fresh.state.shoe.coups) == rounds, "one coup after each two players"
    held = {player: [one.owed for one in ledger.open_sittings(player)] for player in replicas}
    assert held == {
        player: [fresh.state.bettors[seat].credit] for seat, player in enumerate(replicas)
    }
    assert sum(map(ledger.balance, replicas)) + sum(map(sum, held.values())) == (
        2 * OPENING_BALANCE + won(fresh)
    )
    elsewhere.close()


def test_rows_of_another_program_are_played_one_after_the_other(
    ledger: HostLedger, time: Time, begun: Replica
) -> None:
    """A replica that has followed is the same as one that was made of all rows."""
    other = another(ledger, time)
    sit(begun, ANN, 0)
    for _ in range(3):
        begun.act(Seat(0), m.Bet(5, BetSpot.PLAYER), ANN)
        other.refresh()
        begun.act(Seat(0), m.Play(), ANN)
        other.refresh()
    fresh = another(ledger, time)
    for name in ("rows", "state", "due", "occupants", "stays"):
        assert getattr(other, name) == getattr(fresh, name) == getattr(begun, name)
    assert [*other.seen(ANN, 0)] == [*fresh.seen(ANN, 0)] == [*begun.seen(ANN, 0)]
    other.act(Seat(0), m.Bet(5, BetSpot.PLAYER), ANN)
    begun.refresh()
    begun.act(Seat(0), Leave(), ANN)
    begun.finish()
    other.refresh()
    assert other.ended
    with pytest.raises(LedgerError, match="is closed"):
        sit(other, BOB, 1)
    assert ledger.balance(BOB) == OPENING_BALANCE


class _Dice:
    def __init__(self, dice: random.Random) -> None:
        self._dice = dice

    def below(self, n: int, /) -> int:
        return self._dice.randrange(n)
