"""The records room: the list of logs, and their proof."""

from __future__ import annotations

import hashlib
import json
import os
import re
import threading
import time
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from tests.helpers.arcade_pilot import (
    PATIENCE,
    arcade,
    clear_notices,
    click_key,
    clock,
    lines,
    notes,
    practice,
    press,
    press_until,
    run_app,
    screen_after,
    settle,
    shuffles,
    strike,
    strike_until,
    table,
    text,
    text_after,
    type_line,
    until,
    with_purse,
)
from tests.helpers.ledger_sessions import act
from tests.helpers.narrow import instance_of, not_none
from tests.tui.sample_logs import (
    HOUR,
    SEAT,
    clock_at,
    copy_golden,
    in_records,
    listed,
    play,
    replay_screen,
    sit,
    spoilt,
)
from tests.tui.test_cribbage_end import play_games
from tui_casino.engine.chance import CommittedSource
from tui_casino.engine.croupier import ShuffledShoe
from tui_casino.gamekit.number_formats import signed_money
from tui_casino.gamekit.registry import listing_of
from tui_casino.games.video_poker import DEFINITION
from tui_casino.games.video_poker.machine.game import Bet, Draw, Hold, Options
from tui_casino.house.sitting import House, begin_sitting
from tui_casino.records.cache import Cache
from tui_casino.records.clock import format_time
from tui_casino.records.log_catalog import CASHED_OUT as CASHED
from tui_casino.records.log_catalog import LABEL_FILE_NAME, CatalogEntry
from tui_casino.records.playback import Playback
from tui_casino.records.recording_review import RecordingReview
from tui_casino.records.summaries import review_log
from tui_casino.structs import replace
from tui_casino.tui.history.log_list import GAP, LogList, LogRow, fitting_columns, start_time
from tui_casino.tui.history.screen import HistoryScreen
from tui_casino.tui.menu.screen import Menu
from tui_casino.tui.modals import TextPage
from tui_casino.tui.replay.screen import ReplayTable
from tui_casino.tui.widgets.hint_line import HintLine


@pytest.fixture
def house(tmp_path: Path) -> House:
    return practice(tmp_path)


def refused(pilot: Pilot[None]) -> str:
    """What the hint line says, be it under a notice."""
    message = pilot.app.screen.query_one(HintLine).current_message
    return message.text if message else ""


# ---- the list -----------------------------------------------------------------------------------


async def test_empty_history_says_that_nothing_has_been_played(house: House) -> None:
    async with in_records(house) as pilot:
        assert isinstance(pilot.app.screen, HistoryScreen)
        assert "Nothing has been played yet." in text(pilot.app)
        await press(pilot, "v")
        assert "there is no session here" in lines(pilot.app)[-2], "no key is silent"
        await press(pilot, "enter", "down", "g", "s", "escape")
        assert not isinstance(pilot.app.screen, HistoryScreen)


async def test_enter_in_history_waits_for_the_list_and_other_keys_are_refused(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A quick player opens the newest log before it is listed; other keys are told to wait."""
    play(house)
    present = threading.Event()
    listed_then = HistoryScreen._listed

    def late(screen: HistoryScreen, known: Mapping[str, Any]) -> list[CatalogEntry]:
        present.wait(PATIENCE)
        return listed_then(screen, known)

    monkeypatch.setattr(HistoryScreen, "_listed", late)
    async with run_app(arcade(house)) as pilot:
        await strike_until(pilot, "r", lambda: isinstance(pilot.app.screen, HistoryScreen))
        await strike_until(pilot, "v", lambda: refused(pilot) == "still reading the logs.")
        await strike(pilot, "escape")
        await strike(pilot, "enter")
        present.set()
        await until(pilot, lambda: isinstance(pilot.app.screen, ReplayTable), workers=True)


async def test_history_lists_the_newest_session_first_with_its_result(tmp_path: Path) -> None:
    house = with_purse(tmp_path)
    for hour, rounds in enumerate((1, 2)):
        play(replace(house, clock=partial(clock_at, hour)), rounds)
    async with in_records(house) as pilot:
        first, second = listed(pilot.app)
        assert re.split("  +", first)[1:] == ["Video poker", "Double Bonus 10/7", "−5.00", CASHED]
        assert re.split("  +", second)[1:] == ["Video poker", "Double Bonus 10/7", "0.00", CASHED]
        assert "2 sessions · newest first" in lines(pilot.app)[0]


def test_history_shows_start_times_in_the_local_time_zone(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1_767_225_600_000  # midnight at Greenwich, nine in the morning in Japan
    with monkeypatch.context() as patched:
        patched.setenv("TZ", "JST-9")
        time.tzset()
        assert start_time(now, now) == format_time(now, now) == "09:00"
        assert start_time(now - 10 * HOUR, now) == "Wed 31 23:00"
    time.tzset()
    assert start_time(now, now) == "00:00"


def test_history_shows_the_date_only_of_sessions_before_today() -> None:
    """The date only if that was not today; the weekday for a week."""
    now = clock()
    assert [start_time(now - HOUR * hours, now + 9 * HOUR) for hours in (-9, 0, 1, 24 * 6)] == [
        "09:00",
        "00:00",
        "Wed 31 23:00",
        "Fri 26 00:00",
    ]
    assert start_time(now, now + HOUR * 24 * 30) == " 1 Jan 00:00"
    assert start_time(now - HOUR * 24 * 40, now) == "22 Nov 2025"
    assert start_time(0, now) == "–"


async def test_history_row_shows_the_figures_of_the_statistics(tmp_path: Path) -> None:
    """The same figures as the statistics have, in columns that tell games apart."""
    house = practice(tmp_path)
    path = play(house, 3, hold=())
    fold = review_log(DEFINITION, path, choices=True)[0]
    assert fold.mistakes
    async with in_records(house, 132, 43) as pilot:
        (row,) = listed(pilot.app)
        cells = re.split("  +", row)[1:]
        result = signed_money(fold.net)
        cost = f"{float(Fraction(fold.cost)) / 100:.2f}"
        luck = f"{fold.luck:+.1f}".replace("-", "−")
        game = ["Video poker", "Double Bonus 10/7"]
        assert cells == [*game, result, "3", str(fold.mistakes), cost, luck, "s 7", "left"]
        assert "▲1 " in text(pilot.app)
        assert " best " in text(pilot.app)
        assert "✓ consistent" in text(pilot.app)


async def test_unfinished_session_is_listed_in_history_without_its_seed(tmp_path: Path) -> None:
    source = CommittedSource(b"s" * 32)
    sitting = begin_sitting(
        with_purse(tmp_path), DEFINITION, Options(), ShuffledShoe(), source, {SEAT: None}
    )
    act(sitting, Bet(5), Draw(), Hold(()), Bet(5), Draw())
    sitting.log.close()
    async with in_records(sitting.house, 132, 43) as pilot:
        (row,) = listed(pilot.app)
        assert "secret" in row
        assert row.endswith("● waiting")
        assert "seed still secret" in text(pilot.app)
        assert "counted once the session is over" in text(pilot.app), (
            "its mistakes are not counted yet"
        )
        assert source.seed is not None
        assert source.seed.hex()[:4] not in text(pilot.app)


async def test_history_sessions_can_be_starred_named_and_searched(house: House) -> None:
    for seed in (1, 2, 3):
        play(replace(house, clock=partial(clock_at, seed)), 1, seed)
    async with in_records(house, 132, 43) as pilot:
        await press(pilot, "down", "asterisk", "n")
        await type_line(pilot, "my [b]best")
        assert [row.startswith("★") for row in listed(pilot.app)] == [False, True, False]
        assert "my [b]best" in listed(pilot.app)[1], "foreign text is no markup"
        await press(pilot, "slash")
        await type_line(pilot, "BEST video")
        assert len(listed(pilot.app)) == 1
        assert "1 of 3 sessions" in lines(pilot.app)[0]
        await press(pilot, "slash")
        await type_line(pilot, "baccarat")
        assert "No session matches." in text(pilot.app)
    async with in_records(house, 132, 43) as pilot:
        assert sum(row.startswith("★") for row in listed(pilot.app)) == 1
        await press(pilot, "down", "asterisk")
        assert "★" not in " ".join(listed(pilot.app))


async def test_star_of_a_session_shows_in_every_width(house: House) -> None:
    play(house, 1)
    for size in (80, 24), (112, 30), (60, 20):
        async with in_records(house, *size) as pilot:
            before = text(pilot.app).count("★")  # a wide list has a heading for it
            await press(pilot, "asterisk")
            assert text(pilot.app).count("★") > before, size
            await press(pilot, "asterisk")
            assert text(pilot.app).count("★") == before


async def test_history_reports_an_unreadable_label_file(house: House) -> None:
    play(house, 1)
    house.logs.joinpath(LABEL_FILE_NAME).write_text("nonsense")
    async with in_records(house) as pilot:
        assert any(LABEL_FILE_NAME in note for note in notes(pilot.app))
        assert len(listed(pilot.app)) == 1, "the logs are listed all the same"
        await press(pilot, "asterisk")
        assert "cannot be read" in refused(pilot)


async def test_m_in_history_opens_the_replay_at_the_first_mistake(house: House) -> None:
    path = play(house, 3, hold=())
    with Playback(DEFINITION, path, Cache(None)) as known:
        step = RecordingReview(known).next_mistake(0)
    assert step is not None
    async with in_records(house) as pilot:
        await press(pilot, "m")
        assert replay_screen(pilot.app).step == step - 1


@pytest.mark.parametrize(("width", "cells"), [(60, 4), (80, 5), (104, 7), (132, 10), (200, 11)])
def test_history_shows_the_most_important_columns_that_fit(width: int, cells: int) -> None:
    stored = fitting_columns(width)
    assert len([column for column in stored if column.heading != "★"]) == cells
    assert {"game", "state", "result", "began"} <= {column.heading for column in stored}
    assert sum(abs(c.width) for c in stored) + GAP * (len(stored) - 1) <= width


async def test_history_can_be_filtered_by_game_and_by_state(house: House) -> None:
    play(house)
    house.logs.joinpath("none.jsonl").write_text("nonsense\n")
    copy_golden(house, listing_of("baccarat"))
    open_one = sit(house)
    async with in_records(house) as pilot:
        assert len(listed(pilot.app)) == 4
        await press(pilot, "s")
        (in_play,) = listed(pilot.app)
        assert in_play.endswith("being played")
        assert "state: being played" in lines(pilot.app)[0], "the filter and the row, in one word"
        await press(pilot, "s")
        assert [row.split()[-1] for row in listed(pilot.app)] == ["left", "left"]
        await press(pilot, "s")
        (damaged,) = listed(pilot.app)
        assert "✗ damaged: " in damaged
        await press(pilot, "s", "g", "g")
        (baccarat,) = listed(pilot.app)
        assert "Baccarat" in baccarat
        assert "1 of 4 sessions" in lines(pilot.app)[0]
        await click_key(pilot, "g")
        assert "all games" in lines(pilot.app)[0], "only games are asked for of which there are"
        await press(pilot, "s", "escape")
        assert len(listed(pilot.app)) == 4, "the first Escape shows all sessions again"
        assert isinstance(await screen_after(pilot, "escape"), Menu)
    open_one.log.close()


async def test_history_list_is_scrolled_and_opened_with_keys_and_mouse(house: House) -> None:
    for seed in range(30):
        play(house, 1, seed)
    async with in_records(house) as pilot:
        log_list = pilot.app.screen.query_one(LogList)
        await press(pilot, "end")
        assert log_list.at == 29
        assert log_list.scroll_offset.y > 0
        await press(pilot, "down", "up", "home", "pagedown")
        assert log_list.at == log_list.size.height - 1
        await pilot.click(LogList, offset=(3, 2))
        await settle(pilot)
        assert log_list.at == log_list.scroll_offset.y + 2
        await pilot.click(LogList, offset=(3, 2))
        await settle(pilot)
        assert isinstance(pilot.app.screen, ReplayTable)


async def test_history_does_not_open_the_log_of_an_unknown_game(house: House) -> None:
    path = play(house)
    path.write_text(path.read_text().replace('"video-poker"', '"faro"'))
    async with in_records(house) as pilot:
        assert isinstance(await screen_after(pilot, "enter"), HistoryScreen)
        assert "faro" in lines(pilot.app)[-2]
        await press_until(pilot, lambda: isinstance(pilot.app.screen, TextPage), "v")
        await settle(pilot)
        assert "does not know the game 'faro'" in " ".join(
            text(pilot.app).replace("│", " ").split()
        )


async def test_history_reports_a_log_that_was_deleted_meanwhile(house: House) -> None:
    path = play(house)
    async with in_records(house) as pilot:
        path.unlink()
        await press(pilot, "enter")
        assert "cannot be" in lines(pilot.app)[-2]
        assert "Nothing has been played yet." in await text_after(pilot, "f5")


async def test_v_in_history_verifies_the_selected_log(house: House) -> None:
    path = play(house)
    async with in_records(house) as pilot:
        await press_until(pilot, lambda: "Consistent: " in text(pilot.app), "v")
        assert isinstance(pilot.app.screen, TextPage)
        await press(pilot, "escape")
        spoilt(path, 10)
        await press_until(pilot, lambda: "Differs: line 11: " in text(pilot.app), "v")


async def test_moved_log_of_a_session_for_money_is_shown_as_authentic(tmp_path: Path) -> None:
    house = with_purse(tmp_path)
    path = play(house)
    path.rename(path.with_name("moved.jsonl"))  # then it is known by its hashes
    async with in_records(house) as pilot:
        await until(pilot, lambda: "✓ authentic" in text(pilot.app))
        await press_until(pilot, lambda: "Authentic: " in text(pilot.app), "v")


async def test_forged_first_line_of_an_unfinished_session_is_marked_in_history(
    tmp_path: Path,
) -> None:
    house = with_purse(tmp_path)
    sitting = sit(house)
    sitting.table.run()
    sitting.table.submit(SEAT, Bet(5))
    sitting.close()
    path = sitting.log.path
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    rows[0]["program"] = "another 1.0"
    raw = [json.dumps(rows[0], separators=(",", ":"))]
    for row in rows[1:]:  # all hashes are made again
        row["prev"] = hashlib.sha256(raw[-1].encode()).hexdigest()
        raw.append(json.dumps(row, separators=(",", ":")))
    path.write_text("\n".join(raw) + "\n")
    async with in_records(house) as pilot:
        await until(pilot, lambda: "✗ differs in line 1" in text(pilot.app))


@pytest.mark.prove
async def test_history_lists_ten_thousand_logs(house: House) -> None:
    """The list is there before they are read, and draws only what is in sight."""
    path = play(house, 1)
    for number in range(10_000):
        os.link(path, house.logs / f"{number}.jsonl")
    async with run_app(arcade(house)) as pilot:
        await press_until(pilot, lambda: "10,001 sessions" in text(pilot.app), "r")
        assert "10,001 sessions" in await text_after(pilot, "end", "home", "g")


async def test_interrupted_free_play_continues_at_the_step_where_it_stopped(house: House) -> None:
    """At the very step where it stopped, with the cards that would have come."""
    source = CommittedSource(b"s" * 32)
    sitting = begin_sitting(house, DEFINITION, Options(), ShuffledShoe(), source, {SEAT: None})
    act(sitting, Bet(5), Draw())
    sitting.table.run()
    sitting.log.close()
    async with in_records(house) as pilot:
        assert "cut off" in text(pilot.app)
        await press(pilot, "p")
        assert table(pilot.app).table.state == sitting.table.state
        assert table(pilot.app).sitting.log.path == sitting.log.path
        assert isinstance(await screen_after(pilot, "1", "space", "escape"), HistoryScreen)
        await clear_notices(pilot)
        assert "1 session" in text(pilot.app)
        assert "left" in text(pilot.app)


async def test_history_refuses_to_continue_a_finished_game(tmp_path: Path) -> None:
    house = practice(tmp_path)
    play_games(house, 1)
    async with in_records(house) as pilot:
        assert "over" in text(pilot.app)
        assert isinstance(await screen_after(pilot, "p"), HistoryScreen)
        assert "this game is over" in refused(pilot)
    assert len([*house.logs.glob("*.jsonl")]) == 1


async def test_waiting_bet_cannot_be_continued_as_free_play(tmp_path: Path) -> None:
    async with run_app(arcade(with_purse(tmp_path), fresh=shuffles(1))) as pilot:
        await press(pilot, "1", "space", "escape", "y", "r", "p")
        assert isinstance(pilot.app.screen, HistoryScreen)
        assert "still secret" in refused(pilot)


async def test_o_in_history_cycles_through_six_sort_orders(house: House) -> None:
    """By time, result, length and game; of equal ones the newest comes first."""
    paths = [
        play(replace(house, clock=partial(clock_at, n)), n, seed) for n, seed in ((3, 1), (1, 2))
    ]
    async with in_records(house, 132, 43) as pilot:
        screen = instance_of(HistoryScreen, pilot.app.screen)
        entry = not_none(screen.all_rows)
        assert [row.entry.path for row in entry] == paths
        orders: dict[str, Callable[[LogRow], Any]] = {
            "by result": lambda row: -(row.entry.result or 0),
            "by mistakes": lambda row: -(row.summary.mistakes or 0) if row.summary else 0,
            "by length": lambda row: -(row.entry.length or 0),
            "stars first": lambda row: not row.label.star,
            "by game": lambda row: row.entry.game,
        }
        for order, key in orders.items():
            await press(pilot, "o")
            assert order in lines(pilot.app)[0]
            cells = [key(row) for row in screen.query_one(LogList).rows]
            assert cells == sorted(cells)
        await press(pilot, "o")
        assert "newest first" in lines(pilot.app)[0]
