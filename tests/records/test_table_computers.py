"""Computers at a shared table, and its clock: all programs get the same choices, each once."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.helpers.shared_table import Desk
from tui_casino.engine.game import Seat
from tui_casino.engine.seating import Join
from tui_casino.games.five_card_draw.brains.shared_computers import computer_turn
from tui_casino.games.five_card_draw.machine import state as m
from tui_casino.host.cage.table_desk import replica_of
from tui_casino.records.ledger import OpenSitting
from tui_casino.records.sqlite_ledger import SqliteLedger

SECONDS = 20


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[SqliteLedger]:
    ledger = SqliteLedger(tmp_path / "ledger")
    yield ledger
    ledger.close()


def sit(desk: Desk, seat: int, player: str) -> None:
    booked = OpenSitting(player, "five-card-draw", Path(f"{player}.jsonl"), None, 100_00)
    desk.replica.join(Seat(seat), Join(100), player, booked)


def test_two_programs_make_the_same_choice_for_a_computer_and_one_is_played(
    ledger: SqliteLedger,
) -> None:
    desk = Desk(ledger, "five-card-draw", {"seats": 3, "computers": "algorithm"})
    sit(desk, 1, "ann")
    desk.replica.act(Seat(1), m.Play(), "ann")
    one, other = desk.replica, replica_of(desk.tables, desk.replica.entry, desk.clock)
    choices = [replica.ask_computer(computer_turn) for replica in (one, other)]
    assert all(choices), "the first to act is a computer"
    acts = [choose() for choose in choices if choose is not None]
    assert acts[0] == acts[1]
    rows = one.rows
    assert one.play_computer(acts[0])
    assert not other.play_computer(acts[1])
    assert not one.play_computer(acts[0])
    assert one.rows == rows + 1
    other.refresh()
    assert other.state == one.state


def test_each_question_of_a_hand_has_the_whole_time(ledger: SqliteLedger) -> None:
    """In turn, each seat gets its own seconds, even for two questions one after the other."""
    desk = Desk(ledger, "five-card-draw", {"seats": 2})
    for seat, player in enumerate(("ann", "bob")):
        sit(desk, seat, player)
    for seat, player in enumerate(("ann", "bob")):
        desk.replica.act(Seat(seat), m.Play(), player)
    play = desk.replica.state.play
    assert play.dealt_in == (0, 1)
    for seat, action in (
        (0, m.Check()),
        (1, m.Bet()),
        (0, m.Call()),
        (0, m.Discard(())),
        (1, m.Discard(())),
    ):
        desk.now += 1000 * (SECONDS - 1)
        desk.replica.act(Seat(seat), action, ("ann", "bob")[seat])
        assert desk.replica.due == desk.now + 1000 * SECONDS
