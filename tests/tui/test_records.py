"""The records room: the list of logs, replay on the games' own screens, playing on, and proof."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from textual.app import App
from textual.pilot import Pilot
from textual.widgets import Static

from tests.golden.write import golden
from tests.tui.houses import (
    ME,
    arcade,
    clock,
    lines,
    opened,
    practice,
    press,
    resize,
    settle,
    shuffles,
    text,
    typed,
    until,
    with_purse,
)
from tui_casino.chance import CommittedSource, NumberedSource
from tui_casino.core import Ask, Over, Seat
from tui_casino.croupier import ShuffledShoe
from tui_casino.games.video_poker import PARTS
from tui_casino.games.video_poker.game import Bet, Draw, Hold, Options
from tui_casino.records import recording
from tui_casino.records.cache import Cache
from tui_casino.records.log import Parent, read
from tui_casino.records.replay import Proof, replay, verify
from tui_casino.records.watch import Mark
from tui_casino.registry import GAMES, Listing
from tui_casino.sitting import House, Sitting, begin
from tui_casino.tui.game_screen import GameScreen
from tui_casino.tui.modals import Page
from tui_casino.tui.records.browser import RecordsScreen
from tui_casino.tui.records.log_list import LogList
from tui_casino.tui.records.replay import Replay, replay_screen
from tui_casino.tui.widgets.bars import MessageLine
from tui_casino.tui.widgets.cards import CardRow
from tui_casino.tui.widgets.key_bar import KeyBar

SEAT = Seat(0)
HOUR = 3_600_000
by_game = pytest.mark.parametrize("listing", GAMES, ids=lambda listing: listing.slug)


def sit(house: House, seed: int = 7) -> Sitting[Any, Any, Any, Any]:
    return begin(house, PARTS, Options(), ShuffledShoe(), NumberedSource(seed), {SEAT: None})


def clock_at(hour: int) -> int:
    return clock() + HOUR * hour


def play(house: House, rounds: int = 2, seed: int = 7, hold: tuple[int, ...] = (1, 2)) -> Path:
    """Play some rounds of video poker and leave; give the log."""
    sitting = sit(house, seed)
    for _ in range(rounds):
        for action in (Bet(5), Draw(), Hold(hold)):
            sitting.table.run()
            sitting.table.submit(SEAT, action)
    sitting.table.run()
    sitting.leave()
    return sitting.log.path


def spoilt(path: Path, step: int) -> None:
    """Let a step of a log say what the rules refuse."""
    raw = path.read_text().split("\n")
    line = json.loads(raw[step])
    line["do"] = {"is": "Bet", "coins": 99}
    raw[step] = json.dumps(line, separators=(",", ":"))
    path.write_text("\n".join(raw))


@pytest.fixture
def house(tmp_path: Path) -> House:
    return practice(tmp_path)


@asynccontextmanager
async def in_records(house: House, width: int = 80, height: int = 24) -> AsyncIterator[Pilot[None]]:
    async with opened(arcade(house), width, height) as pilot:
        await press(pilot, "r")
        yield pilot


@asynccontextmanager
async def replaying(house: House, width: int = 80, height: int = 24) -> AsyncIterator[Pilot[None]]:
    """Open the newest log."""
    async with in_records(house, width, height) as pilot:
        await press(pilot, "enter")
        yield pilot


def shown(app: App[Any]) -> Any:
    """The replay that is open."""
    (screen,) = (screen for screen in app.screen_stack if isinstance(screen, Replay))
    return screen


def bar(app: App[Any]) -> str:
    return str(shown(app).query_one("#replay-bar", Static).content)


def listed(app: App[Any]) -> list[str]:
    """The lines of the list that are in sight."""
    top = app.screen.query_one(LogList).region.y
    return [line.strip() for line in lines(app)[top:-3] if line.strip()]


# ---- the list -----------------------------------------------------------------------------------


async def test_an_empty_folder_says_so(house: House) -> None:
    async with in_records(house) as pilot:
        assert isinstance(pilot.app.screen, RecordsScreen)
        assert "Nothing has been played yet." in text(pilot.app)
        await press(pilot, "enter", "v", "down", "g", "s", "escape")
        assert not isinstance(pilot.app.screen, RecordsScreen)


async def test_the_newest_comes_first_with_what_it_brought(tmp_path: Path) -> None:
    house = with_purse(tmp_path)
    for hour, rounds in enumerate((1, 2)):
        play(replace(house, clock=partial(clock_at, hour)), rounds)
    async with in_records(house) as pilot:
        first, second = listed(pilot.app)
        assert first.startswith("2026-01-01 01:00  Video poker")
        assert [first.split()[-1], second.split()[-1]] == ["-5.00", "0.00"]
        assert f"{ME}'s money" in text(pilot.app)
        assert second.startswith("2026-01-01 00:00  Video poker")
        assert "2 logs" in text(pilot.app)


async def test_filters_by_game_and_by_state(house: House) -> None:
    play(house)
    house.logs.joinpath("none.jsonl").write_text("nonsense\n")
    shutil.copy(golden(GAMES[1]).log, house.logs / "baccarat.jsonl")
    open_one = sit(house)
    async with in_records(house) as pilot:
        assert len(listed(pilot.app)) == 4
        await press(pilot, "s")
        (in_play,) = listed(pilot.app)
        assert "in play" in in_play
        await press(pilot, "s")
        assert len(listed(pilot.app)) == 2
        await press(pilot, "s")
        (damaged,) = listed(pilot.app)
        assert "! damaged: " in damaged
        await press(pilot, "s", "g", "g")
        (baccarat,) = listed(pilot.app)
        assert "Baccarat" in baccarat
        assert "1 of 4 logs" in text(pilot.app)
        await pilot.click("#filter-game")
        await settle(pilot)
        assert "Nothing like that here." in text(pilot.app)
    open_one.log.close()


async def test_the_list_is_walked_by_keys_and_mouse(house: House) -> None:
    for seed in range(30):
        play(house, 1, seed)
    async with in_records(house) as pilot:
        log_list = pilot.app.screen.query_one(LogList)
        await press(pilot, "end")
        assert log_list.cursor == 29
        assert log_list.scroll_offset.y > 0
        await press(pilot, "down", "up", "home", "pagedown")
        assert log_list.cursor == log_list.size.height - 1
        await pilot.click(LogList, offset=(3, 2))
        await settle(pilot)
        assert log_list.cursor == log_list.scroll_offset.y + 2
        await pilot.click(LogList, offset=(3, 2))
        await settle(pilot)
        assert isinstance(pilot.app.screen, Replay)


async def test_what_has_no_game_here_is_not_opened(house: House) -> None:
    path = play(house)
    path.write_text(path.read_text().replace('"video-poker"', '"faro"'))
    async with in_records(house) as pilot:
        await press(pilot, "enter")
        assert isinstance(pilot.app.screen, RecordsScreen)
        assert any("faro" in note.message for note in pilot.app._notifications)
        pilot.app.clear_notifications()
        await press(pilot, "v")
        await until(pilot, lambda: isinstance(pilot.app.screen, Page))
        await settle(pilot)
        assert "'faro', which is no" in " ".join(text(pilot.app).replace("│", " ").split())


async def test_a_log_that_vanished_is_told(house: House) -> None:
    path = play(house)
    async with in_records(house) as pilot:
        path.unlink()
        await press(pilot, "enter")
        assert any("cannot be read" in note.message for note in pilot.app._notifications)
        await press(pilot, "f5")
        assert "Nothing has been played yet." in text(pilot.app)


async def test_a_log_is_verified(house: House) -> None:
    path = play(house)
    async with in_records(house) as pilot:
        await press(pilot, "v")
        await until(pilot, lambda: "Consistent: " in text(pilot.app))
        assert isinstance(pilot.app.screen, Page)
        await press(pilot, "escape")
        spoilt(path, 10)
        await press(pilot, "v")
        await until(pilot, lambda: "Differs in line 11: " in text(pilot.app))


async def test_the_ledger_vouches_for_what_was_played_for_money(tmp_path: Path) -> None:
    house = with_purse(tmp_path)
    play(house)
    async with in_records(house) as pilot:
        await press(pilot, "v")
        await until(pilot, lambda: "Authentic: " in text(pilot.app))


# ---- replay -------------------------------------------------------------------------------------


@by_game
async def test_every_game_is_shown_on_its_own_screen(house: House, listing: Listing) -> None:
    """At every step the seat's own view, and where it was asked, what the table said then."""
    house.logs.mkdir()
    path = house.logs / "golden.jsonl"
    shutil.copy(golden(listing).log, path)
    parts = listing.parts()
    played = [*replay(parts.game, read(path))]
    async with replaying(house) as pilot:
        screen = shown(pilot.app)
        assert listing.screen() in type(screen).__mro__
        for step in played[:60]:
            await press(pilot, "right")
            assert screen.step == step.line.n
            assert screen.view == parts.game.view(step.state, screen.seat)
            turn = parts.game.turn(step.state)
            if turn == Ask(screen.seat) or isinstance(turn, Over):
                assert str(screen.query_one(MessageLine).content)
        await press(pilot, "end")
        assert screen.step == len(played)
        assert screen.view == parts.game.view(played[-1].state, screen.seat)
        end = text(pilot.app)
        await press(pilot, "home", "end")
        assert text(pilot.app) == end
        await press(pilot, "f2")
        assert "tatistics" in text(pilot.app)
        await press(pilot, "escape")
        assert pilot.app.screen is screen


@by_game
async def test_leafing_back_shows_what_leafing_on_did(house: House, listing: Listing) -> None:
    house.logs.mkdir()
    shutil.copy(golden(listing).log, house.logs / "golden.jsonl")
    async with replaying(house) as pilot:
        seen = [text(pilot.app)]
        for _ in range(30):
            await press(pilot, "right")
            seen.append(text(pilot.app))
        for before in reversed(seen[:-1]):
            await press(pilot, "left")
            assert text(pilot.app) == before


@by_game
def test_its_own_names_mean_nothing_else_to_a_game(listing: Listing) -> None:
    """A replay is mixed into the game's screen: what it adds must not be there already."""
    own = {name for name in vars(Replay) if not name.startswith("_")} - set(dir(GameScreen))
    assert own
    assert not own & set(dir(listing.screen()))


@by_game
def test_the_keys_are_the_same_for_every_game(listing: Listing) -> None:
    bindings = [binding for _, binding in replay_screen(listing)._merge_bindings()]
    first = [binding for _, binding in replay_screen(GAMES[0])._merge_bindings()]
    assert bindings == first
    assert all(binding.id for binding in bindings)
    assert len({binding.action for binding in bindings if binding.show}) == 5


async def test_nothing_can_be_played(house: House) -> None:
    path = play(house)
    before = path.read_bytes()
    async with replaying(house) as pilot:
        screen = shown(pilot.app)
        await press(pilot, *["right"] * 8)
        assert screen.query_one(CardRow).views[0].card is not None
        seen = text(pilot.app)
        await pilot.click(CardRow)
        await settle(pilot)
        await press(pilot, "1", "d", "a", "enter", "dollar_sign", "colon")
        assert text(pilot.app) == seen
        assert path.read_bytes() == before
        assert [*house.logs.iterdir()] == [path]


async def test_the_bar_says_where_it_is_and_what_was_done(house: House) -> None:
    path = play(house)
    steps = len(read(path).lines)
    async with replaying(house) as pilot:
        assert bar(pilot.app) == f"Step 0 of {steps} · the beginning"
        await press(pilot, "b")
        assert "you: b 5" in bar(pilot.app)
        await press(pilot, "end")
        assert bar(pilot.app).startswith(f"Step {steps} of {steps} · ")
        assert bar(pilot.app).endswith("the end: left")


async def test_rounds_marks_and_numbers_are_found(house: House) -> None:
    path = play(house, 3, hold=())  # nothing is held: a mistake, if anything was worth it
    with recording.Recording(PARTS, path, Cache(None)) as known:
        rounds = [known.next(Mark.ROUND, step) for step in (0, 1)]
        bets = [known.next(Mark.BET, 0)]
        mistake = known.next(Mark.MISTAKE, 0)
        win = known.next(Mark.WIN, 0)
        assert mistake is not None
        weighed = known.mistake(mistake)
        steps = known.steps
    assert weighed is not None
    async with replaying(house) as pilot:
        screen = shown(pilot.app)
        await press(pilot, "down")
        assert screen.step == rounds[0]
        await press(pilot, "pagedown")
        assert screen.step == rounds[1]
        await press(pilot, "up", "up")
        assert screen.step == 0
        await press(pilot, "b")
        assert screen.step == bets[0]
        await press(pilot, "m")
        assert screen.step == mistake
        assert f"cost {float(weighed.cost):.3f}, best h" in bar(pilot.app)
        await press(pilot, "end", "m")
        assert "no mistake comes after this step" in bar(pilot.app)
        await press(pilot, "home", "B")
        assert "no bet before this step" in bar(pilot.app)
        await press(pilot, "w")
        assert screen.step == (win or 0)
        await press(pilot, "g")
        await typed(pilot, "5")
        assert screen.step == 5
        await press(pilot, "g")
        await typed(pilot, "5000")
        assert f"no step from 0 to {steps}" in bar(pilot.app)
        assert screen.step == 5


async def test_mistakes_are_found_where_judging_takes_long(house: House) -> None:
    """Such a game's choices are weighed one by one, off the screen's thread."""
    listing = next(game for game in GAMES if game.slug == "thirty-one")
    parts = listing.parts()
    assert parts.judge is not None
    assert not parts.quick_judge
    house.logs.mkdir()
    path = house.logs / "golden.jsonl"
    shutil.copy(golden(listing).log, path)
    with recording.Recording(parts, path, Cache(None)) as known:
        step = known.next(Mark.MISTAKE, 0)
    async with replaying(house) as pilot:
        await press(pilot, "m")
        assert shown(pilot.app).step == step
        assert ", best " in bar(pilot.app)
        await press(pilot, "M")
        assert "no mistake before this step" in bar(pilot.app)


async def test_it_plays_by_itself_and_pauses(house: House) -> None:
    play(house)
    async with replaying(house) as pilot:
        screen = shown(pilot.app)
        await press(pilot, "plus", "plus", "plus", "plus")
        assert "20 a second" in bar(pilot.app)
        await press(pilot, "space")
        assert "▶ 20/s" in bar(pilot.app)
        await until(pilot, lambda: screen.step >= 3)
        await press(pilot, "minus")
        assert "▶ 5/s" in bar(pilot.app)
        await press(pilot, "plus", "space")
        at = screen.step
        assert "▶" not in bar(pilot.app)
        await pilot.pause(0.2)
        assert screen.step == at
        await press(pilot, "space")
        await until(pilot, lambda: screen.step == screen.recording.steps)
        await until(pilot, lambda: "▶" not in bar(pilot.app))


async def test_a_damaged_log_is_shown_up_to_the_damage(house: House) -> None:
    path = play(house)
    spoilt(path, 12)
    async with replaying(house) as pilot:
        screen = shown(pilot.app)
        await press(pilot, "end")
        assert screen.step == 11
        assert "! damaged, line 13: " in bar(pilot.app)
        await press(pilot, "left")
        assert "damaged" not in bar(pilot.app)


async def test_a_log_that_grows_or_vanishes_is_told(house: House) -> None:
    sitting = sit(house)
    sitting.table.run()
    async with replaying(house) as pilot:
        screen = shown(pilot.app)
        before = screen.recording.steps
        sitting.table.submit(SEAT, Bet(5))
        await until(pilot, lambda: screen.recording.steps == before + 1)
        await settle(pilot)
        assert f"of {before + 1}" in bar(pilot.app)
        sitting.log.path.unlink()
        await until(pilot, lambda: "it is no longer there" in bar(pilot.app))
        await press(pilot, "end")
        assert screen.step == before + 1, "what was read can be seen still"
    sitting.log.close()


async def test_a_long_log_is_worked_out_aside(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("recording", "tui_casino.tui.records.replay"):
        module = recording if name == "recording" else __import__(name, fromlist=["EVERY"])
        monkeypatch.setattr(module, "EVERY", 10)
    path = play(house, 12)
    steps = len(read(path).lines)
    async with replaying(house) as pilot:
        screen = shown(pilot.app)
        await press(pilot, "end")
        assert screen.step == steps
        assert "read)" not in bar(pilot.app), "all is read now"


@pytest.mark.parametrize("size", [(60, 20), (132, 43), (40, 15)])
async def test_it_fits_other_sizes(house: House, size: tuple[int, int]) -> None:
    play(house)
    async with replaying(house, *size) as pilot:
        await press(pilot, *["right"] * 8)
        assert bar(pilot.app) in text(pilot.app) or size[0] < 60
        await resize(pilot, 80, 24)
        assert "Hold which cards?" in text(pilot.app)
        assert shown(pilot.app).step == 8


# ---- playing on ---------------------------------------------------------------------------------


async def test_playing_on_from_a_step(tmp_path: Path) -> None:
    """Another hold than then, for practice: the purse and the old log stay as they are."""
    house = with_purse(tmp_path)
    with shuffles(1):
        async with opened(arcade(house)) as pilot:
            await press(pilot, "1", "space", "1", "space", "escape")
            ledger = house.ledger
            assert ledger is not None
            (path,) = house.logs.glob("*.jsonl")
            purse, before = ledger.purse(ME), path.read_bytes()
            await press(pilot, "r", "enter", *["right"] * 8, "p")
            assert not isinstance(pilot.app.screen, Replay)
            assert "Hold which cards?" in text(pilot.app)
            await press(pilot, "2", "3", "space", "escape")
            assert isinstance(pilot.app.screen, Replay)
            await press(pilot, "escape")
            assert "2 logs" in text(pilot.app)
            (branch,) = {*house.logs.glob("*.jsonl")} - {path}
            log = read(branch)
            assert log.header.parent == Parent(path.name, 8)
            assert verify(PARTS, log).proof is Proof.CONSISTENT
            assert verify(PARTS, log).shuffle_checked
            assert ledger.purse(ME) == purse
            assert path.read_bytes() == before
            pilot.app.clear_notifications()
            await press(pilot, "up", "up", "down" if branch.name < path.name else "up")
            assert f"branched off {path.name} after step 8" in " ".join(text(pilot.app).split())


async def test_an_open_sitting_keeps_its_seed(tmp_path: Path) -> None:
    house = with_purse(tmp_path)
    sitting = begin(
        house, PARTS, Options(), ShuffledShoe(), CommittedSource(b"s" * 32), {SEAT: None}
    )
    for action in (Bet(5), Draw()):
        sitting.table.run()
        sitting.table.submit(SEAT, action)
    sitting.log.close()
    async with replaying(house, 132, 43) as pilot:
        await press(pilot, "right", "p")
        assert isinstance(pilot.app.screen, Replay)
        assert "not revealed yet" in bar(pilot.app)
        assert len([*house.logs.iterdir()]) == 1


# ---- looks --------------------------------------------------------------------------------------


async def test_the_last_line_names_five_keys(house: House) -> None:
    play(house)
    async with in_records(house) as pilot:
        assert len([*pilot.app.screen.query_one(KeyBar).placed()]) == 5
        await press(pilot, "enter")
        assert len([*pilot.app.screen.query_one(KeyBar).placed()]) == 5


async def test_ten_thousand_logs_open_at_once(house: House) -> None:
    """The list is there before they are read, and draws only what is in sight."""
    path = play(house, 1)
    for number in range(10_000):
        os.link(path, house.logs / f"{number}.jsonl")
    async with opened(arcade(house)) as pilot:
        await press(pilot, "r")
        await until(pilot, lambda: "10,001 logs" in text(pilot.app))
        await press(pilot, "end", "home", "g")
        assert "10,001 logs" in text(pilot.app)
