"""What a recording comes to as it is worked out: its curve, its mistakes, what could be chosen."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from ...gamekit.adviser import Adviser, Worth
from ...inputs.files import BadFile
from ...records.course import Surveyor
from ...records.playback import Playback
from ..table.face import AnyFace
from ..table.glance import Glance
from ..table.spoken import AnyView, SaidSlip, said_slip
from .graph import Curve, curve_of

SOME, MANY = 20, 500
"""Steps that are worked out at a time, where judging takes long, and where it does not."""
REDRAWN = 40
"""How often the curve is drawn again while it grows."""


class Survey:
    """The course of a recording, as far as it is known.

    :meth:`go_on` works some more of it out, on any thread; :meth:`update` takes that over.
    """

    def __init__(self, recording: Playback[Any, Any, Any, Any, Any]) -> None:
        self._recording, self._surveyor = recording, Surveyor(recording)
        adviser = recording.parts.adviser
        self.weighed = adviser.judge is not None
        self._some = MANY if adviser.judges_at_once or not self.weighed else SOME
        self.slips: list[SaidSlip] = []
        self.curve, self._drawn_to = Curve(), -1
        self.cost = ""

    @property
    def whole(self) -> bool:
        """Whether the whole recording has been worked out."""
        return self._surveyor.course.done >= self._recording.steps

    def go_on(self) -> bool:
        """Work some steps out; return whether there are more."""
        with suppress(BadFile, IndexError):  # damaged: it ends sooner than was thought
            return self._surveyor.go_on(self._some)
        return False

    def update(self, view: AnyView, *, more: bool) -> None:
        """Take over what has been worked out, mistakes in the words of a view."""
        course, steps = self._surveyor.course, self._recording.steps
        new = course.slips[len(self.slips) :]
        self.slips += [said_slip(view, slip) for slip in new]
        self.cost = self._recording.parts.figure(course.cost)
        if new or not more or course.done - self._drawn_to > steps // REDRAWN:
            self.curve, self._drawn_to = curve_of(course, steps), course.done


def values_at(
    adviser: Adviser[Any, Any, Any, Any], face: AnyFace, glance: Glance[Any, Any, Any]
) -> tuple[tuple[Worth[Any], ...], tuple[str, ...]]:
    """Return what each choice at a moment is worth, or else the adviser's own lines about it."""
    worths = adviser.worths(glance.view, glance.seat) if adviser.worths else ()
    if worths or face.figures is None or adviser.worths is not None:
        return worths, ()
    return (), face.figures(glance).lines
