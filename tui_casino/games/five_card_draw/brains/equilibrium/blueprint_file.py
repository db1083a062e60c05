"""The file that contains the *blueprint* (the policies shipped with the game) and its metrics.

The first line is JSON. The rest is compressed with zlib and has one byte per frequency, in units of
1/120. It contains both seats' policies for the model with the kernel and for the model with two
packs. The first act of each decision is left out, because frequencies add up to 1. At a decision
that a seat's own play never reaches, the frequencies have no meaning; the file stores the first act
there.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Iterator, Mapping
from math import prod
from pathlib import Path
from typing import TypeVar

import msgspec
import numpy as np
import numpy.typing as npt
from msgspec import Struct

from .....inputs.errors import BadInput
from .betting_tree import SEATS
from .hand_buckets import Floats
from .model import SolverModel
from .traversal import DecisionPoint, Policies, Policy, compute_reach, policy_shapes, reach_at

PARTS = 120
PATH = Path(__file__).parents[2] / "data" / "equilibrium.zz"

T = TypeVar("T")
PolicyPair = tuple[Policies, Policies]
"""The policies in the model with the kernel, and in the model with two packs."""

_SELDOM = 1e-8
"""Decisions reached in a smaller share of the deals are left out."""


class SolutionMetrics(Struct, frozen=True):
    """The value of a solution, its exploitability, and its opening frequencies.

    Values are the first seat's, in credits per hand: ``value`` in the model with the kernel;
    ``true_value`` of the same policies with real deals from one pack, with its standard error; and
    ``packs_value`` with two packs. ``exploitability_mb`` is measured in the model. ``true_mb``, the
    better of two tests with real deals, is a lower bound, with its standard error. ``opens`` and
    ``bets_after_check`` are shares of hands. ``facing_bet`` are the shares of the dealer's hands
    that fold, call and raise after a bet.
    """

    value: float
    true_value: float
    true_value_error: float
    exploitability_mb: float
    true_mb: float
    true_error_mb: float
    opens: float
    bets_after_check: float
    facing_bet: tuple[float, float, float]
    packs_value: float
    packs_exploitability_mb: float


class BlueprintHeader(Struct, frozen=True):
    """The header of the file: the sizes of the model, the iterations, and the metrics."""

    buckets: int
    finals: int
    rounds: int
    figures: SolutionMetrics


class StoredPolicy(Mapping[DecisionPoint, Floats]):
    """A policy from the file; the bytes of a decision are converted when it is first used."""

    def __init__(self, parts: Mapping[DecisionPoint, npt.NDArray[np.uint8]]) -> None:
        self._parts = parts
        self._shares: dict[DecisionPoint, Floats] = {}

    def __getitem__(self, place: DecisionPoint) -> Floats:
        if place not in self._shares:
            self._shares[place] = _shares(self._parts[place])
        return self._shares[place]

    def __iter__(self) -> Iterator[DecisionPoint]:
        return iter(self._parts)

    def __len__(self) -> int:
        return len(self._parts)


def pack_policies(models: tuple[SolverModel, SolverModel], policy_pair: PolicyPair) -> bytes:
    """Round the policies of both models, and compress them."""
    body = b"".join(
        part.tobytes()
        for model, policies in zip(models, policy_pair, strict=True)
        for seat in SEATS
        for part in _parts(model, seat, policies[seat])
    )
    return zlib.compress(body, zlib.Z_BEST_COMPRESSION)  # LZMA takes four times as long to read


def unpack_policies(body: bytes, buckets: int, finals: int) -> PolicyPair:
    """Return the policies that :func:`pack_policies` compressed.

    Raises ``ValueError`` if the data does not fit the numbers of buckets and finals.
    """
    first, second = (unpack_model(body, buckets, finals, model) for model in range(2))
    return first, second


def unpack_model(body: bytes, buckets: int, finals: int, model: int = 0) -> Policies:
    """Return the policies of one of the models, the one with the kernel first.

    The data after the model is not decompressed. Raises the errors of :func:`unpack_policies`.
    """
    orders = [[*_order(buckets, finals, seat)] for seat in SEATS]
    size = sum((acts - 1) * prod(shape) for order in orders for _, (acts, *shape) in order)
    try:
        # a byte after the last model shows that the file has too much data
        reader = zlib.decompressobj()
        data = reader.decompress(body, size * (model + 1) + 1)
    except zlib.error as fault:
        raise ValueError(f"not compressed with zlib: {fault}") from None
    if len(data) != size * (model + 1) + (not model) or (model and not reader.eof):
        raise ValueError(f"there are {len(data)} frequencies, but {2 * size} are needed")
    parts, start = np.frombuffer(data, np.uint8), size * model
    policies = []
    for order in orders:
        policy: dict[DecisionPoint, npt.NDArray[np.uint8]] = {}
        for place, (acts, *shape) in order:
            end = start + (acts - 1) * prod(shape)
            policy[place] = parts[start:end].reshape(acts - 1, *shape)
            start = end
        policies.append(StoredPolicy(policy))
    return policies[0], policies[1]


def write_blueprint(path: Path, head: BlueprintHeader, body: bytes) -> None:
    """Write the header and the compressed policies. Raises ``OSError``."""
    path.write_bytes(json.dumps(msgspec.to_builtins(head)).encode() + b"\n" + body)


def read_head(path: Path = PATH) -> BlueprintHeader:
    """Read only the header. Raises ``BadInput`` for a file of another kind, and ``OSError``."""
    with path.open("rb") as file:
        return _head(path, file.readline())


def read_blueprint(path: Path = PATH) -> tuple[BlueprintHeader, PolicyPair]:
    """Read the header and the policies, in 0.1 seconds. Raises the errors of :func:`read_head`."""
    return _read(path, unpack_policies)


def read_played_policies(path: Path = PATH) -> Policies:
    """Read only the policies for play. Raises the errors of :func:`read_head`."""
    return _read(path, unpack_model)[1]


def _read(path: Path, unpack: Callable[[bytes, int, int], T]) -> tuple[BlueprintHeader, T]:
    line, _, body = path.read_bytes().partition(b"\n")
    head = _head(path, line)
    try:
        return head, unpack(body, head.buckets, head.finals)
    except ValueError as fault:
        raise _unfit(path, fault) from None


def _head(path: Path, line: bytes) -> BlueprintHeader:
    try:
        fields = json.loads(line)
        figures = fields.pop("figures")
        facing = tuple(figures.pop("facing_bet"))
        return BlueprintHeader(**fields, figures=SolutionMetrics(**figures, facing_bet=facing))
    except (ValueError, TypeError, AttributeError, KeyError) as fault:
        raise _unfit(path, fault) from None


def _unfit(path: Path, fault: Exception) -> BadInput:
    return BadInput(
        f"{path}: not a blueprint file ({fault}); run `make equilibrium` to write it again"
    )


def _order(buckets: int, finals: int, seat: int) -> Iterator[tuple[DecisionPoint, tuple[int, ...]]]:
    yield from sorted(policy_shapes(buckets, finals, seat).items())


def _parts(model: SolverModel, seat: int, policy: Policy) -> Iterator[npt.NDArray[np.uint8]]:
    """Yield the rounded frequencies of each decision point, without the first act."""
    reached = compute_reach(model, seat, policy)
    for place, shape in _order(model.buckets, model.finals, seat):
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


def _shares(parts: npt.NDArray[np.uint8]) -> Floats:
    shares: Floats = np.empty((1 + len(parts), *parts.shape[1:]), np.float32)
    first, later = shares[0], shares[1:]
    np.divide(parts, np.float32(PARTS), out=later)
    later.sum(axis=0, out=first)
    np.maximum(np.subtract(1, first, out=first), 0, out=first)
    return shares
