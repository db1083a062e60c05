"""The room of tables by ear: the tables in sentences, a seat, a new table, a code."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import nullcontext
from pathlib import Path
from threading import Condition
from unittest.mock import patch

import pytest

from tests.helpers.arcade_pilot import with_purse
from tests.helpers.shared_table import Client, Desk
from tests.screen_reader.test_shared_table import house_of
from tui_casino.house.house import House
from tui_casino.house.settings import Settings
from tui_casino.house.table_list import EMPTY
from tui_casino.house.table_watch import LATE, WAITS
from tui_casino.house.visit_state import VisitState
from tui_casino.records.ledger import LedgerError, OpenSitting
from tui_casino.records.sqlite_ledger import SqliteLedger
from tui_casino.screen_reader.tables_room import ASK
from tui_casino.screen_reader.visit import begin_visit

LEAVE = ("q", "q", "q")
"""Leave the table, the room, and the menu."""


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    """A server with a table for three that Bob has made."""
    ledger = SqliteLedger(tmp_path / "ledger")
    yield Desk(ledger, maker="bob")
    ledger.close()


@pytest.fixture
def ann(desk: Desk, tmp_path: Path) -> House:
    return house_of(desk, tmp_path, "ann")


def sits(desk: Desk, name: str, seat: int) -> None:
    sitting = OpenSitting(name, "baccarat", Path(f"/{name}.jsonl"), None, 40_00)
    Client(desk, name).join("K7QX", seat, sitting)


def visit(
    house: House,
    *steps: str | Callable[[], object],
    said: list[str] | None = None,
    changed: Condition | None = None,
    table: str | None = None,
    watches: bool = False,
) -> list[str]:
    """Type these lines; return what was said, with the typed lines after a mark.

    The lines are added to ``said``, and those who wait for a change are woken.
    """
    said = [] if said is None else said
    spoken, changes = said, changed or Condition()

    def write(line: str) -> None:
        with changes:
            spoken.append(line)
            changes.notify_all()

    def typed() -> Iterator[str]:
        for step in steps:
            if isinstance(step, str):
                write(f"> {step}")
                yield step
            else:
                step()

    memory = VisitState(None)
    begin_visit(
        house,
        typed(),
        write,
        Settings(),
        None,
        "--screen-reader",
        memory=memory,
        wait_notice=nullcontext,
        table=table,
        watches=watches,
    ).run()
    assert said[-1] == "Goodbye."
    return said


def after(said: list[str], typed: str) -> list[str]:
    """Return what was said after a typed line, up to the next one."""
    rest = said[said.index(f"> {typed}") + 1 :]
    return rest[: next((n for n, line in enumerate(rest) if line[:2] == "> "), len(rest))]


def test_tables_are_said_in_sentences_with_numbers(desk: Desk, ann: House) -> None:
    desk.open_table("X2PA", "cribbage", {}, maker="ann", is_listed=False)
    sits(desk, "bob", 0)
    sits(desk, "cat", 1)
    assert after(visit(ann, "j", "q", "q"), "j") == [
        "Chosen: Tables",
        "Tables with other people:",
        "1. Cribbage, to 121, ACC rules; 0 of 2 seats taken; 60 seconds for each choice; "
        "code X2PA; your table.",
        "2. Baccarat, 8 decks, 5% commission; 2 of 3 seats taken: Bob, Cat; "
        "15 seconds for each choice; code K7QX.",
        ASK,
    ]


def test_time_bank_is_said_with_the_seconds_for_each_choice(desk: Desk, ann: House) -> None:
    desk.open_table("BR7M", "five-card-draw", {"seats": 2}, maker="dan")
    (said,) = [one for one in after(visit(ann, "j", "q", "q"), "j") if "BR7M" in one]
    assert "; 20 seconds for each choice, and a time bank of 60 seconds; code BR7M" in said


def test_number_sits_down_and_leaving_leads_back_to_the_room(desk: Desk, ann: House) -> None:
    sits(desk, "bob", 0)
    said = visit(ann, "j", "1", *LEAVE)
    assert "Here too: Bob with 40." in after(said, "1")
    assert after(said, "q")[-1] == ASK
    assert not desk.ledger.open_sittings("ann")


def test_numbers_are_those_of_the_list_that_was_said(desk: Desk, ann: House) -> None:
    desk.open_table("X2PA", "cribbage", {}, maker="dan")

    def happens() -> None:
        for seat, name in enumerate(("bob", "cat", "dan")):
            sits(desk, name, seat)

    said = visit(ann, "j", happens, "1", "", "2", "3", "q", "q")
    assert after(said, "1")[0].startswith("Cannot sit down there: all seats of the table K7QX")
    assert [line[:6] for line in after(said, "")[1:3]] == ["1. Cri", "2. Bac"]
    assert after(said, "2") == ["All seats of this table are taken.", ASK]
    assert after(said, "3") == ["There is no table 3 in the list.", ASK]


@pytest.mark.parametrize("code", ["c h3dn", "C H3DN"])
def test_code_leads_to_a_table_that_is_not_listed(desk: Desk, ann: House, code: str) -> None:
    table = desk.open_table("H3DN", "baccarat", {"seats": 2}, maker="dan", is_listed=False)
    seats = list[int | None]()
    visit(ann, "j", code, lambda: seats.append(Client(desk, "ann").place("H3DN")), *LEAVE)
    assert seats == [0]
    assert not table.replica.occupants


def test_wrong_code_and_words_without_meaning_are_refused(ann: House) -> None:
    said = visit(ann, "j", "c zzzz", "dance", "c", "help", "q", "q")
    assert after(said, "c zzzz")[0] == "Cannot sit down there: there is no table ZZZZ"
    assert after(said, "dance") == ["dance has no meaning here.", ASK]
    assert after(said, "c") == ["c has no meaning here.", ASK]
    assert any(line.startswith("n: make a new table") for line in after(said, "help"))


def test_new_table_asks_for_game_seats_and_guests(desk: Desk, ann: House) -> None:
    said = visit(ann, "j", "n", "baccarat", "9", "4", "2", *LEAVE)
    assert after(said, "9") == ["How many seats? 2 to 7; b goes back."]
    assert "Others sit down with the code NEW2." in after(said, "2")
    assert desk.more["NEW2"].replica.seats == 4
    assert [one.code for one in Client(desk, "bob").list()] == ["K7QX"]


def test_game_with_a_fixed_number_of_seats_asks_for_a_computer_and_guests(
    desk: Desk, ann: House
) -> None:
    with patch("tui_casino.screen_reader.tables_room.sit_with_others"):  # it would wait for others
        said = visit(ann, "j", "n", "cribbage", "1", "3", "1", "q", "q")
    assert after(said, "cribbage")[1:4] == [
        "How long may each move take?",
        "1. 60 seconds for each choice",
        "2. A day for each move",
    ]
    assert after(said, "1")[1:4] == [
        "Who plays if nobody comes in 45 seconds?",
        "1. Nobody",
        "2. A computer, random",
    ]
    assert [one.code for one in Client(desk, "bob").list()] == ["K7QX", "NEW2"]
    assert desk.more["NEW2"].replica.options.computer == "greedy"


@pytest.mark.parametrize("lines", [("b",), ("1", "b"), ("1", "3", "b")])
def test_going_back_makes_no_table(desk: Desk, ann: House, lines: tuple[str, ...]) -> None:
    visit(ann, "j", "n", *lines, "q", "q")
    assert not desk.more


def test_player_is_blocked_and_no_longer(desk: Desk, ann: House) -> None:
    sits(desk, "bob", 0)
    said = visit(
        ann,
        *("j", "blocked", "block bob", "blocked ", "unblock", "unblock BOB"),
        *("unblock bob", "block eve", "q", "q"),
    )
    assert after(said, "blocked")[0] == "You block nobody."
    assert after(said, "block bob")[0] == "You block Bob."
    assert after(said, "blocked ")[0] == "You block Bob."
    assert after(said, "unblock")[0] == "unblock: type the name of a player after it."
    assert after(said, "unblock BOB")[0] == "You no longer block Bob."
    assert after(said, "unblock bob")[0] == "unblock: nobody called bob is blocked."
    assert after(said, "block eve")[0] == "block: nobody called eve sits at a table in the list."
    assert Client(desk, "ann").blocked() == []


def test_empty_room_says_how_to_make_a_table(desk: Desk, ann: House) -> None:
    desk.replica.finish()
    assert EMPTY in after(visit(ann, "j", "q", "q"), "j")


def test_errors_of_the_server_are_sentences(ann: House) -> None:
    error = LedgerError("you have made 3 tables already")
    with patch.object(Client, "make", side_effect=error):
        said = visit(ann, "j", "n", "4", "2", "1", "q", "q")
    assert "You have made 3 tables already." in after(said, "1")
    with patch.object(Client, "list", side_effect=LedgerError("the ledger is busy")):
        said = visit(ann, "j", "q")
    assert "Tables: the ledger is busy" in after(said, "j")


def test_menu_without_tables_has_no_room(tmp_path: Path) -> None:
    said = visit(with_purse(tmp_path), "help", "q")
    assert not any("Tables" in line for line in said)


def test_rules_are_in_small_letters_within_a_sentence(desk: Desk, ann: House) -> None:
    desk.open_table("X2PA", "thirty-one", {}, maker="bob")
    assert any("Hit Me, the usual rules; 0 of" in line for line in visit(ann, "j", "q", "q"))


# ---- watching ---------------------------------------------------------------------------------


@pytest.mark.parametrize("typed", ["watch 1", "watch k7qx"])
def test_watcher_hears_a_round_once_it_is_over(desk: Desk, ann: House, typed: str) -> None:
    sits(desk, "bob", 0)
    bob, said = Client(desk, "bob"), list[str]()

    def is_heard(text: str) -> None:
        with desk.changed:
            assert desk.changed.wait_for(lambda: any(text in one for one in said), 20)

    def bets() -> None:
        is_heard(WAITS)
        bob.act("K7QX", {"is": "Bet", "credits": 5, "spot": "p"}, None)
        bob.act("K7QX", {"is": "Play"}, None)

    def hears() -> None:
        is_heard("Bob bets 5 on Player")
        bob.act("K7QX", {"is": "Bet", "credits": 7, "spot": "b"}, None)

    visit(ann, "j", typed, bets, hears, "", "q", "q", said=said, changed=desk.changed)
    heard = after(said, typed)
    assert heard[0] == f"Baccarat K7QX, {LATE}. Enter ends it."
    assert not any("7 on Banker" in one for one in heard)
    assert after(said, "")[-1] == ASK


def test_visit_by_ear_may_begin_with_watching(desk: Desk, ann: House) -> None:
    said = visit(ann, "", "q", table="K7QX", watches=True)
    assert f"Baccarat K7QX, {LATE}. Enter ends it." in said
    assert not desk.replica.occupants


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        ("watch", "watch: type the number or the code of a table after it."),
        ("watch zzzz", "Cannot watch this table: there is no table ZZZZ"),
        ("watch 9", "Cannot watch this table: there is no table 9"),
    ],
)
def test_table_to_watch_must_exist(ann: House, typed: str, answer: str) -> None:
    assert after(visit(ann, "j", typed, "q", "q"), typed) == [answer, ASK]
