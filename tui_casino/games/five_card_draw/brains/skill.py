"""What skill is worth where the draw decides all: at the table with an ante, between two.

One seat discards by a fixed rule, the other is perfect: it knows the rule and, where it draws last,
how many cards were drawn. Hands come from a pack each, and so do draws. The deal moves around, so
that each draws last in half of all hands; the pot is two antes, ties share it.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ....cards import subsets
from ....cards.draws import WEIGHT, Int64s, strengths_after_all
from ....cards.subsets import DEALS, SIZES, Masks
from ..machine.rules import HAND_CARDS
from ..machine.state import ANTE
from .equilibrium.hands import NUMBERS, ONE, chances_of, hands
from .odds import algorithm_masks

_SIZES = np.array(SIZES)


def lost_by_the_algorithm() -> float:
    """Give what the course's algorithm loses to a perfect opponent, in credits a hand."""
    return lost(algorithm_masks())


def lost_by_the_exact() -> float:
    """Give what is lost by the draw that beats the algorithm's hands most often."""
    best: Masks = hands().chances.argmax(axis=0).astype(np.uint8)
    return lost(best)


def lost(masks: Masks) -> float:
    """Give what is lost by discards, as hold masks of the `subsets.hands`, in credits a hand.

    Takes some seconds.
    """
    drawn = HAND_CARDS - _SIZES[masks]
    counts = {number: strengths_after_all(masks, drawn == number) for number in NUMBERS}
    blind = _best(np.sum([*counts.values()], axis=0))
    seeing = sum(
        int(count.sum()) / WEIGHT * _best(count) for count in counts.values() if count.any()
    )
    return 2 * ANTE * ((blind + seeing) / 2 - 0.5)


def _best(counts: Int64s) -> float:
    """Give how often the best discards beat final hands that come so often, a tie counted half."""
    beats: npt.NDArray[np.float64] = (np.cumsum(counts) - counts / 2) / counts.sum()
    chances = chances_of((beats * ONE).astype(np.int64))
    return float(chances.max(axis=0) @ subsets.hands().deals / DEALS / ONE)
