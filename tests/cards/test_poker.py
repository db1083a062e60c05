"""Poker hands: the rules by their examples, and every one of the 2,598,960 hands."""

from __future__ import annotations

import subprocess
import sys
from functools import cache
from itertools import chain, combinations, combinations_with_replacement, pairwise, starmap
from math import comb
from random import Random
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.parameter_ids import labelled, value_id
from tui_casino.cards.card import (
    BACK,
    PACK,
    Hand,
    Rank,
    format_cards,
    parse_hand,
)
from tui_casino.cards.poker import (
    CARD_CODES,
    STRENGTHS,
    HandCategory,
    HandRank,
    category_of,
    evaluator,
    example_hand,
    hand_rank_of,
    is_flush,
    rank_hand,
    sort_for_display,
    straight_high,
    strength_of,
    strengths_of_codes,
    strengths_of_indices,
)

Ints = npt.NDArray[np.integer[Any]]
Q = HandCategory

# Hands, and hands of one class, in each category: a class of two pair has 6 * 6 * 4 hands.
PUBLISHED = {
    Q.STRAIGHT_FLUSH: (40, 4),
    Q.FOUR_OF_A_KIND: (624, 4),
    Q.FULL_HOUSE: (3_744, 24),
    Q.FLUSH: (5_108, 4),
    Q.STRAIGHT: (10_200, 4**5 - 4),
    Q.THREE_OF_A_KIND: (54_912, 64),
    Q.TWO_PAIR: (123_552, 144),
    Q.ONE_PAIR: (1_098_240, 384),
    Q.HIGH_CARD: (1_302_540, 4**5 - 4),
}

hands = st.permutations(PACK).map(lambda pack: tuple(pack[:5]))


def plainly(cards: Hand) -> tuple[int, list[int]]:
    """Rank a hand only from its text, one question after the other."""
    texts = list(map(str, cards))
    ranks = sorted(("--23456789TJQKA".index(text[0]) for text in texts), reverse=True)
    if ranks == [14, 5, 4, 3, 2]:
        ranks = [5, 4, 3, 2, 1]
    alike = {n: [rank for rank in ranks if ranks.count(rank) == n] for n in (1, 2, 3, 4)}
    flush = len({text[1] for text in texts}) == 1
    straight = not (alike[2] or alike[3] or alike[4]) and ranks[0] - ranks[4] == 4
    if straight and flush:
        return 8, ranks
    if alike[4]:
        return 7, alike[4] + alike[1]
    if alike[3] and alike[2]:
        return 6, alike[3] + alike[2]
    if flush:
        return 5, ranks
    if straight:
        return 4, ranks
    if alike[3]:
        return 3, alike[3] + alike[1]
    if len(alike[2]) == 4:
        return 2, alike[2] + alike[1]
    if alike[2]:
        return 1, alike[2] + alike[1]
    return 0, ranks


@cache
def every_hand() -> Ints:
    cards = chain.from_iterable(combinations(range(52), 5))
    return np.fromiter(cards, np.uint8, 5 * comb(52, 5)).reshape(-1, 5)


@cache
def every_strength() -> Ints:
    return strengths_of_indices(every_hand())


def samples(n: int) -> list[Hand]:
    random = Random(2_598_960)
    return [tuple(random.sample(PACK, 5)) for _ in range(n)]


# ---- all hands -------------------------------------------------------------------------------


def test_all_hands_fall_into_7462_classes_of_published_size() -> None:
    sizes = np.bincount(every_strength(), minlength=len(STRENGTHS) + 1)
    assert len(sizes) == len(STRENGTHS) + 1 == 7_463
    assert sizes[0] == 0
    found = dict.fromkeys(HandCategory, 0)
    for strength in STRENGTHS:
        category = category_of(strength)
        found[category] += int(sizes[strength])
        assert sizes[strength] == PUBLISHED[category][1], hand_rank_of(strength)
    assert found == {category: PUBLISHED[category][0] for category in HandCategory}


def test_single_and_bulk_evaluation_agree_for_all_hands() -> None:
    singly = starmap(evaluator(), combinations(CARD_CODES, 5))
    np.testing.assert_array_equal(np.fromiter(singly, np.uint16), every_strength())


def test_strength_number_of_a_hand_is_its_position_in_the_hand_ranking() -> None:
    rankings = [rank_hand(example_hand(strength)) for strength in STRENGTHS]
    assert all(worse < better for worse, better in pairwise(rankings))
    assert rankings == [hand_rank_of(strength) for strength in STRENGTHS]
    assert [strength_of(example_hand(strength)) for strength in STRENGTHS] == list(STRENGTHS)


def test_strengths_order_hands_like_a_plain_poker_evaluator() -> None:
    plain = [plainly(example_hand(strength)) for strength in STRENGTHS]
    assert all(worse < better for worse, better in pairwise(plain))
    assert [category for category, _ in plain] == [category_of(n) for n in STRENGTHS]


def test_strengths_of_random_hands_agree_with_a_plain_poker_evaluator() -> None:
    dealt = samples(10_000)
    indices = np.array([[card.index for card in cards] for cards in dealt])
    for cards, strength in zip(dealt, strengths_of_indices(indices).tolist(), strict=True):
        assert strength == strength_of(cards)
        assert rank_hand(cards) == hand_rank_of(strength)
        assert plainly(cards) == plainly(example_hand(strength))


def test_rank_sums_differ_for_all_sets_of_ranks() -> None:
    clubs = CARD_CODES[:13]
    weights = [code - min(clubs) for code in clubs]
    sets = [ranks for ranks in combinations_with_replacement(weights, 5) if len(set(ranks)) > 1]
    assert len({sum(ranks) for ranks in sets}) == len(sets) == 6_175


def test_worst_hand_has_strength_1_and_royal_flush_the_highest() -> None:
    assert STRENGTHS[0] == strength_of(parse_hand("7S 5C 4C 3C 2C")) == 1
    assert STRENGTHS[-1] == strength_of(parse_hand("TH KH AH QH JH")) == 7_462
    assert hand_rank_of(7_462).name == "a royal flush"
    assert category_of(7_462) is Q.STRAIGHT_FLUSH
    assert format_cards(example_hand(7_461)) == "KC QC JC TC 9C"


# ---- categories and ties ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("category", "text", "ranks"),
    [
        (Q.STRAIGHT_FLUSH, "AS KS QS JS TS", (14,)),
        (Q.STRAIGHT_FLUSH, "5H 4H 3H 2H AH", (5,)),
        (Q.FOUR_OF_A_KIND, "9C 9D 4S 9H 9S", (9, 4)),
        (Q.FULL_HOUSE, "TS 4D TC 4H TD", (10, 4)),
        (Q.FLUSH, "2C 9C KC 4C 7C", (13, 9, 7, 4, 2)),
        (Q.STRAIGHT, "AS KD QS JH TC", (14,)),
        (Q.STRAIGHT, "5S 4D 3H 2C AS", (5,)),
        (Q.THREE_OF_A_KIND, "AC 6C 6D 6H 2S", (6, 14, 2)),
        (Q.TWO_PAIR, "5C KC 5D AH KS", (13, 5, 14)),
        (Q.ONE_PAIR, "2C 2D AH 9S KS", (2, 14, 13, 9)),
        (Q.HIGH_CARD, "3C KC 2D AH QS", (14, 13, 12, 3, 2)),
    ],
    ids=value_id,
)
def test_rank_hand_returns_the_category_and_deciding_ranks(
    category: HandCategory, text: str, ranks: tuple[int, ...]
) -> None:
    assert rank_hand(parse_hand(text)) == HandRank(category, ranks)


TIE_BREAKS = {
    "straight flush: clubs over spades when higher": ("3C 4C 5C 6C 7C", "2S 3S 4S 5S 6S"),
    "straight flush: the high card": ("9C 8C 7C 6C 5C", "8S 7S 6S 5S 4S"),
    "straight flush: the five-high is the lowest": ("6C 5C 4C 3C 2C", "AS 2S 3S 4S 5S"),
    "four of a kind: the rank of the four": ("3C 3D 3H 3S 2C", "2C 2D 2H 2S AC"),
    "full house: the rank of the three": ("3C 3D 3H 2C 2D", "2C 2D 2H AC AD"),
    "flush: the highest card": ("AC 6C 4C 3C 2C", "KS QS JS TS 8S"),
    "flush: the second": ("AC 7C 4C 3C 2C", "AS 6S 5S 4S 3S"),
    "flush: the third": ("AC 7C 5C 3C 2C", "AS 7S 4S 3S 2S"),
    "flush: the fourth": ("AC 9C 7C 4C 2C", "AS 9S 7S 3S 2S"),
    "flush: the fifth": ("AC 9C 7C 4C 3C", "AS 9S 7S 4S 2S"),
    "straight: the high card": ("TC 9D 8C 7C 6C", "9S 8D 7S 6S 5S"),
    "straight: with the ace low it is the lowest": ("6C 5D 4C 3C 2C", "5S 4D 3S 2S AS"),
    "straight: with the ace high it is the highest": ("AC KD QC JC TC", "KS QD JS TS 9S"),
    "three of a kind: the rank of the three": ("3C 3D 3H 4C 2C", "2C 2D 2H AC KC"),
    "two pair: the higher pair": ("AC AD 2C 2D 3C", "KC KD QC QD JC"),
    "two pair: the lower pair": ("AC AD 3C 3D 2C", "AH AS 2H 2S KS"),
    "two pair: the card left over": ("AC AD 3C 3D 4C", "AH AS 3H 3S 2S"),
    "one pair: the rank of the pair": ("3C 3D 5C 4C 2C", "2H 2S AS KS QS"),
    "one pair: the highest other card": ("3C 3D 7C 4C 2C", "3H 3S 6S 5S 4S"),
    "one pair: the second other card": ("3C 3D 7C 5C 2C", "3H 3S 7S 4S 2S"),
    "one pair: the third other card": ("3C 3D 7C 5C 4C", "3H 3S 7S 5S 2S"),
    "high card: the highest": ("AC 6D 4C 3C 2C", "KS QD JS TS 8S"),
    "high card: the second": ("AC 7D 4C 3C 2C", "AS 6D 5S 4S 3S"),
    "high card: the third": ("AC 7D 5C 3C 2C", "AS 7H 4S 3S 2S"),
    "high card: the fourth": ("AC 9D 7C 4C 2C", "AS 9H 7S 3S 2S"),
    "high card: the fifth": ("AC 9D 7C 4C 3C", "AS 9H 7S 4S 2S"),
    "queen, king, ace, two, three are not a straight": ("2C 2D 3C 4C 5C", "QS KD AS 2S 3S"),
}


@pytest.mark.parametrize(("better", "worse"), TIE_BREAKS.values(), ids=TIE_BREAKS)
def test_better_kickers_break_the_tie(better: str, worse: str) -> None:
    assert rank_hand(parse_hand(better)) > rank_hand(parse_hand(worse))
    assert strength_of(parse_hand(better)) > strength_of(parse_hand(worse))


TIES = {
    "straight flush": ("9C 8C 7C 6C 5C", "5S 6S 7S 8S 9S"),
    "flush": ("AC 9C 7C 4C 3C", "AS 9S 7S 4S 3S"),
    "straight": ("TC 9D 8C 7C 6C", "TS 9S 8H 7S 6S"),
    "two pair": ("AC AD 3C 3D 4C", "AH AS 3H 3S 4S"),
    "one pair": ("3C 3D 7C 5C 4C", "3H 3S 7S 5S 4S"),
    "high card": ("AC 9D 7C 4C 3C", "AS 9H 7S 4S 3S"),
}


@pytest.mark.parametrize(("one", "other"), TIES.values(), ids=TIES)
def test_equal_hands_tie(one: str, other: str) -> None:
    assert rank_hand(parse_hand(one)) == rank_hand(parse_hand(other))
    assert strength_of(parse_hand(one)) == strength_of(parse_hand(other))


@pytest.mark.parametrize(
    "cards",
    [
        (),
        parse_hand("AS KS QS JS"),
        parse_hand("AS KS QS JS TS 9S"),
        parse_hand("AS AS QS JS TS"),
        (BACK, *PACK[:4]),
    ],
    ids=value_id,
)
def test_ranking_anything_but_five_different_cards_is_refused(cards: Hand) -> None:
    with pytest.raises(ValueError, match="five different cards"):
        rank_hand(cards)


# ---- words and order -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("AS KS QS JS TS", "a royal flush"),
        ("5H 4H 3H 2H AH", "a straight flush, five high"),
        ("QC QD QH QS 2C", "four of a kind, queens"),
        ("TC TD TH 4S 4C", "a full house, tens over fours"),
        ("6C 6D 6H 2S 2C", "a full house, sixes over twos"),
        ("KC 9C 7C 4C 2C", "a flush, king high"),
        ("AC KD QC JC TC", "a straight, ace high"),
        ("AC 2D 3C 4C 5C", "a straight, five high"),
        ("7C 7D 7H 4S 2C", "three of a kind, sevens"),
        ("KC KD 5C 5D AC", "two pair, kings and fives"),
        ("JC JD 5C 4D AC", "a pair of jacks"),
        ("AC KD QC JC 9C", "ace high"),
        ("7C 5D 4C 3C 2C", "seven high"),
    ],
)
def test_hand_rank_has_its_usual_name(text: str, name: str) -> None:
    assert rank_hand(parse_hand(text)).name == name


def test_categories_are_written_as_words() -> None:
    assert [category.words for category in (Q.TWO_PAIR, Q.THREE_OF_A_KIND, Q.HIGH_CARD)] == [
        "two pair",
        "three of a kind",
        "high card",
    ]


@pytest.mark.parametrize(
    ("dealt", "shown"),
    [
        ("2C AS 9D KH TC", "AS KH TC 9D 2C"),
        ("AS KH TD TC 6S", "TD TC AS KH 6S"),
        ("AS 3H TD 3C TC", "TD TC 3H 3C AS"),
        ("AS 3H KD 3C 3D", "3H 3C 3D AS KD"),
        ("AS 3H AD 3C 3D", "3H 3C 3D AS AD"),
        ("AS 3H 3S 3C 3D", "3H 3S 3C 3D AS"),
        ("AS 3H 5S 2C 4D", "5S 4D 3H 2C AS"),
        ("AS 3S 5S 2S 4S", "5S 4S 3S 2S AS"),
        ("AS JH KS TC QD", "AS KS QD JH TC"),
        ("5S 3H 6S 2C 4D", "6S 5S 4D 3H 2C"),
        ("", ""),
    ],
)
def test_hand_is_sorted_for_display_by_count_of_equal_ranks_then_rank(
    dealt: str, shown: str
) -> None:
    assert format_cards(sort_for_display(parse_hand(dealt))) == shown


@given(hands)
def test_cards_sorted_for_display_follow_the_order_of_the_hand_ranking(cards: Hand) -> None:
    shown = sort_for_display(cards)
    assert sorted(shown) == sorted(cards)
    category, ranks = rank_hand(cards)
    highs = [14 if card.rank is Rank.ACE else int(card.rank) for card in shown]
    if category in (Q.STRAIGHT, Q.STRAIGHT_FLUSH):
        assert highs[0] == ranks[0]
    else:
        assert tuple(dict.fromkeys(highs)) == ranks


def test_example_hand_of_every_strength_is_in_display_order() -> None:
    assert all(
        sort_for_display(cards) == cards
        for strength in STRENGTHS
        if (cards := example_hand(strength))
    )


# ---- cards of one suit and in sequence, from one pack or from several ------------------------


def test_is_flush_is_true_only_for_cards_of_one_suit() -> None:
    assert is_flush(parse_hand("2S 9S KS AS 3S"))
    assert is_flush(parse_hand("2S 2S KS"))
    assert not is_flush(parse_hand("2S 9S KS AS 3C"))
    assert not is_flush(())


@pytest.mark.parametrize(
    ("text", "high"),
    [
        ("AS 2C 3C 4C 5C", 5),
        ("4S 2C 3C 6C 5C", 6),
        ("9S TC JC QC KC", 13),
        ("AS TC JC QC KC", 14),
        ("JC QC KC AS 2S", None),
        ("KC AS 2S 3S 4S", None),
        ("2C 2C 3C 4C 5C", None),
        ("2C 2C 3C 4C 6C", None),
        ("2C 3C 4C 5C 7C", None),
        ("AC 2C 3C 4C", 4),
        ("JC QC KC AC", 14),
        ("QC KC AC", 14),
        ("", None),
    ],
)
def test_straight_high_returns_the_top_rank_or_none_without_a_straight(
    text: str, high: int | None
) -> None:
    assert straight_high(parse_hand(text)) == high


# ---- misuse, and forms of bulk ---------------------------------------------------------------


@pytest.mark.parametrize("strength", [0, -1, 7_463], ids=labelled("strength {}"))
def test_strength_outside_the_range_is_refused(strength: int) -> None:
    for function in hand_rank_of, category_of, example_hand:
        with pytest.raises(ValueError, match="a strength must be 1 to 7462"):
            function(strength)


def test_bulk_evaluation_refuses_wrong_shapes_and_numbers() -> None:
    with pytest.raises(ValueError, match=r"shape must be \(n, 5\), not \(2, 6\)"):
        strengths_of_indices(np.zeros((2, 6), np.uint8))
    with pytest.raises(ValueError, match="shape"):
        strengths_of_indices(np.arange(5))
    for wrong in (-1, 52):
        with pytest.raises(ValueError, match="0 to 51"):
            strengths_of_indices(np.array([[0, 1, 2, 3, wrong]]))
    assert strengths_of_indices(np.empty((0, 5), np.uint8)).shape == (0,)


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int32, np.int64, np.uint64])
def test_bulk_evaluation_accepts_any_integer_type(dtype: npt.DTypeLike) -> None:
    some = np.random.default_rng(5).integers(0, len(every_hand()), 40_000)
    strengths = strengths_of_indices(every_hand()[some].astype(dtype))
    assert strengths.dtype == np.uint16
    np.testing.assert_array_equal(strengths, every_strength()[some])


def test_bulk_evaluation_of_codes_accepts_columns_and_sums() -> None:
    codes = np.array(CARD_CODES, np.int32)[every_hand()[-100_000:]]
    strengths = every_strength()[-100_000:]
    np.testing.assert_array_equal(strengths_of_codes(*codes.T), strengths)
    sums = codes[:, :2].sum(axis=1), codes[:, 2:].sum(axis=1)
    np.testing.assert_array_equal(strengths_of_codes(*sums), strengths)


def test_bulk_evaluation_of_held_and_drawn_codes_equals_single_evaluation() -> None:
    held = np.array([sum(pair) for pair in combinations(CARD_CODES[:6], 2)], np.int32)
    drawn = np.array([sum(three) for three in combinations(CARD_CODES[6:30], 3)], np.int32)
    grid = strengths_of_codes(held[:, None], drawn)
    singly = [
        [evaluator()(*pair, *three) for three in combinations(CARD_CODES[6:30], 3)]
        for pair in combinations(CARD_CODES[:6], 2)
    ]
    assert grid.tolist() == singly
    assert strengths_of_codes(int(held[3]), drawn).tolist() == singly[3]


def test_importing_the_module_loads_no_numpy() -> None:
    program = "import sys, tui_casino.cards.poker; sys.exit('numpy' in sys.modules)"
    subprocess.run([sys.executable, "-c", program], check=True)
