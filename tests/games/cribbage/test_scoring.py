"""Every way to score, in the play and at the show, by its name."""

from __future__ import annotations

import inspect
from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct

from tests.helpers.parameter_ids import value_id
from tui_casino.cards.card import PACK, Card, Hand, parse_hand
from tui_casino.games.cribbage.machine.rules import (
    ACC,
    RULE_SETS,
    TRAINER,
    last_scores,
    may_lay,
    play_scores,
    points_of,
    show_scores,
    starter_scores,
)
from tui_casino.games.cribbage.machine.scoring import (
    Flush,
    Pairs,
    PlayRun,
    Runs,
    Score,
    ShowHand,
    bracketed,
    total_of,
    value_of,
)
from tui_casino.structs import replace


def score_lines(scores: tuple[Score, ...]) -> list[str]:
    """Scores as the log has them: points, kind, cards."""
    return [f"{score.points},{score.kind},{bracketed(score.cards)}" for score in scores]


def show_lines(cards: str, starter: str, crib: bool = False) -> list[str]:
    return score_lines(show_scores(parse_hand(cards), Card.parse(starter), TRAINER, crib))


def laid(cards: str) -> list[tuple[int, str]]:
    return [(score.points, score.kind) for score in play_scores(parse_hand(cards), TRAINER)]


def test_cribbage_card_values_are_1_for_an_ace_and_10_for_court_cards() -> None:
    assert [*map(value_of, parse_hand("AS 2S 9S TS JS QS KS"))] == [1, 2, 9, 10, 10, 10, 10]


# ---- the starter -------------------------------------------------------------------------------


def test_jack_as_starter_scores_two() -> None:
    assert score_lines(starter_scores(Card.parse("JH"), TRAINER)) == ["2,starter,[JH]"]


def test_starter_that_is_not_a_jack_scores_nothing() -> None:
    assert not any(starter_scores(card, TRAINER) for card in PACK if card.rank.letter != "J")


# ---- the play ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cards", "scores"),
    [
        ("5S", []),
        ("7S 8H", [(2, "fifteen")]),
        ("KS QH AD TC", [(2, "thirtyone")]),
        ("6S 4H 5D", [(2, "fifteen"), (3, "run3")]),
        ("6S 4H 3D", []),
        ("2S 4H 3D 5C", [(4, "run4")]),
        ("AS 3H 2D 5C 4S", [(2, "fifteen"), (5, "run5")]),
        ("2S 4H 6D AC 3S 5D", [(6, "run6")]),
        ("2S 4H 6D AC 3S 5D 7H", [(7, "run7")]),
        ("9S 2D 3H 4C", [(3, "run3")]),
        ("9S 9H", [(2, "pair2")]),
        ("5S 5H 5D", [(2, "fifteen"), (6, "pair3")]),
        ("6S 6H 6D", [(6, "pair3")]),
        ("6S 6H 6D 6C", [(12, "pair4")]),
        ("KS QH JD", [(3, "run3")]),
        ("KS QH AD", []),  # an ace is low
        ("QS KH", []),  # a pair is of a rank, not of a value
        ("6S 2H 6D", []),  # a pair needs consecutive cards
        ("5S 4D 3C 3H", [(2, "fifteen"), (2, "pair2")]),
        ("2S 3H", []),
        ("2S 3H 3D", [(2, "pair2")]),
        ("2S 3H 3D 4C", []),  # a pair breaks a run
        ("4S 4H 3D 2C", [(3, "run3")]),  # which starts with the second card of the pair
        ("2S 4H 3D", [(3, "run3")]),
        ("2S 4H 3D AC", [(4, "run4")]),  # a run is scored again by each card that extends it
        ("2S 4H 3D 2C", [(3, "run3")]),  # 4 3 2; the first 2 stands outside
        ("9S 7H 4D 5C 6S", [(2, "thirtyone"), (4, "run4")]),
    ],
    ids=value_id,
)
def test_last_card_of_a_segment_scores_the_expected_combinations(
    cards: str, scores: list[tuple[int, str]]
) -> None:
    assert laid(cards) == scores


def test_last_card_of_the_play_scores_one_point() -> None:
    assert score_lines(last_scores(parse_hand("KS QH 9D"), TRAINER)) == ["1,go,[9D]"]


def test_last_card_that_makes_31_scores_no_point_for_the_go() -> None:
    assert last_scores(parse_hand("KS QH JD AC"), TRAINER) == ()


def test_card_may_be_played_only_if_the_total_stays_at_31_or_below() -> None:
    assert may_lay(Card.parse("AS"), parse_hand("KS QH JD"))
    assert not may_lay(Card.parse("2S"), parse_hand("KS QH JD"))


# ---- the show ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cards", "starter", "scores"),
    [
        ("2H 4S 6D KC", "8S", []),
        ("2H 7C QD KH", "8H", ["2,fifteen,[7C,8H]"]),
        ("JS QC KC 2C", "8H", ["3,run3,[JS,QC,KC]"]),
        ("JS QC KC TC", "2H", ["4,run4,[TC,JS,QC,KC]"]),
        ("9D JS QC KC", "TH", ["5,run5,[9D,TH,JS,QC,KC]"]),
        ("AD AH TD QH", "8H", ["2,pair2,[AD,AH]"]),
        ("AD AH AS QH", "8H", ["6,pair3,[AD,AH,AS]"]),
        ("AD AH AS QH", "AC", ["12,pair4,[AC,AD,AH,AS]"]),
        ("2C 4C 6C 8C", "QH", ["4,flush4,[2C,4C,6C,8C]"]),
        ("2C 4C 6C 8C", "QC", ["5,flush5,[2C,4C,6C,8C,QC]"]),
        ("2C 4C 6C 8H", "QC", []),  # four of a suit, but one of them the starter
        ("2C 4D 8D JH", "QH", ["1,jack,[JH]"]),
        ("2C 4D 8D JC", "QH", []),
        ("2C 4D 8D QC", "JC", []),  # the starter itself is no jack of the hand
        ("AD QH KC 3D", "8H", []),  # an ace is low, no run goes round the king
    ],
    ids=value_id,
)
def test_hand_with_starter_scores_the_expected_combinations_at_the_show(
    cards: str, starter: str, scores: list[str]
) -> None:
    assert show_lines(cards, starter) == scores


def test_fifteens_are_listed_in_printed_order() -> None:
    fives = ["[5C,5D,5H]", "[5C,5D,5S]", "[5C,5H,5S]", "[5C,JD]", "[5D,5H,5S]"]
    assert show_lines("5C 5D 5S JD", "5H") == [
        *(f"2,fifteen,{combination}" for combination in fives),
        *(f"2,fifteen,[{five},JD]" for five in ("5D", "5H", "5S")),
        "12,pair4,[5C,5D,5H,5S]",
    ]


def test_printed_order_puts_jacks_before_tens() -> None:
    scores = ["[2S,3S,JC]", "[2S,3S,TH]"]
    assert show_lines("2S 3S TH JC", "7H") == [f"2,fifteen,{combination}" for combination in scores]


def test_hand_of_three_fives_and_a_jack_with_the_fourth_five_scores_29() -> None:
    best = show_scores(parse_hand("5C 5D 5S JH"), Card.parse("5H"), TRAINER)
    assert points_of(best) == 29
    assert Counter(score.kind for score in best) == {"fifteen": 8, "pair4": 1, "jack": 1}


def test_only_the_longest_runs_score_and_each_has_a_line() -> None:
    assert show_lines("3C 4D 5S 6H", "6D") == [
        *(f"2,fifteen,{cards}" for cards in ("[3C,6D,6H]", "[4D,5S,6D]", "[4D,5S,6H]")),
        "4,run4,[3C,4D,5S,6D]",
        "4,run4,[3C,4D,5S,6H]",
        "2,pair2,[6D,6H]",
    ]


def test_double_double_run_at_the_show_scores_16() -> None:
    assert show_lines("7C 7D 9S 9H", "8D") == [
        "2,fifteen,[7C,8D]",
        "2,fifteen,[7D,8D]",
        *(f"3,run3,[{low},8D,{high}]" for low in ("7C", "7D") for high in ("9H", "9S")),
        "2,pair2,[7C,7D]",
        "2,pair2,[9H,9S]",
    ]


def test_categories_come_in_the_order_of_the_source() -> None:
    assert show_lines("TC JC QC 5C", "5H") == [
        *(f"2,fifteen,[5{suit},{high}]" for suit in "CH" for high in ("JC", "QC", "TC")),
        "3,run3,[TC,JC,QC]",
        "2,pair2,[5C,5H]",
        "4,flush4,[5C,TC,JC,QC]",
    ]


@pytest.mark.parametrize(
    ("cards", "scores"),
    [("2C 4D 8D JH", ["1,jack,[JH]"]), ("2C 4C 6C 8C", ["4,flush4,[2C,4C,6C,8C]"])],
    ids=["the right jack", "four of a suit"],
)
def test_trainer_rules_score_a_flush_of_four_also_in_the_crib(
    cards: str, scores: list[str]
) -> None:
    assert show_lines(cards, "QH", crib=True) == scores


def test_acc_rules_score_only_a_flush_of_five_in_the_crib() -> None:
    four, queen = parse_hand("2C 4C 6C 8C"), Card.parse("QH")
    assert show_scores(four, queen, ACC, crib=True) == ()
    assert score_lines(show_scores(four, queen, ACC)) == ["4,flush4,[2C,4C,6C,8C]"]
    five = show_scores(four, Card.parse("QC"), ACC, crib=True)
    assert score_lines(five) == ["5,flush5,[2C,4C,6C,8C,QC]"]


five_cards = st.lists(st.sampled_from(PACK), min_size=5, max_size=5, unique=True)


def points_by_formula(cards: Hand, starter: Card) -> int:
    """Another way to count a hand: by rank counts, with products for the runs."""
    five = [*cards, starter]
    ranks = Counter(card.rank.value for card in five)
    values = [min(card.rank.value, 10) for card in five]
    points = 2 * sum(
        sum(chosen) == 15 for size in range(2, 6) for chosen in combinations(values, size)
    )
    points += sum(count * (count - 1) for count in ranks.values())
    start = 1
    while start < 14:
        end, ways = start, 1
        while ranks[end]:
            ways *= ranks[end]
            end += 1
        points += ways * (end - start) if end - start >= 3 else 0
        start = end + 1
    if len({card.suit for card in cards}) == 1:
        points += 4 + (starter.suit == cards[0].suit)
    return points + any(c.rank.letter == "J" and c.suit == starter.suit for c in cards)


@given(five_cards)
def test_points_of_a_hand_at_the_show_equal_a_formula(five: list[Card]) -> None:
    *four, starter = five
    scores = show_scores(tuple(four), starter, TRAINER)
    assert points_of(scores) == points_by_formula(tuple(four), starter)


@given(five_cards, st.booleans())
def test_every_score_shows_cards_of_the_hand_ascending(five: list[Card], crib: bool) -> None:
    *four, starter = five
    for rules in RULE_SETS.values():
        for score in show_scores(tuple(four), starter, rules, crib):
            assert set(score.cards) <= set(five)
            assert list(score.cards) == sorted(score.cards)
            assert score.points > 0


@given(st.permutations(PACK))
def test_every_score_in_the_play_contains_the_last_played_card(pack: list[Card]) -> None:
    segment: Hand = ()
    for card in pack[:8]:
        if may_lay(card, segment):
            segment = (*segment, card)
            for score in play_scores(segment, TRAINER):
                assert score.cards[-1] is card
    assert total_of(segment) <= 31


# ---- a variation -------------------------------------------------------------------------------


class Rainbow(Struct, frozen=True):
    """All four suits in the hand, as some houses score it: the opposite of a flush."""

    points: int = 2

    def scores(self, show_hand: ShowHand, /) -> Iterator[Score]:
        if len({card.suit for card in show_hand.hand}) == 4:
            yield Score("rainbow", self.points, tuple(sorted(show_hand.hand)))


def test_new_rule_needs_only_a_class_and_a_list_entry() -> None:
    house = replace(TRAINER, name="house", show=(*TRAINER.show, Rainbow()))
    four, starter = parse_hand("2C 4D 6H 8S"), Card.parse("QH")
    assert score_lines(show_scores(four, starter, house)) == ["2,rainbow,[2C,4D,6H,8S]"]
    assert show_scores(four, starter, TRAINER) == ()


def test_document_contains_the_source_of_the_example_rule() -> None:
    page = (Path(__file__).parents[3] / "docs" / "how-it-is-built.md").read_text(encoding="utf-8")
    assert inspect.getsource(Rainbow) in page


def test_custom_rules_can_change_the_points_of_a_run() -> None:
    house = replace(
        TRAINER, name="double", play=(PlayRun(points=2),), show=(Runs(points=2), Pairs())
    )
    assert score_lines(show_scores(parse_hand("2C 3D 4H 4S"), Card.parse("QH"), house)) == [
        "6,run3,[2C,3D,4H]",
        "6,run3,[2C,3D,4S]",
        "2,pair2,[4H,4S]",
    ]
    assert score_lines(play_scores(parse_hand("4C 2D 3H"), house)) == ["6,run3,[4C,2D,3H]"]


def test_rule_set_derived_from_another_has_its_own_name() -> None:
    assert (TRAINER.title, ACC.title) == ("trainer's", "ACC")
    assert replace(ACC, name="house").title == "house"


def test_rule_removed_from_a_rule_set_scores_nothing() -> None:
    no_flush = tuple(rule for rule in TRAINER.show if not isinstance(rule, Flush))
    house = replace(TRAINER, name="no-flush", show=no_flush)
    assert show_scores(parse_hand("2C 4C 6C 8C"), Card.parse("QC"), house) == ()
