"""Two hundred million rounds of each strategy, compared with its exact odds."""

from __future__ import annotations

from math import sqrt

import pytest

from tui_casino.games.video_poker.brains.odds import Strategy, odds_of
from tui_casino.games.video_poker.brains.simulation import simulate
from tui_casino.games.video_poker.machine.paytables import load

DOUBLE_BONUS = load("double-bonus-10-7")
ROUNDS = 200_000_000


@pytest.mark.prove
@pytest.mark.parametrize("strategy", ["list", "optimal"])
def test_simulated_return_and_rows_agree_with_the_exact_odds(
    strategy: Strategy,
) -> None:
    exact = odds_of(DOUBLE_BONUS, 5).report(strategy)
    played = simulate(DOUBLE_BONUS, 5, ROUNDS, strategy, seed=34)
    pays = dict(zip(exact.rows, exact.pays, strict=True))
    won = sum(count * pays[row] for row, count in played.counts.items())

    assert played.deals == ROUNDS
    error = sqrt(exact.variance / ROUNDS)
    assert abs(won / (5 * ROUNDS) - exact.expected_return) < 4 * error
    for row, weight in exact.hands.items():
        chance = weight / exact.total
        error = sqrt(ROUNDS * chance * (1 - chance))
        assert abs(played.counts[row] - ROUNDS * chance) < 4.5 * error, row
