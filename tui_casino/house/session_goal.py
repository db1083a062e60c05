"""The goal of a session: follow the player's choices at a table, and judge them."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from threading import Lock
from typing import Any

from ..engine.game import Deal, Shoe
from ..gamekit.table_catalog import PrintLine
from ..inputs.files import BadFile
from ..records.replay import LogMismatch, log_options, replay_log
from ..records.seat_steps import walk_steps
from ..records.session_log import read_log
from ..teacher.goals import Goal, GoalOutcome, GoalProgress, JudgedChoice, goal_progress
from .lobby import AnySitting


def can_count(goal: Goal, sitting: AnySitting) -> bool:
    """Return whether a session counts for a goal: one player, and choices that can be judged."""
    dialogue, definition = sitting.dialogue, sitting.definition
    return (
        definition.adviser.has_judge
        and sitting.table.humans == (dialogue.seat,)
        and not dialogue.prescribed
        and sitting.log.header.daily is None
        and not goal.is_daily
        and goal.game in ("", definition.game.slug)
    )


class SessionGoal:
    """A goal, and how far a session has got with it.

    Choices are judged only when the progress is asked for, because that may take long. This may be
    done on several threads.
    """

    def __init__(self, goal: Goal, sitting: AnySitting) -> None:
        self.goal, self._sitting = goal, sitting
        self._definition, self._seat = sitting.definition, sitting.dialogue.seat
        self._lock, self._announced = Lock(), GoalOutcome.OPEN
        self._follow()

    def _follow(self) -> None:
        """Follow the session's dialogue, which is another one after a choice was taken back."""
        self._dialogue, self._earlier = self._sitting.dialogue, self._sitting.log.steps
        self._judged: list[JudgedChoice] = []
        self._opening = 0, 1
        self._waiting = waiting = deque[tuple[Any, Any, int]]()
        self._dialogue.on_action = lambda *choice: waiting.append(choice)

    def progress(self, *, over: bool = False) -> GoalProgress:
        """Judge the choices since the last call, and return how far the session has got."""
        with self._lock:
            if self._sitting.dialogue is not self._dialogue:
                self._follow()
            if self._earlier:
                self._judged, self._earlier = [*self._recorded()], 0
            while self._waiting:
                self._judged += self._judge(*self._waiting.popleft())
            rounds = self._dialogue.tally.rounds
            return goal_progress(self.goal, self._judged, rounds, over=over)

    def announce(self, say: PrintLine, *, over: bool = False) -> None:
        """Say once that the goal is reached or missed."""
        outcome = self.progress(over=over).outcome
        if outcome is not self._announced and outcome is not GoalOutcome.OPEN:
            self._announced = outcome
            say(f"Goal {outcome.value}: {self.goal.text}.")

    def _recorded(self) -> Iterator[JudgedChoice]:
        """Yield the choices before the session was resumed, or a choice was taken back."""
        definition, seat = self._definition, self._seat
        with suppress(BadFile, LogMismatch):
            log = read_log(self._sitting.log.path)
            start = definition.game.start(log_options(definition.game, log))
            played = replay_log(definition.game, log)
            for step in walk_steps(definition, seat, start, definition.tally(seat), played):
                line, action = step.played.line, step.played.action
                if line.n > self._earlier:
                    return
                if line.by == seat and not isinstance(action, Shoe | Deal):
                    view = definition.game.view(step.before, seat)
                    yield from self._judge(view, action, step.number)

    def _judge(self, view: Any, action: Any, number: int) -> Iterator[JudgedChoice]:
        decision = self._definition.decision(view, self._seat, action)
        if decision is None:
            return
        mistake = decision.mistake
        habit = (
            "" if mistake is None else self._definition.adviser.habits.of_kind(mistake.kind).name
        )
        yield JudgedChoice(number, float(decision.cost) / self._bet(view, number), habit)

    def _bet(self, view: Any, number: int) -> int:
        """Return the bet in which the costs of a round are counted."""
        definition, (known, bet) = self._definition, self._opening
        if definition.points:
            return 1
        if known != number:
            staked = definition.game.money(view, self._seat).staked
            bet = definition.adviser.bet(self._sitting.table.options) or staked or 1
            self._opening = number, bet
        return bet
