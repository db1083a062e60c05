"""The printed lines of the table: hands before bets, ties, side pots, and names."""

from __future__ import annotations

import pytest

from tests.helpers.parameter_ids import value_id
from tui_casino.cards.card import BACK, parse_hand
from tui_casino.engine.game import Seat
from tui_casino.gamekit.words import QuestionContext
from tui_casino.games.five_card_draw.brains.players import NAMES
from tui_casino.games.five_card_draw.face.tally import begin
from tui_casino.games.five_card_draw.face.words import (
    course_lines,
    course_questions,
    help,
    lines,
    questions,
)
from tui_casino.games.five_card_draw.machine.game import start
from tui_casino.games.five_card_draw.machine.state import (
    HUMAN,
    Acted,
    Discarded,
    HandHeld,
    HandOver,
    HandShown,
    Options,
    Stakes,
)
from tui_casino.structs import replace


def test_message_names_your_dealt_hand_and_not_those_of_opponents() -> None:
    held = HandHeld(0, parse_hand("KC KD 6D 4C 3S"))
    assert lines(held, HUMAN) == ("Your hand is KC KD 6D 4C 3S: a pair of kings.",)
    assert lines(HandHeld(1, (BACK,) * 5), HUMAN) == ()


@pytest.mark.parametrize(
    ("over", "says"),
    [
        (HandOver((0,), (0, 0), (0, 0), shown=True), ["You win."]),
        (HandOver((1, 0), (0, 0), (0, 0), shown=True), ["You and Ada tie."]),
        (HandOver((2,), (5, 5, 5), (0, 0, 15), shown=True), ["Blaise wins 15."]),
        # seven credits next to the antes: the odd one goes left of the dealer
        (
            HandOver((1, 2, 0), (9, 9, 9, 5), (10, 11, 11, 0), shown=True),
            ["You, Ada and Blaise tie for 10 and 11 and 11."],
        ),
        # the best hand was all in, so the next best wins the side pot
        (
            HandOver((0,), (12, 22, 22), (36, 0, 20), shown=True),
            ["You win 36.", "Blaise gets 20 beyond the main pot."],
        ),
        (
            HandOver((1,), (22, 12, 22), (20, 36, 0), shown=True),
            ["Ada wins 36.", "You get 20 beyond the main pot."],
        ),
    ],
    ids=value_id,
)
def test_end_of_a_hand_names_winners_and_amounts(over: HandOver, says: list[str]) -> None:
    assert list(lines(over, HUMAN)) == says


@pytest.mark.parametrize(
    ("cards", "full"),
    [
        ("KC JD 9H 4C 2S", "High Card, king"),
        ("JC JD KD QS 9H", "One Pair, jacks"),
        ("KC KD TH TC 2S", "Two Pair, kings and tens"),
        ("3C 3D 3H KC 2S", "Three of a Kind, threes"),
        ("5C 4D 3H 2C AS", "Straight, five high"),
        ("KC TC 9C 4C 2C", "Flush, king high"),
        ("TC TD TH 4C 4S", "Full House, tens over fours"),
        ("9C 9D 9H 9S 2S", "Four of a Kind, nines"),
        ("9S 8S 7S 6S 5S", "Straight Flush, nine high"),
        ("AS KS QS JS TS", "Straight Flush, royal"),
    ],
)
def test_classic_table_names_the_category_of_a_hand(cards: str, full: str) -> None:
    event = HandShown(1, parse_hand(cards), "in other words")
    assert course_lines(event, HUMAN) == (f"Computer Player 1 has {cards}: {full}.",)


def test_advice_at_the_classic_table_names_hands_as_the_table_does() -> None:
    held = parse_hand("KC JD 9H 4C 2S")
    over = replace(start(Options(stakes=Stakes.NOTHING)), hands=(held, (), (), ()))
    question = QuestionContext(over, HUMAN, begin(HUMAN))
    assert course_questions["a"](question) == "You have High Card, king"
    assert questions["a"](question) == "You have king high"


def test_messages_use_the_given_names_of_the_players() -> None:
    assert lines(Discarded(1, (BACK,)), HUMAN, NAMES) == ("Ada has discarded 1 card.",)
    assert lines(Acted(2, "raise", 20), HUMAN, NAMES) == ("Blaise raises and puts in 20.",)
    assert lines(Acted(0, "raise", 20), HUMAN, NAMES) == ("You raise and put in 20.",)
    assert lines(Acted(0, "fold", 0), Seat(1)) == ("The first player folds.",)
    tie = HandOver((3, 0), (5, 0, 0, 5), (5, 0, 0, 5), shown=True)
    assert lines(tie, HUMAN, NAMES) == ("You and Carl tie for 5 and 5.",)


@pytest.mark.parametrize("stakes", Stakes)
def test_help_says_which_tables_have_bets(stakes: Stakes) -> None:
    text = help(start(Options(stakes=stakes)))
    assert ("only at fixed-limit tables" in text) is (stakes is not Stakes.LIMIT)
