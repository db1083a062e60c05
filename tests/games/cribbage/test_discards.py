"""The discard adviser, against every starter and every pair of the opponent dealt out."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tui_casino.cards.card import PACK, SUITS, Card, Hand, parse_hand
from tui_casino.games.cribbage.brains import adviser, bulk_points
from tui_casino.games.cribbage.brains.bulk_points import points_of_hands, sum_one_hand
from tui_casino.games.cribbage.brains.discards import (
    EVERY_PAIR,
    DiscardSums,
    Weights,
    count_sums,
    discard_cost,
    weigh,
)
from tui_casino.games.cribbage.machine.rules import (
    ACC,
    RULE_SETS,
    TRAINER,
    RuleSet,
    points_of,
    show_scores,
)

SIX = parse_hand("2C 2H 7C QC QD KH")
LOPSIDED: Weights = tuple(
    tuple(1 + (7 * min(a, b) + 3 * max(a, b)) % 11 for b in range(13)) for a in range(13)
)


def left_after(six: Hand) -> list[Card]:
    return [card for card in PACK if card not in six]


@pytest.mark.parametrize("name", RULE_SETS)
@pytest.mark.parametrize("weights", [EVERY_PAIR, LOPSIDED], ids=["uniform", "weighted"])
@pytest.mark.parametrize("text", ["2C 2H 7C QC QD KH", "JC JD 5C 5D QC 2C", "AS 4S 5S 8S JS QS"])
def test_discard_values_equal_enumeration_of_every_crib_and_starter(
    name: str, weights: Weights, text: str
) -> None:
    six, rules = parse_hand(text), RULE_SETS[name]
    unseen = np.array([card.index for card in left_after(six)])
    a, b, starter = (way.ravel() for way in np.meshgrid(unseen, unseen, unseen))
    able = (a < b) & (starter != a) & (starter != b)
    a, b, starter = a[able], b[able], starter[able]
    likely = np.array(weights)[a % 13, b % 13]
    ranked = weigh(six, False, rules, weights)
    assert {one.discard for one in ranked} == set(combinations(six, 2))
    for one in ranked:
        kept = [np.full(46, card.index) for card in six if card not in one.discard]
        thrown = [np.full(len(a), card.index) for card in one.discard]
        hands = points_of_hands(np.array([*kept, unseen]), rules)
        cribs = points_of_hands(np.array([*thrown, a, b, starter]), rules, crib=True)
        assert one.hand == (hands.sum(), 46)
        assert one.crib == (cribs @ likely, likely.sum())


def test_hand_value_of_a_discard_equals_scoring_by_the_rules() -> None:
    for one in weigh(SIX, True, TRAINER):
        kept = tuple(card for card in SIX if card not in one.discard)
        scores = [show_scores(kept, starter, TRAINER) for starter in left_after(SIX)]
        assert one.hand == (sum(map(points_of, scores)), 46)


@pytest.mark.prove
def test_crib_value_of_a_discard_equals_scoring_by_the_rules() -> None:
    for one in weigh(parse_hand("5C 5D JC JD 2C 3C"), True, ACC)[:2]:
        total = 0
        for a, b, starter in deals_of_three(parse_hand("5C 5D JC JD 2C 3C")):
            total += points_of(show_scores((*one.discard, a, b), starter, ACC, crib=True))
        assert one.crib == (total, 45_540)


def deals_of_three(six: Hand) -> Iterator[tuple[Card, Card, Card]]:
    for starter in left_after(six):
        for a, b in combinations([card for card in left_after(six) if card is not starter], 2):
            yield a, b, starter


def test_crib_counts_for_the_dealer_and_against_pone() -> None:
    dealer = {one.discard: one for one in weigh(SIX, True, TRAINER)}
    for one in weigh(SIX, False, TRAINER):
        same = dealer[one.discard]
        assert (one.hand, one.crib) == (same.hand, same.crib)
        assert one.ev == Fraction(*one.hand) - Fraction(*one.crib)
        assert same.ev == Fraction(*one.hand) + Fraction(*one.crib)


def test_discards_are_ranked_by_ev_and_the_best_costs_nothing() -> None:
    for dealer in (True, False):
        ranked = weigh(SIX, dealer, TRAINER)
        values = [one.ev for one in ranked]
        assert values == sorted(values, reverse=True)
        costs = [discard_cost(ranked, one.discard) for one in ranked]
        assert costs[0] == 0
        assert costs == sorted(costs)
        assert costs[-1] == values[0] - values[-1]
        assert discard_cost(ranked, ranked[4].discard[::-1]) == costs[4]
    with pytest.raises(ValueError, match="AS AD cannot be discarded"):
        discard_cost(ranked, parse_hand("AS AD"))


def test_flush_is_kept_and_fives_are_not_discarded() -> None:
    best = weigh(parse_hand("2S 5S 9S KS 7D QH"), False, TRAINER)[0]
    assert best.discard == parse_hand("7D QH")
    assert weigh(parse_hand("5S 5D JH QC 2S 8D"), False, TRAINER)[0].discard == parse_hand("2S 8D")


@given(
    six=st.lists(st.sampled_from(PACK), min_size=6, max_size=6, unique=True).map(tuple),
    name=st.sampled_from(sorted(RULE_SETS)),
    weights=st.sampled_from([EVERY_PAIR, LOPSIDED]),
)
@settings(max_examples=60, deadline=None)
def test_discard_sums_counted_for_one_hand_equal_those_from_tables(
    six: Hand, name: str, weights: Weights
) -> None:
    rules = RULE_SETS[name]
    assert count_sums(six, rules, weights) == sum_one_hand(six, rules, weights)


def test_discard_sums_use_tables_from_the_third_hand_on(monkeypatch: pytest.MonkeyPatch) -> None:
    sixes = [tuple(Random(number).sample(PACK, 6)) for number in range(3)]
    expected = [weigh(six, True, ACC, LOPSIDED) for six in sixes]
    calls = []

    def look_up(six: Hand, rules: RuleSet, weights: Weights) -> DiscardSums:
        calls.append(six)
        return sum_one_hand(six, rules, weights)

    monkeypatch.setattr(bulk_points, "sum_one_hand", look_up)
    monkeypatch.setattr(adviser, "HANDS_WITHOUT_TABLES", 2)
    count_sums.cache_clear()
    every = [weigh(six, True, ACC, LOPSIDED, adviser.sum_discards) for six in sixes]
    assert every == expected
    assert calls == sixes[2:]


@given(st.permutations(SUITS), st.randoms(use_true_random=False), st.booleans())
@settings(max_examples=25, deadline=None)
def test_renaming_the_suits_does_not_change_the_ranking(
    suits: list[object], random: Random, dealer: bool
) -> None:
    six = tuple(random.sample(PACK, 6))
    renamed = dict(zip(SUITS, suits, strict=True))
    other = tuple(
        next(c for c in PACK if (c.rank, c.suit) == (card.rank, renamed[card.suit])) for card in six
    )
    as_other = dict(zip(six, other, strict=True))
    one, two = weigh(six, dealer, ACC), weigh(other, dealer, ACC)
    sums = {frozenset(w.discard): (w.hand, w.crib) for w in two}
    assert all((w.hand, w.crib) == sums[frozenset(as_other[c] for c in w.discard)] for w in one)


@pytest.mark.parametrize("text", ["2C 2H 7C QC QD", "2C 2H 7C QC QD KH AS", "2C 2H 7C QC QD 2C"])
def test_anything_but_six_different_cards_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="six different cards"):
        weigh(parse_hand(text), True, TRAINER)
