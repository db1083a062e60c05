"""Two passes over the game: how a seat comes to each place, and what its choices are worth there.

A *place* is a decision for all hands at once: a phase and, in a round of bets, what was done in
it. A policy gives for each place how often each act is chosen.
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
    """A decision: in which phase, and after which acts in this round of bets."""

    phase: SolverPhase
    name: str = ""


DRAW = DecisionPoint("draw")
Policy: TypeAlias = Mapping[DecisionPoint, Floats]
Policies: TypeAlias = tuple[Policy, Policy]
"""Those of the first seat and of the dealer."""
DecisionRule: TypeAlias = Callable[[DecisionPoint, Floats], Floats]
"""Takes what each act is worth, acts along the first axis, and gives what the place is worth."""

_DRAWN = len(NUMBERS)
_WAYS = len(CLOSES)


def policy_shapes(buckets: int, finals: int, seat: int) -> dict[DecisionPoint, tuple[int, ...]]:
    """Give the shape of a seat's policy at each of its places."""
    nodes = [node for node in NODES if node.seat == seat]
    opening = {DecisionPoint("opening", node.name): (len(node.acts), buckets) for node in nodes}
    draw_axes = (_DRAWN,) if seat == FIRST else (_DRAWN, _DRAWN)
    closing_axes = (_DRAWN, _DRAWN, _WAYS, finals)
    closing = {
        DecisionPoint("closing", node.name): (len(node.acts), *closing_axes) for node in nodes
    }
    return opening | {DRAW: (*draw_axes, _WAYS, buckets)} | closing


class ReachProbabilities(NamedTuple):
    """How often a seat's hands come to each decision and end of a round, by its name."""

    opening: dict[str, Floats]
    drawing: Floats
    closing: dict[str, Floats]


def reach_at(reached: ReachProbabilities, place: DecisionPoint) -> Floats:
    """Give how often a place was reached."""
    if place == DRAW:
        return reached.drawing
    return (reached.opening if place.phase == "opening" else reached.closing)[place.name]


def compute_reach(model: SolverModel, seat: int, policy: Policy) -> ReachProbabilities:
    """Follow a seat's hands through the game, the other's acts taken as certain.

    Reaches are by bucket, in ``drawing`` also by the way the round closed, and in ``closing`` by
    final.
    """
    opening = propagate_reach(ROOT, seat, policy, "opening", model.bucket_shares)
    draw_reach = np.stack([opening[close.name] for close in CLOSES])
    drawn = draw_reach * policy[DRAW]
    if seat == FIRST:
        second_round = np.matmul(drawn, model.final_shares)[:, None]
        start = np.repeat(second_round, _DRAWN, axis=1)
    else:  # drawn is by the dealer's number first, as all acts are
        second_round = np.matmul(drawn.reshape(_DRAWN, -1, model.buckets), model.final_shares)
        start = second_round.reshape(_DRAWN, _DRAWN, _WAYS, model.finals).swapaxes(0, 1)
    return ReachProbabilities(
        opening, draw_reach, propagate_reach(ROOT, seat, policy, "closing", start)
    )


def propagate_reach(
    child: Child, seat: int, policy: Policy, phase: SolverPhase, start: Floats
) -> dict[str, Floats]:
    """Follow a seat's hands through a round of bets, from how often it begins."""
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
    """Work out what a seat's buckets are worth in sb, its choices made by ``rule``.

    Each is weighed by how often the other seat comes there, whose reach is given.
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
    """Work back through the first round of bets.

    Given are how often the other's hands are met at each end by a fold, (8, …), and what each
    way to go on is worth, (9, …).
    """
    values = {end.name: value for end, value in zip(CLOSES, close_values, strict=True)}
    for fold, reach in zip(FOLDS, fold_reach, strict=True):
        paid = np.float32(ANTE_SB + BETS_SB[0] * fold.bets)
        values[fold.name] = reach * (-paid if fold.seat == seat else paid)
    return back_up_values(ROOT, seat, "opening", values, rule)


def closing_values(
    model: SolverModel, seat: int, opponent_reach: ReachProbabilities, rule: DecisionRule
) -> Floats:
    """Work back through the second round, to its worth by draws, way and own final."""
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
    """Work back through a round of bets from what its ends are worth."""
    if not isinstance(child, DecisionNode):
        return end_values[child.name]
    below = [back_up_values(each, seat, phase, end_values, rule) for each in child.children]
    if child.seat == seat:
        return rule(DecisionPoint(phase, child.name), np.stack(below))
    total = below[0]
    for value in below[1:]:  # the other's choice is in its reach
        total = total + value
    return total
