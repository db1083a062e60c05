"""How cribbage speaks: the count aloud, what happened, refusals, questions, the tally."""

from __future__ import annotations

import pytest

from tests.games.cribbage.rounds import known, trainer
from tests.helpers.parameter_ids import value_id
from tui_casino.cards.card import Card, parse_hand
from tui_casino.engine.game import IllegalAction, Refusal, Seat
from tui_casino.games.cribbage import DEFINITION
from tui_casino.games.cribbage.face import words
from tui_casino.games.cribbage.face.counting import count_aloud, number_in_words
from tui_casino.games.cribbage.face.table_catalog import CribbageDialogue
from tui_casino.games.cribbage.face.tally import Tally, begin, table
from tui_casino.games.cribbage.machine.rules import TRAINER, show_scores
from tui_casino.games.cribbage.machine.scoring import Score
from tui_casino.games.cribbage.machine.state import (
    TRAINING,
    CountingMode,
    Discard,
    Event,
    GameOver,
    HandCounted,
    Options,
    Phase,
    RoundBegun,
    RoundOver,
    RoundPart,
    Scored,
    State,
)
from tui_casino.house.seat_dialogue import Dialogue

ME = Seat(0)


def counted(cards: str, starter: str) -> str:
    return count_aloud(show_scores(parse_hand(cards), Card.parse(starter), TRAINER))


@pytest.mark.parametrize(
    ("cards", "starter", "said"),
    [
        ("2H 4S 6D KC", "8S", "nothing"),
        ("2H 7C QD KH", "8H", "fifteen two"),
        ("AD AH TD QH", "8H", "a pair is two"),
        ("5D 7C 8S KD", "8C", "fifteen two, fifteen four, fifteen six, and a pair is eight"),
        ("7C 7D 8H JS", "KD", "fifteen two, fifteen four, and a pair is six"),
        ("2C 4C 6C 8C", "QC", "a flush of five is five"),
        ("2C 4D 8D JH", "QH", "the right jack is one"),
        (
            "5C 5D 5S JH",
            "5H",
            "fifteen two, fifteen four, fifteen six, fifteen eight, fifteen ten, fifteen twelve, "
            "fifteen fourteen, fifteen sixteen, four of a kind is twenty-eight, "
            "and the right jack is twenty-nine",
        ),
    ],
)
def test_cribbage_hand_is_counted_in_words(cards: str, starter: str, said: str) -> None:
    assert counted(cards, starter) == said


def test_custom_rule_is_called_by_its_name() -> None:
    assert count_aloud([Score("rainbow", 2, parse_hand("2C"))]) == "rainbow is two"


def test_numbers_below_100_are_written_as_words() -> None:
    said = [number_in_words(number) for number in (0, 1, 13, 20, 21, 29, 30, 99, 100)]
    assert said == [
        *("nothing", "one", "thirteen", "twenty", "twenty-one", "twenty-nine"),
        *("thirty", "ninety-nine", "100"),
    ]


@pytest.mark.parametrize(
    ("event", "said"),
    [
        (RoundBegun(1), "Your opponent deals and has the crib."),
        (RoundBegun(0), "You deal and have the crib."),
        (
            Scored(0, 5, 2, "pair2", parse_hand("QD QH"), RoundPart.PLAY),
            "You score 2 for a pair: 5.",
        ),
        (
            Scored(1, 2, 2, "starter", parse_hand("JH"), RoundPart.STARTER),
            "Your opponent scores 2 for a jack turned up: 2.",
        ),
        (
            Scored(1, 9, 3, "muggins", parse_hand("2C"), RoundPart.HAND),
            "Your opponent scores 3 for muggins: 9.",
        ),
        (RoundOver((7, 12)), "The round is over. You have 7. Your opponent has 12."),
        (GameOver(0, (121, 99), 1), "You win 121 to 99."),
        (GameOver(1, (88, 121), 2), "Your opponent wins 121 to 88 by a skunk."),
        (GameOver(1, (60, 121), 3), "Your opponent wins 121 to 60 by a double skunk."),
    ],
    ids=value_id,
)
def test_cribbage_events_are_described_with_the_expected_sentences(event: Event, said: str) -> None:
    assert words.lines(event, ME) == (said,)


@pytest.mark.parametrize(
    ("said", "line"),
    [
        (None, "You: fifteen two."),
        (2, "You: 2 is right (fifteen two)."),
        (0, "You: 0, 2 missed (fifteen two)."),
        (5, "You: 5, 3 too many (fifteen two)."),
    ],
)
def test_count_is_compared_with_the_true_score(said: int | None, line: str) -> None:
    fifteen = Score("fifteen", 2, parse_hand("7C 8H"))
    assert words.lines(HandCounted(0, (fifteen,), said), ME) == (line,)


def test_score_at_the_show_has_no_line_of_its_own() -> None:
    scored = Scored(0, 2, 2, "fifteen", parse_hand("7C 8H"), RoundPart.HAND)
    assert words.lines(scored, ME) == ()


# ---- a conversation ----------------------------------------------------------------------------


def dialogue(options: Options = TRAINING) -> CribbageDialogue:
    round = known("2H 4D 6S 8C TD KC", "3H 5D 7S 9C JD QC", "AS", options)
    return Dialogue(round.table, DEFINITION, ME)


def test_typed_card_numbers_mean_positions_in_the_hand_in_any_order() -> None:
    talk = dialogue()
    assert talk.answer("x 6 1") == ["You give 2H KC to the crib and keep 1) 4D 2) 6S 3) 8C 4) TD"]
    other = dialogue()
    other.answer("x 1 6")
    assert other.table.state == talk.table.state


def test_typed_number_without_a_command_plays_the_card_at_that_position() -> None:
    talk, other = dialogue(), dialogue()
    for played, line in ((talk, "2"), (other, "p 2")):
        played.answer("x 6 1")
        played.table.submit(Seat(1), Discard((1, 2)))
        played.answer(line)
    assert talk.table.state == other.table.state
    assert talk.table.state.laid
    assert talk.answer("9")[0].startswith("p: ")


@pytest.mark.parametrize("line", ["x", "x 1", "x 1 1", "x 1 2 3", "x 0 1", "x 1 7", "x a b"])
def test_invalid_discard_is_refused_with_the_valid_numbers(line: str) -> None:
    assert dialogue().answer(line) == ["x: give two different numbers from 1 to 6"]


def test_refused_cribbage_command_says_what_can_be_typed() -> None:
    talk = dialogue()
    assert talk.answer("p 1") == ["p: not now; you can type x"]
    assert talk.answer("n") == ["n: not now; you can type x"]
    assert talk.answer("n 1") == ["n: type nothing after n"]
    assert talk.answer("c x") == ["c: give a number from 0 to 121"]
    assert talk.answer("z") == ["there is no command 'z'; type ? for help"]
    state = talk.table.state
    assert state.phase is Phase.DISCARD
    refused = IllegalAction(Refusal.WORDS)
    assert words.refusal("p", refused, state, ME) == "p: the number of a card, when it is your turn"


def test_refused_card_number_is_answered_with_the_playable_cards() -> None:
    round = known("2H 4D TS JC QD KC", "3H 5D TD JD QC KD", "AS")
    round.discard("2H QD", "3H 5D")  # 4D TS JC KC are kept
    talk: CribbageDialogue = Dialogue(round.table, DEFINITION, ME)
    round.lay("KC KD")
    said = "p: play one of 1) 4D 2) TS 3) JC"
    assert talk.answer("p 4")[-1] == said
    assert talk.answer("p")[-1] == said


def test_player_without_a_playable_card_is_told_to_say_go() -> None:
    round = known("2H 4D TS JC QD KC", "3H 5D TD JD QC KD", "AS")
    talk: CribbageDialogue = Dialogue(round.table, DEFINITION, ME)
    round.discard("2H QD", "3H KD")
    round.lay("TS TD 4D 5D")  # a pair of tens for player 1
    talk.recall()
    assert talk.answer("p 3") == ["p: you cannot play any of your cards; g says go"]
    assert talk.answer("g") == ["You say go.", "Your opponent scores 1 for the last card: 3."]


def test_h_command_shows_cards_count_and_points() -> None:
    talk = dialogue()
    said = "You have 0 points, your opponent 0. Your cards: 1) 2H 2) 4D 3) 6S 4) 8C 5) TD 6) KC"
    assert talk.answer("h") == [said]
    talk.answer("x 1 6")
    talk.table.submit(Seat(1), words.verbs["x"]((1, 6)))
    talk.table.run()
    talk.answer("p 2")
    said = "You have 0 points, your opponent 0. Count 6. Your cards: 1) 4D 3) 8C 4) TD"
    assert talk.answer("h") == [said]


def test_cribbage_help_fits_74_columns_and_states_the_rules_of_the_table() -> None:
    for options in (TRAINING, Options(), Options(counting=CountingMode.MUGGINS)):
        said = words.help(State(options))
        assert max(map(len, said.splitlines())) <= 74
    assert "The first player with 121 points wins (acc rules)." in words.help(State(Options()))
    assert "You play one round for points" in words.help(State(TRAINING))


# ---- the tally ---------------------------------------------------------------------------------


def test_cribbage_tally_counts_pegged_hand_and_crib_points() -> None:
    round_table, heard = trainer(12345, "random", "random")
    round_table.run()
    first, second = begin(Seat(0)), begin(Seat(1))
    for event in heard:
        first, second = first.add(event), second.add(event)
    assert first == Tally(0, rounds=1, pegged=2, hands=6, cribs=0, against=15, shown=1)
    assert second == Tally(1, rounds=1, pegged=1, hands=4, cribs=10, against=8, shown=1, own=1)
    assert second.report()["points"] == {"pegged": 1, "hands": 4, "cribs": 10}
    assert (first + first).report()["average"] == {"hand": 6.0, "crib": None, "pegged": 2.0}
    assert second.report()["average"] == {"hand": 4.0, "crib": 10.0, "pegged": 1.0}


def test_cribbage_tally_counts_games_and_skunks() -> None:
    tally = begin(Seat(0))
    for over in (GameOver(0, (121, 100), 1), GameOver(0, (121, 50), 3), GameOver(1, (80, 121), 2)):
        tally = tally.add(over)
    assert (tally.games, tally.games_won, tally.skunks, tally.skunked) == (3, 2, 1, 1)


def test_cribbage_tally_table_shows_totals_and_averages_per_round() -> None:
    said = table(Tally(0, rounds=4, pegged=10, hands=30, cribs=2, against=44)).splitlines()
    assert [line.split() for line in said[2:7]] == [
        ["Points", "pegged", "10", "2.50"],
        ["Points", "in", "hands", "30", "7.50"],
        ["Points", "in", "cribs", "2", "0.50"],
        ["Points", "in", "total", "42", "10.50"],
        ["Opponent's", "points", "44", "11.00"],
    ]
    assert "-" in table(Tally(0))


def test_tally_table_separates_skunks_won_and_lost() -> None:
    said = table(Tally(0, rounds=9, games=3, games_won=1, skunks=1, skunked=2))
    assert "Won by a skunk               1" in said
    assert "Lost by a skunk              2" in said
