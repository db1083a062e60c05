"""The two-deck lab: the shipped table is consistent, and a part of it is computed again."""

from __future__ import annotations

import json

import numpy as np
import pytest

from tests.build_data.thirty_one import two_deck_edges
from tests.games.thirty_one.fresh_shoe import PACK, Fresh, finals, less, worth
from tests.helpers.parameter_ids import value_id
from tui_casino.games.thirty_one.brains.odds import house_edge
from tui_casino.games.thirty_one.brains.rules_lab import (
    FILE,
    INSURANCE,
    OPTIONS,
    edge_of,
    lab_houses,
    lab_rules,
    read_edges,
)
from tui_casino.games.thirty_one.face.odds_report import edge_lines, odds_json
from tui_casino.games.thirty_one.machine.rules import Odds, Rules
from tui_casino.structs import replace

USUAL = Rules()
LOOKING = 0.004
"""An upper bound of the gain from looking for a deal that can become a pair."""


def test_every_set_of_lab_rules_has_a_two_deck_edge() -> None:
    found = read_edges()
    assert len(found) == len({*lab_houses()}) == 2 * 2 * 2 * 3 * 2 * len(INSURANCE)
    assert {rules for _, rules in lab_rules()} <= found.keys()
    for option in OPTIONS:
        assert edge_of(option.switched(USUAL)) is not None
    assert all(0 < each.error < 3e-5 for each in found.values())
    assert FILE.stat().st_size < 5_000


def test_rules_that_favour_the_player_never_raise_the_edge() -> None:
    """Compares each set of rules with the one that has more of a single option."""
    found, compared = read_edges(), 0
    for rules, one in found.items():
        better = [
            replace(rules, double_two_cards=False),
            replace(rules, split_same_rank=False),
            replace(rules, double_after_split=True),
            replace(rules, most_hands=min(4, rules.most_hands + 1)),
            replace(rules, insurance=Odds(min(5, rules.insurance.paid + 1))),
        ]
        for house in better:
            assert found[house].value <= one.value + one.error + found[house].error
            compared += house != rules
    assert compared > 700


def test_tens_are_never_split_so_their_rank_does_not_matter() -> None:
    for rules, one in read_edges().items():
        assert one == read_edges()[replace(rules, split_same_rank=not rules.split_same_rank)]


def test_edge_of_two_decks_is_near_that_of_an_infinite_shoe() -> None:
    for rules in (USUAL, Rules(double_two_cards=True)):
        assert abs(read_edges()[rules].value - float(house_edge(rules))) < 0.001


def test_two_deck_edge_is_unknown_for_insurance_odds_outside_the_lab() -> None:
    odd = Rules(insurance=Odds(43, 10))
    assert edge_of(odd) is None
    assert "it is not known with insurance at 43:10" in [*edge_lines(odd)][1]
    two = json.loads(odds_json(odd))["two_decks"]
    assert two["house_edge"] is None
    assert len(two["houses"]) == len(read_edges())
    assert two["lab"]["the rules as they are"] == read_edges()[USUAL].value


@pytest.mark.prove
@pytest.mark.parametrize(
    ("up", "first", "rules"),
    [
        (10, 10, USUAL),
        (9, 10, Rules(dealer_hits_soft=True, double_two_cards=True)),
        (6, 9, Rules(double_after_split=False)),
        (10, 8, USUAL),
    ],
    ids=value_id,
)
def test_ev_of_deals_equals_a_second_calculation(up: int, first: int, rules: Rules) -> None:
    """Exact if no pair is split; otherwise blind play is worse by the gain from looking."""
    found = two_deck_edges.deal_two_cards(up, first, rules.dealer_hits_soft).best_gain(
        rules, 0.0, -9.0
    )
    again = worth(up, first, rules)
    assert found is not None
    if found.error:
        assert -3 * found.error < found.value - again < LOOKING
    else:
        assert found.value == pytest.approx(again, abs=1e-12)


@pytest.mark.prove
def test_ev_of_an_insured_hand_equals_a_second_calculation() -> None:
    """A ten against an ace, with insurance at 5:1."""
    left = less(less(PACK, 1), 10)
    fresh, dealt = Fresh(10, 1, left, False), two_deck_edges.deal_two_cards(1, 10, False)
    found = dealt.best_gain(USUAL, 6.0, -9.0)
    assert found is not None
    assert not found.error
    assert found.value == pytest.approx(fresh.best(USUAL, 6.0)[0], abs=1e-12)
    rules = Rules(insurance=Odds(5))
    insured = two_deck_edges.deal_value(dealt, rules, {})
    chance = float(finals(1, False, False, np.array([left], np.float64))[31][0])
    plain = fresh.best(USUAL)[0]
    assert insured.value == pytest.approx(max(plain, found.value + 6 * chance - 1))
