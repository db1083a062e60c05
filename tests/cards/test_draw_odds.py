"""The deals of a pack by number and by class, and how draws are weighed."""

from __future__ import annotations

from itertools import combinations
from math import comb
from random import Random

import numpy as np

from tui_casino.cards import hand_indexing
from tui_casino.cards.card import PACK
from tui_casino.cards.draw_odds import (
    DRAW_SCALE,
    DRAWS_BY_HOLD,
    TOTAL_WEIGHT,
    DirectDrawCounts,
    DrawCounts,
    count_small_sets,
    sum_by_class,
)
from tui_casino.cards.poker import STRENGTHS


def test_five_card_deals_are_numbered_in_colexicographic_order() -> None:
    deals = hand_indexing.all_deals()
    assert deals.shape == (hand_indexing.DEAL_COUNT, 5)
    assert (hand_indexing.deal_numbers(deals) == np.arange(hand_indexing.DEAL_COUNT)).all()
    first = sorted(combinations(range(13), 5), key=lambda cards: cards[::-1])
    assert list(map(tuple, deals[: len(first)].tolist())) == first
    assert deals[-1].tolist() == [47, 48, 49, 50, 51]


def test_subsets_of_a_hand_are_numbered_by_size_then_colexicographically() -> None:
    sizes = (sorted(combinations(range(9), k), key=lambda cards: cards[::-1]) for k in range(6))
    cards = np.array([0, 2, 3, 7, 8])
    numbers = hand_indexing.subset_numbers(cards)
    before = 0
    for size, found in enumerate(sizes):
        for mask in range(32):
            if mask.bit_count() == size:
                held = tuple(int(card) for bit, card in enumerate(cards) if mask >> bit & 1)
                assert numbers[mask] == before + found.index(held)
        before += comb(52, size)


def test_suit_equivalence_classes_of_hands_have_the_published_counts() -> None:
    classes, hands = hand_indexing.subset_classes(), hand_indexing.hand_classes()
    assert len(hands.deals) == 134_459  # Ethier, Kim, Lee: arxiv.org/abs/1602.04171
    assert hands.deals.sum() == hand_indexing.DEAL_COUNT
    sizes = [int(bits).bit_count() for bits in classes.examples]
    assert [sizes.count(size) for size in range(5)] == [1, 13, 169, 1_755, 16_432]
    assert classes.sets.sum() == sum(comb(52, size) for size in range(5))
    ones = np.ones(len(hands.deals), np.int64)  # the sums are then the numbers of hands
    assert sum_by_class(ones).tolist() == [comb(52 - size, 5 - size) for size in sizes]


def test_draw_scale_is_a_multiple_of_the_draw_count_of_every_hold() -> None:
    assert sorted(set(DRAWS_BY_HOLD)) == [1, 47, 1_081, 16_215, 178_365, 1_533_939]
    assert DRAW_SCALE == 7_669_695
    assert TOTAL_WEIGHT == hand_indexing.DEAL_COUNT * DRAW_SCALE == 19_933_230_517_200
    assert all(DRAW_SCALE % draws == 0 for draws in DRAWS_BY_HOLD)


def test_direct_draw_counts_of_a_hand_equal_its_row_in_the_table() -> None:
    random, kinds = Random("draws"), 30
    kind_of_strength = np.array([random.randrange(kinds) for _ in range(len(STRENGTHS) + 1)])
    known = kind_of_strength.astype(np.int32), kinds
    table = DrawCounts(*known)
    one = DirectDrawCounts(known[0], count_small_sets(*known))
    for _ in range(20):
        dealt = random.sample(PACK, 5)
        found = one.after_each_hold(dealt)
        assert (found == table.after_each_hold(dealt)).all()
        assert found.sum(axis=1).tolist() == list(DRAWS_BY_HOLD)
