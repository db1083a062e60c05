"""A goal for a session in screen-reader mode."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.screen_reader.transcripts import visited
from tui_casino.house.settings import Settings
from tui_casino.house.visit_state import VisitState
from tui_casino.teacher.goals import TEN_HANDS, Goal, GoalKind

DEAL = ["b 1", "d"]


def keep(goal: Goal, folder: Path) -> None:
    VisitState(folder / "visits.json").has_goal(goal)


def test_goal_chosen_in_the_screen_reader_menu_is_saved(tmp_path: Path) -> None:
    said = visited(["goal", "1", "q"], tmp_path)
    assert "Now: no goal." in said
    assert "1. ten hands without a mistake" in said
    assert VisitState(tmp_path / "visits.json").goal == TEN_HANDS
    assert "Now: ten hands without a mistake." in visited(["goal", "b", "q"], tmp_path)


def test_goal_is_printed_at_the_start_of_a_table_and_by_its_command(tmp_path: Path) -> None:
    keep(TEN_HANDS, tmp_path)
    said = visited(["1", "1", "goal", *DEAL, "h 1 2 3 4 5", "goal", "q", "q"], tmp_path)
    assert "Your goal: ten hands without a mistake; goal says how far you are." in said
    assert said.count("ten hands without a mistake: 0 of 10 hands.") == 2, "the hold was a mistake"
    assert not any(line.startswith("Goal ") for line in said)


def test_missed_goal_is_announced_once(tmp_path: Path) -> None:
    every = Goal(GoalKind.COST, "video-poker", "", 0.01, "bets")
    keep(every, tmp_path)
    hands = [*DEAL, "h 1 2 3 4 5"] * 10
    said = visited(["1", "1", *hands, "q", "q"], tmp_path)
    assert said.count("Goal missed: a session under 0.01 bets per 100 hands.") == 1


def test_reached_goal_is_announced(tmp_path: Path) -> None:
    cheap = Goal(GoalKind.COST, "video-poker", "", 1e6, "bets")
    keep(cheap, tmp_path)
    hands = [*DEAL, "h 1 2 3 4 5"] * 10
    said = visited(["1", "1", *hands, "q", "q"], tmp_path)
    assert said.count("Goal reached: a session under 1000000 bets per 100 hands.") == 1


@pytest.mark.parametrize("goals", [True, False], ids=["game without choices", "goals are off"])
def test_goal_command_at_a_table_without_a_goal_says_that_there_is_none(
    goals: bool, tmp_path: Path
) -> None:
    """In baccarat there are no choices; with the setting off there is no goal anywhere."""
    keep(TEN_HANDS, tmp_path)
    game = "2" if goals else "1"
    said = visited([game, "1", "goal", "q", "q"], tmp_path, Settings(goals=goals))
    assert "This session has no goal." in said
    assert not any("Your goal" in line for line in said)
    listed = any(
        "Goal: for your sessions" in line
        for line in visited(["more"] * 3, tmp_path, Settings(goals=goals))
    )
    assert listed == goals
