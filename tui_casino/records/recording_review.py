"""The review of an open recording, calculated in parts, or for a single step on request."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterable
from typing import Generic

from ..engine.game import A, E, O, S
from ..gamekit.adviser import Decision, ValuesScope
from ..gamekit.tally import T
from .log_review import LogReview, decision_at
from .playback import Playback
from .replay import log_options
from .seat_steps import SeatStep


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
