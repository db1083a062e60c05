"""Cribbage by correspondence by ear: whose move, how long, coming back and giving up."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.helpers.shared_table import Client, Desk
from tests.screen_reader.test_shared_table import Visit, house_of
from tests.screen_reader.test_tables_room import after, visit
from tui_casino.gamekit.registry import DEFINITIONS
from tui_casino.house.house import House
from tui_casino.house.shared_seat import sit_down
from tui_casino.records.sqlite_ledger import SqliteLedger
from tui_casino.screen_reader.shared_table import clock_texts, people_lines

HOUR = 3_600_000


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    """A table of cribbage with a day for each move, at which Ann and then Bob sit."""
    ledger = SqliteLedger(tmp_path / "ledger")
    desk = Desk(ledger, "cribbage", {"pace": "day"}, maker="bob")
    for name in ("ann", "bob"):
        takes_seat(desk, house_of(desk, tmp_path, name))
    yield desk
    ledger.close()


@pytest.fixture
def ann(desk: Desk, tmp_path: Path) -> House:
    return house_of(desk, tmp_path, "ann")


def takes_seat(desk: Desk, house: House) -> None:
    """Let a player sit down, and go away."""
    seat = sit_down(house, Client(desk, house.player), desk.line(), DEFINITIONS["cribbage"])
    seat.sitting.leave(keep=True)
    seat.close()
    seat.sitting.close()


def test_menu_begins_with_a_sentence_about_the_move(desk: Desk, ann: House) -> None:
    desk.now += 20 * HOUR + 1
    said = visit(ann, "q")
    assert "Your move: cribbage with Bob, 3 hours and 59 minutes left; j opens the tables." in said
    assert not any("Your move" in line for line in visit(house_with_bob(ann), "q"))


def house_with_bob(ann: House) -> House:
    assert isinstance(ann.shared_tables, Client)
    return house_of(ann.shared_tables.desk, ann.logs.parent, "bob")


def test_room_says_the_move_and_the_pace(desk: Desk, ann: House) -> None:
    (said,) = [line for line in after(visit(ann, "j", "q", "q"), "j") if "K7QX" in line]
    assert said == (
        "1. Cribbage, to 121, ACC rules; 2 of 2 seats taken: Ann, Bob; a day for each move; "
        "code K7QX; you sit there; your move, 24 hours left."
    )


def test_who_says_the_time_in_words_and_nothing_counts_down(desk: Desk, ann: House) -> None:
    seat = sit_down(ann, Client(desk, "ann"), desk.line(), DEFINITIONS["cribbage"])
    desk.now += HOUR // 3
    assert [*people_lines(seat)] == ["Here too: Bob.", "23 hours and 40 minutes left."]
    assert [*clock_texts(seat)] == []
    seat.close()
    seat.sitting.close()


def test_q_keeps_the_seat_and_the_game(desk: Desk, tmp_path: Path) -> None:
    said = Visit(desk, tmp_path, "q", "q").said
    assert "Your seat and the game are kept: table K7QX takes you back." in said
    assert Client(desk, "ann").place("K7QX") == 0
    assert desk.replica.why_over == ""


def test_resign_gives_the_game_up(desk: Desk, tmp_path: Path) -> None:
    said = Visit(desk, tmp_path, "help", "more", "more", "more", "resign", "q").said
    assert "resign: give the game up, which ends it for the others as well" in said
    assert "q: leave the table and cash out" not in said
    assert desk.replica.why_over == "somebody has left"
    assert not desk.ledger.open_sittings("ann")
