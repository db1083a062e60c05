"""Two passes over the game: the reach of each decision, and the values of its choices.

A *decision point* represents the same decision for all hands together: a phase and, in a betting
round, the acts so far. A policy gives the frequency of each act at each decision point.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal, NamedTuple, TypeAlias

import numpy as np

from .betting_tree import (
    ANTE_SB,
    BETS_SB,
    CLOSES,
    FIRST,
    FIRST_ROUND_PUT_IN,
    FOLDS,
    NODES,
    ROOT,
    Child,
    DecisionNode,
)
from .hand_buckets import NUMBERS, Floats
from .model import SolverModel

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

_DRAWN = len(NUMBERS)
_WAYS = len(CLOSES)


def policy_shapes(buckets: int, finals: int, seat: int) -> dict[DecisionPoint, tuple[int, ...]]:
    """Return the shape of a seat's policy at each of its decision points."""
    nodes = [node for node in NODES if node.seat == seat]
    opening = {DecisionPoint("opening", node.name): (len(node.acts), buckets) for node in nodes}
    draw_axes = (_DRAWN,) if seat == FIRST else (_DRAWN, _DRAWN)
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


def reach_at(reached: ReachProbabilities, place: DecisionPoint) -> Floats:
    """Return the reach of a decision point."""
    if place == DRAW:
        return reached.drawing
    return (reached.opening if place.phase == "opening" else reached.closing)[place.name]


def compute_reach(model: SolverModel, seat: int, policy: Policy) -> ReachProbabilities:
    """Return how often a seat's own acts lead its hands to each node; the other seat's are ignored.

    In ``opening`` the reach is given by bucket, in ``drawing`` also by how the round closed, and in
    ``closing`` by the draws, the close and the final hand.
    """
    opening = propagate_reach(ROOT, seat, policy, "opening", model.bucket_shares)
    draw_reach = np.stack([opening[close.name] for close in CLOSES])
    drawn = draw_reach * policy[DRAW]
    if seat == FIRST:
        second_round = np.matmul(drawn, model.final_shares)[:, None]
        start = np.repeat(second_round, _DRAWN, axis=1)
    else:  # the dealer's number is the first axis of drawn, because it is the act
        second_round = np.matmul(drawn.reshape(_DRAWN, -1, model.buckets), model.final_shares)
        start = second_round.reshape(_DRAWN, _DRAWN, _WAYS, model.finals).swapaxes(0, 1)
    return ReachProbabilities(
        opening, draw_reach, propagate_reach(ROOT, seat, policy, "closing", start)
    )


def propagate_reach(
    child: Child, seat: int, policy: Policy, phase: SolverPhase, start: Floats
) -> dict[str, Floats]:
    """Return the reach at each node of a betting round, given the reach at its start."""
    reached = {child.name: start}
    if isinstance(child, DecisionNode):
        for act, below in enumerate(child.children):
            acts = child.seat == seat
            share = start * policy[DecisionPoint(phase, child.name)][act] if acts else start
            reached |= propagate_reach(below, seat, policy, phase, share)
    return reached


def compute_bucket_values(
    model: SolverModel, seat: int, opponent_reach: ReachProbabilities, rule: DecisionRule
) -> Floats:
    """Return the value of each bucket in sb, if ``rule`` makes the seat's choices.

    Values are weighted by the reach of the other seat.
    """
    second_round = closing_values(model, seat, opponent_reach, rule)
    if seat == FIRST:
        draw_values = np.matmul(second_round.sum(axis=1), model.final_shares.swapaxes(1, 2))
        close_values = rule(DRAW, draw_values)
    else:
        by_dealer_draw = second_round.swapaxes(0, 1).reshape(_DRAWN, -1, model.finals)
        draw_values = np.matmul(by_dealer_draw, model.final_shares.swapaxes(1, 2))
        draw_values = draw_values.reshape(_DRAWN, _DRAWN, _WAYS, model.buckets)
        close_values = rule(DRAW, draw_values).sum(axis=0)
    fold_reach = np.stack([opponent_reach.opening[fold.name] for fold in FOLDS])
    if model.bucket_kernel is None:
        fold_reach = np.repeat(fold_reach.sum(axis=1, keepdims=True), model.buckets, axis=1)
    else:
        fold_reach = fold_reach @ model.bucket_kernel
    return opening_values(seat, fold_reach, close_values, rule)


def opening_values(
    seat: int, fold_reach: Floats, close_values: Floats, rule: DecisionRule
) -> Floats:
    """Return the values of the first betting round.

    ``fold_reach`` is how often the opponent's hands meet each end by a fold, (8, …), and
    ``close_values`` the value of each close, (9, …).
    """
    values = {end.name: value for end, value in zip(CLOSES, close_values, strict=True)}
    for fold, reach in zip(FOLDS, fold_reach, strict=True):
        paid = np.float32(ANTE_SB + BETS_SB[0] * fold.bets)
        values[fold.name] = reach * (-paid if fold.seat == seat else paid)
    return back_up_values(ROOT, seat, "opening", values, rule)


def closing_values(
    model: SolverModel, seat: int, opponent_reach: ReachProbabilities, rule: DecisionRule
) -> Floats:
    """Return the values of the second round.

    The axes are the draws of both seats, the way the first round closed, and the own final hand.
    """
    shape = (_DRAWN, _DRAWN, -1, _WAYS, model.finals)
    flat = (_DRAWN, _DRAWN, -1, model.finals)
    final_kernel, showdown_kernel = model.final_kernel, model.showdown_kernel
    if seat == FIRST:
        final_kernel, showdown_kernel = final_kernel.swapaxes(2, 3), showdown_kernel.swapaxes(2, 3)
    folds = np.stack([opponent_reach.closing[fold.name] for fold in FOLDS], axis=2).reshape(flat)
    showdowns = np.stack([opponent_reach.closing[close.name] for close in CLOSES], axis=2).reshape(
        flat
    )
    fold_values = np.matmul(folds, final_kernel).reshape(shape)
    won = np.matmul(showdowns, showdown_kernel).reshape(shape)
    in_pot = np.array(FIRST_ROUND_PUT_IN, np.float32)[:, None]
    values: dict[str, Floats] = {}
    for place, fold in enumerate(FOLDS):
        paid = in_pot + np.float32(BETS_SB[1] * fold.bets)
        values[fold.name] = fold_values[:, :, place] * (-paid if fold.seat == seat else paid)
    side = 1 if seat == FIRST else -1
    for place, close in enumerate(CLOSES):
        paid = in_pot + np.float32(BETS_SB[1] * close.bets)
        values[close.name] = won[:, :, place] * (side * paid)
    return back_up_values(ROOT, seat, "closing", values, rule)


def back_up_values(
    child: Child,
    seat: int,
    phase: SolverPhase,
    end_values: Mapping[str, Floats],
    rule: DecisionRule,
) -> Floats:
    """Return the value of a node of a betting round from the values of its ends."""
    if not isinstance(child, DecisionNode):
        return end_values[child.name]
    below = [back_up_values(each, seat, phase, end_values, rule) for each in child.children]
    if child.seat == seat:
        return rule(DecisionPoint(phase, child.name), np.array(below))
    total = below[0]
    for value in below[1:]:  # the reach already contains the other seat's choices
        total = total + value
    return total
