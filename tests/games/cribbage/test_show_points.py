"""Scoring in bulk, against the rules one by one, and both against another scorer."""

from __future__ import annotations

import json
from functools import cache
from importlib import import_module
from random import Random

import numpy as np
import pytest

from tests.build_data.cribbage.show_points import evaluated_points
from tui_casino.cards.card import PACK, Hand
from tui_casino.games.cribbage.brains.bulk_points import points_of_hands
from tui_casino.games.cribbage.brains.show_points import (
    CARD_CLASSES,
    FILE,
    RANK_CLASSES,
    SUIT_AND_JACK_CLASSES,
    rules_of_classes,
)
from tui_casino.games.cribbage.machine.rules import ACC, RULE_SETS, TRAINER, points_of, show_scores
from tui_casino.games.cribbage.machine.scoring import Pairs, ShowHand, ShowRule
from tui_casino.structs import replace

HANDS = [tuple(Random(number).sample(PACK, 5)) for number in range(5_000)]
CARDS = np.array([[card.index for card in hand] for hand in HANDS]).T


@cache
def one_by_one(hand: Hand, name: str, crib: bool) -> int:
    return points_of(show_scores(hand[:4], hand[4], RULE_SETS[name], crib))


@pytest.mark.parametrize(
    ("name", "crib"),
    [("acc", False), ("acc", True), ("trainer", True)],
    ids=["acc hand", "acc crib", "trainer crib"],
)
def test_points_of_hands_scored_in_bulk_equal_single_scores(name: str, crib: bool) -> None:
    expected = [one_by_one(hand, name, crib) for hand in HANDS[:1_000]]
    assert points_of_hands(CARDS[:, :1_000], RULE_SETS[name], crib).tolist() == expected


@pytest.mark.parametrize(("crib", "hands"), [(False, 5_000), (True, 1_500)], ids=["hand", "crib"])
def test_acc_show_points_equal_those_of_the_cribbage_scorer_package(crib: bool, hands: int) -> None:
    other = import_module("cribbage_scorer.cribbage_scorer").show_calc_score
    bulk = points_of_hands(CARDS, ACC, crib).tolist()
    for hand, points in list(zip(HANDS, bulk, strict=True))[:hands]:
        *kept, starter = [(int(card.rank), card.suit.letter) for card in hand]
        assert other(starter, kept, crib)[0] == points == one_by_one(hand, "acc", crib)


def test_shipped_tables_of_show_points_equal_points_by_the_rules() -> None:
    """The tables themselves are compared with another scorer above."""
    assert json.loads(FILE.read_text(encoding="utf-8")) == evaluated_points()


def test_show_points_of_changed_rules_are_computed_instead_of_looked_up() -> None:
    one_point_pairs = replace(ACC, show=(Pairs((1, 3, 6)),))
    cards = np.array([[0], [13], [1], [14], [39]])  # A A A, 2 2
    assert points_of_hands(cards, one_point_pairs).tolist() == [3 + 1]


def test_bulk_scores_of_flushes_and_jacks_equal_single_scores() -> None:
    random = Random("flushes")
    hands = []
    for suit in range(4):
        for _ in range(60):
            kept = [PACK[13 * suit + rank] for rank in random.sample(range(13), 4)]
            starter = random.choice([card for card in PACK if card not in kept])
            hands.append((*kept, starter))
    cards = np.array([[card.index for card in hand] for hand in hands]).T
    for name, rules in RULE_SETS.items():
        for crib in (False, True):
            expected = [one_by_one(hand, name, crib) for hand in hands]
            assert points_of_hands(cards, rules, crib).tolist() == expected


def test_every_shipped_show_rule_has_a_card_class() -> None:
    for rules in RULE_SETS.values():
        assert sum(len(rules_of_classes(look, rules)) for look in CARD_CLASSES) == len(rules.show)


@pytest.mark.parametrize("crib", [False, True], ids=["hand", "crib"])
def test_show_rule_scores_the_same_for_cards_of_the_same_class(crib: bool) -> None:
    """Other cards of the same kinds, in any order that the look allows, score the same."""
    random = Random("looks")
    for rules in RULE_SETS.values():
        for look in CARD_CLASSES:
            for hand in HANDS[:400]:
                kinds = [look.of_card[card.index] for card in hand]
                likes = [[c for c in PACK if look.of_card[c.index] == kind] for kind in kinds]
                other: list[int] = []
                for like in likes:
                    other.append(random.choice([c.index for c in like if c.index not in other]))
                moved = other[: look.alike]
                random.shuffle(moved)
                other[: look.alike] = moved
                for rule in rules_of_classes(look, rules):
                    assert worth(rule, hand, crib) == worth(
                        rule, tuple(PACK[index] for index in other), crib
                    )


def worth(rule: ShowRule, hand: Hand, crib: bool) -> int:
    return points_of(tuple(rule.scores(ShowHand(hand[:4], hand[4], crib))))


def test_show_rules_about_ranks_score_the_same_in_hand_and_crib() -> None:
    assert not RANK_CLASSES.crib
    for hand in HANDS[:400]:
        for rule in rules_of_classes(RANK_CLASSES, TRAINER):
            assert worth(rule, hand, False) == worth(rule, hand, True)


def test_each_jack_has_its_own_card_class_for_show_rules() -> None:
    assert sorted(set(SUIT_AND_JACK_CLASSES.of_card)) == list(range(8))
    assert len({SUIT_AND_JACK_CLASSES.of_card[card.index] for card in PACK if card.rank == 11}) == 4
