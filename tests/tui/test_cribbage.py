"""Cribbage played as a player plays it: by keys, by typed commands, with the mouse."""

from __future__ import annotations

import re
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from fractions import Fraction
from itertools import count
from pathlib import Path
from time import monotonic
from typing import Any
from unittest.mock import patch

import pytest
from textual.events import Key
from textual.pilot import Pilot
from textual.widgets import Static

from tests.games.cribbage.test_home_made_rules import HOME_MADE, SENTENCE
from tests.helpers.arcade_pilot import (
    STILL,
    arcade,
    clock,
    message_after,
    message_text,
    practice,
    press,
    press_until,
    run_app,
    screen_after,
    send,
    settle,
    state,
    strike,
    strike_until,
    table,
    text,
    text_after,
    type_line,
    until,
)
from tests.helpers.parameter_ids import labelled
from tests.tui.test_cribbage_end import view as current_view
from tui_casino.engine.game import Seat
from tui_casino.engine.offers import has_choice
from tui_casino.gamekit.adviser import Adviser, Mistake
from tui_casino.games.cribbage import DEFINITION
from tui_casino.games.cribbage.face.counting import count_aloud
from tui_casino.games.cribbage.face.table_catalog import CribbageSetup, seating_of
from tui_casino.games.cribbage.face.table_view import COUNTING_PACE, WEIGHING_MESSAGE
from tui_casino.games.cribbage.machine import state as machine_state
from tui_casino.games.cribbage.machine.rules import ACC, RULE_SETS
from tui_casino.games.cribbage.machine.state import (
    TRAINING,
    Action,
    CountingMode,
    Discard,
    GameForm,
    GameOver,
    Lay,
    Options,
    Phase,
    RoundOver,
    State,
)
from tui_casino.house.settings import Settings, load
from tui_casino.records.session_log import read_log
from tui_casino.structs import replace
from tui_casino.tui.modals import TextPage
from tui_casino.tui.table.hot_seat_screen import HotSeatScreen, NamesDialog
from tui_casino.tui.table.listed_view import PRIMARY
from tui_casino.tui.table.live import READING_SECONDS, LiveTable
from tui_casino.tui.table.snapshot import FiguresPage
from tui_casino.tui.table.statistics_screen import StatisticsScreen

DATA = Path(__file__).parents[1] / "data" / "cribbage"
RANDOM = ("random", "random")
TWO = ("human", "human")
GREEDY = ("greedy", "human")


@asynccontextmanager
async def at_cribbage(
    folder: Path, setup: CribbageSetup, size: tuple[int, int] = (80, 24), settings: Settings = STILL
) -> AsyncIterator[Pilot[None]]:
    house = practice(folder)
    app = arcade(house, settings=settings, game="cribbage", seating=seating_of(setup))
    async with run_app(app, *size) as pilot:
        yield pilot


def refused(pilot: Pilot[None]) -> str:
    """Give what stands in place of the hints: the word, why, and what would be right."""
    line = table(pilot.app).line
    message = line.meaning if line.value else line.current_message
    return " ".join(filter(None, (message.word, message.text, message.details))) if message else ""


def first_hint(pilot: Pilot[None]) -> str:
    """Give the key that leads, and what it does."""
    hint = table(pilot.app).line.hints[0]
    return f"{hint.display} {hint.words}"


async def play_a_round(pilot: Pilot[None]) -> None:
    """Discard two cards, play the others and count all hands."""
    await type_line(pilot, "x 4 6")
    await to_the_show(pilot)
    while state(pilot).phase is Phase.SHOW:
        await press(pilot, "space")


async def to_the_show(pilot: Pilot[None]) -> None:
    """Lay the first card that may be laid until all are."""
    while state(pilot).phase is Phase.PLAY:
        able = state(pilot).playable(Seat(1))
        places = [state(pilot).hands[1].index(card) + 1 for card in able]
        await press(pilot, str(min(places)) if places else "g")


async def test_cribbage_round_is_played_with_the_key_named_by_each_hint(tmp_path: Path) -> None:
    async with at_cribbage(tmp_path, CribbageSetup(TRAINING, java=55510)) as pilot:
        assert "seed 55510" in text(pilot.app)
        assert "You deal. Which two for your crib?" in message_text(pilot.app)
        assert "You get A♦ A♥ 10♦ J♠ Q♥ K♣" in text(pilot.app)
        assert first_hint(pilot) == "1-6 Mark"
        assert current_view(pilot).binding_label(PRIMARY) == "Discard 2"
        await press(pilot, "space")  # none is marked yet
        assert refused(pilot).startswith("space first mark 2 (keys 1 to 6).")
        await press(pilot, "4", "6", "5")
        assert refused(pilot) == "5 you can mark at most 2"
        assert text(pilot.app).count(" CRIB ") == 2
        assert first_hint(pilot) == "space Discard J♠ K♣"
        await press(pilot, "space")
        view = state(pilot)
        assert view.phase is Phase.PLAY
        assert {str(card) for card in view.discards[1]} == {"JS", "KC"}
        assert f"count {view.count} of 31" in text(pilot.app)
        assert first_hint(pilot) == "1-4 Play", "no more cards lie there"
        await to_the_show(pilot)
        assert state(pilot).phase is Phase.SHOW
        assert first_hint(pilot) == "space Next hand"
        await press(pilot, "space", "space")
        assert first_hint(pilot) == "space On to the crib"
        await press(pilot, "space")
        assert state(pilot).phase is Phase.OVER
        assert first_hint(pilot) == "space Next round"


async def test_burst_of_keys_at_the_cribbage_table_acts_in_order(tmp_path: Path) -> None:
    async with at_cribbage(tmp_path, CribbageSetup(TRAINING, java=55510)) as pilot:
        for key, letter in (("4", "4"), ("6", "6"), ("space", " ")):
            pilot.app.post_message(Key(key, letter))
        await settle(pilot)
        assert state(pilot).phase is Phase.PLAY, "space came behind the marks that it needs"
        assert refused(pilot) == ""


async def test_typed_commands_play_a_cribbage_round_to_its_end(tmp_path: Path) -> None:
    async with at_cribbage(tmp_path, CribbageSetup(TRAINING, java=55510)) as pilot:
        await type_line(pilot, "x 1 1")
        assert refused(pilot) == "x give two different numbers from 1 to 6"
        await type_line(pilot, "x 4 6")
        assert state(pilot).phase is Phase.PLAY
        await type_line(pilot, "p 9")
        assert refused(pilot) == "p play one of 1) AD 2) AH 3) TD 4) QH"
        await type_line(pilot, "p 3")
        assert any(placed.seat == 1 for placed in state(pilot).laid)
        await press(pilot, "3")
        assert refused(pilot) == "3 10♦ has been played. You can play 1 A♦, 2 A♥."
        assert "Your cards: 1) AD 2) AH 4) QH" in await message_after(pilot, "h")


async def test_mouse_clicks_play_a_cribbage_round_to_its_end(tmp_path: Path) -> None:
    async with at_cribbage(tmp_path, CribbageSetup(TRAINING, java=55510)) as pilot:
        await click(pilot, 4)
        await click(pilot, 6, times=2)
        assert current_view(pilot).selection == (4, 6), "the second click of two takes no mark away"
        await click(pilot, 6, times=2)
        assert {*current_view(pilot).selection} == {4, 6}, "nor do both"
        await click(pilot, 4)
        assert current_view(pilot).selection == (6,)
        await pilot.click(
            current_view(pilot).own,
            offset=(current_view(pilot).own.hand_layout.hand[0], 2),
            button=3,
        )
        assert current_view(pilot).selection == (6,), "the other buttons select nothing"
        await click(pilot, 4, times=3)
        await press(pilot, "space")
        assert {str(card) for card in state(pilot).discards[1]} == {"JS", "KC"}
        await click(pilot, 4)
        assert current_view(pilot).selection == (4,)
        assert first_hint(pilot) == "space Play Q♥"
        await click(pilot, 1)
        assert current_view(pilot).selection == (1,), "one card is laid"
        await click(pilot, 4, times=2)
        assert [str(placed.card) for placed in state(pilot).laid if placed.seat] == ["QH"]
        await click(pilot, 4, times=2)
        assert refused(pilot).startswith("4 Q♥ has been played.")
        await click(pilot, 1)
        await press(pilot, "space")
        assert [str(placed.card) for placed in state(pilot).laid if placed.seat] == ["QH", "AD"]


async def click(pilot: Pilot[None], place: int, times: int = 1) -> None:
    """Click on a card of the hand, so many times in a row."""
    own = current_view(pilot).own
    pilot.app._click_chain_last_time = None  # what was clicked before is long ago
    await pilot.click(own, offset=(own.hand_layout.hand[place - 1] + 2, 2), times=times)
    await settle(pilot)


async def test_cribbage_points_are_shown_next_to_each_hand(tmp_path: Path) -> None:
    async with at_cribbage(tmp_path, CribbageSetup(TRAINING, java=55510)) as pilot:
        view = current_view(pilot)
        assert view.other.region.y < view.upper.region.y < view.own.region.y
        await type_line(pilot, "x 4 6")
        while max(state(pilot).points) == 0:
            able = state(pilot).playable(Seat(1))
            places = [state(pilot).hands[1].index(card) + 1 for card in able]
            await press(pilot, str(max(places)) if places else "g")
        first, second = state(pilot).points
        assert view.other.content.points == first
        assert view.own.content.score == ("YOU", second)
        rows = [row.strip() for row in text(pilot.app).split("\n")]
        assert rows[1].startswith(f"Random {first}")
        (named,) = (n for n, row in enumerate(rows) if " YOU " in row and n > view.own.region.y)
        assert f" {second} " in rows[named + 1]


@pytest.mark.parametrize("seed", [55510, 12345], ids=labelled("seed {}"))
async def test_cribbage_screen_of_two_random_players_writes_the_course_log(
    tmp_path: Path, seed: int
) -> None:
    log = tmp_path / "cribbage.log"
    async with at_cribbage(tmp_path, CribbageSetup(TRAINING, RANDOM, java=seed, log=log)) as pilot:
        assert "North has " in message_text(pilot.app)
        assert ": the round is over." in message_text(pilot.app)
        first, second = state(pilot).points
        assert f"SOUTH {second} · NORTH {first}" in text(pilot.app)
        assert f"North {first}" in text(pilot.app)
    assert log.read_bytes() == (DATA / f"seed-{seed}.log").read_bytes()


async def test_cribbage_log_contains_the_cards_on_the_screen_at_each_deal(tmp_path: Path) -> None:
    log = tmp_path / "cribbage.log"
    log.write_text("an older log\n")

    def logged_as_dealt() -> bool:
        shown, deals = state(pilot), log.read_text().splitlines()[3:5]
        return all(
            {*deal.removeprefix(f"deal,P{seat},[").removesuffix("]").split(",")}
            == {str(card) for card in (*shown.hands[seat], *shown.discards[seat])}
            for seat, deal in enumerate(deals)
        )

    async with at_cribbage(tmp_path, CribbageSetup(TRAINING, java=55510, log=log)) as pilot:
        assert logged_as_dealt()
        await play_a_round(pilot)
        assert ": the round is over." in message_text(pilot.app)
        await press(pilot, "f5")
        assert logged_as_dealt(), "the same cards again"
        await play_a_round(pilot)
        await press(pilot, "space")
        assert logged_as_dealt(), "the next round"


async def test_trainer_from_the_menu_replaces_an_older_log_at_the_deal(tmp_path: Path) -> None:
    log = tmp_path / "cribbage.log"
    log.write_text("an older log\n")
    seating = seating_of(CribbageSetup(TRAINING))
    app = arcade(practice(tmp_path), settings=STILL, game="cribbage", seating=seating)
    async with run_app(app, 80, 24):
        assert log.read_text().splitlines()[3].startswith("deal,P0,")


@pytest.mark.prove
async def test_space_pauses_a_cribbage_game_of_two_computers(tmp_path: Path) -> None:
    seating = seating_of(CribbageSetup(TRAINING, RANDOM, java=7))
    moving = Settings(animation=True)
    app = arcade(practice(tmp_path), settings=moving, game="cribbage", seating=seating)
    with patch("tui_casino.tui.table.pacing.PACE", 0.01):
        async with app.run_test(size=(80, 24)) as pilot:
            await until(pilot, lambda: isinstance(pilot.app.screen, LiveTable))
            await until(pilot, lambda: bool(state(pilot).laid))
            await strike(pilot, "space")
            assert first_hint(pilot) == "space Continue"
            laid = state(pilot).laid
            await settle(pilot)  # until nothing happens by itself
            assert state(pilot).laid == laid
            await strike_until(pilot, "space", lambda: state(pilot).phase is Phase.OVER)
            await settle(pilot)
            assert first_hint(pilot) == "space Next round"


async def test_hand_is_counted_on_the_screen_one_combination_at_a_time(tmp_path: Path) -> None:
    moving = Settings(animation=True)
    setup = CribbageSetup(TRAINING, java=12345)
    async with at_cribbage(tmp_path, setup, settings=moving) as pilot:
        with patch("tui_casino.tui.table.pacing.PACE", 0.0):
            await type_line(pilot, "x 1 2")
            await to_the_show(pilot)
            with patch("tui_casino.games.cribbage.face.table_view.COUNTING_PACE", 0.01):
                while current_view(pilot).page is None:
                    await strike(pilot, "space")
                    await settle(pilot)
                await until(pilot, lambda: not current_view(pilot).show_progress.has_hidden_rows)
                (scores,) = {page.scores for page in current_view(pilot).show_progress.pages}
                await until(pilot, lambda: count_aloud(scores) in message_text(pilot.app))
    assert COUNTING_PACE > 0.1


async def test_hidden_cards_of_a_game_are_not_written_as_question_marks(tmp_path: Path) -> None:
    options = Options()
    async with at_cribbage(tmp_path, CribbageSetup(options, GREEDY)) as pilot:
        assert "??" not in text(pilot.app)
        assert "to 121, ACC rules, against Greedy" in text(pilot.app)
        assert "first street, to 121" in text(pilot.app)
        assert options.form is GameForm.GAME


async def counting(pilot: Pilot[None], discard: str) -> None:
    """Play up to the player's own count."""
    await type_line(pilot, discard)
    await to_the_show(pilot)
    for _ in range(3):
        if "How many points" in message_text(pilot.app):
            return
        await press(pilot, "space")
    raise AssertionError(message_text(pilot.app))


async def test_points_missed_by_a_typed_count_are_shown_until_space(tmp_path: Path) -> None:
    """The hand is A♥ 10♦ Q♥ K♣ with J♥: a run of four, and no fifteen."""
    options = Options(counting=CountingMode.MUGGINS)
    async with at_cribbage(tmp_path, CribbageSetup(options, GREEDY, java=55510)) as pilot:
        await counting(pilot, "x 1 4")
        assert message_text(pilot.app).endswith("How many points in your hand?")
        assert first_hint(pilot) == "c Count"
        await press(pilot, "space")
        assert refused(pilot).startswith("space count first: type the points.")
        await type_line(pilot, "c 122")
        assert refused(pilot) == "c give a number from 0 to 121"
        before = state(pilot).points
        await type_line(pilot, "c 0")
        assert state(pilot).points == (before[0] + 4, before[1])
        missed = "! You counted 0, but it is 4. 4 missed, and Greedy calls muggins: 4 to Greedy."
        assert message_text(pilot.app) == missed
        assert "✗ run of four" in text(pilot.app)
        assert "COUNTED RIGHT 0 of 1   GIVEN AWAY 4" in text(pilot.app)
        await press(pilot, "1")
        assert refused(pilot).startswith("1 press space to continue first.")
        assert message_text(pilot.app) == missed
        assert first_hint(pilot) == "space On to the crib"
        assert await message_after(pilot, "space") == "How many points in your crib?"


async def test_count_typed_ahead_applies_to_the_next_hand(tmp_path: Path) -> None:
    options = Options(counting=CountingMode.SELF)
    async with at_cribbage(tmp_path, CribbageSetup(options, GREEDY, java=55510)) as pilot:
        await counting(pilot, "x 1 4")
        await type_line(pilot, "c 4")
        assert message_text(pilot.app) == "You counted 4, which is right."
        await type_line(pilot, "c 29")
        assert "too many" in message_text(pilot.app)
        assert first_hint(pilot) == "space Next deal"


async def test_typed_digits_enter_the_count_of_a_cribbage_hand(tmp_path: Path) -> None:
    """Each digit opens the line, also one that has no card; elsewhere digits choose cards."""
    options = Options(counting=CountingMode.SELF)
    async with at_cribbage(tmp_path, CribbageSetup(options, GREEDY, java=55510)) as pilot:
        await press(pilot, "0")
        assert not table(pilot.app).line.value
        await counting(pilot, "x 1 4")
        for digit in "0123456789":
            await press(pilot, digit)
            assert table(pilot.app).line.value == f"c {digit}"
            await press(pilot, "escape")
            assert not table(pilot.app).line.value
        assert await message_after(pilot, "4", "enter") == "You counted 4, which is right."
        await press(pilot, "space")
        for digit in "29":  # at once, as a quick player types
            send(pilot, digit)
        assert "You counted 29" in await message_after(pilot, "enter")
        assert "too many" in message_text(pilot.app)


async def test_end_of_a_cribbage_round_is_shown_after_the_last_count(tmp_path: Path) -> None:
    options = replace(TRAINING, counting=CountingMode.SELF)
    async with at_cribbage(tmp_path, CribbageSetup(options, java=55510)) as pilot:
        await counting(pilot, "x 1 2")
        await type_line(pilot, "c 0")
        await type_line(pilot, "c 0")
        assert state(pilot).phase is Phase.OVER
        assert message_text(pilot.app).startswith("! You counted 0, but it is ")
        assert ": the round is over." in await message_after(pilot, "space")
        assert first_hint(pilot) == "space Next round"


async def test_end_of_a_cribbage_game_names_winner_and_margin(tmp_path: Path) -> None:
    """The winner is congratulated; for the loser nothing is wrong either."""
    async with at_cribbage(tmp_path, CribbageSetup(Options(), GREEDY)) as pilot:
        view = current_view(pilot)
        for winner, text in (
            (1, "★ You win 121 to 85 by a skunk. ★"),
            (0, "Greedy wins 121 to 85 by a skunk."),
        ):
            points = (121, 85) if winner == 0 else (85, 121)
            view.seen = replace(view.seen, phase=Phase.OVER, winner=winner, points=points)
            view.events = [RoundOver(points), GameOver(winner, points, 2)]
            view.show_ending("a player has 121 points")
            assert message_text(pilot.app) == text


async def test_trainer_ranks_all_cribbage_discards_and_arrows_select_them(tmp_path: Path) -> None:
    async with at_cribbage(tmp_path, CribbageSetup(TRAINING, java=55510)) as pilot:
        assert "ALL DISCARDS" not in text(pilot.app)
        await press_until(pilot, lambda: "ALL DISCARDS" in text(pilot.app), "t")
        assert "A without a suit: any suit" in text(pilot.app)
        await press(pilot, "down")
        assert current_view(pilot).selection == (1, 2)
        assert "A♦ A♥ is the best" in message_text(pilot.app)
        assert "A♦ 10♦ costs 2.90" in await message_after(pilot, "down")
        assert "costs 6.5" in await message_after(pilot, "up", "up"), "from the first to the last"
        await press(pilot, "1", "3")
        assert current_view(pilot).selection == (3, 4), "the arrow had marked an ace and the jack"
        for _ in range(2):  # the first time warns
            await type_line(pilot, "x 3 5")
        await until(pilot, lambda: re.search(r"\n +EV ", text(pilot.app)))
        assert "MISTAKES 1 cost " in text(pilot.app)
        assert not re.search(r"\n +EV ", await text_after(pilot, "t"))


async def test_trainer_says_at_the_table_that_it_does_not_know_home_made_rules(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pub = HOME_MADE["another rule of the show"]
    monkeypatch.setattr(machine_state, "RULE_SETS", {**RULE_SETS, pub.name: pub})
    options = replace(TRAINING, rules=pub.name)
    async with at_cribbage(tmp_path, CribbageSetup(options, java=55510)) as pilot:
        question = message_text(pilot.app)
        await press_until(pilot, lambda: SENTENCE in message_text(pilot.app), "t")
        assert message_text(pilot.app) == f"{question} {SENTENCE}"
        await press_until(pilot, lambda: message_text(pilot.app) == SENTENCE, "a")
        await press_until(pilot, lambda: isinstance(pilot.app.screen, TextPage), "o")
        await settle(pilot)
        assert SENTENCE in str(pilot.app.screen.query_one(".window Static", Static).content)
        await press(pilot, "escape")
        await play_a_round(pilot)
        totals = current_view(pilot).totals
        assert (totals.choices, totals.mistakes, totals.postponed) == (0, 0, ())


async def test_cribbage_prompt_returns_after_advice_on_a_page(tmp_path: Path) -> None:
    async with run_app(arcade(practice(tmp_path), game="cribbage", seed=7), 60, 24) as pilot:
        await press_until(pilot, lambda: isinstance(pilot.app.screen, LiveTable), "enter")
        prompt = message_text(pilot.app)
        await press_until(pilot, lambda: isinstance(pilot.app.screen, TextPage), "a")
        assert message_text(pilot.app) == prompt


async def test_cribbage_table_shows_advice_odds_and_the_cost_of_a_mistake(tmp_path: Path) -> None:
    async with at_cribbage(tmp_path, CribbageSetup(TRAINING, java=55510), size=(132, 43)) as pilot:
        await press_until(pilot, lambda: "Best discards" in message_text(pilot.app), "t", "a")
        assert "A♦ A♥ +" in message_text(pilot.app)
        await press_until(pilot, lambda: isinstance(pilot.app.screen, TextPage), "o")
        await settle(pilot)
        page = pilot.app.screen.query_one(".window Static", Static)
        assert str(page.content).count("♣") == 5, "all fifteen discards are told"
        await press(pilot, "escape")
        for _ in range(2):  # the first time warns
            await type_line(pilot, "x 3 5")
        await until(pilot, lambda: current_view(pilot).totals.mistakes)
        cost = float(current_view(pilot).totals.cost)
        assert cost > 0
        await until(pilot, lambda: f"{cost:.2f}" in text(pilot.app))
        assert f"−{cost:.2f}. Best: discard A♦ and A♥" in message_text(pilot.app)


async def test_second_space_plays_the_card_that_the_trainer_warned_about(tmp_path: Path) -> None:
    async with at_cribbage(tmp_path, CribbageSetup(TRAINING, java=55510)) as pilot:
        await press(pilot, "t")
        for _ in range(2):  # the first time warns
            await type_line(pilot, "x 3 5")
        await until(pilot, lambda: current_view(pilot).is_offered(Lay))
        await until(pilot, lambda: current_view(pilot).knows_values)
        seen = current_view(pilot).seen
        worst = DEFINITION.adviser.values(seen, Seat(1))[-1].action
        assert isinstance(worst, Lay)
        assert (await message_after(pilot, str(worst.place))).endswith("Again: do it")
        assert current_view(pilot).seen is seen
        await press(pilot, "space")
        card = seen.hands[1][worst.place - 1]
        await until(pilot, lambda: card not in current_view(pilot).seen.unplayed(1))


async def test_marking_a_cribbage_card_cancels_slow_odds(tmp_path: Path) -> None:
    enough = threading.Event()

    def slow(glance: object) -> FiguresPage:
        assert enough.wait(10)
        return FiguresPage("odds", ("one",))

    async with at_cribbage(tmp_path, CribbageSetup(TRAINING, java=55510)) as pilot:
        screen = table(pilot.app)
        pages = replace(screen.face.pages, figures=slow)
        screen.face = replace(screen.face, pages=pages)
        question = message_text(pilot.app)
        await strike_until(pilot, "o", lambda: message_text(pilot.app) == WEIGHING_MESSAGE)
        await strike_until(pilot, "1", lambda: message_text(pilot.app) == question)
        enough.set()
        await settle(pilot)
        assert pilot.app.screen is screen


async def test_u_takes_back_a_cribbage_choice_to_be_made_again(tmp_path: Path) -> None:
    async with at_cribbage(tmp_path, CribbageSetup(TRAINING, java=55510)) as pilot:
        await press(pilot, "u")
        assert refused(pilot) == "u you have not made a choice yet."
        await type_line(pilot, "x 1 2")
        await type_line(pilot, "p 1")
        first = state(pilot)
        await press(pilot, "u", "u")
        assert state(pilot).phase is Phase.DISCARD
        assert "You get A♦ A♥ 10♦ J♠ Q♥ K♣" in text(pilot.app)
        await type_line(pilot, "x 4 6")
        assert state(pilot).discards[1] != first.discards[1]
        assert state(pilot).discards[0] == first.discards[0]
    parents = [read_log(path).header.parent for path in tmp_path.rglob("*.jsonl")]
    assert sum(parent is not None for parent in parents) == 2


async def test_comparison_of_undone_choices_names_their_cards(tmp_path: Path) -> None:
    async with at_cribbage(tmp_path, CribbageSetup(TRAINING, java=55510)) as pilot:
        await press(pilot, "U")
        await until(pilot, lambda: refused(pilot) == "U no choice was undone in this position.")
        await type_line(pilot, "x 3 5")
        await press(pilot, "u")
        await type_line(pilot, "x 1 2")
        await press_until(pilot, lambda: isinstance(pilot.app.screen, TextPage), "U")
        text = str(pilot.app.screen.query_one(".window Static", Static).content)
        assert "discard 10♦ Q♥  costs " in text
        assert "best: discard A♦ A♥" in text
        assert "discard A♦ A♥   no mistake" in text


async def test_cribbage_table_statistics_continue_in_the_next_round(tmp_path: Path) -> None:
    async with at_cribbage(tmp_path, CribbageSetup(TRAINING, java=55510)) as pilot:
        await type_line(pilot, "x 4 6")
        await to_the_show(pilot)
        await press(pilot, "space", "space", "space")
        first = current_view(pilot).snapshot().tally
        assert first.rounds == 1
        await press(pilot, "space")
        assert state(pilot).phase is Phase.DISCARD
        assert current_view(pilot).snapshot().tally == first
        await type_line(pilot, "x 1 2")
        await press(pilot, "u")
        assert current_view(pilot).snapshot().tally == first, (
            "what was taken back does not count twice"
        )
        await type_line(pilot, "x 1 2")
        await to_the_show(pilot)
        await press(pilot, "space", "space", "space")
        assert current_view(pilot).snapshot().tally.rounds == 2
        assert isinstance(await screen_after(pilot, "f2"), StatisticsScreen)
        assert re.search(r"Rounds +2", text(pilot.app))
        assert re.search(r"In hands +▄+ +\d", text(pilot.app))
        assert "Bankroll" not in text(pilot.app)


async def test_f5_deals_the_same_round_and_f4_changes_the_table(tmp_path: Path) -> None:
    async with at_cribbage(tmp_path, CribbageSetup(TRAINING, java=55510)) as pilot:
        await type_line(pilot, "x 4 6")
        dealt = state(pilot).hands[0]
        await press(pilot, "f5")
        assert state(pilot).phase is Phase.DISCARD
        assert set(dealt) < {*state(pilot).hands[0], *state(pilot).discards[0]}
        await play_a_round(pilot)
        assert ": the round is over." in message_text(pilot.app)
        assert "seed 55510" in text(pilot.app)
        await press(pilot, "space")
        assert state(pilot).phase is Phase.DISCARD
        assert "seed 55510" not in text(pilot.app), "the next round has other cards"
        assert "to 121, ACC rules" in await text_after(pilot, "f4", *["down"] * 4, "enter")
        await press(pilot, "f5")
        assert refused(pilot) == "F5 only a round of the trainer can be dealt again."
        await press(pilot, "f4", "down", "enter", "f4")
        (place,) = (row for row in text(pilot.app).split("\n") if "current" in row)
        assert "against the expert" in place, "the same game as against the greedy one"


async def test_cribbage_command_at_the_wrong_moment_is_refused(tmp_path: Path) -> None:
    """The words of the console, which lists what may be typed, are not said on the screen."""
    async with at_cribbage(tmp_path, CribbageSetup(TRAINING, java=55510)) as pilot:
        await type_line(pilot, "p 1")
        assert refused(pilot).startswith("p not available now. Which two for ")


# ---- two at one keyboard -----------------------------------------------------------------------


def not_for(pilot: Pilot[None], eyes: Seat | None) -> list[str]:
    """Give the cards in play that these eyes must not see, as they are drawn."""
    state, seen = table(pilot.app).table.state, table(pilot.app).table.view(eyes)
    every = {*state.hands[0], *state.hands[1], *state.discards[0], *state.discards[1]}
    known = {*seen.hands[0], *seen.hands[1], *seen.discards[0], *seen.discards[1]}
    return [card.symbol for card in every - known]


async def by_turns(pilot: Pilot[None], turns: int) -> AsyncIterator[Seat]:
    """Play so many turns, and give who is at the table each time."""
    for _ in range(turns):
        assert isinstance(pilot.app.screen, HotSeatScreen)
        assert not any(card in text(pilot.app) for card in not_for(pilot, None))
        await press(pilot, "space")
        view = current_view(pilot)
        yield view.seat
        if view.seen.phase is Phase.DISCARD:
            await type_line(pilot, "x 1 2")
        else:
            await lay_or_go(pilot)


async def lay_or_go(pilot: Pilot[None]) -> None:
    """Lay the first card of who is at the table that may be laid, or say go."""
    view = current_view(pilot)
    able = view.seen.playable(view.seat)
    await press(pilot, str(view.seen.hands[view.seat].index(able[0]) + 1) if able else "g")


NAMED = replace(STILL, players="North, South")


async def test_menu_asks_for_the_names_of_two_players_once(tmp_path: Path) -> None:
    house, path = practice(tmp_path), tmp_path / "settings.toml"
    seating = seating_of(CribbageSetup(Options(), TWO, java=55510))
    async with run_app(arcade(house, game="cribbage", seating=seating, settings=STILL)) as pilot:
        assert isinstance(pilot.app.screen, NamesDialog)
        assert "Main action" not in text(pilot.app)
        await type_line(pilot, "Ann")
        assert "two names and a comma" in text(pilot.app)
        await type_line(pilot, ", Bob")
        assert load(path).players == "Ann, Bob"
        assert "Ann: press Space to see your cards" in text(pilot.app)
        assert "Bob deals and has the crib." in text(pilot.app)
        assert "YOU 0 · BOB 0" in await text_after(pilot, "space")
        assert "Bob: press Space to see your cards" in await text_after(pilot, "1", "2", "space")
        assert "Type two names" not in await text_after(pilot, "space", "u")
        assert "North" not in text(pilot.app)
        assert "Player" not in text(pilot.app)
    async with run_app(
        arcade(house, game="cribbage", seating=seating, settings=load(path))
    ) as pilot:
        assert "Ann: press Space to see your cards" in text(pilot.app)


async def test_players_without_names_are_north_and_south(tmp_path: Path) -> None:
    async with at_cribbage(tmp_path, CribbageSetup(Options(), TWO, java=55510)) as pilot:
        assert "North: press Space to see your cards" in await text_after(pilot, "escape")
        assert load(tmp_path / "settings.toml").players == "North, South"


async def test_two_players_at_one_screen_see_only_their_own_cards(tmp_path: Path) -> None:
    house = practice(tmp_path)
    seating = seating_of(CribbageSetup(Options(), TWO, java=55510))
    async with run_app(arcade(house, game="cribbage", seating=seating, settings=NAMED)) as pilot:
        assert "North: press Space to see your cards" in text(pilot.app)
        await press(pilot, "x", "a", "o", "v", "space", "escape")
        assert isinstance(pilot.app.screen, HotSeatScreen), (
            "only who is asked for uncovers the table"
        )
        seats = []
        async for seat in by_turns(pilot, 5):
            seats.append(seat)
            if len(seats) == 2:
                assert "You get " in await text_after(pilot, "v")
                assert " gets " not in text(pilot.app)
                await press(pilot, "escape")
            assert "YOU" in text(pilot.app)
            assert all(card not in text(pilot.app) for card in not_for(pilot, seat))
            own = (len(seats) - 1) // 2
            assert len(current_view(pilot).totals.postponed) == own, "only this player's choices"
            await press(pilot, "up")
            assert not table(pilot.app).line.value, "what the other has typed is not recalled"
        assert seats == [0, 1, 0, 1, 0]
        assert "waiting: 0 to 2, South's crib" in await text_after(pilot, "escape")
        assert isinstance(await screen_after(pilot, "5"), HotSeatScreen)
        assert not any(card in text(pilot.app) for card in not_for(pilot, None))
        await press(pilot, "space")
        assert len(state(pilot).laid) == 3


async def test_key_meant_for_the_table_does_not_uncover_the_other_players_cards(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(LiveTable, "tempo", 1.0)
    async with at_cribbage(
        tmp_path, CribbageSetup(Options(), TWO, java=55510), settings=NAMED
    ) as pilot:
        cover = pilot.app.screen
        assert isinstance(cover, HotSeatScreen)
        cover._shown_at = monotonic() + 100
        await press(pilot, "space", "enter")
        assert isinstance(pilot.app.screen, HotSeatScreen)
        cover._shown_at = monotonic() - READING_SECONDS
        await press(pilot, "space")
        assert isinstance(pilot.app.screen, LiveTable)


async def test_two_players_at_one_screen_count_their_own_hands_in_turn(tmp_path: Path) -> None:
    options = replace(TRAINING, open=False, counting=CountingMode.SELF)
    async with at_cribbage(
        tmp_path, CribbageSetup(options, TWO, java=55510), settings=NAMED
    ) as pilot:
        while isinstance(pilot.app.screen, HotSeatScreen):
            async for _ in by_turns(pilot, 1):
                pass
            while state(pilot).phase is Phase.PLAY and isinstance(pilot.app.screen, LiveTable):
                await lay_or_go(pilot)
        assert message_text(pilot.app).endswith("North: How many points in your hand?")
        assert "nineteen" not in text(pilot.app), "what it is worth is not told before"
        await type_line(pilot, "c 3")
        assert (
            message_text(pilot.app)
            == "! North counted 3, but it is 8. 5 missed: a run of three, a pair."
        )
        await press(pilot, "space")
        assert message_text(pilot.app).endswith("South: How many points in your hand?")


async def test_cards_of_two_players_are_covered_after_a_window_closes(tmp_path: Path) -> None:
    async with at_cribbage(
        tmp_path, CribbageSetup(Options(), TWO, java=55510), settings=NAMED
    ) as pilot:
        await press(pilot, "space", "v")
        live = next(one for one in pilot.app.screen_stack if isinstance(one, LiveTable))
        live.dialogue.act(Discard((1, 2)))
        live.run_table()
        await settle(pilot)
        assert isinstance(pilot.app.screen, TextPage)
        assert live.view.viewer is None, "under the window lies what all may see"
        assert "South: press Space to see your cards" in await text_after(pilot, "escape")
        assert "waiting:" in await text_after(pilot, "escape"), "one may leave instead"


async def test_player_to_move_sits_below_with_open_cards(tmp_path: Path) -> None:
    async with at_cribbage(
        tmp_path, CribbageSetup(TRAINING, TWO, java=55510), settings=NAMED
    ) as pilot:
        assert "North: Which two for South's crib?" in message_text(pilot.app)
        assert current_view(pilot).own.content.score[0] == "NOR"
        await type_line(pilot, "x 1 2")
        assert "South: Which two" in message_text(pilot.app)
        assert current_view(pilot).own.content.score[0] == "SOU"
        assert not current_view(pilot).totals.choices, (
            "what the other has thrown is his own mistake"
        )
        assert "North: Which two" in await message_after(pilot, "u")
        assert "two players at this keyboard" in await text_after(pilot, "f4")
        assert "here" not in text(pilot.app), "at none of these tables two play a round"


async def test_space_refuses_and_lists_the_cards_if_several_can_be_played(tmp_path: Path) -> None:
    async with at_cribbage(tmp_path, CribbageSetup(TRAINING, java=55510)) as pilot:
        await type_line(pilot, "x 4 6")
        before = state(pilot)
        await press(pilot, "space")
        assert state(pilot) == before
        assert refused(pilot).startswith("space choose first: 1 A♦, 2 A♥, 3 10♦, 4 Q♥.")
        assert message_text(pilot.app).endswith("Which card?"), "the question stands"


async def test_slow_trainer_verdict_does_not_replace_a_later_one(tmp_path: Path) -> None:
    """The second card is laid while the first one is weighed: both count, the second is told."""
    enough = threading.Event()

    def judge(view: State, seat: Seat, action: Action) -> Mistake[Action] | None:
        if not isinstance(action, Lay):
            return None
        if action.place == 1:
            assert enough.wait(10)
        return Mistake(Fraction(action.place), Lay(4))

    async with at_cribbage(tmp_path, CribbageSetup(TRAINING, java=55510)) as pilot:
        screen = table(pilot.app)
        screen.view.definition = replace(screen.view.definition, adviser=Adviser(judge))
        await press(pilot, "t")
        await type_line(pilot, "x 4 6")
        await strike(pilot, "1")
        await until(
            pilot,
            lambda: current_view(pilot).is_offered(Lay) and len(state(pilot).unplayed(1)) == 3,
        )
        await strike_until(pilot, "2", lambda: len(state(pilot).unplayed(1)) == 2)
        assert "Best: " not in message_text(pilot.app)
        enough.set()
        await until(pilot, lambda: "−2.00. Best: play Q♥" in message_text(pilot.app))
        assert current_view(pilot).totals.mistakes == 2
        assert current_view(pilot).totals.cost == 3


async def test_trainer_and_mistake_count_continue_after_an_undo_and_a_round(tmp_path: Path) -> None:
    async with at_cribbage(tmp_path, CribbageSetup(TRAINING, java=55510)) as pilot:
        await press(pilot, "t")
        for _ in range(2):  # the first time warns
            await type_line(pilot, "x 3 5")
        await until(pilot, lambda: current_view(pilot).totals.mistakes == 1)
        cost = current_view(pilot).totals.cost
        assert f"MISTAKES 1 cost {float(cost):.2f}" in text(pilot.app)
        await press(pilot, "u")
        totals = current_view(pilot).totals
        assert not totals.mistakes and not totals.cost, "it was taken back"  # noqa: PT018
        assert totals.last is None
        assert current_view(pilot).trains
        for _ in range(2):  # the first time warns
            await type_line(pilot, "x 3 5")
        await until(pilot, lambda: current_view(pilot).totals.mistakes == 1)
        assert current_view(pilot).totals.cost == cost, "counted once"
        await to_the_show(pilot)
        choices = current_view(pilot).totals.choices
        await press(pilot, "space", "space", "space", "space")
        assert state(pilot).phase is Phase.DISCARD
        assert current_view(pilot).totals.choices == choices
        assert current_view(pilot).totals.cost >= cost
        await press(pilot, "f4", *["down"] * 4, "enter")
        await until(pilot, lambda: state(pilot).options.form is GameForm.GAME)
        assert current_view(pilot).totals.choices == 0, "another table"
        assert current_view(pilot).trains


async def test_undo_after_the_play_returns_to_the_last_cribbage_choice(tmp_path: Path) -> None:
    async with at_cribbage(tmp_path, CribbageSetup(TRAINING, java=55510)) as pilot:
        await type_line(pilot, "x 4 6")
        await to_the_show(pilot)
        await press(pilot, "space", "space", "space", "u")
        assert state(pilot).phase is Phase.PLAY
        assert current_view(pilot).is_offered(Lay)
        assert has_choice(current_view(pilot).offers), "not to a card that had to be played"


async def test_pressing_space_at_the_show_does_not_count_as_a_choice(tmp_path: Path) -> None:
    async with at_cribbage(tmp_path, CribbageSetup(TRAINING, java=55510)) as pilot:
        await type_line(pilot, "x 4 6")
        await to_the_show(pilot)
        chosen = current_view(pilot).totals.postponed
        assert chosen
        await press(pilot, "space", "space")
        assert current_view(pilot).totals.postponed == chosen


async def test_advice_after_the_play_says_that_there_is_nothing_to_choose(tmp_path: Path) -> None:
    async with at_cribbage(tmp_path, CribbageSetup(TRAINING, java=55510)) as pilot:
        await type_line(pilot, "x 4 6")
        await to_the_show(pilot)
        for key in ("a", "o"):
            assert "nothing to choose" not in await message_after(pilot, "h")
            assert await message_after(pilot, key) == "There is nothing to choose now."
        await press(pilot, "h")
        await type_line(pilot, ":a")
        assert message_text(pilot.app) == "There is nothing to choose now."


async def test_custom_cribbage_rules_are_named_and_playable_on_the_screen(tmp_path: Path) -> None:
    house = replace(ACC, name="house", target=31)
    with patch("tui_casino.games.cribbage.machine.state.RULE_SETS", {**RULE_SETS, "house": house}):
        async with at_cribbage(tmp_path, CribbageSetup(Options(rules="house"), GREEDY)) as pilot:
            assert "to 31, house rules, against Greedy" in text(pilot.app)
            await press(pilot, "1", "2", "space")
            assert state(pilot).phase is Phase.PLAY


async def at_a_game(pilot: Pilot[None]) -> None:
    """Open cribbage from the menu, and go to the table against the greedy player."""
    await press_until(pilot, lambda: isinstance(pilot.app.screen, LiveTable), "5")
    await press(pilot, "f4", *["down"] * 4, "enter")
    await until(pilot, lambda: isinstance(pilot.app.screen, LiveTable))
    await until(pilot, lambda: state(pilot).options.form is GameForm.GAME)
    await until(
        pilot, lambda: state(pilot).phase is Phase.DISCARD and not current_view(pilot).animates
    )


async def cards_given(pilot: Pilot[None]) -> Any:
    await press_until(pilot, lambda: state(pilot).phase is not Phase.DISCARD, "1", "2", "space")
    await settle(pilot)
    return state(pilot)


async def test_unfinished_cribbage_game_is_resumed_in_its_own_log(tmp_path: Path) -> None:
    """Left by Escape or cut off: the menu says so, and the table is as it was."""
    times = count(clock(), 60_000)
    house = replace(practice(tmp_path), clock=lambda: next(times))
    async with run_app(arcade(house)) as pilot:
        await at_a_game(pilot)
        before = await cards_given(pilot)
        path = table(pilot.app).sitting.log.path
        assert "waiting:" in await text_after(pilot, "escape")
        assert read_log(path).end is None
        await press_until(pilot, lambda: isinstance(pilot.app.screen, LiveTable), "5")
        assert state(pilot) == before
        assert table(pilot.app).sitting.log.path == path
    async with run_app(arcade(house)) as pilot:  # the line was cut
        assert "waiting:" in text(pilot.app)
        await press_until(pilot, lambda: isinstance(pilot.app.screen, LiveTable), "r", "p")
        assert state(pilot) == before
        assert table(pilot.app).sitting.log.path == path
        await press(pilot, "f4", *["up"] * 4, "enter")  # another table
        await until(pilot, lambda: state(pilot).options.form is GameForm.ROUND)
        await press(pilot, "escape", "escape")
        assert "waiting:" in text(pilot.app), "though another was begun since"
    assert read_log(path).end is None


async def test_damaged_log_of_an_unfinished_game_does_not_block_a_new_table(tmp_path: Path) -> None:
    times = count(clock(), 60_000)
    house = replace(practice(tmp_path), clock=lambda: next(times))
    async with run_app(arcade(house)) as pilot:
        await at_a_game(pilot)
        await cards_given(pilot)
        await press(pilot, "escape")
    (path,) = (one for one in house.logs.iterdir() if read_log(one).end is None)
    raw = path.read_bytes()
    path.write_bytes(raw.replace(b'"do":{"is":"Discard"', b'"do":{"is":"Discarx"'))
    async with run_app(arcade(house)) as pilot:
        await press_until(pilot, lambda: isinstance(pilot.app.screen, LiveTable), "5")
        assert table(pilot.app).sitting.log.path != path


async def test_cribbage_game_left_before_any_choice_is_not_offered_again(tmp_path: Path) -> None:
    house = practice(tmp_path)
    async with run_app(arcade(house)) as pilot:
        await at_a_game(pilot)
        assert "waits:" not in await text_after(pilot, "escape")
        assert all(read_log(path).end is not None for path in house.logs.iterdir())
