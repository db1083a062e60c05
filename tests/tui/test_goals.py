"""A goal for a session on the screen: chosen in the menu, followed at the table, and reached."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.pilot import Pilot

from tests.helpers.arcade_pilot import (
    arcade,
    leave,
    lines,
    practice,
    press,
    run_app,
    screen_after,
    settle,
    shuffles,
    table,
    text,
    text_after,
    type_line,
    until,
    with_purse,
)
from tests.helpers.parameter_ids import size_id, value_id
from tests.helpers.scripted_sessions import reviewed_in
from tui_casino.gamekit.action_grammar import format_command
from tui_casino.house.settings import Settings
from tui_casino.house.sitting import House
from tui_casino.house.visit_state import VisitState
from tui_casino.teacher.goals import TEN_HANDS, TODAYS_DEAL, Goal, GoalKind
from tui_casino.tui.app import Arcade
from tui_casino.tui.history.summary_screen import SummaryWindow
from tui_casino.tui.menu.screen import Menu
from tui_casino.tui.modals import ChoiceDialog

WIDE = (132, 43)


def with_goal(goal: Goal | None, house: House, settings: Settings | None = None) -> Arcade:
    memory = VisitState()
    memory.has_goal(goal)
    settings = settings or Settings(animation=False)
    return arcade(house, memory=memory, settings=settings, fresh=shuffles(1, 2, 3))


async def play_hand(pilot: Pilot[None], place: int = 0) -> None:
    """Play a hand of video poker with the best hold, or with another one by its rank."""
    await press(pilot, "space")
    view = table(pilot.app).view
    definition = view.definition
    values = definition.adviser.values(view.seen, view.seat)
    await type_line(pilot, format_command(values[place].action, definition.words.verbs))
    await settle(pilot)


async def test_goal_chosen_in_the_menu_is_shown_there(tmp_path: Path) -> None:
    app = with_goal(None, with_purse(tmp_path))
    async with run_app(app) as pilot:
        assert "  g  Goal" not in text(app)
        assert isinstance(await screen_after(pilot, "g"), ChoiceDialog)
        assert "ten hands without a mistake" in text(app)
        assert "today's deal" in text(app)
        assert "Goal             ten hands without a mistake" in await text_after(pilot, "1")
        await press(pilot, "g", "escape")
        assert "Goal             ten hands without a mistake" in text(app)
        assert "  g  Goal" not in await text_after(pilot, "g", "3")


@pytest.mark.parametrize(
    ("size", "shown"),
    [
        ((80, 24), "Goal             without breaking a high pair"),
        (WIDE, "Goal             without breaking a high pair, Video poker"),
    ],
    ids=size_id,
)
async def test_menu_names_the_habit_of_a_goal_and_then_its_game(
    size: tuple[int, int], shown: str, tmp_path: Path
) -> None:
    goal = Goal(GoalKind.HABIT, "video-poker", "breaking a high pair")
    app = with_goal(goal, with_purse(tmp_path))
    async with run_app(app, *size) as pilot:
        await until(pilot, lambda: shown in text(app))
        assert ("Video poker" in text(app).partition(shown)[2].partition("\n")[0]) is False


async def test_goal_from_your_mistakes_is_offered_once_they_are_known(tmp_path: Path) -> None:
    app = with_goal(None, with_purse(tmp_path))
    async with run_app(app, *WIDE) as pilot:
        await press(pilot, "1")
        for _ in range(3):
            await play_hand(pilot, -1)
        await leave(pilot)
        assert isinstance(await screen_after(pilot, "escape"), Menu)
        await until(pilot, lambda: app.desk.overview)
        assert "Video poker: a session" in await text_after(pilot, "g")
        await press(pilot, "2")
        assert app.desk.memory.goal is not None
        assert app.desk.memory.goal.game == "video-poker"


async def test_narrow_table_shows_goal_progress_in_few_columns(tmp_path: Path) -> None:
    async with run_app(with_goal(TEN_HANDS, with_purse(tmp_path)), 50, 24) as pilot:
        await press(pilot, "1")
        assert "goal 0/10" in lines(pilot.app)[0]


@pytest.mark.parametrize("size", [(80, 24), WIDE], ids=size_id)
async def test_table_shows_goal_progress_and_the_summary_a_reached_goal(
    size: tuple[int, int], tmp_path: Path
) -> None:
    def progress(hands: int) -> str:
        return f"goal: {hands} of 10 hands"

    app = with_goal(TEN_HANDS, with_purse(tmp_path))
    async with run_app(app, *size) as pilot:
        await press(pilot, "1")
        assert progress(0) in lines(app)[0]
        await play_hand(pilot)
        assert progress(1) in lines(app)[0]
        await play_hand(pilot, -1)
        assert progress(0) in lines(app)[0], "a mistake starts the count again"
        for number in range(1, 10):
            await play_hand(pilot)
            assert progress(number) in lines(app)[0]
        await play_hand(pilot)
        assert "goal: reached" in lines(app)[0]
        assert isinstance(await screen_after(pilot, "escape"), SummaryWindow)
        assert "goal reached            ten hands without a mistake" in text(app)


async def test_session_summary_does_not_mention_a_goal_that_is_not_reached(tmp_path: Path) -> None:
    app = with_goal(TEN_HANDS, with_purse(tmp_path))
    async with run_app(app) as pilot:
        await press(pilot, "1")
        for _ in range(3):
            await play_hand(pilot)
        assert isinstance(await screen_after(pilot, "escape"), SummaryWindow)
        assert "accuracy" in text(app)
        assert "goal" not in str(app.screen.query_one("#ending").render())


async def test_goal_counts_the_hands_before_a_session_was_resumed(tmp_path: Path) -> None:
    app = with_goal(TEN_HANDS, with_purse(tmp_path))
    async with run_app(app, *WIDE) as pilot:
        await press(pilot, "1")
        await play_hand(pilot)
        await play_hand(pilot)
        assert isinstance(await screen_after(pilot, "space", "escape", "y"), Menu)
        await press(pilot, "1")
        app.clear_notifications()
        await settle(pilot)
        assert "goal: 2 of 10 hands" in lines(app)[0]


async def test_choice_that_was_undone_does_not_count_for_the_goal(tmp_path: Path) -> None:
    app = with_goal(TEN_HANDS, practice(tmp_path))
    async with run_app(app, *WIDE) as pilot:
        await press(pilot, "1")
        await play_hand(pilot)
        await play_hand(pilot, -1)
        assert "goal: 0 of 10 hands" in lines(app)[0]
        await press(pilot, "u")
        app.clear_notifications()
        await settle(pilot)
        assert "goal: 1 of 10 hands" in lines(app)[0]


async def test_cost_goal_counts_each_mistake_in_bets_of_its_own_hand(tmp_path: Path) -> None:
    goal, bets = Goal(GoalKind.COST, "video-poker", "", 1.0, "bets"), (5, 1, 3)
    app = with_goal(goal, with_purse(tmp_path))
    async with run_app(app, *WIDE) as pilot:
        await press(pilot, "1")
        for bet in bets:
            await type_line(pilot, f"b {bet}")
            await play_hand(pilot, -1)
        at = table(app)
        told = at.goal.progress().text
        await press(pilot, "escape")
        (sitting,) = reviewed_in(at.sitting.log.path.parent)
    assert len(sitting.mistakes) == len(bets)
    cost = sum(float(one.cost) / bets[one.round - 1] for one in sitting.mistakes)
    assert cost == pytest.approx(sum(map(sitting.cost_of, sitting.mistakes)))
    assert told == f"{100 * cost / len(bets):.2f} of 1.00 bets"


@pytest.mark.parametrize("game", ["1", "3", "4", "5"])
async def test_tables_of_all_games_with_choices_show_the_goal(game: str, tmp_path: Path) -> None:
    app = with_goal(TEN_HANDS, with_purse(tmp_path))
    app.desk.memory.sits_at("cribbage", "trainer")
    async with run_app(app, *WIDE) as pilot:
        await press(pilot, game)
        assert "goal: 0 of 10 hands" in lines(app)[0]


@pytest.mark.parametrize(
    ("game", "goal"),
    [
        ("2", TEN_HANDS),
        ("1", TODAYS_DEAL),
        ("1", Goal(GoalKind.HABIT, "thirty-one", "buying insurance")),
    ],
    ids=value_id,
)
async def test_table_to_which_the_goal_does_not_apply_shows_no_goal(
    game: str, goal: Goal, tmp_path: Path
) -> None:
    """Baccarat has no choices, and the other goals are for another table."""
    app = with_goal(goal, with_purse(tmp_path))
    async with run_app(app, *WIDE) as pilot:
        await press(pilot, game)
        assert table(app).goal is None
        assert "goal" not in lines(app)[0]


async def test_smallest_window_has_no_room_for_the_goal(tmp_path: Path) -> None:
    app = with_goal(TEN_HANDS, with_purse(tmp_path))
    async with run_app(app, 40, 15) as pilot:
        await press(pilot, "1")
        assert table(app).goal is not None
        await play_hand(pilot)
        assert "goal" not in text(app)


async def test_goals_setting_off_hides_goals_in_menu_table_and_summary(tmp_path: Path) -> None:
    settings = Settings(animation=False, goals=False)
    app = with_goal(TEN_HANDS, with_purse(tmp_path), settings)
    async with run_app(app, *WIDE) as pilot:
        assert "Goal" not in text(app)
        assert "this key has no action here" in await text_after(pilot, "g")
        await press(pilot, "escape", "1")
        for _ in range(3):
            await play_hand(pilot)
        assert "goal" not in text(app)
        assert isinstance(await screen_after(pilot, "escape"), SummaryWindow)
        assert "accuracy" in text(app)
        assert "goal" not in text(app)
