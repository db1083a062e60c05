"""Classes of final hands: a class contains several of the 7,462 strengths, which count as ties.

Adjacent strengths share a class unless they differ in the main rank (of the pair, the higher pair,
the three or four of a kind, or the high card), or the class would exceed 1/256 of all final hands
of the course's algorithm.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from .....cards.draw_odds import TOTAL_WEIGHT
from .....cards.memo import memoize
from .....cards.poker import STRENGTHS, hand_rank_of
from ..odds import strengths_after_the_algorithm
from .play_tables import play_tables

Ints: TypeAlias = npt.NDArray[np.integer[Any]]

PARTS = 256


def class_of_strength() -> npt.NDArray[np.int32]:
    """Return the class of each strength in shape (7463,): 0 is the weakest, index 0 is unused."""
    return play_tables().class_of_strength


@memoize()
def find_classes() -> npt.NDArray[np.int32]:
    """Divide the strengths into classes, as in the shipped `class_of_strength`.

    The classes are the same on every machine, because only whole numbers are compared.
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


def class_count() -> int:
    """Return the number of classes."""
    return int(class_of_strength()[-1]) + 1
