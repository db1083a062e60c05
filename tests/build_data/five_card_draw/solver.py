"""Discounted counterfactual regret minimisation, with alternating updates of all hands together.

Brown and Sandholm, "Solving Imperfect-Information Games via Discounted Regret Minimization" (AAAI
2019), with their parameters 3/2, 0 and 2: in iteration t positive regrets are multiplied by t**1.5
/ (t**1.5 + 1), negative ones by 1/2, and the sum of policies by (t / (t + 1))**2. After the draw,
policies depend only on the final hand, and the bucket is forgotten. With two packs this loses
nothing; the kernel distinguishes only final hands.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tui_casino.games.five_card_draw.brains.equilibrium.betting_tree import SEATS
from tui_casino.games.five_card_draw.brains.equilibrium.hand_buckets import Floats
from tui_casino.games.five_card_draw.brains.equilibrium.traversal import (
    DRAW,
    DecisionPoint,
    Policies,
    Policy,
    ReachProbabilities,
    compute_reach,
    policy_shapes,
)

from .solver_model import SolverModel, compute_bucket_values, reach_at

ProgressCallback = Callable[[int], None]
_NOTHING = np.float32(1e-30)


def match_regrets(weights: Floats, total: Floats, even: Floats) -> Floats:
    """Regret matching: return the weights divided by ``total``, or ``even`` where it is 0."""
    shares: Floats = np.where(total > _NOTHING, weights / np.maximum(total, _NOTHING), even)
    return shares


class RegretLearner:
    """A seat that learns its policy: the regrets of its acts, and the sum of its past policies."""

    def __init__(self, model: SolverModel, seat: int) -> None:
        self.seat = seat
        self._legal = model.legal
        self._regrets = {
            place: np.zeros(shape, np.float32)
            for place, shape in policy_shapes(model.buckets, model.finals, seat).items()
        }
        self._sums = {place: np.zeros_like(regret) for place, regret in self._regrets.items()}
        self.policy: dict[DecisionPoint, Floats] = {
            place: self._match(place) for place in self._regrets
        }

    def remember(self, reached: ReachProbabilities, turn: int) -> None:
        """Add the policy to the sum, weighted by the reach of each decision."""
        fade = np.float32((turn / (turn + 1)) ** 2)
        for place, total in self._sums.items():
            total *= fade
            total += self.policy[place] * reach_at(reached, place)

    def learn(self, turn: int) -> Callable[[DecisionPoint, Floats], Floats]:
        """Return a rule that decides by the policy, and updates the regrets."""
        positive_factor = np.float32(turn**1.5 / (turn**1.5 + 1))

        def decide(place: DecisionPoint, values: Floats) -> Floats:
            value: Floats = np.einsum("a...,a...->...", self.policy[place], values)
            regret = self._regrets[place]
            regret *= np.where(regret > 0, positive_factor, np.float32(0.5))
            regret += values
            regret -= value
            self.policy[place] = self._match(place)
            return value

        return decide

    def average(self) -> Policy:
        """Return the average policy, which approaches equilibrium."""
        return {place: self._shares(place, total) for place, total in self._sums.items()}

    def _match(self, place: DecisionPoint) -> Floats:
        return self._shares(place, np.maximum(self._regrets[place], 0))

    def _shares(self, place: DecisionPoint, weights: Floats) -> Floats:
        """Scale weights to a sum of 1; if all are 0, return equal shares for the legal acts."""
        uniform = np.ones((len(weights), *(1,) * (weights.ndim - 1)), np.float32)
        if place == DRAW:
            uniform = self._legal.reshape(len(weights), *(1,) * (weights.ndim - 2), -1)
            weights = weights * uniform
        return match_regrets(weights, weights.sum(axis=0), uniform / uniform.sum(axis=0))


def solve(
    model: SolverModel, rounds: int, progress: ProgressCallback = lambda turn: None
) -> Policies:
    """Let both seats learn for a number of iterations, and return their average policies."""
    learners = [RegretLearner(model, seat) for seat in SEATS]
    for turn in range(1, rounds + 1):
        for one in learners:
            other = learners[1 - one.seat]
            reached = compute_reach(model, other.seat, other.policy)
            other.remember(reached, turn)
            compute_bucket_values(model, one.seat, reached, one.learn(turn))
        progress(turn)
    first, dealer = (learner.average() for learner in learners)
    return first, dealer
