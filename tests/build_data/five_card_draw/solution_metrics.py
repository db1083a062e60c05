"""The metrics of a solution, measured from its policies."""

from __future__ import annotations

import numpy as np

from tui_casino.games.five_card_draw.brains.equilibrium.betting_tree import DEALER, FIRST, SMALL_BET
from tui_casino.games.five_card_draw.brains.equilibrium.blueprint import PolicyPair, SolutionMetrics
from tui_casino.games.five_card_draw.brains.equilibrium.traversal import (
    DecisionPoint,
    Policies,
    compute_reach,
)

from .best_response import evaluate_policy
from .exploitability_bounds import class_response_bound, own_cards_bound
from .matches import measure_first_seat
from .solver_model import SolverModel

LEARNED, DEALT = 3_000_000, 600_000
"""The numbers of real deals to learn from and to measure on."""
VALUED, VALUED_SEED = 10_000_000, 11
"""The number of real deals for measuring the first seat's value, and their seed."""


def measure_solution(
    models: tuple[SolverModel, SolverModel], policy_pair: PolicyPair
) -> SolutionMetrics:
    """Measure the policies of both models. This takes four minutes, mostly for real deals."""
    model, policies = models[0], policy_pair[0]
    kernel, packs = (evaluate_policy(*each) for each in zip(models, policy_pair, strict=True))
    bound = max(
        own_cards_bound(model, policies, DEALT),
        class_response_bound(model, policies, LEARNED, DEALT),
    )
    fold, call, raise_ = act_frequencies(model, policies, DEALER, "b")
    dealt = measure_first_seat(policies, VALUED, VALUED_SEED)
    return SolutionMetrics(
        value=SMALL_BET * kernel.value,
        true_value=dealt.credits,
        true_value_error=dealt.error,
        exploitability_mb=kernel.exploitability,
        true_mb=bound.mb,
        true_error_mb=bound.error,
        opens=act_frequencies(model, policies, FIRST, "")[1],
        bets_after_check=act_frequencies(model, policies, DEALER, "k")[1],
        facing_bet=(fold, call, raise_),
        packs_value=SMALL_BET * packs.value,
        packs_exploitability_mb=packs.exploitability,
    )


def act_frequencies(
    model: SolverModel, policies: Policies, seat: int, name: str
) -> tuple[float, ...]:
    """Return how often a seat chooses each act at a decision of the first round."""
    own, other = (
        compute_reach(model, one, policies[one]).opening[name] for one in (seat, 1 - seat)
    )
    weights = (
        own * other.sum() if model.bucket_kernel is None else own * (other @ model.bucket_kernel)
    )
    chosen = (policies[seat][DecisionPoint("opening", name)] * weights).sum(
        axis=1, dtype=np.float64
    )
    return tuple((chosen / chosen.sum()).tolist())
