"""Write the blueprint and the arrivals, in the formats that `equilibrium.blueprint` reads."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator
from pathlib import Path

import msgspec
import numpy as np
import numpy.typing as npt

from tui_casino.games.five_card_draw.brains.equilibrium.betting_tree import FIRST, SEATS
from tui_casino.games.five_card_draw.brains.equilibrium.blueprint import (
    PLANES,
    BlueprintHeader,
    PolicyPair,
    add_tremble,
    policy_order,
)
from tui_casino.games.five_card_draw.brains.equilibrium.hand_buckets import DrawModel, Floats
from tui_casino.games.five_card_draw.brains.equilibrium.traversal import (
    PARTS,
    Policies,
    Policy,
    compute_reach,
)

from .solver_model import SolverModel, reach_at

_SELDOM = 1e-8
"""Decisions reached in a smaller share of the deals are left out."""
_LAST = 8  # bits that are not stored


def pack_policies(models: tuple[SolverModel, SolverModel], policy_pair: PolicyPair) -> bytes:
    """Round the policies of both models, and compress them."""
    body = b"".join(
        part.tobytes()
        for model, policies in zip(models, policy_pair, strict=True)
        for seat in SEATS
        for part in _parts(model, seat, policies[seat])
    )
    return zlib.compress(body, zlib.Z_BEST_COMPRESSION)  # LZMA takes four times as long to read


def write_blueprint(path: Path, head: BlueprintHeader, body: bytes) -> None:
    """Write the header and the compressed policies. Raises ``OSError``."""
    path.write_bytes(json.dumps(msgspec.to_builtins(head)).encode() + b"\n" + body)


def _parts(model: SolverModel, seat: int, policy: Policy) -> Iterator[npt.NDArray[np.uint8]]:
    """Yield the rounded frequencies of each decision point, without the first act."""
    reached = compute_reach(model, seat, policy)
    for place, shape in policy_order(model.buckets, model.finals, seat):
        reach = np.broadcast_to(reach_at(reached, place), shape[1:])
        parts = round_to_parts(policy[place], reach)
        parts[:, reach < _SELDOM] = 0
        yield np.ascontiguousarray(parts[1:])


def round_to_parts(frequencies: Floats, reach: Floats) -> npt.NDArray[np.uint8]:
    """Round frequencies, acts along the first axis, so that they still add up to `PARTS`.

    A rounding error is carried over to the next hands, weighted by how often each hand is reached.
    So the average frequencies over hands of similar strength, on which the other seat's choices
    depend, are preserved. Pure choices stay pure.
    """
    cumulative = np.cumsum(frequencies.astype(np.float64), axis=0)[:-1] * PARTS
    weights = np.maximum(reach, _SELDOM).astype(np.float64)
    rounded = np.zeros((len(frequencies) + 1, *reach.shape), np.int16)
    rounded[-1] = PARTS
    debt = np.zeros(cumulative.shape[:-1])
    for place in range(cumulative.shape[-1]):
        target = cumulative[..., place]
        mixed = np.abs(target - np.rint(target / PARTS) * PARTS) > _PURE
        rounded_parts = np.rint(target + np.clip(debt / weights[..., place], -1, 1) * mixed)
        rounded_parts = np.maximum.accumulate(np.clip(rounded_parts, 0, PARTS), axis=0)
        debt += (target - rounded_parts) * weights[..., place]
        rounded[1:-1, ..., place] = rounded_parts
    return np.diff(rounded, axis=0).astype(np.uint8)


_PURE = 0.25  # a frequency within this many units of 0 or 1 counts as pure


def compute_arrivals(model: DrawModel, policies: Policies) -> tuple[Floats, Floats]:
    """Return how often each trembling seat reaches round two, for all draws, closes and finals."""
    first, dealer = (
        compute_reach(model, seat, add_tremble(policies[seat])).closing[""] for seat in SEATS
    )
    return first, dealer


def pack_arrivals(reach: tuple[Floats, Floats]) -> bytes:
    """Compress reach probabilities; the first seat's do not depend on the dealer's draw."""
    shares = np.concatenate([reach[FIRST][:, 0].ravel(), reach[1 - FIRST].ravel()])
    bits = (shares.view(np.uint32).astype(np.uint64) + (1 << _LAST - 1)).astype(np.uint32)
    planes = b"".join((bits >> plane & 0xFF).astype(np.uint8).tobytes() for plane in PLANES)
    return zlib.compress(planes, zlib.Z_BEST_COMPRESSION)
