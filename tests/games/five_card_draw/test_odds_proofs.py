"""The exact odds computed the long way, and the ranking of every hand by another evaluator.

Hands that differ only by renamed suits are found by definition. The algorithm is applied to each;
hands that keep the same cards are grouped: every set of cards that can join those is rated, and
each hand counts the sets without its discards, one by one. No sums by class and no
inclusion-exclusion are used.
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
from tests.helpers.parameter_ids import labelled
from tui_casino.cards.card import PACK, Card, Hand, parse_hand
from tui_casino.cards.poker import (
    STRENGTHS,
    HandCategory,
    category_of,
    rank_hand,
    strengths_of_indices,
)
from tui_casino.games.five_card_draw.brains.odds import (
    after_each_discard,
    after_the_algorithm,
    before_the_draw,
)
from tui_casino.games.five_card_draw.brains.players import decide
from tui_casino.games.five_card_draw.machine.rules import kept_cards

pytestmark = [
    pytest.mark.prove,
    pytest.mark.xdist_group("five-card draw odds"),  # computed once for all tests
]

DEALS = comb(52, 5)
COMMON = 7_669_695  # a multiple of every number of draws
CATEGORIES = np.array([0, *map(category_of, STRENGTHS)], np.uint8)


class Dealt(NamedTuple):
    """A hand in a random order, and the number of deals that differ from it only by suits."""

    cards: Hand
    deals: int


@cache
def every_deal() -> npt.NDArray[np.uint8]:
    flat = np.fromiter(chain.from_iterable(combinations(range(52), 5)), np.uint8, 5 * DEALS)
    return flat.reshape(DEALS, 5)


@cache
def every_hand() -> tuple[Dealt, ...]:
    """Return one hand of each class; hands with the same four sorted suits are equal."""
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


def test_hand_classes_contain_every_five_card_deal_once() -> None:
    assert len(every_hand()) == 134_459
    assert sum(dealt.deals for dealt in every_hand()) == DEALS


def test_category_counts_equal_those_of_every_deal() -> None:
    counts = np.bincount(
        CATEGORIES[strengths_of_indices(every_deal())], minlength=len(HandCategory)
    )
    assert before_the_draw().counts == tuple(counts.tolist())


# ---- what the algorithm draws ----------------------------------------------------------------


def as_bits(cards: Hand) -> int:
    return sum(1 << card.index for card in cards)


@cache
def drawn_from_all_others(size: int) -> npt.NDArray[np.uint8]:
    """Return every way to take this many of the cards not held, as indices among these."""
    others = 47 + size
    ways = combinations(range(others), size)
    flat = np.fromiter(chain.from_iterable(ways), np.uint8, size * comb(others, size))
    return flat.reshape(comb(others, size), size)


def finals_by_category(held: Hand) -> list[npt.NDArray[np.uint64]]:
    """Return by category the sets of cards, as bits, that make five with the cards held."""
    others = np.array([card.index for card in PACK if card not in held], np.uint8)
    drawn = others[drawn_from_all_others(5 - len(held))]
    kept_too = np.broadcast_to(
        np.array([card.index for card in held], np.uint8), (len(drawn), len(held))
    )
    categories = CATEGORIES[strengths_of_indices(np.concatenate([kept_too, drawn], axis=1))]
    bits = np.bitwise_or.reduce(np.uint64(1) << drawn.astype(np.uint64), axis=1)
    return [bits[categories == category] for category in HandCategory]


def test_odds_after_the_algorithm_equal_every_draw() -> None:
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


@pytest.mark.parametrize("number", range(60), ids=labelled("hand {}"))
def test_odds_of_every_discard_equal_a_count_of_all_draws(number: int) -> None:
    dealt = tuple(Random(f"proof {number}").sample(PACK, 5))
    for discards, chances in after_each_discard(dealt).items():
        came = strengths_after(dealt, discards)
        counts = np.bincount(CATEGORIES, came, len(HandCategory)).astype(np.int64)
        assert chances.counts == tuple(counts.tolist())


def test_odds_of_drawing_four_to_an_ace_equal_all_rankings() -> None:
    dealt = parse_hand("AS 9H 7D 4C 2S")
    stub = [card for card in PACK if card not in dealt]
    counts = [0] * len(HandCategory)
    for drawn in combinations(stub, 4):
        counts[rank_hand((dealt[0], *drawn)).category] += 1
    assert after_each_discard(dealt)[2, 3, 4, 5].counts == tuple(counts)


# ---- the ranking of every hand, by another evaluator -------------------------------------------


def test_treys_ranks_all_hands_in_the_same_order() -> None:
    treys: Any = import_module("treys")  # treys has no type hints
    rate = treys.Evaluator().hand_size_map[5]  # called by its evaluate
    cards = [treys.Card.new(card.rank.letter + card.suit.letter.lower()) for card in PACK]
    theirs = np.fromiter((rate(five) for five in combinations(cards, 5)), np.int64, DEALS)
    # treys counts from the best, 1, to the worst, 7,462
    np.testing.assert_array_equal(len(STRENGTHS) + 1 - theirs, strengths_of_indices(every_deal()))
