"""The course of a recorded sitting: what its seat had, step by step, and where it chose badly."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Generic

from ..engine.game import A, Deal, E, O, S, Shoe
from ..gamekit.adviser import Mistake
from ..gamekit.tally import T
from .playback import Playback


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

    ``steps`` are those where the seat's fortune changed at the end of a round, ``fortunes`` what
    it was then, first as the seat sat down: its money in the game's units or, in a game for
    points, how far it is ahead.
    """

    steps: list[int] = field(default_factory=list)
    fortunes: list[int] = field(default_factory=list)
    slips: list[Slip[S, A]] = field(default_factory=list)
    done: int = -1
    choices: int = 0

    @property
    def cost(self) -> Fraction:
        """What all mistakes cost, in the game's units."""
        return sum((slip.mistake.cost for slip in self.slips), Fraction(0))

    def fortune(self, step: int) -> int:
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
        self.course: Course[S, A] = Course()

    def go_on(self, most: int) -> bool:
        """Work out so many steps more at most; tell whether there are others still."""
        recording, course = self._recording, self.course
        parts, seat = recording.parts, recording.seat
        before = recording.at(course.done) if course.done >= 0 else None
        for step in range(course.done + 1, min(course.done + most, recording.steps) + 1):
            now = recording.at(step)
            if before is None or now.tally.rounds > before.tally.rounds or parts.points:
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
        parts, seat, course = self._recording.parts, self._recording.seat, self.course
        if parts.score is not None:
            mine, other = parts.score(view, seat)
            fortune = mine - other
        else:
            money = parts.game.money(view, seat)
            fortune = money.free + money.staked
        if not course.fortunes or fortune != course.fortunes[-1]:
            course.steps.append(step)
            course.fortunes.append(fortune)
