"""The values of the second betting round for a seat, from its opponent's reach of each end."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from .....cards.memo import memoize
from .betting_tree import BETS_SB, CLOSES, ENDS, FIRST_ROUND_PUT_IN, FOLDS, ROOT, FoldNode
from .hand_buckets import Floats
from .traversal import DecisionRule, Policy, back_up_values, propagate_reach

DrawState: TypeAlias = tuple[int, int, int]
"""The cards drawn by the first seat and by the dealer, and how the first round closed."""


def round_policy(policy: Policy, state: tuple[int, ...], final: npt.NDArray[np.int32]) -> Policy:
    """Return a seat's second-round policy in a state for each deal's final hand.

    A state without its last number means all ways in which the first round can close, as an axis
    before that of the hands.
    """
    draws_and_close: tuple[Any, ...] = (slice(None), *state)
    return {
        place: shares[draws_and_close][..., final]
        for place, shares in policy.items()
        if place.phase == "closing"
    }


def end_shares(policy: Policy, seat: int, shape: tuple[int, ...]) -> tuple[Floats, Floats]:
    """Return how often each of the opponent's final hands reaches a fold or a showdown.

    ``policy`` is the result of :func:`round_policy` for all final hands, in this shape. The two
    arrays have the shapes (*shape, folds) and (*shape, closes).
    """
    reach = propagate_reach(ROOT, 1 - seat, policy, "closing", np.ones(shape, np.float32))
    folds = np.stack([reach[fold.name] for fold in FOLDS], axis=-1)
    closes = np.stack([reach[close.name] for close in CLOSES], axis=-1)
    return folds, closes


def weigh_ends(
    shares: tuple[Floats, Floats], own: npt.NDArray[np.int32], weights: Floats
) -> dict[str, Floats]:
    """Return the opponent's reach of each end, weighted by ``weights``, as one array (n,) per end.

    At a showdown, this is how often the opponent loses, minus how often it wins. ``shares`` is the
    result of :func:`end_shares`. ``weights`` are the weights of the opponent's final hands:
    (n, finals).
    """
    signed: Floats = _signs(weights.shape[1])[own]
    signed *= weights
    folds, closes = (weights @ shares[0]).T, (signed @ shares[1]).T
    names = (*(fold.name for fold in FOLDS), *(close.name for close in CLOSES))
    return dict(zip(names, (*folds, *closes), strict=True))


@memoize()
def _signs(count: int) -> Floats:
    """Return 1 if the final hand on the first axis beats the other one, -1 if it loses, else 0."""
    return np.sign(np.subtract.outer(np.arange(count), np.arange(count))).astype(np.float32)


def end_values(seat: int, close_index: int, end_reach: dict[str, Floats]) -> dict[str, Floats]:
    """Return the value of each end in sb, counted from the beginning of the hand."""
    values = {}
    for end in ENDS:
        paid = np.float32(FIRST_ROUND_PUT_IN[close_index] + BETS_SB[1] * end.bets)
        folded = isinstance(end, FoldNode) and end.seat == seat
        values[end.name] = end_reach[end.name] * (-paid if folded else paid)
    return values


def round_values(
    seat: int, close_index: int, end_reach: dict[str, Floats], rule: DecisionRule
) -> Floats:
    """Return the value of the round from the reach of its ends."""
    return back_up_values(ROOT, seat, "closing", end_values(seat, close_index, end_reach), rule)
