"""The division of the strengths into the classes of final hands that are shipped."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tui_casino.cards.draw_odds import TOTAL_WEIGHT
from tui_casino.cards.memo import memoize
from tui_casino.cards.poker import STRENGTHS, hand_rank_of
from tui_casino.games.five_card_draw.brains.odds import strengths_after_the_algorithm

PARTS = 256


@memoize()
def find_classes() -> npt.NDArray[np.int32]:
    """Divide the strengths into classes, as in the shipped `class_of_strength`.

    Adjacent strengths share a class unless they differ in the main rank (of the pair, the higher
    pair, the three or four of a kind, or the high card), or the class would exceed 1/256 of all
    final hands of the course's algorithm. The classes are the same on every
    machine, because only whole numbers are compared.
    """
    counts = strengths_after_the_algorithm().tolist()
    classes, below, last_group, number = [0], 0, None, -1
    for strength in STRENGTHS:
        ranking = hand_rank_of(strength)
        group = ranking.category, ranking.ranks[0], below * PARTS // TOTAL_WEIGHT
        number += group != last_group
        last_group, below = group, below + counts[strength]
        classes.append(number)
    return np.array(classes, np.int32)
