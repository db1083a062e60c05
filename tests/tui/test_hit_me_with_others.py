"""A Hit Me table with others on the screen: everybody plays at the same time."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from tests.helpers.arcade_pilot import arcade, hint_text, lines, press, run_app, strike, text, until
from tests.helpers.shared_table import Client, Desk
from tests.tui.test_shared_table import house_of, table_of
from tui_casino.engine.game import Seat
from tui_casino.games.thirty_one import DEFINITION
from tui_casino.games.thirty_one.machine import state as m
from tui_casino.house.shared_seat import NOT_HELPED, SharedSeat, sit_down
from tui_casino.records.ledger import OPENING_BALANCE
from tui_casino.records.sqlite_ledger import SqliteLedger
from tui_casino.tui.menu.screen import Menu
from tui_casino.tui.table.shared import TableWithOthers

ANN, BOB = Seat(1), Seat(0)
Sat = SharedSeat[Any, Any, Any, Any, Any]


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    ledger = SqliteLedger(tmp_path / "ledger")
    yield Desk(ledger, "thirty-one")
    ledger.close()


@pytest.fixture
def bob(desk: Desk, tmp_path: Path) -> Iterator[Sat]:
    seat = sit_down(house_of(desk, tmp_path, "bob"), Client(desk, "bob"), desk.line(), DEFINITION)
    yield seat
    seat.close()
    seat.sitting.close()


def plays(seat: Sat, *actions: m.Action) -> None:
    for action in actions:
        seat.catch_up()
        seat.sitting.table.submit(Seat(0), action)


def decline(seat: Sat) -> None:
    """Answer the insurance if it is asked for."""
    seat.catch_up()
    if seat.sitting.table.state.phase is m.Phase.INSURANCE:
        plays(seat, m.Decline())


async def until_asked(pilot: Pilot[None]) -> None:
    """Wait until Ann plays her hand; she declines insurance."""
    await until(pilot, lambda: table_of(pilot).waiting)
    if table_of(pilot).state.phase is m.Phase.INSURANCE:
        await strike(pilot, "n")
    await until(pilot, lambda: table_of(pilot).state.active == 0 and table_of(pilot).waiting)


@pytest.mark.parametrize(("width", "height"), [(80, 24), (132, 43)])
async def test_round_with_another_player_by_keys(
    desk: Desk, tmp_path: Path, bob: Sat, width: int, height: int
) -> None:
    async with run_app(
        arcade(house_of(desk, tmp_path, "ann"), table="K7QX"), width, height
    ) as pilot:
        await until(pilot, lambda: isinstance(pilot.app.screen, TableWithOthers))
        for key in ("t Trainer", "l Rules lab", "F6 Simulate"):
            assert key not in text(pilot.app), "nobody is helped"
        await strike(pilot, "space")
        await until(pilot, lambda: "Waiting for Bob." in text(pilot.app))
        plays(bob, m.Bet(20))
        await until_asked(pilot)
        bob_has = desk.replica.state.bettors[BOB].hands[0].cards[0]
        assert f"Bob 50.00 {bob_has.symbol} = " in lines(pilot.app)[1]
        decline(bob)
        await strike(pilot, "s")
        await until(pilot, lambda: "Waiting for Bob." in text(pilot.app))
        assert len(desk.replica.state.dealer) == 1, "Bob still plays"
        plays(bob, m.Stand())
        await until(pilot, lambda: table_of(pilot).state.phase is m.Phase.BET)
        await until(pilot, lambda: table_of(pilot).waiting)
        assert table_of(pilot).state.dealer == desk.replica.state.dealer
        credit = desk.replica.state.bettors[ANN].credit
        assert table_of(pilot).state.credit == credit
        await press(pilot, "escape")
    assert desk.ledger.balance("ann") == OPENING_BALANCE - 50_00 + credit


async def test_card_of_another_leaves_the_question_to_this_player(
    desk: Desk, tmp_path: Path, bob: Sat
) -> None:
    async with run_app(arcade(house_of(desk, tmp_path, "ann"), table="K7QX")) as pilot:
        await until(pilot, lambda: isinstance(pilot.app.screen, TableWithOthers))
        await strike(pilot, "space")
        plays(bob, m.Bet(20))
        await until_asked(pilot)
        decline(bob)
        own, left = table_of(pilot).state.hands, table_of(pilot).state.stock
        plays(bob, m.Hit())
        await until(pilot, lambda: table_of(pilot).state.stock == left - 1)
        assert table_of(pilot).state.hands == own
        assert "hit, stand" in text(pilot.app)
        await strike(pilot, "h")
        await until(pilot, lambda: len(table_of(pilot).state.hands[0].cards) == 2)
        await press(pilot, "escape")


async def test_player_whose_time_to_bet_is_over_watches_the_round(
    desk: Desk, tmp_path: Path, bob: Sat
) -> None:
    async with run_app(arcade(house_of(desk, tmp_path, "ann"), table="K7QX")) as pilot:
        await until(pilot, lambda: isinstance(pilot.app.screen, TableWithOthers))
        plays(bob, m.Bet(20))
        desk.expire()
        await until(pilot, lambda: "Your time was over." in text(pilot.app))
        await until(pilot, lambda: len(table_of(pilot).state.dealer) == 1)
        assert not table_of(pilot).waiting
        decline(bob)
        plays(bob, m.Stand())
        await until(pilot, lambda: table_of(pilot).waiting)
        screen = pilot.app.screen
        assert isinstance(screen, TableWithOthers)
        assert screen.dialogue.tally.rounds == 0
        assert "Bet 20.00?" in text(pilot.app)
        await press(pilot, "escape")
    assert desk.ledger.balance("ann") == OPENING_BALANCE


@pytest.mark.parametrize("key", ["l", "f6", "c"])
async def test_lab_simulation_and_chart_are_off(desk: Desk, tmp_path: Path, key: str) -> None:
    async with run_app(arcade(house_of(desk, tmp_path, "ann"), table="K7QX")) as pilot:
        await until(pilot, lambda: isinstance(pilot.app.screen, TableWithOthers))
        await until(pilot, lambda: table_of(pilot).waiting)
        await press(pilot, key)
        assert NOT_HELPED in hint_text(pilot.app)
        assert isinstance(pilot.app.screen, TableWithOthers)
        await press(pilot, "escape")


@pytest.mark.parametrize(("width", "height"), [(60, 20), (80, 24), (132, 43)])
async def test_menu_says_once_that_a_seat_waits(
    desk: Desk, tmp_path: Path, bob: Sat, width: int, height: int
) -> None:
    app = arcade(house_of(desk, tmp_path, "ann"), table="K7QX")
    async with run_app(app, width, height) as pilot:
        await until(pilot, lambda: isinstance(pilot.app.screen, TableWithOthers))
        await strike(pilot, "space")
        plays(bob, m.Bet(20))
        await until_asked(pilot)
        await strike(pilot, "escape")
        await until(pilot, lambda: "Your bet and your seat stay" in text(pilot.app))
        await strike(pilot, "y")
        await until(pilot, lambda: isinstance(pilot.app.screen, Menu))
        await until(pilot, lambda: "Your seat" in text(pilot.app))
        assert text(pilot.app).count("Your seat") == 1
