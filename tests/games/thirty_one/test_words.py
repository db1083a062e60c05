"""The texts of a table of Hit Me, with and without drawn cards, and the deck file."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.games.thirty_one.tables import ENOUGH, dealt
from tests.helpers.parameter_ids import value_id
from tui_casino.cards.card import format_cards, parse_hand
from tui_casino.cards.text_art import CardSize, GlyphSet, fan_as_text
from tui_casino.games.thirty_one.face import command, words
from tui_casino.games.thirty_one.face.table_catalog import read_deck
from tui_casino.games.thirty_one.machine import game
from tui_casino.games.thirty_one.machine.rules import Odds, Rules, Total
from tui_casino.games.thirty_one.machine.state import DEALER, CardDealt, Options, TurnAsked
from tui_casino.inputs.files import BadFile


@pytest.mark.parametrize(
    ("total", "said"),
    [
        (Total(14), "hard 14"),
        (Total(21, 1), "soft 21"),
        (Total(22, 2), "soft 22, two aces at 11"),
        (Total(31), "31"),
        (Total(31, 1), "31"),
        (Total(33), "33, bust"),
    ],
    ids=value_id,
)
def test_hit_me_totals_are_described_as_hard_soft_or_bust(total: Total, said: str) -> None:
    assert words.say_total(total) == said


@pytest.mark.parametrize(
    ("cards", "moves", "said"),
    [
        ("9C TD KH TS 5C", "hhh", "Bust with 34: you lose 20.00"),
        ("9C TD 5H KD TS", "hs", "Your 14 wins, the dealer missed 31: you win 20.00"),
        ("9C TD 5H KD AD", "hs", "The dealer's 31 beats your 14: you lose 20.00"),
        ("9C TD 4D", "s", "The dealer has 14: you lose 20.00"),
        ("9C TD KD 6S 6D", "s", "The dealer is bust with 32: you win 20.00"),
        ("9C TD KH TS KD 8S", "hhs", "29 against 28: you win 20.00"),
        ("9C TD KH TS KD 9S", "hhs", "29 each: a push"),
    ],
)
def test_hit_me_result_says_why_a_hand_won_or_lost(cards: str, moves: str, said: str) -> None:
    table = dealt(cards + ENOUGH)
    told = table.play("b", *moves)
    assert said in told
    assert told[told.index(said) + 1].startswith("Your credit is ")


def test_split_hands_are_numbered_and_insurance_is_reported() -> None:
    table = dealt("9C AD 9H 5S 9S KD 7D 3D" + ENOUGH)
    told = table.play("b", "i", "h", "p", "s", "s")
    assert told[told.index("Hand 1 stands on 14") + 1] == "Now hand 2"
    assert told[-4:] == [
        "Hand 1: The dealer's 31 beats your 14: you lose 20.00",
        "Hand 2: 18 against 28: you lose 20.00",
        "Insured against 31: you win 20.00",
        "Your credit is 980.00",
    ]


def test_message_reports_a_lost_insurance() -> None:
    table = dealt("9C AD TS 9D" + ENOUGH)
    told = table.play("b", "i", "s")
    assert "The dealer missed 31: the insurance of 20.00 is lost" in told


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("h 1", "h: type nothing after h"),
        ("i", "i: the dealer shows no ace"),
        ("b", "b: the round has begun: h hits, s stands"),
        ("x", "there is no command 'x'; type ? for help"),
        ("$ now", "$: type nothing after $"),
    ],
)
def test_refused_hit_me_command_says_what_would_be_accepted(word: str, said: str) -> None:
    table = dealt("9C TD" + ENOUGH)
    table.play("b")
    assert table.refused(word) == said


def test_dollar_sign_shows_credit_and_stake() -> None:
    table = dealt("9C TD" + ENOUGH)
    assert table.answer("$") == ["Your credit is 1,000.00"]
    table.play("b 50")
    assert table.answer("$") == ["Your credit is 950.00, 50.00 at stake"]


@pytest.mark.parametrize(
    ("rules", "told"),
    [
        (Rules(), "  d      double: one last card"),
        (Rules(dealer_hits_soft=True), "and hits a soft 27"),
        (Rules(double_two_cards=True), "one last card, only on two cards"),
        (Rules(double_after_split=False), "one last card, not after a split"),
        (Rules(split_same_rank=True), "two cards of the same rank"),
        (
            Rules(double_two_cards=True, double_after_split=False),
            "only on two cards, not after a split",
        ),
        (Rules(insurance=Odds(43, 10)), "pays 43:10"),
    ],
    ids=value_id,
)
def test_hit_me_help_states_the_rules_and_fits_its_width(rules: Rules, told: str) -> None:
    text = words.help(game.start(Options(rules)))
    assert told in text
    assert max(map(len, text.split("\n"))) <= 70
    assert len(text.split("\n")) < 22


# ---- pictures ------------------------------------------------------------------------------------


def test_covered_card_takes_3_columns_and_a_covered_ten_4() -> None:
    lines = fan_as_text(parse_hand("TS 4H KS"), CardSize.SMALL, GlyphSet.ASCII)
    assert {len(line) for line in lines} == {4 + 3 + 7}


def test_hand_of_the_dealer_is_drawn_next_to_the_players() -> None:
    event = TurnAsked(0, (parse_hand("7S 7D"),), parse_hand("9H"))
    assert command.card_art_lines(event, None) == (
        "Dealer: hard 9   You: hard 14",
        ".-----.          .--.-----.",
        "|9h   |          |7s|7d   |",
        "|  h  |          |  |  d  |",
        "|   h9|          |  |   d7|",
        "'-----'          '--'-----'",
        "Stand on 14: only a dealer's 31 beats it (s)",
    )
    assert command.card_art_lines(CardDealt(DEALER, parse_hand("9H"), 1), None) == ()


def test_wide_hands_are_drawn_below_each_other() -> None:
    event = TurnAsked(0, (parse_hand("AS " * 12), parse_hand("AS " * 12)), parse_hand("9H"))
    drawn = command.card_art_lines(event, None)
    assert max(map(len, drawn)) < 80
    assert sum(line.startswith(("Dealer", "Hand")) for line in drawn) == 2


# ---- the deck file and the command line ----------------------------------------------------------


def test_cards_of_a_deck_file_get_suits_in_turn(tmp_path: Path) -> None:
    deck = tmp_path / "deck.txt"
    deck.write_text("1 11 12\n\t13  10\n9 9 9 9 9 9 9 9 9 9\n")
    assert format_cards(read_deck(deck)).startswith("AC JD QH KS TC 9D 9H 9S 9C")
    assert len(read_deck(deck)) == 15


@pytest.mark.parametrize(
    ("text", "place", "named"),
    [
        ("1 2\n 14", "2:2", "'14' is not a card"),
        ("0", "1:1", "'0'"),
        ("-1", "1:1", "'-1'"),
        ("7 7\n7 seven", "2:3", "'seven'"),
        ("1.5", "1:1", "'1.5'"),
        ("AS", "1:1", "'AS'"),
        ("٣", "1:1", "'٣'"),
        ("9" * 5000, "1:1", "not a card"),
        ("", "1:1", "there are no cards"),
        (" \n\n", "1:1", "there are no cards"),
    ],
)
def test_invalid_deck_file_is_refused_with_its_position(
    text: str, place: str, named: str, tmp_path: Path
) -> None:
    deck = tmp_path / "deck.txt"
    deck.write_text(text)
    with pytest.raises(BadFile) as refused:
        read_deck(deck)
    assert str(refused.value).startswith(f"{deck}:{place}: ")
    assert named in str(refused.value)
    assert "from 1 (ace) to 13 (king)" in str(refused.value)
