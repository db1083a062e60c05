"""A Hit Me table with others by ear: own hands only, and what the others do."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.helpers.shared_table import Client, Desk
from tests.screen_reader.test_shared_table import Bob, Visit, house_of
from tui_casino.engine.game import Seat
from tui_casino.games.thirty_one import DEFINITION
from tui_casino.games.thirty_one.machine import state as m
from tui_casino.house.shared_seat import sit_down
from tui_casino.records.ledger import OPENING_BALANCE
from tui_casino.records.sqlite_ledger import SqliteLedger
from tui_casino.screen_reader.shared_table import NOT_USED


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    ledger = SqliteLedger(tmp_path / "ledger")
    yield Desk(ledger, "thirty-one")
    ledger.close()


@pytest.fixture
def bob(desk: Desk, tmp_path: Path) -> Iterator[Bob]:
    house = house_of(desk, tmp_path, "bob")
    seat = sit_down(house, Client(desk, "bob"), desk.line(), DEFINITION)
    yield seat
    seat.close()
    seat.sitting.close()


def plays(bob: Bob, *actions: m.Action) -> None:
    """Let Bob act; he declines insurance."""
    for action in actions:
        bob.catch_up()
        if bob.sitting.table.state.phase is m.Phase.INSURANCE:
            bob.sitting.table.submit(Seat(0), m.Decline())
        bob.sitting.table.submit(Seat(0), action)


def test_round_with_another_player_by_ear(desk: Desk, tmp_path: Path, bob: Bob) -> None:
    visit = Visit(
        desk,
        tmp_path,
        "b 20",
        "who",
        lambda _: plays(bob, m.Bet(20)),
        lambda one: one.wait_for("Hit"),
        "s",
        lambda _: plays(bob, m.Stand()),
        lambda one: one.wait_for("Your credit is "),
        "q",
        "q",
    )
    begun = visit.after("b 20")
    assert begun[:2] == ["You bet 20", "Waiting for Bob."]
    told = visit.said
    own = [line for line in told if line.startswith("You: ")]
    assert len(own) == 1, "a card of Bob is not told as one of Ann"
    assert any(line.startswith("Bob: ") and " = " in line for line in told)
    assert any(line.startswith("You stand on ") for line in told)
    assert any(line.startswith("Dealer gets ") for line in told)
    assert any(line.startswith("Your credit is ") for line in told)
    assert desk.replica.state.bettors[0] is not None, "Bob still sits there"


def test_line_after_the_time_to_bet_was_over_does_nothing(
    desk: Desk, tmp_path: Path, bob: Bob
) -> None:
    def bets_alone(_: Visit) -> None:
        plays(bob, m.Bet(20))
        desk.expire()

    visit = Visit(
        *(desk, tmp_path, bets_alone, "b 20", "$", "s"),
        *(lambda _: plays(bob, m.Stand()), lambda one: one.wait_for("How much", 2), "q", "q"),
    )
    assert visit.after("s")[0] == f"Waiting for Bob. {NOT_USED}"
    said = " ".join(visit.said)
    assert said.count("Your time was over.") == 1
    assert said.count("Your line was not used.") == 2, "b 20, and s"
    assert "You bet" not in said
    assert "Your credit is 50" in visit.after("$")
    assert desk.ledger.balance("ann") == OPENING_BALANCE
