"""Two passes over the game: the reach of each decision, and the values of a betting round.

The values of the second round follow from the opponent's reach of each of its ends.

A *decision point* represents the same decision for all hands together: a phase and, in a betting
round, the acts so far. A policy gives the frequency of each act at each decision point.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from .....cards.memo import memoize
from . import betting_tree as tree
from .hand_buckets import NUMBERS, DrawModel, Floats

SolverPhase: TypeAlias = Literal["opening", "draw", "closing"]


class DecisionPoint(NamedTuple):
    """A decision: its phase, and the acts so far in this betting round."""

    phase: SolverPhase
    name: str = ""


DRAW = DecisionPoint("draw")
Policy: TypeAlias = Mapping[DecisionPoint, Floats]
Policies: TypeAlias = tuple[Policy, Policy]
"""The policies of the first seat and of the dealer."""
DecisionRule: TypeAlias = Callable[[DecisionPoint, Floats], Floats]
"""Takes the value of each act (acts on the first axis), and returns the decision's value."""

PARTS = 120
"""Stored frequencies are whole multiples of 1/120."""


class StoredPolicy(Mapping[DecisionPoint, Floats]):
    """A policy from the file of the blueprint, with one byte per frequency.

    A lookup by decision converts all frequencies of the decision, and keeps them. `state_shares`
    converts only those of a state.
    """

    def __init__(self, parts: Mapping[DecisionPoint, npt.NDArray[np.uint8]]) -> None:
        self.parts = parts
        self._shares: dict[DecisionPoint, Floats] = {}

    def __getitem__(self, place: DecisionPoint) -> Floats:
        if place not in self._shares:
            self._shares[place] = _shares(self.parts[place])
        return self._shares[place]

    def __iter__(self) -> Iterator[DecisionPoint]:
        return iter(self.parts)

    def __len__(self) -> int:
        return len(self.parts)


def state_shares(policy: Policy, place: DecisionPoint, *state: int) -> Floats:
    """Return the frequencies of the acts at a decision in a state.

    The acts are on the first axis, and the rest of the policy's axes follow.
    """
    index: tuple[Any, ...] = (slice(None), *state)
    if isinstance(policy, StoredPolicy):
        return _shares(policy.parts[place][index])
    shares: Floats = policy[place][index]
    return shares


def _shares(parts: npt.NDArray[np.uint8]) -> Floats:
    shares: Floats = np.empty((1 + len(parts), *parts.shape[1:]), np.float32)
    first, later = shares[:1], shares[1:]
    np.divide(parts, np.float32(PARTS), out=later)
    first[:] = later[:1]
    for each in later[1:]:  # one after another, so that no sum depends on the shape
        first += each
    np.maximum(np.subtract(1, first, out=first), 0, out=first)
    return shares


_DRAWN = len(NUMBERS)
_WAYS = len(tree.CLOSES)


def policy_shapes(buckets: int, finals: int, seat: int) -> dict[DecisionPoint, tuple[int, ...]]:
    """Return the shape of a seat's policy at each of its decision points."""
    nodes = [node for node in tree.NODES if node.seat == seat]
    opening = {DecisionPoint("opening", node.name): (len(node.acts), buckets) for node in nodes}
    draw_axes = (_DRAWN,) if seat == tree.FIRST else (_DRAWN, _DRAWN)
    closing_axes = (_DRAWN, _DRAWN, _WAYS, finals)
    closing = {
        DecisionPoint("closing", node.name): (len(node.acts), *closing_axes) for node in nodes
    }
    return opening | {DRAW: (*draw_axes, _WAYS, buckets)} | closing


class ReachProbabilities(NamedTuple):
    """How often a seat's hands reach each decision and each end of a round; the keys are names."""

    opening: dict[str, Floats]
    drawing: Floats
    closing: dict[str, Floats]


def compute_reach(model: DrawModel, seat: int, policy: Policy) -> ReachProbabilities:
    """Return how often a seat's own acts lead its hands to each node; the other seat's are ignored.

    In ``opening`` the reach is given by bucket, in ``drawing`` also by how the round closed, and in
    ``closing`` by the draws, the close and the final hand.
    """
    opening = propagate_reach(tree.ROOT, seat, policy, "opening", model.bucket_shares)
    draw_reach = np.stack([opening[close.name] for close in tree.CLOSES])
    drawn = draw_reach * policy[DRAW]
    if seat == tree.FIRST:
        second_round = np.matmul(drawn, model.final_shares)[:, None]
        start = np.repeat(second_round, _DRAWN, axis=1)
    else:  # the dealer's number is the first axis of drawn, because it is the act
        second_round = np.matmul(drawn.reshape(_DRAWN, -1, model.buckets), model.final_shares)
        start = second_round.reshape(_DRAWN, _DRAWN, _WAYS, model.finals).swapaxes(0, 1)
    return ReachProbabilities(
        opening, draw_reach, propagate_reach(tree.ROOT, seat, policy, "closing", start)
    )


def propagate_reach(
    child: tree.Child, seat: int, policy: Policy, phase: SolverPhase, start: Floats
) -> dict[str, Floats]:
    """Return the reach at each node of a betting round, given the reach at its start."""
    reached = {child.name: start}
    if isinstance(child, tree.DecisionNode):
        for act, below in enumerate(child.children):
            acts = child.seat == seat
            share = start * policy[DecisionPoint(phase, child.name)][act] if acts else start
            reached |= propagate_reach(below, seat, policy, phase, share)
    return reached


def back_up_values(
    child: tree.Child,
    seat: int,
    phase: SolverPhase,
    end_values: Mapping[str, Floats],
    rule: DecisionRule,
) -> Floats:
    """Return the value of a node of a betting round from the values of its ends."""
    if not isinstance(child, tree.DecisionNode):
        return end_values[child.name]
    below = [back_up_values(each, seat, phase, end_values, rule) for each in child.children]
    if child.seat == seat:
        return rule(DecisionPoint(phase, child.name), np.array(below))
    total = below[0]
    for value in below[1:]:  # the reach already contains the other seat's choices
        total = total + value
    return total


def take_best_act(place: DecisionPoint, values: Floats) -> Floats:
    """Return the value of the best act at a decision."""
    value: Floats = values.max(axis=0)
    return value


DrawState: TypeAlias = tuple[int, int, int]
"""The cards drawn by the first seat and by the dealer, and how the first round closed."""


def round_policy(policy: Policy, state: tuple[int, ...], final: npt.NDArray[np.int32]) -> Policy:
    """Return a seat's second-round policy in a state for each deal's final hand.

    A state without its last number means all ways in which the first round can close, as an axis
    before that of the hands.
    """
    return {
        place: state_shares(policy, place, *state)[..., final]
        for place in policy
        if place.phase == "closing"
    }


def end_shares(policy: Policy, seat: int, shape: tuple[int, ...]) -> tuple[Floats, Floats]:
    """Return how often each of the opponent's final hands reaches a fold or a showdown.

    ``policy`` is the result of :func:`round_policy` for all final hands, in this shape. The two
    arrays have the shapes (*shape, folds) and (*shape, closes).
    """
    reach = propagate_reach(tree.ROOT, 1 - seat, policy, "closing", np.ones(shape, np.float32))
    folds = np.stack([reach[fold.name] for fold in tree.FOLDS], axis=-1)
    closes = np.stack([reach[close.name] for close in tree.CLOSES], axis=-1)
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
    names = (*(fold.name for fold in tree.FOLDS), *(close.name for close in tree.CLOSES))
    return dict(zip(names, (*folds, *closes), strict=True))


@memoize()
def _signs(count: int) -> Floats:
    """Return 1 if the final hand on the first axis beats the other one, -1 if it loses, else 0."""
    return np.sign(np.subtract.outer(np.arange(count), np.arange(count))).astype(np.float32)


def end_values(seat: int, close_index: int, end_reach: dict[str, Floats]) -> dict[str, Floats]:
    """Return the value of each end in sb, counted from the beginning of the hand."""
    values = {}
    for end in tree.ENDS:
        paid = np.float32(tree.FIRST_ROUND_PUT_IN[close_index] + tree.BETS_SB[1] * end.bets)
        folded = isinstance(end, tree.FoldNode) and end.seat == seat
        values[end.name] = end_reach[end.name] * (-paid if folded else paid)
    return values


def round_values(
    seat: int, close_index: int, end_reach: dict[str, Floats], rule: DecisionRule
) -> Floats:
    """Return the value of the round from the reach of its ends."""
    return back_up_values(
        tree.ROOT, seat, "closing", end_values(seat, close_index, end_reach), rule
    )
