"""Replay in the games' own views, and playing on from there."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from textual.widgets import Static

from tests.golden.write import golden
from tests.tui.houses import (
    ME,
    arcade,
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
from tests.tui.recorded import (
    SEAT,
    bar,
    in_records,
    play,
    replaying,
    shown,
    sit,
    spoilt,
)
from tui_casino.engine.chance import CommittedSource
from tui_casino.engine.croupier import ShuffledShoe
from tui_casino.engine.game import Over, Seat, asks
from tui_casino.gamekit.registry import GAMES, Listing
from tui_casino.gamekit.words import Question
from tui_casino.games.video_poker import PARTS
from tui_casino.games.video_poker.machine.game import Bet, Draw, Options
from tui_casino.house.sitting import House, begin
from tui_casino.records import playback
from tui_casino.records.cache import Cache
from tui_casino.records.header import Parent
from tui_casino.records.log import read
from tui_casino.records.replay import Proof, replay, verify
from tui_casino.records.watch import Mark
from tui_casino.tui.look.keys import bindings_of
from tui_casino.tui.modals import Page
from tui_casino.tui.records import keys
from tui_casino.tui.records.replay import ReplayTable
from tui_casino.tui.table.face import face_of
from tui_casino.tui.widgets.bars import MessageLine
from tui_casino.tui.widgets.cards import CardRow
from tui_casino.tui.widgets.key_bar import KeyBar

SOME = 3
"""Choices that are looked at one by one."""
by_game = pytest.mark.parametrize("listing", GAMES, ids=lambda listing: listing.slug)


@pytest.fixture
def house(tmp_path: Path) -> House:
    return practice(tmp_path)


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
        assert type(screen.view) is face_of(listing).view
        for step in played[:25]:
            await press(pilot, "right")
            assert screen.step == step.line.n
            assert screen.view.seen == parts.game.view(step.state, screen.view.seat)
            turn = parts.game.turn(step.state)
            if asks(turn, screen.view.seat) or isinstance(turn, Over):
                assert str(screen.query_one(MessageLine).content)
        await press(pilot, "end")
        assert screen.step == len(played)
        assert screen.view.seen == parts.game.view(played[-1].state, screen.view.seat)
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
        for _ in range(15):
            await press(pilot, "right")
            seen.append(text(pilot.app))
        for before in reversed(seen[:-1]):
            await press(pilot, "left")
            assert text(pilot.app) == before


def test_every_key_has_a_name() -> None:
    bindings = bindings_of(ReplayTable)
    own = [binding for binding in bindings if (binding.id or "").startswith("replay.")]
    assert len({binding.action for binding in own if binding.show}) == 5
    assert len(own) >= len(keys.BINDINGS)


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
        await press(pilot, "1", "d", "enter", "dollar_sign", "colon")
        assert text(pilot.app) == seen
        assert path.read_bytes() == before
        assert [*house.logs.iterdir()] == [path]


async def test_a_log_of_computers_shows_what_its_seat_could_do(house: House) -> None:
    listing = next(listing for listing in GAMES if listing.slug == "cribbage")
    parts, players = listing.parts(), {Seat(0): "random", Seat(1): "random"}
    options, source = parts.game.Options(), CommittedSource(b"c" * 32)
    sitting = begin(house, parts, options, ShuffledShoe(), source, players)
    while not asks(parts.game.turn(sitting.table.state), Seat(0)):
        sitting.table.advance()
    view = sitting.table.view(Seat(0))
    sitting.leave()
    async with replaying(house) as pilot:
        await press(pilot, "end")
        assert shown(pilot.app).view.seen == view
        assert shown(pilot.app).view.offers == parts.game.offers(view, Seat(0)) != ()


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
    with playback.Playback(PARTS, path, Cache(None)) as known:
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
    assert parts.adviser.judge is not None
    assert not parts.adviser.judges_at_once
    house.logs.mkdir()
    path = house.logs / "golden.jsonl"
    shutil.copy(golden(listing).log, path)
    with playback.Playback(parts, path, Cache(None)) as known:
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
    for name in ("playback", "tui_casino.tui.records.replay"):
        module = playback if name == "playback" else __import__(name, fromlist=["EVERY"])
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


@by_game
async def test_each_choice_has_what_the_adviser_would_have_done(
    house: House, listing: Listing
) -> None:
    """Whether it was a mistake or not; nothing where the game has nothing to say."""
    house.logs.mkdir()
    path = house.logs / "golden.jsonl"
    shutil.copy(golden(listing).log, path)
    parts = listing.parts()
    advised = 0
    async with replaying(house, 200, 50) as pilot:
        screen = shown(pilot.app)
        with playback.Playback(parts, path, Cache(None)) as known:
            for step in range(1, known.steps + 1):
                await press(pilot, "right")
                if known.at(step).by != screen.view.seat:
                    continue
                before = known.at(step - 1)
                view = parts.game.view(before.state, screen.view.seat)
                said = parts.words.questions["a"](Question(view, screen.view.seat, before.tally))
                if (mistake := known.mistake(step)) is not None:
                    worth = {"video-poker": 1, "thirty-one": 100}.get(listing.slug)
                    cost = float(mistake.cost)
                    told = f"{cost / worth:.3f}" if worth else f"{cost:.2f} points"
                    assert f"cost {told}, best " in bar(pilot.app)
                elif said is None:
                    assert "adviser" not in bar(pilot.app)
                    continue
                else:
                    assert bar(pilot.app).endswith(f"adviser: {said.splitlines()[0]}")
                advised += 1
                if advised == SOME:
                    break
                await press(pilot, "left", "a")
                page = pilot.app.screen
                assert isinstance(page, Page)
                assert str(page.query_one(Static).content) == said
                await press(pilot, "escape", "right")
    assert advised


async def test_the_adviser_says_where_there_is_nothing_to_choose(house: House) -> None:
    play(house, 1)
    async with replaying(house) as pilot:
        await press(pilot, "end", "a")
        assert "there is nothing to choose here" in bar(pilot.app)


# ---- playing on ---------------------------------------------------------------------------------


async def test_playing_on_from_a_step(tmp_path: Path) -> None:
    """Another hold than then, for practice: the purse and the old log stay as they are."""
    house = with_purse(tmp_path)
    async with opened(arcade(house, fresh=shuffles(1))) as pilot:
        await press(pilot, "1", "space", "1", "space", "escape")
        ledger = house.ledger
        assert ledger is not None
        (path,) = house.logs.glob("*.jsonl")
        purse, before = ledger.purse(ME), path.read_bytes()
        await press(pilot, "r", "enter", *["right"] * 8, "p")
        assert not isinstance(pilot.app.screen, ReplayTable)
        assert "Hold which cards?" in text(pilot.app)
        await press(pilot, "2", "3", "space", "escape")
        assert isinstance(pilot.app.screen, ReplayTable)
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
        assert isinstance(pilot.app.screen, ReplayTable)
        assert "not revealed yet" in bar(pilot.app)
        assert len([*house.logs.iterdir()]) == 1


# ---- looks --------------------------------------------------------------------------------------


async def test_the_last_line_names_five_keys(house: House) -> None:
    play(house)
    async with in_records(house) as pilot:
        assert len([*pilot.app.screen.query_one(KeyBar).placed()]) == 5
        await press(pilot, "enter")
        assert len([*pilot.app.screen.query_one(KeyBar).placed()]) == 5
