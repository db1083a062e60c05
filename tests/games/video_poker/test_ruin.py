"""Risk of ruin, compared with published bankrolls, closed forms and enumeration."""

from __future__ import annotations

import json
from fractions import Fraction
from functools import cache
from math import log

import numpy as np
import pytest

from tests.helpers.command_runner import Output, output
from tests.helpers.parameter_ids import value_id
from tui_casino.games.video_poker.brains.bankroll import (
    bets_against_ruin,
    bets_to_last,
    survival_chances,
)
from tui_casino.games.video_poker.brains.hand_odds import PayoutDistribution
from tui_casino.games.video_poker.brains.odds import odds_of
from tui_casino.games.video_poker.machine.paytables import load

EVEN = PayoutDistribution(("win", "NOTHING"), (2, 0), (3, 2), 1)
"""An even-money bet that wins three times in five, so the risk of ruin is (2/3)^B."""
POOR = PayoutDistribution(("four", "one", "NOTHING"), (20, 5, 0), (1, 3, 6), 5)


@pytest.mark.parametrize(("chance", "bets"), [(0.5, 2), (2 / 3 + 1e-9, 1), (0.05, 8), (1e-6, 35)])
def test_ruin_at_even_money_equals_the_gamblers_ruin_formula(chance: float, bets: int) -> None:
    assert bets_against_ruin(EVEN, chance) == bets
    assert (2 / 3) ** bets <= chance < (2 / 3) ** (bets - 1)


@pytest.mark.parametrize(("chance", "bets"), [(0.5, 1_092), (0.01, 7_256)])
def test_required_bankrolls_with_cashback_equal_published_ones(chance: float, bets: int) -> None:
    """9/6 with 1% cash back, as frixo.com has it (Bankroll Size vs. Risk of Ruin, 2013)."""
    optimum = odds_of(load("jacks-or-better-9-6"), 5).report("optimal")
    assert bets_against_ruin(optimum, chance, Fraction(1, 100)) == pytest.approx(bets, rel=1e-3)


def test_bankroll_of_double_bonus_is_near_that_of_a_normal_walk() -> None:
    """A small edge with a large variance: log(1 / P) times the variance over twice the edge."""
    optimum = odds_of(load("double-bonus-10-7"), 5).report("optimal")
    edge = float(optimum.expected_return - 1)
    normal = log(20) * float(optimum.variance) / (2 * edge)
    assert bets_against_ruin(optimum, 0.05) == pytest.approx(normal, rel=0.03)


def test_game_with_a_negative_edge_ruins_every_bankroll() -> None:
    with pytest.raises(ValueError, match="every bankroll is lost in the end"):
        bets_against_ruin(POOR, 0.05)


def test_survival_chance_equals_an_enumeration_of_all_courses() -> None:
    @cache
    def lasts(bets: int, hands: int) -> Fraction:
        if not bets:
            return Fraction(0)
        if not hands:
            return Fraction(1)
        return sum(
            (
                Fraction(count, POOR.total) * lasts(bets - 1 + pay // 5, hands - 1)
                for pay, count in zip(POOR.pays, POOR.counts, strict=True)
            ),
            Fraction(0),
        )

    found = survival_chances(POOR, 30)
    assert found == pytest.approx([float(lasts(bets, 30)) for bets in range(32)], abs=1e-13)
    bets, chance = bets_to_last(POOR, 30, 0.1)
    assert chance == found[bets] >= 0.9 > found[bets - 1]


def test_bankroll_lost_in_the_last_hand_counts_as_ruined() -> None:
    """One loss ruins a bankroll of one bet; three bets in three hands need three losses."""
    assert survival_chances(EVEN, 1) == pytest.approx([0, 3 / 5, 1])
    assert survival_chances(EVEN, 3)[3] == pytest.approx(1 - (2 / 5) ** 3)


def test_survival_chance_equals_the_hitting_time_formula() -> None:
    """A walk with down-steps of one first reaches -B after n steps with chance B / n P(S_n = -B).

    (Otter, The multiplicative process, 1949; Dwass 1969.) 8/5 Jacks or Better, 60 bets, 400 hands.
    """
    optimum = odds_of(load("jacks-or-better-8-5"), 2).report("optimal")
    bets, hands = 60, 400
    most = hands - bets  # bets that may come back before all are lost
    back = np.zeros(most + 1)
    for pay, count in zip(optimum.pays, optimum.counts, strict=True):
        if pay // optimum.coins <= most:
            back[pay // optimum.coins] += count / optimum.total
    came, lost = np.eye(1, most + 1)[0], 0.0
    for n in range(1, hands + 1):
        came = np.convolve(came, back)[: most + 1]
        if n >= bets:
            lost += bets / n * came[n - bets]
    assert lost == pytest.approx(1 - 0.8171528, abs=1e-7)
    assert survival_chances(optimum, hands)[bets] == pytest.approx(1 - lost, abs=1e-12)


def test_long_survival_with_an_edge_equals_survival_for_ever() -> None:
    found = survival_chances(EVEN, 2_000)
    assert found[:20] == pytest.approx([1 - (2 / 3) ** bets for bets in range(20)], abs=1e-9)
    assert np.all(np.diff(found) >= -1e-12)


def test_pays_that_are_not_whole_bets_are_refused() -> None:
    with pytest.raises(ValueError, match="whole bets"):
        survival_chances(PayoutDistribution(("x", "NOTHING"), (7, 0), (1, 9), 5), 10)
    with pytest.raises(ValueError, match="must be 0 to 20,000"):
        survival_chances(POOR, 20_001)


def odds(*words: str, code: int = 0) -> Output:
    return output("odds", "video-poker", *words, code=code)


def test_ruin_command_prints_the_bankroll() -> None:
    found = json.loads(odds("--ruin", "0.05", "--json").out)
    optimum = odds_of(load("double-bonus-10-7"), 5).report("optimal")
    assert found == {"bets": bets_against_ruin(optimum, 0.05)}
    jacks = ("--paytable", "jacks-or-better-9-6")
    found = json.loads(odds("--ruin", "0.05", "--hands", "300", "--json", *jacks).out)
    assert found["hands"] == 300
    assert found["lasts"] >= 0.95
    assert "bets" in odds("--ruin", "0.05", "--cash-back", "1", *jacks).out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--ruin", "0"), "between 0 and 1"),
        (("--ruin", "5%"), "is not a number"),
        (
            ("--ruin", "0.05", "--paytable", "jacks-or-better-9-6"),
            "every bankroll is lost in the end",
        ),
        (("--ruin", "0.05", "--hands", "20001"), "--hands"),
        (("--ruin", "0.05", "--cash-back", "50"), "from 0 to 10 (percent)"),
        (("--ruin", "0.05", "--cash-back", "1", "--hands", "5"), "cannot be used together"),
        (("--hands", "5"), "--hands can only be used with --ruin"),
    ],
    ids=value_id,
)
def test_ruin_command_refuses_an_invalid_risk(words: tuple[str, ...], said: str) -> None:
    assert said in odds(*words, code=2).err
