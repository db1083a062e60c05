"""Final hands in classes: 7,462 strengths, those of a class counted as ties.

Strengths next to each other are of one class unless the cards that matter differ (the rank of a
pair, the higher pair, the three or four alike, the high card), or a class would become greater
than a 256th of all hands after the course's algorithm has drawn.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from .....cards.draw_odds import TOTAL_WEIGHT
from .....cards.memo import memoize
from .....cards.poker import STRENGTHS, hand_rank_of
from ..odds import strengths_after_the_algorithm

Ints: TypeAlias = npt.NDArray[np.integer[Any]]

PARTS = 256


@memoize()
def class_of_strength() -> npt.NDArray[np.int32]:
    """Give the class of each strength, the weakest 0, in shape (7463,); place 0 is no strength's.

    The same on every machine: nothing but whole numbers is compared.
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
    """Count the classes."""
    return int(class_of_strength()[-1]) + 1
