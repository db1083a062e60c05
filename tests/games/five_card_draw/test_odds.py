"""The exact odds, compared with published counts, hand calculations, and every draw of a hand."""

from __future__ import annotations

import json
from collections import Counter
from fractions import Fraction
from itertools import chain, combinations
from math import comb
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.games.five_card_draw.all_draws import strengths_after
from tests.helpers.parameter_ids import labelled, value_id
from tui_casino.cards import hand_indexing
from tui_casino.cards.card import PACK, SUITS, Card, Hand, format_cards, parse_hand
from tui_casino.cards.draw_odds import TOTAL_WEIGHT
from tui_casino.cards.poker import STRENGTHS, HandCategory, category_of, rank_hand, strength_of
from tui_casino.games.five_card_draw.brains.odds import (
    CategoryCounts,
    after_each_discard,
    after_the_algorithm,
    algorithm_masks,
    before_the_draw,
    standings_after_each_discard,
)
from tui_casino.games.five_card_draw.brains.players import decide
from tui_casino.games.five_card_draw.face.odds_report import as_json, as_text
from tui_casino.games.five_card_draw.machine.rules import POSITIONS, Positions, kept_cards

Q = HandCategory
EVERY_SET = tuple(chain.from_iterable(combinations(POSITIONS, size) for size in range(6)))
HANDS = st.permutations(PACK).map(lambda pack: tuple(pack[:5]))

# Wikipedia, Poker probability: the frequencies of five-card hands; royal flushes are straight ones
PUBLISHED = (1_302_540, 1_098_240, 123_552, 54_912, 10_200, 5_108, 3_744, 624, 40)


def dealt_hands(n: int) -> list[Hand]:
    return [tuple(Random(f"draw {number}").sample(PACK, 5)) for number in range(n)]


def by_category(strengths: Any) -> tuple[int, ...]:
    """Add up counts by strength."""
    counts = [0] * len(HandCategory)
    for strength in np.flatnonzero(strengths).tolist():
        counts[category_of(strength)] += int(strengths[strength])
    return tuple(counts)


# ---- all hands -------------------------------------------------------------------------------


def test_dealt_hands_equal_the_published_counts() -> None:
    assert before_the_draw().counts == PUBLISHED
    assert before_the_draw().total == 2_598_960


def test_odds_after_the_algorithm_have_the_common_denominator() -> None:
    after = after_the_algorithm()
    assert after.total == TOTAL_WEIGHT == 19_933_230_517_200
    assert all(count > 0 for count in after.counts)


def test_draw_makes_every_hand_above_high_card_likelier() -> None:
    before, after = before_the_draw(), after_the_algorithm()
    for category in HandCategory:
        better = after.chance(category) > before.chance(category)
        assert better == (category is not Q.HIGH_CARD)


def test_algorithm_masks_keep_the_cards_that_the_algorithm_keeps() -> None:
    cards, masks = hand_indexing.hand_classes().cards.T, algorithm_masks()
    assert masks.shape == (len(cards),)
    for place in Random("masks").sample(range(len(cards)), 3_000):
        dealt = tuple(PACK[card] for card in cards[place])
        stay = [card for bit, card in enumerate(dealt) if masks[place] >> bit & 1]
        assert kept_cards(dealt, decide(dealt).discards) == tuple(stay), format_cards(dealt)


def test_odds_after_the_algorithm_agree_with_10000_rounds() -> None:
    """Every category is within four standard errors, for a fixed seed."""
    random, rounds = Random("rounds"), 10_000
    came: Counter[HandCategory] = Counter()
    for _ in range(rounds):
        cards = random.sample(PACK, 10)
        stay = kept_cards(cards[:5], decide(cards[:5]).discards)
        came[category_of(strength_of([*stay, *cards[5 : 10 - len(stay)]]))] += 1
    after = after_the_algorithm()
    for category in HandCategory:
        chance = float(after.chance(category))
        error = (rounds * chance * (1 - chance)) ** 0.5
        assert abs(came[category] - rounds * chance) < 4 * error, category


# ---- one hand, on paper ----------------------------------------------------------------------

PAPER: dict[str, tuple[str, Positions, dict[HandCategory, int]]] = {
    "three cards to a pair": (
        "KS KD 9H 5C 2D",
        (3, 4, 5),
        {
            Q.FOUR_OF_A_KIND: 45,  # both kings and any other card
            # a three of 9 ranks, or of 3 ranks with a card gone; a king and a pair of these
            Q.FULL_HOUSE: 9 * 4 + 3 * 1 + 2 * (9 * 6 + 3 * 3),
            Q.THREE_OF_A_KIND: 2 * (comb(45, 2) - (9 * 6 + 3 * 3)),
            Q.TWO_PAIR: 9 * 6 * 41 + 3 * 3 * 42,  # a pair and a card that matches nothing
            Q.ONE_PAIR: 11_559,
        },
    ),
    "two cards to a pair and an ace": (
        "KS KD AH 5C 2D",
        (4, 5),
        {
            Q.FOUR_OF_A_KIND: 1,
            Q.FULL_HOUSE: 2 * 3 + 3,  # a king and an ace, or two aces
            Q.THREE_OF_A_KIND: 2 * 42,
            Q.TWO_PAIR: 3 * 42 + 9 * 6 + 2 * 3,  # an ace, or a pair of another rank
            Q.ONE_PAIR: 801,
        },
    ),
    "two cards to three of a kind": (
        "KS 9H KD 5C KC",
        (2, 4),
        {Q.FOUR_OF_A_KIND: 46, Q.FULL_HOUSE: 10 * 6 + 2 * 3, Q.THREE_OF_A_KIND: 969},
    ),
    "one card to three of a kind": (
        "KS 9H KD 5C KC",
        (2,),
        {Q.FOUR_OF_A_KIND: 1, Q.FULL_HOUSE: 3, Q.THREE_OF_A_KIND: 43},
    ),
    "one card to two pair": ("KS 9H KD 9C 2C", (5,), {Q.FULL_HOUSE: 4, Q.TWO_PAIR: 43}),
    "one card to four of a kind": ("KS KH KD KC 2C", (5,), {Q.FOUR_OF_A_KIND: 47}),
    "one card to a flush": ("2S 6S 9S KS 4D", (5,), {Q.FLUSH: 9, Q.ONE_PAIR: 12, Q.HIGH_CARD: 26}),
    "one card to an open straight": (
        "5S 6D 7C 8H KD",
        (5,),
        {Q.STRAIGHT: 8, Q.ONE_PAIR: 12, Q.HIGH_CARD: 27},
    ),
    "one card to A-2-3-4": (
        "AS 2D 3C 4H KD",
        (5,),
        {Q.STRAIGHT: 4, Q.ONE_PAIR: 12, Q.HIGH_CARD: 31},
    ),
    "one card to a straight flush": (
        "4S 5S 6S 7S KH",
        (5,),
        {Q.STRAIGHT_FLUSH: 2, Q.FLUSH: 7, Q.STRAIGHT: 6, Q.ONE_PAIR: 12, Q.HIGH_CARD: 20},
    ),
    "nothing to a full house": ("KS KH 2D 2C 2H", (), {Q.FULL_HOUSE: 1}),
}


@pytest.mark.parametrize(("text", "discards", "counts"), PAPER.values(), ids=PAPER)
def test_category_counts_after_a_discard_equal_a_hand_calculation(
    text: str, discards: Positions, counts: dict[HandCategory, int]
) -> None:
    found = after_each_discard(parse_hand(text))[discards]
    assert {
        category: found.count(category) for category in HandCategory if found.count(category)
    } == counts
    assert by_category(strengths_after(parse_hand(text), discards)) == found.counts


# bigpooch, Common 5 Card Draw Probability Questions, forumserver.twoplustwo.com/25/probability
def test_odds_of_drawing_to_a_pair_equal_the_published_ones() -> None:
    found = after_each_discard(parse_hand("9S 9D KH 5C 2D"))[3, 4, 5]
    assert found.total == 16_215
    assert found.counts[Q.TWO_PAIR : Q.STRAIGHT] == (2_592, 1_854)
    assert found.count(Q.FULL_HOUSE) == 165


# playing-games-of-poker.pokerwiner.com/improving-flush-straight.html
@pytest.mark.parametrize(
    ("text", "discards", "category", "against"),
    [
        ("9S 9D 9H 5C 2D", (4, 5), Q.FULL_HOUSE, 15.4),
        ("9S 9D 9H 5C 2D", (4, 5), Q.FOUR_OF_A_KIND, 22.5),
        ("9S 9D 9H KC 2D", (5,), Q.FULL_HOUSE, 14.7),
        ("9S 9D 9H KC 2D", (5,), Q.FOUR_OF_A_KIND, 46),
        ("9S 9D 5H 5C 2D", (5,), Q.FULL_HOUSE, 10.8),
        ("9S JS 5S 2S 2D", (5,), Q.FLUSH, 4.2),
        ("9S TD JH QC 2D", (5,), Q.STRAIGHT, 4.9),
        ("8S TD JH QC 2D", (5,), Q.STRAIGHT, 10.8),
        ("9S TS JS KS 2D", (5,), Q.STRAIGHT_FLUSH, 46),
    ],
    ids=value_id,
)
def test_odds_against_equal_the_published_ones(
    text: str, discards: Positions, category: HandCategory, against: float
) -> None:
    chance = after_each_discard(parse_hand(text))[discards].chance(category)
    assert round(float(1 / chance) - 1, 1) == against


def test_chance_of_a_category_is_its_count_divided_by_the_total() -> None:
    chances = CategoryCounts((5, 0, 3, 0, 0, 0, 0, 0, 2))
    assert (chances.total, chances.count(Q.TWO_PAIR)) == (10, 3)
    assert chances.chance(Q.TWO_PAIR) == Fraction(3, 10)


# ---- one hand, by all its draws --------------------------------------------------------------


@pytest.mark.parametrize("dealt", dealt_hands(4), ids=format_cards)
@pytest.mark.parametrize("size", range(3), ids=labelled("{} discards"))
def test_counts_after_a_discard_equal_ranking_all_final_hands(dealt: Hand, size: int) -> None:
    stub, each = [card for card in PACK if card not in dealt], after_each_discard(dealt)
    for discards in combinations(POSITIONS, size):
        stay = kept_cards(dealt, discards)
        finals = [rank_hand([*stay, *drawn]) for drawn in combinations(stub, size)]
        counts = Counter(ranking.category for ranking in finals)
        assert each[discards].counts == tuple(counts[c] for c in HandCategory)
        came = strengths_after(dealt, discards)
        assert came.sum() == len(finals)
        assert sorted(came[came > 0].tolist()) == sorted(Counter(finals).values())


@pytest.mark.parametrize("dealt", dealt_hands(6), ids=format_cards)
def test_counts_of_final_hands_by_category_and_by_strength_agree(dealt: Hand) -> None:
    each = after_each_discard(dealt)
    assert tuple(each) == EVERY_SET
    for discards, chances in each.items():
        strengths = strengths_after(dealt, discards)
        assert strengths.shape == (len(STRENGTHS) + 1,)
        assert strengths[0] == 0
        assert by_category(strengths) == chances.counts
        assert chances.total == comb(47, len(discards))


def test_odds_of_standing_pat_are_all_in_the_category_of_the_hand() -> None:
    for dealt in dealt_hands(20):
        held = category_of(strength_of(dealt))
        counts = after_each_discard(dealt)[()].counts
        assert counts == tuple(int(category is held) for category in HandCategory)


@given(HANDS, st.permutations(range(5)), st.permutations(SUITS))
def test_odds_depend_on_neither_order_nor_suits(
    dealt: Hand, order: list[int], suits: list[Any]
) -> None:
    other = tuple(Card(dealt[place].rank, suits[dealt[place].suit - 1]) for place in order)
    moved = after_each_discard(other)
    for discards, chances in after_each_discard(dealt).items():
        there = tuple(sorted(order.index(position - 1) + 1 for position in discards))
        assert moved[there] == chances


@pytest.mark.parametrize("text", ["", "AC KC QC JC", "AC AC KD 4S 3H", "?? KC QC JC 9C"])
def test_anything_but_five_different_cards_is_refused(text: str) -> None:
    for ask in after_each_discard, standings_after_each_discard:
        with pytest.raises(ValueError, match="five different cards"):
            ask(parse_hand(text))


# ---- reports ---------------------------------------------------------------------------------


def test_five_card_draw_odds_are_printed_as_json() -> None:
    report = json.loads(as_json())
    assert list(report) == ["before", "after"]
    names = (
        "high_card one_pair two_pair three_of_a_kind straight flush full_house four_of_a_kind "
        "straight_flush"
    )
    for counts, chances in zip(
        report.values(), (before_the_draw(), after_the_algorithm()), strict=True
    ):
        assert list(counts) == names.split()
        assert tuple(counts.values()) == chances.counts
        assert all(type(count) is int for count in counts.values())


def test_five_card_draw_odds_are_printed_as_text() -> None:
    page = as_text()
    lines = page.splitlines()
    assert max(map(len, lines)) <= 80
    assert all(line == line.rstrip() for line in lines)
    assert "One pair           1,098,240  42.256903%" in page
    for count in (*PUBLISHED, *after_the_algorithm().counts, 2_598_960, TOTAL_WEIGHT):
        assert f" {count:,}" in page
