"""The expectation of a round: its mean against the solver, its variance against played rounds."""

from __future__ import annotations

from itertools import islice
from statistics import fmean

import pytest

from tests.games.thirty_one.infinite_shoe import Best, endless, gains
from tests.helpers.parameter_ids import value_id
from tui_casino.cards.card import Card
from tui_casino.games.thirty_one.brains.adviser import expect
from tui_casino.games.thirty_one.brains.odds import (
    BUST,
    PerfectPlay,
    card_total,
    dealer_odds,
    drawing_totals,
    house_edge,
)
from tui_casino.games.thirty_one.brains.round_variance import (
    RoundDistribution,
    dealer_ends,
    mean_and_variance,
)
from tui_casino.games.thirty_one.brains.rules_lab import lab_rules
from tui_casino.games.thirty_one.machine.rules import Odds, Rules, Total
from tui_casino.games.thirty_one.machine.state import Options, RoundOver, Settled, Stood

RULES = [rules for _, rules in lab_rules()]
TEN = Card.parse("TS")


def test_distribution_of_dealer_totals_equals_the_solver() -> None:
    for hits_soft in (False, True):
        rules = Rules(dealer_hits_soft=hits_soft)
        for up in range(1, 11):
            finals: dict[int, float] = {}
            for end, chance in dealer_ends(card_total(up), drawing_totals(rules)).items():
                final = min(end.points, BUST)
                finals[final] = finals.get(final, 0.0) + chance
            exact = {k: float(v) for k, v in dealer_odds(card_total(up), rules).items() if v}
            assert finals == pytest.approx(exact)
            last = sum(
                chance * float(dealer_odds(end, rules, only_31=True)[31])
                for end, chance in dealer_ends(card_total(up), drawing_totals(rules)).items()
            )
            assert last == pytest.approx(
                float(dealer_odds(card_total(up), rules, only_31=True)[31])
            )


@pytest.mark.parametrize("insured", [False, True], ids=["not insured", "insured"])
def test_mean_result_from_every_first_card_equals_the_solver(insured: bool) -> None:
    rules = Rules(most_hands=3, insurance=Odds(5))
    rounds, play = (
        RoundDistribution(rules, 1, insured=insured),
        PerfectPlay(rules, 1, insured=insured),
    )
    for first in range(1, 11):
        mean, square = rounds.first_card_moments(first)
        assert mean == pytest.approx(float(play.first_card_ev(first)), abs=1e-12)
        assert square > mean**2


def test_mean_result_of_a_round_equals_the_house_edge() -> None:
    assert mean_and_variance(Rules())[0] == pytest.approx(-float(house_edge(Rules())), abs=1e-12)


@pytest.mark.prove
@pytest.mark.parametrize("rules", [*RULES, Rules(insurance=Odds(5), most_hands=4)], ids=value_id)
def test_mean_result_equals_the_house_edge_with_every_option(rules: Rules) -> None:
    assert mean_and_variance(rules)[0] == pytest.approx(-float(house_edge(rules)), abs=1e-12)


def scatter(rules: Rules, rounds: int) -> None:
    """Compare mean and variance with rounds that were played card by card."""
    mean, variance = mean_and_variance(rules)
    came = [*islice(gains(rules, endless("scatter"), Best(rules)), rounds)]
    assert abs(fmean(came) - mean) < 4 * (variance / rounds) ** 0.5
    squares = [(gain - mean) ** 2 for gain in came]
    centre = fmean(squares)
    error = (fmean((square - centre) ** 2 for square in squares) / rounds) ** 0.5
    assert abs(centre - variance) < 4 * error
    assert error < variance / 50, "the sample tells something"


def test_variance_of_a_round_agrees_with_played_rounds() -> None:
    scatter(Rules(), 6_000)


@pytest.mark.prove
@pytest.mark.parametrize(
    "rules",
    [
        Rules(insurance=Odds(5)),
        Rules(most_hands=4),
        Rules(double_two_cards=True, double_after_split=False),
        Rules(dealer_hits_soft=True, split_same_rank=True),
    ],
    ids=value_id,
)
def test_variance_of_a_round_agrees_with_played_rounds_by_option(rules: Rules) -> None:
    scatter(rules, 60_000)


def test_distribution_from_31_equals_a_hand_calculation() -> None:
    """With 31 against a ten, all results win except the dealer's 14, a loss, and 31, a tie."""
    rounds = RoundDistribution(Rules(), 10)
    odds = dealer_odds(card_total(10), Rules())
    law = rounds._stand(Total(31)).sum(axis=0) @ rounds._chances
    win = 1 - odds[14] - odds[31]
    assert law[1] == pytest.approx(float(win - odds[14]))
    assert law[2] == pytest.approx(float(win + odds[14]))


def test_expectation_of_a_round_uses_its_first_bet_and_the_house_edge() -> None:
    """Doubled, split or insured, the round loses the same edge of its first bet."""
    edge, (_, variance) = house_edge(Rules()), mean_and_variance(Rules())
    hands = (Settled((TEN, TEN), 4_000, 0, 27, False), Settled((TEN, TEN), 2_000, 4_000, 27, False))
    over = RoundOver((TEN,), 2_000, hands, 2_000, 0, 100_000)
    found = expect(Options(), over)
    assert found is not None
    assert found.mean == 8_000 - 2_000 * edge
    assert float(found.variance) == pytest.approx(variance * 2_000**2)
    assert expect(Options(), Stood(0, 27, 1)) is None
