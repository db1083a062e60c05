"""Index and review a recording while it is shown, for the graph and the mistakes."""

from __future__ import annotations

from contextlib import suppress
from time import monotonic
from typing import Any

from ...gamekit.adviser import Decision
from ...inputs.files import BadFile
from ...records.playback import Playback, ReplayMark
from ...records.recording_review import RecordingReview
from ..table.action_text import AnyView, mistake_in_view_words
from .graph import BankrollCurve, curve_of

MISTAKE = "mistake"
"""The search term for mistakes, in addition to the marks of a log."""
SOME = 20
"""Steps that are reviewed at a time."""
TURN, LONG_TURN = 0.05, 0.25
"""Seconds of reviewing, and of indexing, after which other work gets its turn."""
REDRAWN = 40
"""The number of times that the graph is redrawn while it grows."""


class ReplayAnalysis:
    """Indexes and reviews a recording in small parts, on any thread.

    ``error`` says what is wrong with the file, and ``indexing`` is true while steps are still being
    indexed. The screen calls :meth:`update` to see newly reviewed steps.
    """

    def __init__(
        self, recording: Playback[Any, Any, Any, Any, Any], mistakes: frozenset[int] | None = None
    ) -> None:
        """Prepare the review of a recording; passing known ``mistakes`` (as steps) saves time."""
        self._recording = recording
        self.reviewer = RecordingReview(recording, only=mistakes)
        self.error, self.indexing, self._closed = "", False, False
        self.mistakes: list[Decision[str, str]] = []
        self.curve, self._drawn_to = BankrollCurve(), -1
        self.cost = ""

    # ---- file -----------------------------------------------------------------------------

    def index(self) -> bool:
        """Index some more steps; return whether there are more.

        If this raises an exception, ``indexing`` is false afterwards, so that a later call may try
        again.
        """
        self.indexing, unfinished = True, False
        until = monotonic() + LONG_TURN
        try:
            for _ in self._recording.index():
                if self._closed or monotonic() > until:
                    unfinished = not self._closed
                    break
        except BadFile as error:
            self.error = error.reason
        finally:
            self.indexing = unfinished
        return unfinished

    @property
    def progress(self) -> str:
        """How much of the file has been read, as text, or nothing once all of it has been read."""
        done, steps = self._recording.indexed, self._recording.steps
        return f"{100 * done // steps}% read" if self.indexing and done < steps else ""

    def error_at(self, step: int) -> str:
        """Return what is wrong with the file, or with the log after this step."""
        if self._recording.fault is not None and step == self._recording.steps:
            return f"damaged, {self._recording.fault}"
        return self.error

    def check_growth(self) -> bool:
        """Return whether the file has grown; set ``error`` if the file is gone."""
        if self.indexing or self.error:
            return False
        try:
            return self._recording.refresh()
        except BadFile as error:
            self.error = error.reason
            return False

    def close(self) -> None:
        self._closed = True

    # ---- review ---------------------------------------------------------------------------

    @property
    def is_complete(self) -> bool:
        """Whether the whole recording has been reviewed."""
        return self.reviewer.review.done >= self._recording.steps

    def advance(self) -> bool:
        """Review some more steps; return whether there are more."""
        with suppress(BadFile, IndexError):  # damaged: it ends earlier than expected
            until = monotonic() + TURN
            while (unfinished := self.reviewer.advance(SOME)) and monotonic() < until:
                pass
            return unfinished
        return False

    def update(self, view: AnyView, *, unfinished: bool) -> None:
        """Update the results with the steps reviewed so far; ``view`` describes the mistakes."""
        review, steps = self.reviewer.review, self._recording.steps
        new = review.mistakes[len(self.mistakes) :]
        self.mistakes += [mistake_in_view_words(view, one) for one in new]
        definition = self._recording.definition
        self.cost = definition.format_amount(review.cost)
        if new or not unfinished or review.done - self._drawn_to > steps // REDRAWN:
            self.curve, self._drawn_to = curve_of(review, steps), review.done

    # ---- search ---------------------------------------------------------------------------

    def find(self, mark: str, step: int, *, forward: bool) -> int | None:
        """Return the next or previous step with a mark, or ``None``.

        If no round follows, return the last step; if none precedes, return step 0. For a mistake,
        return the step before it, which shows the position in which it was made. This may take long
        unless :meth:`is_ready_for` returns true. Raises the errors of :meth:`.Playback.moment_at`.
        """
        if mark == MISTAKE:
            look = self.reviewer.next_mistake if forward else self.reviewer.previous_mistake
            step_found = look(step + 1)
            return None if step_found is None else step_found - 1
        search = self._recording.next_mark if forward else self._recording.previous_mark
        step_found = search(ReplayMark(mark), step)
        if step_found is None and mark == ReplayMark.ROUND:
            return self._recording.steps if forward else 0
        return step_found

    def is_ready_for(self, mark: str) -> bool:
        """Return whether everything that :meth:`find` needs has been computed."""
        known = mark != MISTAKE or self.is_complete
        return known and self._recording.indexed >= self._recording.steps
