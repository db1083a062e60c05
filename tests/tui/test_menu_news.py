"""What the menu knows of its player: today's five, first steps, debts, and the tour."""

from __future__ import annotations

import re
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from textual.containers import VerticalScroll
from textual.geometry import Region

from tests.helpers.arcade_pilot import (
    ME,
    arcade,
    clear_notices,
    leave,
    lines,
    message_text,
    notes,
    press,
    press_until,
    run_app,
    screen_after,
    settle,
    shuffles,
    table,
    text,
    text_after,
    until,
    with_purse,
)
from tests.helpers.narrow import instance_of
from tests.helpers.parameter_ids import size_id
from tests.tui.test_video_poker import LOSING
from tui_casino.daily.session import DailyOverview
from tui_casino.house.balance_history import WEEK, BalanceHistory, balance_history_of
from tui_casino.house.settings import Settings
from tui_casino.house.sitting import House
from tui_casino.house.visit_state import VisitState
from tui_casino.records.ledger import MoneyMovement, OpenSitting
from tui_casino.records.log_catalog import CatalogEntry, SittingStatus
from tui_casino.structs import replace
from tui_casino.teacher.mistake_queue import DailyFive
from tui_casino.teacher.overview import MistakeOverview
from tui_casino.tui.desk import WITHOUT_MONEY
from tui_casino.tui.history.log_list import LogRow
from tui_casino.tui.history.screen import session_counts
from tui_casino.tui.menu.game_list import GameList
from tui_casino.tui.menu.menu_text import room_entries, title_notes
from tui_casino.tui.menu.screen import Menu
from tui_casino.tui.menu.tour import STEPS, Tour
from tui_casino.tui.modals import ChoiceDialog, ConfirmationDialog
from tui_casino.tui.positions.position_screen import PositionScreen
from tui_casino.tui.positions.verdict_screen import VerdictScreen
from tui_casino.tui.practice.screen import PracticeScreen

SIZES = [(40, 15), (60, 20), (80, 24), (100, 34), (120, 40), (132, 43), (200, 60)]
NOON = 1_767_268_800_000
DAY = WEEK // 7


def indebted(folder: Path, cents: int, balance: int) -> House:
    """Return the house of a player with this debt and this balance."""
    house = with_purse(folder, balance)
    assert house.ledger is not None
    house.ledger.lend(ME, cents, 1)
    if cents:
        house.ledger.buy_in(OpenSitting("lost", "baccarat", folder, None, cents), ME, 2)
        house.ledger.cash_out("lost", 0, None, 2)
    return house


# ---- the buy-in ----------------------------------------------------------------------------------


async def test_open_hand_locks_only_its_buy_in_and_not_the_balance(tmp_path: Path) -> None:
    """The rest of the balance can be played at another table, and comes back when both are over."""
    house = with_purse(tmp_path)
    assert house.ledger is not None
    app = arcade(house, whole_balance=False, fresh=shuffles(LOSING, 1))
    async with run_app(app) as pilot:
        await press(pilot, "1", "space")
        assert house.ledger.balance(ME) == 600_00
        assert isinstance(await screen_after(pilot, "escape", "y"), Menu)
        await press(pilot, "2")
        assert house.ledger.balance(ME) == 200_00
        await press(pilot, "escape")
        assert house.ledger.balance(ME) == 600_00


@pytest.mark.parametrize(("dollars", "left"), [(200, 100_00), (50, 250_00), (0, 0)])
async def test_table_takes_the_buy_in_of_the_settings_from_the_balance(
    dollars: int, left: int, tmp_path: Path
) -> None:
    house = with_purse(tmp_path, 300_00)
    assert house.ledger is not None
    settings = Settings(animation=False, buy_in=dollars)
    async with run_app(arcade(house, settings=settings, whole_balance=False)) as pilot:
        await press(pilot, "1")
        assert house.ledger.balance(ME) == left
        await leave(pilot)


async def test_second_session_buys_in_with_the_rest_of_the_balance(tmp_path: Path) -> None:
    house = with_purse(tmp_path, 9_00)
    assert house.ledger is not None
    settings = Settings(animation=False, buy_in=5)
    app = arcade(house, settings=settings, whole_balance=False, fresh=shuffles(LOSING, 1))
    async with run_app(app) as pilot:
        assert "New session" in await text_after(pilot, "1", "5", "space", "space")
        await press(pilot, "space")
        assert house.ledger.balance(ME) == 0
        assert table(pilot.app).table.state.credit == 4
        await leave(pilot)


async def test_dollar_sign_key_tops_up_the_credit_after_confirmation(tmp_path: Path) -> None:
    house = with_purse(tmp_path)
    assert house.ledger is not None
    app = arcade(house, whole_balance=False, fresh=shuffles(LOSING, 1))
    async with run_app(app) as pilot:
        await press(pilot, "1", "dollar_sign")
        assert message_text(pilot.app) == "player's credit is 400", "it is full"
        await press(pilot, "5", "space", "dollar_sign")
        assert message_text(pilot.app) == "player's credit is 395", "a bet is at stake"
        await press(pilot, "space")
        assert table(pilot.app).table.state.credit == 395
        await press(pilot, "dollar_sign")
        offer = "player's credit is 395. $ again brings 5.00 more, in a new session"
        assert message_text(pilot.app) == offer
        await press(pilot, "4", "dollar_sign")
        assert message_text(pilot.app) == offer, "another key has taken it back"
        assert table(pilot.app).table.state.credit == 395
        await press_until(pilot, lambda: table(pilot.app).table.state.credit == 400, "dollar_sign")
        assert house.ledger.balance(ME) == 595_00
        await leave(pilot)


# ---- debts ---------------------------------------------------------------------------------------


async def test_p_in_the_menu_repays_a_chosen_part_of_the_debt_up_to_the_balance(
    tmp_path: Path,
) -> None:
    house = indebted(tmp_path, 1_000_00, 400_00)
    assert house.ledger is not None
    async with run_app(arcade(house)) as pilot:
        assert re.search(r"debt · p repays +1,000.00", text(pilot.app))
        assert isinstance(await screen_after(pilot, "p"), ChoiceDialog)
        assert "Repay your debt of 1,000.00 " in text(pilot.app), "the title is not cut"
        for line in ("1 400.00, your whole balance", "2 200.00, half", "3 40.00, a tenth"):
            assert line in text(pilot.app)
        await press(pilot, "2")
        assert notes(pilot.app)[-1] == "You repaid 200.00; you still owe 800.00."
        await press(pilot, "p", "1")
        await clear_notices(pilot)
        assert re.search(r"debt +600.00", text(pilot.app)), "the balance is empty"
        assert "! p  your balance is empty." in await text_after(pilot, "p")
    assert (house.ledger.balance(ME), house.ledger.debt(ME)) == (0, 600_00)


async def test_repaying_without_a_debt_is_refused(house: House) -> None:
    async with run_app(arcade(house)) as pilot:
        assert "! p  you have no debt." in await text_after(pilot, "p")


async def test_loan_needs_a_confirmation_when_a_table_opens(tmp_path: Path) -> None:
    house = with_purse(tmp_path, 0)
    assert house.ledger is not None
    async with run_app(arcade(house)) as pilot:
        assert isinstance(await screen_after(pilot, "2"), ConfirmationDialog)
        await press(pilot, "enter")
        assert isinstance(pilot.app.screen, Menu), "No has the focus"
        assert WITHOUT_MONEY in notes(pilot.app)
        assert house.ledger.debt(ME) == 0
        await press(pilot, "2", "y")
        assert table(pilot.app).sitting.lent == 1_000_00
        await press(pilot, "escape")
    assert house.ledger.debt(ME) == 1_000_00


def test_balance_history_excludes_loans_from_results_and_offers_repayments() -> None:
    moves = [
        MoneyMovement(1, "baccarat", -1_000_00, "a"),
        MoneyMovement(2, "", 1_000_00, ""),
        MoneyMovement(3, "baccarat", 50_00, "b"),
        MoneyMovement(4, "", -20_00, ""),
    ]
    history = balance_history_of(1_030_00, moves)
    assert history.all == (1_000_00, 0, 50_00)
    assert history.games == {"baccarat": (0, -1_000_00, -950_00)}
    assert (history.lent, history.since(2)) == (980_00, 50_00)
    assert history.repayments == {980_00: "the whole debt", 490_00: "half", 98_00: "a tenth"}
    assert BalanceHistory(5, 100).repayments == {5: "your whole balance", 2: "half"}
    assert BalanceHistory(100, 0).repayments == {}


async def test_winnings_repay_the_debt_only_if_the_setting_is_on(tmp_path: Path) -> None:
    for repays in (False, True):
        house = indebted(tmp_path / str(repays), 100_00, 1_000_00)
        assert house.ledger is not None
        settings = Settings(animation=False, repay_debt=repays)
        async with run_app(arcade(house, settings=settings, fresh=shuffles(LOSING))) as pilot:
            await press(pilot, "1", "space", "space")
            table(pilot.app).table.state = replace(table(pilot.app).table.state, credit=1_030)
            await press(pilot, "escape")
        assert house.ledger.debt(ME) == (70_00 if repays else 100_00)
        assert house.ledger.balance(ME) == (1_000_00 if repays else 1_030_00)


# ---- money ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", SIZES, ids=size_id)
async def test_money_at_tables_is_shown_next_to_the_balance(
    house: House, size: tuple[int, int]
) -> None:
    async with run_app(arcade(house, fresh=shuffles(1)), *size) as pilot:
        await press(pilot, "1", "space")
        await leave(pilot)
        await clear_notices(pilot)
        assert re.search(
            r"0\.00 \+ 1,000\.00|1,000\.00 at tables  balance 0\.00", lines(pilot.app)[0]
        )
        await press(pilot, "1", "space", "escape")


def test_narrow_menu_title_drops_the_name_and_keeps_the_money() -> None:
    course = BalanceHistory(0, 1_000_00, 970_00)
    wide = [*title_notes("Ann", course, 70, debt=True)]
    assert [words for words, _ in wide] == [
        "Ann",
        "debt 1,000.00",
        "970.00 at tables",
        "balance 0.00",
    ]
    narrow = [*title_notes("Ann", course, 26, debt=True)]
    assert narrow == [("0.00 + 970.00 at tables", "gold")]


# ---- first steps and streaks ---------------------------------------------------------------------


async def test_new_player_sees_three_first_steps_until_they_are_done(
    house: House, tmp_path: Path
) -> None:
    memory = VisitState(tmp_path / "visits.json")
    memory.has_shown_round()
    assert not VisitState(tmp_path / "visits.json").has_trained
    async with run_app(arcade(house, memory=memory, fresh=shuffles(1, 2, 3))) as pilot:
        assert re.search(r"FIRST STEPS +0 of 3", text(pilot.app))
        await press(pilot, "1", "space", "t", "t")
        await leave(pilot)
        await clear_notices(pilot)
        shown = text(pilot.app)
        assert re.search(r"FIRST STEPS +2 of 3", shown)
        assert "✓ Deal a hand" in shown
        assert "✓ Switch on the trainer" in shown
        assert "· Leave the table" in shown
        await press(pilot, "1", "space", "escape")
        await clear_notices(pilot)
        assert "FIRST STEPS" not in text(pilot.app)
        assert "1 session" in text(pilot.app)
    assert VisitState(tmp_path / "visits.json").has_trained


def test_run_of_days_in_the_menu_ends_after_a_day_without_play() -> None:
    def run(*days: int, today: int = 0) -> int:
        moves = [MoneyMovement(NOON + day * DAY, "baccarat", 0, "") for day in days]
        return balance_history_of(0, moves).days_in_a_row(NOON + today * DAY)

    assert run() == 0
    assert run(0) == run(-1) == run(0, 0) == 1
    assert run(-2) == 0
    assert run(-4, -2, -1, 0) == run(-3, -2, -1) == 3


# ---- today's five --------------------------------------------------------------------------------


def test_menu_shows_the_number_of_waiting_mistakes_and_sessions() -> None:
    daily = DailyFive((True, False), ())
    overview = MistakeOverview(23, 1, daily, None, 4, 61)
    rows = {room.name: room.words + room.more for room in room_entries(overview, 2, 1)}
    assert rows["Today's five"] == "✓ ✗  2 of 2, done for today"
    assert rows["Your mistakes"] == "23 waiting, 1 learned"
    assert rows["History"] == "2 for money, 1 waiting"


def test_menu_rows_stay_in_place_when_their_figures_are_read() -> None:
    overview = MistakeOverview(23, 1, DailyFive((True, False), ()), None, 4, 61)
    daily = DailyOverview(date(2026, 11, 29), (), 3, (True,))
    known = [*room_entries(overview, 2, 1, daily, has_daily=True)]
    for before in (
        room_entries(None, 0, 0, has_daily=True),
        room_entries(None, 2, 1, daily, has_daily=True),
        room_entries(replace(overview, daily=DailyFive()), 0, 0, has_daily=True),
    ):
        assert [room.key for room in before] == [room.key for room in known]


def test_menu_and_history_count_the_same_sessions() -> None:
    """A session that was taken back counts nowhere, and each other one once."""
    left, over, waits = SittingStatus.LEFT, SittingStatus.OVER, SittingStatus.OPEN
    of: list[dict[str, Any]] = [
        {"ending": left, "player": ME},
        {"ending": over, "player": ME},
        {"ending": waits, "player": ME},
        {"ending": waits},
        {"ending": left},
        {"ending": over, "daily": "2026-11-28"},
        {"ending": SittingStatus.CUT_OFF, "daily": "2026-11-29"},
        {"ending": SittingStatus.CUT_OFF},
        {"fault": "line 3"},
        {"ending": SittingStatus.TAKEN_BACK, "player": ME},
    ]
    every = [LogRow(CatalogEntry(Path(f"{n}.jsonl"), **one)) for n, one in enumerate(of)]
    kinds = "2 for money, 2 waiting, 2 daily, 1 free play, 2 other"
    told = session_counts(every, every, kinds=True)
    assert told == f"9 sessions + 1 taken back: {kinds}"
    assert session_counts(every, every, kinds=False) == "9 sessions + 1 taken back"
    assert session_counts(every[:2], every, kinds=True) == "2 of 9 sessions + 1 taken back"
    rows = {room.name: room.words for room in room_entries(None, 2, 2)}
    assert kinds.startswith(rows["History"])


async def test_t_in_the_menu_asks_the_five_mistakes_of_the_day(house: House) -> None:
    async with run_app(arcade(house, fresh=shuffles(1, 2))) as pilot:
        menu = instance_of(Menu, pilot.app.screen)
        await press(pilot, "1", "space", "space", "escape")
        menu._load()
        await settle(pilot)
        assert menu.desk.overview is not None
        assert re.search(r"t  Today's five +·  0 of 1", text(pilot.app))
        await press_until(pilot, lambda: isinstance(pilot.app.screen, PositionScreen), "t")
        assert "TODAY'S FIVE" in lines(pilot.app)[0]
        await press_until(pilot, lambda: isinstance(pilot.app.screen, VerdictScreen), "space")
        await press_until(pilot, lambda: isinstance(pilot.app.screen, PracticeScreen), "space")
        await until(pilot, lambda: "Today's mistakes are answered." in text(pilot.app))
        assert "tomorrow brings others" in await text_after(pilot, "t")
        await press(pilot, "escape", "escape")
        assert re.search(r"Today's five +[✓✗]  1 of 1", text(pilot.app))


# ---- the tour ------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", SIZES, ids=size_id)
async def test_each_step_of_the_tour_leaves_its_subject_visible(
    house: House, size: tuple[int, int]
) -> None:
    async with run_app(arcade(house), *size) as pilot:
        await press(pilot, "T")
        for number, step in enumerate(STEPS, 1):
            tour = instance_of(Tour, pilot.app.screen)
            assert f"{step.title}, {number} of {len(STEPS)}" in text(pilot.app)
            window = tour.query_one(VerticalScroll)
            subject, screen = tour._subject, Region(0, 0, *size)
            assert subject.area
            assert not window.region.overlaps(subject)
            assert screen.contains_region(window.region)
            assert window.max_scroll_y == 0, "all of the text is seen"
            row = pilot.app.screen_stack[0].query_one(GameList).region
            assert row.area
            if number < len(STEPS):
                await press(pilot, "space")
        await press(pilot, "escape")


async def test_tour_dims_everything_except_its_subject(house: House) -> None:
    async with run_app(arcade(house)) as pilot:
        before = pilot.app.screen._compositor.render_strips()
        await press(pilot, "T")
        after = pilot.app.screen._compositor.render_strips()
        *_, hint, keys = range(24)
        assert [*after[hint]] == [*before[hint]]
        assert [one.style for one in after[keys]] != [one.style for one in before[keys]]
        assert after[keys].text == before[keys].text
        await press(pilot, "escape")


async def test_last_step_of_the_tour_deals_a_hand(house: House) -> None:
    async with run_app(arcade(house, fresh=shuffles(1))) as pilot:
        await press(pilot, "T", *["space"] * len(STEPS))
        await settle(pilot)
        assert table(pilot.app).sitting.staked
        assert "Draw" in text(pilot.app)
        await press(pilot, "space", "escape")


async def test_palette_and_help_list_the_tour(house: House) -> None:
    async with run_app(arcade(house)) as pilot:
        assert re.search(r"T +show the tour again", await text_after(pilot, "f1"))
        assert re.search(r"Tour +T", await text_after(pilot, "escape", "ctrl+p", *"tour"))
        assert isinstance(await screen_after(pilot, "enter"), Tour)
        await press(pilot, "escape")


def test_title_tells_guests_that_nothing_is_kept() -> None:
    notes = [*title_notes("Ada", None, 60, debt=True, guest=True)]
    assert [words for words, _ in notes] == ["Ada: nothing is kept", "free play"]
    course = BalanceHistory(cents=100_000)
    for room, words in (
        (42, "Guest 1: nothing is kept"),
        (41, "nothing is kept"),
        (27, "not kept"),  # a window of 43 columns
        (24, "guest"),  # the smallest window
    ):
        notes = [*title_notes("Guest 1", course, room, debt=True, guest=True)]
        assert notes == [(words, "bad"), ("balance 1,000.00", "gold")], room
    assert [words for words, _ in title_notes("Ada", None, 60, debt=True)] == ["Ada", "free play"]
