"""The video poker adviser: costs of holds, and expected returns of rounds."""

from __future__ import annotations

from fractions import Fraction

import pytest

from tests.helpers.narrow import not_none
from tests.helpers.parameter_ids import labelled, value_id
from tui_casino.cards.card import parse_hand
from tui_casino.engine.game import Seat
from tui_casino.gamekit.adviser import Expectation, Mistake
from tui_casino.games.video_poker import DEFINITION
from tui_casino.games.video_poker.brains.adviser import judge, weigh_hold
from tui_casino.games.video_poker.brains.odds import odds_of
from tui_casino.games.video_poker.machine.game import (
    BetPlaced,
    Draw,
    Hold,
    Options,
    Phase,
    RoundPaid,
    start,
)
from tui_casino.games.video_poker.machine.paytables import load
from tui_casino.structs import replace

ME = Seat(0)
OPTIONS = Options(paytable=load("jacks-or-better-9-6"))
DEALT = replace(start(OPTIONS), phase=Phase.HOLD, coins=5, hand=parse_hand("KS QS JS TS 4H"))


def test_judge_finds_no_mistake_in_the_best_hold() -> None:
    """Four to a royal flush, whose EV of 4625/47 credits is the example in `odds`."""
    assert judge(DEALT, ME, Hold((1, 2, 3, 4))) is None


@pytest.mark.parametrize("held", [(), (1, 2, 3), (5,), (1, 2, 3, 4, 5)], ids=value_id)
def test_cost_of_a_hold_is_its_loss_of_ev(held: tuple[int, ...]) -> None:
    weighed = not_none(weigh_hold(DEALT, held))
    assert weighed.best_value == Fraction(4625, 47)
    cost = weighed.best_value - weighed.value
    assert judge(DEALT, ME, Hold(held)) == Mistake(cost, Hold((1, 2, 3, 4)))


def test_holding_five_worthless_cards_costs_the_whole_ev_of_the_best_hold() -> None:
    found = not_none(judge(DEALT, ME, Hold((1, 2, 3, 4, 5))))
    assert found.cost == Fraction(4625, 47)


def test_hands_with_repeated_cards_and_actions_other_than_holds_are_not_judged() -> None:
    twice = replace(DEALT, hand=parse_hand("KS KS JS TS 4H"))
    assert judge(twice, ME, Hold(())) is None
    assert weigh_hold(twice, ()) is None
    assert judge(DEALT, ME, Draw()) is None
    assert weigh_hold(start(OPTIONS), ()) is None, "no hand is dealt"


@pytest.mark.parametrize("coins", [1, 5], ids=labelled("{} coins"))
def test_expectation_of_a_video_poker_round_is_the_optimal_return(coins: int) -> None:
    """Jacks or better 9/6 with 5 coins: 99.5439%, variance 19.5147 (the Wizard of Odds)."""
    assert DEFINITION.adviser.expect is not None
    paid = RoundPaid(DEALT.hand, None, coins, 0, 0)
    expected = not_none(DEFINITION.adviser.expect(OPTIONS, paid))
    report = odds_of(OPTIONS.paytable, coins).report("optimal")
    assert expected.mean == coins * report.expected_return
    if coins == 5:
        assert f"{float(expected.mean) / 5:.6f}" == "0.995439"
        assert f"{float(expected.variance) / 25:.3f}" == "19.515"
    assert DEFINITION.adviser.expect(OPTIONS, BetPlaced(5)) is None


def test_means_and_variances_of_independent_rounds_add_up() -> None:
    one = Expectation(Fraction(1, 2), Fraction(1, 4))
    assert one + one + Expectation() == Expectation(Fraction(1), Fraction(1, 2))
