"""At what pace a table plays on: cards come quickly, computer players seem to think."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from functools import partialmethod
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from textual.app import App
from textual.pilot import Pilot
from textual.widgets import Static

from tests.games.five_card_draw.test_game import TWO
from tests.helpers.arcade_pilot import (
    arcade,
    hint_text,
    hints,
    practice,
    press,
    run_app,
    send,
    strike,
    strike_until,
    table,
    text,
    text_after,
    until,
)
from tests.helpers.parameter_ids import labelled
from tui_casino.cards.card import parse_hand
from tui_casino.engine.chance import SeededSource
from tui_casino.engine.croupier import FixedShoe
from tui_casino.engine.event_bus import ALL_CARDS
from tui_casino.engine.game import AskSeats, Seat
from tui_casino.engine.table import Table
from tui_casino.gamekit.table_catalog import AnyTableSetup
from tui_casino.games.cribbage.face.table_catalog import CribbageSetup, seating_of
from tui_casino.games.cribbage.machine.state import TRAINING
from tui_casino.games.five_card_draw.brains.players import ALGORITHM
from tui_casino.games.five_card_draw.machine import game
from tui_casino.games.five_card_draw.machine.state import (
    Action,
    Discard,
    Event,
    Options,
    Play,
    Stakes,
    State,
)
from tui_casino.house.settings import Settings
from tui_casino.structs import replace
from tui_casino.tui.table import pacing
from tui_casino.tui.table.background_tasks import NO_MEMORY, BackgroundTasks
from tui_casino.tui.table.pacing import MOST, PACE, THOUGHT, WATCHED, Pacing
from tui_casino.tui.table.snapshot import StatisticsPage

AtTable = Table[Options, State, Action, Event]
MOVING = Settings(animation=True)
LONG = 600.0
CARDS = TWO[:10] + parse_hand("QC QD QH QS JC JD JH JS")


class Tasks:
    """Runs workers as a screen does."""

    def __init__(self) -> None:
        self.last: asyncio.Future[None] | None = None

    def run_worker(self, work: Callable[[], Awaitable[None]], **_: object) -> asyncio.Future[None]:
        self.last = asyncio.ensure_future(work())
        return self.last


class Paces:
    """What a view tells the pacing: the cards after the first ``watched`` ones are watched."""

    is_revealing = False

    def __init__(self, tempo: float = 1.0, lingers: bool = False, watched: int = 1000) -> None:
        self.tempo, self.lingers, self.watched = tempo, lingers, watched

    def watches_next_card(self, state: State) -> bool:
        return sum(map(len, state.hands)) >= self.watched


def pacing_of(table: AtTable, paces: Paces | None = None) -> Pacing[Any, Any, Any, Any]:
    return Pacing(table, paces or Paces())


def draw_table(*computers: int) -> AtTable:
    players = {Seat(seat): ALGORITHM if seat in computers else None for seat in (0, 1)}
    options = Options(opponents=1, stakes=Stakes.ANTE, credit=100)
    return Table(game, options, FixedShoe(CARDS), SeededSource(0), players)


class Rests(list[float]):
    """How long the table has rested each time; it does not really, and comes back so ``late``."""

    now = late = 0.0

    async def rest(self, _: object, seconds: float) -> None:
        self.append(seconds)
        self.now += seconds + (self.late if seconds else 0)


@pytest.fixture
def rests() -> Iterator[Rests]:
    result = Rests()
    resting = partialmethod(lambda pacing, seconds: result.rest(pacing, seconds))
    with (
        patch.object(Pacing, "_rest", resting),
        patch.object(pacing, "monotonic", lambda: result.now),
    ):
        yield result


async def play_on(table: AtTable, paces: Paces | None = None) -> int:
    """Play until the table waits; return how often the player began to wait."""
    thoughts = list[None]()
    await pacing_of(table, paces).play(lambda: thoughts.append(None))
    return len(thoughts)


def test_pause_before_an_opponent_acts_is_0_3_to_0_6_seconds() -> None:
    assert 0.3 <= THOUGHT <= 0.6


async def test_opponent_takes_longer_to_choose_than_a_card_to_appear(rests: Rests) -> None:
    table = draw_table(1)
    table.submit(Seat(0), Play())
    await play_on(table)
    assert isinstance(table.game.turn(table.state), AskSeats)
    assert rests == [PACE] * 10  # the shuffle and ten cards; no rest before the human's turn
    rests.clear()
    table.submit(Seat(0), Discard((5,)))
    assert await play_on(table) == 1
    assert rests == [PACE, THOUGHT, *[PACE] * 3], "a card, her thought, her discard, her cards"


async def pictures(table: AtTable) -> list[int]:
    """Play until the table waits; give how many steps each picture showed that was rested on."""
    plays = pacing_of(table)
    steps, result = 0, list[int]()

    def results(_: object) -> None:
        nonlocal steps
        steps += 1

    rest = Pacing._rest

    async def resting(play: Any, seconds: float) -> None:
        nonlocal steps
        if steps:
            result.append(steps)
        steps = 0
        await rest(play, seconds)

    table.bus.subscribe(ALL_CARDS, results)
    with patch.object(Pacing, "_rest", resting):
        await plays.play(lambda: None)
    return result


@pytest.mark.parametrize("late", [0.0, PACE / 10, PACE / 5], ids=labelled("{} s late"))
async def test_each_dealt_card_is_painted_if_painting_is_hardly_late(
    rests: Rests, late: float
) -> None:
    table = draw_table(1)
    rests.late = late
    table.submit(Seat(0), Play())
    assert await pictures(table) == [1] * 10
    assert rests == [PACE] * 10


async def test_late_painting_shows_several_dealt_cards_together(rests: Rests) -> None:
    table, seen = draw_table(1), list[int]()
    table.bus.subscribe(ALL_CARDS, lambda results: seen.append(sum(map(len, results.state.hands))))
    rests.late = 0.6 * PACE
    table.submit(Seat(0), Play())
    seen.clear()
    assert await pictures(table) == [1, 1, 3, 3]
    assert rests == pytest.approx([PACE, *[3 * PACE] * 3]), "four times as long as it was late"
    assert seen == [0, *range(1, 11)], "and no step is left out"


async def test_very_late_painting_shows_all_due_cards_and_rests_no_longer(rests: Rests) -> None:
    table = draw_table(1)
    rests.late = 3.5 * PACE
    table.submit(Seat(0), Play())
    assert await pictures(table) == [1, 4]
    assert rests == [PACE, MOST * PACE], "however late"


async def test_action_of_a_computer_is_painted_however_late(rests: Rests) -> None:
    table = draw_table(1)
    table.submit(Seat(0), Play())
    await play_on(table)
    rests.clear()
    rests.late = 100 * PACE
    table.submit(Seat(0), Discard((1, 2, 3)))
    assert await pictures(table) == [1, 2, 1], "a card; two more; her discard; her cards"
    assert rests == [PACE, THOUGHT, MOST * PACE]


async def test_cards_and_actions_appear_without_waits_if_animation_is_off(rests: Rests) -> None:
    table = draw_table(1)
    table.submit(Seat(0), Play())
    still = Paces(0.0, lingers=True, watched=0)
    await play_on(table, still)
    table.submit(Seat(0), Discard(()))
    assert await play_on(table, still) == 0
    assert not any(rests)


async def test_cards_of_watched_computers_come_slowly_and_are_announced_once(rests: Rests) -> None:
    table = draw_table(1)
    table.submit(Seat(0), Play())
    assert await play_on(table, Paces(watched=6)) == 1
    assert rests == [PACE] * 6 + [WATCHED] * 4, "the shuffle and five cards; then the watched ones"


async def test_pause_comes_before_the_first_card_of_watched_computers(rests: Rests) -> None:
    table = draw_table(1)
    table.submit(Seat(0), Play())
    assert await play_on(table, Paces(watched=0)) == 1
    assert rests == [WATCHED] * 11, "before the shuffle, and before each of the ten cards"


@pytest.mark.parametrize(("tempo", "name"), [(0.5, "quick"), (1.0, "usual"), (2.0, "slow")])
async def test_speed_setting_changes_every_animation_pause(
    rests: Rests, tempo: float, name: str
) -> None:
    assert Settings(pace=name).tempo == tempo
    assert Settings(pace=name, animation=False).tempo == 0
    table = draw_table(1)
    table.submit(Seat(0), Play())
    await play_on(table, Paces(tempo))
    table.submit(Seat(0), Discard((5,)))
    await play_on(table, Paces(tempo))
    waits = [PACE] * 11 + [THOUGHT] + [PACE] * 3
    assert rests == pytest.approx([tempo * wait for wait in waits])


async def test_last_action_before_the_players_turn_stays_for_a_reading_pause(rests: Rests) -> None:
    """Cards that are dealt after the action count towards its time."""
    table = draw_table(0)
    plays = pacing_of(table, Paces(lingers=True))
    await plays.play(lambda: None)
    turn = table.game.turn(table.state)
    assert turn == AskSeats((Seat(1),))
    thoughts = [place for place, rest in enumerate(rests) if rest == THOUGHT]
    after = rests[thoughts[-1] + 1 :]
    assert sum(after) == pytest.approx(THOUGHT), "the computer's cards, and the rest of the time"
    assert not plays.lingers, "it is over"


async def test_opponent_who_chooses_simultaneously_adds_no_pause() -> None:
    """What he chooses is hidden until all have chosen: there is nothing to look at."""
    table = draw_table(1)
    plays = pacing_of(table)
    table.submit(Seat(0), Play())
    table.run()
    table.submit(Seat(0), Discard(()))
    assert plays.thinking_time == THOUGHT
    with patch.object(game, "turn", lambda state: AskSeats((Seat(0), Seat(1)))):
        assert plays.thinking_time == 0


async def test_any_key_skips_animation_pauses_until_the_players_turn(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(pacing, "THOUGHT", LONG)
    monkeypatch.setattr(pacing, "PACE", LONG)
    table = draw_table(1)
    table.submit(Seat(0), Play())
    table.run()
    table.submit(Seat(0), Discard(()))
    plays = pacing_of(table)
    playing = asyncio.ensure_future(plays.play(lambda: None))
    for _ in range(20):
        await asyncio.sleep(0)
    assert plays.is_dealing, "she seems to think"
    assert plays.skip_motion()
    await asyncio.wait_for(playing, 20)
    assert table.waiting
    assert not plays.skip_motion(), "nothing moves"


# ---- computers among themselves ------------------------------------------------------------------


def watched() -> AnyTableSetup:
    return seating_of(CribbageSetup(TRAINING, ("random", "random"), java=55510))


async def at_watched(pilot: Pilot[None]) -> Pacing[Any, Any, Any, Any]:
    plays: Pacing[Any, Any, Any, Any] = table(pilot.app).pacing
    await until(pilot, lambda: plays.is_running)
    return plays


async def test_space_pauses_and_resumes_watched_computers(tmp_path: Path) -> None:
    app = arcade(practice(tmp_path), settings=MOVING, game="cribbage", seating=watched())
    with patch.object(pacing, "PACE", LONG):
        async with app.run_test(size=(80, 24)) as pilot:
            await until(pilot, lambda: len(app.screen_stack) > 1)
            plays = await at_watched(pilot)
            await until(pilot, lambda: "Pause" in text(app))
            assert plays.is_spectated
            await strike(pilot, "z")
            assert plays.pace == LONG, "no other key hurries them"
            await strike(pilot, "escape")
            await strike(pilot, "space")
            assert not plays.is_running
            await until(pilot, lambda: "Continue" in text(app))
            steps = table(app).sitting.log.steps
            await strike(pilot, "space")
            await until(pilot, lambda: plays.is_running and table(app).sitting.log.steps > steps)
            await until(pilot, lambda: "Pause" in text(app))
            table(app).pause_table()


async def test_watched_computers_play_to_the_end_without_animation(tmp_path: Path) -> None:
    async with run_app(arcade(practice(tmp_path), game="cribbage", seating=watched())) as pilot:
        assert table(pilot.app).table.waiting
        await press(pilot, "escape")


# ---- what is worked out meanwhile ----------------------------------------------------------------


async def test_result_of_a_cancelled_background_task_is_not_delivered() -> None:
    owner: Any = Tasks()
    tasks, results = BackgroundTasks(owner), list[int]()
    assert not tasks.cancel("odds")
    tasks.run("odds", lambda: 1, results.append, lambda: True)
    assert tasks.cancel("odds", "advice")
    assert not tasks.cancel("odds"), "once"
    tasks.run("odds", lambda: 2, results.append, lambda: True)
    assert owner.last is not None
    await owner.last
    assert results == [2]
    assert not tasks.cancel("odds"), "it has been told"


async def test_outdated_result_of_a_background_task_is_not_delivered() -> None:
    owner: Any = Tasks()
    tasks, results = BackgroundTasks(owner), list[int]()
    tasks.run("odds", lambda: 1, results.append, lambda: False)
    await owner.last
    assert results == []
    assert not tasks.cancel("odds")


async def test_background_task_out_of_memory_does_not_stop_the_next(tmp_path: Path) -> None:
    """A server limits the memory of each session; what waits behind it is still worked out."""

    def too_much() -> int:
        raise MemoryError

    results = list[int]()
    async with run_app(arcade(practice(tmp_path), game="baccarat")) as pilot:
        tasks = table(pilot.app).tasks
        tasks.enqueue("odds", too_much, results.append)
        tasks.enqueue("odds", lambda: 2, results.append)
        await until(pilot, lambda: results == [2])
        assert NO_MEMORY in text(pilot.app)


async def test_statistics_that_run_out_of_memory_show_a_message(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def too_much() -> str:
        raise MemoryError

    async with run_app(arcade(practice(tmp_path), game="baccarat")) as pilot:
        face, page = table(pilot.app).face, StatisticsPage("rounds 0", too_much, {}, (40, 80))
        pages = replace(face.pages, statistics=lambda _: page)
        monkeypatch.setattr(table(pilot.app), "face", replace(face, pages=pages))
        assert NO_MEMORY in await text_after(pilot, "f2")
        await press(pilot, "escape")
        assert table(pilot.app)


async def test_bankroll_appears_with_the_expected_figures_and_is_not_pushed_down(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    early = list[str]()

    async with run_app(arcade(practice(tmp_path), game="baccarat")) as pilot:

        def expected() -> str:
            early.append(str(pilot.app.screen.query_one("#plot", Static).content))
            return "expected 1"

        face, page = table(pilot.app).face, StatisticsPage("rounds 0", expected, {}, (40, 80))
        pages = replace(face.pages, statistics=lambda _: page)
        monkeypatch.setattr(table(pilot.app), "face", replace(face, pages=pages))
        shown = await text_after(pilot, "f2")
        assert early == [""]
        assert shown.index("rounds 0") < shown.index("expected 1") < shown.index("Bankroll")


# ---- keys that come too early --------------------------------------------------------------------


async def test_key_pressed_during_the_deal_acts_after_it_if_possible(tmp_path: Path) -> None:
    app = arcade(practice(tmp_path), settings=MOVING, game="baccarat", seed=7)
    with patch.object(pacing, "PACE", LONG):
        async with app.run_test(size=(80, 24)) as pilot:
            await until(pilot, lambda: len(app.screen_stack) > 1)
            await until(pilot, lambda: table(app).pacing.is_dealing)
            await strike_until(pilot, "2", lambda: any(table(app).view.seen.bets))
            assert table(app).view.seen.bets[1] == 5
            await strike_until(pilot, "d", lambda: table(app).pacing.is_dealing)
            await strike_until(pilot, "c", lambda: table(app).table.waiting)
            assert hint_text(app) == "told c only sped up the deal.", "there is nothing to clear"
            await strike_until(pilot, "d", lambda: table(app).pacing.is_dealing)
            await strike_until(pilot, "r", lambda: any(table(app).view.seen.bets))
            assert table(app).view.seen.bets[1] == 5
            assert not hint_text(app)
            await strike_until(pilot, "d", lambda: table(app).pacing.is_dealing)
            await strike_until(pilot, "space", lambda: table(app).table.waiting)
            assert not hint_text(app), "which is what it was called"


async def test_burst_of_spaces_deals_once_and_leaves_no_refusal(tmp_path: Path) -> None:
    app = arcade(practice(tmp_path), settings=MOVING, game="video-poker", seed=7)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: len(app.screen_stack) > 1 and table(app).table.waiting)
        for _ in range(6):
            send(pilot, "space")
        await until(pilot, lambda: table(app).view.awaited and table(app).view.seen.hand)
        assert not hint_text(app)
        assert hints(app)[0] == "space Draw 5"


def hand_of(app: App[None]) -> tuple[object, ...]:
    cards: tuple[object, ...] = table(app).view.seen.hands[0].cards
    return cards


async def test_keys_during_a_deal_switch_the_trainer_and_then_hit(tmp_path: Path) -> None:
    app = arcade(practice(tmp_path), settings=MOVING, game="thirty-one", seed=7)
    with patch.object(pacing, "PACE", LONG):
        async with app.run_test(size=(80, 24)) as pilot:
            await until(pilot, lambda: len(app.screen_stack) > 1)
            await until(pilot, lambda: table(app).table.waiting)
            await strike_until(pilot, "space", lambda: table(app).pacing.is_dealing)
            for key in "th":
                await strike(pilot, key)
            await until(pilot, lambda: table(app).view.trains)
            await until(pilot, lambda: len(hand_of(app)) == 2)
