"""The trainer's data of a position: chances to win, the dealer, the shoe, and the chart."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from math import isnan

import pytest

from tests.games.thirty_one.simple_rules import counted, dealer_stops, settle
from tests.games.thirty_one.test_shoe_odds import Hand, Left, Plain, over_cards, shoe_without, total
from tests.helpers.parameter_ids import labelled, value_id
from tui_casino.games.thirty_one.brains import shoe_odds
from tui_casino.games.thirty_one.brains.adviser import (
    ThirtyOnePosition,
    high_low_count,
    read_trainer_data,
)
from tui_casino.games.thirty_one.brains.odds import (
    BUST,
    FINALS,
    PlayerChoice,
    card_total,
    dealer_odds,
    house_edge,
)
from tui_casino.games.thirty_one.brains.rules_lab import OPTIONS, edge_effects
from tui_casino.games.thirty_one.brains.strategy_chart import (
    FIRST,
    PAIR,
    build_chart,
    chart_cell_of,
    merge_equal_rows,
)
from tui_casino.games.thirty_one.machine.rules import Odds, Rules
from tui_casino.structs import replace

USUAL = Rules()
WHOLE: Left = (*(8,) * 9, 32)


def position(hand: Hand, up: int, left: Left = WHOLE, **more: object) -> ThirtyOnePosition:
    return replace(ThirtyOnePosition(hand, up, left, 20, USUAL), **more)  # type: ignore[arg-type]


# ---- how often a choice wins -----------------------------------------------------------------


def shares(up: int, gain: int) -> dict[PlayerChoice, Callable[[Hand, Left], Fraction]]:
    """Return by choice how often it ends with each gain of a bet of 1, card by card."""
    plain = Plain(USUAL, up)

    @cache
    def ended(dealer: Hand, left: Left, points: int, on_14: bool) -> Fraction:
        if dealer_stops(dealer, False, on_14):
            came = settle(points, on_14, {min(counted(dealer)[0], BUST): Fraction(1)})
            return Fraction(came == gain)
        return over_cards(
            left, lambda value, rest: ended(tuple(sorted((*dealer, value))), rest, points, on_14)
        )

    def stand(hand: Hand, left: Left) -> Fraction:
        points, _ = counted(hand)
        return Fraction(0) if points > 31 else ended((up,), left, points, points == 14)

    @cache
    def best(hand: Hand, left: Left) -> Fraction:
        if counted(hand)[0] >= 31:
            return stand(hand, left)
        worth = plain.choices(hand, left)
        return found[max(worth, key=lambda choice: worth[choice])](hand, left)

    found: dict[PlayerChoice, Callable[[Hand, Left], Fraction]] = {
        PlayerChoice.STAND: stand,
        PlayerChoice.HIT: lambda hand, left: over_cards(
            left, lambda value, rest: best(tuple(sorted((*hand, value))), rest)
        ),
        PlayerChoice.DOUBLE: lambda hand, left: over_cards(
            left, lambda value, rest: stand((*hand, value), rest)
        ),
    }
    return found


@pytest.mark.parametrize(
    ("hand", "up", "gone"), [((10, 10, 8), 10, 80), ((10, 4), 10, 84)], ids=value_id
)
def test_win_and_push_chances_of_each_choice_equal_enumeration(
    hand: Hand, up: int, gone: int
) -> None:
    left = shoe_without(gone, gone)
    found = shoe_odds.choice_outcomes(total(hand), up, left, USUAL, cards=len(hand), double=True)
    wins, pushes = shares(up, 1), shares(up, 0)
    for choice, outcome in found.items():
        assert outcome.wins == pytest.approx(float(wins[choice](hand, left)), abs=1e-6)
        assert outcome.pushes == pytest.approx(float(pushes[choice](hand, left)), abs=1e-6)


@pytest.mark.parametrize("hand", [(10, 7, 3), (1, 5), (10, 4), (2,), (1, 1, 6)], ids=value_id)
@pytest.mark.parametrize("up", [1, 4, 10], ids=labelled("dealer shows {}"))
def test_gain_follows_from_wins_and_pushes_without_double(hand: Hand, up: int) -> None:
    found = shoe_odds.choice_outcomes(total(hand), up, WHOLE, USUAL, cards=len(hand), double=False)
    assert {*found} == {PlayerChoice.STAND, PlayerChoice.HIT}
    for outcome in found.values():
        assert outcome.gain == pytest.approx(2 * outcome.wins + outcome.pushes - 1)


def test_winning_chance_is_unknown_if_a_pair_would_be_split() -> None:
    outcomes = read_trainer_data(position((4,), 5)).advice.outcomes
    assert isnan(outcomes[PlayerChoice.HIT].wins)
    assert not isnan(outcomes[PlayerChoice.STAND].wins)
    assert not isnan(read_trainer_data(position((5,), 5)).advice.outcomes[PlayerChoice.HIT].wins)


# ---- the dealer and the shoe -----------------------------------------------------------------


def test_final_totals_of_the_dealer_equal_enumeration() -> None:
    left = shoe_without(3, 84)
    found = read_trainer_data(position((10, 10), 9, left))
    assert found.has_enough_cards
    dealt = dict.fromkeys(FINALS, Fraction(0))

    def deal(hand: Hand, shoe: Left, chance: Fraction) -> None:
        if dealer_stops(hand, False, False):
            dealt[min(counted(hand)[0], BUST)] += chance
            return
        for value, count in enumerate(shoe, 1):
            if count:
                rest = (*shoe[: value - 1], count - 1, *shoe[value:])
                deal((*hand, value), rest, chance * Fraction(count, sum(shoe)))

    deal((9,), left, Fraction(1))
    assert found.dealer_finals == pytest.approx(
        {end: float(chance) for end, chance in dealt.items()}
    )


def test_nearly_empty_shoe_gets_sampled_values() -> None:
    found = read_trainer_data(position((10, 10), 9, (1, 1, 1, 1, 1, 1, 0, 0, 0, 1)))
    assert not found.has_enough_cards
    assert not found.advice.outcomes
    assert all(found.advice.errors.values())
    expected = dealer_odds(card_total(9), USUAL)
    assert found.dealer_finals == {end: float(chance) for end, chance in expected.items()}


def test_high_low_count_of_a_shoe_equals_a_hand_calculation() -> None:
    assert high_low_count(WHOLE) == 0
    assert high_low_count((*(0,) * 10,)) == 0
    assert high_low_count((0, *(8,) * 8, 32)) == pytest.approx(-8 * 52 / 96)  # all aces are gone
    assert high_low_count((8, 8, 8, 8, 8, 0, 8, 8, 8, 32)) == pytest.approx(8 * 52 / 96)


# ---- the chart -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("found", "row"),
    [
        (position((1,), 5), (FIRST, "A")),
        (position((10,), 5), (FIRST, "10")),
        (position((10, 7, 3), 5), ("hard", "20")),
        (position((1, 5), 5), ("soft", "16")),
        (position((1, 1, 2), 5), ("two soft", "24")),
        (position((8, 8), 5, pair=True), (PAIR, "8-8")),
        (position((8, 8), 5, pair=True, covered=False), ("hard", "16")),
        (position((8, 8), 5, hands=2), ("hard", "16")),
    ],
    ids=[
        "ace",
        "ten",
        "hard 20",
        "soft 16",
        "two soft aces",
        "pair of eights",
        "pair, split unknown",
        "pair, already split",
    ],
)
def test_hit_me_position_has_its_row_in_the_chart(
    found: ThirtyOnePosition, row: tuple[str, str]
) -> None:
    assert chart_cell_of(found) == row
    assert row in {(each.kind, each.name) for each in build_chart(USUAL)}


def test_equal_chart_rows_of_a_kind_are_merged() -> None:
    groups = [[row.name for row in group] for group in merge_equal_rows(build_chart(USUAL))]
    assert len(groups) == 25
    assert ["8-8", "9-9"] in groups
    assert sum(map(len, groups)) == len(build_chart(USUAL))


# ---- the lab ---------------------------------------------------------------------------------


def test_lab_option_can_be_switched_and_excludes_its_alternative() -> None:
    for option in OPTIONS:
        on = option.switched(USUAL)
        assert option.holds(on)
        assert not option.holds(USUAL)
        assert option.switched(on) == USUAL
    four, five = (each for each in OPTIONS if each.field == "insurance")
    both = five.switched(four.switched(USUAL))
    assert both.insurance == Odds(5)
    assert not four.holds(both)


@pytest.mark.prove
def test_effects_of_options_equal_differences_of_the_edge() -> None:
    house = Rules(dealer_hits_soft=True, double_two_cards=True)
    found = {option.field: effect for option, effect in edge_effects(house) if option.holds(house)}
    without = house_edge(Rules(double_two_cards=True))
    assert found["dealer_hits_soft"] == house_edge(house) - without
    would = {option.words: effect for option, effect in edge_effects(USUAL)}
    assert f"{float(would['double only on two cards']):.4%}" == "0.3743%"  # as in the document
    assert would["split equal ranks, not K-10"] == 0
