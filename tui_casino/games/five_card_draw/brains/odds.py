"""Exact odds of five-card draw: the hands dealt, and the hands after the draw.

>>> from tui_casino.cards.card import parse_hand
>>> chances = after_each_discard(parse_hand("KS KD 9H 5C 2D"))[3, 4, 5]
>>> chances.count(HandCategory.THREE_OF_A_KIND), chances.total
(1854, 16215)
>>> chances.chance(HandCategory.THREE_OF_A_KIND)
Fraction(618, 5405)

Nothing is sampled or rounded. Discards are not dealt again, so draws come from the other 47 cards
with equal chances. These 47 include the cards of other players. `cards.draw_odds` counts them.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from math import comb
from typing import Any

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from ....cards import hand_indexing
from ....cards.card import Card
from ....cards.draw_odds import (
    TOTAL_WEIGHT,
    DrawCounts,
    Int64s,
    final_strength_counts,
    sum_after_each_hold,
    sum_by_class,
)
from ....cards.hand_draws import Kind, count_after_each_hold, examples_of_kinds
from ....cards.hand_indexing import HoldMasks
from ....cards.memo import memoize
from ....cards.poker import (
    STRENGTHS,
    HandCategory,
    category_of,
    rank_hand,
    strength_of,
    strengths_of_indices,
)
from ..machine.rules import HAND_CARDS, POSITIONS, Positions, check_hand, every_discard, kept_cards


class CategoryCounts(Struct, frozen=True):
    """The number of hands in each of the nine categories, weakest first."""

    counts: tuple[int, ...]

    @property
    def total(self) -> int:
        """The sum of all counts."""
        return sum(self.counts)

    def count(self, category: HandCategory) -> int:
        """Return the count of a category."""
        return self.counts[category]

    def chance(self, category: HandCategory) -> Fraction:
        """Return the probability of a category."""
        return Fraction(self.counts[category], self.total)


# ---- all hands -------------------------------------------------------------------------------


def before_the_draw() -> CategoryCounts:
    """Count the 2,598,960 possible hands by category."""
    kinds, deals = _draws().kind_of_hand, hand_indexing.hand_classes().deals
    counts = np.bincount(
        kinds, deals, len(HandCategory)
    )  # whole numbers below 2**53 are exact as floats
    return CategoryCounts(tuple(counts.astype(np.int64).tolist()))


def after_the_algorithm() -> CategoryCounts:
    """Count the final hands by category, over all deals and draws, if the algorithm draws.

    The counts are weighted, and add up to :data:`tui_casino.cards.draw_odds.TOTAL_WEIGHT`.
    """
    return CategoryCounts(_draws().after_all(algorithm_masks()))


def algorithm_masks() -> HoldMasks:
    """Return the cards that the algorithm keeps of each hand class, as hold masks."""
    keeps = algorithm_keeps(hand_indexing.hand_classes().cards)
    masks: HoldMasks = np.packbits(keeps, axis=0, bitorder="little")[0]
    return masks


def algorithm_keeps(cards: npt.NDArray[np.integer[Any]]) -> npt.NDArray[np.bool_]:
    """Return a mask of the cards that the algorithm keeps, for n hands.

    ``cards`` holds ``card.index`` in shape (5, n). Suits matter only if four cards share one;
    otherwise the choice depends on the ranks, so it is computed once for each strength.
    """
    strengths = strengths_of_indices(cards.T)
    suits = cards // 13
    keeps = (_ranks_kept_by_strength()[strengths] >> cards % 13 & 1).astype(np.bool_)
    high_cards = _categories()[strengths] == HandCategory.HIGH_CARD
    for suit in range(4):
        suited = suits == suit
        fours = high_cards & (suited.sum(axis=0) == 4)
        keeps[:, fours] = suited[:, fours]
    return keeps


@memoize()
def _ranks_kept_by_strength() -> npt.NDArray[np.uint16]:
    """Return the ranks that the algorithm keeps by strength, as 13 bits.

    The algorithm never separates cards of one rank. This is `players.decide` for all
    strengths together, without the step for four of a suit.
    """
    cards, count = hand_indexing.hand_classes().cards, len(STRENGTHS) + 1
    sample_hand = np.zeros(count, np.intp)  # one hand of each strength
    sample_hand[strengths_of_indices(cards.T)] = np.arange(cards.shape[1])
    rank_counts = np.zeros((count, 13), np.int8)
    for card in cards[:, sample_hand] % 13:
        rank_counts[np.arange(count), card] += 1
    bits = 1 << np.arange(13)
    ranks, paired = (rank_counts > 0) @ bits, (rank_counts > 1) @ bits
    kept_ranks = np.bitwise_or.reduce([np.where(ranks & four == four, four, 0) for four in _FOURS])
    highest = ranks
    for _ in range(HAND_CARDS - 2):
        highest = highest & (highest - 1)
    kept_ranks = np.where(kept_ranks > 0, kept_ranks, np.where(ranks & _ACE, _ACE, highest))
    kept_ranks = np.where(_categories() >= HandCategory.STRAIGHT, ranks, kept_ranks)
    kept_ranks = np.where(paired > 0, paired, kept_ranks)
    return kept_ranks.astype(np.uint16)


_ACE = 1
_FOURS = [sum(1 << (low + place) % 13 for place in range(4)) for low in range(11)]
"""Four ranks in sequence, from ace to 4 up to jack to ace."""


@memoize()
def strengths_after_the_algorithm() -> Int64s:
    """Count the final hands by strength, as :func:`after_the_algorithm` does by category.

    Returns an array of 7,463 counts, of which index 0 is unused. The first call takes about a
    second.
    """
    return final_strength_counts(algorithm_masks())


@memoize()
def _draws() -> DrawCounts:
    return DrawCounts(_categories(), len(HandCategory))


@memoize()
def _categories() -> npt.NDArray[np.int32]:
    """Return the category of each strength."""
    return np.array([0, *map(category_of, STRENGTHS)], np.int32)


# ---- one hand --------------------------------------------------------------------------------


def after_each_discard(hand: Sequence[Card]) -> dict[Positions, CategoryCounts]:
    """Count the hands after the draw by category, for each set of discards, beginning with none.

    All 32 sets of positions are included, whatever the rules allow. A call takes a millisecond.
    Raises ``ValueError`` unless the hand is five different cards.
    """
    check_hand(hand)
    by_mask = count_after_each_hold(
        hand, _categories_of_kinds(), len(HandCategory), rank_hand(hand).category
    )
    return {
        discards: CategoryCounts(tuple(by_mask[hold_mask(hand, discards)]))
        for discards in _EVERY_SET
    }


@memoize()
def _categories_of_kinds() -> dict[Kind, HandCategory]:
    return {kind: rank_hand(example).category for kind, example in examples_of_kinds()}


def standings_after_each_discard(hand: Sequence[Card]) -> dict[Positions, Fraction]:
    """Return the chance to beat a final hand of the algorithm, for each legal discard.

    The algorithm's hand comes from a separate pack; a tie counts half. A call takes a millisecond;
    the first call takes about two seconds. Raises ``ValueError`` unless the hand is five different
    cards.
    """
    check_hand(hand)
    of_class, of_strength = _standings()
    sums = sum_after_each_hold(hand, of_class, of_strength[strength_of(hand)]).tolist()
    chances = {}
    for discards in every_discard(hand):
        high, low = sums[hold_mask(hand, discards)]
        chances[discards] = Fraction(
            (high << _LOW_BITS) + low, 2 * TOTAL_WEIGHT * comb(47, len(discards))
        )
    return chances


_LOW_BITS = 20
"""Standings are stored in two parts so that their sums stay below 53 bits."""


@memoize()
def _standings() -> tuple[Int64s, Int64s]:
    """Return the weight of ties plus twice that of weaker hands, for each class and strength."""
    counts = strengths_after_the_algorithm()
    twice = 2 * np.cumsum(counts) - counts
    parts = twice >> _LOW_BITS, twice & (1 << _LOW_BITS) - 1
    strengths = strengths_of_indices(hand_indexing.hand_classes().cards.T)
    of_class = [sum_by_class(part[strengths]) for part in parts]
    return np.stack(of_class, axis=1), np.stack(parts, axis=1)


_EVERY_SET = tuple(
    discards for size in range(HAND_CARDS + 1) for discards in combinations(POSITIONS, size)
)


def hold_mask(hand: Sequence[Card], discards: Positions) -> int:
    """Return the hold mask of the cards kept: bit i is the card with the i-th lowest index."""
    kept = kept_cards(hand, discards)
    ascending = sorted(hand, key=lambda card: card.index)
    return sum(1 << bit for bit, card in enumerate(ascending) if card in kept)
