"""The computer's algorithm: each step, its special cases, and the course's own examples."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice, permutations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tui_casino.cards import hand_indexing
from tui_casino.cards.card import PACK, SUITS, Card, Hand, Suit, format_cards, parse_hand
from tui_casino.games.five_card_draw.brains.players import AlgorithmDecision, AlgorithmStep, decide
from tui_casino.games.five_card_draw.machine.rules import Positions, fault_of, kept_cards

HANDS = st.permutations(PACK).map(lambda pack: tuple(pack[:5]))

CASES = {
    AlgorithmStep.PAIR_OR_BETTER: {
        "one pair": ("9C KD 9S 4H 2C", "9C 9S"),
        "a pair of twos, with an ace": ("2C KD 2S 4H AC", "2C 2S"),
        "two pair": ("9C KD 9S KH 2C", "9C KD 9S KH"),
        "three of a kind": ("9C KD 9S 9H 2C", "9C 9S 9H"),
        "four of a kind loses its fifth card": ("9C 9D 9S 9H AC", "9C 9D 9S 9H"),
        "a straight": ("9C 8D 7S 6H 5C", "9C 8D 7S 6H 5C"),
        "a straight from the ace": ("AC 2D 3S 4H 5C", "AC 2D 3S 4H 5C"),
        "a straight to the ace": ("AC KD QS JH TC", "AC KD QS JH TC"),
        "a straight with four of a suit": ("9C 8C 7C 6C 5D", "9C 8C 7C 6C 5D"),
        "a flush": ("9C 3C 7C KC AC", "9C 3C 7C KC AC"),
        "a flush with four in sequence": ("9C 8C 7C 6C 2C", "9C 8C 7C 6C 2C"),
        "a full house": ("9C 9D 9S KH KC", "9C 9D 9S KH KC"),
        "a straight flush": ("9C 8C 7C 6C 5C", "9C 8C 7C 6C 5C"),
        "a pair and four of a suit": ("9C 3C 7C KC 9D", "9C 9D"),
        "a pair and four in sequence": ("9C 8D 7S 6H 6C", "6H 6C"),
        "a pair and four to a straight flush": ("9C 8C 7C 6C 6D", "6C 6D"),
    },
    AlgorithmStep.FOUR_OF_A_SUIT: {
        "four of a suit": ("9C 3C 7D KC 2C", "9C 3C KC 2C"),
        "four of a suit, the fifth an ace": ("9C 3C AD KC 2C", "9C 3C KC 2C"),
        "four of a suit, an ace among them": ("AC 3C 7D KC 2C", "AC 3C KC 2C"),
        "four of a suit in sequence": ("9C 8C 7C 6C 2D", "9C 8C 7C 6C"),
        "four of a suit, another four in sequence": ("9C 8C 7C 6D 2C", "9C 8C 7C 2C"),
    },
    AlgorithmStep.FOUR_IN_SEQUENCE: {
        "four in sequence, the high end out": ("KC 8D 7S 6H 5C", "8D 7S 6H 5C"),
        "four in sequence, the low end out": ("8D 2C 7S 9H TC", "8D 7S 9H TC"),
        "four in sequence, the ace out": ("AC 8D 7S 6H 5C", "8D 7S 6H 5C"),
        "A-2-3-4": ("4C AD KS 3H 2C", "4C AD 3H 2C"),
        "J-Q-K-A": ("KC AD 2S JH QC", "KC AD JH QC"),
        "2-3-4-5 and no ace": ("2C 5D KS 3H 4C", "2C 5D 3H 4C"),
        "T-J-Q-K and no ace": ("TC KD 2S QH JC", "TC KD QH JC"),
        "the lowest hand, 7-5-4-3-2, is no sequence of four": ("7C 5D 4S 3H 2C", "5D 4S 3H 2C"),
    },
    AlgorithmStep.ACE: {
        "an ace": ("9C AD 7S 4H 2C", "AD"),
        "an ace and three of a suit with it": ("9C AC 7C 4H 2D", "AC"),
        "K-A-2-3 is no sequence": ("KC AD 2S 3H 9C", "AD"),
        "Q-K-A-2 is no sequence": ("QC KD AS 2H 9C", "AS"),
        "A-2-3-5 is a straight draw, but no sequence": ("AC 2D 3S 5H 9C", "AC"),
        "A-K-Q-T is a straight draw, but no sequence": ("AC KD QS TH 9C", "AC"),
    },
    AlgorithmStep.TWO_HIGHEST: {
        "the two highest": ("9C 3D KS 4H 2C", "9C KS"),
        "the two highest: a king over a queen": ("QC KD 9S 4H 2C", "QC KD"),
        "the two highest: ten over nine": ("9C 3D TS 4H 2C", "9C TS"),
        "the lowest hand with no draw": ("7C 6D 4S 3H 2C", "7C 6D"),
        "6-7-8-T is a straight draw, but no sequence": ("6C 7D 8S TH 2C", "8S TH"),
    },
}


@pytest.mark.parametrize(
    ("step", "dealt", "keeps"),
    [
        pytest.param(step, dealt, keeps, id=name)
        for step, cases in CASES.items()
        for name, (dealt, keeps) in cases.items()
    ],
)
def test_course_algorithm_keeps_the_expected_cards_by_the_expected_step(
    step: AlgorithmStep, dealt: str, keeps: str
) -> None:
    for order in islice(permutations(parse_hand(dealt)), 0, None, 7):
        decision = decide(order)
        assert decision.step is step
        assert set(kept_cards(order, decision.discards)) == set(parse_hand(keeps))
        assert fault_of(order, decision.discards) is None


def test_discard_positions_refer_to_the_hand_as_dealt() -> None:
    assert decide(parse_hand("9C 3D KS 4H 2C")) == AlgorithmDecision(
        AlgorithmStep.TWO_HIGHEST, (2, 4, 5)
    )
    assert decide(parse_hand("9C 3D AS 5H 2C")) == AlgorithmDecision(
        AlgorithmStep.ACE, (1, 2, 4, 5)
    )
    assert decide(parse_hand("9C 8D 7S 6H 5C")) == AlgorithmDecision(
        AlgorithmStep.PAIR_OR_BETTER, ()
    )


def test_course_algorithm_steps_have_the_prescribed_order_and_words() -> None:
    assert [step.words for step in AlgorithmStep] == [
        "one pair or better",
        "four of a suit",
        "four in sequence",
        "an ace",
        "the two highest",
    ]


# ---- the course's words once more, on texts alone ---------------------------------------------

ORDER = "23456789TJQKA"
STRAIGHTS = [set(("A" + ORDER)[low : low + 5]) for low in range(10)]
SEQUENCES = [set(("A" + ORDER)[low : low + 4]) for low in range(11)]


def by_the_course(dealt: Hand) -> tuple[int, Positions]:
    """Return the number of the course's step that applies, and its discards."""
    texts = [str(card) for card in dealt]
    ranks = [text[0] for text in texts]
    suits = [text[1] for text in texts]
    if set(ranks) in STRAIGHTS or len(set(suits)) == 1:
        return 1, ()
    if len(set(ranks)) < 5:
        return 1, places(ranks.count(rank) == 1 for rank in ranks)
    for suit in "CDHS":
        if suits.count(suit) == 4:
            return 2, places(other != suit for other in suits)
    for four in SEQUENCES:
        if four <= set(ranks):
            return 3, places(rank not in four for rank in ranks)
    if "A" in ranks:
        return 4, places(rank != "A" for rank in ranks)
    lower = sorted(ranks, key=ORDER.index)[:3]
    return 5, places(rank in lower for rank in ranks)


def places(thrown: Iterable[bool]) -> Positions:
    return tuple(place for place, gone in enumerate(thrown, 1) if gone)


def assert_as_the_course_says(dealt: Hand) -> None:
    decision = decide(dealt)
    found = list(AlgorithmStep).index(decision.step) + 1, decision.discards
    assert found == by_the_course(dealt), format_cards(dealt)


@given(HANDS)
def test_decision_of_the_algorithm_equals_the_course_rules(dealt: Hand) -> None:
    assert_as_the_course_says(dealt)


@pytest.mark.prove
def test_decisions_of_the_algorithm_for_all_classes_equal_the_course_rules() -> None:
    random = Random("every class")
    for cards in hand_indexing.hand_classes().cards.T.tolist():
        assert_as_the_course_says(tuple(PACK[card] for card in random.sample(cards, 5)))


# ---- what holds of every decision ------------------------------------------------------------


@given(HANDS)
def test_discards_of_the_course_algorithm_are_always_allowed(dealt: Hand) -> None:
    assert fault_of(dealt, decide(dealt).discards) is None


@given(HANDS, st.permutations(range(5)), st.permutations(SUITS))
def test_cards_kept_by_the_algorithm_do_not_depend_on_order_or_suits(
    dealt: Hand, order: list[int], suits: list[Suit]
) -> None:
    def keeps(cards: Hand) -> set[Card]:
        return set(kept_cards(cards, decide(cards).discards))

    assert keeps(tuple(dealt[place] for place in order)) == keeps(dealt)

    def renamed(card: Card) -> Card:
        return Card(card.rank, suits[card.suit - 1])

    assert keeps(tuple(map(renamed, dealt))) == set(map(renamed, keeps(dealt)))


@pytest.mark.parametrize("text", ["", "AC KC QC JC", "AC AC KD 4S 3H", "?? KC QC JC 9C"])
def test_anything_but_five_different_cards_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="five different cards"):
        decide(parse_hand(text))
