"""The menu of who has played: what waits and where, money that is elsewhere, the first visit."""

from __future__ import annotations

import re
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.screen import Screen

from tests.helpers.arcade_pilot import (
    ME,
    arcade,
    clear_notices,
    click,
    clock,
    leave,
    lines,
    notes,
    practice,
    press,
    resize,
    run_app,
    screen_after,
    send,
    settle,
    shuffles,
    table,
    text,
    text_after,
    type_line,
    until,
    with_purse,
)
from tests.helpers.narrow import instance_of
from tests.helpers.parameter_ids import labelled, size_id, value_id
from tests.helpers.pty_terminal import been_here
from tests.helpers.quick_cases import first_of
from tests.helpers.screen_walks import key_of
from tui_casino.gamekit.registry import GAMES, listing_of
from tui_casino.games.cribbage.face.table_catalog import TABLES
from tui_casino.games.cribbage.machine.state import CountingMode, GameForm, Phase, State
from tui_casino.games.five_card_draw.face.table_catalog import TABLES as TABLES_OF_DRAW
from tui_casino.games.five_card_draw.machine.state import Stakes
from tui_casino.games.video_poker.machine.game import Phase as PokerPhase
from tui_casino.house.balance_history import WEEK, balance_history_of
from tui_casino.house.house import WaitingSession
from tui_casino.house.sitting import House
from tui_casino.house.visit_state import VisitState
from tui_casino.records.clock import format_time
from tui_casino.records.ledger import OPENING_BALANCE, MoneyMovement, OpenSitting
from tui_casino.structs import replace
from tui_casino.tui.draw.look import Look
from tui_casino.tui.draw.plots import bankroll_bars
from tui_casino.tui.menu.game_list import HEAD, GameList, RoomEntry
from tui_casino.tui.menu.player_panel import PlayerPanel
from tui_casino.tui.menu.screen import Menu
from tui_casino.tui.menu.tour import STEPS, Tour
from tui_casino.tui.modals import ChoiceDialog, TerminalTooSmall, TextPage
from tui_casino.tui.table.live import LiveTable
from tui_casino.tui.theme import FELT

VIDEO_POKER, DRAW, CRIBBAGE = map(key_of, ("video-poker", "five-card-draw", "cribbage"))


def hint(pilot: Pilot[None]) -> str:
    return lines(pilot.app)[-2].rstrip()


def row(pilot: Pilot[None], title: str) -> str:
    """Give the line below the name of a game."""
    shown = text(pilot.app).splitlines()
    (place,) = (at for at, line in enumerate(shown) if re.search(rf"\d  {title}", line))
    return shown[place + 1].split("│")[0].strip(" ▌")


# ---- every table and its name -------------------------------------------------------------------


@pytest.mark.parametrize("listing", GAMES, ids=lambda listing: listing.slug)
def test_listing_names_the_default_table_and_each_setup_has_its_name(listing: object) -> None:
    game = next(one for one in GAMES if one is listing)
    tables = game.tables()
    assert game.table == tables.titles[tables.default]
    if tables.first is not None:
        assert tables.first.answers.keys() <= tables.choices.keys()
    for name, one in tables.choices.items():
        if one.file_request is None:
            assert tables.name_of(tables.setup(name)) == name


# ---- what waits ---------------------------------------------------------------------------------


async def discard(pilot: Pilot[None]) -> State:
    """Give two cards to the crib, and leave the game; give the state it was left in."""
    await until(pilot, lambda: isinstance(pilot.app.screen, LiveTable))
    await until(pilot, lambda: table(pilot.app).view.seen.phase is Phase.DISCARD, workers=True)
    await press(pilot, "1", "2", "space")
    await until(pilot, lambda: table(pilot.app).view.seen.phase is not Phase.DISCARD, workers=True)
    left: State = table(pilot.app).view.seen
    await leave(pilot)
    await settle(pilot)
    return left


async def test_menu_offers_all_unfinished_games_newest_first(tmp_path: Path) -> None:
    """Another round does not hide one, nor does another game; a series is a game, too."""
    times = count(clock(), 60_000)
    house = replace(practice(tmp_path), clock=lambda: next(times))
    seating = TABLES.setup("greedy")
    series = replace(seating, options=replace(seating.options, games=3))
    async with run_app(arcade(house, fresh=shuffles(*range(1, 9)))) as pilot:
        await press(pilot, "end", "f4", *["down"] * 4, "enter")
        first = await discard(pilot)
        assert row(pilot, "Cribbage").startswith("● waiting: 0 to 0, ")
        assert hint(pilot).startswith(" ›  space  Resume cribbage   since ")
        await press(pilot, "f4", "home", "enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, LiveTable))
        await press(pilot, "escape")
        assert row(pilot, "Cribbage").startswith("● waiting: 0 to 0, "), "a round hides nothing"
    app = arcade(house, game="cribbage", seating=series, fresh=shuffles(3, 4))
    async with run_app(app) as pilot:
        second = await discard(pilot)
        assert row(pilot, "Cribbage").startswith("● 2 waiting: game 1 of 3, 0 to 0, ")
        for keys, left in (((), second), (("down",), first)):
            assert isinstance(await screen_after(pilot, CRIBBAGE), ChoiceDialog)
            await press(pilot, *keys, "enter")
            await until(pilot, lambda: isinstance(pilot.app.screen, LiveTable))
            assert table(pilot.app).view.seen == left
            await leave(pilot)
        await press(pilot, CRIBBAGE, "end", "enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, LiveTable))
        assert table(pilot.app).view.seen not in (first, second), "a new one"
        await press(pilot, "escape")


async def test_menu_cursor_starts_at_the_unfinished_game(tmp_path: Path) -> None:
    """Unless the player has moved the cursor."""
    house = practice(tmp_path)
    app = arcade(house, game="cribbage", seating=TABLES.setup("greedy"), fresh=shuffles(3))
    async with run_app(app) as pilot:
        await discard(pilot)
    async with run_app(arcade(house)) as pilot:
        await until(pilot, lambda: hint(pilot).startswith(" ›  space  Resume cribbage   since "))
        await press(pilot, "up")
        assert hint(pilot).startswith(" ›  space  Play Hit Me")
        pilot.app.screen._catch_up()  # type: ignore[attr-defined]
        await settle(pilot)
        assert hint(pilot).startswith(" ›  space  Play Hit Me")


async def test_session_of_an_unknown_game_does_not_move_the_cursor(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with run_app(arcade(practice(tmp_path))) as pilot:
        menu = instance_of(Menu, pilot.app.screen)
        menu.desk._left_off = (WaitingSession("faro", tmp_path),)
        monkeypatch.setattr(menu.desk, "find_unfinished_games", lambda: None)
        monkeypatch.setattr(menu.desk, "moment", lambda session: None)
        menu._games.moved = False
        menu._catch_up()
        await settle(pilot)
        assert hint(pilot).startswith(" ›  space  Play video poker")


async def test_menu_shows_unfinished_sessions_found_by_a_cancelled_search(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with run_app(arcade(practice(tmp_path))) as pilot:
        menu = instance_of(Menu, pilot.app.screen)
        menu.desk._left_off = (WaitingSession("cribbage", tmp_path),) * 2  # found, not yet shown
        monkeypatch.setattr(menu.desk, "find_unfinished_games", lambda: None)
        monkeypatch.setattr(menu.desk, "moment", lambda session: None)
        menu._catch_up()
        await settle(pilot)
        assert re.search(r"r +History +2 waiting", text(pilot.app))


async def test_waiting_bet_is_shown_in_the_menu_and_can_be_resumed(house: House) -> None:
    async with run_app(arcade(house, fresh=shuffles(1))) as pilot:
        await press(pilot, VIDEO_POKER, "space")
        hand = table(pilot.app).view.seen.hand
        await leave(pilot)
        cards = " ".join(f"{card.rank.pip}{card.suit.symbol}" for card in hand)
        assert row(pilot, "Video poker") == f"● waiting: bet 5, {cards}"
        assert hint(pilot).startswith(" ›  space  Resume video poker   since ")
        assert hint(pilot).endswith(" · 5.00 at stake")
        pilot.app.clear_notifications()  # they lie above the rooms
        await settle(pilot)
        assert re.search(r"r +History +1 waiting", text(pilot.app))
        await press(pilot, "space")
        assert table(pilot.app).view.seen.hand == hand
        assert "waiting:" not in await text_after(pilot, "space", "escape")
        assert "stays on the table" not in text(pilot.app)


async def test_title_shows_money_at_tables_only_while_a_bet_waits(house: House) -> None:
    async with run_app(arcade(house, fresh=shuffles(1))) as pilot:
        assert "at tables" not in lines(pilot.app)[0]
        await press(pilot, VIDEO_POKER, "space")
        await leave(pilot)
        await clear_notices(pilot)
        assert re.search(r"  1,000\.00 at tables  balance 0\.00 *$", lines(pilot.app)[0])
        await press(pilot, "space", "space", "escape")
        assert "at tables" not in lines(pilot.app)[0]


async def test_menu_names_the_table_chosen_last_for_a_game(house: House) -> None:
    """It was chosen in another run, and the menu comes back before all games are loaded."""
    usual = TABLES_OF_DRAW.default
    name = next(name for name in TABLES_OF_DRAW.choices if name != usual)
    memory = VisitState()
    memory.sits_at("five-card-draw", name)
    app = arcade(house, memory=memory, fresh=shuffles(1), game="five-card-draw")
    async with run_app(app) as pilot:
        await until(pilot, lambda: isinstance(pilot.app.screen, LiveTable))
        await leave(pilot)
        draw = listing_of("five-card-draw")
        assert app.desk.table_title(draw) == TABLES_OF_DRAW.titles[name]


async def test_space_in_the_menu_resumes_the_game_where_the_money_is(house: House) -> None:
    async with run_app(arcade(house, fresh=shuffles(1, 2, 3))) as pilot:
        await press(pilot, VIDEO_POKER, "space")
        await leave(pilot)
        await press(pilot, "down")
        assert hint(pilot) == (
            " ›  space  Resume video poker   your money is there · then play baccarat"
        )
        await press(pilot, "2")
        assert hint(pilot) == (" ! 2  your money is at video poker. space or 1 resumes it")
        assert pilot.app.screen.query_one(GameList).at == 0
        await press(pilot, "down", "space")
        assert table(pilot.app).definition.game.slug == "video-poker"
        assert table(pilot.app).view.seen.phase is PokerPhase.HOLD, "Space plays nothing yet"
        await press(pilot, "space", "escape", "2")
        assert table(pilot.app).definition.game.slug == "baccarat"
        await press(pilot, "escape")


async def test_command_line_table_is_refused_while_the_money_is_elsewhere(house: House) -> None:
    async with run_app(arcade(house, fresh=shuffles(1))) as pilot:
        await press(pilot, VIDEO_POKER, "space")
        await leave(pilot)
    async with run_app(arcade(house, game="baccarat", fresh=shuffles(2))) as pilot:
        assert isinstance(pilot.app.screen, Menu)
        await until(pilot, lambda: hint(pilot).startswith(" ! 2  your money is at video poker"))
        await press(pilot, "space", "space", "escape")
        assert hint(pilot) == " ›  space  Play video poker"


async def test_message_about_a_broken_session_names_the_settle_command(tmp_path: Path) -> None:
    house = with_purse(tmp_path)
    async with run_app(arcade(house, fresh=shuffles(1))) as pilot:
        await press(pilot, VIDEO_POKER, "space")
        await leave(pilot)
    (log,) = house.logs.glob("*.jsonl")
    log.write_bytes(b"")
    async with run_app(arcade(house), width=140) as pilot:
        shown = " ".join(text(pilot.app).split())
        assert "cannot be resumed" in shown
        assert "You had 1,000.00" in shown
        await press(pilot, "2")
        assert hint(pilot) == (
            " ! 2  your money is at video poker, which cannot be resumed: "
            "tui-casino ledger settle pays it out."
        )


async def test_menu_reports_a_lost_ledger_until_a_round_is_played(tmp_path: Path) -> None:
    """Not only at the first start after it was lost, but until something is played."""
    house = with_purse(tmp_path)
    async with run_app(arcade(house, fresh=shuffles(1))) as pilot:
        await press(pilot, VIDEO_POKER, "space", "space")
        await leave(pilot)
    for file in house.logs.parent.glob("ledger.db*"):
        file.unlink()
    for start in (1, 2):
        second_app = with_purse(house.logs.parent)
        async with run_app(arcade(second_app, fresh=shuffles(2)), width=140) as pilot:
            await until(pilot, lambda: "if the old one was lost" in text(pilot.app))
            if start == 2:
                await press(pilot, VIDEO_POKER, "space", "space")
                await leave(pilot)
                await until(pilot, lambda: "if the old one was lost" not in text(pilot.app))
        assert second_app.ledger is not None
        second_app.ledger.close()


async def test_cribbage_can_be_played_while_a_bet_waits_elsewhere(tmp_path: Path) -> None:
    house = with_purse(tmp_path)
    async with run_app(arcade(house, fresh=shuffles(1))) as pilot:
        await press(pilot, VIDEO_POKER, "space")
        await leave(pilot)
        await press(pilot, CRIBBAGE)
        assert table(pilot.app).definition.points
        await press(pilot, "escape", VIDEO_POKER, "space", "escape")


# ---- what is told -------------------------------------------------------------------------------


def moves(*nets: int, game: str = "baccarat") -> list[MoneyMovement]:
    return [MoneyMovement(at, game, net, f"{at}.jsonl") for at, net in enumerate(nets)]


def test_balance_history_adds_up_results_and_separates_loans() -> None:
    history = balance_history_of(
        500, [*moves(300, -1_000), MoneyMovement(2, "", 100_000, ""), *moves(50, game="thirty-one")]
    )
    assert history.all == (
        OPENING_BALANCE,
        OPENING_BALANCE + 300,
        OPENING_BALANCE - 700,
        OPENING_BALANCE - 650,
    )
    assert history.games == {"baccarat": (0, 300, -700), "thirty-one": (0, 50)}
    assert history.lent == 100_000
    assert [one.cents for one in history.sittings] == [300, -1_000, 50]
    assert history.best == MoneyMovement(0, "baccarat", 300, "0.jsonl")
    assert balance_history_of(0, moves(-5, 0)).best is None
    assert balance_history_of(0, moves(7, 8, 9)).since(1) == 17


def test_weekly_result_in_the_menu_counts_exactly_seven_days() -> None:
    now = 10 * WEEK
    history = balance_history_of(
        0, [MoneyMovement(at, "baccarat", 100, "") for at in (now - WEEK - 1, now - WEEK)]
    )
    assert history.since(now - WEEK) == 100


@pytest.mark.parametrize("width", [1, 6, 14, 40], ids=labelled("{} columns"))
@pytest.mark.parametrize("values", [(0, 5), (0, -5, 3), (7,), tuple(range(200))], ids=value_id)
def test_bankroll_bars_fill_their_width_and_stay_below_full_height(
    values: tuple[int, ...], width: int
) -> None:
    drawn = bankroll_bars(values, width, Look(FELT))
    assert len(drawn) == width
    assert {*drawn} <= {*"▁▂▃▄▅▆"}


def test_time_of_a_result_is_shown_as_hour_day_or_date() -> None:
    day = 24 * 60 * 60 * 1000
    now = clock() + 5 * day
    assert re.fullmatch(r"\d\d:\d\d", format_time(now, now))
    assert format_time(now - day, now) in {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"}
    assert re.fullmatch(r"\d+ [A-Z][a-z]{2}( \d{4})?", format_time(now - 7 * day, now))
    assert format_time(now - 400 * day, now).endswith(" 2024")


@pytest.mark.parametrize("size", [(80, 24), (132, 43)], ids=size_id)
async def test_menu_panel_shows_results_and_debt_and_a_small_window_only_debt(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    house = with_purse(tmp_path)
    assert house.ledger is not None
    for at, net in enumerate((500, -250, 0, 100, 200, -300)):
        one = OpenSitting(f"s{at}", "thirty-one", Path(f"{at}"), None, 1_000)
        house.ledger.buy_in(one, ME, at)
        house.ledger.cash_out(one.id, 1_000 + net, None, at)
    async with run_app(arcade(house), *size) as pilot:
        shown = text(pilot.app)
        history = re.findall(r"([▲▼·]) Hit Me .*?([+−]?\d+\.\d\d)$", shown, re.MULTILINE)
        expected = [("▼", "−3.00"), ("▲", "+2.00"), ("▲", "+1.00"), ("·", "0.00"), ("▼", "−2.50")]
        assert history[:5] == expected
        assert re.search(r"debt +none", shown)
        assert "6 sessions" in shown
        assert re.search(r"4  Hit Me.*\+2.50", shown)
        assert re.search(r"BEST\n.*Hit Me +\+5.00", shown)
    house.ledger.buy_in(OpenSitting("x", "thirty-one", Path("x"), None, 0), ME, 9, 100_000)
    house.ledger.cash_out("x", 0, None, 9)
    async with run_app(arcade(house), *size) as pilot:
        assert re.search(r"debt · p repays +1,000.00", text(pilot.app))
    async with run_app(arcade(house), 60, 20) as pilot:
        assert not pilot.app.screen.query_one(PlayerPanel).display
        assert "debt 1,000.00" in lines(pilot.app)[0]


async def test_caption_of_the_bankroll_bars_is_shown_only_if_it_fits(tmp_path: Path) -> None:
    house = with_purse(tmp_path, cents=OPENING_BALANCE + 100)
    async with run_app(arcade(house)) as pilot:
        assert lines(pilot.app)[1].strip() == HEAD
        games = pilot.app.screen.query_one(GameList)
        games.show(games._offers, (*games._rooms, *5 * (RoomEntry("g", "Goal", "a goal"),)))
        await settle(pilot)
        assert "1  Video poker" in lines(pilot.app)[1]
        assert HEAD not in text(pilot.app)


# ---- keys ---------------------------------------------------------------------------------------


async def test_unknown_key_in_the_menu_is_answered_with_a_message(house: House) -> None:
    async with run_app(arcade(house)) as pilot:
        await press(pilot, "x")
        assert hint(pilot) == " ! x  this key has no action here. F1 lists the keys"
        await press(pilot, "down")
        assert hint(pilot) == " ›  space  Play baccarat"
        await press(pilot, "end")
        assert hint(pilot) == " ›  space  Play cribbage"


async def test_rooms_listed_in_the_menu_open_with_a_click(house: House) -> None:
    async with run_app(arcade(house)) as pilot:
        games = pilot.app.screen.query_one(GameList)
        plan = games.plan(games.size)
        places = {
            "d": "DailyScreen",
            "t": "PracticeScreen",
            "m": "PracticeScreen",
            "l": "LeaksScreen",
            "r": "HistoryScreen",
            "F2": "HistoryStatisticsScreen",
        }
        assert [room.key for room in games._rooms] == [*places]
        for place, name in enumerate(places.values()):
            await click(pilot, games, 6, plan.rooms + place)
            assert type(pilot.app.screen).__name__ == name
            await press(pilot, "escape")


async def test_v_in_the_menu_shows_the_proof_of_a_session_of_an_earlier_run(house: House) -> None:
    async with run_app(arcade(house, fresh=shuffles(1))) as pilot:
        await press(pilot, VIDEO_POKER, "space", "space", "escape")
    async with run_app(arcade(house)) as pilot:
        await press(pilot, "v")
        await until(pilot, lambda: isinstance(pilot.app.screen, TextPage))
        await settle(pilot)
        assert "Proof of the last shuffle" in text(pilot.app)
        assert "every card" in text(pilot.app)


# ---- the first visit ----------------------------------------------------------------------------


async def test_tour_is_shown_only_on_the_first_visit(house: House, tmp_path: Path) -> None:
    memory = tmp_path / "visits.json"
    async with run_app(arcade(house, memory=VisitState(memory))) as pilot:
        for place, step in enumerate(STEPS, 1):
            assert f"{step.title}, {place} of 5" in text(pilot.app)
            await press(pilot, *["space"] * (place < len(STEPS)))
        assert isinstance(await screen_after(pilot, "escape"), Menu)
    async with run_app(arcade(house, memory=VisitState(memory))) as pilot:
        assert isinstance(pilot.app.screen, Menu)


@pytest.mark.parametrize("size", [(40, 15), (60, 20), (80, 24)], ids=size_id)
async def test_tour_can_be_left_at_the_first_step(
    house: House, tmp_path: Path, size: tuple[int, int]
) -> None:
    choices: tuple[tuple[str, type[Screen[Any]]], ...] = (("escape", Menu), ("1", LiveTable))
    for place, (key, kind) in enumerate(choices):
        memory = VisitState(tmp_path / f"{place}.json")
        async with run_app(arcade(house, memory=memory, fresh=shuffles(1)), *size) as pilot:
            tour = instance_of(Tour, pilot.app.screen_stack[-1])
            assert tour.children[0].max_scroll_y == 0, "all of it is seen"
            await press(pilot, key)
            await settle(pilot)
            assert isinstance(pilot.app.screen, kind)
            if key == "1":
                await press(pilot, "escape")


async def test_tour_is_not_shown_in_free_play_or_after_a_session(
    house: House, tmp_path: Path
) -> None:
    async with run_app(arcade(practice(tmp_path), memory=VisitState(tmp_path / "a.json"))) as pilot:
        assert isinstance(pilot.app.screen, Menu)
    assert house.ledger is not None
    house.ledger.buy_in(OpenSitting("s", "baccarat", tmp_path, None, 100), ME, 1)
    house.ledger.cash_out("s", 100, None, 2)
    async with run_app(arcade(house, memory=VisitState(tmp_path / "b.json"))) as pilot:
        assert isinstance(pilot.app.screen, Menu)


@pytest.mark.parametrize("size", [(40, 15), (80, 24)], ids=size_id)
async def test_cribbage_asks_once_for_a_table_and_space_takes_the_recommended(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    """Space takes the recommended table, a game to 121 against the expert."""
    house = practice(tmp_path)
    memory = VisitState(tmp_path / "visits.json")
    memory.has_shown_round()
    async with run_app(arcade(house, memory=memory, fresh=shuffles(1, 2, 3)), *size) as pilot:
        shown = " ".join((await text_after(pilot, "5")).split())
        assert "Which table? F4 changes it later" in shown
        assert "To 121, expert (recommended" in shown
        await press(pilot, "space")
        options = table(pilot.app).table.options
        assert (options.form, options.counting) == (GameForm.GAME, CountingMode.TABLE)
        assert "Expert" in " ".join(map(str, table(pilot.app).view.info.players.values())).title()
        await press(pilot, "escape", "5")
        assert table(pilot.app).table.options == options, "the choice is remembered"
        await leave(pilot)


async def test_draw_asks_for_a_table_once_and_remembers_the_latest_choice(
    house: House, tmp_path: Path
) -> None:
    path = tmp_path / "visits.json"
    memory = VisitState(path)
    memory.has_shown_round()
    async with run_app(arcade(house, memory=memory, fresh=shuffles(1, 2, 3, 4, 5))) as pilot:
        assert "Which table? F4 changes it later" in await text_after(pilot, DRAW)
        await press(pilot, "escape")
        assert isinstance(pilot.app.screen, Menu), "nothing was chosen"
        await press(pilot, DRAW, "down", "space")
        options = table(pilot.app).table.options
        assert (options.stakes, options.opponents) == (Stakes.LIMIT, 1)
        await press(pilot, "escape", DRAW)
        assert table(pilot.app).table.options.stakes is Stakes.LIMIT
        await press(pilot, "f4", "home", "enter", "enter")
        assert table(pilot.app).table.options.opponents == 1
        await press(pilot, "escape")
    async with run_app(arcade(house, memory=VisitState(path), fresh=shuffles(6, 7, 8))) as pilot:
        await press(pilot, DRAW)
        assert table(pilot.app).table.options.opponents == 1
        await press(pilot, "escape", "f4", "end", "up", "enter", "enter", "escape")
        assert hint(pilot) == " ›  space  Play five-card draw"
    stored = VisitState(path).table("five-card-draw")
    assert stored == [*listing_of("five-card-draw").tables().choices][-2]


@pytest.mark.parametrize("history", [b"", b"{", b"[]", b'{"tables": 5}', b'{"shown_round": 1}'])
def test_unreadable_visit_file_counts_as_a_first_visit(tmp_path: Path, history: bytes) -> None:
    path = tmp_path / "visits.json"
    path.write_bytes(history)
    memory = VisitState(path)
    assert (memory.shown_round, memory.table("baccarat")) == (False, None)
    memory.sits_at("baccarat", "8-free")
    memory.has_shown_round()
    stored = VisitState(path)
    assert (stored.shown_round, stored.table("baccarat")) == (True, "8-free")
    assert [one.name for one in tmp_path.iterdir()] == ["visits.json"]


def test_unwritable_visit_file_causes_no_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    memory = VisitState(tmp_path / "file" / "visits.json")
    memory.sits_at("baccarat", "8-free")
    assert memory.table("baccarat") == "8-free"
    assert not VisitState().lasts


def test_prepared_visit_file_suppresses_tour_and_questions(tmp_path: Path) -> None:
    """The setup of the tests on real terminals."""
    been_here(tmp_path / "visits.json")
    memory = VisitState(tmp_path / "visits.json")
    assert memory.shown_round
    assert all(memory.table(game.slug) for game in GAMES)


# ---- too small at the start ---------------------------------------------------------------------


@pytest.mark.parametrize("listing", first_of(GAMES), ids=lambda listing: listing.slug)
async def test_table_given_on_the_command_line_opens_once_the_window_fits(
    tmp_path: Path, listing: object
) -> None:
    house = with_purse(tmp_path)
    game = next(one for one in GAMES if one is listing)
    app = arcade(house, game=game.slug, fresh=shuffles(1))
    async with run_app(app, 39, 14) as pilot:
        assert isinstance(app.screen, TerminalTooSmall)
        assert "40x15" in text(app)
        assert isinstance(await screen_after(pilot, "space", "1", "enter"), TerminalTooSmall)
        await resize(pilot, 80, 24)
        assert isinstance(app.screen, LiveTable)
        assert lines(app)[0].startswith(f" ♠ {game.title.upper()}")
        await press(pilot, "space")
        await leave(pilot)
        assert "another program" not in text(app)


async def test_menu_appears_once_the_window_is_large_enough(house: House) -> None:
    async with run_app(arcade(house), 30, 10) as pilot:
        (menu, asks) = pilot.app.screen_stack
        assert isinstance(asks, TerminalTooSmall)
        await press(pilot, "1", "q")
        await resize(pilot, 80, 24)
        assert pilot.app.screen_stack == [menu]
        assert "balance 1,000.00" in text(pilot.app)
        assert hint(pilot) == " ›  space  Play video poker"


# ---- keys that come too early -------------------------------------------------------------------


async def test_keys_typed_while_a_table_opens_open_no_other_table(tmp_path: Path) -> None:
    """They are dropped, and that is said; no question is left behind, to be answered later."""
    memory = VisitState(tmp_path / "memory.toml")
    memory.has_shown_round()
    app = arcade(practice(tmp_path), memory=memory)
    async with run_app(app) as pilot:
        for key in (DRAW, "2", "3"):
            send(pilot, key)
        await settle(pilot)
        assert isinstance(app.screen, ChoiceDialog)
        assert len(app.screen_stack) == 2
        assert notes(app) == ["Ignored, because the table was still opening: 2 3"]
        assert "FIVE-CARD DRAW" in await text_after(pilot, "enter")
        await press(pilot, "escape")
        assert len(app.screen_stack) == 1


async def test_trainer_setting_is_remembered_for_each_game(tmp_path: Path) -> None:
    memory = tmp_path / "visits.json"
    for run in range(2):
        house = with_purse(tmp_path / str(run))
        async with run_app(
            arcade(house, memory=VisitState(memory), fresh=shuffles(1, 2, 3))
        ) as pilot:
            await press(pilot, "escape", VIDEO_POKER)
            assert table(pilot.app).view.trains == (run > 0)
            await press(pilot, *["t"] * (run == 0), "escape", "2")
            assert not table(pilot.app).view.trains, "another game has one of its own"
            await press(pilot, "escape", VIDEO_POKER)
            assert table(pilot.app).view.trains
            await press(pilot, "escape")


async def test_guess_first_is_remembered_for_each_game(tmp_path: Path) -> None:
    house, memory = with_purse(tmp_path), VisitState(tmp_path / "visits.json")
    async with run_app(arcade(house, memory=memory, fresh=shuffles(1, 2, 3))) as pilot:
        await press(pilot, "escape", VIDEO_POKER, "t", "g", "space")
        await leave(pilot)
        await press(pilot, VIDEO_POKER)
        assert table(pilot.app).view.guesses_first, "the hand in play is resumed as it was left"
        await press(pilot, "1", "space", "escape", "escape", "4")
        assert not table(pilot.app).view.guesses_first, "another game has one of its own"
    again = VisitState(tmp_path / "visits.json")
    assert again.guesses_first("video-poker")
    again.trains_at("video-poker", on=True)
    assert again.guesses_first("video-poker"), "other front-ends do not change it"
    again.trains_at("video-poker", on=True, guesses=False)
    assert not VisitState(tmp_path / "visits.json").guesses_first("video-poker")


async def test_bet_without_cards_waits_in_the_menu_without_the_last_hand(house: House) -> None:
    async with run_app(arcade(house, fresh=shuffles(1))) as pilot:
        await press(pilot, VIDEO_POKER, "space", "space")
        last = table(pilot.app).view.seen.hand
        await type_line(pilot, "b 2")
        shown = text(pilot.app)
        assert "The bet is placed: deal the cards" in shown
        assert "HELD" not in shown
        assert not [card for card in last if f"{card.rank.pip}{card.suit.symbol}" in shown]
        await leave(pilot)
        assert row(pilot, "Video poker") == "● waiting: bet 2"


async def test_ctrl_c_names_the_key_that_quits_and_the_waiting_bet(house: House) -> None:
    app = arcade(house, fresh=shuffles(1))
    async with run_app(app) as pilot:
        await press(pilot, "ctrl+c")
        assert notes(app)[-1] == "ctrl+q quits."
        await press(pilot, VIDEO_POKER, "space", "ctrl+c")
        assert notes(app)[-1] == "ctrl+q quits; your bet stays on the table."
        await press(pilot, "ctrl+z")
        assert notes(app)[-1] == "There is no shell to return to."
        await press(pilot, "ctrl+q")
    assert app.desk.games_at_stake == ["video-poker"]


async def test_waiting_bet_is_known_after_quitting_from_the_menu(house: House) -> None:
    app = arcade(house, fresh=shuffles(1))
    async with run_app(app) as pilot:
        assert isinstance(await screen_after(pilot, VIDEO_POKER, "space", "escape", "y"), Menu)
        await press(pilot, "ctrl+q")
    assert app.desk.games_at_stake == ["video-poker"]


@pytest.mark.parametrize(
    "keys", [("escape", VIDEO_POKER), ("right", "escape", VIDEO_POKER)], ids=value_id
)
async def test_key_pressed_after_the_settings_close_reaches_the_menu(
    house: House, keys: tuple[str, ...]
) -> None:
    async with run_app(arcade(house)) as pilot:
        await press(pilot, "f3")
        for key in keys:
            send(pilot, key)
        await settle(pilot)
        assert isinstance(pilot.app.screen, LiveTable)


async def test_menu_that_starts_without_focus_shows_its_actions_and_keys(house: House) -> None:
    app = arcade(house)
    app.set_reactive(type(app).app_focus, False)
    async with run_app(app) as pilot:
        *_, actions, keys = lines(pilot.app)
        assert "space  Play video poker" in actions
        assert "1-5 Game" in keys
