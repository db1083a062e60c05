"""Every draw of a hand, dealt out and rated in bulk, as a reference for the exact odds.

It uses no sums by class and no inclusion-exclusion.
"""

from __future__ import annotations

from functools import cache
from itertools import chain, combinations
from math import comb

import numpy as np
import numpy.typing as npt

from tui_casino.cards.card import PACK, Hand
from tui_casino.cards.poker import STRENGTHS, strengths_of_indices
from tui_casino.games.five_card_draw.machine.rules import Positions, kept_cards

STUB = 47


@cache
def every_draw(size: int) -> npt.NDArray[np.uint8]:
    """Return every draw of a number of cards, as indices in the stub."""
    flat = chain.from_iterable(combinations(range(STUB), size))
    return np.fromiter(flat, np.uint8, size * comb(STUB, size)).reshape(comb(STUB, size), size)


def strengths_after(dealt: Hand, discards: Positions) -> npt.NDArray[np.int64]:
    """Count the final hands by strength, in an array of 7,463 whose index 0 is unused."""
    stub = np.array([card.index for card in PACK if card not in dealt], np.uint8)
    drawn = stub[every_draw(len(discards))]
    held = np.array([card.index for card in kept_cards(dealt, discards)], np.uint8)
    stay = np.broadcast_to(held, (len(drawn), len(held)))
    finals = strengths_of_indices(np.concatenate([stay, drawn], axis=1))
    return np.bincount(finals, minlength=len(STRENGTHS) + 1)
