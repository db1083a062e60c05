"""The course of a recording: the seat's fortune after each round, and its mistakes."""

from __future__ import annotations

import pytest

from tests.cases import by_game
from tests.golden.write import golden
from tui_casino.gamekit.registry import Listing
from tui_casino.records.cache import Cache
from tui_casino.records.course import Surveyor
from tui_casino.records.folds import fold_log
from tui_casino.records.playback import Playback


@by_game
def test_it_comes_to_what_the_fold_of_the_log_does(listing: Listing) -> None:
    """However few steps are gone through at a time; no choice is weighed unless it is asked for."""
    parts, path = listing.parts(), golden(listing).log
    fold = fold_log(parts, path)
    with Playback(parts, path, Cache(None)) as recording:
        surveyor = Surveyor(recording, only=())
        while surveyor.go_on(7):
            assert surveyor.course.done < recording.steps
        course, steps = surveyor.course, recording.steps
        assert course.done == steps
    assert not course.slips
    assert (fold.mistakes, fold.cost) == (None, "0")
    gained = course.fortunes[-1] - course.fortunes[0]
    if course.measure.by_rounds:
        assert gained * parts.game.unit == fold.net
    if course.measure.ends is not None:
        least, most = course.measure.ends
        assert all(least <= fortune <= most for fortune in course.fortunes)
    assert course.fortune(0) == course.fortunes[0]
    assert course.fortune(steps) == course.fortunes[-1]
    assert course.steps == sorted(course.steps)


@by_game
def test_worths_agree_with_the_judge(listing: Listing) -> None:
    """What a mistake cost is what the best choice is worth more than the one that was made."""
    parts = listing.parts()
    if parts.adviser.worths is None or parts.adviser.judge is None:
        return
    compared = 0
    with Playback(parts, golden(listing).log, Cache(None)) as recording:
        surveyor = Surveyor(recording)
        while surveyor.go_on(50) and len(surveyor.course.slips) < 3:
            pass
        for slip in surveyor.course.slips[:3]:
            worths = {w.action: w.value for w in parts.adviser.worths(slip.seen, recording.seat)}
            values = [float(value) for value in worths.values()]
            assert values == sorted(values, reverse=True)
            lost = float(worths[slip.mistake.better]) - float(worths[slip.action])
            assert lost == pytest.approx(float(slip.mistake.cost), abs=1e-3)
            assert values[0] == float(worths[slip.mistake.better])
            compared += 1
    assert compared
