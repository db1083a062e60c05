"""Random deals from one pack, hundreds of thousands at a time, as buckets and final hands."""

from __future__ import annotations

from itertools import permutations
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from tui_casino.cards import hand_indexing
from tui_casino.cards.memo import memoize
from tui_casino.cards.poker import strengths_of_indices
from tui_casino.games.five_card_draw.brains.equilibrium.betting_tree import SEATS
from tui_casino.games.five_card_draw.brains.equilibrium.hand_buckets import (
    MOST_DRAWN,
    NUMBERS,
    class_of_strength,
    hand_buckets,
)
from tui_casino.games.five_card_draw.brains.equilibrium.opponent_ranges import RANKS
from tui_casino.games.five_card_draw.machine.rules import HAND_CARDS

Indices: TypeAlias = npt.NDArray[np.int32]

PACK = 52
SEAT_CARDS = HAND_CARDS + MOST_DRAWN


class SeatDeals(NamedTuple):
    """The hands of one seat in n deals.

    ``bucket`` has shape (n,). ``final``, in shape (5, n), is the final hand for each number of
    cards drawn, after the solution's discards. ``ranks`` counts by rank the cards that the seat has
    seen by then, (5, n, 13).
    """

    bucket: Indices
    final: Indices
    ranks: npt.NDArray[np.uint8]


def deal(count: int, *seed: int) -> tuple[SeatDeals, SeatDeals]:
    """Shuffle ``count`` packs; deal each seat a hand and the four cards that it may draw.

    The same seed gives the same deals.
    """
    chance = np.random.Generator(np.random.PCG64(seed))
    packs = np.tile(np.arange(PACK, dtype=np.uint8)[:, None], count)
    rows = np.arange(count)
    for place in range(len(SEATS) * SEAT_CARDS):
        other = chance.integers(place, PACK, count)
        packs[place], packs[other, rows] = packs[other, rows], packs[place].copy()
    first, dealer = (
        classify_deals(packs[start : start + SEAT_CARDS].T) for start in (0, SEAT_CARDS)
    )
    return first, dealer


def classify_deals(cards: npt.NDArray[np.uint8]) -> SeatDeals:
    """Classify a seat's nine cards in each of n deals, given in shape (n, 9)."""
    dealt = np.sort(cards[:, :HAND_CARDS], axis=1)
    hand = _hand_of_deal()[hand_indexing.deal_numbers(dealt)]
    number_of = hand_indexing.deal_numbers(dealt)
    final = np.empty((len(NUMBERS), len(cards)), np.int32)
    ranks = np.zeros((len(NUMBERS), len(cards), RANKS), np.uint8)
    for number in NUMBERS:
        masks = _masks_of_deal(number)[number_of]
        drawn = cards[:, HAND_CARDS : HAND_CARDS + number]
        final[number] = class_of_strength()[
            strengths_of_indices(replace_discards(dealt, masks, drawn))
        ]
        for card in np.concatenate([dealt, drawn], axis=1).T % RANKS:
            ranks[number, np.arange(len(cards)), card] += 1
    return SeatDeals(hand_buckets().bucket[hand], final, ranks)


def replace_discards(
    dealt: npt.NDArray[np.uint8], masks: hand_indexing.HoldMasks, drawn: npt.NDArray[np.uint8]
) -> npt.NDArray[np.uint8]:
    """Replace the cards not held by the masks with drawn cards, (n, k), from the left."""
    final = dealt.copy()
    nth = np.zeros(len(dealt), np.intp)
    for place in range(HAND_CARDS if drawn.shape[1] else 0):
        discarded = np.flatnonzero((masks >> place & 1 == 0) & (nth < drawn.shape[1]))
        final[discarded, place] = drawn[discarded, nth[discarded]]
        nth[discarded] += 1
    return final


@memoize()
def _hand_of_deal() -> Indices:
    """Return the index in `hand_indexing.hand_classes` of each of the 2,598,960 deals."""
    cards = hand_indexing.hand_classes().cards
    spread = np.empty(hand_indexing.DEAL_COUNT, np.int32)
    for suits in permutations(range(4)):
        renamed = np.array([13 * suit + rank for suit in suits for rank in range(13)], np.uint8)
        spread[hand_indexing.deal_numbers(np.sort(renamed[cards], axis=0).T)] = np.arange(
            cards.shape[1]
        )
    return spread


@memoize(maxsize=len(NUMBERS))
def _masks_of_deal(number: int) -> hand_indexing.HoldMasks:
    return hand_indexing.expand_to_deals(hand_buckets().masks[number])
