"""What stands beside and under a replayed table, worked out off the loop as it goes on."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ...inputs.files import BadFile
from ...records.course import Surveyor
from ..table.spoken import SaidSlip, said_slip
from .graph import Curve, curve_of
from .own import figures_of
from .side import Beside, Choice, choices_of

if TYPE_CHECKING:  # it makes one of these
    from .replay import ReplayTable

SOME, MANY = 20, 500
"""Steps that are gone through at a time, where judging takes long, and where it does not."""
REDRAWN = 40
"""How often the curve is drawn anew while it grows."""


class Survey:
    """Goes through a recording once, and hands what it finds to the curve and the side panel."""

    def __init__(self, screen: ReplayTable[Any, Any, Any, Any, Any]) -> None:
        self._screen = screen
        self._surveyor = Surveyor(screen.recording)
        self._slips: list[SaidSlip] = []
        self._curve, self._drawn_to = Curve(), -1
        self._cost = ""
        self._here: tuple[int, tuple[Choice, ...], tuple[str, ...]] = (-1, (), ())

    @property
    def whole(self) -> bool:
        """Whether all that there is has been gone through."""
        return self._surveyor.course.done >= self._screen.recording.steps

    def begin(self) -> None:
        """Go on until all is known."""
        quick = self._screen.parts.adviser.judges_at_once or not self._weighed
        some = MANY if quick else SOME
        self._screen.asking.ask(
            "survey", lambda: self._go_on(some), self._went_on, lambda: self._screen.alive
        )

    def _go_on(self, steps: int) -> bool:
        with suppress(BadFile, IndexError):  # it may end sooner than was thought: it is damaged
            return self._surveyor.go_on(steps)
        return False

    def _went_on(self, more: bool) -> None:
        course, screen = self._surveyor.course, self._screen
        new = course.slips[len(self._slips) :]
        self._slips += [said_slip(screen.view, slip) for slip in new]
        self._cost = screen.parts.figure(course.cost)
        steps = screen.recording.steps
        if new or not more or course.done - self._drawn_to > steps // REDRAWN:
            self._curve, self._drawn_to = curve_of(course, steps), course.done
        self.tell()
        if more:
            self.begin()

    @property
    def _weighed(self) -> bool:
        return self._screen.parts.adviser.judge is not None

    def tell(self) -> None:
        """Show what is known, at the step that is shown."""
        screen = self._screen
        for graph in screen.graphs:
            graph.put(self._curve, screen.step)
        if not screen.has_class("-side"):
            return
        told = screen.told_choice()
        now = -1 if told is None else told.step
        if now != self._here[0]:
            self._here = now, (), ()
            self._ask_here()
        tally = screen.view.tally
        figures = (("rounds", f"{tally.rounds:,}"), *figures_of(tally.report()))
        screen.side.put(
            Beside(
                tuple(self._slips),
                self._weighed,
                self.whole,
                self._cost,
                now,
                screen.guess,
                self._here[1],
                self._here[2],
                figures[:12],
            )
        )

    def _ask_here(self) -> None:
        """Have all that could be chosen here weighed."""
        screen = self._screen
        told = screen.told_choice()
        if told is None or not screen.has_time:
            return
        adviser, seat = screen.parts.adviser, screen.facts.seat
        seen = screen.reading.seen(screen.moment(told.step - 1))
        glance = replace(screen.view.glance(), view=seen, draft=())

        def work_out() -> tuple[Any, tuple[str, ...]]:
            worths = adviser.worths(seen, seat) if adviser.worths else ()
            figures = screen.face.figures
            if worths or figures is None or adviser.worths is not None:
                return worths, ()
            return (), figures(glance).lines

        def put(found: tuple[Any, tuple[str, ...]]) -> None:
            choices = choices_of(screen.view, seen, found[0], told.action)
            self._here = told.step, choices, found[1]
            self.tell()

        still = screen.told_choice
        screen.asking.ask("here", work_out, put, lambda: screen.alive and still() == told)
