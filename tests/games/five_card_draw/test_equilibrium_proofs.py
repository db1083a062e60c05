"""The shipped solution, measured again on the model and on real deals, and its properties.

The share of bluffs of a correct solution follows from the pot: a caller of a bet of 20 into a pot
of P must lose as much to better hands as they win from bluffs, so 20 / (P + 40) of all bets are
bluffs. The frequency with which a single hand bets can differ between correct solutions.
"""

from __future__ import annotations

from functools import cache
from math import hypot

import numpy as np
import pytest

from tests.build_data.five_card_draw import (
    blueprint_writer,
    matches,
    removal_kernels,
    solution_metrics,
)
from tests.build_data.five_card_draw.best_response import (
    PolicyEvaluation,
    evaluate_policy,
)
from tests.build_data.five_card_draw.exploitability_bounds import (
    ExploitabilityBound,
    class_response_bound,
    own_cards_bound,
)
from tests.build_data.five_card_draw.solver_model import SolverModel, two_models
from tests.helpers.parameter_ids import labelled
from tui_casino.cards.poker import STRENGTHS, HandCategory, category_of
from tui_casino.games.five_card_draw.brains.equilibrium import blueprint
from tui_casino.games.five_card_draw.brains.equilibrium.betting_tree import CLOSES, DEALER, FIRST
from tui_casino.games.five_card_draw.brains.equilibrium.hand_buckets import (
    Floats,
    class_of_strength,
    hand_buckets,
)
from tui_casino.games.five_card_draw.brains.equilibrium.traversal import (
    DecisionPoint,
    compute_reach,
)

pytestmark = [
    pytest.mark.prove,
    pytest.mark.xdist_group("five-card draw solved"),  # computed once for all tests
]

KERNEL, PACKS = 0, 1


@cache
def models() -> tuple[SolverModel, SolverModel]:
    return two_models()


@cache
def shipped() -> tuple[blueprint.BlueprintHeader, blueprint.PolicyPair]:
    return blueprint.read_blueprint()


@cache
def measured(which: int) -> PolicyEvaluation:
    return evaluate_policy(models()[which], shipped()[1][which])


def test_computed_reach_of_the_second_round_equals_the_shipped_file() -> None:
    """A change of the blueprint, a model or the file is detected, because the reach is computed
    again.
    """
    found = blueprint_writer.compute_arrivals(models()[PACKS], shipped()[1][KERNEL])
    for share, kept in zip(found, blueprint.read_arrivals(), strict=True):
        np.testing.assert_allclose(kept, share, rtol=5e-5, atol=1e-25)


# ---- how near it is ------------------------------------------------------------------------------


def test_best_response_to_the_kernel_solution_wins_at_most_2_mb() -> None:
    known = shipped()[0].figures
    assert 0 < measured(KERNEL).exploitability <= 2
    assert measured(KERNEL).exploitability == pytest.approx(known.exploitability_mb, abs=0.02)
    assert 10 * measured(KERNEL).value == pytest.approx(known.value, abs=0.001)


def test_best_response_to_the_two_pack_solution_wins_at_most_1_mb() -> None:
    known = shipped()[0].figures
    assert 0 < measured(PACKS).exploitability <= 1
    assert measured(PACKS).exploitability == pytest.approx(known.packs_exploitability_mb, abs=0.02)
    assert 10 * measured(PACKS).value == pytest.approx(known.packs_value, abs=0.001)


def test_opening_frequencies_of_the_solution_equal_those_in_the_file() -> None:
    known, policies = shipped()[0].figures, shipped()[1][KERNEL]
    model = models()[KERNEL]
    opens = solution_metrics.act_frequencies(model, policies, FIRST, "")[1]
    assert opens == pytest.approx(known.opens, abs=1e-4)
    facing = solution_metrics.act_frequencies(model, policies, DEALER, "b")
    assert facing == pytest.approx(known.facing_bet, abs=1e-4)


def test_value_of_the_first_seat_on_true_deals_equals_the_file() -> None:
    """Measured on two million other deals, enough to distinguish it from the two-pack value."""
    known, policies = shipped()[0].figures, shipped()[1][KERNEL]
    found = matches.measure_first_seat(policies, 2_000_000, seed=12)
    error = hypot(found.error, known.true_value_error)
    assert abs(found.credits - known.true_value) < 4 * error
    assert found.credits - known.packs_value > 4 * found.error


@cache
def on_true_deals(which: int) -> tuple[ExploitabilityBound, ExploitabilityBound]:
    """These deals differ from those of the figures in the file."""
    model, policies = models()[KERNEL], shipped()[1][which]
    return (
        own_cards_bound(model, policies, 150_000, seed=11),
        class_response_bound(model, policies, 600_000, 150_000, seed=12),
    )


def test_lower_bounds_of_exploitability_are_at_most_12_mb_on_true_deals() -> None:
    known = shipped()[0].figures
    bounds = on_true_deals(KERNEL)
    assert max(bounds).mb <= 12
    error = max(bounds).error
    assert abs(max(bounds).mb - known.true_mb) < 4 * (error + known.true_error_mb)


def test_solution_with_two_packs_loses_more_on_true_deals() -> None:
    """A solution of another model loses measurably, so the tests can detect losses."""
    own_cards = on_true_deals(PACKS)[0]
    assert own_cards.mb > 4 * own_cards.error
    assert own_cards.mb > on_true_deals(KERNEL)[0].mb


# ---- card removal --------------------------------------------------------------------------------


def test_mean_of_the_kernel_is_exact() -> None:
    sets, of = removal_kernels.find_rank_sets()
    shares = np.bincount(of, hand_buckets().deals, len(sets))
    assert shares @ removal_kernels.rank_set_kernel() @ shares == pytest.approx(
        removal_kernels.MEAN, abs=1e-6
    )


def test_kernel_of_the_model_has_mean_1() -> None:
    model = models()[KERNEL]
    assert model.bucket_kernel is not None
    assert model.bucket_shares @ model.bucket_kernel @ model.bucket_shares == pytest.approx(
        1, abs=1e-5
    )


# ---- what a right solution shows -----------------------------------------------------------------


def bets_after(first: int, dealer: int, way: int) -> tuple[Floats, Floats, Floats]:
    """Return the first seat's betting hands, all its hands, and the dealer's, by final hand."""
    model, policies = models()[PACKS], shipped()[1][PACKS]
    own, other = (compute_reach(model, seat, policies[seat]) for seat in (FIRST, DEALER))
    at = first, dealer, way
    has = own.closing[""][at]
    bets = has * policies[FIRST][DecisionPoint("closing")][(1, *at)]
    return bets, has, other.closing[""][at]


def bluffs(bets: Floats, others: Floats) -> float:
    """Return the share of bets with less than the other player's median hand."""
    middle = int(np.searchsorted(np.cumsum(others), others.sum() / 2))
    return float(bets[:middle].sum() / bets.sum())


@pytest.mark.parametrize(
    ("name", "pot"), [("kk", 10), ("bc", 30), ("kbc", 30), ("brc", 50), ("kbrc", 50)]
)
def test_bluffs_after_both_drew_three_follow_from_the_pot(name: str, pot: int) -> None:
    way = [close.name for close in CLOSES].index(name)
    bets, _, others = bets_after(3, 3, way)
    assert bluffs(bets, others) == pytest.approx(20 / (pot + 40), abs=0.004)


def below_a_pair() -> int:
    """Return the first class of final hands that is a pair."""
    firsts = [strength for strength in STRENGTHS if category_of(strength) is HandCategory.ONE_PAIR]
    return int(class_of_strength()[firsts[0]])


@pytest.mark.parametrize("dealer", [1, 2, 3], ids=labelled("dealer drew {}"))
@pytest.mark.parametrize(("name", "pot"), [("kk", 10), ("bc", 30)])
def test_share_of_bluffs_among_pat_bets_follows_from_the_pot(
    name: str, pot: int, dealer: int
) -> None:
    way = [close.name for close in CLOSES].index(name)
    bets, has, _ = bets_after(0, dealer, way)
    assert bets[: below_a_pair()].sum() / bets.sum() == pytest.approx(20 / (pot + 40), abs=0.004)
    assert bets.sum() / has.sum() > 0.95  # a player who stands pat before another draws, bets
