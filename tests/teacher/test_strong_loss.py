"""What a strong player loses by mistakes: the constants of the games, computed again."""

from __future__ import annotations

from fractions import Fraction
from math import hypot, sqrt
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest

from tests.helpers.scripted_sessions import Choose, by_chart, by_level, play_sessions, reviewed_in
from tests.studies.strength import ROUNDS, measure
from tui_casino.gamekit.registry import DEFINITIONS
from tui_casino.games.five_card_draw.brains.players import EQUILIBRIUM
from tui_casino.games.five_card_draw.machine.state import Options
from tui_casino.games.video_poker.brains.odds import odds_of
from tui_casino.games.video_poker.machine.paytables import load, names

pytestmark = pytest.mark.prove
COINS = 5


def test_strong_loss_of_video_poker_is_the_cost_of_the_strategy_list() -> None:
    lost = []
    for name in names():
        odds = odds_of(load(name), COINS)
        lost.append((odds.report("optimal").credits - odds.report("list").credits) / COINS)
    assert len(lost) == 5
    mean = 100 * sum(lost, Fraction(0)) / len(lost)
    assert float(mean) == pytest.approx(DEFINITIONS["video-poker"].adviser.strong_loss, abs=5e-4)


def test_strong_loss_of_hit_me_is_that_of_play_by_the_chart(tmp_path: Path) -> None:
    check("thirty-one", by_chart, tmp_path, 600, 0.05)


def test_strong_loss_of_five_card_draw_is_that_of_the_strong_level(tmp_path: Path) -> None:
    options = Options(opponents=1)
    check(
        "five-card-draw",
        by_level("five-card-draw", "strong"),
        tmp_path,
        300,
        0.27,
        EQUILIBRIUM,
        options,
    )


def test_strong_loss_of_cribbage_is_that_of_the_master(tmp_path: Path) -> None:
    check("cribbage", by_level("cribbage", "master"), tmp_path, 200, 1.1, "master")


def check(
    game: str,
    choose: Choose,
    folder: Path,
    rounds: int,
    error: float,
    opponent: str = "",
    options: Any = None,
) -> None:
    """Measure the cost in these rounds; the constant itself has an error."""
    definition = DEFINITIONS[game]
    play_sessions(definition, choose, folder, rounds, options, opponent)
    costs = list[float]()
    for each in reviewed_in(folder):
        by_round = dict.fromkeys(range(1, each.rounds + 1), 0.0)
        for mistake in each.mistakes:
            by_round[mistake.round] += each.cost_of(mistake)
        costs += by_round.values()
    mean = fmean(costs)
    spread = sqrt(sum((cost - mean) ** 2 for cost in costs)) / len(costs)
    assert abs(100 * mean - definition.adviser.strong_loss) < 3 * hypot(100 * spread, error)


@pytest.mark.parametrize(
    ("game", "level", "name"),
    [("thirty-one", "dealer", "the dealer"), ("cribbage", "greedy", "level greedy")],
)
def test_measured_cost_of_a_computer_level_equals_the_stated_one(
    game: str, level: str, name: str
) -> None:
    _, cost, error = measure(game, level, ROUNDS[game, level])
    stated = dict(DEFINITIONS[game].adviser.levels)
    assert cost == pytest.approx(stated[name], abs=error / 4)
