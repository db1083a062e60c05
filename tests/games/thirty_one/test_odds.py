"""The exact odds of an infinite shoe, compared with simpler computations; none are published."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cache

import pytest

from tests.games.thirty_one.simple_rules import Player, dealer
from tests.helpers.parameter_ids import labelled, value_id
from tests.helpers.quick_cases import first_of
from tui_casino.games.thirty_one.brains import odds as module
from tui_casino.games.thirty_one.brains.odds import (
    BUST,
    FINALS,
    UNIT,
    WEIGHTS,
    HandInPlay,
    PerfectPlay,
    PlayerChoice,
    battle_endings,
    battle_return,
    card_total,
    chance_of_31,
    dealer_odds,
    game_ev,
    house_edge,
    insurance_value,
)
from tui_casino.games.thirty_one.brains.rules_lab import lab_rules
from tui_casino.games.thirty_one.machine.rules import Odds, Rules, Total

USUAL = Rules()
SOFT = Rules(dealer_hits_soft=True)


def holding(*hand: int) -> HandInPlay:
    return HandInPlay(total(*hand), len(hand), len(hand) == 2 and hand[0] == hand[1])


def total(*hand: int) -> Total:
    came = Total(0)
    for value in hand:
        came = came.plus(value)
    return came


def without_nothing(chances: Mapping[int, Fraction]) -> dict[int, Fraction]:
    return {final: chance for final, chance in chances.items() if chance}


# ---- the dealer ------------------------------------------------------------------------------


def test_odds_of_a_dealer_with_26_equal_a_hand_calculation() -> None:
    thirteenth = Fraction(1, 13)
    expected = {14: Fraction(0)} | dict.fromkeys(range(27, 32), thirteenth) | {BUST: 8 * thirteenth}
    assert dealer_odds(Total(26), USUAL) == expected


def test_dealer_with_an_ace_makes_14_only_with_a_3() -> None:
    assert dealer_odds(card_total(1), USUAL)[14] == Fraction(1, 13)


def test_dealer_with_a_10_makes_14_with_a_4_or_two_2s() -> None:
    expected = Fraction(1, 13) + Fraction(1, 13**2)
    assert dealer_odds(card_total(10), USUAL)[14] == expected


@pytest.mark.parametrize(
    "hits_soft", [False, True], ids=["dealer stands on soft 27", "dealer hits soft 27"]
)
@pytest.mark.parametrize("only_31", [False, True], ids=["against any total", "against a 14"])
@pytest.mark.parametrize(
    "hand",
    [
        (10, 8),
        pytest.param((9, 8), marks=pytest.mark.prove),
        (1, 8, 9),
        (1, 6, 10),
        (1, 1, 10, 6),
        pytest.param((1, 1, 10, 5), marks=pytest.mark.prove),
        (10, 10, 1),
    ],
    ids=value_id,
)
def test_odds_of_short_dealer_hands_equal_enumeration(
    hand: tuple[int, ...], hits_soft: bool, only_31: bool
) -> None:
    rules = Rules(dealer_hits_soft=hits_soft)
    found = dealer_odds(total(*hand), rules, only_31=only_31)
    assert without_nothing(found) == dealer(hand, hits_soft, only_31)


@pytest.mark.prove
@pytest.mark.parametrize("hand", [(10, 4), (1, 4, 9)], ids=value_id)
@pytest.mark.parametrize("only_31", [False, True], ids=["against any total", "against a 14"])
def test_odds_of_longer_dealer_hands_equal_enumeration(
    hand: tuple[int, ...], only_31: bool
) -> None:
    found = dealer_odds(total(*hand, 1), USUAL, only_31=only_31)
    assert without_nothing(found) == dealer((*hand, 1), only_31=only_31)


@pytest.mark.parametrize("rules", [USUAL, SOFT], ids=value_id)
@pytest.mark.parametrize("up", WEIGHTS)
def test_chances_of_the_dealer_totals_add_up_to_one(up: int, rules: Rules) -> None:
    for only_31 in (False, True):
        chances = dealer_odds(card_total(up), rules, only_31=only_31)
        assert list(chances) == list(FINALS)
        assert sum(chances.values()) == 1


def test_denominators_of_exact_hit_me_values_divide_the_unit() -> None:
    """The remaining factors of 13 in the values show that the unit has enough of them."""
    for up in WEIGHTS:
        for chance in dealer_odds(card_total(up), USUAL).values():
            assert 13**31 % chance.denominator == 0
    for rules in (Rules(most_hands=4), Rules(most_hands=4, insurance=Odds(9, 2))):
        value = PerfectPlay(rules, 1, insured=True).first_card_ev(4)
        assert (UNIT * rules.insurance.staked) % value.denominator == 0
        assert value.denominator < UNIT / 13**10


# ---- the player ------------------------------------------------------------------------------


@cache
def plain_player(rules: Rules, up: int) -> Player:
    """A simple player, which uses the dealer's chances checked above."""
    start = card_total(up)
    return Player(rules, dealer_odds(start, rules), dealer_odds(start, rules, only_31=True))


@pytest.mark.parametrize(
    "rules",
    [USUAL, pytest.param(SOFT, marks=pytest.mark.prove), Rules(double_two_cards=True)],
    ids=value_id,
)
@pytest.mark.parametrize("up", first_of([10, 1]), ids=labelled("dealer shows {}"))
@pytest.mark.parametrize(
    "hand",
    [(10, 10), (1, 10), (1, 5, 10), (10, 3, 8), (1, 1, 10), (10, 7, 7)],
    ids=value_id,
)
def test_evs_of_all_choices_equal_a_plain_recursion(
    hand: tuple[int, ...], up: int, rules: Rules
) -> None:
    plain = plain_player(rules, up)
    expected = {PlayerChoice.STAND: plain.stand(hand), PlayerChoice.HIT: plain.hit(hand)}
    if len(hand) == 2 or not rules.double_two_cards:
        expected[PlayerChoice.DOUBLE] = plain.double(hand)
    if len(hand) == 2 and hand[0] == hand[1]:
        expected[PlayerChoice.SPLIT] = plain.split(hand)
    assert PerfectPlay(rules, up).values(holding(*hand)) == expected


@pytest.mark.prove
@pytest.mark.parametrize("rules", [USUAL, SOFT, Rules(double_two_cards=True)], ids=value_id)
@pytest.mark.parametrize("up", [1, 2, 10], ids=labelled("dealer shows {}"))
def test_evs_of_first_cards_equal_a_plain_recursion(up: int, rules: Rules) -> None:
    plain = plain_player(rules, up)
    play = PerfectPlay(rules, up)
    for value in WEIGHTS:
        assert play.first_card_ev(value) == plain.best((value,))


def test_ev_of_a_hit_on_30_equals_a_hand_calculation() -> None:
    play = PerfectPlay(USUAL, 10)
    finals = dealer_odds(card_total(10), USUAL)
    with_31 = 1 - finals[31] - 2 * finals[14]
    values = play.values(HandInPlay(Total(30), 3))
    assert values[PlayerChoice.HIT] == (with_31 - 12) / 13
    assert values[PlayerChoice.DOUBLE] == 2 * values[PlayerChoice.HIT]


@pytest.mark.parametrize("up", WEIGHTS)
def test_hit_that_cannot_bust_raises_the_ev(up: int) -> None:
    play = PerfectPlay(USUAL, up)
    for points in set(range(12, 22)) - {14}:
        values = play.values(HandInPlay(Total(points), 3))
        assert values[PlayerChoice.HIT] >= values[PlayerChoice.STAND]


@pytest.mark.parametrize("up", WEIGHTS)
def test_standing_on_14_loses_only_to_31(up: int) -> None:
    chance = dealer_odds(card_total(up), USUAL, only_31=True)[31]
    assert PerfectPlay(USUAL, up).values(holding(10, 4))[PlayerChoice.STAND] == 1 - 2 * chance


def test_doubled_hand_that_lands_on_14_is_valued_as_standing_on_14() -> None:
    """With 4, a ten of four ranks makes 14; every other total below 27 wins only against a bust."""
    play = PerfectPlay(USUAL, 9)
    stood = play.values(holding(10, 4))[PlayerChoice.STAND]
    below_27 = play.values(holding(2, 10))[PlayerChoice.STAND]
    doubled = play.values(HandInPlay(Total(4), 2))[PlayerChoice.DOUBLE]
    assert doubled == 2 * (4 * stood + 9 * below_27) / 13


def test_perfect_play_considers_only_doubles_and_splits_in_the_rules() -> None:
    pair = holding(8, 8)
    assert set(PerfectPlay(USUAL, 5).values(pair)) == {
        PlayerChoice.STAND,
        PlayerChoice.HIT,
        PlayerChoice.DOUBLE,
        PlayerChoice.SPLIT,
    }
    assert set(PerfectPlay(USUAL, 5, double=False, split=False).values(pair)) == {
        PlayerChoice.STAND,
        PlayerChoice.HIT,
    }
    two_cards = PerfectPlay(Rules(double_two_cards=True), 5)
    for hand, allowed in (((10,), False), ((10, 9), True), ((10, 9, 2), False)):
        assert (PlayerChoice.DOUBLE in two_cards.values(holding(*hand))) is allowed
    no_double = PerfectPlay(Rules(double_after_split=False), 5)
    assert PlayerChoice.DOUBLE not in no_double.values(HandInPlay(Total(18), 2, hands=2))
    assert PlayerChoice.DOUBLE in no_double.values(HandInPlay(Total(18), 2))


def test_pair_is_split_again_only_if_more_hands_are_allowed() -> None:
    again = HandInPlay(Total(16), 2, pair=True, hands=2)
    assert PlayerChoice.SPLIT not in PerfectPlay(USUAL, 5).values(again)
    assert PlayerChoice.SPLIT in PerfectPlay(Rules(most_hands=3), 5).values(again)


# ---- the game --------------------------------------------------------------------------------


def test_adding_double_or_split_raises_the_ev_of_perfect_play() -> None:
    basic, with_double, with_split, both = (
        game_ev(USUAL, double=double, split=split)
        for double, split in ((False, False), (True, False), (False, True), (True, True))
    )
    assert basic < with_double < both
    assert basic < with_split < both


@pytest.mark.prove
def test_optional_rules_change_the_edge_in_the_expected_direction() -> None:
    edges = {name: house_edge(rules) for name, rules in lab_rules()}
    usual = edges["the rules as they are"]
    assert edges["split to 4 hands"] < edges["split to 3 hands"] < usual
    assert usual < edges["no double after a split"]
    assert usual < edges["double on two cards only"]
    assert usual <= edges["split two of a rank only"]
    assert edges["insurance pays 5:1"] < edges["insurance pays 4:1"] < usual


@pytest.mark.parametrize("most", [3, 4], ids=labelled("{} hands"))
def test_repeated_splits_equal_a_hand_calculation(most: int) -> None:
    """Eights against a 6 are split whenever possible."""
    play = PerfectPlay(Rules(most_hands=most), 6)
    each = {
        value: max(play.values(HandInPlay(card_total(8).plus(value), 2, hands=most)).values())
        for value in WEIGHTS
    }
    eight = Fraction(1, 13)
    none = sum((each[v] * w for v, w in WEIGHTS.items() if v != 8), Fraction(0)) / 13
    last = none + eight * each[8]  # once there are enough hands
    one = none + eight * 2 * last
    if most == 4:
        two = none + (1 - eight) * one + eight * 3 * last
        three = none + (1 - eight) * two + eight * 4 * last
        one = none + eight * two
    else:
        three = 3 * last
    split = none + (1 - eight) * one + eight * three
    assert play.values(HandInPlay(Total(16), 2, pair=True))[PlayerChoice.SPLIT] == split


def test_battle_compares_final_hands_of_player_and_dealer() -> None:
    ends = battle_endings(USUAL)
    assert sum(ends.values()) == 1
    player = dealer_odds(Total(0), SOFT)
    for final in FINALS:
        assert sum(n for (ours, _), n in ends.items() if ours == final) == player[final]
    assert ends[27, 28] == player[27] * dealer_odds(Total(0), USUAL)[28]
    assert ends[BUST, None] == player[BUST]


@pytest.mark.parametrize(
    ("ending", "back"),
    [
        ((14, 31), 0),
        ((14, BUST), 2),
        ((27, 14), 0),
        ((31, 14), 0),
        ((31, 31), 1),
        ((28, 27), 2),
        ((27, 28), 0),
        ((27, BUST), 2),
        ((BUST, None), 0),
    ],
    ids=value_id,
)
def test_battle_returns_the_payout_of_each_ending(ending: module.Ending, back: int) -> None:
    assert battle_return(ending) == back


# ---- insurance -------------------------------------------------------------------------------


def test_fair_odds_of_insurance_are_computed() -> None:
    assert f"{float(1 / chance_of_31(USUAL) - 1):.1f}" == "4.3"
    assert f"{float(1 / chance_of_31(USUAL, on_14=True) - 1):.1f}" == "2.2"


@pytest.mark.parametrize("first", WEIGHTS)
def test_insurance_at_even_money_always_costs(first: int) -> None:
    assert insurance_value(USUAL, first) < 0


@pytest.mark.parametrize("first", WEIGHTS)
def test_ev_of_insurance_at_fair_odds_is_the_gain_by_14(first: int) -> None:
    chance = chance_of_31(USUAL)
    fair = 1 / chance - 1
    rules = Rules(insurance=Odds(fair.numerator, fair.denominator))
    insured, plain = PerfectPlay(rules, 1, insured=True), PerfectPlay(rules, 1)
    value = insured.first_card_ev(first) - plain.first_card_ev(first)
    assert value == insurance_value(rules, first)
    on_14 = (chance_of_31(USUAL, on_14=True) - chance) / chance
    assert 0 < value < on_14
    pair = holding(10, 4)
    gain = insured.values(pair)[PlayerChoice.STAND] - plain.values(pair)[PlayerChoice.STAND]
    assert gain == on_14


def test_insured_split_earns_the_bonus_for_14_only_once() -> None:
    """If both hands of a split could earn it, two of 7 would earn more than one bonus each."""
    rules = Rules(insurance=Odds(10**9))  # only the bonus matters
    play = PerfectPlay(rules, 1, insured=True, double=False)
    bonus = play.values(holding(10, 4))[PlayerChoice.STAND]
    split = play.values(holding(7, 7))[PlayerChoice.SPLIT]
    one_hand = play.values(HandInPlay(card_total(7), 1, hands=2))[PlayerChoice.HIT]
    never = 1 - one_hand / bonus
    assert float(split / bonus) == pytest.approx(float(1 - never**2), rel=1e-6)
