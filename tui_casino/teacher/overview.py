"""An overview of the player's mistakes for the menu, from all reviewed sessions."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from ..gamekit.adviser import OTHER_HABIT
from .goals import WEEK, Goal, GoalKind
from .leaks import Leak, chronological, find_habits, total_cost
from .mistake_queue import DailyFive, MistakeQueue, daily_five
from .mistakes import ReviewedSitting


class MistakeOverview(Struct, frozen=True):
    """The mistakes that are ``waiting`` and ``learned``, today's five, and the costliest habit.

    ``streak`` is the current number of rounds without a mistake, ``longest_streak`` the most ever.
    ``own_goal`` is the goal for a session that follows from the mistakes, if there is one.
    """

    waiting: int
    learned: int
    daily: DailyFive
    habit: Leak | None
    streak: int
    longest_streak: int
    own_goal: Goal | None = None


def mistake_overview(queue: MistakeQueue, now: int) -> MistakeOverview:
    """Return the overview of the mistakes in a queue; ``now`` is in milliseconds since 1970."""
    groups, habit = queue.groups(), costliest_habit(queue.admitted)
    streak, longest = rounds_without_mistake(queue.admitted)
    return MistakeOverview(
        sum(group.pending for group in groups),
        sum(group.learned for group in groups),
        daily_five(queue, now),
        habit,
        streak,
        longest,
        own_goal(queue.admitted, now),
    )


def costliest_habit(sittings: Iterable[ReviewedSitting]) -> Leak | None:
    """Return the costliest habit that has a name; ``None`` if there is none."""
    habits = find_habits(sittings)
    return next((one.total for one in habits if one.total.habit != OTHER_HABIT.name), None)


def own_goal(sittings: Iterable[ReviewedSitting], now: int) -> Goal | None:
    """Return the goal to avoid the costliest habit of the last week.

    Without such a habit, it is to play below the average cost of the game that was played last.
    Return ``None`` if the player has made no mistakes at that game.
    """
    every = [*sittings]
    habit = costliest_habit(each for each in every if each.entry.started >= now - WEEK)
    if habit is not None:
        return Goal(GoalKind.HABIT, habit.game, habit.habit)
    last = max(every, key=lambda each: each.entry.started, default=None)
    if last is None:
        return None
    average = total_cost(each for each in every if each.entry.game == last.entry.game)
    if average is None or not average.rate.cost:
        return None
    return Goal(GoalKind.COST, last.entry.game or "", "", average.rate.cost, average.unit)


def rounds_without_mistake(sittings: Iterable[ReviewedSitting]) -> tuple[int, int]:
    """Return the current and the longest streak of rounds without a mistake, over all games."""
    streak = longest = 0
    for each in chronological(sittings):
        last = 0
        for wrong in sorted({mistake.round for mistake in each.mistakes}):
            longest = max(longest, streak + wrong - last - 1)
            streak, last = 0, wrong
        streak += each.rounds - last
        longest = max(longest, streak)
    return streak, longest
