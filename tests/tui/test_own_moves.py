"""Tables by correspondence on the screen: the menu's line, the room, and leaving for a while."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from textual.pilot import Pilot

from tests.helpers.arcade_pilot import arcade, lines, press, run_app, strike, text, until
from tests.helpers.screen_walks import LOOKS
from tests.helpers.shared_table import Client, Desk
from tests.tui.test_shared_table import house_of
from tests.tui.test_tables_room import asked, enter, hint_line, is_seated, line_of, sits
from tui_casino.engine.game import Seat
from tui_casino.engine.seating import DAY
from tui_casino.gamekit.registry import DEFINITIONS
from tui_casino.games.cribbage.machine.state import Discard
from tui_casino.house.house import House
from tui_casino.house.lobby import review_open_sittings
from tui_casino.house.shared_seat import sit_down
from tui_casino.house.unfinished_games import UnfinishedGames
from tui_casino.records.sqlite_ledger import SqliteLedger
from tui_casino.tui.menu.screen import Menu
from tui_casino.tui.table.shared import TableWithOthers
from tui_casino.tui.tables_room import TablesRoom

HOUR = 3_600_000


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    """A server with a table of cribbage by correspondence that Bob has made."""
    ledger = SqliteLedger(tmp_path / "ledger")
    yield Desk(ledger, "cribbage", {"pace": "day"}, maker="bob")
    ledger.close()


@pytest.fixture
def ann(desk: Desk, tmp_path: Path) -> House:
    return house_of(desk, tmp_path, "ann")


def takes_seat(desk: Desk, house: House, code: str = "K7QX") -> None:
    """Let a player sit down, and go away."""
    client = Client(desk, house.player)
    line = client.find(code)
    assert line is not None
    seat = sit_down(house, client, line, DEFINITIONS["cribbage"])
    assert seat.sitting.leave(keep=True).value == "broken off"
    seat.close()
    seat.sitting.close()


def move_line(pilot: Pilot[None]) -> str:
    return next((line.strip() for line in lines(pilot.app) if "Your move" in line), "")


@pytest.mark.parametrize("look", ["unicode", "ascii"])
@pytest.mark.parametrize(("width", "height"), [(80, 24), (132, 43), (60, 20), (40, 15)])
async def test_menu_says_above_the_games_that_it_is_your_move(
    desk: Desk, ann: House, width: int, height: int, look: str
) -> None:
    takes_seat(desk, ann)
    sits(desk, "bob", seat=1)
    desk.now += 21 * HOUR
    async with run_app(arcade(ann, LOOKS[look]), width, height) as pilot:
        await until(pilot, lambda: move_line(pilot))
        shown = text(pilot.app)
        full = "Your move: cribbage with Bob, 3 h left (j)"
        assert move_line(pilot) == (full if width > 40 else "Your move (j)")
        assert shown.index("Your move") < shown.index("Video poker")


async def test_line_is_clicked_counts_tables_and_goes_when_the_moves_are_made(
    desk: Desk, ann: House
) -> None:
    for code in ("AAAA", "BBBB"):
        desk.open_table(code, "cribbage", {"pace": "day"}, maker="bob")
    for code in ("K7QX", "AAAA", "BBBB"):
        takes_seat(desk, ann, code)
        sits(desk, "bob", code, 1)
    async with run_app(arcade(ann)) as pilot:
        await until(pilot, lambda: move_line(pilot) == "Your move at 3 tables (j)")
        menu = pilot.app.screen
        assert isinstance(menu, Menu)
        await pilot.click(menu._games, offset=(4, 0))
        await until(pilot, lambda: isinstance(pilot.app.screen, TablesRoom))
        for code in ("K7QX", "AAAA", "BBBB"):
            desk_at = Client(desk, "ann").at(code)
            replica = desk_at.replica
            seat = replica.stays["ann"].seat
            replica.act(seat, replica._game.default(replica.state, seat), "ann")
        await press(pilot, "escape")
        await until(pilot, lambda: isinstance(pilot.app.screen, Menu) and not move_line(pilot))


async def test_menu_without_a_move_has_no_line(desk: Desk, ann: House) -> None:
    takes_seat(desk, ann)
    async with run_app(arcade(ann)) as pilot:
        await until(pilot, lambda: "Tables" in text(pilot.app))
        menu = pilot.app.screen
        assert isinstance(menu, Menu)
        await until(pilot, lambda: True, workers=True)
        assert not move_line(pilot)


@pytest.mark.parametrize(("width", "height"), [(80, 24), (132, 43)])
async def test_room_lists_own_moves_first_and_says_so(
    desk: Desk, ann: House, width: int, height: int
) -> None:
    desk.open_table("AAAA", "baccarat", {"seats": 2}, maker="ann")
    takes_seat(desk, ann)
    sits(desk, "bob", seat=1)
    desk.now += HOUR
    async with run_app(arcade(ann), width, height) as pilot:
        await enter(pilot)
        shown = " ".join(text(pilot.app).split())
        assert shown.index("K7QX") < shown.index("AAAA")
        assert "your move" in line_of(pilot, "K7QX")
        assert "your move" not in line_of(pilot, "AAAA")
        assert "K7QX: Cribbage, to 121, ACC rules; a day for each move." in shown
        assert "Your move: 23 h left." in shown


async def test_table_with_a_day_for_each_move_is_made_without_asking_for_a_computer(
    desk: Desk, ann: House
) -> None:
    async with run_app(arcade(ann)) as pilot:
        await enter(pilot)
        for key, question in (
            ("n", "which game?"),
            ("4", "How long may each move take?"),
            ("2", "Who may sit down?"),
        ):
            await press(pilot, key)
            await asked(pilot, question)
        await press(pilot, "1")
        await is_seated(pilot, "NEW2")
        assert desk.more["NEW2"].replica.seconds == DAY
        assert desk.more["NEW2"].replica.due is None, "no computer is offered"
        await strike(pilot, "escape")
        await asked(pilot, "leave for good: your seat is free again")
        await strike(pilot, "2")
        await until(pilot, lambda: isinstance(pilot.app.screen, TablesRoom))
    assert Client(desk, "ann").place("NEW2") is None


async def test_player_who_comes_back_later_keeps_seat_and_game(desk: Desk, ann: House) -> None:
    takes_seat(desk, ann)
    sits(desk, "bob", seat=1)
    async with run_app(arcade(ann, table="K7QX")) as pilot:
        await until(pilot, lambda: isinstance(pilot.app.screen, TableWithOthers))
        await until(pilot, lambda: lines(pilot.app)[1].rstrip().endswith(" 24 h"))
        await press(pilot, "escape")
        await until(pilot, lambda: "come back later" in text(pilot.app))
        await press(pilot, "escape")
        await until(pilot, lambda: "come back later" not in text(pilot.app))
        assert isinstance(pilot.app.screen, TableWithOthers), "neither: the player stays"
        await press(pilot, "escape")
        await until(pilot, lambda: "come back later" in text(pilot.app))
        await press(pilot, "1")
        await until(pilot, lambda: isinstance(pilot.app.screen, Menu))
        told = " ".join(text(pilot.app).split())
        assert told.count("Your seat") == 1
        assert "Your seat at the table K7QX waits for you" in told
    assert Client(desk, "ann").place("K7QX") == 0
    assert desk.ledger.open_sittings("ann")


async def test_player_who_gives_up_ends_the_game(desk: Desk, ann: House) -> None:
    takes_seat(desk, ann)
    sits(desk, "bob", seat=1)
    async with run_app(arcade(ann, table="K7QX")) as pilot:
        await until(pilot, lambda: isinstance(pilot.app.screen, TableWithOthers))
        await press(pilot, "escape")
        await until(pilot, lambda: "give the game up" in text(pilot.app))
        await press(pilot, "2")
        await until(pilot, lambda: isinstance(pilot.app.screen, Menu))
    assert desk.replica.why_over == "somebody has left"
    assert not desk.ledger.open_sittings("ann")


async def test_one_table_after_another_leaves_the_others_as_they_are(
    desk: Desk, ann: House
) -> None:
    codes = ["K7QX", "AAAA", "BBBB"]
    for code in codes[1:]:
        desk.open_table(code, "cribbage", {"pace": "day"}, maker="bob")
    for code in codes:
        takes_seat(desk, ann, code)
        sits(desk, "bob", code, 1)
    rows = {code: Client(desk, "ann").at(code).replica.rows for code in codes}
    async with run_app(arcade(ann)) as pilot:
        await enter(pilot)
        for _ in codes:
            await press(pilot, "space")
            await until(pilot, lambda: isinstance(pilot.app.screen, TableWithOthers))
            await press(pilot, "escape")
            await until(pilot, lambda: "come back later" in text(pilot.app))
            await press(pilot, "1")
            await until(pilot, lambda: isinstance(pilot.app.screen, TablesRoom))
            await press(pilot, "down")
            assert "waits" not in hint_line(pilot)
    assert {code: Client(desk, "ann").at(code).replica.rows for code in codes} == rows
    assert len(desk.ledger.open_sittings("ann")) == 3


def test_many_seats_that_wait_are_told_in_one_line(desk: Desk, ann: House) -> None:
    takes_seat(desk, ann)
    report = review_open_sittings(ann, DEFINITIONS)
    assert report.notes == (
        "your seat at the table K7QX waits for you: ssh -t HOST table K7QX takes you back",
    )
    for code in ("AAAA", "BBBB"):
        desk.open_table(code, "cribbage", {"pace": "day"}, maker="bob")
        takes_seat(desk, ann, code)
    report = review_open_sittings(ann, DEFINITIONS)
    assert report.notes == ("3 seats at tables wait for you: ssh HOST table lists them",)
    assert not report.waiting
    assert len(desk.ledger.open_sittings("ann")) == 3


def test_kept_game_is_not_offered_as_a_game_alone(desk: Desk, ann: House) -> None:
    takes_seat(desk, ann)
    sits(desk, "bob", seat=1)
    client = Client(desk, "ann")
    seat = sit_down(ann, client, desk.line(), DEFINITIONS["cribbage"])
    seat.table.submit(Seat(0), Discard((1, 2)))
    seat.sitting.leave(keep=True)
    seat.close()
    assert UnfinishedGames().find(ann, DEFINITIONS) == ()
