"""Splitting from the shoe, compared with enumerated small shoes, and rounds played by hand."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from tests.games.thirty_one.infinite_shoe import Best
from tests.games.thirty_one.simple_rules import counted, dealer_stops
from tests.games.thirty_one.split_enumeration import TwoHands
from tests.helpers.parameter_ids import labelled
from tui_casino.games.thirty_one.brains import shoe_odds
from tui_casino.games.thirty_one.brains.odds import (
    HandInPlay,
    PerfectPlay,
    PlayerChoice,
    card_total,
)
from tui_casino.games.thirty_one.brains.split_odds import (
    LEAST_ERROR,
    MOST_BLIND_EFFECT,
    MOST_LOOKING,
    RARE_HAND,
    ROUNDS,
    SplitEstimate,
    SplitSampler,
    SplitShoe,
    build_split_tree,
    estimate_split,
    is_split_never_best,
    reach_chances,
)
from tui_casino.games.thirty_one.machine.rules import Odds, Rules, Total, payout

USUAL = Rules()
THREES = SplitShoe(6, (4, 4, 0, 0, 4, 1, 5, 4, 5, 13), USUAL)
"""A position in which an infinite shoe hits a pair of threes, and this shoe splits it."""
HOUSES = [
    (8, SplitShoe(10, (0, 0, 0, 0, 0, 0, 3, 4, 4, 6), USUAL)),
    (9, SplitShoe(10, (0, 0, 0, 0, 0, 2, 3, 4, 4, 8), Rules(double_two_cards=True))),
    (7, SplitShoe(9, (0, 0, 0, 0, 0, 0, 4, 4, 4, 8), Rules(double_after_split=False))),
    (5, SplitShoe(10, (0, 0, 0, 0, 8, 0, 0, 6, 0, 14), USUAL)),
    (8, SplitShoe(10, (0, 0, 0, 0, 0, 8, 0, 6, 0, 16), Rules(most_hands=3))),
    (4, SplitShoe(1, (0, 0, 0, 0, 0, 0, 0, 4, 4, 8), Rules(insurance=Odds(5)), insurance=6)),
    (4, SplitShoe(1, (0, 0, 0, 4, 0, 0, 0, 4, 0, 12), Rules(dealer_hits_soft=True), insurance=2)),
]


def enumerated(value: int, shoe: SplitShoe) -> float:
    """Enumerate every order of the cards."""
    again = SplitSampler(value, shoe, 2).is_resplit
    return TwoHands(shoe.rules, shoe.up_card, shoe.insurance).split(value, shoe.remaining, again)


def is_in_interval(found: SplitEstimate, exact: float) -> bool:
    return abs(found.value - exact) < 1.96 * found.error


@pytest.mark.parametrize(
    ("value", "shoe"),
    HOUSES,
    ids=[
        "eights against a ten",
        "nines, double on two cards only",
        "sevens, no double after a split",
        "fives against a ten",
        "eights, up to three hands",
        "fours, insured at 5:1",
        "fours, insured, dealer hits soft 27",
    ],
)
def test_sampled_split_agrees_with_enumeration_within_its_error(
    value: int, shoe: SplitShoe
) -> None:
    found = estimate_split(value, shoe)
    assert found.value == pytest.approx(enumerated(value, shoe), abs=4 * found.error)
    assert LEAST_ERROR <= found.error < 0.006


def test_blind_split_equals_two_single_hands() -> None:
    alone = shoe_odds.choice_values(card_total(3), 6, THREES.remaining, USUAL, cards=1, double=True)
    assert SplitSampler(3, THREES, 2).blind_gain == pytest.approx(
        2 * alone[PlayerChoice.HIT], abs=1e-6
    )


def test_split_of_threes_beats_a_hit_in_this_shoe() -> None:
    hit = shoe_odds.choice_values(Total(6), 6, THREES.remaining, USUAL, cards=2, double=True)[
        PlayerChoice.HIT
    ]
    found = estimate_split(3, THREES)
    assert hit == pytest.approx(0.034, abs=5e-4)
    assert found.value > 0.277
    assert found.error < 0.01
    assert estimate_split(3, THREES) is found, "the same question, the same answer"


@pytest.mark.parametrize("insurance", [0.0, 2.0], ids=labelled("insurance {}"))
@pytest.mark.parametrize(("value", "most"), [(4, 2), (8, 2), (8, 4), (1, 3)])
def test_split_from_a_very_large_shoe_equals_one_from_an_infinite_shoe(
    value: int, most: int, insurance: float
) -> None:
    rules, up = Rules(most_hands=most), 1 if insurance else 6
    shoe = SplitShoe(up, (*(10**8,) * 9, 4 * 10**8), rules, insurance=insurance)
    play = PerfectPlay(rules, up, insured=bool(insurance))
    exact = play.values(HandInPlay(card_total(value).plus(value), 2, pair=True))[PlayerChoice.SPLIT]
    found = estimate_split(value, shoe)
    assert found.value == pytest.approx(float(exact), abs=4 * found.error)


def test_pair_without_further_cards_is_split_only_once() -> None:
    shoe = SplitShoe(10, (0, 0, 0, 0, 0, 4, 4, 0, 4, 8), Rules(most_hands=4))
    once = SplitShoe(10, shoe.remaining, USUAL)
    assert SplitSampler(8, shoe, 2).blind_gain == SplitSampler(8, once, 2).blind_gain


@pytest.mark.prove
def test_split_ev_intervals_contain_the_true_value_in_95_percent() -> None:
    """Compared with every order of a shoe with only tens, eights and fives."""
    value, shoe = HOUSES[3]
    splitting, dice = SplitSampler(value, shoe, 2), np.random.default_rng(31)
    rounds = np.concatenate(
        [splitting.sample_looking_gains(dice, 16 * ROUNDS) for _ in range(1000 // 16 + 1)]
    )
    found = [splitting.summarise(each) for each in rounds.reshape(-1, ROUNDS)[:1000]]
    exact = enumerated(value, shoe)
    assert 930 <= sum(is_in_interval(each, exact) for each in found) <= 970


@pytest.mark.prove
def test_infinite_shoe_chart_wins_less_with_threes() -> None:
    """Dealt and settled by hand, with the perfect play of an infinite shoe for every hand."""
    best, dice = Best(USUAL), Random("threes")
    cards = [value for value, count in enumerate(THREES.remaining, 1) for _ in range(count)]
    gains = []
    for _ in range(60_000):
        dice.shuffle(cards)
        shoe = iter(cards)
        seconds = next(shoe), next(shoe)
        hands = []
        for second in seconds:
            hand, bet = [3, second], 1
            on_14 = False
            while bet == 1 and counted(hand)[0] < 31:
                total = Total(0)
                for value in hand:
                    total = total.plus(value)
                choice = best.choice(6, False, HandInPlay(total, len(hand), False, 2))
                if choice is PlayerChoice.STAND:
                    break
                bet = 2 if choice is PlayerChoice.DOUBLE else 1
                hand.append(next(shoe))
            points = counted(hand)[0]
            on_14 = points == 14
            hands.append((points, bet, on_14))
        drawn, finals = [6], {}
        for on_14 in (False, True):
            while not dealer_stops(tuple(drawn), False, on_14):
                drawn.append(next(shoe))
            finals[on_14] = counted(drawn)[0]
        gains.append(
            sum(
                bet * (payout(1, points, finals[on_14], on_14=on_14) - 1 if points < 32 else -1)
                for points, bet, on_14 in hands
            )
        )
    mean, error = float(np.mean(gains)), float(np.std(gains)) / len(gains) ** 0.5
    found = estimate_split(3, THREES)
    assert mean == pytest.approx(0.277, abs=4 * error + 0.006)
    assert mean < found.value + 3 * error


def test_pairs_that_are_never_split_are_recognised() -> None:
    shoe = SplitShoe(10, (4, 4, 4, 4, 4, 4, 4, 4, 4, 16), USUAL)
    assert is_split_never_best(7, shoe, -0.1)
    assert estimate_split(7, shoe).value < -0.1
    assert not is_split_never_best(8, shoe, -0.3), "it may be worth that"
    assert not is_split_never_best(7, SplitShoe(1, shoe.remaining, USUAL, insurance=2.0), -0.1), (
        "nobody knows with one"
    )
    assert is_split_never_best(7, shoe, 0.0, single_hand=-0.2)
    assert not is_split_never_best(7, shoe, -0.3, single_hand=-0.2)


@pytest.mark.parametrize(
    "left",
    [(8,) * 9 + (32,), (2,) * 9 + (5,), (8, 8, 8, 8, 8, *(1,) * 5)],
    ids=["full shoe", "quarter shoe", "few high cards"],
)
@pytest.mark.parametrize("first", [1, 3, 6, 10], ids=labelled("first card {}"))
def test_split_sampler_uses_all_hands_that_are_not_rare(first: int, left: tuple[int, ...]) -> None:
    remaining = np.array(left)
    for second in (1, 2, 7, 10):
        total = card_total(first).plus(second)
        hands, everything = (
            build_split_tree(remaining, total, chance) for chance in (RARE_HAND, 0.0)
        )
        reach = reach_chances(remaining, shoe_odds.player_draw_tree(total).hands)
        likely = everything.counts[reach[reach > 0] > RARE_HAND]
        assert (hands.counts == likely).all()


@pytest.mark.prove
def test_blind_play_gains_less_over_single_hands_than_its_assumed_maximum() -> None:
    dice = Random("single")
    for _ in range(40):
        cards = dice.sample(range(10), counts=[8] * 9 + [32], k=dice.choice([28, 29, 40, 60, 100]))
        value, up = dice.randint(1, 10), dice.randint(1, 10)
        left = [cards.count(other) for other in range(10)]
        blind = SplitSampler(value, SplitShoe(up, tuple(left), USUAL), 2).blind_gain
        left[value - 1] += 1
        hit = shoe_odds.choice_values(card_total(value), up, left, USUAL, cards=1, double=True)[
            PlayerChoice.HIT
        ]
        assert len(cards) * (blind - 2 * hit) < 0.75 * MOST_BLIND_EFFECT


@pytest.mark.prove
def test_gain_by_looking_is_below_its_assumed_maximum() -> None:
    dice = Random("looking")
    for _ in range(40):
        cards = dice.sample(range(10), counts=[8] * 9 + [32], k=dice.choice([28, 28, 29, 32, 40]))
        left = tuple(cards.count(value) for value in range(10))
        value, up = dice.randint(1, 10), dice.randint(1, 10)
        shoe = SplitShoe(up, left, USUAL)
        assert (
            estimate_split(value, shoe).value - SplitSampler(value, shoe, 2).blind_gain
            < MOST_LOOKING / 2
        )
