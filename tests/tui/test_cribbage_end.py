"""The end of a game of cribbage at the table: who won, what it came to, and straight on."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path
from unittest.mock import patch

import pytest
from textual.pilot import Pilot

from tests.helpers.arcade_pilot import (
    arcade,
    message_text,
    practice,
    press,
    run_app,
    table,
    text,
    text_after,
    until,
)
from tests.helpers.parameter_ids import labelled
from tui_casino.cards.card import parse_hand, whole_packs
from tui_casino.engine.chance import SeededSource
from tui_casino.engine.croupier import FixedShoe, ShuffledShoe
from tui_casino.engine.game import Seat
from tui_casino.gamekit.adviser import Decision, Mistake
from tui_casino.gamekit.registry import listing_of
from tui_casino.gamekit.table_catalog import TableSetup
from tui_casino.games.cribbage import DEFINITION
from tui_casino.games.cribbage.brains.players import PLAYERS
from tui_casino.games.cribbage.face.pages import CountingStatistics, game_result
from tui_casino.games.cribbage.face.table_view import GAME_RESULT_TITLE, CribbageView
from tui_casino.games.cribbage.face.tally import Tally
from tui_casino.games.cribbage.machine.scoring import Score
from tui_casino.games.cribbage.machine.state import (
    Action,
    Discard,
    HandCounted,
    Options,
    Phase,
    RoundPart,
    Scored,
    State,
)
from tui_casino.house.settings import Settings
from tui_casino.house.sitting import House, begin_sitting
from tui_casino.structs import replace
from tui_casino.tui.table import live, paced_view, pacing
from tui_casino.tui.table.live import LiveTable
from tui_casino.tui.table.snapshot import SeatTotals

MOVING, LONG = Settings(animation=True), 600.0
SKUNK_SEED = 3
ME, OTHER = Seat(0), Seat(1)
LISTING = listing_of("cribbage")


def play_games(
    house: House, games: int, opponent: str = "greedy", seed: int = 102
) -> tuple[Path, int]:
    """Play until a game is won; give the log, and the step before the player's last."""
    options = Options(games=games)
    players = {ME: None, OTHER: opponent}
    source = SeededSource(seed)
    sitting = begin_sitting(house, DEFINITION, options, ShuffledShoe(), source, players)
    mine, dice, last = PLAYERS["greedy"](), SeededSource(1).dice("human"), 0
    while sitting.table.state.winner is None:
        sitting.table.run()
        if sitting.table.state.winner is None:
            view, last = sitting.table.view(ME), sitting.log.steps
            sitting.table.submit(ME, mine.choose(view, ME, DEFINITION.game.offers(view, ME), dice))
    sitting.leave()
    return sitting.log.path, last


def view(pilot: Pilot[None]) -> CribbageView:
    found = table(pilot.app).view
    assert isinstance(found, CribbageView)
    return found


@pytest.mark.parametrize("games", [1, 2], ids=labelled("{} games"))
async def test_result_page_of_a_cribbage_game_comes_before_the_next_game(
    tmp_path: Path, games: int
) -> None:
    """Alone and in a series: the last count, then how it ended, then on; a space each."""
    house = practice(tmp_path)
    path, step = play_games(house, games)
    async with run_app(arcade(house)) as pilot:
        await pilot.app.desk.branch_from(LISTING, path, step)  # type: ignore[attr-defined]
        await until(pilot, lambda: isinstance(pilot.app.screen, LiveTable))
        await until(pilot, lambda: table(pilot.app).table.waiting)
        while view(pilot).seen.winner is None:
            await press(pilot, "space")
        first, second = view(pilot).seen.points
        won = (
            f"Greedy wins {second} to {first}" if second > first else f"You win {first} to {second}"
        )
        assert view(pilot).page is not None, "the last count is read first"
        assert won in message_text(pilot.app)
        assert table(pilot.app).line.hints[0].words == "See the result"
        assert GAME_RESULT_TITLE in await text_after(pilot, "space")
        assert "average hand" in text(pilot.app)
        (said_there,) = re.findall(r"average hand (\d+\.\d), par 8.1", text(pilot.app))
        assert f"AVERAGE HAND {said_there} par 8.1" in text(pilot.app), "the meter says the same"
        assert won in message_text(pilot.app)
        assert table(pilot.app).line.hints[0].words == "Next game"
        await press(pilot, "space")
        await until(pilot, lambda: view(pilot).seen.points == (0, 0))
        await until(pilot, lambda: view(pilot).seen.phase is Phase.DISCARD)
        assert GAME_RESULT_TITLE not in text(pilot.app)


async def test_skunk_turns_the_felt_gold_once(tmp_path: Path) -> None:
    house = practice(tmp_path)
    path, step = play_games(house, 1, "random", SKUNK_SEED)
    with patch.object(paced_view, "FELT_TIME", LONG), patch.object(pacing, "PACE", 1e-4):
        async with run_app(arcade(house, settings=MOVING)) as pilot:
            await pilot.app.desk.branch_from(LISTING, path, step)  # type: ignore[attr-defined]
            await until(pilot, lambda: isinstance(pilot.app.screen, LiveTable))
            await until(pilot, lambda: table(pilot.app).table.waiting)
            while GAME_RESULT_TITLE not in text(pilot.app):
                assert not view(pilot).has_class("-gold")
                await press(pilot, "space")
            assert view(pilot).has_class("-gold")
            assert message_text(pilot.app).startswith("★ ★ ★  You win 121 to ")
            assert "by a skunk" in message_text(pilot.app)
            await press(pilot, "f2")
            assert not view(pilot).has_class("-gold")
            assert GAME_RESULT_TITLE in await text_after(pilot, "escape")
            assert not view(pilot).has_class("-gold")


@pytest.mark.parametrize("animation", [True, False], ids=["animated", "without animation"])
async def test_hand_of_29_turns_the_felt_gold(tmp_path: Path, animation: bool) -> None:
    """Four fives and the jack of the starter's suit; the opponent keeps cards without points."""
    mine, other = "JS 5H 5D 5C KD 2D", "7H 9C QC 3S AH 8D"
    dealt = [card for pair in zip(mine.split(), other.split(), strict=True) for card in pair]
    known = parse_hand(" ".join([*dealt, "5S"]))
    shoe = (*known, *(card for card in whole_packs(1) if card not in known))
    seating = TableSetup(
        Options(), FixedShoe(shoe), {ME: None, OTHER: "greedy"}, practice=True, explicit=True
    )
    settings = Settings(animation=animation)
    app = arcade(practice(tmp_path), settings=settings, game="cribbage", seating=seating)
    with (
        patch.object(live, "READING_SECONDS", 0),
        patch.object(paced_view, "FELT_TIME", LONG),
        patch.object(pacing, "PACE", 1e-4),
        patch.object(pacing, "THOUGHT", 1e-4),
        patch("tui_casino.games.cribbage.face.table_view.COUNTING_PACE", 1e-4),
    ):
        async with run_app(app) as pilot:
            await until(pilot, lambda: view(pilot).is_offered(Discard))
            hand = [str(card) for card in view(pilot).seen.hands[ME]]
            await press(pilot, str(hand.index("2D") + 1), str(hand.index("KD") + 1), "space")
            while view(pilot).page is None:
                await until(pilot, lambda: table(pilot.app).table.waiting)
                playable = view(pilot).seen.playable(ME)
                places = [view(pilot).seen.hands[ME].index(card) + 1 for card in playable]
                await press(pilot, str(min(places)) if places else "space")
            assert view(pilot).page.seat == ME  # type: ignore[union-attr]
            before, after = ("★ ★ ★  ", "  ★ ★ ★") if animation else ("★ ", " ★")
            told = f"{before}Twenty-nine, the highest hand: one deal in 216,580.{after}"
            await until(pilot, lambda: message_text(pilot.app) == told)
            assert view(pilot).has_class("-gold") == animation
            await press(pilot, "space")
            assert view(pilot).page.seat == OTHER  # type: ignore[union-attr]
            assert not view(pilot).has_class("-gold")


def with_mistake(journal: SeatTotals[State, Action], cost: str | None) -> SeatTotals[State, Action]:
    mistake: Mistake[Action] | None = (
        None if cost is None else Mistake(Fraction(cost), Discard((1, 2)))
    )
    return journal.with_decision(Decision(Seat(0), State(Options()), Discard((3, 4)), "", mistake))


def test_mistakes_and_averages_in_a_game_result_are_of_that_game_only() -> None:
    """Choices that were weighed before it do not count; where there was one alone it says so."""
    nothing: SeatTotals[State, Action] = SeatTotals()
    before = with_mistake(with_mistake(nothing, "5"), None)
    after = with_mistake(with_mistake(before, None), "1/2")
    tally = Tally(0, rounds=9, pegged=27, hands=72, cribs=20, shown=9, own=5, games=1)
    averages = "average hand 8.0, par 8.1   average crib 4.0, par 4.8   pegged per round 3.0"
    lines = [*game_result(tally, tally, after, before, ["  0.50  throw"])]
    assert lines == [averages, "1 mistake in 2 choices, costing 0.50 points", "  0.50  throw"]
    tally_now = replace(tally, games=3, games_won=2, skunks=1)
    lines = [*game_result(tally, tally_now, before, before, ())]
    assert lines == [averages, "at this table 2 won, 1 of them by a skunk; 1 lost"]
    (*_, none) = game_result(tally, tally, with_mistake(before, None), before, ())
    assert none == "no mistake in 1 choice"


def test_tally_since_an_earlier_tally_is_their_difference() -> None:
    first, more = Tally(1, rounds=3, hands=20, games=1), Tally(1, rounds=2, cribs=5)
    assert (first + more).since(first) == more


def test_average_cribbage_hand_counts_only_scored_points() -> None:
    """The hand that wins a game is cut off at the last hole; another's, or a crib, is none."""
    worth = (Score("run4", 24, ()),)
    counts = CountingStatistics().with_hand(HandCounted(0, worth, None), ME, crib=False)
    for seat, points, part in (
        (0, 22, RoundPart.HAND),
        (1, 9, RoundPart.HAND),
        (0, 5, RoundPart.CRIB),
    ):
        counts = counts.with_points(Scored(seat, 121, points, "run4", (), part), ME)
    (meter,) = counts.meters(Options())
    assert (meter.figure, meter.details) == ("22.0", "par 8.1")
