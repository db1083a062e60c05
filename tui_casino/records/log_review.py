"""The review of a log: its rounds, curve and decisions, collected in one pass over its steps.

All analysis of past sessions uses a review: statistics, the history and its preview, the replay and
its curve, the lists of mistakes, leaks, drills and the screen-reader mode. The review of an open
recording is calculated in parts, or for a single step on request.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from fractions import Fraction
from typing import Generic

from msgspec import Struct, field

from ..engine.game import A, Deal, E, O, S, Seat, Shoe
from ..gamekit.adviser import ActFrequencies, Decision, ValuesScope, add_frequencies
from ..gamekit.definition import CurveMetric, GameDefinition
from ..gamekit.tally import T
from ..structs import replace
from .playback import Playback
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
    if line.by != seat or isinstance(action, Shoe | Deal):
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
        if by is not None and (log.over or by == viewer) and not isinstance(action, Shoe | Deal):
            seat = Seat(by)
            decision = definition.decision(
                definition.game.view(before, seat), seat, action, ValuesScope.OF_ALL
            )
            if decision is not None:
                yield replace(decision, step=played.line.n, at=played.line.at)
        before = played.state


class RecordingReview(Generic[O, S, A, E, T]):
    """Reviews an open recording a few steps at a time, so that other work can run in between.

    If ``only`` is given, only these steps are analysed, because the others are known not to be
    mistakes or are not needed. Raises the errors of :meth:`.Playback.moment_at`.
    """

    def __init__(
        self, recording: Playback[O, S, A, E, T], *, only: Collection[int] | None = None
    ) -> None:
        self._recording, self._only = recording, only
        self._weighed: dict[int, Decision[S, A] | None] = {}  # steps beyond the reviewed ones
        definition = recording.definition
        measure = definition.curve_metric(log_options(definition.game, recording.log))
        self.review: LogReview[S, A] = LogReview(measure)

    def advance(self, maximum: int) -> bool:
        """Review at most ``maximum`` more steps; return whether there are more."""
        recording, review = self._recording, self.review
        if not review.done:
            review.note(
                0, recording.definition.game.view(recording.start, recording.seat), recording.seat
            )
        for number in range(review.done + 1, min(review.done + maximum, recording.steps) + 1):
            selected = self._only is None or number in self._only
            step = recording.seat_step(number)
            decision = self._weigh(number, step) if selected else None
            review.add(recording.definition, recording.seat, step, decision)
            self._weighed.pop(number, None)
        return review.done < recording.steps

    def mistake(self, step: int) -> Decision[S, A] | None:
        """Return the seat's mistake at a step, or ``None``. The first step is step 1."""
        if step <= self.review.done:
            mistakes = self.review.mistakes
            place = bisect_left(mistakes, step, key=lambda one: one.step)
            return next((one for one in mistakes[place : place + 1] if one.step == step), None)
        if self._only is not None and step not in self._only:
            return None
        decision = self._weigh(step, self._recording.seat_step(step))
        return decision if decision is not None and decision.mistake is not None else None

    def next_mistake(self, after: int) -> int | None:
        """Return the next step that was a mistake; ``None`` if there is none."""
        return self._first(range(after + 1, self._recording.steps + 1))

    def previous_mistake(self, before: int) -> int | None:
        """Return the previous step that was a mistake; ``None`` if there is none."""
        return self._first(range(min(before - 1, self._recording.steps), 0, -1))

    def _first(self, steps: Iterable[int]) -> int | None:
        if not self._recording.definition.adviser.has_judge:
            return None
        return next((step for step in steps if self.mistake(step) is not None), None)

    def _weigh(self, number: int, step: SeatStep[S, A, E, T]) -> Decision[S, A] | None:
        if number in self._weighed:
            return self._weighed[number]
        decision = decision_at(
            self._recording.definition, self._recording.seat, step, ValuesScope.OF_MISTAKES
        )
        if decision is not None:
            self._weighed[number] = decision
        return decision
