"""Scoring in bulk, against the rules one by one, and both against another scorer."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from random import Random

import numpy as np
import pytest
from msgspec import Struct

from tests.build_data.cribbage.show_points import evaluated_points
from tests.helpers.parameter_ids import value_id
from tui_casino.cards.card import PACK, Hand, Suit
from tui_casino.games.cribbage.brains.bulk_show_points import points_of_hands
from tui_casino.games.cribbage.brains.show_points import (
    CARD_CLASSES,
    FILE,
    RANK_CLASSES,
    SUIT_AND_JACK_CLASSES,
    points_by_starter,
    rules_of_classes,
    unclassified_rules,
)
from tui_casino.games.cribbage.machine.rules import ACC, RULE_SETS, TRAINER, points_of, show_scores
from tui_casino.games.cribbage.machine.scoring import Flush, Pairs, Score, ShowHand, ShowRule
from tui_casino.structs import replace

HANDS = [tuple(Random(number).sample(PACK, 5)) for number in range(5_000)]
CARDS = np.array([[card.index for card in hand] for hand in HANDS]).T


class RedPips(Struct, frozen=True):
    """A rule that needs all of a card: a point if the last of the hand is a red card up to six."""

    def scores(self, shown: ShowHand, /) -> Iterator[Score]:
        card = shown.hand[-1]
        if card.rank <= 6 and card.suit in (Suit.DIAMONDS, Suit.HEARTS):
            yield Score("red", 1 + shown.crib, (card,))


class SpadesAlone(Flush, frozen=True):
    """A flush that looks at more than its parent."""

    def scores(self, shown: ShowHand, /) -> Iterator[Score]:
        return (score for score in Flush.scores(self, shown) if score.cards[0].suit is Suit.SPADES)


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
        assert not unclassified_rules(rules)
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


@pytest.mark.parametrize("rule", [RedPips(), SpadesAlone()], ids=value_id)
def test_show_rule_without_a_card_class_is_evaluated_hand_by_hand(rule: ShowRule) -> None:
    rules = replace(TRAINER, name="own", show=(*TRAINER.show, rule))
    assert unclassified_rules(rules) == (rule,)
    for crib in (False, True):
        expected = [points_of(show_scores(hand[:4], hand[4], rules, crib)) for hand in HANDS[:500]]
        assert points_of_hands(CARDS[:, :500], rules, crib).tolist() == expected
    for *kept, starter in HANDS[:50]:
        points = points_of(show_scores(tuple(kept), starter, rules))
        assert points_by_starter(tuple(kept), [starter], rules) == {starter: points}


def test_each_jack_has_its_own_card_class_for_show_rules() -> None:
    assert sorted(set(SUIT_AND_JACK_CLASSES.of_card)) == list(range(8))
    assert len({SUIT_AND_JACK_CLASSES.of_card[card.index] for card in PACK if card.rank == 11}) == 4
