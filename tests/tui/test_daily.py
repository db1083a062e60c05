"""The daily deal on the screen: the room, a try by keys, and the page of its result."""

from __future__ import annotations

import json
import re
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from textual.app import App
from textual.pilot import Pilot

from tests.daily.play import DAY, best, deal_of, noon, play, worst
from tests.daily.server import Server
from tests.helpers.arcade_pilot import (
    STILL,
    TRUE,
    arcade,
    click,
    hint_text,
    hold,
    lines,
    message_after,
    message_text,
    notes,
    practice,
    press,
    press_until,
    run_app,
    screen_after,
    settle,
    table,
    text,
    text_after,
    type_line,
    until,
)
from tests.helpers.narrow import not_none
from tests.helpers.parameter_ids import size_id
from tui_casino.daily.deal import day_before
from tui_casino.daily.result_text import time_left
from tui_casino.daily.session import DailyResult, read_day, read_try
from tui_casino.gamekit.registry import DEFINITIONS
from tui_casino.gamekit.verdict import action_text
from tui_casino.house.daily_ranking import Board, Standing
from tui_casino.house.house import House
from tui_casino.house.settings import Settings
from tui_casino.records.session_log import LogWriteError, LogWriter, read_log
from tui_casino.structs import replace
from tui_casino.tui.app import Arcade
from tui_casino.tui.command_palette import room_commands
from tui_casino.tui.copy_actions import NO_COPIES
from tui_casino.tui.daily import board_screen
from tui_casino.tui.daily.board_screen import BoardPage, hardest_choice
from tui_casino.tui.daily.result_page import ResultPage
from tui_casino.tui.daily.result_screen import DailyResultScreen
from tui_casino.tui.daily.screen import DailyScreen
from tui_casino.tui.menu.screen import Menu
from tui_casino.tui.modals import ChoiceDialog, MarkedOptionList
from tui_casino.tui.positions.position_screen import PositionScreen
from tui_casino.tui.replay.screen import ReplayTable
from tui_casino.tui.table.action_text import with_card_signs
from tui_casino.tui.table.live import LiveTable
from tui_casino.tui.terminal.detection import GlyphSet

SHARED = """\
TUI Casino daily 327 · video poker
■■■■■■■■■■  10 of 10 best · cost 0.00 bets · run 1 day"""


@pytest.fixture
def house(tmp_path: Path) -> House:
    return replace(practice(tmp_path), clock=lambda: noon(DAY))


FOLLOWS = {"Bet", "Draw", "Play", "Next", "Count", "Go"}
"""The actions that a daily deal makes for its player."""


async def play_by_keys(pilot: Pilot[None], *keys: str) -> int:
    """Press these keys until the table closes; return how often they were pressed."""
    count = 0
    while isinstance(pilot.app.screen, LiveTable):
        count += 1
        assert count < 100, text(pilot.app)
        for key in keys:
            if isinstance(pilot.app.screen, LiveTable):
                await press(pilot, key)
        await read_on(pilot)
    return count


async def read_on(pilot: Pilot[None]) -> None:
    """Press a key after the end of a round, and after each count."""
    while isinstance(pilot.app.screen, LiveTable) and table(pilot.app).pacing.is_reading:
        screen = table(pilot.app)
        steps = screen.sitting.log.steps
        await press(pilot, "x")
        await until(pilot, partial(goes_on, pilot.app, screen, steps))


def goes_on(app: App[None], screen: LiveTable[Any, Any, Any, Any, Any], steps: int) -> bool:
    """Return whether a table has made more steps, or has closed."""
    return bool(app.screen is not screen or screen.sitting.log.steps > steps)


def page_text(app: App[None]) -> str:
    return " ".join(text(app).split())


async def test_daily_video_poker_try_is_played_by_keys_to_its_result(house: House) -> None:
    async with run_app(arcade(house)) as pilot:
        await press(pilot, "d")
        assert "not played" in lines(pilot.app)[5]
        await press(pilot, "space")
        assert "daily 327, 1 of 10" in lines(pilot.app)[0]
        assert message_text(pilot.app) == "Which cards do you hold?"
        assert await play_by_keys(pilot, "1", "2", "space") == 10
        assert isinstance(pilot.app.screen, DailyResultScreen)
        attempt = read_try(house, deal_of("video-poker"))
        assert attempt.finished
        result = not_none(attempt.result())
        assert f"{result.best} of 10 best · cost {result.shared_cost}" in page_text(pilot.app)
        assert not notes(pilot.app)
        await press(pilot, "space")
        assert "PLAYED 1 of 4 RUN 1 day NEXT DEAL in 12 h 0 min" in page_text(pilot.app)


@pytest.mark.parametrize(
    ("game", "keys", "rounds", "shown"),
    [
        (2, ["s"], 10, "stood"),
        pytest.param(1, ["space"], 8, "", marks=pytest.mark.prove),
        pytest.param(3, [*"1234", "space"], 2, "", marks=pytest.mark.prove),
    ],
    ids=["Hit Me", "five-card draw", "cribbage"],
)
async def test_daily_try_of_each_other_game_is_played_by_keys_to_its_result(
    house: House, game: int, keys: list[str], rounds: int, shown: str
) -> None:
    async with run_app(arcade(house)) as pilot:
        await press(pilot, "d", *["down"] * game, "space")
        assert f"daily 327, 1 of {rounds} · " in lines(pilot.app)[0]
        await play_by_keys(pilot, *keys)
        assert isinstance(pilot.app.screen, DailyResultScreen)
        assert shown in text(pilot.app)


async def test_daily_try_left_with_escape_resumes_with_the_same_cards(house: House) -> None:
    async with run_app(arcade(house)) as pilot:
        await press(pilot, "d", "space", "1", "space", "space")
        before = lines(pilot.app)[12:20]
        assert isinstance(await screen_after(pilot, "escape"), DailyScreen)
        assert notes(pilot.app) == ["Your try is kept: you can resume it until the day ends (UTC)."]
        assert read_try(house, deal_of("video-poker")).unfinished
        assert "unfinished" in text(pilot.app)
        assert "space  Resume" in text(pilot.app)
        await press(pilot, "space")
        assert "You continue where you stopped" in lines(pilot.app)[0]
        assert lines(pilot.app)[12:20] == before


@pytest.mark.parametrize(
    ("key", "reason"),
    [
        ("space", "a daily deal is shown once it is over"),
        ("m", "a daily deal is shown once it is over"),
        ("p", "it is a daily deal, which tui-casino daily video-poker resumes."),
    ],
    ids=["replay", "mistakes", "continue"],
)
async def test_history_says_why_an_unfinished_daily_try_is_not_shown(
    house: House, key: str, reason: str
) -> None:
    async with run_app(arcade(house)) as pilot:
        await press(pilot, "d", "space", "1", "space", "space", "escape", "escape", "r")
        await until(pilot, lambda: "1 session" in lines(pilot.app)[0])
        await press(pilot, key)
        await until(pilot, lambda: reason in text(pilot.app))


async def test_finished_daily_try_opens_only_its_result(house: House) -> None:
    play(house, deal_of("video-poker"), best)
    async with run_app(arcade(house)) as pilot:
        await press(pilot, "d")
        assert isinstance(await screen_after(pilot, "space"), DailyResultScreen)
        assert "Every choice was best" in text(pilot.app)


async def test_daily_try_in_play_is_refused_to_a_second_program(house: House) -> None:
    async with run_app(arcade(house)) as pilot:
        await press(pilot, "d", "space")
        async with run_app(arcade(house)) as other:
            await press(other, "d", "space")
            assert "another program is playing this daily deal" in text(other.app)


@pytest.mark.parametrize("key", ["a", "o", "O", "t", "m"])
async def test_trainer_keys_are_refused_during_a_daily_try(house: House, key: str) -> None:
    async with run_app(arcade(house)) as pilot:
        await press(pilot, "d", "space", key)
        refusal = f"{key}  there is no advice before the end of a daily deal."
        assert refusal.split() == hint_text(pilot.app).removeprefix("refused ").split()


@pytest.mark.parametrize("game", range(len(DEFINITIONS)))
async def test_daily_try_offers_no_key_for_advice(house: House, game: int) -> None:
    async with run_app(arcade(house), 132, 43) as pilot:
        await press(pilot, "d", *["down"] * game, "space")
        assert isinstance(pilot.app.screen, LiveTable)
        footer = lines(pilot.app)[-1]
        assert "F1 Help" in footer
        await press(pilot, "f1")
        keys = str(pilot.app.screen.query_one("#text").render()).partition("\n\n")[0]
        for name in ("Advice", "Odds", "Trainer", "Guess first", "Mistakes"):
            assert name not in footer
            assert name not in keys


async def test_typed_questions_and_other_tables_are_refused_in_a_daily_try(house: House) -> None:
    async with run_app(arcade(house)) as pilot:
        await press(pilot, "d", "space", "1", "space", "space", "u")
        assert "choices are final" in hint_text(pilot.app)
        await press(pilot, "f4")
        assert "a daily deal has only this table" in hint_text(pilot.app)
        await type_line(pilot, ":a")
        assert message_text(pilot.app) == "a: there is no advice before the end of a daily deal"
        await type_line(pilot, ":why")
        assert hint_text(pilot.app).startswith("refused why")


@pytest.mark.parametrize(
    ("game", "keys"),
    [(0, ["space"]), (1, ["space"]), (2, ["s"]), (3, [*"1234", "space"])],
    ids=["video poker", "five-card draw", "Hit Me", "cribbage"],
)
async def test_nothing_is_dealt_after_a_daily_round_before_a_key_which_only_continues(
    house: House, game: int, keys: list[str]
) -> None:
    async with run_app(arcade(house)) as pilot:
        await press(pilot, "d", *["down"] * game, "space")
        while not (screen := table(pilot.app)).pacing.is_reading:
            for key in keys:
                if not screen.pacing.is_reading:
                    await press(pilot, key)
        shown, steps = text(pilot.app), screen.sitting.log.steps
        assert "space  Continue" in shown
        if "cards left" in shown:
            assert f"{screen.view.seen.stock} cards left" in shown
        await pilot.pause(2.0)
        assert (text(pilot.app), screen.sitting.log.steps) == (shown, steps)
        await hold(pilot, "space", " ", times=10)
        assert screen.sitting.log.steps == steps, "the key is still held down from before"
        assert "held down" in hint_text(pilot.app)
        await press(pilot, "space")
        assert screen.sitting.log.steps > steps
        await press(pilot, "escape")  # a closed log is completely on the disk
        (log,) = house.logs.glob("*.jsonl")
        later = [json.loads(line) for line in read_log(log).lines[steps:]]
        assert later
        assert {line["do"]["is"] for line in later if line["by"] == 0} <= FOLLOWS


async def test_key_after_a_daily_round_marks_nothing(house: House) -> None:
    async with run_app(arcade(house)) as pilot:
        await press(pilot, "d", "space", "space")
        assert table(pilot.app).pacing.is_reading
        assert "daily 327, 1 of 10" in lines(pilot.app)[0]
        await press(pilot, "3")
        assert "daily 327, 2 of 10" in lines(pilot.app)[0]
        assert "HELD" not in text(pilot.app)


@pytest.mark.parametrize("plain", [False, True], ids=["unicode", "ascii"])
@pytest.mark.parametrize("size", [(40, 15), (60, 20), (80, 24), (132, 43), (200, 60)], ids=size_id)
async def test_daily_result_fits_every_window_size(
    house: House, size: tuple[int, int], plain: bool
) -> None:
    play(house, deal_of("video-poker"), worst)
    result = not_none(read_try(house, deal_of("video-poker")).result())
    costliest = max(range(10), key=lambda at: result.decisions[at].cost)
    terminal = replace(TRUE, tier=GlyphSet.ASCII) if plain else TRUE
    async with run_app(arcade(house, terminal=terminal), *size) as pilot:
        assert "cost 8.36 bets" in await text_after(pilot, "d")
        await press(pilot, "space")
        page = pilot.app.screen.query_one(ResultPage)
        await until(pilot, lambda: page.is_detailed)
        shown = page_text(pilot.app)
        assert "0 of 10 best" in shown
        assert "cost 8.36 bets, 41.78 credits" in shown
        assert ("run 1 day" in shown) is (size[1] >= 20)
        assert f"CHOICE {costliest + 1} of 10 cost" in shown
        assert "you held" in shown
        assert "best held" in shown
        assert "HELD" in shown
        mark = "+--+ +--+" if plain else "▛▀▀▜ ▛▀▀▜"
        assert (mark in shown) is (size[1] >= 24)
        assert ("TUI Casino daily 327" in shown) is (size[1] >= 24)
        assert ("ALL CHOICES" in shown) is (size[1] >= 24)
        assert ("LAST 14 DAYS" in shown) is (size[0] >= 132)
        assert "RUN 1 day NEXT DEAL in 12 h 0 min" in shown
        assert not plain or shown.isascii()
        await press(pilot, *["down"] * 12)
        assert page.at == 9
        await press(pilot, *["left"] * 3)
        assert page.at == 6
        assert "CHOICE 7 of 10" in page_text(pilot.app)


@pytest.mark.parametrize("game", ["five-card-draw", "thirty-one", "cribbage"])
@pytest.mark.parametrize("size", [(40, 15), (80, 24), (132, 43)], ids=size_id)
async def test_daily_result_of_each_game_shows_every_choice(
    house: House, game: str, size: tuple[int, int]
) -> None:
    play(house, deal_of(game), best)
    result = not_none(read_try(house, deal_of(game)).result())
    async with run_app(arcade(house, daily=game), *size) as pilot:
        await until(pilot, lambda: isinstance(pilot.app.screen, DailyResultScreen))
        page = pilot.app.screen.query_one(ResultPage)
        await press(pilot, "pageup", "pageup")
        for number, choice in enumerate(result.decisions[:8], 1):
            did = action_text(result.deal.game, choice, choice.action, past=True)
            shown = page_text(pilot.app)
            assert f"CHOICE {number} of {result.choices} best" in shown
            assert f"you {with_card_signs(did)[:20]}" in shown
            await press(pilot, "right")
        assert page.at == min(8, result.choices - 1)


async def test_enter_replays_a_daily_try_from_the_choice_at_the_cursor(house: House) -> None:
    play(house, deal_of("video-poker"), worst)
    async with run_app(arcade(house)) as pilot:
        await press(pilot, "d", "space", *["left"] * 10, "right")
        step = pilot.app.screen.query_one(ResultPage).step
        await press_until(pilot, lambda: isinstance(pilot.app.screen, ReplayTable), "enter")
        assert step == not_none(read_try(house, deal_of("video-poker")).result()).decisions[1].step


async def test_daily_result_shows_what_the_last_days_cost(house: House) -> None:
    yesterday = day_before(DAY)
    play(replace(house, clock=lambda: noon(yesterday)), deal_of("video-poker", yesterday), best)
    play(house, deal_of("video-poker"), worst)
    async with run_app(arcade(house), 132, 43) as pilot:
        await press(pilot, "d", "space")
        await until(pilot, lambda: "best 0.00 average 4.18 bets" in page_text(pilot.app))
        assert "run 2 days" in page_text(pilot.app)


async def test_time_to_the_next_daily_deal_is_the_same_on_both_screens(house: House) -> None:
    play(house, deal_of("video-poker"), best)
    now = [noon(DAY) + 20_000]
    async with run_app(arcade(replace(house, clock=lambda: now[0]))) as pilot:
        await press(pilot, "d")
        assert "NEXT DEAL in 12 h 0 min" in page_text(pilot.app)
        now[0] += 60_000
        await press(pilot, "space")
        assert "NEXT DEAL in 11 h 59 min" in page_text(pilot.app)
        await press(pilot, "escape")
        assert "NEXT DEAL in 11 h 59 min" in page_text(pilot.app)


async def test_y_copies_the_daily_text_to_share(house: House) -> None:
    play(house, deal_of("video-poker"), best)
    copied: list[str] = []

    def hand_over(app: Arcade, line: str) -> bool:
        copied.append(line)
        return True

    with patch.object(Arcade, "hand_over", hand_over):
        async with run_app(arcade(house)) as pilot:
            await press(pilot, "d", "y", "space", "y")
            assert copied == [SHARED, SHARED]
            assert notes(pilot.app)[-1] == "Sent to the terminal's clipboard: the text to share."


async def test_daily_text_to_share_is_shown_if_it_cannot_be_copied(house: House) -> None:
    play(house, deal_of("video-poker"), best)
    with patch.object(Arcade, "hand_over", lambda app, line: False):
        async with run_app(arcade(house)) as pilot:
            await press(pilot, "d", "space", "y")
            assert NO_COPIES.split(" ", 1)[0] in text(pilot.app)
            assert "10 of 10 best · cost 0.00 bets" in text(pilot.app)


async def test_y_is_refused_for_a_daily_deal_without_a_result(house: House) -> None:
    async with run_app(arcade(house)) as pilot:
        assert "this deal has no result yet." in await text_after(pilot, "d", "y")


async def test_perfect_daily_result_is_gold_only_with_animation_on(house: House) -> None:
    play(house, deal_of("video-poker"), best)
    for animation in (True, False):
        settings = replace(STILL, animation=animation)
        async with run_app(arcade(house, settings=settings)) as pilot:
            await press(pilot, "d", "space")
            assert pilot.app.screen.query_one(ResultPage).has_class("-gold") is animation


async def test_r_replays_a_finished_daily_try_and_m_practises_its_mistakes(house: House) -> None:
    play(house, deal_of("video-poker"), worst)
    async with run_app(arcade(house)) as pilot:
        await press(pilot, "d", "space", "r")
        await until(pilot, lambda: isinstance(pilot.app.screen, ReplayTable))
        await press(pilot, "escape", "m")
        await until(pilot, lambda: isinstance(pilot.app.screen, PositionScreen), workers=True)
        assert isinstance(await screen_after(pilot, "escape", "escape"), DailyResultScreen)


async def test_l_replays_yesterdays_daily_try_with_the_best_choices(house: House) -> None:
    async with run_app(arcade(house)) as pilot:
        await press_until(
            pilot, lambda: "You played no deal yesterday." in text(pilot.app), "d", "l"
        )
        await press(pilot, "escape", "escape")
        yesterday = day_before(DAY)
        earlier = replace(house, clock=lambda: noon(yesterday))
        play(earlier, deal_of("video-poker", yesterday), worst)
        await press_until(pilot, lambda: isinstance(pilot.app.screen, ReplayTable), "d", "l")
        await settle(pilot)
        assert "best" in text(pilot.app).lower()


@pytest.fixture
def server() -> Server:
    return Server()


@pytest.fixture
def remote(house: House, server: Server) -> House:
    return replace(house, remote=True, daily=server)


@pytest.mark.parametrize("size", [(132, 43), (80, 24), (40, 15)], ids=size_id)
async def test_daily_boards_of_a_server_are_shown_one_after_another(
    remote: House, size: tuple[int, int]
) -> None:
    async with run_app(arcade(remote), *size) as pilot:
        await press(pilot, "d", "b")
        shown = page_text(pilot.app)
        assert "VIDEO POKER 2 players" in shown
        assert "1 [b]王小明 today cost 0" in shown
        assert "BACCARAT" not in shown
        assert "space Next board" in shown
        for kind in ("yesterday", "week", "runs", "today"):
            await press(pilot, "right")
            assert f"{kind} cost 0" in page_text(pilot.app)
        await press(pilot, "left")
        assert "runs cost 0" in page_text(pilot.app)
        column = lines(pilot.app)[1].index("yesterday")
        await click(pilot, pilot.app.screen.query_one(BoardPage), column + 3, 0)
        assert "yesterday cost 0" in page_text(pilot.app)
        assert "the next board" in await text_after(pilot, "f1")
        await press(pilot, "escape", "down", "pagedown", "up", "x")
        await press(pilot, "escape", "escape")  # the first one clears the refusal
        assert isinstance(pilot.app.screen, DailyScreen)


@pytest.mark.parametrize("plain", [False, True], ids=["unicode", "ascii"])
async def test_daily_board_shows_bars_and_marks_and_the_hardest_choice(
    remote: House, server: Server, plain: bool
) -> None:
    deal = replace(deal_of("video-poker"), sealed=server.source(DAY, "video-poker"))
    play(remote, deal, best)
    fifth = not_none(read_try(remote, deal).result()).decisions[4]
    terminal = replace(TRUE, tier=GlyphSet.ASCII) if plain else TRUE
    async with run_app(arcade(remote, terminal=terminal), 132, 43) as pilot:
        await press_until(pilot, lambda: "Ann" in page_text(pilot.app), "d", "b")
        shown = page_text(pilot.app)
        bar, marks = ("########", "####o#####") if plain else ("████████", "■■■■□■■■■■")
        assert f"2 Ann {bar} cost 0.12 bets {marks}" in shown
        assert "VIDEO POKER: THE HARDEST CHOICE, 5 1 of 2 best" in shown
        did = action_text(deal.game, fifth, fifth.action, past=True)
        assert f"you {with_card_signs(did)} best" in (shown if not plain else page_signs(shown))
        assert not plain or shown.replace("王小明", "").isascii()


def page_signs(shown: str) -> str:
    """Return a text of an ASCII terminal with the signs of cards."""
    signs = dict(zip("shdc", "♠♥♦♣", strict=True))
    return re.sub(r"\b(10|[2-9JQKA])([shdc])\b", lambda at: at[1] + signs[at[2]], shown)


async def test_daily_result_on_a_server_shows_the_place_among_all_players(
    remote: House, server: Server
) -> None:
    deal = replace(deal_of("video-poker"), sealed=server.source(DAY, "video-poker"))
    play(remote, deal, best)
    async with run_app(arcade(remote), 132, 43) as pilot:
        await press(pilot, "d", "space")
        await until(pilot, lambda: "place 2 of 2" in page_text(pilot.app))
        assert "THE FIELD 2 players" in page_text(pilot.app)
        assert "▲ you" in page_text(pilot.app)


@pytest.mark.parametrize(
    ("marks", "found"),
    [
        (("101", "100", "111"), (1, 1, 3)),
        (("11", "11"), None),
        (("10", "100"), None),
        (("10",), None),
        ((), None),
    ],
)
def test_hardest_choice_is_the_one_that_most_players_got_wrong(
    marks: tuple[str, ...], found: tuple[int, int, int] | None
) -> None:
    places = tuple(Standing(1, "Ann", "", marks=each) for each in marks)
    assert hardest_choice(Board("video-poker", places, len(places))) == found


async def test_daily_board_waits_until_a_finished_try_is_judged(
    remote: House, server: Server
) -> None:
    deal = replace(deal_of("video-poker"), sealed=server.source(DAY, "video-poker"))
    play(remote, deal)
    assert server.reports == 1
    server.late = 2
    with patch.object(board_screen, "JUDGING", 0.01):
        async with run_app(arcade(remote)) as pilot:
            await press(pilot, "d")
            assert "the cards are sealed" in page_text(pilot.app).lower()
            await press_until(pilot, lambda: " 2 Ann " in page_text(pilot.app), "b")
            assert "judging" not in page_text(pilot.app)
    assert server.reports == 2, "the server may have been restarted before it judged"


async def test_daily_board_that_cannot_be_read_shows_the_reason(
    remote: House, server: Server
) -> None:
    server.broken = True
    async with run_app(arcade(remote)) as pilot:
        await press(pilot, "d", "b")
        assert "The server is restarting." in page_text(pilot.app)


async def test_daily_lesson_that_cannot_be_read_shows_the_reason(
    remote: House, server: Server
) -> None:
    play_yesterday(remote, server)
    async with run_app(arcade(remote)) as pilot:
        await press(pilot, "d")
        server.broken = True
        await press(pilot, "l")
        await until(pilot, lambda: "the server is restarting." in text(pilot.app))
        assert isinstance(pilot.app.screen, DailyScreen)


async def test_long_names_do_not_hide_the_results_on_a_daily_board(
    remote: House, server: Server
) -> None:
    server.name = "x" * 24
    async with run_app(arcade(remote), 40, 15) as pilot:
        await press(pilot, "d", "b")
        assert "x… today cost" in page_text(pilot.app)


def play_yesterday(remote: House, server: Server) -> DailyResult:
    """Play yesterday's video poker of a server with the worst choices."""
    day = day_before(DAY)
    deal = replace(deal_of("video-poker", day), sealed=server.source(day, "video-poker"))
    play(replace(remote, clock=lambda: noon(day)), deal, worst)
    return not_none(read_try(remote, deal).result())


async def test_yesterdays_daily_lesson_shows_what_all_players_chose(
    remote: House, server: Server
) -> None:
    result = play_yesterday(remote, server)
    costliest = max(range(10), key=lambda at: result.decisions[at].cost)
    key, own = [*result.answers][costliest]
    server.counts = {key: {own: 1, "held the lot": 3}}
    async with run_app(arcade(remote), 132, 43) as pilot:
        await press_until(pilot, lambda: isinstance(pilot.app.screen, DailyResultScreen), "d", "l")
        await settle(pilot)
        shown = page_text(pilot.app)
        assert "held the lot 3 of 4" in shown, text(pilot.app)
        assert with_card_signs(f"you {own} 1 of 4") in shown, text(pilot.app)
        await press(pilot, "right" if costliest < 9 else "left")
        assert "Nobody else had this choice." in page_text(pilot.app)
        await press_until(pilot, lambda: isinstance(pilot.app.screen, ReplayTable), "r")


@pytest.mark.parametrize(
    ("downs", "slug"), [(0, "video-poker"), (2, "thirty-one"), (1, "video-poker")]
)
async def test_lesson_of_several_games_begins_at_the_game_of_the_cursor(
    house: House, downs: int, slug: str
) -> None:
    """The second game of the day, five-card draw, was not played yesterday."""
    day = day_before(DAY)
    for played in ("video-poker", "thirty-one"):
        play(replace(house, clock=lambda: noon(day)), deal_of(played, day))
    async with run_app(arcade(house)) as pilot:
        await press(pilot, "d", *["down"] * downs, "l")
        await until(pilot, lambda: isinstance(pilot.app.screen, ChoiceDialog))
        options = pilot.app.screen.query_one(MarkedOptionList)
        assert not_none(options.highlighted_option).id == slug


async def test_daily_boards_need_a_server_and_server_guests_have_no_deal(house: House) -> None:
    async with run_app(arcade(house)) as pilot:
        assert "Boards" not in await text_after(pilot, "d")
        assert isinstance(await screen_after(pilot, "b"), DailyScreen)
    async with run_app(arcade(replace(house, remote=True))) as pilot:
        assert isinstance(await screen_after(pilot, "d"), Menu)


async def test_menu_shows_how_many_daily_deals_are_played(house: House) -> None:
    play(house, deal_of("video-poker"), best)
    with patch("tui_casino.tui.menu.screen.REST", 0.01):
        async with run_app(arcade(house)) as pilot:
            await until(pilot, lambda: "Daily deal 327" in text(pilot.app))
            assert "d  Daily deal 327   1 of 4 played, run 1 day" in text(pilot.app)


async def test_daily_setting_off_removes_menu_line_and_key(house: House) -> None:
    with patch("tui_casino.tui.menu.screen.REST", 0.01):
        async with run_app(arcade(house, settings=Settings(animation=False, daily=False))) as pilot:
            await settle(pilot)
            assert "Daily deal" not in text(pilot.app)
            assert isinstance(await screen_after(pilot, "d"), Menu)
            assert "this key has no action here" in text(pilot.app)


async def test_daily_screen_reports_a_wrong_clock(house: House) -> None:
    async with run_app(arcade(replace(house, clock=lambda: 0))) as pilot:
        assert "The clock says 1970-01-01" in await text_after(pilot, "d")
        assert isinstance(await screen_after(pilot, "space", "l", "y"), DailyScreen)


@pytest.mark.parametrize(("game", "kind"), [("", DailyScreen), ("video-poker", LiveTable)])
async def test_daily_command_opens_the_daily_screen_or_a_named_game(
    house: House, game: str, kind: type
) -> None:
    async with run_app(arcade(house, daily=game)) as pilot:
        await settle(pilot)
        assert isinstance(pilot.app.screen, kind)
        assert "327" in lines(pilot.app)[0]


async def test_daily_screen_says_why_a_try_does_not_count(house: House) -> None:
    play(house, deal_of("video-poker"), best)
    path = read_try(house, deal_of("video-poker")).path
    path.write_bytes(path.read_bytes().replace(b'"credit":', b'"credit": ', 1))
    async with run_app(arcade(house), 60, 20) as pilot:
        await press(pilot, "d")
        assert "it was changed by hand near line" in page_text(pilot.app)


async def test_daily_screen_shows_new_deals_after_midnight_utc(house: House) -> None:
    now = [noon(day_before(DAY))]
    house = replace(house, clock=lambda: now[0])
    async with run_app(arcade(house)) as pilot:
        await press(pilot, "d")
        assert "326 · 2026-11-27" in lines(pilot.app)[0]
        now[0] = noon(DAY)
        assert isinstance(await screen_after(pilot, "space"), DailyScreen)
        assert "327 · 2026-11-28" in lines(pilot.app)[0]


@pytest.mark.parametrize("key", ["b", "l"])
async def test_daily_boards_and_lesson_opened_after_midnight_are_of_the_new_day(
    key: str, remote: House, server: Server
) -> None:
    now = [noon(day_before(DAY))]
    async with run_app(arcade(replace(remote, clock=lambda: now[0]))) as pilot:
        await press(pilot, "d")
        now[0] = noon(DAY)
        await press(pilot, key)
        await until(pilot, lambda: "327 · 2026-11-28" in lines(pilot.app)[0])
        assert isinstance(pilot.app.screen, DailyScreen)
        await press(pilot, "b")
        await until(pilot, lambda: "boards" in lines(pilot.app)[0])
        assert "2026-11-28" in lines(pilot.app)[0]


def test_daily_overview_marks_played_days_among_the_last_14(house: House) -> None:
    assert read_day(house, DEFINITIONS).strip == (False,) * 14
    play(house, deal_of("video-poker"))
    overview = read_day(house, DEFINITIONS)
    assert overview.strip == (False,) * 13 + (True,)
    assert (overview.number, overview.played, overview.run_text) == (
        327,
        "1 of 4 played",
        "run 1 day",
    )


def test_time_to_the_next_daily_deal_is_written_in_hours_and_minutes() -> None:
    assert time_left(noon(DAY)) == "12 h 0 min"
    assert time_left(noon(DAY) + 11 * 3_600_000 + 48 * 60_000) == "12 min"


async def test_daily_bet_that_could_not_be_written_is_repeated_by_space(house: House) -> None:
    step, fails = LogWriter.step, False

    def full(self: LogWriter, by: Any, action: Any, events: Any) -> None:
        if fails and type(action).__name__ == "Bet":
            raise LogWriteError(28, "No space left on device")
        step(self, by, action, events)

    with patch.object(LogWriter, "step", full):
        async with run_app(arcade(house)) as pilot:
            await press(pilot, "d", "space", "space")
            fails = True
            assert "No space left on device" in await message_after(pilot, "space")
            assert "No space left on device" in await message_after(pilot, "space")
            fails = False
            await press(pilot, "space")
            assert "daily 327, 2 of 10" in lines(pilot.app)[0]


async def test_palette_lists_the_daily_deal_only_if_the_setting_is_on(house: House) -> None:
    for is_on in (True, False):
        async with run_app(arcade(house, settings=replace(STILL, daily=is_on))) as pilot:
            commands = room_commands(pilot.app.screen, lambda action: None)
            assert ("Daily deal" in [one.words for one in commands]) is is_on
