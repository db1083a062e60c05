"""The goal for sessions in screen-reader mode: choose one, or none."""

from __future__ import annotations

from collections.abc import Callable

from ..daily.session import read_day
from ..gamekit.registry import DEFINITIONS
from ..house.desk import Desk, describe_goal
from ..teacher.answers import AnswerFile
from ..teacher.goals import offered_goals
from ..teacher.mistake_queue import MistakeQueue
from ..teacher.overview import own_goal
from .menu import MenuEntry
from .own_logs import studied_sittings
from .prompts import PromptOption, choose
from .voice import Voice


def goal_entry(desk: Desk, has_daily: Callable[[], bool]) -> MenuEntry:
    """Return the menu entry of the goal, which is listed while goals are on."""

    def played() -> bool | None:
        if desk.goal is None or not desk.goal.is_daily or not has_daily():
            return None
        return any(one.finished for one in read_day(desk.house, DEFINITIONS).tries)

    def enter(voice: Voice) -> None:
        house = desk.house
        voice.say(f"Now: {describe_goal(desk.goal, played())}.")
        queue = MistakeQueue(AnswerFile(house.answers, house.player), house.clock)
        for each in studied_sittings(voice, house):
            queue.add(each)
        goals = offered_goals(own_goal(queue.admitted, house.clock()), has_daily=has_daily())
        options = [PromptOption(describe_goal(goal)) for goal in goals]
        if (place := choose(voice, "A goal for your sessions", options)) is not None:
            desk.memory.has_goal(goals[place])

    return MenuEntry("Goal", "for your sessions", enter, is_listed=lambda: desk.has_goals)
