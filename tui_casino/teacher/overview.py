"""An overview of the player's mistakes for the menu, from all reviewed sessions."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from ..gamekit.habits import OTHER_HABIT
from .daily_five import DailyFive, daily_five
from .leaks import Leak, find_habits
from .mistake_queue import MistakeQueue
from .mistakes import ReviewedSitting


class MistakeOverview(Struct, frozen=True):
    """The mistakes that are ``waiting`` and ``learned``, today's five, and the costliest habit.

    ``run`` is the number of rounds without a mistake up to now, and ``longest_run`` the most ever.
    """

    waiting: int
    learned: int
    daily: DailyFive
    habit: Leak | None
    run: int
    longest_run: int


def mistake_overview(queue: MistakeQueue, now: int) -> MistakeOverview:
    """Return the overview of the mistakes in a queue; ``now`` is in milliseconds since 1970."""
    groups, habits = queue.groups(), find_habits(queue.admitted)
    run, longest = rounds_without_mistake(queue.admitted)
    return MistakeOverview(
        sum(group.pending for group in groups),
        sum(group.learned for group in groups),
        daily_five(queue, now),
        next((one.total for one in habits if one.total.habit != OTHER_HABIT.name), None),
        run,
        longest,
    )


def rounds_without_mistake(sittings: Iterable[ReviewedSitting]) -> tuple[int, int]:
    """Return the current and the longest run of rounds without a mistake, over all games."""
    run = longest = 0
    for each in sorted(sittings, key=lambda each: (each.entry.started, each.entry.path.name)):
        last = 0
        for wrong in sorted({mistake.round for mistake in each.mistakes}):
            longest = max(longest, run + wrong - last - 1)
            run, last = 0, wrong
        run += each.rounds - last
        longest = max(longest, run)
    return run, longest
