"""Goals for a session: which goals a player may choose, and how far a session has got.

All functions are pure. A choice counts if the game's adviser has judged it, so forced choices do
not count, and a hand counts once it is over and the player had such a choice in it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import Enum
from typing import NamedTuple

from msgspec import Struct

HANDS = 10
"""The number of hands that count which every goal needs."""
WEEK = 7 * 24 * 60 * 60 * 1000
"""In milliseconds."""


class GoalKind(Enum):
    """The kinds of goals; the values are stored between visits."""

    HANDS = "hands"
    HABIT = "habit"
    COST = "cost"
    DAILY = "daily"


class Goal(Struct, frozen=True):
    """A goal for a session.

    A ``HABIT`` or a ``COST`` belongs to a ``game``. A ``COST`` is the highest cost per 100 hands,
    in bets or points, which the session has to stay below.
    """

    kind: GoalKind
    game: str = ""
    habit: str = ""
    cost: float = 0.0
    unit: str = ""

    @property
    def is_daily(self) -> bool:
        """Whether the goal is to play a deal of the day."""
        return self.kind is GoalKind.DAILY

    @property
    def text(self) -> str:
        """The goal in words, without its game."""
        is_session = self.kind in (GoalKind.HABIT, GoalKind.COST)
        return f"a session {self.short}" if is_session else self.short

    @property
    def short(self) -> str:
        """The goal in the words that fit into the menu at 80 columns."""
        match self.kind:
            case GoalKind.HANDS:
                return "ten hands without a mistake"
            case GoalKind.HABIT:
                return f"without {self.habit}"
            case GoalKind.COST:
                return f"under {self.cost:.2f} {self.unit} per 100 hands"
            case GoalKind.DAILY:
                return "today's deal"


TEN_HANDS, TODAYS_DEAL = Goal(GoalKind.HANDS), Goal(GoalKind.DAILY)


def offered_goals(own: Goal | None, *, has_daily: bool) -> tuple[Goal | None, ...]:
    """Return the goals that a player may choose, with their ``own``; the last means no goal."""
    return *filter(None, (TEN_HANDS, own, TODAYS_DEAL if has_daily else None)), None


class GoalOutcome(Enum):
    """Whether a goal is decided."""

    OPEN = "open"
    REACHED = "reached"
    MISSED = "missed"


class GoalProgress(NamedTuple):
    """How far a session has got: the outcome, and a few words, such as ``3 of 10 hands``."""

    outcome: GoalOutcome
    text: str

    @property
    def titles(self) -> tuple[str, str]:
        """The progress for a title bar: ``goal: 3 of 10 hands``, or shorter ``goal 3/10``."""
        state = self.text if self.outcome is GoalOutcome.OPEN else self.outcome.value
        return f"goal: {state}", f"goal {self.text.replace(' of ', '/').split()[0]}"


class JudgedChoice(NamedTuple):
    """A choice in a round (from 1), with its cost in bets or points.

    ``habit`` is the habit of a mistake, and "" for other choices.
    """

    round: int
    cost: float = 0.0
    habit: str = ""


def goal_progress(
    goal: Goal,
    choices: Sequence[JudgedChoice],
    rounds: int,
    *,
    over: bool = False,
) -> GoalProgress:
    """Return how far a session with these choices has got after ``rounds`` finished rounds.

    Ten hands in a row are enough at any time. The other goals are about the whole session, so they
    are reached only when it is ``over``.
    """
    hands = len({choice.round for choice in choices if choice.round <= rounds})
    match goal.kind:
        case GoalKind.HANDS:
            return _ten_hands(choices, rounds)
        case GoalKind.HABIT:
            missed = any(choice.habit == goal.habit for choice in choices)
            text = "missed" if missed else f"{hands} of {HANDS} hands"
            decided = missed or (over and hands >= HANDS)
        case GoalKind.COST:
            cost = 100 * sum(choice.cost for choice in choices) / max(1, rounds)
            missed = cost >= goal.cost
            text = f"{cost:.2f} of {goal.cost:.2f} {goal.unit}"
            decided = over and hands >= HANDS
        case GoalKind.DAILY:
            return GoalProgress(GoalOutcome.OPEN, "")
    if not decided:
        return GoalProgress(GoalOutcome.OPEN, text)
    return GoalProgress(GoalOutcome.MISSED if missed else GoalOutcome.REACHED, text)


def _ten_hands(choices: Iterable[JudgedChoice], rounds: int) -> GoalProgress:
    """Count the hands without a mistake; a mistake starts the count again."""
    wrong = {choice.round for choice in choices if choice.habit}
    run = 0
    for number in sorted({choice.round for choice in choices}):
        run = 0 if number in wrong else run + (number <= rounds)
        if run == HANDS:
            return GoalProgress(GoalOutcome.REACHED, f"{HANDS} of {HANDS} hands")
    return GoalProgress(GoalOutcome.OPEN, f"{run} of {HANDS} hands")
