"""Moments that take time on the screen: large wins, showdowns, and keys struck meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from textual.pilot import Pilot

from tests.helpers.arcade_pilot import (
    arcade,
    hints,
    message_after,
    message_text,
    practice,
    press,
    press_until,
    run_app,
    settle,
    strike,
    strike_until,
    table,
    text,
    until,
)
from tests.helpers.parameter_ids import labelled, value_id
from tests.helpers.scripted_sessions import play_sessions
from tui_casino.cards.card import BACK, parse_hand, whole_packs
from tui_casino.engine.croupier import FixedShoe, ShuffledShoe
from tui_casino.engine.game import Seat
from tui_casino.gamekit.adviser import ValuesScope
from tui_casino.gamekit.registry import listing_of
from tui_casino.gamekit.table_catalog import TableSetup
from tui_casino.games.five_card_draw.face import table_view as draw_face
from tui_casino.games.five_card_draw.machine.state import Check, Discard, Phase, Stakes
from tui_casino.games.five_card_draw.machine.state import Options as DrawOptions
from tui_casino.games.video_poker.machine.game import Options
from tui_casino.games.video_poker.machine.paytables import load
from tui_casino.house.settings import Settings
from tui_casino.structs import replace
from tui_casino.tui.draw.card_art import CardState as Art
from tui_casino.tui.history import summary_screen
from tui_casino.tui.history.summary_screen import SummaryWindow
from tui_casino.tui.table import live, paced_view, pacing
from tui_casino.tui.table.paced_view import WinStage
from tui_casino.tui.table.pacing import Pacing

LONG = 600.0
VIDEO_POKER = listing_of("video-poker")
MOVING = Settings(animation=True)
GOLD, FRAME = Art.GOLD, Art.GOLD_FRAME
PAIR, FULL = "JS JH 3C 4D 7H", "9S 9H 9D 2C 2S"
QUADS, ROYAL = "9S 9H 9D 9C 2S", "AS KS QS JS TS"


# ---- the frames of a win -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("multiple", "counts", "rests"),
    [
        (0, [0], []),
        (3, [15], []),
        (4, [5, 10, 15, 20], [0.1] * 3),
        (9, [5, 10, 15, 20, 25, 30, 35, 40, 45], [0.1] * 8),
        (25, [25, 50, 75, 100, 125], [0.2] * 4),
        (800, [800, 1600, 2400, 3200, 4000, 4000, 4000], [0.2] * 5 + [1.0]),
    ],
    ids=value_id,
)
def test_win_animation_counts_up_in_frames_that_depend_on_its_size(
    multiple: int, counts: list[int], rests: list[float]
) -> None:
    frames = [WinStage(multiple, frame) for frame in range(len(counts))]
    assert [frame.counted(5 * multiple) for frame in frames] == counts
    assert list(frames[0].rests) == rests
    gold = [frame.has_gold_felt for frame in frames]
    assert gold == [multiple == 800 and place == 5 for place in range(len(counts))]


def test_winning_cards_turn_gold_one_by_one_for_a_large_win() -> None:
    cards = [[WinStage(25, frame).card_state(card) for card in range(4)] for frame in range(5)]
    assert cards == [
        [GOLD, FRAME, FRAME, FRAME],
        [GOLD, GOLD, FRAME, FRAME],
        [GOLD, GOLD, GOLD, FRAME],
        [GOLD] * 4,
        [GOLD] * 4,
    ]
    assert {WinStage(9, frame).card_state(0) for frame in range(9)} == {FRAME}
    assert WinStage(3).card_state(0) is Art.WINNING


# ---- at a table ----------------------------------------------------------------------------------


@asynccontextmanager
async def at_hand(
    folder: Path, cards: str, settings: Settings = MOVING
) -> AsyncIterator[Pilot[None]]:
    """Deal a hand of video poker from known cards, and hold all of it."""
    hand = parse_hand(cards)
    shoe = (*hand, *(card for card in whole_packs(1) if card not in hand))
    options = Options(credit=100, paytable=load("jacks-or-better-9-6"))
    seating = TableSetup(options, FixedShoe(shoe), practice=True)
    app = arcade(practice(folder), settings=settings, game="video-poker", seating=seating)
    with (
        patch.object(live, "READING_SECONDS", 0),
        patch.object(pacing, "PACE", 1e-4),
        patch.object(paced_view, "STEP", LONG),
        patch.object(paced_view, "CARD_STEP", LONG),
    ):
        async with app.run_test(size=(80, 24), notifications=True) as pilot:
            await settle(pilot)
            await press(pilot, "space", "1", "2", "3", "4", "5", "space")
            yield pilot


def arts(pilot: Pilot[None]) -> list[Art]:
    return [view.state for view in table(pilot.app).view.card_row.views]


async def test_full_house_win_counts_up_until_a_key_is_pressed(tmp_path: Path) -> None:
    async with at_hand(tmp_path, FULL) as pilot:
        assert message_text(pilot.app) == "★ FULL HOUSE pays 5 credits ★"
        assert "▶ FULL HOUSE" in text(pilot.app)
        assert arts(pilot) == [FRAME] * 5
        assert hints(pilot.app)[0] == "space Deal for 5"
        await press(pilot, "t")
        assert not table(pilot.app).view.frames.is_running
        assert table(pilot.app).view.trains, "the key has also done what it is for"
        judged = "★ FULL HOUSE pays 45 credits ★  Right: you held "
        await until(pilot, lambda: message_text(pilot.app).startswith(judged))


async def test_key_that_ends_a_win_animation_also_acts(tmp_path: Path) -> None:
    async with at_hand(tmp_path, QUADS) as pilot:
        assert message_text(pilot.app) == "★ ★ ★  FOUR OF A KIND pays 25 credits  ★ ★ ★"
        assert arts(pilot) == [GOLD, FRAME, FRAME, FRAME, Art.NORMAL]
        rounds = table(pilot.app).view.tally.rounds
        await press(pilot, "space")
        assert table(pilot.app).view.seen.coins, "the next hand is dealt"
        assert table(pilot.app).view.tally.rounds == rounds == 1


async def test_felt_and_pay_table_turn_gold_after_a_royal_flush_until_f2(tmp_path: Path) -> None:
    async with at_hand(tmp_path, ROYAL) as pilot:
        view = table(pilot.app).view
        with patch.object(paced_view, "FELT_TIME", LONG):
            view.frames.start((1e-3,) * 5 + (LONG,))
            await until(pilot, lambda: view.frames.frame == 5)
        ground = view.styles.background
        assert view.has_class("-gold")
        assert view.pay_table.styles.background == ground
        assert arts(pilot) == [GOLD] * 5
        await press(pilot, "f2")
        assert not view.has_class("-gold")
        assert view.pay_table.styles.background != ground


async def test_royal_flush_looks_like_any_win_without_animation(tmp_path: Path) -> None:
    async with at_hand(tmp_path, ROYAL, Settings(animation=False)) as pilot:
        assert message_text(pilot.app) == "★ ROYAL FLUSH pays 4,000 credits ★"
        assert arts(pilot) == [Art.WINNING] * 5
        assert not table(pilot.app).view.frames.is_running


async def test_small_win_is_not_animated(tmp_path: Path) -> None:
    async with at_hand(tmp_path, PAIR) as pilot:
        assert message_text(pilot.app) == "★ JACKS OR BETTER pays 5 credits ★"
        assert set(arts(pilot)[:2]) == {Art.WINNING}
        assert not table(pilot.app).view.frames.is_running


# ---- the end of a session ------------------------------------------------------------------------


def play_well(folder: Path, sessions: int) -> None:
    """Play sessions of video poker, of two hands each, without a mistake."""
    definition = VIDEO_POKER.definition()
    style = definition.players["list"]()

    def choose(view: Any, able: Any, dice: Any) -> Any:
        action = style.choose(view, Seat(0), able, dice)
        decision = definition.decision(view, Seat(0), action, ValuesScope.OF_ALL)
        return action if decision is None else decision.best

    play_sessions(definition, choose, folder, 2 * sessions, rounds_per_session=2)


@pytest.mark.parametrize("sessions", [1, 2], ids=labelled("{} sessions"))
async def test_summary_praises_only_the_first_session_without_a_mistake(
    tmp_path: Path, sessions: int
) -> None:
    house = replace(practice(tmp_path), player="ann")
    play_well(house.logs, sessions)
    log = sorted(house.logs.glob("*.jsonl"))[-1]
    with patch.object(summary_screen, "FELT_TIME", LONG):
        async with run_app(arcade(house, settings=MOVING)) as pilot:
            pilot.app.screen._show_end(VIDEO_POKER, log, None)  # type: ignore[attr-defined]
            await until(pilot, lambda: isinstance(pilot.app.screen, SummaryWindow))
            await until(pilot, lambda: "accuracy" in text(pilot.app))
            workers = pilot.app.workers
            await until(
                pilot, lambda: all(one.is_finished for one in workers if one.group == "ending")
            )
            praise = "★ ★ ★  Your first session without a mistake  ★ ★ ★"
            assert (praise in text(pilot.app)) == (sessions == 1)
            gold = pilot.app.screen.query_one(".window").has_class("-gold")
            assert gold == (sessions == 1)


# ---- a showdown ----------------------------------------------------------------------------------

# dealt in turn: the player gets a pair of aces, and the opponent king high
SHOWDOWN = parse_hand("AC KD AD 9H 4C 7S 8D 5C 2S 3D")


@asynccontextmanager
async def at_showdown(
    folder: Path, settings: Settings = MOVING, size: tuple[int, int] = (80, 24)
) -> AsyncIterator[Pilot[None]]:
    """Play an ante hand against one opponent, up to the showdown."""
    shoe = (*SHOWDOWN, *(card for card in whole_packs(1) if card not in SHOWDOWN))
    options = DrawOptions(opponents=1, stakes=Stakes.ANTE, credit=100)
    seating = TableSetup(
        options, FixedShoe(shoe), practice=True, players={Seat(0): None, Seat(1): "algorithm"}
    )
    app = arcade(practice(folder), settings=settings, game="five-card-draw", seating=seating)
    with (
        patch.object(live, "READING_SECONDS", 0),
        patch.object(pacing, "PACE", 1e-4),
        patch.object(pacing, "THOUGHT", 1e-3),
        patch.object(draw_face, "THOUGHT", LONG),
    ):
        async with app.run_test(size=size, notifications=True) as pilot:
            await settle(pilot)
            await press_until(pilot, lambda: table(pilot.app).view.is_offered(Discard), "d")
            await strike(pilot, "space")
            await until(pilot, lambda: table(pilot.app).table.state.phase is Phase.REST)
            yield pilot


def opponent_state(pilot: Pilot[None]) -> tuple[Any, ...]:
    (opponent,) = table(pilot.app).view.poker_table.content.opponents
    return opponent.hand, opponent.hand_name, opponent.is_winner


async def test_showdown_shows_one_hand_at_a_time(tmp_path: Path) -> None:
    async with at_showdown(tmp_path) as pilot:
        view = table(pilot.app).view
        seen = []
        while view.is_revealing:
            await settle(pilot)
            assert hints(pilot.app)[0] == "space Speed up"
            assert "LAST ROUND" not in text(pilot.app), "it would tell the result"
            seen.append(
                (message_text(pilot.app), opponent_state(pilot), view.poker_table.content.pot)
            )
            view.frames._next()
        await settle(pilot)
        seen.append((message_text(pilot.app), opponent_state(pilot), view.poker_table.content.pot))
        ada = view.poker_table.content.opponents[0].hand
        hidden, named = ((BACK,) * 5, "", False), "king high"
        assert seen == [
            ("Ada draws 3", hidden, 10),
            ("You show a pair of aces", hidden, 10),
            (f"Ada shows {named}", (ada, named, False), 10),
            ("★ You win 10 with a pair of aces. ★", (ada, named, False), 0),
        ]


async def test_space_shows_the_whole_showdown_and_deals_no_hand(tmp_path: Path) -> None:
    async with at_showdown(tmp_path) as pilot:
        played = table(pilot.app).view.seen.played
        assert "You win 10" in await message_after(pilot, "space")
        assert BACK not in opponent_state(pilot)[0]
        assert table(pilot.app).view.seen.played == played, "no new hand is dealt unseen"


async def test_whole_showdown_is_shown_immediately_without_animation(tmp_path: Path) -> None:
    async with at_showdown(tmp_path, Settings(animation=False)) as pilot:
        assert "You win 10" in message_text(pilot.app)
        assert BACK not in opponent_state(pilot)[0]


async def test_draw_panel_hides_the_result_during_a_showdown(tmp_path: Path) -> None:
    async with at_showdown(tmp_path, size=(132, 43)) as pilot:
        await until(pilot, lambda: "THIS HAND" in text(pilot.app))
        assert "You win" not in text(pilot.app)
        await press_until(pilot, lambda: text(pilot.app).count("You win 10") == 2, "space")


# ---- the last action before the player's turn ----------------------------------------------------


@pytest.mark.parametrize("key", ["space", "1", "t"])
async def test_key_pressed_while_the_last_action_is_shown_still_acts(
    tmp_path: Path, key: str
) -> None:
    """Except Space, which speeds up, as the hint line says."""
    gate = asyncio.Event()

    async def rest(paces: Pacing[Any, Any, Any, Any], seconds: float) -> None:
        if paces.is_lingering:
            await gate.wait()

    options = DrawOptions(opponents=1, stakes=Stakes.LIMIT, credit=100)
    players = {Seat(0): None, Seat(1): "algorithm"}
    seating = TableSetup(options, ShuffledShoe(), practice=True, players=players)
    app = arcade(
        practice(tmp_path), settings=MOVING, game="five-card-draw", seating=seating, seed=3
    )
    with patch.object(Pacing, "_rest", rest):
        async with app.run_test(size=(80, 24), notifications=True) as pilot:
            await settle(pilot)
            screen = table(pilot.app)
            await strike_until(pilot, "d", lambda: screen.view.is_offered(Check))
            await strike_until(pilot, "k", lambda: screen.pacing.is_lingering)
            assert message_text(pilot.app).startswith("Ada ")
            assert hints(pilot.app)[0] == "space Speed up"
            assert not screen.view.awaited
            await strike(pilot, key)
            steps = screen.sitting.log.steps
            gate.set()
            await until(pilot, lambda: screen.view.awaited, workers=True)
            assert screen.sitting.log.steps == steps, "nothing is decided by a key that speeds up"
            assert screen.view.selection == ((1,) if key == "1" else ())
            assert screen.view.trains == (key == "t")
