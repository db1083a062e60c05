"""Goals for a session: the progress of each, and which goals a player is offered."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

from tests.helpers.parameter_ids import value_id
from tests.teacher.test_daily_five import NOON, sitting
from tui_casino.gamekit.adviser import Habit, Habits
from tui_casino.house.desk import describe_goal
from tui_casino.house.visit_state import VisitState
from tui_casino.structs import replace
from tui_casino.teacher.goals import (
    TEN_HANDS,
    TODAYS_DEAL,
    WEEK,
    Goal,
    GoalKind,
    GoalOutcome,
    GoalProgress,
    JudgedChoice,
    goal_progress,
    offered_goals,
)
from tui_casino.teacher.overview import own_goal

OPEN, REACHED, MISSED = GoalOutcome.OPEN, GoalOutcome.REACHED, GoalOutcome.MISSED
LOOSE = Goal(GoalKind.HABIT, "five-card-draw", "standing pat too often")
CHEAP = Goal(GoalKind.COST, "five-card-draw", "", 2.0, "bets")


def right(rounds: Iterable[int]) -> list[JudgedChoice]:
    return [JudgedChoice(number) for number in rounds]


def wrong(number: int, cost: float = 1.0, habit: str = "other mistakes") -> JudgedChoice:
    return JudgedChoice(number, cost, habit)


# ---- ten hands without a mistake -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("choices", "rounds", "outcome", "text"),
    [
        ([], 0, OPEN, "0 of 10 hands"),
        (right(range(1, 10)), 9, OPEN, "9 of 10 hands"),
        (right(range(1, 11)), 9, OPEN, "9 of 10 hands"),  # the tenth hand is not over
        (right(range(1, 11)), 10, REACHED, "10 of 10 hands"),
        ([*right(range(1, 11)), wrong(10)], 10, OPEN, "0 of 10 hands"),
        ([*right(range(1, 12)), wrong(11)], 11, REACHED, "10 of 10 hands"),  # it stays reached
        ([wrong(1), *right(range(2, 12))], 11, REACHED, "10 of 10 hands"),
        ([*right(range(1, 6)), wrong(6)], 5, OPEN, "0 of 10 hands"),  # before the hand is over
    ],
    ids=[
        "no hands",
        "nine hands",
        "tenth hand not over",
        "ten hands",
        "mistake in a later choice of the tenth hand",
        "mistake after the goal is reached",
        "mistake before ten hands",
        "mistake in a hand that is not over",
    ],
)
def test_goal_of_ten_hands_is_reached_after_ten_hands_without_a_mistake(
    choices: list[JudgedChoice], rounds: int, outcome: GoalOutcome, text: str
) -> None:
    for over in (False, True):
        assert goal_progress(TEN_HANDS, choices, rounds, over=over) == (outcome, text)


def test_goal_of_ten_hands_counts_only_hands_with_a_judged_choice() -> None:
    choices = right(range(2, 22, 2))
    assert goal_progress(TEN_HANDS, choices, 19).text == "9 of 10 hands"
    assert goal_progress(TEN_HANDS, choices, 20).outcome is REACHED
    assert goal_progress(TEN_HANDS, right([1, 1, 1]), 1).text == "1 of 10 hands"


# ---- a habit -------------------------------------------------------------------------------------


def test_habit_goal_is_missed_by_the_first_mistake_of_its_kind() -> None:
    ten = right(range(1, 11))
    assert goal_progress(LOOSE, ten, 10) == (OPEN, "10 of 10 hands")
    assert goal_progress(LOOSE, ten, 10, over=True).outcome is REACHED
    assert goal_progress(LOOSE, ten, 9, over=True).outcome is OPEN, "nine hands are too few"
    other = [*ten, wrong(4)]
    assert goal_progress(LOOSE, other, 10, over=True).outcome is REACHED
    broken = [*right([1]), wrong(1, 0.01, LOOSE.habit)]
    assert goal_progress(LOOSE, broken, 0) == (MISSED, "missed")


# ---- a cost --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cost", "rounds", "over", "outcome"),
    [
        (0.19, 10, False, OPEN),
        (0.19, 10, True, REACHED),
        (0.2, 10, True, MISSED),
        (0.2, 11, True, REACHED),
        (0.0, 9, True, OPEN),
    ],
    ids=[
        "session not over",
        "below the average",
        "at the average",
        "below it after more hands",
        "too few hands",
    ],
)
def test_cost_goal_is_reached_if_the_cost_stays_below_the_average(
    cost: float, rounds: int, over: bool, outcome: GoalOutcome
) -> None:
    choices = [*right(range(1, 11)), JudgedChoice(1, cost)]
    assert goal_progress(CHEAP, choices, rounds, over=over).outcome is outcome


def test_progress_of_a_cost_goal_is_shown_in_bets() -> None:
    choices = [*right(range(1, 11)), wrong(1, 1.5)]
    progress = goal_progress(CHEAP, choices, 100)
    assert progress == (OPEN, "1.50 of 2.00 bets")
    assert progress.titles == ("goal: 1.50 of 2.00 bets", "goal 1.50/2.00")


def test_title_of_a_goal_shows_progress_or_reached_or_missed() -> None:
    assert GoalProgress(OPEN, "3 of 10 hands").titles == ("goal: 3 of 10 hands", "goal 3/10")
    assert GoalProgress(REACHED, "10 of 10 hands").titles[0] == "goal: reached"
    assert GoalProgress(MISSED, "missed").titles == ("goal: missed", "goal missed")


# ---- the goals that are offered ------------------------------------------------------------------


def with_habit(name: str) -> Habits:
    return Habits(lambda kind: Habit(name))


def test_goal_against_the_costliest_habit_of_the_last_week_is_offered() -> None:
    old = replace(
        sitting("five-card-draw", [9, 9], started=NOON - WEEK - 1), habits=with_habit("calling")
    )
    new = replace(sitting("thirty-one", [1], started=NOON - WEEK), habits=with_habit("standing"))
    assert own_goal([old, new], NOON) == Goal(GoalKind.HABIT, "thirty-one", "standing")


def test_cost_goal_for_the_last_game_is_offered_without_a_habit() -> None:
    """Other mistakes are not a habit."""
    sittings = [
        sitting("five-card-draw", [3], of=100, started=NOON - 3),
        sitting("five-card-draw", [1], of=100, started=NOON - 2),
        sitting("thirty-one", [50], started=NOON - 9),
    ]
    assert own_goal(sittings, NOON) == Goal(GoalKind.COST, "five-card-draw", "", 2.0, "bets")
    faultless = sitting("cribbage", [], started=NOON - 1)
    assert own_goal([*sittings, faultless], NOON) is None
    assert own_goal([], NOON) is None


def test_up_to_three_goals_and_no_goal_are_offered() -> None:
    assert offered_goals(LOOSE, has_daily=True) == (TEN_HANDS, LOOSE, TODAYS_DEAL, None)
    assert offered_goals(None, has_daily=False) == (TEN_HANDS, None)


def test_description_of_a_goal_names_its_game() -> None:
    assert describe_goal(None) == "no goal"
    assert describe_goal(TEN_HANDS, played=True) == "ten hands without a mistake"
    assert describe_goal(LOOSE) == "Five-card draw: a session without standing pat too often"
    assert describe_goal(CHEAP) == "Five-card draw: a session under 2.00 bets per 100 hands"
    assert describe_goal(TODAYS_DEAL) == "today's deal"
    assert describe_goal(TODAYS_DEAL, played=True) == "today's deal, played"
    assert describe_goal(TODAYS_DEAL, played=False) == "today's deal, not played yet"


@pytest.mark.parametrize("goal", [TEN_HANDS, LOOSE, CHEAP, TODAYS_DEAL, None], ids=value_id)
def test_chosen_goal_is_stored_between_visits(goal: Goal | None, tmp_path: Path) -> None:
    path = tmp_path / "visits.json"
    VisitState(path).has_goal(goal)
    assert VisitState(path).goal == goal


@pytest.mark.parametrize("text", ['"hands"', '{"kind":"luck"}', '{"kind":"cost","price":1}'])
def test_unknown_goal_in_the_visit_file_counts_as_no_goal(text: str, tmp_path: Path) -> None:
    path = tmp_path / "visits.json"
    path.write_text(f'{{"shown_round":true,"goal":{text}}}')
    assert VisitState(path).goal is None
    assert VisitState(path).shown_round
