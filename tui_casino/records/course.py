"""The course of a recorded sitting: what its seat had, step by step, and where it chose badly."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Generic

from ..engine.game import A, Deal, E, O, S, Shoe
from ..gamekit.adviser import Mistake
from ..gamekit.measure import Measure
from ..gamekit.tally import T
from .playback import Playback
from .replay import options_of


@dataclass(frozen=True, slots=True)
class Slip(Generic[S, A]):
    """A mistake where it was made: at which step, in which round, from what the seat saw then."""

    step: int
    round: int
    seen: S
    action: A
    mistake: Mistake[A]


@dataclass(slots=True)
class Course(Generic[S, A]):
    """What is known of a sitting up to the step ``done``.

    ``steps`` are those where the seat's fortune changed, ``fortunes`` what it was then, first as
    the seat sat down, by the ``measure`` of its game: money in the game's units, points ahead, or
    what the game declares.
    """

    measure: Measure[S]
    steps: list[int] = field(default_factory=list)
    fortunes: list[float] = field(default_factory=list)
    slips: list[Slip[S, A]] = field(default_factory=list)
    done: int = -1
    choices: int = 0

    @property
    def cost(self) -> Fraction:
        """What all mistakes cost, in the game's units."""
        return sum((slip.mistake.cost for slip in self.slips), Fraction(0))

    def fortune(self, step: int) -> float:
        """Give what the seat had after a step."""
        return self.fortunes[max(0, bisect_right(self.steps, step) - 1)] if self.fortunes else 0

    def slip_at(self, step: int) -> Slip[S, A] | None:
        """Give the mistake that was made at a step, if there was one."""
        return next((slip for slip in self.slips if slip.step == step), None)


class Surveyor(Generic[O, S, A, E, T]):
    """Works the course of a recording out, some steps at a time, so that others have their turn.

    ``only`` are steps: no other choice is weighed, for it is known already that it was no mistake,
    or nobody asks. Raises as :meth:`.Playback.at`.
    """

    def __init__(
        self, recording: Playback[O, S, A, E, T], *, only: Collection[int] | None = None
    ) -> None:
        self._recording, self._only = recording, only
        parts = recording.parts
        measure = parts.measured(options_of(parts.game, recording.log))
        self.course: Course[S, A] = Course(measure)

    def go_on(self, most: int) -> bool:
        """Work out so many steps more at most; tell whether there are others still."""
        recording, course = self._recording, self.course
        parts, seat = recording.parts, recording.seat
        before = recording.at(course.done) if course.done >= 0 else None
        for step in range(course.done + 1, min(course.done + most, recording.steps) + 1):
            now = recording.at(step)
            ended = before is None or now.tally.rounds > before.tally.rounds
            if ended or not course.measure.by_rounds:
                self._note(step, parts.game.view(now.state, seat))
            if before is not None and now.by == seat and now.action is not None:
                assert not isinstance(now.action, Shoe | Deal), "a seat chose"
                seen = parts.game.view(before.state, seat)
                course.choices += 1
                asked = self._only is None or step in self._only
                judge = parts.adviser.judge if asked else None
                if judge is not None and (found := judge(seen, seat, now.action)):
                    round = before.tally.rounds + 1
                    course.slips.append(Slip(step, round, seen, now.action, found))
            before, course.done = now, step
        return course.done < recording.steps

    def _note(self, step: int, view: S) -> None:
        course = self.course
        fortune = course.measure.value(view, self._recording.seat)
        if fortune is not None and course.fortunes[-1:] != [fortune]:
            course.steps.append(step)
            course.fortunes.append(fortune)
