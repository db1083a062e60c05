"""The model that is solved: buckets of hands, classes of final hands, and card removal.

Both seats are dealt buckets and draw final hands as if from separate packs. Results are weighted by
the kernel, scaled to mean 1. Without the kernel the model is the game with two packs. Axes of
arrays are in this order: act, number drawn by the first seat, number drawn by the dealer, how the
first round closed, bucket or final hand. Each array has only the axes that it needs.
"""

from __future__ import annotations

import numpy as np

from tui_casino.games.five_card_draw.brains.equilibrium.betting_tree import (
    ANTE_SB,
    BETS_SB,
    CLOSES,
    FIRST,
    FIRST_ROUND_PUT_IN,
    FOLDS,
    ROOT,
)
from tui_casino.games.five_card_draw.brains.equilibrium.hand_buckets import (
    NUMBERS,
    DrawModel,
    Floats,
    draw_model,
)
from tui_casino.games.five_card_draw.brains.equilibrium.traversal import (
    DRAW,
    DecisionPoint,
    DecisionRule,
    ReachProbabilities,
    back_up_values,
)
from tui_casino.structs import replace

from . import removal_kernels


class SolverModel(DrawModel, frozen=True):
    """The constants of the model, in addition to how often buckets are dealt and what they draw.

    - ``legal``: 1 if a bucket may draw this number of cards, (5, buckets).
    - ``bucket_kernel``: the kernel of two buckets, (buckets, buckets), or ``None`` if all are 1.
    - ``final_kernel``: the kernel of two final hands by the numbers drawn, the first seat's axis
      first, (5, 5, finals, finals).
    - ``showdown_kernel``: ``final_kernel``, with the sign of the showdown's result, in the same
      shape.
    """

    legal: Floats
    bucket_kernel: Floats | None
    final_kernel: Floats
    showdown_kernel: Floats


def two_models() -> tuple[SolverModel, SolverModel]:
    """Return the model with the kernel, and the model with two packs. This takes ten seconds."""
    packs = _with_two_packs()
    final_kernel = removal_kernels.final_kernel() / np.float32(removal_kernels.MEAN)
    bucket_kernel = removal_kernels.bucket_kernel() / np.float32(removal_kernels.MEAN)
    return replace(
        packs,
        bucket_kernel=bucket_kernel,
        final_kernel=final_kernel,
        showdown_kernel=final_kernel * packs.showdown_kernel,
    ), packs


def _with_two_packs() -> SolverModel:
    """Return the model without card removal."""
    draws = draw_model()
    legal = (draws.final_shares.sum(axis=2) > 0.5).astype(np.float32)
    strength_order = np.arange(draws.finals)
    sign = np.sign(strength_order[:, None] - strength_order).astype(np.float32)
    unit_kernel = np.ones((len(NUMBERS), len(NUMBERS), draws.finals, draws.finals), np.float32)
    return SolverModel(
        draws.bucket_shares, draws.final_shares, legal, None, unit_kernel, unit_kernel * sign
    )


# ---- the values of choices -----------------------------------------------------------------------

_DRAWN = len(NUMBERS)
_WAYS = len(CLOSES)


def reach_at(reached: ReachProbabilities, place: DecisionPoint) -> Floats:
    """Return the reach of a decision point."""
    if place == DRAW:
        return reached.drawing
    return (reached.opening if place.phase == "opening" else reached.closing)[place.name]


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
