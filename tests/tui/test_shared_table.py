"""A baccarat table with others on the screen: who is there, what they bet, whose time runs."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from textual.pilot import Pilot

from tests.helpers.arcade_pilot import (
    arcade,
    hint_text,
    lines,
    press,
    run_app,
    strike,
    strike_until,
    text,
    type_line,
    until,
)
from tests.helpers.shared_table import Client, Desk
from tui_casino.engine.game import Seat
from tui_casino.engine.table import Table
from tui_casino.gamekit.registry import listing_of
from tui_casino.games.baccarat import DEFINITION
from tui_casino.games.baccarat.machine import state as m
from tui_casino.games.baccarat.machine.rules import BetSpot
from tui_casino.games.five_card_draw.machine.state import Play
from tui_casino.games.thirty_one.machine.state import Bet
from tui_casino.house.house import House
from tui_casino.house.shared_seat import NOT_HELPED, OtherPlayer, sit_down
from tui_casino.house.shared_tables import CONTINUES, FROZEN, STOPPED, TablePhrase
from tui_casino.house.visit_state import VisitState
from tui_casino.records.ledger import OPENING_BALANCE, LedgerError
from tui_casino.records.sqlite_ledger import SqliteLedger
from tui_casino.tui.command_palette import CommandPalette
from tui_casino.tui.modals import ChoiceDialog
from tui_casino.tui.table import shared
from tui_casino.tui.table.shared import TableWithOthers


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    ledger = SqliteLedger(tmp_path / "ledger")
    yield Desk(ledger)
    ledger.close()


def house_of(desk: Desk, folder: Path, player: str) -> House:
    return House(
        folder / player,
        desk.ledger,
        player,
        clock=desk.clock,
        buy_in=50_00,
        shared_tables=Client(desk, player),
    )


def table_of(pilot: Pilot[None]) -> Table[Any, Any, Any, Any]:
    screen = pilot.app.screen
    assert isinstance(screen, TableWithOthers)
    return screen.table


@pytest.mark.parametrize(("width", "height"), [(80, 24), (132, 43)])
async def test_coup_with_another_player_by_keys(
    desk: Desk, tmp_path: Path, width: int, height: int
) -> None:
    ann, bob = (house_of(desk, tmp_path, name) for name in ("ann", "bob"))
    other = sit_down(bob, Client(desk, "bob"), desk.line(), DEFINITION)
    async with run_app(arcade(ann, table="K7QX"), width, height) as pilot:
        await until(pilot, lambda: isinstance(pilot.app.screen, TableWithOthers))
        assert "K7QX" in lines(pilot.app)[0]
        assert "● Bob 50.00" in lines(pilot.app)[1]
        other.sitting.table.submit(Seat(0), m.Bet(10, BetSpot.BANKER))
        await until(pilot, lambda: "10 on Banker" in lines(pilot.app)[1])
        assert lines(pilot.app)[1].rstrip().endswith(" 15 s")
        assert "NEXT COUP" not in text(pilot.app), "its odds would be advice"
        await press(pilot, "1")
        await strike(pilot, "space")
        await until(pilot, lambda: "Waiting for Bob." in text(pilot.app))
        assert desk.replica.state.bettors[1].is_ready
        other.sitting.table.submit(Seat(0), m.Play())
        await until(pilot, lambda: len(table_of(pilot).state.coups) == 1)
        credit = desk.replica.state.bettors[1].credit
        await until(pilot, lambda: table_of(pilot).waiting)
        assert table_of(pilot).state.credit == credit
        await press(pilot, "escape")
    assert not desk.ledger.open_sittings("ann")
    assert desk.ledger.balance("ann") == OPENING_BALANCE - 50_00 + credit
    other.close()
    other.sitting.close()


async def test_money_of_the_others_does_not_tell_a_coup_that_is_still_dealt(
    desk: Desk, tmp_path: Path
) -> None:
    ann, bob = (house_of(desk, tmp_path, name) for name in ("ann", "bob"))
    other = sit_down(bob, Client(desk, "bob"), desk.line(), DEFINITION)
    async with run_app(arcade(ann, table="K7QX")) as pilot:
        await until(pilot, lambda: isinstance(pilot.app.screen, TableWithOthers))
        screen = pilot.app.screen
        assert isinstance(screen, TableWithOthers)
        with patch.object(screen, "run_table"):  # the cards are there, but not on the screen
            screen.pacing.is_running = True
            other.sitting.table.submit(Seat(0), m.Bet(10, BetSpot.TIE))
            desk.expire()
            await until(pilot, lambda: screen.seat.others()[0].cents != 50_00)
            screen._show_people()
            assert [one.cents for one in screen.people.content.people] == [50_00]
        screen.run_table()
        await until(pilot, lambda: screen.people.content.people == screen.seat.others())
        await press(pilot, "escape")
    other.close()
    other.sitting.close()


async def test_time_that_is_over_plays_at_the_screen_as_well(desk: Desk, tmp_path: Path) -> None:
    ann = house_of(desk, tmp_path, "ann")
    async with run_app(arcade(ann, table="K7QX")) as pilot:
        await until(pilot, lambda: isinstance(pilot.app.screen, TableWithOthers))
        assert "Nobody else is here yet." in lines(pilot.app)[1]
        await press(pilot, "1")
        desk.expire()
        await until(pilot, lambda: len(table_of(pilot).state.coups) == 1)
        await until(pilot, lambda: table_of(pilot).waiting)
        await press(pilot, "escape")


async def test_coups_that_were_played_together_are_shown_one_after_the_other(
    desk: Desk, tmp_path: Path
) -> None:
    """A program that slept finds two coups in one answer of the table."""
    ann = house_of(desk, tmp_path, "ann")
    async with run_app(arcade(ann, table="K7QX")) as pilot:
        await until(pilot, lambda: isinstance(pilot.app.screen, TableWithOthers))
        with desk.changed:  # the news cannot be read
            for _ in range(2):
                desk.replica.act(Seat(0), m.Bet(5, BetSpot.TIE), "ann")
                desk.expire()
        await until(pilot, lambda: len(table_of(pilot).state.coups) == 2)
        await until(pilot, lambda: table_of(pilot).waiting)
        assert table_of(pilot).state.credit == desk.replica.money(Seat(0))
        await press(pilot, "escape")


async def test_phrases_are_said_shown_for_some_seconds_and_muted(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 0.0
    monkeypatch.setattr(shared, "monotonic", lambda: now)
    ann, bob = (house_of(desk, tmp_path, name) for name in ("ann", "bob"))
    other = sit_down(bob, Client(desk, "bob"), desk.line(), DEFINITION)
    async with run_app(arcade(ann, table="K7QX")) as pilot:
        await until(pilot, lambda: isinstance(pilot.app.screen, TableWithOthers))
        screen = pilot.app.screen
        assert isinstance(screen, TableWithOthers)
        other.feed.say(2)
        await until(pilot, lambda: '● Bob 50.00 "nice hand"' in lines(pilot.app)[1])
        other.sitting.table.submit(Seat(0), m.Bet(10, BetSpot.BANKER))
        await until(pilot, lambda: screen.seat.others()[0].doing == "10 on Banker")
        assert '"nice hand"' in lines(pilot.app)[1]
        now += shared.PHRASE_SHOWN
        await until(pilot, lambda: "● Bob 50.00 10 on Banker" in lines(pilot.app)[1])
        await press(pilot, "semicolon")
        await until(pilot, lambda: "4  good luck" in text(pilot.app))
        await press(pilot, "4")
        await until(pilot, lambda: '; says "good luck" to the others.' in hint_text(pilot.app))
        assert [(one.name, one.phrase) for one in desk.phrases] == [("Bob", 2), ("Ann", 4)]
        await press(pilot, "semicolon", "9")
        await until(pilot, lambda: "; shows no phrases." in hint_text(pilot.app))
        other.feed.say(1)
        other.sitting.table.submit(Seat(0), m.Play())
        await until(pilot, lambda: screen.seat.feed._heard == 3)
        await pilot.pause()
        assert '"hello"' not in lines(pilot.app)[1]
        await press(pilot, "semicolon")
        await until(pilot, lambda: "9  show the phrases of others again" in text(pilot.app))
        await press(pilot, "escape")
        await press(pilot, "escape")
    other.close()
    other.sitting.close()


async def test_phrase_can_be_said_while_others_choose(desk: Desk, tmp_path: Path) -> None:
    ann, bob = (house_of(desk, tmp_path, name) for name in ("ann", "bob"))
    other = sit_down(bob, Client(desk, "bob"), desk.line(), DEFINITION)
    async with run_app(arcade(ann, table="K7QX")) as pilot:
        await until(pilot, lambda: isinstance(pilot.app.screen, TableWithOthers))
        await press(pilot, "1")
        await strike(pilot, "space")
        await until(pilot, lambda: "Waiting for Bob." in text(pilot.app))
        await strike(pilot, "semicolon")
        await until(pilot, lambda: isinstance(pilot.app.screen, ChoiceDialog))
        await strike(pilot, "2")
        await until(pilot, lambda: len(desk.phrases) == 1)
        other.sitting.table.submit(Seat(0), m.Play())
        await until(pilot, lambda: len(table_of(pilot).state.coups) == 1)
        await until(pilot, lambda: table_of(pilot).waiting)
        await press(pilot, "escape")
    other.close()
    other.sitting.close()


async def test_person_without_room_comes_first_to_say_something(desk: Desk, tmp_path: Path) -> None:
    """Wide names are measured in columns, and markup in a name means nothing."""
    names = ("[b]Bob[/b]", "漢字漢字漢字漢字", "Christopher", "Dora", "Eve")
    people = tuple(OtherPlayer(name, "seated", 50_00, "10 on Banker") for name in names)
    async with run_app(arcade(house_of(desk, tmp_path, "ann"), table="K7QX")) as pilot:
        await until(pilot, lambda: isinstance(pilot.app.screen, TableWithOthers))
        screen = pilot.app.screen
        assert isinstance(screen, TableWithOthers)
        with patch.object(screen.seat, "others", return_value=people):
            await until(pilot, lambda: "[b]Bob[/b] 50.00 10 on Banker" in lines(pilot.app)[1])
            assert lines(pilot.app)[1].rstrip().endswith("+3")
            screen._hear_phrases([TablePhrase(1, "Eve", 6)])
            first = '● Eve 50.00 "one moment, please"'
            await until(pilot, lambda: lines(pilot.app)[1].strip().startswith(first))
        await press(pilot, "escape")


async def test_other_player_is_blocked_and_no_longer(desk: Desk, tmp_path: Path) -> None:
    ann, bob = (house_of(desk, tmp_path, name) for name in ("ann", "bob"))
    other = sit_down(bob, Client(desk, "bob"), desk.line(), DEFINITION)
    async with run_app(arcade(ann, table="K7QX")) as pilot:
        await until(pilot, lambda: isinstance(pilot.app.screen, TableWithOthers))
        await press(pilot, "semicolon")
        await until(pilot, lambda: "0  block Bob" in text(pilot.app))
        await press(pilot, "0")
        await until(pilot, lambda: "blocks Bob" in hint_text(pilot.app))
        assert desk.blocked == {"ann": ["Bob"]}
        await press(pilot, "semicolon")
        await until(pilot, lambda: "0  unblock Bob" in text(pilot.app))
        await press(pilot, "0")
        await until(pilot, lambda: "unblocks Bob" in hint_text(pilot.app))
        assert desk.blocked == {"ann": []}
        await press(pilot, "escape")
    other.close()
    other.sitting.close()


async def test_refused_phrase_says_why(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(client: Client, code: str, phrase: int) -> None:
        raise LedgerError("you can say one phrase in 3 seconds")

    monkeypatch.setattr(Client, "say", refuse)
    async with run_app(arcade(house_of(desk, tmp_path, "ann"), table="K7QX")) as pilot:
        await until(pilot, lambda: isinstance(pilot.app.screen, TableWithOthers))
        await press(pilot, "semicolon", "1")
        await until(pilot, lambda: "you can say one phrase in 3 seconds" in hint_text(pilot.app))
        await press(pilot, "escape", "escape")


async def test_table_that_does_not_exist_is_refused(desk: Desk, tmp_path: Path) -> None:
    async with run_app(arcade(house_of(desk, tmp_path, "ann"), table="ZZZZ")) as pilot:
        await until(pilot, lambda: "there is no table ZZZZ" in text(pilot.app))


@pytest.mark.parametrize("key", ["a", "o", "O", "t", "f4"])
async def test_nobody_is_helped_at_a_table_with_others(
    desk: Desk, tmp_path: Path, key: str
) -> None:
    async with run_app(arcade(house_of(desk, tmp_path, "ann"), table="K7QX")) as pilot:
        await until(pilot, lambda: isinstance(pilot.app.screen, TableWithOthers))
        screen = pilot.app.screen
        await press(pilot, key)
        assert pilot.app.screen is screen
        expected = "has only this table" if key == "f4" else NOT_HELPED
        assert expected in hint_text(pilot.app)
        if key == "a":
            await press(pilot, "f1")
            assert "the odds of the next coup" not in text(pilot.app)
            await press(pilot, "escape")
        await press(pilot, "escape")


@pytest.mark.parametrize("game", ["baccarat", "five-card-draw", "thirty-one", "cribbage"])
async def test_no_key_for_advice_is_offered(tmp_path: Path, game: str) -> None:
    seats = {} if game == "cribbage" else {"seats": 2}
    desk = Desk(SqliteLedger(tmp_path / "ledger"), game, seats)
    ann, bob = (house_of(desk, tmp_path, name) for name in ("ann", "bob"))
    async with run_app(arcade(ann, table="K7QX"), 132, 43) as pilot:
        await until(pilot, lambda: isinstance(pilot.app.screen, TableWithOthers))
        definition = listing_of(game).definition()
        other = sit_down(bob, Client(desk, "bob"), desk.line(), definition)
        footer = lines(pilot.app)[-1]
        assert "F1 Help" in footer
        await until(pilot, lambda: table_of(pilot).waiting)
        await press(pilot, "f1")
        page = str(pilot.app.screen.query_one("#text").render())
        keys = page.partition("\n\n")[0]
        for words in ("why ", "the trainer", "chart", "rules lab", "simulation", "odds", " F4 "):
            assert words not in page
        for name in ("Rules lab", "Simulate", "Pairs"):
            assert name not in keys
        for name in ("Advice", "Odds", "Trainer", "Guess first", "Mistakes"):
            assert name not in footer
            assert name not in keys
        await press(pilot, "escape", "ctrl+p")
        assert isinstance(pilot.app.screen, CommandPalette)
        offered = {one.words for one in pilot.app.screen._matches}
        assert "Phrases" in offered
        assert not [one for one in offered if one.startswith(("Change table", "GTO chart"))]
        await press(pilot, "escape")
    other.close()
    other.sitting.close()


async def test_trainer_of_other_tables_is_off_only_with_others(tmp_path: Path) -> None:
    desk = Desk(SqliteLedger(tmp_path / "ledger"), "thirty-one", {"seats": 2})
    memory = VisitState(None)
    memory.trains_at("thirty-one", on=True)
    house = house_of(desk, tmp_path, "ann")
    async with run_app(arcade(house, table="K7QX", memory=memory)) as pilot:
        await until(pilot, lambda: isinstance(pilot.app.screen, TableWithOthers))
        screen = pilot.app.screen
        assert isinstance(screen, TableWithOthers)
        assert not screen.view.trains
        await until(pilot, lambda: table_of(pilot).waiting)
        await press(pilot, "escape")
        await until(pilot, lambda: not isinstance(pilot.app.screen, TableWithOthers))
        assert memory.trains("thirty-one")


@pytest.mark.parametrize("game", ["five-card-draw", "thirty-one", "cribbage"])
async def test_advice_is_neither_shown_nor_given_if_it_is_asked_for_in_words(
    tmp_path: Path, game: str
) -> None:
    seats = {} if game == "cribbage" else {"seats": 2}
    desk = Desk(SqliteLedger(tmp_path / "ledger"), game, seats)
    ann, bob = (house_of(desk, tmp_path, name) for name in ("ann", "bob"))
    async with run_app(arcade(ann, table="K7QX"), 132, 43) as pilot:
        await until(pilot, lambda: isinstance(pilot.app.screen, TableWithOthers))
        definition = listing_of(game).definition()
        other = sit_down(bob, Client(desk, "bob"), desk.line(), definition)
        if game == "five-card-draw":
            other.sitting.table.submit(Seat(1), Play())
            await strike_until(pilot, "space", lambda: desk.replica.state.play.played)
        elif game == "thirty-one":
            other.sitting.table.submit(other.sitting.dialogue.seat, Bet(20))
            await strike_until(pilot, "space", lambda: desk.replica.state.dealer)
        await until(pilot, lambda: table_of(pilot).waiting)
        await type_line(pilot, ":a")
        await until(pilot, lambda: f"a: {NOT_HELPED}" in text(pilot.app))
        assert "no five" not in text(pilot.app), "a tip of cribbage"
        await press(pilot, "escape")
    other.close()
    other.sitting.close()


@pytest.mark.parametrize("line", ["b 5 t", "space"])
async def test_choice_is_refused_if_the_table_has_gone_on(
    desk: Desk, tmp_path: Path, line: str
) -> None:
    async with run_app(arcade(house_of(desk, tmp_path, "ann"), table="K7QX")) as pilot:
        await until(pilot, lambda: isinstance(pilot.app.screen, TableWithOthers))
        screen = pilot.app.screen
        assert isinstance(screen, TableWithOthers)
        await press(pilot, "1")
        steps = screen.sitting.log.steps
        with desk.changed:  # the news cannot be read
            desk.replica.act(Seat(0), m.Bet(5, BetSpot.BANKER), "ann")
            if line == "space":
                await strike(pilot, line)
            else:
                screen.do(line)
            await until(pilot, lambda: "the table has continued" in hint_text(pilot.app))
            assert screen.sitting.log.steps == steps
        desk.expire()
        await until(pilot, lambda: len(screen.table.state.coups) == 1)
        await until(pilot, lambda: screen.table.waiting)
        assert screen.table.state.credit == desk.replica.money(Seat(0))
        await press(pilot, "escape")


async def test_player_who_waits_sees_when_a_computer_plays_and_then_its_name(
    tmp_path: Path,
) -> None:
    desk = Desk(SqliteLedger(tmp_path / "ledger"), "cribbage", {"computer": "greedy"})
    ann = house_of(desk, tmp_path, "ann")
    async with run_app(arcade(ann, table="K7QX")) as pilot:
        await until(pilot, lambda: isinstance(pilot.app.screen, TableWithOthers))
        assert "Nobody yet; a computer plays in 45 s" in lines(pilot.app)[1]
        desk.now += 13_000
        await until(pilot, lambda: "Nobody yet; a computer plays in 32 s" in lines(pilot.app)[1])
        desk.expire(32)
        desk.play_computers()
        await until(pilot, lambda: "■ Computer, greedy" in lines(pilot.app)[1])
        await until(pilot, lambda: "YOU 0 · COMPUTER 0" in text(pilot.app))
        assert "a computer plays in" not in lines(pilot.app)[1]
        assert "against Computer" in lines(pilot.app)[0]


def ends_with(pilot: Pilot[None], clock: str) -> bool:
    return lines(pilot.app)[1].rstrip().endswith(clock)


async def test_clock_shows_the_time_bank_once_the_usual_time_is_over(tmp_path: Path) -> None:
    desk = Desk(SqliteLedger(tmp_path / "ledger"), "five-card-draw", {"seats": 2})
    ann, bob = (house_of(desk, tmp_path, name) for name in ("ann", "bob"))
    draw = listing_of("five-card-draw").definition()
    other = sit_down(bob, Client(desk, "bob"), desk.line(), draw)
    async with run_app(arcade(ann, table="K7QX")) as pilot:
        await until(pilot, lambda: isinstance(pilot.app.screen, TableWithOthers))
        for seat, player in enumerate(("bob", "ann")):
            with desk.changed:
                desk.replica.act(Seat(seat), Play(), player)
                desk.changed.notify_all()
        await until(pilot, lambda: lines(pilot.app)[1].rstrip().endswith(" 20 s"))
        assert "time bank" not in lines(pilot.app)[1]
        for passed, clock in ((19_999, " 1 s"), (1, "time bank 60 s"), (17_000, "time bank 43 s")):
            desk.now += passed
            await until(pilot, partial(ends_with, pilot, clock))
    other.close()
    other.sitting.close()


async def test_cribbage_for_two_names_the_other_player_until_one_of_them_leaves(
    tmp_path: Path,
) -> None:
    desk = Desk(SqliteLedger(tmp_path / "ledger"), "cribbage", {})
    ann, bob = (house_of(desk, tmp_path, name) for name in ("ann", "bob"))
    async with run_app(arcade(ann, table="K7QX")) as pilot:
        await until(pilot, lambda: isinstance(pilot.app.screen, TableWithOthers))
        assert "Nobody else is here yet." in lines(pilot.app)[1]
        cribbage = listing_of("cribbage").definition()
        other = sit_down(bob, Client(desk, "bob"), desk.line(), cribbage)
        await until(pilot, lambda: "against Bob" in lines(pilot.app)[0])
        assert "● Bob " in lines(pilot.app)[1]
        assert "0.00" not in lines(pilot.app)[1], "it is played for points"
        await until(pilot, lambda: "YOU 0 · BOB 0" in text(pilot.app))
        other.sitting.leave()
        with desk.changed:
            desk.replica.finish()
            desk.changed.notify_all()
        await until(pilot, lambda: "The table is closed: somebody has left." in text(pilot.app))
        assert not isinstance(pilot.app.screen, TableWithOthers)
    other.close()
    other.sitting.close()


async def test_frozen_table_says_so_refuses_keys_and_keeps_the_seat(
    desk: Desk, tmp_path: Path
) -> None:
    async with run_app(arcade(house_of(desk, tmp_path, "ann"), table="K7QX"), 80, 24) as pilot:
        await until(pilot, lambda: isinstance(pilot.app.screen, TableWithOthers))
        await press(pilot, "1")
        desk.freeze(on=True)
        await until(pilot, lambda: STOPPED in lines(pilot.app)[1])
        rows = desk.replica.rows
        await strike(pilot, "space")
        await until(pilot, lambda: FROZEN in hint_text(pilot.app))
        assert desk.replica.rows == rows
        desk.freeze(on=False)
        await until(pilot, lambda: "Nobody else is here yet." in lines(pilot.app)[1])
        await until(pilot, lambda: CONTINUES in text(pilot.app))
        assert lines(pilot.app)[1].rstrip().endswith(" 15 s")
        desk.freeze(on=True)
        await until(pilot, lambda: STOPPED in lines(pilot.app)[1])
        await press(pilot, "escape")
        await press(pilot, "escape")
        await until(pilot, lambda: not isinstance(pilot.app.screen, TableWithOthers))
        assert STOPPED in text(pilot.app)
    assert desk.replica.rows == rows
    assert [one.owed for one in desk.ledger.open_sittings("ann")] == [50_00]


async def test_player_is_told_that_the_operator_closed_the_table(
    desk: Desk, tmp_path: Path
) -> None:
    async with run_app(arcade(house_of(desk, tmp_path, "ann"), table="K7QX")) as pilot:
        await until(pilot, lambda: isinstance(pilot.app.screen, TableWithOthers))
        desk.replica.act(Seat(0), m.Bet(5, BetSpot.TIE), "ann")
        desk.replica.act(Seat(0), m.Play(), "ann")
        desk.close()
        await until(pilot, lambda: not isinstance(pilot.app.screen, TableWithOthers))
        assert "The table is closed: the operator closed it." in text(pilot.app)
        assert "Your time was over." not in text(pilot.app)
    assert not desk.ledger.open_sittings("ann")
    (entry,) = desk.ledger.movements("ann")
    assert desk.ledger.balance("ann") == OPENING_BALANCE + entry.cents != OPENING_BALANCE
