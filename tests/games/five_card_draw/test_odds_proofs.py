"""The exact odds proved the long way, and the ranking of every hand by another evaluator.

Hands that differ by a renaming of suits are found by their definition. The algorithm is asked for
each; hands that keep the same cards are taken together: every set of cards that may join those is
rated, and each hand counts, one by one, the sets that have none of its discards. No sum by class
and no inclusion or exclusion comes into it.
"""

from __future__ import annotations

from collections import defaultdict
from functools import cache
from importlib import import_module
from itertools import chain, combinations
from math import comb
from random import Random
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pytest

from tests.games.five_card_draw.all_draws import strengths_after
from tui_casino.cards.card import PACK, Card, Hand, parse_hand
from tui_casino.cards.poker import (
    STRENGTHS,
    HandCategory,
    category_of,
    rank_hand,
    strengths_of_indices,
)
from tui_casino.games.five_card_draw.brains.course_algorithm import decide
from tui_casino.games.five_card_draw.brains.odds import (
    after_each_discard,
    after_the_algorithm,
    before_the_draw,
)
from tui_casino.games.five_card_draw.machine.rules import kept_cards

pytestmark = [
    pytest.mark.prove,
    pytest.mark.xdist_group("five-card draw odds"),  # what its tests share is worked out once
]

DEALS = comb(52, 5)
COMMON = 7_669_695  # what every number of draws divides
CATEGORIES = np.array([0, *map(category_of, STRENGTHS)], np.uint8)


class Dealt(NamedTuple):
    """A hand in an order that chance gave it, and how many deals differ by suits alone."""

    cards: Hand
    deals: int


@cache
def every_deal() -> npt.NDArray[np.uint8]:
    flat = np.fromiter(chain.from_iterable(combinations(range(52), 5)), np.uint8, 5 * DEALS)
    return flat.reshape(DEALS, 5)


@cache
def every_hand() -> tuple[Dealt, ...]:
    """One hand of each class: alike are those whose four suits, sorted, have the same ranks."""
    cards = every_deal()
    ranks = np.zeros((DEALS, 4), np.int64)
    for card in cards.T:
        ranks[np.arange(DEALS), card // 13] |= 1 << (card % 13).astype(np.int64)
    ranks.sort(axis=1)
    key = ranks @ (1 << 13 * np.arange(4, dtype=np.int64))
    _, first, deals = np.unique(key, return_index=True, return_counts=True)
    random = Random("dealt in any order")
    return tuple(
        Dealt(tuple(PACK[card] for card in random.sample(dealt, 5)), count)
        for dealt, count in zip(cards[first].tolist(), deals.tolist(), strict=True)
    )


def test_every_deal_is_of_one_class() -> None:
    assert len(every_hand()) == 134_459
    assert sum(dealt.deals for dealt in every_hand()) == DEALS


def test_every_deal_counted_by_category() -> None:
    counts = np.bincount(
        CATEGORIES[strengths_of_indices(every_deal())], minlength=len(HandCategory)
    )
    assert before_the_draw().counts == tuple(counts.tolist())


# ---- what the algorithm draws ----------------------------------------------------------------


def as_bits(cards: Hand) -> int:
    return sum(1 << card.index for card in cards)


@cache
def drawn_from_all_others(size: int) -> npt.NDArray[np.uint8]:
    """Every way to take so many of the cards that are not held, as their places among these."""
    others = 47 + size
    ways = combinations(range(others), size)
    flat = np.fromiter(chain.from_iterable(ways), np.uint8, size * comb(others, size))
    return flat.reshape(comb(others, size), size)


def finals_by_category(held: Hand) -> list[npt.NDArray[np.uint64]]:
    """Give by category the sets of cards, as bits, that make five with the cards held."""
    others = np.array([card.index for card in PACK if card not in held], np.uint8)
    drawn = others[drawn_from_all_others(5 - len(held))]
    kept_too = np.broadcast_to(
        np.array([card.index for card in held], np.uint8), (len(drawn), len(held))
    )
    categories = CATEGORIES[strengths_of_indices(np.concatenate([kept_too, drawn], axis=1))]
    bits = np.bitwise_or.reduce(np.uint64(1) << drawn.astype(np.uint64), axis=1)
    return [bits[categories == category] for category in HandCategory]


def test_every_draw_of_the_algorithm() -> None:
    by_held: defaultdict[frozenset[Card], list[tuple[int, int]]] = defaultdict(list)
    for cards, deals in every_hand():
        held = kept_cards(cards, decide(cards).discards)
        by_held[frozenset(held)].append((as_bits(cards) - as_bits(held), deals))
    came = [0] * len(HandCategory)
    for held_set, hands in by_held.items():
        held = tuple(held_set)
        draws = comb(47, 5 - len(held))
        finals = finals_by_category(held)
        for gone, deals in hands:
            counts = [len(bits) - int(np.count_nonzero(bits & np.uint64(gone))) for bits in finals]
            assert sum(counts) == draws
            for category, count in enumerate(counts):
                came[category] += deals * (COMMON // draws) * count
    assert sum(came) == DEALS * COMMON
    assert after_the_algorithm().counts == tuple(came)


# ---- one hand --------------------------------------------------------------------------------


@pytest.mark.parametrize("number", range(60))
def test_every_discard_by_dealing_out_its_draws(number: int) -> None:
    dealt = tuple(Random(f"proof {number}").sample(PACK, 5))
    for discards, chances in after_each_discard(dealt).items():
        came = strengths_after(dealt, discards)
        counts = np.bincount(CATEGORIES, came, len(HandCategory)).astype(np.int64)
        assert chances.counts == tuple(counts.tolist())


def test_four_cards_to_an_ace_ranked_in_words() -> None:
    dealt = parse_hand("AS 9H 7D 4C 2S")
    stub = [card for card in PACK if card not in dealt]
    counts = [0] * len(HandCategory)
    for drawn in combinations(stub, 4):
        counts[rank_hand((dealt[0], *drawn)).category] += 1
    assert after_each_discard(dealt)[2, 3, 4, 5].counts == tuple(counts)


# ---- the ranking of every hand, by another evaluator -------------------------------------------


def test_treys_ranks_all_hands_in_the_same_order() -> None:
    treys: Any = import_module("treys")  # it has no types
    rate = treys.Evaluator().hand_size_map[5]  # what its evaluate calls
    cards = [treys.Card.new(card.rank.letter + card.suit.letter.lower()) for card in PACK]
    theirs = np.fromiter((rate(five) for five in combinations(cards, 5)), np.int64, DEALS)
    # treys counts from the best, 1, to the worst, 7,462
    np.testing.assert_array_equal(len(STRENGTHS) + 1 - theirs, strengths_of_indices(every_deal()))
