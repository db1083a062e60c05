"""The room of tables: find a table with others, make one, and come to one by its code."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

import pytest
from textual.pilot import Pilot

from tests.helpers.arcade_pilot import (
    arcade,
    click,
    lines,
    press,
    run_app,
    screen_after,
    settle,
    strike,
    text,
    until,
    with_purse,
)
from tests.helpers.screen_walks import LOOKS
from tests.helpers.shared_table import Client, Desk
from tests.tui.test_shared_table import house_of
from tui_casino.engine.seating import Leave
from tui_casino.house.house import House
from tui_casino.house.shared_tables import FROZEN
from tui_casino.house.table_list import CLOSED, EMPTY, NO_SEAT, NOBODY_TO_BLOCK
from tui_casino.records.ledger import LedgerError, OpenSitting
from tui_casino.records.sqlite_ledger import SqliteLedger
from tui_casino.structs import replace
from tui_casino.tui.menu.screen import GUESTS, ONLY_ON_SERVERS
from tui_casino.tui.table.shared import TableWithOthers
from tui_casino.tui.tables_room import OPEN, OWN, TablesRoom


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    """A server with a table for three that Bob has made."""
    ledger = SqliteLedger(tmp_path / "ledger")
    yield Desk(ledger, maker="bob")
    ledger.close()


@pytest.fixture
def ann(desk: Desk, tmp_path: Path) -> House:
    return house_of(desk, tmp_path, "ann")


def sits(desk: Desk, name: str, code: str = "K7QX", seat: int = 0) -> None:
    cents = 0 if Client(desk, name).at(code).game == "cribbage" else 40_00
    sitting = OpenSitting(f"{name} {code}", "baccarat", Path(f"/{name}{code}.jsonl"), None, cents)
    Client(desk, name).join(code, seat, sitting)


def gets_up(desk: Desk, name: str) -> None:
    place = Client(desk, name).place("K7QX")
    assert place is not None
    desk.replica.act(place, Leave(), name)


def room(pilot: Pilot[None]) -> TablesRoom:
    screen = pilot.app.screen
    assert isinstance(screen, TablesRoom)
    return screen


async def enter(pilot: Pilot[None]) -> None:
    """Open the room from the menu, and wait for the list."""
    await press(pilot, "j")
    await until(pilot, lambda: room(pilot).page._note == EMPTY)
    await settle(pilot)


async def refresh(pilot: Pilot[None]) -> None:
    room(pilot).refresh_list()
    await settle(pilot)


def pointed(pilot: Pilot[None]) -> str:
    table = room(pilot).page.pointed
    assert table is not None
    return table.code


def line_of(pilot: Pilot[None], code: str) -> str:
    (line,) = (one for one in lines(pilot.app) if one.rstrip().endswith(f" {code}"))
    return line


def hint_line(pilot: Pilot[None]) -> str:
    return lines(pilot.app)[-2]


async def asked(pilot: Pilot[None], question: str) -> None:
    await until(pilot, lambda: question in text(pilot.app))


async def is_seated(pilot: Pilot[None], code: str) -> None:
    await until(pilot, lambda: isinstance(pilot.app.screen, TableWithOthers))
    assert code in lines(pilot.app)[0]


SIZES = ((80, 24), (132, 43), (60, 20))


@pytest.mark.parametrize("look", ["unicode", "ascii"])
@pytest.mark.parametrize(("width", "height"), SIZES)
async def test_room_lists_own_tables_open_ones_and_full_ones(
    desk: Desk, ann: House, width: int, height: int, look: str
) -> None:
    desk.open_table("F2LL", "baccarat", {"seats": 2}, maker="dan")
    desk.open_table("X2PA", "cribbage", {}, maker="ann", is_listed=False)
    desk.open_table("H3DN", "cribbage", {}, maker="dan", is_listed=False)
    sits(desk, "bob")
    sits(desk, "dan", "F2LL", 0)
    sits(desk, "eve", "F2LL", 1)
    async with run_app(arcade(ann, LOOKS[look]), width, height) as pilot:
        await enter(pilot)
        shown = text(pilot.app)
        places = [shown.index(one) for one in (OWN, "X2PA", OPEN, "K7QX", "F2LL")]
        assert places == sorted(places)
        assert "H3DN" not in shown, "it is neither open to everybody nor Ann's"
        line = line_of(pilot, "K7QX")
        for part in ("Baccarat", "1 of 3", "Bob", "15 s"):
            assert part in line
        assert ("8 decks, 5% commission" in line) == (width >= 80)
        assert "0 of 2  nobody yet" in line_of(pilot, "X2PA")
        assert "2 of 2  Dan, Eve" in line_of(pilot, "F2LL")
        about = " ".join(shown.split())
        assert "X2PA: Cribbage, to 121, ACC rules; 60 seconds for each choice." in about
        assert "ann" in lines(pilot.app)[0]
        assert "balance 1,000.00" in lines(pilot.app)[0]


async def test_names_for_which_there_is_no_room_are_counted(tmp_path: Path) -> None:
    desk = Desk(SqliteLedger(tmp_path / "ledger"), options={"seats": 7})
    for seat, name in enumerate(("grace", "heather", "christopher", "bartholomew")):
        sits(desk, name, seat=seat)
    async with run_app(arcade(house_of(desk, tmp_path, "ann"))) as pilot:
        await enter(pilot)
        assert "4 of 7  Grace, Heather +2" in line_of(pilot, "K7QX")
        assert "Grace, Heather, Christopher, Bartholomew." in " ".join(text(pilot.app).split())
    desk.ledger.close()


@pytest.mark.parametrize("key", ["space", "enter"])
async def test_player_sits_down_at_the_table_at_the_cursor_and_comes_back_to_the_room(
    desk: Desk, ann: House, key: str
) -> None:
    desk.open_table("X2PA", "baccarat", {"seats": 2}, maker="bob")
    async with run_app(arcade(ann)) as pilot:
        await enter(pilot)
        await press(pilot, "down", key)
        await is_seated(pilot, "X2PA")
        await press(pilot, "escape")
        await until(pilot, lambda: isinstance(pilot.app.screen, TablesRoom))
        assert pointed(pilot) == "X2PA"
        assert (await screen_after(pilot, "escape")).__class__.__name__ == "Menu"


async def test_second_click_on_a_table_sits_down(desk: Desk, ann: House) -> None:
    desk.open_table("X2PA", "baccarat", {"seats": 2}, maker="bob")
    async with run_app(arcade(ann)) as pilot:
        await enter(pilot)
        page = room(pilot).page
        row = lines(pilot.app).index(line_of(pilot, "X2PA")) - page.region.y
        await click(pilot, page, 10, row)
        assert pointed(pilot) == "X2PA"
        await click(pilot, page, 10, row)
        await is_seated(pilot, "X2PA")


async def test_player_comes_back_to_the_own_seat(desk: Desk, ann: House) -> None:
    async with run_app(arcade(ann, table="K7QX")) as pilot:
        await is_seated(pilot, "K7QX")
        await press(pilot, "1")
        pilot.app.exit()  # a connection that is cut
    sits(desk, "bob", seat=1)
    sits(desk, "cat", seat=2)
    async with run_app(arcade(ann)) as pilot:
        await enter(pilot)
        assert text(pilot.app).index(OWN) < text(pilot.app).index("K7QX")
        assert "Come back" in hint_line(pilot), "the table is full, but a seat is Ann's"
        await press(pilot, "space")
        await is_seated(pilot, "K7QX")
        await until(pilot, lambda: "You are back in your seat." in text(pilot.app))


async def test_full_table_refuses_in_one_line(desk: Desk, ann: House) -> None:
    for seat, name in enumerate(("bob", "cat", "dan")):
        sits(desk, name, seat=seat)
    async with run_app(arcade(ann)) as pilot:
        await enter(pilot)
        await press(pilot, "space")
        assert NO_SEAT in hint_line(pilot)
        assert isinstance(pilot.app.screen, TablesRoom)
        page = room(pilot).page
        await press(pilot, "down")
        assert NO_SEAT not in hint_line(pilot)
        await click(pilot, page, 10, lines(pilot.app).index(line_of(pilot, "K7QX")) - 1)
        assert NO_SEAT in hint_line(pilot)


async def test_frozen_table_is_listed_and_admits_only_those_who_sit_there(
    desk: Desk, ann: House
) -> None:
    sits(desk, "bob")
    desk.freeze(on=True)
    async with run_app(arcade(ann), 80, 24) as pilot:
        await enter(pilot)
        assert "frozen" in line_of(pilot, "K7QX")
        await press(pilot, "space")
        await until(pilot, lambda: f"{FROZEN}." in hint_line(pilot))
        assert isinstance(pilot.app.screen, TablesRoom)


async def test_last_seat_that_was_taken_in_the_meantime_is_refused_by_the_server(
    desk: Desk, ann: House
) -> None:
    async with run_app(arcade(ann)) as pilot:
        await enter(pilot)
        for seat, name in enumerate(("bob", "cat", "dan")):
            sits(desk, name, seat=seat)
        await press(pilot, "space")
        await until(pilot, lambda: "all seats of the table K7QX are taken." in hint_line(pilot))
        await until(pilot, lambda: "3 of 3" in line_of(pilot, "K7QX"))


async def test_new_table_asks_for_game_seats_and_guests_and_sits_down(
    desk: Desk, ann: House
) -> None:
    async with run_app(arcade(ann)) as pilot:
        await enter(pilot)
        await press(pilot, "n")
        await asked(pilot, "which game?")
        await press(pilot, "1")
        await asked(pilot, "How many seats?")
        await press(pilot, "5")
        await asked(pilot, "Who may sit down?")
        await press(pilot, "1")
        await is_seated(pilot, "NEW2")
        assert [one.code for one in Client(desk, "bob").list()] == ["K7QX", "NEW2"]
        assert desk.more["NEW2"].replica.seats == 5
        assert Client(desk, "ann").place("NEW2") == 0
        await press(pilot, "escape")
        await until(pilot, lambda: isinstance(pilot.app.screen, TablesRoom))
        assert pointed(pilot) == "NEW2"


async def test_new_table_by_code_is_listed_for_nobody_else_and_its_code_is_said(
    desk: Desk, ann: House
) -> None:
    async with run_app(arcade(ann), 132, 43) as pilot:
        await enter(pilot)
        await press(pilot, "n")
        await asked(pilot, "which game?")
        await press(pilot, "4")
        await asked(pilot, "How long may each move take?")
        await press(pilot, "1")
        await asked(pilot, "Who plays if nobody comes in 45 seconds?")
        await press(pilot, "1")
        await asked(pilot, "Who may sit down?")
        await press(pilot, "2")
        await is_seated(pilot, "NEW2")
        await until(pilot, lambda: "sit down here with the code NEW2" in text(pilot.app))
        assert desk.more["NEW2"].game == "cribbage", "its two seats are not asked for"
        assert [one.code for one in Client(desk, "bob").list()] == ["K7QX"]
        await press(pilot, "escape")
        await until(pilot, lambda: isinstance(pilot.app.screen, TablesRoom))
        assert Client(desk, "ann").place("NEW2") is None, "nobody has come, so she may leave"


@pytest.mark.parametrize("before", [(), ("1",), ("1", "2")])
async def test_escape_makes_no_table(desk: Desk, ann: House, before: tuple[str, ...]) -> None:
    questions = ("which game?", "How many seats?", "Who may sit down?")
    async with run_app(arcade(ann)) as pilot:
        await enter(pilot)
        for key, question in zip(("n", *before), questions, strict=False):
            await press(pilot, key)
            await asked(pilot, question)
        await press(pilot, "escape")
        assert isinstance(pilot.app.screen, TablesRoom)
        assert not desk.more


async def test_table_where_the_player_sits_comes_first(desk: Desk, ann: House) -> None:
    desk.open_table("H3DN", "five-card-draw", {}, maker="ann")
    desk.open_table("X2PA", "five-card-draw", {}, maker="bob")
    sits(desk, "ann", "X2PA", 0)
    async with run_app(arcade(ann)) as pilot:
        await enter(pilot)
        shown = text(pilot.app)
        assert shown.index("X2PA") < shown.index("H3DN")
        assert "space  Come back" in hint_line(pilot)


async def test_standing_offer_says_that_a_computer_comes(desk: Desk, ann: House) -> None:
    desk.open_table("X2PA", "cribbage", {"computer": "greedy"}, maker="dan")
    sits(desk, "dan", "X2PA", 0)
    async with run_app(arcade(ann)) as pilot:
        await enter(pilot)
        line = line_of(pilot, "X2PA")
        for part in ("Cribbage", "1 of 2", "Dan", "to 121, ACC rules, computer after 45 s"):
            assert part in line
        desk.more["X2PA"].expire(45)
        await refresh(pilot)
        assert "2 of 2" in line_of(pilot, "X2PA")
        await press(pilot, "end", "space")
        await until(pilot, lambda: "all seats of this table are taken." in hint_line(pilot))


async def test_server_that_makes_no_table_says_why(desk: Desk, ann: House) -> None:
    error = LedgerError("you have made 3 tables already")
    async with run_app(arcade(ann)) as pilot:
        await enter(pilot)
        with patch.object(Client, "make", side_effect=error):
            await press(pilot, "n")
            await asked(pilot, "which game?")
            await press(pilot, "4")
            await asked(pilot, "How long may each move take?")
            await press(pilot, "1")
            await asked(pilot, "Who plays if nobody comes in 45 seconds?")
            await press(pilot, "1")
            await asked(pilot, "Who may sit down?")
            await press(pilot, "1")
            await until(pilot, lambda: "you have made 3 tables already." in hint_line(pilot))


async def test_code_in_small_letters_leads_to_a_table_that_is_not_listed(
    desk: Desk, ann: House
) -> None:
    desk.open_table("H3DN", "baccarat", {"seats": 2}, maker="dan", is_listed=False)
    async with run_app(arcade(ann)) as pilot:
        await enter(pilot)
        assert "H3DN" not in text(pilot.app)
        await press(pilot, "c", *"h3dn", "enter")
        await is_seated(pilot, "H3DN")


async def test_wrong_code_is_refused_in_one_line(desk: Desk, ann: House) -> None:
    async with run_app(arcade(ann)) as pilot:
        await enter(pilot)
        await press(pilot, "c", *"zzzz", "enter")
        await until(pilot, lambda: "there is no table ZZZZ." in hint_line(pilot))
        await press(pilot, "c", "enter")
        assert isinstance(pilot.app.screen, TablesRoom)
        assert "there is no table" not in hint_line(pilot), "nothing was typed"


async def test_list_follows_others_and_keeps_the_mark_on_its_table(desk: Desk, ann: House) -> None:
    desk.open_table("X2PA", "cribbage", {}, maker="dan")
    async with run_app(arcade(ann)) as pilot:
        with patch("tui_casino.tui.tables_room.REFRESH", 0.05):
            await press(pilot, "j")
            await until(pilot, lambda: "X2PA" in text(pilot.app))
            await press(pilot, "down")
            assert pointed(pilot) == "X2PA"
            for seat, name in enumerate(("bob", "cat", "dan")):
                sits(desk, name, seat=seat)
            await until(pilot, lambda: "3 of 3" in text(pilot.app))
        assert pointed(pilot) == "X2PA"
        assert text(pilot.app).index("X2PA") < text(pilot.app).index("K7QX"), "a full one is last"
        desk.open_table("A2AA", "cribbage", {}, maker="ann")
        await refresh(pilot)
        assert pointed(pilot) == "X2PA"


async def test_table_that_is_closed_stays_until_the_cursor_leaves_it(
    desk: Desk, ann: House
) -> None:
    desk.open_table("X2PA", "cribbage", {}, maker="dan")
    async with run_app(arcade(ann)) as pilot:
        await enter(pilot)
        desk.replica.finish()
        await refresh(pilot)
        assert pointed(pilot) == "K7QX"
        assert "closed" in line_of(pilot, "K7QX")
        await strike(pilot, "space")
        await until(pilot, lambda: CLOSED in hint_line(pilot))
        await press(pilot, "down")
        await refresh(pilot)
        assert pointed(pilot) == "X2PA"
        assert "K7QX" not in text(pilot.app)


async def test_player_at_the_table_at_the_cursor_is_blocked_and_no_longer(
    desk: Desk, ann: House
) -> None:
    sits(desk, "bob")
    sits(desk, "ann", seat=1)
    async with run_app(arcade(ann)) as pilot:
        await enter(pilot)
        await press(pilot, "b")
        await asked(pilot, "block Bob")
        assert "block Ann" not in text(pilot.app)
        await press(pilot, "1")
        await until(pilot, lambda: "blocks Bob: you hear no phrases" in hint_line(pilot))
        assert Client(desk, "ann").blocked() == ["Bob"]
        gets_up(desk, "bob")
        await refresh(pilot)
        await press(pilot, "b")
        await asked(pilot, "unblock Bob")
        await press(pilot, "1")
        await until(pilot, lambda: "unblocks Bob." in hint_line(pilot))
        assert Client(desk, "ann").blocked() == []
        await press(pilot, "b")
        await until(pilot, lambda: NOBODY_TO_BLOCK in hint_line(pilot))


async def test_block_ends_in_an_empty_room(desk: Desk, ann: House) -> None:
    desk.blocked["ann"] = ["Bob"]
    with patch.object(Client, "list", return_value=[]):
        async with run_app(arcade(ann)) as pilot:
            await enter(pilot)
            await press(pilot, "b")
            await asked(pilot, "unblock Bob")
            await press(pilot, "1")
            await until(pilot, lambda: "unblocks Bob." in hint_line(pilot))
    assert Client(desk, "ann").blocked() == []


async def test_block_that_the_server_refuses_says_why(desk: Desk, ann: House) -> None:
    sits(desk, "bob")
    error = LedgerError("you block 100 players already")
    async with run_app(arcade(ann)) as pilot:
        await enter(pilot)
        with patch.object(Client, "block", side_effect=error):
            await press(pilot, "b")
            await asked(pilot, "block Bob")
            await press(pilot, "1")
            await until(pilot, lambda: "you block 100 players already." in hint_line(pilot))


async def test_empty_room_says_how_to_make_a_table(desk: Desk, ann: House) -> None:
    desk.replica.finish()
    async with run_app(arcade(ann), 60, 20) as pilot:
        await enter(pilot)
        assert EMPTY in " ".join(text(pilot.app).split())
        await press(pilot, "space")
        assert "there is no table; n makes one." in hint_line(pilot)


async def test_server_that_does_not_answer_is_reported_once_until_it_does(
    desk: Desk, ann: House
) -> None:
    async with run_app(arcade(ann)) as pilot:
        with patch.object(Client, "list", side_effect=LedgerError("the ledger is busy")):
            await press(pilot, "j")
            await until(pilot, lambda: "the ledger is busy." in hint_line(pilot))
            await press(pilot, "down")
            await refresh(pilot)
            assert "the ledger is busy." not in hint_line(pilot)
        await refresh(pilot)
        assert "K7QX" in text(pilot.app)


async def test_long_list_scrolls_with_the_cursor(desk: Desk, ann: House) -> None:
    codes = [f"T{number:03}" for number in range(40)]
    for code in codes:
        desk.open_table(code, "cribbage", {}, maker="dan")
    async with run_app(arcade(ann), 60, 20) as pilot:
        await enter(pilot)
        assert "T000" in text(pilot.app)
        await press(pilot, "end")
        assert "T039" in text(pilot.app)
        assert "T000" not in text(pilot.app)
        page = room(pilot).page
        await click(pilot, page, 10, lines(pilot.app).index(line_of(pilot, "T037")) - 1)
        assert pointed(pilot) == "T037"
        await press(pilot, "home")
        assert pointed(pilot) == "K7QX"


# ---- the menu ---------------------------------------------------------------------------------


async def test_menu_of_a_server_names_the_room(desk: Desk, ann: House) -> None:
    async with run_app(arcade(ann)) as pilot:
        assert "j  Tables" in text(pilot.app)
        await press(pilot, "f1")
        assert "tables with other people" in text(pilot.app)


@pytest.mark.parametrize(("remote", "reason"), [(False, ONLY_ON_SERVERS), (True, GUESTS)])
async def test_menu_without_tables_says_why(tmp_path: Path, remote: bool, reason: str) -> None:
    async with run_app(arcade(replace(with_purse(tmp_path), remote=remote))) as pilot:
        assert "j  Tables" not in text(pilot.app)
        await press(pilot, "j")
        assert reason in hint_line(pilot)
        await press(pilot, "f1")
        assert "other people" not in text(pilot.app)
