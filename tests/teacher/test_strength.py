"""The strength of a player: the cost per 100 choices, and the computer players beside it."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from tui_casino.engine.game import Seat
from tui_casino.gamekit.adviser import Decision, LevelCost, Mistake, MistakeKind
from tui_casino.gamekit.registry import DEFINITIONS
from tui_casino.records.log_catalog import CatalogEntry
from tui_casino.teacher.leaks import CostRate, Strength, find_strengths
from tui_casino.teacher.mistakes import ReviewedSitting

LEVELS = (LevelCost("expert", 1.0), LevelCost("greedy", 4.0), LevelCost("random", 9.0))


def played(began: int, choices: int, *costs: int, game: str = "game") -> ReviewedSitting:
    """A session at 2 credits a round, with mistakes that cost so many credits."""
    path, kind = Path(f"{began}.jsonl"), MistakeKind("a", "b")
    mistakes = tuple(
        Decision(Seat(0), "", "x", "a", Mistake(Fraction(cost), "y", kind), (), 9, n, 0, game, path)
        for n, cost in enumerate(costs, 1)
    )
    entry = CatalogEntry(path, game=game, started=began)
    return ReviewedSitting(
        entry, choices, "bets", 2.0, mistakes, {"a": choices - 1, "b": 1}, levels=LEVELS
    )


def test_strength_is_the_cost_of_mistakes_in_bets_per_100_choices() -> None:
    """By hand: 4 and 6 credits are 2 and 3 bets; 5 bets in 200 choices are 2.5 in 100.

    The costliest counts four more times, so the variance is (4 + 9 + 4 * 9) / 200**2 = 0.035**2.
    The gamma distribution's shape is 0.025**2 / 0.035**2 = 0.51, and its 97.5% quantile 0.1222.
    """
    (strength,) = find_strengths([played(1, 120, 4), played(2, 80, 6)])
    assert (strength.rate.cost, strength.choices, strength.unit) == (2.5, 200, "bets")
    assert strength.rate.error == pytest.approx(100 * (0.1222 - 0.025) / 2, abs=0.01)


def test_strength_counts_only_the_latest_sessions_up_to_500_choices() -> None:
    """The third session before the end completes 500 choices, so the first one is left out."""
    sessions = [played(n, 200, *((200,) if n == 1 else ())) for n in (3, 1, 4, 2)]
    (strength,) = find_strengths(sessions)
    assert (strength.choices, strength.rate.cost) == (600, 0)


def test_strengths_list_recent_games_first_and_need_100_choices() -> None:
    found = find_strengths(
        [played(1, 100, game="a"), played(2, 150, game="b"), played(3, 99, game="c")]
    )
    assert [one.game for one in found] == ["b", "a"], "99 choices are too few"


@pytest.mark.parametrize(
    ("cost", "place"),
    [
        (0.0, "as strong as expert"),
        (1.0, "as strong as expert"),
        (1.1, "between greedy and expert"),
        (4.0, "between greedy and expert"),
        (4.1, "between random and greedy"),
        (9.0, "between random and greedy"),
        (9.1, "weaker than random"),
    ],
)
def test_strength_is_placed_between_two_computer_players(cost: float, place: str) -> None:
    strength = Strength("game", CostRate(cost, 0.5), 321, "points", LEVELS)
    assert " ".join(strength.place) == place
    assert str(strength) == (
        f"{cost:.2f} points per 100 choices (standard error 0.50), last 321 choices: {place}"
    )


def test_strength_in_a_game_without_levels_has_no_comparison() -> None:
    strength = Strength("game", CostRate(1.0, 0.5), 321, "points", ())
    assert str(strength).endswith("last 321 choices")


def test_computer_levels_are_listed_strongest_first() -> None:
    for definition in DEFINITIONS.values():
        costs = [level.cost for level in definition.adviser.levels]
        assert costs == sorted(costs)
        assert bool(costs) == definition.adviser.has_judge
