"""What a recording comes to as it is worked out: its curve, its mistakes, what could be chosen."""

from __future__ import annotations

from contextlib import suppress
from time import monotonic
from typing import Any

from ...gamekit.adviser import Adviser, Decision, Worth
from ...inputs.files import BadFile
from ...records.playback import Playback
from ...records.recording_review import RecordingReview
from ..table.face import AnyFace
from ..table.glance import Glance
from ..table.spoken import AnyView, in_view_words
from .graph import Curve, curve_of

SOME = 20
"""Steps that are reviewed at a time."""
TURN = 0.05
"""Seconds after which other work has its turn."""
REDRAWN = 40
"""The number of times that the curve is redrawn while it grows."""


class Survey:
    """The review of a recording on the replay screen, as far as it has been made.

    :meth:`go_on` reviews more steps, on any thread; :meth:`update` shows them on the screen.
    """

    def __init__(
        self, recording: Playback[Any, Any, Any, Any, Any], mistakes: frozenset[int] | None = None
    ) -> None:
        """Review a recording; the steps of its ``mistakes`` save time if they are known."""
        self._recording = recording
        self.reviewer = RecordingReview(recording, only=mistakes)
        self.weighed = recording.definition.adviser.judges
        self.mistakes: list[Decision[str, str]] = []
        self.curve, self._drawn_to = Curve(), -1
        self.cost = ""

    @property
    def whole(self) -> bool:
        """Whether the whole recording has been reviewed."""
        return self.reviewer.review.done >= self._recording.steps

    def go_on(self) -> bool:
        """Review some more steps; return whether there are more."""
        with suppress(BadFile, IndexError):  # damaged: it ends earlier than expected
            until = monotonic() + TURN
            while (more := self.reviewer.advance(SOME)) and monotonic() < until:
                pass
            return more
        return False

    def update(self, view: AnyView, *, more: bool) -> None:
        """Take over the reviewed steps, with mistakes in the words of a view."""
        review, steps = self.reviewer.review, self._recording.steps
        new = review.mistakes[len(self.mistakes) :]
        self.mistakes += [in_view_words(view, one) for one in new]
        self.cost = self._recording.definition.figure(review.cost)
        if new or not more or review.done - self._drawn_to > steps // REDRAWN:
            self.curve, self._drawn_to = curve_of(review, steps), review.done


def values_at(
    adviser: Adviser[Any, Any, Any, Any], face: AnyFace, glance: Glance[Any, Any, Any]
) -> tuple[tuple[Worth[Any], ...], tuple[str, ...]]:
    """Return the values of the choices at a moment, or else the adviser's lines about it."""
    values = adviser.values(glance.view, glance.seat)
    if values or face.pages.figures is None or adviser.weighs_ahead:
        return values, ()
    return (), face.pages.figures(glance).lines
