"""The shipped reach probabilities: how often each seat reaches round two with each final hand.

Computing them takes seconds, because every hand is combined with every possible draw. So they are
stored next to the blueprint, compressed with zlib. Only the first three bytes of each four-byte
number are stored, each in a plane of its own. This is exact to one part in 65,536.
"""

from __future__ import annotations

import zlib
from math import prod
from pathlib import Path

import numpy as np

from .....inputs.errors import BadInput
from . import hand_classes
from .betting_tree import CLOSES, FIRST, SEATS
from .hand_buckets import NUMBERS, Floats
from .model import SolverModel
from .traversal import Policies, Policy, compute_reach

PATH = Path(__file__).parents[2] / "data" / "arrivals.zz"

TREMBLE = np.float32(1e-4)
"""How often an opponent is assumed to make choices that the blueprint never makes."""

_PLANES = (24, 16, 8)
_LAST = 8  # bits that are not stored


def add_tremble(policy: Policy) -> Policy:
    """Return a policy that makes every choice with a small probability."""
    return {
        place: shares * (1 - TREMBLE) + TREMBLE / len(shares) for place, shares in policy.items()
    }


def compute_second_round_reach(model: SolverModel, policies: Policies) -> tuple[Floats, Floats]:
    """Return how often each trembling seat reaches round two, for all draws, closes and finals."""
    first, dealer = (
        compute_reach(model, seat, add_tremble(policies[seat])).closing[""] for seat in SEATS
    )
    return first, dealer


def pack_reach(reach: tuple[Floats, Floats]) -> bytes:
    """Compress reach probabilities; the first seat's do not depend on the dealer's draw."""
    shares = np.concatenate([reach[FIRST][:, 0].ravel(), reach[1 - FIRST].ravel()])
    bits = (shares.view(np.uint32).astype(np.uint64) + (1 << _LAST - 1)).astype(np.uint32)
    planes = b"".join((bits >> plane & 0xFF).astype(np.uint8).tobytes() for plane in _PLANES)
    return zlib.compress(planes, zlib.Z_BEST_COMPRESSION)


def read_reach(path: Path = PATH) -> tuple[Floats, Floats]:
    """Read the two arrays of reach probabilities.

    Each has shape (5, 5, closes, finals); the first two axes are the numbers of cards that the
    first seat and the dealer drew. Raises ``BadInput`` for another kind of file, and ``OSError``.
    """
    dealer_known_shape = len(NUMBERS), len(CLOSES), hand_classes.class_count()
    both_known_shape = len(NUMBERS), *dealer_known_shape
    first = prod(dealer_known_shape)
    try:
        planes = np.frombuffer(zlib.decompress(path.read_bytes()), np.uint8)
        planes = planes.reshape(len(_PLANES), first + prod(both_known_shape))
    except (zlib.error, ValueError) as fault:
        message = f"{path}: not a file of reach probabilities ({fault}); run `make equilibrium`"
        raise BadInput(message) from None
    bits = sum(
        plane.astype(np.uint32) << shift for plane, shift in zip(planes, _PLANES, strict=True)
    )
    shares: Floats = np.asarray(bits, np.uint32).view(np.float32)
    own = np.repeat(shares[:first].reshape(dealer_known_shape)[:, None], len(NUMBERS), axis=1)
    return own, shares[first:].reshape(both_known_shape).copy()
