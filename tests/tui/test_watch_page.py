"""The window in which a player watches a table: finished rounds, and nothing of the others."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from textual.pilot import Pilot

from tests.helpers.arcade_pilot import arcade, lines, press, run_app, text, until
from tests.helpers.screen_walks import LOOKS
from tests.helpers.shared_table import Client, Desk
from tests.tui.test_shared_table import house_of
from tests.tui.test_tables_room import enter, hint_line, sits
from tui_casino.engine.seating import Leave
from tui_casino.house.house import House
from tui_casino.house.shared_tables import CONTINUES
from tui_casino.house.table_list import SEES_MORE
from tui_casino.house.table_watch import LATE, WAITS
from tui_casino.records.sqlite_ledger import SqliteLedger
from tui_casino.tui.menu.screen import Menu
from tui_casino.tui.tables_room import TablesRoom
from tui_casino.tui.watch_page import WatchPage


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    """A server with a table for three, where Bob sits."""
    ledger = SqliteLedger(tmp_path / "ledger")
    desk = Desk(ledger, maker="bob")
    sits(desk, "bob")
    yield desk
    ledger.close()


@pytest.fixture
def ann(desk: Desk, tmp_path: Path) -> House:
    return house_of(desk, tmp_path, "ann")


def bets(desk: Desk, credits: int) -> None:
    Client(desk, "bob").act("K7QX", {"is": "Bet", "credits": credits, "spot": "p"}, None)


def deals(desk: Desk) -> None:
    Client(desk, "bob").act("K7QX", {"is": "Play"}, None)


async def watches(pilot: Pilot[None]) -> None:
    await enter(pilot)
    await press(pilot, "w")
    await until(pilot, lambda: isinstance(pilot.app.screen, WatchPage))


@pytest.mark.parametrize("look", ["unicode", "ascii"])
@pytest.mark.parametrize(("width", "height"), [(80, 24), (132, 43), (60, 20)])
async def test_watcher_sees_a_round_once_it_is_over(
    desk: Desk, ann: House, width: int, height: int, look: str
) -> None:
    async with run_app(arcade(ann, LOOKS[look]), width, height) as pilot:
        await watches(pilot)
        await until(pilot, lambda: WAITS in text(pilot.app))
        assert f"Baccarat K7QX, {LATE}" in text(pilot.app)
        bets(desk, 5)
        deals(desk)
        await until(pilot, lambda: "Bob bets 5 on Player, and" in text(pilot.app))
        bets(desk, 7)
        assert "7 on Player" not in text(pilot.app)
        deals(desk)
        await until(pilot, lambda: "Bob bets 7 on Player, and" in text(pilot.app))
        for _ in range(20):
            deals(desk)
        bets(desk, 6)
        deals(desk)
        await until(pilot, lambda: "Bob bets 6 on Player, and" in text(pilot.app))
        assert WAITS not in text(pilot.app), "the window follows the last line"
        await press(pilot, "f1")
        assert "Watching" in text(pilot.app)
        await press(pilot, "escape")
        await press(pilot, "escape")
        assert isinstance(pilot.app.screen, TablesRoom)


async def test_each_line_stays_a_line_where_one_is_too_long(desk: Desk, ann: House) -> None:
    async with run_app(arcade(ann), 60, 20) as pilot:
        await watches(pilot)
        for spot in ("p", "b", "t", "pp", "bp"):
            Client(desk, "bob").act("K7QX", {"is": "Bet", "credits": 5, "spot": spot}, None)
        deals(desk)
        await until(pilot, lambda: "Bob bets 5 on Player" in text(pilot.app))
        shown = [line.partition("│ ")[2] for line in lines(pilot.app)]
        starts = [line.split(" ")[0] for line in shown]
        assert starts.index("Banker:") == starts.index("Player:") + 1
        assert shown[starts.index("Bob", starts.index("Banker:")) + 1][:2] == "  "


async def test_watcher_learns_that_the_table_is_stopped_and_closed(desk: Desk, ann: House) -> None:
    async with run_app(arcade(ann)) as pilot:
        await watches(pilot)
        desk.freeze(on=True)
        await until(pilot, lambda: "The operator has stopped this table" in text(pilot.app))
        desk.freeze(on=False)
        await until(pilot, lambda: CONTINUES in text(pilot.app))
        desk.replica.act(next(iter(desk.replica.occupants)), Leave(), "bob")
        desk.close()
        await until(
            pilot, lambda: "The table is closed: the operator closed it." in text(pilot.app)
        )
        assert "Bob leaves." in text(pilot.app)


async def test_player_at_the_table_does_not_watch_it(desk: Desk, tmp_path: Path) -> None:
    async with run_app(arcade(house_of(desk, tmp_path, "bob"))) as pilot:
        await enter(pilot)
        await press(pilot, "w")
        assert SEES_MORE in hint_line(pilot)


async def test_visit_may_begin_with_watching(desk: Desk, ann: House) -> None:
    async with run_app(arcade(ann, table="K7QX", watches=True)) as pilot:
        await until(pilot, lambda: WAITS in text(pilot.app))
        assert Client(desk, "ann").place("K7QX") is None
        await press(pilot, "escape")
        assert isinstance(pilot.app.screen, Menu)


async def test_table_that_does_not_exist_is_not_watched(ann: House) -> None:
    async with run_app(arcade(ann, table="ZZZZ", watches=True)) as pilot:
        await until(pilot, lambda: "there is no table ZZZZ" in lines(pilot.app)[0])
        assert isinstance(pilot.app.screen, Menu)
