"""Weaker players and styles, derived from the blueprint without data of their own.

A weaker player distinguishes hands less precisely: its policy is the average of the blueprint over
hands of similar strength. A style applies a bonus: the frequencies of folding, betting or raising
are multiplied by it, and then all are scaled to add up to 1 again. Both changes are deterministic.
The exploitability of these players is measured in the same way as that of the blueprint.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np
import numpy.typing as npt
from msgspec import Struct, field

from .....cards.memo import memoize
from .betting_tree import NODES
from .blueprint import Blueprint, blueprint
from .hand_buckets import Floats, hand_buckets, play_tables
from .traversal import DecisionPoint, Policies, Policy

_ACTS = {node.name: node.acts for node in NODES}


class PlayerProfile(Struct, frozen=True):
    """The share of all hands over which a player averages, and the bonus for each act."""

    blur: float = 0.0
    bonus: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}))


LEVELS: Mapping[str, PlayerProfile] = MappingProxyType(
    {
        "novice": PlayerProfile(0.5),
        "casual": PlayerProfile(0.2),
        "regular": PlayerProfile(0.06),
        "strong": PlayerProfile(0.01),
        "blueprint": PlayerProfile(),
    }
)
"""The levels, weakest first."""
STYLES: Mapping[str, Mapping[str, float]] = MappingProxyType(
    {
        "tight": MappingProxyType({"f": 3.0, "b": 0.7}),
        "loose": MappingProxyType({"f": 0.33}),
        "aggressive": MappingProxyType({"b": 3.0, "r": 3.0}),
        "passive": MappingProxyType({"b": 0.33, "r": 0.33}),
    }
)
COUNTERS: Mapping[str, Mapping[str, float]] = MappingProxyType(
    {
        "bluffing": MappingProxyType({"b": 10.0, "r": 10.0}),
        "checking": MappingProxyType({"b": 0.1, "r": 0.1}),
        "calling": MappingProxyType({"f": 0.1}),
        "folding": MappingProxyType({"f": 3.0}),
    }
)
"""Bonuses that leave pure choices unchanged; they cost almost nothing against the blueprint."""
LEAST_BLUR = 0.01
"""The smallest blur of a style; without any blur, a bonus cannot change pure choices."""


def profile_of(level: str, style: str = "") -> PlayerProfile:
    """Return the profile of a level with a style or a counter.

    Raises ``KeyError`` for unknown names.
    """
    blur = LEVELS[level].blur
    if style in COUNTERS:
        return PlayerProfile(blur, COUNTERS[style])
    return PlayerProfile(max(blur, LEAST_BLUR), STYLES[style]) if style else PlayerProfile(blur)


@memoize(maxsize=8)
def profile_blueprint(level: str, style: str = "") -> Blueprint:
    """Return the policies of a profile. The first call takes a fifth of a second."""
    return Blueprint(derive_policies(blueprint().policies, profile_of(level, style)))


def derive_policies(policies: Policies, profile: PlayerProfile) -> Policies:
    """Derive a profile's policies from the blueprint's."""
    first, dealer = (_derive_policy(policy, profile) for policy in policies)
    return first, dealer


def _derive_policy(policy: Policy, profile: PlayerProfile) -> Policy:
    policies: dict[DecisionPoint, Floats] = {}
    for place, shares in policy.items():
        if place.phase == "draw":
            policies[place] = shares
            continue
        order = _by_strength() if place.phase == "opening" else np.arange(shares.shape[-1])
        blurred = _blurred(shares, order, _weights(place, shares.shape[-1]), profile.blur)
        factors = [profile.bonus.get(act, 1.0) for act in _ACTS[place.name]]
        blurred = blurred * np.array(factors, np.float32).reshape(-1, *(1,) * (blurred.ndim - 1))
        policies[place] = blurred / blurred.sum(axis=0)
    return policies


def _blurred(
    shares: Floats,
    order: npt.NDArray[np.intp],
    weights: npt.NDArray[np.float64],
    blur: float,
) -> Floats:
    """Return the mean over each hand's neighbours, weighted by ``weights``."""
    if not blur:
        return shares
    cumulative = np.concatenate([[0.0], np.cumsum(weights[order])])
    cumulative /= cumulative[-1]
    middle = (cumulative[1:] + cumulative[:-1]) / 2
    first = np.searchsorted(cumulative, middle - blur / 2, side="right") - 1
    last = np.searchsorted(cumulative, middle + blur / 2, side="left")
    first, last = np.clip(first, 0, len(order) - 1), np.clip(last, 1, len(order))
    weighted = shares[..., order] * weights[order]
    sums = np.cumsum(weighted, axis=-1, dtype=np.float64)
    sums = np.concatenate([np.zeros((*sums.shape[:-1], 1)), sums], axis=-1)
    totals = np.concatenate([[0.0], np.cumsum(weights[order])])
    means = (sums[..., last] - sums[..., first]) / (totals[last] - totals[first])
    result: Floats = np.empty_like(shares)
    result[..., order] = means
    return result


def _weights(place: DecisionPoint, count: int) -> npt.NDArray[np.float64]:
    """Return how often each hand occurs; final hands are assumed to be equally frequent."""
    return (
        hand_buckets().by_bucket(hand_buckets().deals)
        if place.phase == "opening"
        else np.ones(count)
    )


@memoize()
def _by_strength() -> npt.NDArray[np.intp]:
    """Return the buckets in the order of their best chance."""
    return play_tables().by_strength
