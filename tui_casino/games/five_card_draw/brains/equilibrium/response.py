"""What a policy is worth, and what a best response wins of it.

The best response here knows its hand among all 134,459 and may discard whatever the rules allow;
no bucket binds it. It knows its final by class.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .....cards import subsets
from .....cards.draws import DRAWS, Draws
from .....cards.subsets import HOLDS, PAT, SIZES
from ...machine.rules import HAND_CARDS
from . import kernel
from .hands import NUMBERS, Floats, draws, hands
from .model import Model
from .passes import (
    Decide,
    Place,
    Policies,
    Policy,
    Reach,
    closing_worths,
    opening_worths,
    reach,
    respond,
)
from .tree import CLOSES, DEALER, FIRST, FOLDS, SEATS


class Measured(NamedTuple):
    """What the first seat wins a hand, in sb, and how much a best response wins, in mb."""

    value: float
    exploitability: float


def measure(model: Model, policies: Policies) -> Measured:
    """Work out both; exploitability is the mean over the two seats. Takes about ten seconds."""
    counted = draws()
    best = 0.0
    for seat in SEATS:
        other = reach(model, 1 - seat, policies[1 - seat])
        best += _best_response(model, counted, seat, other)
    worth = respond(model, FIRST, reach(model, DEALER, policies[DEALER]), by(policies[FIRST]))
    value = float(model.dealt.astype(np.float64) @ worth)
    return Measured(value, 1000 * best / 2)


def by(policy: Policy) -> Decide:
    """Decide as a policy does."""

    def decide(place: Place, worths: Floats) -> Floats:
        worth: Floats = np.einsum("a...,a...->...", policy[place], worths)
        return worth

    return decide


def best(place: Place, worths: Floats) -> Floats:
    """Decide for what is worth most."""
    worth: Floats = worths.max(axis=0)
    return worth


def _best_response(model: Model, counted: Draws, seat: int, other: Reach) -> float:
    after = closing_worths(model, seat, other, best)
    if seat == FIRST:
        close = best_draws(counted, after.sum(axis=1))
    else:
        into = after.swapaxes(0, 1).reshape(len(NUMBERS), -1, model.finals)
        drawn = best_draws(counted, into)
        close = drawn.reshape(len(NUMBERS), len(CLOSES), -1).sum(axis=0)
    met = np.stack([other.opening[fold.name] for fold in FOLDS])
    if model.meet is None:
        met = np.repeat(met.sum(axis=1, keepdims=True), close.shape[1], axis=1)
    else:
        of = kernel.rank_sets()[1]
        sets = kernel.to_rank_sets(met) @ kernel.of_rank_sets()
        met = (sets[:, of] / kernel.MEAN).astype(np.float32)
    worth = opening_worths(seat, met, close, best)
    return float(hands().deals.astype(np.float64) @ worth)


def best_draws(counted: Draws, worths: Floats) -> Floats:
    """Give what the best discards are worth to every hand: (ways, hands).

    ``worths`` are those of the finals by the number drawn, in shape (5, ways, finals).
    """
    known, dealt = hands(), subsets.hands()
    by_class = counted.by_class.astype(np.float32)
    most: Floats = np.full((len(known.bucket), worths.shape[1]), -np.inf, np.float32)
    for number in NUMBERS:
        of_class: Floats = by_class @ worths[number].T
        own = np.ascontiguousarray(worths[number].T)[counted.kind_of_hand]
        for mask in range(HOLDS):
            if SIZES[mask] != HAND_CARDS - number:
                continue
            may = np.flatnonzero(known.chances[mask] >= 0)
            for start in range(0, len(may), _BLOCK):
                some = may[start : start + _BLOCK]
                total = np.zeros((len(some), worths.shape[1]), np.float32)
                for above in range(mask, HOLDS):
                    if above & mask != mask:
                        continue
                    add = own[some] if above == PAT else of_class[dealt.held[above, some]]
                    total += -add if (SIZES[above] - SIZES[mask]) % 2 else add
                total /= np.float32(DRAWS[mask])
                np.maximum(most[some], total, out=total)
                most[some] = total
    worth: Floats = most.T
    return worth


_BLOCK = 1 << 13
