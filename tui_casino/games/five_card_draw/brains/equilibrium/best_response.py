"""What a policy is worth, and what a best response wins of it.

The best response here knows its hand among all 134,459 and may discard whatever the rules allow;
no bucket binds it. It knows its final by class.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .....cards import hand_indexing
from .....cards.draw_odds import DRAWS_BY_HOLD, DrawCounts
from .....cards.hand_indexing import HOLD_COUNT, HOLD_SIZES, STAND_PAT
from ...machine.rules import HAND_CARDS
from . import kernel
from .betting_tree import CLOSES, DEALER, FIRST, FOLDS, SEATS
from .hand_buckets import NUMBERS, Floats, draws_by_class, hand_buckets
from .model import SolverModel
from .traversal import (
    DecisionPoint,
    DecisionRule,
    Policies,
    Policy,
    ReachProbabilities,
    closing_values,
    compute_bucket_values,
    compute_reach,
    opening_values,
)


class PolicyEvaluation(NamedTuple):
    """What the first seat wins a hand, in sb, and how much a best response wins, in mb."""

    value: float
    exploitability: float


def evaluate_policy(model: SolverModel, policies: Policies) -> PolicyEvaluation:
    """Work out both; exploitability is the mean over the two seats. Takes about ten seconds."""
    counted = draws_by_class()
    best = 0.0
    for seat in SEATS:
        other = compute_reach(model, 1 - seat, policies[1 - seat])
        best += _best_response(model, counted, seat, other)
    worth = compute_bucket_values(
        model, FIRST, compute_reach(model, DEALER, policies[DEALER]), follow_policy(policies[FIRST])
    )
    value = float(model.dealt.astype(np.float64) @ worth)
    return PolicyEvaluation(value, 1000 * best / 2)


def follow_policy(policy: Policy) -> DecisionRule:
    """Decide as a policy does."""

    def decide(place: DecisionPoint, worths: Floats) -> Floats:
        worth: Floats = np.einsum("a...,a...->...", policy[place], worths)
        return worth

    return decide


def take_best_act(place: DecisionPoint, worths: Floats) -> Floats:
    """Decide for what is worth most."""
    worth: Floats = worths.max(axis=0)
    return worth


def _best_response(
    model: SolverModel, counted: DrawCounts, seat: int, other: ReachProbabilities
) -> float:
    after = closing_values(model, seat, other, take_best_act)
    if seat == FIRST:
        close = best_draw_values(counted, after.sum(axis=1))
    else:
        into = after.swapaxes(0, 1).reshape(len(NUMBERS), -1, model.finals)
        drawn = best_draw_values(counted, into)
        close = drawn.reshape(len(NUMBERS), len(CLOSES), -1).sum(axis=0)
    met = np.stack([other.opening[fold.name] for fold in FOLDS])
    if model.meet is None:
        met = np.repeat(met.sum(axis=1, keepdims=True), close.shape[1], axis=1)
    else:
        of = kernel.rank_sets()[1]
        sets = kernel.to_rank_sets(met) @ kernel.rank_set_kernel()
        met = (sets[:, of] / kernel.MEAN).astype(np.float32)
    worth = opening_values(seat, met, close, take_best_act)
    return float(hand_buckets().deals.astype(np.float64) @ worth)


def best_draw_values(counted: DrawCounts, worths: Floats) -> Floats:
    """Give what the best discards are worth to every hand: (ways, hands).

    ``worths`` are those of the finals by the number drawn, in shape (5, ways, finals).
    """
    known, dealt = hand_buckets(), hand_indexing.hand_classes()
    by_class = counted.by_class.astype(np.float32)
    most: Floats = np.full((len(known.bucket), worths.shape[1]), -np.inf, np.float32)
    for number in NUMBERS:
        of_class: Floats = by_class @ worths[number].T
        own = np.ascontiguousarray(worths[number].T)[counted.kind_of_hand]
        for mask in range(HOLD_COUNT):
            if HOLD_SIZES[mask] != HAND_CARDS - number:
                continue
            may = np.flatnonzero(known.chances[mask] >= 0)
            for start in range(0, len(may), _BLOCK):
                some = may[start : start + _BLOCK]
                total = np.zeros((len(some), worths.shape[1]), np.float32)
                for above in range(mask, HOLD_COUNT):
                    if above & mask != mask:
                        continue
                    add = own[some] if above == STAND_PAT else of_class[dealt.held[above, some]]
                    total += -add if (HOLD_SIZES[above] - HOLD_SIZES[mask]) % 2 else add
                total /= np.float32(DRAWS_BY_HOLD[mask])
                np.maximum(most[some], total, out=total)
                most[some] = total
    worth: Floats = most.T
    return worth


_BLOCK = 1 << 13
