"""The review of a recording: what the seat had after each round, and its mistakes."""

from __future__ import annotations

import pytest

from tests.golden.write import golden
from tests.helpers.quick_cases import by_game
from tui_casino.gamekit.registry import GameListing
from tui_casino.records.cache import Cache
from tui_casino.records.playback import Playback
from tui_casino.records.recording_review import RecordingReview
from tui_casino.records.summaries import review_log


@by_game
def test_review_during_playback_equals_the_summary_of_the_log(listing: GameListing) -> None:
    """However few steps are gone through at a time; no choice is weighed unless it is asked for."""
    definition, path = listing.definition(), golden(listing).log
    summary = review_log(definition, path)[0]
    with Playback(definition, path, Cache(None)) as recording:
        reviewer = RecordingReview(recording, only=())
        while reviewer.advance(7):
            assert reviewer.review.done < recording.steps
        review, steps = reviewer.review, recording.steps
        assert review.done == steps
    assert not review.mistakes
    assert (summary.mistakes, summary.cost) == (None, "0")
    gained = review.values[-1] - review.values[0]
    assert review.measure is not None
    if review.measure.by_rounds:
        assert gained * definition.game.unit == summary.net
    if review.measure.ends is not None:
        least, most = review.measure.ends
        assert all(least <= value <= most for value in review.values)
    assert review.value(0) == review.values[0]
    assert review.value(steps) == review.values[-1]
    assert review.steps == sorted(review.steps)


@by_game
def test_cost_of_a_mistake_is_the_ev_lost_to_the_best_action(listing: GameListing) -> None:
    """What a mistake cost is what the best choice is worth more than the one that was made."""
    definition = listing.definition()
    if definition.adviser.action_values is None or not definition.adviser.has_judge:
        return
    compared = 0
    with Playback(definition, golden(listing).log, Cache(None)) as recording:
        reviewer = RecordingReview(recording)
        while reviewer.advance(50) and len(reviewer.review.mistakes) < 3:
            pass
        for wrong in reviewer.review.mistakes[:3]:
            worths = {
                w.action: w.value
                for w in definition.adviser.action_values(wrong.view, recording.seat)
            }
            values = [float(value) for value in worths.values()]
            assert values == sorted(values, reverse=True)
            lost = float(worths[wrong.best]) - float(worths[wrong.action])
            assert lost == pytest.approx(float(wrong.cost), abs=1e-3)
            assert values[0] == float(worths[wrong.best])
            compared += 1
    assert compared
