"""The file of policies: the *blueprint* that ships with the game.

A line of JSON says what is in it; the rest, packed by LZMA, is a byte for each frequency, in parts
of 120, for both policies of the model with the kernel and of that with two packs. The first act
of each decision is left out, since frequencies come to 1. A decision to which its own seat never
comes says nothing, and is set to the first act.
"""

from __future__ import annotations

import json
import lzma
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from .....inputs.errors import BadInput
from .hands import Floats
from .model import Model
from .passes import DRAW, Place, Policy, at, reach, shapes
from .tree import SEATS

PARTS = 120
PATH = Path(__file__).parents[2] / "data" / "equilibrium.xz"

Policies = tuple[Policy, Policy]

_SELDOM = 1e-8
"""A decision reached less often than this, in shares of the deals, is left out."""


@dataclass(frozen=True, slots=True)
class Head:
    """What the file says of itself: the sizes of the model, and for how many rounds it learned."""

    buckets: int
    finals: int
    rounds: int
    parts: int = PARTS


def write(
    path: Path, models: tuple[Model, Model], found: tuple[Policies, Policies], rounds: int
) -> None:
    """Write the policies of both models. Raises ``OSError`` as files do."""
    body = b"".join(
        part.tobytes()
        for model, policies in zip(models, found, strict=True)
        for seat in SEATS
        for part in _parts(model, seat, policies[seat])
    )
    head = Head(models[0].buckets, models[0].finals, rounds)
    packed = lzma.compress(body, format=lzma.FORMAT_XZ, preset=9 | lzma.PRESET_EXTREME)
    path.write_bytes(json.dumps(asdict(head)).encode() + b"\n" + packed)


def read(path: Path, models: tuple[Model, Model]) -> tuple[Head, tuple[Policies, Policies]]:
    """Read what was written for the same models.

    Raises ``BadInput`` for a file that is none or was written for others, and ``OSError``.
    """
    line, _, packed = path.read_bytes().partition(b"\n")
    try:
        head = Head(**json.loads(line))
        body = np.frombuffer(lzma.decompress(packed), np.uint8)
    except (ValueError, TypeError, lzma.LZMAError) as fault:
        raise BadInput(f"{path.name}: no file of policies ({fault}); make equilibrium") from None
    here = Head(models[0].buckets, models[0].finals, head.rounds)
    if head != here:
        raise BadInput(f"{path.name}: written for {head}, not for {here}; make equilibrium")
    found, start = [], 0
    for model in models:
        policies = []
        for seat in SEATS:
            policy: dict[Place, Floats] = {}
            for place, (acts, *shape) in _order(model, seat):
                size = (acts - 1) * int(np.prod(shape))
                stored = body[start : start + size].reshape(acts - 1, *shape)
                policy[place] = _shares(stored)
                start += size
            policies.append(policy)
        found.append((policies[0], policies[1]))
    return head, (found[0], found[1])


def rounded(model: Model, policies: Policies) -> Policies:
    """Give the policies as the file keeps them."""
    kept = []
    for seat in SEATS:
        stored = _parts(model, seat, policies[seat])
        places = [place for place, _ in _order(model, seat)]
        kept.append({place: _shares(part) for place, part in zip(places, stored, strict=True)})
    return kept[0], kept[1]


def _order(model: Model, seat: int) -> Iterator[tuple[Place, tuple[int, ...]]]:
    yield from sorted(shapes(model, seat).items())


def _parts(model: Model, seat: int, policy: Policy) -> Iterator[npt.NDArray[np.uint8]]:
    """Round frequencies to parts that still come to the whole."""
    reached = reach(model, seat, policy)
    for place, _ in _order(model, seat):
        shares = policy[place]
        often = at(reached, place)
        if place == DRAW:
            often = np.broadcast_to(often, shares.shape[1:])
        # a running sum is rounded, so that the parts come to the whole and each is off by less
        # than one
        upto = np.rint(np.cumsum(shares.astype(np.float64), axis=0) * PARTS)
        upto[-1] = PARTS
        parts = np.diff(upto, axis=0, prepend=0)
        parts[:, often < _SELDOM] = 0
        yield np.ascontiguousarray(parts[1:].astype(np.uint8))


def _shares(parts: npt.NDArray[np.uint8]) -> Floats:
    later = parts.astype(np.float32) / np.float32(PARTS)
    first = 1 - later.sum(axis=0, keepdims=True)
    return np.concatenate([first, later])
