"""How likely rounds come to so little: against hands counted one by one, and binomial sums."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import comb

import pytest

from tests.helpers.parameter_ids import labelled
from tests.records.test_session_statistics import fold
from tui_casino.gamekit import distributions
from tui_casino.gamekit.adviser import Expectation
from tui_casino.gamekit.distributions import ReturnDistribution, chance_at_most
from tui_casino.games.baccarat.brains import odds as coups
from tui_casino.games.baccarat.machine.rules import Bets, CoupOutcome, Hand
from tui_casino.games.baccarat.machine.rules import Options as Shoe
from tui_casino.games.baccarat.machine.state import CoupOver
from tui_casino.games.video_poker.brains import adviser as hands
from tui_casino.games.video_poker.machine.game import Options, RoundPaid

SMALL: ReturnDistribution = ((0, 0.5), (3, 0.25), (6, 0.25))
OTHER: ReturnDistribution = ((1, 0.75), (10, 0.25))


@pytest.mark.parametrize("most", [-1, 0, 1, 5, 9, 13, 31, 32, 38], ids=labelled("at most {}"))
def test_chance_of_a_total_at_most_x_equals_the_sum_over_all_courses(most: int) -> None:
    """Three rounds of one law and two of another, 3**3 * 2**2 courses."""
    expected = Fraction(0)
    for course in product(*[SMALL] * 3, *[OTHER] * 2):
        chance = Fraction(1)
        for _, each in course:
            chance *= Fraction(each)
        expected += chance * (sum(back for back, _ in course) <= most)
    assert chance_at_most({SMALL: 3, OTHER: 2}, most) == pytest.approx(float(expected), abs=1e-14)


def test_chance_of_a_total_after_1000_rounds_equals_a_binomial_sum() -> None:
    law: ReturnDistribution = ((0, 0.75), (4, 0.25))
    expected = sum(comb(1000, wins) * 3 ** (1000 - wins) for wins in range(231)) / 4**1000
    assert chance_at_most({law: 1000}, 923) == pytest.approx(expected, rel=1e-10)


def test_chance_of_a_total_that_takes_too_long_to_compute_is_unknown() -> None:
    assert chance_at_most({((0, 0.5), (1, 0.5)): 10}, distributions.MOST_AMOUNTS) is None
    assert chance_at_most({((0, 0.5), (1000, 0.5)): 10}, distributions.MOST_AMOUNTS) == 1.0


def agree(known: Expectation | None, law: ReturnDistribution | None) -> None:
    assert known is not None
    assert law is not None
    assert sum(chance for _, chance in law) == pytest.approx(1, abs=1e-14)
    mean = sum(back * chance for back, chance in law)
    assert mean == pytest.approx(float(known.mean), rel=1e-12)
    spread = sum((back - mean) ** 2 * chance for back, chance in law)
    assert spread == pytest.approx(float(known.variance), rel=1e-10)


@pytest.mark.parametrize("coins", [1, 5], ids=labelled("{} coins"))
def test_distribution_of_a_hand_has_the_expected_mean_and_variance(coins: int) -> None:
    agree(hands.expect(Options(), paid(coins)), hands.distribution(Options(), paid(coins)))


@pytest.mark.parametrize(
    "bets",
    [(10, 0, 0, 0, 0), (10, 0, 5, 20, 0), (0, 25, 0, 5, 5)],
    ids=["Player bet", "Player, Tie and pair bets", "Banker and pair bets"],
)
@pytest.mark.parametrize("commission", [True, False], ids=["commission", "no commission"])
def test_distribution_of_a_coup_has_the_expected_mean_and_variance(
    bets: Bets, commission: bool
) -> None:
    options = Shoe(commission=commission)
    coup = CoupOver(Hand(), Hand(), CoupOutcome.TIE, bets, (0, 0, 0, 0, 0), 0)
    agree(coups.expect(options, coup), coups.distribution(options, coup))


def paid(coins: int) -> RoundPaid:
    return RoundPaid((), None, coins, 0, 0)


def test_chance_of_a_result_as_bad_in_100_hands_is_above_60_percent() -> None:
    """Of 100 hands more than six in ten come to less than the mean: the royal does not come."""
    rounds = hands.distribution(Options(), paid(5))
    assert rounds is not None
    some = fold([0] * 100, laws=((rounds, 100),), won=500)
    assert some.as_bad == chance_at_most({rounds: 100}, 500)
    assert some.as_bad is not None
    assert some.as_bad > 0.6
    assert fold([0]).as_bad is None
    assert fold([0], laws=((rounds, 10_001),)).as_bad is None
