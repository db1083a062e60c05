"""What a choice of a recording cost, in a line."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from ...gamekit.adviser import Decision
from ...inputs.files import BadFile
from ...records.moment import Moment
from ...records.playback import Playback
from ...records.recording_review import RecordingReview
from ..table.spoken import AnyView, beside, spoken
from .seat_view import Reading, chosen
from .status import Verdict


def judged(
    recording: Playback[Any, Any, Any, Any, Any],
    reviewer: RecordingReview[Any, Any, Any, Any, Any],
    reading: Reading[Any, Any, Any, Any, Any],
    step: int,
) -> tuple[Decision[Any, Any] | None, str]:
    """Return the mistake of a choice, if it was one, or else what the adviser says.

    May take as long as the game's judge does.
    """
    with suppress(BadFile, IndexError):
        mistake = reviewer.mistake(step)
        said = [] if mistake else reading.advice(recording.at(step - 1))
        return mistake, said[0] if said else ""
    return None, ""


def verdict_of(
    view: AnyView,
    reading: Reading[Any, Any, Any, Any, Any],
    before: Moment[Any, Any, Any, Any],
    told: Moment[Any, Any, Any, Any],
    mistake: Decision[Any, Any] | None,
    advice: str,
) -> Verdict:
    """Say what a choice cost and what would have been best, from the moment before it."""
    seen, definition = reading.seen(before), reading.definition
    done = chosen(view, seen, told.action)
    if mistake is not None:
        best = spoken(view, seen, mistake.best)
        short = beside(spoken(view, seen, told.action), best)
        return Verdict(f"✗ {done}, cost {definition.cost(mistake)}", "bad", short)
    if advice and definition.adviser.judges:
        if reading.forced(before):
            return Verdict(done, more="the only choice")
        return Verdict(f"✓ {done}", "good", more="as good as any")
    return Verdict(done, more=advice)
