"""The odds of the actual shoe, compared with every sequence of cards from small shoes."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache, partial
from math import isnan
from random import Random

import numpy as np
import pytest

from tests.games.thirty_one.simple_rules import counted, dealer_stops, settle
from tests.helpers.parameter_ids import labelled, value_id
from tui_casino.games.thirty_one.brains import newton_interpolation, shoe_dealer_odds, shoe_odds
from tui_casino.games.thirty_one.brains.newton_interpolation import Floats
from tui_casino.games.thirty_one.brains.odds import (
    HandInPlay,
    PerfectPlay,
    PlayerChoice,
    card_total,
    drawing_totals,
)
from tui_casino.games.thirty_one.machine.rules import Rules, Total

USUAL = Rules()
Left = tuple[int, ...]
Hand = tuple[int, ...]

VALUES = [min(rank, 10) for rank in range(1, 14) for _ in range(8)]


def shoe_without(seed: int, gone: int) -> Left:
    """Return the cards left by value in a shuffled two-deck shoe after some cards."""
    shoe = Random(seed).sample(VALUES, len(VALUES) - gone)
    return tuple(shoe.count(value) for value in range(1, 11))


def total(hand: Hand) -> Total:
    came = Total(0)
    for value in hand:
        came = came.plus(value)
    return came


# ---- the same, card by card ------------------------------------------------------------------


def over_cards(left: Left, value_of: Callable[[int, Left], Fraction]) -> Fraction:
    size = sum(left)
    found = Fraction(0)
    for value, count in enumerate(left, 1):
        if count:
            rest = (*left[: value - 1], count - 1, *left[value:])
            found += Fraction(count, size) * value_of(value, rest)
    return found


class Plain:
    """A player's EVs by recursion over hands and shoes."""

    def __init__(self, rules: Rules, up: int) -> None:
        self.rules = rules

        @cache
        def final(hand: Hand, left: Left, points: int, on_14: bool) -> Fraction:
            if dealer_stops(hand, rules.dealer_hits_soft, on_14):
                return settle(points, on_14, {min(counted(hand)[0], 32): Fraction(1)})
            return over_cards(
                left, lambda value, rest: final(tuple(sorted((*hand, value))), rest, points, on_14)
            )

        def stand(hand: Hand, left: Left) -> Fraction:
            points, _ = counted(hand)
            return Fraction(-1) if points > 31 else final((up,), left, points, points == 14)

        @cache
        def best(hand: Hand, left: Left) -> Fraction:
            if counted(hand)[0] >= 31:
                return stand(hand, left)
            return max(choices(hand, left).values())

        def choices(hand: Hand, left: Left) -> dict[PlayerChoice, Fraction]:
            found = {
                PlayerChoice.STAND: stand(hand, left),
                PlayerChoice.HIT: over_cards(
                    left, lambda value, rest: best(tuple(sorted((*hand, value))), rest)
                ),
            }
            if len(hand) == 2 or not rules.double_two_cards:
                found[PlayerChoice.DOUBLE] = 2 * over_cards(
                    left, lambda value, rest: stand((*hand, value), rest)
                )
            return found

        self.choices = choices


@pytest.mark.parametrize(
    ("hand", "up", "seed", "gone", "rules"),
    [
        ((10, 10, 8), 10, 80, 80, Rules(dealer_hits_soft=True)),
        ((10, 10), 10, 75, 75, Rules(double_two_cards=True)),
        ((10, 4), 10, 84, 84, USUAL),
        *(
            pytest.param(hand, up, up, 74, USUAL, marks=pytest.mark.prove)
            for hand in ((10, 10, 2), (10, 10, 5), (1, 9, 9))
            for up in (9, 10)
        ),
    ],
    ids=value_id,
)
def test_hit_me_evs_from_a_small_shoe_equal_enumeration(
    hand: Hand, up: int, seed: int, gone: int, rules: Rules
) -> None:
    left = shoe_without(seed, gone)
    expected = Plain(rules, up).choices(hand, left)
    found = shoe_odds.choice_values(total(hand), up, left, rules, cards=len(hand), double=True)
    error = 1e-6 if gone > 74 else 1e-5
    assert found == pytest.approx({choice: float(v) for choice, v in expected.items()}, abs=error)


@pytest.mark.parametrize(
    "rules", [USUAL, Rules(dealer_hits_soft=True, double_two_cards=True)], ids=value_id
)
@pytest.mark.parametrize(
    ("hand", "up"), [((1,), 2), ((4, 4), 10), ((10,), 1), ((1, 1, 8), 5)], ids=value_id
)
def test_odds_of_a_very_large_shoe_equal_those_of_an_infinite_one(
    hand: Hand, up: int, rules: Rules
) -> None:
    left = (*(10**8,) * 9, 4 * 10**8)
    for insured in (False, True):
        play = PerfectPlay(rules, up, split=False, insured=insured)
        expected = play.values(HandInPlay(total(hand), len(hand)))
        returned = 2 if insured else 0
        found = shoe_odds.choice_values(
            total(hand), up, left, rules, cards=len(hand), double=True, insurance=returned
        )
        assert found == pytest.approx({c: float(v) for c, v in expected.items()}, abs=1e-6)


@pytest.mark.parametrize("rules", [USUAL, Rules(split_same_rank=True)], ids=value_id)
@pytest.mark.parametrize("first", [1, 4, 8, 10], ids=labelled("first card {}"))
def test_value_of_one_card_includes_a_later_split(first: int, rules: Rules) -> None:
    left = (*(10**8,) * 9, 4 * 10**8)
    play = PerfectPlay(rules, 6)
    pair = HandInPlay(card_total(first).plus(first), 2, pair=True)
    expected = play.values(HandInPlay(card_total(first), 1))
    found = shoe_odds.choice_values(
        card_total(first),
        6,
        left,
        rules,
        cards=1,
        double=True,
        split=float(play.values(pair)[PlayerChoice.SPLIT]),
    )
    assert found == pytest.approx({c: float(v) for c, v in expected.items()}, abs=1e-6)


def test_odds_of_a_shoe_of_tens_equal_a_hand_calculation() -> None:
    """Only tens are left: 20 draws to 30, and a dealer with a ten also reaches 30."""
    left = (0,) * 9 + (30,)
    found = shoe_odds.choice_values(Total(20), 10, left, USUAL, cards=2, double=True)
    assert found == pytest.approx(
        {PlayerChoice.STAND: -1, PlayerChoice.HIT: 0, PlayerChoice.DOUBLE: 0}, abs=1e-9
    )


# ---- how far off, how long -------------------------------------------------------------------


def exactly(hands: shoe_dealer_odds.DrawnHands, left: Left, up: int, rules: Rules) -> Floats:
    """Return the EV of standing, with the dealer's chances computed for each hand."""
    shoes = hands.remaining_after(np.array(left, np.int64))
    chances = [
        shoe_dealer_odds.dealer_outcomes(up, drawing_totals(rules, only_31=only_31))
        .chances(shoes)
        .T
        for only_31 in (False, True)
    ]
    gains = []
    for points, ordinary, to_31 in zip(hands.points.tolist(), *chances, strict=True):
        finals = to_31 if points == 14 else ordinary
        ours = dict(zip((14, 27, 28, 29, 30, 31, 32), map(Fraction, finals), strict=True))
        gains.append(float(settle(points, points == 14, ours)))
    return np.array(gains)


@pytest.mark.prove
@pytest.mark.parametrize(
    ("gone", "most"), [(3, 2e-7), (40, 1e-6), (76, 3e-5), (82, 5e-5), (86, 1e-4)]
)
def test_approximate_evs_from_a_shoe_are_close_to_the_exact_ones(gone: int, most: float) -> None:
    """Checked from a full shoe to 28 cards, the fewest after a usual deal, and to 18."""
    for seed, (first, up) in enumerate([(2, 10), (4, 6), (9, 1), (10, 4)]):
        left = shoe_without(seed, gone)
        card = card_total(first)
        gains = exactly(shoe_odds.player_draw_tree(card).hands, left, up, USUAL)
        none = np.zeros(len(gains))
        found = shoe_odds.choice_values(card, up, left, USUAL, cards=1, double=True)
        exact = shoe_odds.perfect_play_values(card, left, USUAL, gains, none, cards=1, double=True)
        assert found == pytest.approx(exact, abs=most)


def test_brief_outcomes_have_the_same_gains_but_no_win_and_push_chances() -> None:
    left, card = shoe_without(7, 50), card_total(4)
    ask = partial(shoe_odds.choice_outcomes, card, 10, left, USUAL, cards=1, double=True)
    found, brief = ask(), ask(brief=True)
    assert [one.gain for one in found.values()] == [one.gain for one in brief.values()]
    assert all(isnan(one.wins) and isnan(one.pushes) for one in brief.values())


def test_exact_gains_of_a_shoe_equal_the_evaluation_of_every_hand() -> None:
    left, card = shoe_without(2, 76), card_total(9)
    gains = exactly(shoe_odds.player_draw_tree(card).hands, left, 10, USUAL)
    found = shoe_odds.choice_outcomes(card, 10, left, USUAL, cards=1, double=True, exact=True)
    expected = shoe_odds.perfect_play_values(
        card, left, USUAL, gains, np.zeros(len(gains)), cards=1, double=True
    )
    assert {choice: one.gain for choice, one in found.items()} == pytest.approx(expected, abs=1e-12)


def test_newton_formula_for_many_hands_equals_evaluating_each() -> None:
    random = np.random.default_rng(31)
    counts, kinds = random.integers(0, 4, (60, 10)), random.integers(0, 3, 60)
    for order in (1, 2, newton_interpolation.ORDER):
        given = random.random((newton_interpolation.term_count(order), 3, 2))
        found = newton_interpolation.NewtonFormula(counts, kinds).values(given)
        for count, kind, value in zip(counts, kinds, found, strict=True):
            each = newton_interpolation.values_at(count[None], given[:, kind])
            assert value == pytest.approx(each[0], rel=1e-12)


@pytest.mark.parametrize("only_31", [False, True], ids=["against any total", "against a 14"])
def test_dealer_odds_around_a_shoe_equal_those_of_each_smaller_shoe(only_31: bool) -> None:
    left = np.array(shoe_without(5, 60))
    ends = shoe_dealer_odds.dealer_outcomes(7, drawing_totals(USUAL, only_31=only_31))
    each = ends.chances(np.maximum(left - newton_interpolation.nearby_sets(), 0))
    there = (newton_interpolation.nearby_sets() <= left).all(axis=1)
    assert 200 < int(np.count_nonzero(there)) < len(newton_interpolation.nearby_sets()), (
        "some are more than is left"
    )
    assert ends.chances_around(left)[:, there] == pytest.approx(each[:, there], abs=1e-12)


@pytest.mark.parametrize("largest", [1, 2, 8, 9, 20], ids=labelled("groups of up to {}"))
def test_sums_of_column_groups_equal_those_of_numpy_reduceat(largest: int) -> None:
    random = np.random.default_rng(largest)
    sizes = np.append(random.integers(1, largest + 1, 40), largest)
    first = np.cumsum(sizes) - sizes
    values = random.random((3, sizes.sum()))
    groups = shoe_dealer_odds.ColumnGroups(first, values.shape[1])
    found = groups.sums(values[:, groups.columns])
    assert (found == np.add.reduceat(values, first, axis=1)[:, groups.order]).all()


def test_newton_formula_restores_values_from_their_differences() -> None:
    values = np.random.default_rng(3).random(
        (newton_interpolation.term_count(newton_interpolation.ORDER), 2)
    )
    found = newton_interpolation.values_at(
        newton_interpolation.nearby_sets(), newton_interpolation.differences(values)
    )
    assert found == pytest.approx(values, abs=1e-12)
