"""The error of the play: two errors cover the mean of players with rare or frequent mistakes."""

from __future__ import annotations

from random import Random

import pytest

from tests.helpers.cost_coverage import play_coverage, played_rounds, split_of, video_poker_rounds
from tests.helpers.parameter_ids import value_id
from tui_casino.records.result_split import TAIL, UNSEEN, ResultSplit, total_error

HELD_AT_RANDOM = (0.0, 0.01, 0.1, 0.3, 1.0)
LENGTHS = (50, 200, 1_000)


def test_error_without_a_mistake_allows_for_mistakes_that_were_not_seen() -> None:
    for stake in (1.0, 5.0, 2_000.0):
        assert total_error(0.0, 0.0, 0.0, stake) == pytest.approx(TAIL**0.5 * UNSEEN * stake)
    split = ResultSplit(rounds=50, wagered=25_000, mistakes=0)
    assert split.margin == " ± 4.00"
    assert ResultSplit(rounds=50, wagered=25_000, mistakes=None).margin == " ± 0.00"


def test_error_of_added_sessions_counts_the_costliest_mistake_of_both() -> None:
    one = ResultSplit(rounds=50, wagered=25_000, costliest=900.0)
    other = ResultSplit(rounds=50, wagered=25_000, costliest=100.0)
    assert (one + other).costliest == (other + one).costliest == 900
    assert (one + other).wagered == 50_000
    assert (one + other).error == pytest.approx(TAIL**0.5 * 900)


@pytest.mark.parametrize("share", [0.01, 0.1], ids=value_id)
def test_two_errors_of_a_short_session_cover_rare_random_holds(share: float) -> None:
    """The plain error covers 32% and 76% of such sessions."""
    pool = [*video_poker_rounds(share, 2_000, 3)]
    assert play_coverage(pool, 50, 300, Random(1)) >= 0.88
    plain = [split_of(Random(seed).choices(pool, k=50), points=False) for seed in range(100)]
    assert all(split.error for split in plain)


@pytest.mark.prove
@pytest.mark.parametrize("share", HELD_AT_RANDOM, ids=value_id)
def test_two_errors_cover_the_play_of_video_poker(share: float) -> None:
    pool = [*video_poker_rounds(share, 20_000, 1)]
    for rounds in LENGTHS:
        assert play_coverage(pool, rounds, 1_000, Random(rounds)) >= 0.87


@pytest.mark.prove
@pytest.mark.parametrize(
    ("level", "share"),
    [("chart", 0.0), ("chart", 0.01), ("chart", 0.1), ("chart", 1.0), ("dealer", 0.0)],
    ids=value_id,
)
def test_two_errors_cover_the_play_of_hit_me(level: str, share: float) -> None:
    pool = played_rounds("thirty-one", level, share, 600, 1)
    for rounds in LENGTHS:
        assert play_coverage(pool, rounds, 500, Random(rounds)) >= 0.92
