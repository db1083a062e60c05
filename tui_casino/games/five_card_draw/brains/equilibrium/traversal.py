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
    seen = (_DRAWN,) if seat == FIRST else (_DRAWN, _DRAWN)
    after = (_DRAWN, _DRAWN, _WAYS, finals)
    closing = {DecisionPoint("closing", node.name): (len(node.acts), *after) for node in nodes}
    return opening | {DRAW: (*seen, _WAYS, buckets)} | closing


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
    opening = propagate_reach(ROOT, seat, policy, "opening", model.dealt)
    drawing = np.stack([opening[close.name] for close in CLOSES])
    drawn = drawing * policy[DRAW]
    if seat == FIRST:
        into = np.matmul(drawn, model.ends)[:, None]
        start = np.repeat(into, _DRAWN, axis=1)
    else:  # drawn is by the dealer's number first, as all acts are
        into = np.matmul(drawn.reshape(_DRAWN, -1, model.buckets), model.ends)
        start = into.reshape(_DRAWN, _DRAWN, _WAYS, model.finals).swapaxes(0, 1)
    return ReachProbabilities(
        opening, drawing, propagate_reach(ROOT, seat, policy, "closing", start)
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
    model: SolverModel, seat: int, other: ReachProbabilities, decide: DecisionRule
) -> Floats:
    """Work out what a seat's buckets are worth in sb, its choices made by ``decide``.

    Each is weighed by how often the other seat comes there, whose reach is given.
    """
    after = closing_values(model, seat, other, decide)
    if seat == FIRST:
        worths = np.matmul(after.sum(axis=1), model.ends.swapaxes(1, 2))
        close = decide(DRAW, worths)
    else:
        into = after.swapaxes(0, 1).reshape(_DRAWN, -1, model.finals)
        worths = np.matmul(into, model.ends.swapaxes(1, 2))
        worths = worths.reshape(_DRAWN, _DRAWN, _WAYS, model.buckets)
        close = decide(DRAW, worths).sum(axis=0)
    met = np.stack([other.opening[fold.name] for fold in FOLDS])
    if model.meet is None:
        met = np.repeat(met.sum(axis=1, keepdims=True), model.buckets, axis=1)
    else:
        met = met @ model.meet
    return opening_values(seat, met, close, decide)


def opening_values(seat: int, met: Floats, close: Floats, decide: DecisionRule) -> Floats:
    """Work back through the first round of bets.

    Given are how often the other's hands are met at each end by a fold, (8, …), and what each
    way to go on is worth, (9, …).
    """
    worths = {end.name: worth for end, worth in zip(CLOSES, close, strict=True)}
    for fold, often in zip(FOLDS, met, strict=True):
        paid = np.float32(ANTE_SB + BETS_SB[0] * fold.bets)
        worths[fold.name] = often * (-paid if fold.seat == seat else paid)
    return back_up_values(ROOT, seat, "opening", worths, decide)


def closing_values(
    model: SolverModel, seat: int, other: ReachProbabilities, decide: DecisionRule
) -> Floats:
    """Work back through the second round, to its worth by draws, way and own final."""
    shape = (_DRAWN, _DRAWN, -1, _WAYS, model.finals)
    flat = (_DRAWN, _DRAWN, -1, model.finals)
    show, beats = model.show, model.beats
    if seat == FIRST:
        show, beats = show.swapaxes(2, 3), beats.swapaxes(2, 3)
    folds = np.stack([other.closing[fold.name] for fold in FOLDS], axis=2).reshape(flat)
    shown = np.stack([other.closing[close.name] for close in CLOSES], axis=2).reshape(flat)
    met = np.matmul(folds, show).reshape(shape)
    won = np.matmul(shown, beats).reshape(shape)
    in_pot = np.array(FIRST_ROUND_PUT_IN, np.float32)[:, None]
    worths: dict[str, Floats] = {}
    for place, fold in enumerate(FOLDS):
        paid = in_pot + np.float32(BETS_SB[1] * fold.bets)
        worths[fold.name] = met[:, :, place] * (-paid if fold.seat == seat else paid)
    side = 1 if seat == FIRST else -1
    for place, close in enumerate(CLOSES):
        paid = in_pot + np.float32(BETS_SB[1] * close.bets)
        worths[close.name] = won[:, :, place] * (side * paid)
    return back_up_values(ROOT, seat, "closing", worths, decide)


def back_up_values(
    child: Child, seat: int, phase: SolverPhase, worths: Mapping[str, Floats], decide: DecisionRule
) -> Floats:
    """Work back through a round of bets from what its ends are worth."""
    if not isinstance(child, DecisionNode):
        return worths[child.name]
    below = [back_up_values(each, seat, phase, worths, decide) for each in child.children]
    if child.seat == seat:
        return decide(DecisionPoint(phase, child.name), np.stack(below))
    total = below[0]
    for worth in below[1:]:  # the other's choice is in its reach
        total = total + worth
    return total
