"""The value of a policy, and what a best response wins against it.

The best response distinguishes all 134,459 classes of hands and may choose any legal discard,
without buckets. After the draw it knows the class of its final hand.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tui_casino.cards import hand_indexing
from tui_casino.cards.draw_odds import DRAWS_BY_HOLD, DrawCounts
from tui_casino.cards.hand_indexing import HOLD_COUNT, HOLD_SIZES, STAND_PAT
from tui_casino.games.five_card_draw.brains.equilibrium.betting_tree import (
    CLOSES,
    DEALER,
    FIRST,
    FOLDS,
    SEATS,
)
from tui_casino.games.five_card_draw.brains.equilibrium.hand_buckets import (
    NUMBERS,
    Floats,
    draws_by_class,
    hand_buckets,
    rate_hands,
)
from tui_casino.games.five_card_draw.brains.equilibrium.traversal import (
    DecisionPoint,
    DecisionRule,
    Policies,
    Policy,
    ReachProbabilities,
    compute_reach,
    take_best_act,
)
from tui_casino.games.five_card_draw.machine.rules import HAND_CARDS

from . import removal_kernels
from .solver_model import SolverModel, closing_values, compute_bucket_values, opening_values


class PolicyEvaluation(NamedTuple):
    """The first seat's result per hand in sb, and what a best response wins in mb."""

    value: float
    exploitability: float


def evaluate_policy(model: SolverModel, policies: Policies) -> PolicyEvaluation:
    """Return the value and the exploitability of policies, the mean over both seats.

    This takes about ten seconds.
    """
    counted = draws_by_class()
    best = 0.0
    for seat in SEATS:
        opponent_reach = compute_reach(model, 1 - seat, policies[1 - seat])
        best += _best_response(model, counted, seat, opponent_reach)
    bucket_values = compute_bucket_values(
        model, FIRST, compute_reach(model, DEALER, policies[DEALER]), follow_policy(policies[FIRST])
    )
    value = float(model.bucket_shares.astype(np.float64) @ bucket_values)
    return PolicyEvaluation(value, 1000 * best / 2)


def follow_policy(policy: Policy) -> DecisionRule:
    """Return a rule that chooses acts with the frequencies of a policy."""

    def decide(place: DecisionPoint, values: Floats) -> Floats:
        value: Floats = np.einsum("a...,a...->...", policy[place], values)
        return value

    return decide


def _best_response(
    model: SolverModel, counted: DrawCounts, seat: int, opponent_reach: ReachProbabilities
) -> float:
    second_round = closing_values(model, seat, opponent_reach, take_best_act)
    if seat == FIRST:
        close_values = best_draw_values(counted, second_round.sum(axis=1))
    else:
        by_dealer_draw = second_round.swapaxes(0, 1).reshape(len(NUMBERS), -1, model.finals)
        draw_values = best_draw_values(counted, by_dealer_draw)
        close_values = draw_values.reshape(len(NUMBERS), len(CLOSES), -1).sum(axis=0)
    fold_reach = np.stack([opponent_reach.opening[fold.name] for fold in FOLDS])
    if model.bucket_kernel is None:
        fold_reach = np.repeat(fold_reach.sum(axis=1, keepdims=True), close_values.shape[1], axis=1)
    else:
        rank_set = removal_kernels.find_rank_sets()[1]
        sets = removal_kernels.to_rank_sets(fold_reach) @ removal_kernels.rank_set_kernel()
        fold_reach = (sets[:, rank_set] / removal_kernels.MEAN).astype(np.float32)
    values = opening_values(seat, fold_reach, close_values, take_best_act)
    return float(hand_buckets().deals.astype(np.float64) @ values)


def best_draw_values(counted: DrawCounts, final_values: Floats) -> Floats:
    """Return the value of the best discards of each hand class, in shape (closes, hands).

    ``final_values`` are the values of final hands by number drawn, in shape (5, closes, finals).
    """
    hands, dealt = rate_hands(), hand_indexing.hand_classes()
    by_class = counted.by_class.astype(np.float32)
    best: Floats = np.full((len(hands.bucket), final_values.shape[1]), -np.inf, np.float32)
    for number in NUMBERS:
        of_class: Floats = by_class @ final_values[number].T
        pat_values = np.ascontiguousarray(final_values[number].T)[counted.kind_of_hand]
        for mask in range(HOLD_COUNT):
            if HOLD_SIZES[mask] != HAND_CARDS - number:
                continue
            allowed = np.flatnonzero(hands.chances[mask] >= 0)
            for start in range(0, len(allowed), _BLOCK):
                block = allowed[start : start + _BLOCK]
                total = np.zeros((len(block), final_values.shape[1]), np.float32)
                for above in range(mask, HOLD_COUNT):
                    if above & mask != mask:
                        continue
                    term = (
                        pat_values[block]
                        if above == STAND_PAT
                        else of_class[dealt.held[above, block]]
                    )
                    total += -term if (HOLD_SIZES[above] - HOLD_SIZES[mask]) % 2 else term
                total /= np.float32(DRAWS_BY_HOLD[mask])
                np.maximum(best[block], total, out=total)
                best[block] = total
    values: Floats = best.T
    return values


_BLOCK = 1 << 13
