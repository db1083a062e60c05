"""A seat that was paid out while its player was away: the player's log gets its end later."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.helpers.shared_table import Client, Desk
from tests.screen_reader.test_shared_table import house_of
from tui_casino.engine.game import Seat
from tui_casino.engine.seating import Leave
from tui_casino.gamekit.registry import DEFINITIONS, listing_of
from tui_casino.games.baccarat.machine import state as m
from tui_casino.games.baccarat.machine.rules import BetSpot
from tui_casino.house.paid_seats import finish_paid_seats
from tui_casino.house.shared_seat import sit_down
from tui_casino.records.ledger import OPENING_BALANCE
from tui_casino.records.replay import ProofLevel, verify_log
from tui_casino.records.session_log import read_log
from tui_casino.records.sqlite_ledger import SqliteLedger

DEFINITION = listing_of("baccarat").definition()


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    ledger = SqliteLedger(tmp_path / "ledger")
    yield Desk(ledger)
    ledger.close()


@pytest.mark.parametrize("is_closed", [False, True])
def test_rest_of_a_stay_is_written_at_the_next_visit(
    desk: Desk, tmp_path: Path, *, is_closed: bool
) -> None:
    house = house_of(desk, tmp_path, "ann")
    seat = sit_down(house, Client(desk, "ann"), desk.line(), DEFINITION)
    seat.sitting.table.submit(Seat(0), m.Bet(10, BetSpot.PLAYER))
    path, steps = seat.sitting.log.path, len(read_log(seat.sitting.log.path).lines)
    seat.close()
    seat.sitting.close()  # her line was cut
    desk.expire()
    desk.replica.act(Seat(0), Leave(), "ann")  # the table pays her out
    if is_closed:
        desk.replica.finish()
    assert read_log(path).end is None
    assert not desk.ledger.open_sittings("ann")
    said = [*finish_paid_seats(house, DEFINITIONS)]
    balance = desk.ledger.balance("ann")
    paid = balance - (OPENING_BALANCE - 50_00)
    assert said == [
        "your seat at the table K7QX (Baccarat) was left while you were away; "
        f"you were paid {paid / 100:.2f}"
    ]
    log = read_log(path)
    assert log.end is not None
    assert len(log.lines) > steps, "the coup that she has missed"
    assert (log.end.seed is not None) == is_closed
    assert log.end.money == (paid // DEFINITION.game.unit,)
    assert verify_log(DEFINITION, log).proof is ProofLevel.CONSISTENT
    assert desk.ledger.balance("ann") == balance, "the log moves no money"
    assert [*finish_paid_seats(house, DEFINITIONS)] == [], "once"


@pytest.mark.parametrize("plays", [False, True])
def test_log_that_is_missing_is_reported_once_if_it_had_a_round(
    desk: Desk, tmp_path: Path, *, plays: bool
) -> None:
    house = house_of(desk, tmp_path, "ann")
    seat = sit_down(house, Client(desk, "ann"), desk.line(), DEFINITION)
    if plays:
        seat.sitting.table.submit(Seat(0), m.Bet(10, BetSpot.PLAYER))
        seat.sitting.table.submit(Seat(0), m.Play())
        seat.catch_up()
    seat.close()
    seat.sitting.close()
    seat.sitting.log.path.unlink()
    desk.replica.act(Seat(0), Leave(), "ann")
    missing = "the log of your seat at the table K7QX (Baccarat) is missing"
    assert [*finish_paid_seats(house, DEFINITIONS)] == [missing] * plays
    assert [*finish_paid_seats(house, DEFINITIONS)] == []
    assert desk.ledger.balance("ann") == OPENING_BALANCE
