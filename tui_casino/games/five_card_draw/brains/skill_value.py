"""The value of skill at an ante table for two, where the discard is the only decision.

One seat discards by a fixed rule. The other is perfect: it knows the rule and, if it draws last,
how many cards were drawn. Each player has a separate pack. The deal alternates, so each player
draws last in half of all hands. The pot is two antes; ties share it.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ....cards import hand_indexing
from ....cards.draw_odds import TOTAL_WEIGHT, Int64s, final_strength_counts
from ....cards.hand_indexing import DEAL_COUNT, HOLD_SIZES, HoldMasks
from ..machine.rules import HAND_CARDS
from ..machine.state import ANTE
from .equilibrium.hand_buckets import CHANCE_ONE, NUMBERS, mean_chances, rate_hands
from .odds import algorithm_masks

_SIZES = np.array(HOLD_SIZES)


def algorithm_loss() -> float:
    """Return how much the course's algorithm loses to a perfect opponent, in credits per hand."""
    return discard_loss(algorithm_masks())


def exact_draw_loss() -> float:
    """Return how much the draw that beats the algorithm most often loses, in credits per hand."""
    best: HoldMasks = rate_hands().chances.argmax(axis=0).astype(np.uint8)
    return discard_loss(best)


def discard_loss(masks: HoldMasks) -> float:
    """Return how much a rule loses, in credits per hand, given its hold mask for each hand class.

    This takes several seconds.
    """
    draw_counts = HAND_CARDS - _SIZES[masks]
    counts = {number: final_strength_counts(masks, draw_counts == number) for number in NUMBERS}
    first_seat = _best(np.sum([*counts.values()], axis=0))
    dealer = sum(
        int(count.sum()) / TOTAL_WEIGHT * _best(count) for count in counts.values() if count.any()
    )
    return 2 * ANTE * ((first_seat + dealer) / 2 - 0.5)


def _best(counts: Int64s) -> float:
    """Return how often the best discards beat final hands with these counts, ties counted half."""
    win_chances: npt.NDArray[np.float64] = (np.cumsum(counts) - counts / 2) / counts.sum()
    chances = mean_chances((win_chances * CHANCE_ONE).astype(np.int64))
    return float(chances.max(axis=0) @ hand_indexing.hand_classes().deals / DEAL_COUNT / CHANCE_ONE)
