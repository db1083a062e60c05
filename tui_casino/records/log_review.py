"""The review of a log: its rounds, curve and decisions, collected in one pass over its steps.

All analysis of past sessions uses a review: statistics, the history and its preview, the replay and
its curve, the lists of mistakes, leaks, drills and the screen-reader mode.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from typing import Generic

from msgspec import Struct, field

from ..engine.game import A, Deal, E, O, S, Seat, Shoe
from ..gamekit.adviser import ActFrequencies, Decision, ValuesScope, add_frequencies
from ..gamekit.definition import CurveMetric, GameDefinition
from ..gamekit.tally import T
from ..structs import replace
from .replay import log_options
from .seat_steps import FinishedRound, SeatStep, permitted_viewer, replay_redacted
from .session_log import SessionLog


def decision_at(
    definition: GameDefinition[O, S, A, E, T],
    seat: Seat,
    step: SeatStep[S, A, E, T],
    values: ValuesScope = ValuesScope.NONE,
) -> Decision[S, A] | None:
    """Return the analysed decision that a seat made at a step; ``None`` if it made none.

    This may take a long time.
    """
    line, action = step.played.line, step.played.action
    if line.by != seat or action is None or isinstance(action, Shoe | Deal):
        return None
    decision = definition.decision(definition.game.view(step.before, seat), seat, action, values)
    return decision and replace(decision, step=line.n, round=step.number, at=line.at)


class LogReview(Struct, Generic[S, A]):
    """The review of a session up to the step ``done``.

    ``rounds`` are the finished rounds. ``mistakes`` are the decisions that were mistakes; ``spots``
    counts all analysed decisions by spot, and ``acts`` contains the frequencies of the acts that
    were possible in them, by spot and slip, as in :class:`.MistakeKind`. ``bet`` is the highest
    stake at one time, in the game's units; void rounds are included.

    The curve shows a ``measure`` of the seat, such as its money: ``values`` after the ``steps`` at
    which it changed. The first value is that at the beginning of the session. Without a measure
    there is no curve.
    """

    measure: CurveMetric[S] | None = None
    rounds: list[FinishedRound] = field(default_factory=list)
    steps: list[int] = field(default_factory=list)
    values: list[float] = field(default_factory=list)
    mistakes: list[Decision[S, A]] = field(default_factory=list)
    spots: Counter[str] = field(default_factory=Counter)
    acts: ActFrequencies = field(default_factory=dict)
    bet: int = 0
    done: int = 0

    @property
    def cost(self) -> Fraction:
        """The cost of all mistakes, in the game's units."""
        return sum((one.cost for one in self.mistakes), Fraction(0))

    def value(self, step: int) -> float:
        """Return the value of the measure after a step, or 0 if there is no curve."""
        return self.values[max(0, bisect_right(self.steps, step) - 1)] if self.values else 0

    def add(
        self,
        definition: GameDefinition[O, S, A, E, T],
        seat: Seat,
        step: SeatStep[S, A, E, T],
        decision: Decision[S, A] | None = None,
    ) -> None:
        """Add the next step, and the decision that the seat made there, if it made one."""
        self.done = step.played.line.n
        self.bet = max(self.bet, step.staked)
        if step.ended is not None:
            self.rounds.append(step.ended)
        if self.measure is not None and (step.ended is not None or not self.measure.by_rounds):
            self.note(self.done, definition.game.view(step.played.state, seat), seat)
        if decision is not None:
            self.spots[decision.spot] += 1
            if (frequencies := definition.adviser.frequencies) is not None:
                add_frequencies(self.acts, {decision.spot: frequencies(decision)})
            if decision.mistake is not None:
                self.mistakes.append(decision)

    def note(self, step: int, view: S, seat: Seat) -> None:
        """Add the value of the measure after a step to the curve, if it has changed."""
        value = None if self.measure is None else self.measure.value(view, seat)
        if value is not None and self.values[-1:] != [value]:
            self.steps.append(step)
            self.values.append(value)


def weigh_decisions(
    definition: GameDefinition[O, S, A, E, T], log: SessionLog
) -> Iterator[Decision[S, A]]:
    """Yield the analysed choices of all seats, each with its alternatives.

    In an open session, only the choices of the seat that may see the log are included. Choices that
    the adviser cannot analyse, such as a bet in video poker, are left out. Raises the errors of
    :func:`~.replay.replay_log`.
    """
    viewer = permitted_viewer(log.header)
    before = definition.game.start(log_options(definition.game, log))
    if not log.over:
        before = definition.game.view(before, viewer)
    for played in replay_redacted(definition.game, log):
        by, action = played.line.by, played.action
        if (
            by is not None
            and (log.over or by == viewer)
            and not isinstance(action, Shoe | Deal | None)
        ):
            seat = Seat(by)
            decision = definition.decision(
                definition.game.view(before, seat), seat, action, ValuesScope.OF_ALL
            )
            if decision is not None:
                yield replace(decision, step=played.line.n, at=played.line.at)
        before = played.state
