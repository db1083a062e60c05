"""Two people play a hand of five-card draw on the screen; free seats and waiting are shown."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.helpers.arcade_pilot import arcade, hint_text, press, run_app, strike, text, until
from tests.helpers.shared_table import Client, Desk
from tests.tui.test_shared_table import house_of, table_of
from tui_casino.cards.card import BACK
from tui_casino.engine.game import Seat
from tui_casino.games.five_card_draw import DEFINITION
from tui_casino.games.five_card_draw.machine import state as m
from tui_casino.house.shared_seat import sit_down
from tui_casino.records.ledger import OPENING_BALANCE
from tui_casino.records.sqlite_ledger import SqliteLedger
from tui_casino.tui.table.shared import NOT_NOW, TableWithOthers

BOB, ANN = Seat(0), Seat(1)


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    ledger = SqliteLedger(tmp_path / "ledger")
    yield Desk(ledger, "five-card-draw", {"seats": 3})
    ledger.close()


@pytest.mark.parametrize(("width", "height"), [(80, 24), (132, 43)])
async def test_hand_of_two_people_by_keys(
    desk: Desk, tmp_path: Path, width: int, height: int
) -> None:
    """Ann acts first; Bob deals, because nobody sits in the last seat."""
    ann, bob = (house_of(desk, tmp_path, name) for name in ("ann", "bob"))
    other = sit_down(bob, Client(desk, "bob"), desk.line(), DEFINITION)
    others = other.sitting.table
    async with run_app(arcade(ann, table="K7QX"), width, height) as pilot:
        await until(pilot, lambda: isinstance(pilot.app.screen, TableWithOthers))
        assert "free seat" in text(pilot.app)
        await strike(pilot, "space")
        await until(pilot, lambda: "Waiting for Bob." in text(pilot.app))
        other.catch_up()
        others.submit(BOB, m.Play())
        await until(pilot, lambda: table_of(pilot).waiting)
        state = table_of(pilot).state
        assert state.dealt_in == (ANN, BOB)
        assert state.stacks == (45, 45, 0)
        await press(pilot, "b")
        await until(pilot, lambda: desk.replica.state.play.pot == 20)
        other.catch_up()
        others.submit(BOB, m.Call())
        await until(pilot, lambda: table_of(pilot).waiting)
        await strike(pilot, "space")  # stand pat
        await until(pilot, lambda: desk.replica.state.play.drawn[ANN] == 0)
        other.catch_up()
        others.submit(BOB, m.Discard(()))
        await until(pilot, lambda: table_of(pilot).waiting)
        assert table_of(pilot).state.drawn == (0, 0, None)
        await press(pilot, "b")
        await until(pilot, lambda: desk.replica.state.play.pot == 50)
        other.catch_up()
        others.submit(BOB, m.Fold())
        await until(pilot, lambda: "all others folded" in text(pilot.app))
        assert table_of(pilot).state.stacks == (35, 65, 0)
        assert "+15" in text(pilot.app), "what Ann has won in the last hand"
        await press(pilot, "escape")
    assert desk.ledger.balance("ann") == OPENING_BALANCE + 15_00
    other.close()
    other.sitting.close()


async def test_no_choice_is_kept_while_others_choose(desk: Desk, tmp_path: Path) -> None:
    """A call that was kept would be made before Ann knows what it costs."""
    ann, bob = (house_of(desk, tmp_path, name) for name in ("ann", "bob"))
    other = sit_down(bob, Client(desk, "bob"), desk.line(), DEFINITION)
    others = other.sitting.table
    async with run_app(arcade(ann, table="K7QX")) as pilot:
        await until(pilot, lambda: isinstance(pilot.app.screen, TableWithOthers))
        await strike(pilot, "space")
        await until(pilot, lambda: "Waiting for Bob." in text(pilot.app))
        other.catch_up()
        others.submit(BOB, m.Play())
        await until(pilot, lambda: table_of(pilot).waiting)
        await press(pilot, "k")
        await until(pilot, lambda: "Waiting for Bob." in text(pilot.app))
        await strike(pilot, "c")
        await until(pilot, lambda: hint_text(pilot.app) == f"refused c {NOT_NOW}")
        for key in (":", "$", "enter"):
            await strike(pilot, key)
        await until(pilot, lambda: "Your credit is 45" in text(pilot.app))
        for key in (":", "c", "enter"):
            await strike(pilot, key)
        await until(pilot, lambda: hint_text(pilot.app).startswith("refused c"))
        other.catch_up()
        others.submit(BOB, m.Bet())
        await until(pilot, lambda: table_of(pilot).waiting)
        await pilot.pause()
        assert table_of(pilot).state.pot == 20, "Ann has not called"
        await until(pilot, lambda: not hint_text(pilot.app))
        await press(pilot, "f")
        await until(pilot, lambda: "folded" in text(pilot.app))
        await press(pilot, "escape")
    other.close()
    other.sitting.close()


async def test_player_whose_time_is_over_between_hands_watches_the_next_one(
    desk: Desk, tmp_path: Path
) -> None:
    ann, bob, cat = (house_of(desk, tmp_path, name) for name in ("ann", "bob", "cat"))
    others = [
        sit_down(house, Client(desk, house.player), desk.line(), DEFINITION) for house in (bob, cat)
    ]
    async with run_app(arcade(ann, table="K7QX")) as pilot:
        await until(pilot, lambda: isinstance(pilot.app.screen, TableWithOthers))
        for place, other in enumerate(others):
            other.catch_up()
            other.sitting.table.submit(Seat(place), m.Play())
        desk.expire()
        await until(pilot, lambda: "You are not in this hand." in text(pilot.app))
        view = table_of(pilot).state
        assert view.away == (2,)
        assert view.hands[2] == ()
        assert {card for hand in view.hands for card in hand} == {BACK}
        await press(pilot, "escape")
    assert desk.ledger.balance("ann") == OPENING_BALANCE
    for other in others:
        other.close()
        other.sitting.close()
