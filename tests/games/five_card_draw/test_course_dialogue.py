"""The course's program on the console: its messages, its prompts, and wrong answers."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.helpers.command_runner import run
from tui_casino import __version__
from tui_casino.cards.card import PACK, Hand, format_cards
from tui_casino.games.five_card_draw.face.command import HOW_MANY, WHICH
from tui_casino.records.session_log import read_log

FIRST = "AC KD AD 9H 4C 7S 8D 5C 2S 3D QC QD QH QS JC JD JH JS"
"""Dealt in turn to two players: a pair of aces, and king high."""


def casino(*arguments: str, typed: str = "") -> tuple[int, list[str], str]:
    ran = run(["five-card-draw", *arguments], typed)
    return ran.code, ran.out.splitlines(), ran.err


@pytest.fixture
def deck(tmp_path: Path) -> str:
    """Write a file of 52 cards that begins with the given cards."""
    first = FIRST.split()
    rest = [str(card) for card in PACK if str(card) not in first]
    path = tmp_path / "deck.txt"
    path.write_text("\n".join([*first, *rest]))
    return str(path)


def test_whole_game_at_the_classic_draw_table_is_printed_as_prescribed(deck: str) -> None:
    code, said, _ = casino("--console", "--opponents", "1", "--deck", deck, typed="3 4 5\n")
    assert code == 0
    assert said == [
        "The deck is being shuffled.",
        "The cards are being dealt to 2 players.",
        "The cards in your hand are: 1) AC 2) AD 3) 8D 4) 4C 5) 2S",
        "Since you have an Ace you can keep the Ace and discard the other four cards.",
        WHICH,
        "You have discarded 3 cards.",
        "Computer Player 1 has discarded 3 cards.",
        "You have QC QD QH AC AD: Full House, queens over aces.",
        "Computer Player 1 has JC JD KD QS 9H: One Pair, jacks.",
        "You win.",
        f"Thank you for playing five-card draw. This is TUI Casino {__version__}.",
    ]


def test_classic_draw_table_asks_for_opponents_until_1_to_3_is_typed() -> None:
    code, said, _ = casino("--console", "--seed", "1", typed="0\nmany\n4\n\n2\n\n")
    assert code == 0
    assert said.count(HOW_MANY) == 5
    assert "'4' is not a number from 1 to 3." in said
    assert "The cards are being dealt to 3 players." in said


def test_q_leaves_and_question_mark_helps_at_the_prompts_of_classic_draw(deck: str) -> None:
    code, said, err = casino("--console", typed="?\nq\n")
    assert (code, err) == (0, "")
    assert said.count(HOW_MANY) == 2
    assert "from 1 to 3, or q to leave." in said[2]
    code, said, _ = casino("--console", "--opponents", "1", "--deck", deck, typed="?\nq\n3\n")
    assert code == 0
    assert said.count(WHICH) == 2
    assert "Type 0 or an empty line to keep all cards, or q to leave." in said
    assert said[-1].startswith("Thank you for playing")
    assert not any("You have discarded" in line for line in said)


def test_end_of_input_at_the_prompt_is_reported() -> None:
    code, said, err = casino("--console", typed="")
    assert code == 2
    assert said == [HOW_MANY]
    assert "there was no answer" in err


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        ("6", "6: the cards are numbered 1 to 5."),
        ("0 1", "0 1: the cards are numbered 1 to 5."),
        ("-1", "-1: the cards are numbered 1 to 5."),
        ("99999999999999999999", "99999999999999999999: the cards are numbered 1 to 5."),
        ("1 1", "1 1: a card can be discarded only once."),
        ("1 x", "'x' is not a number; give numbers from 1 to 5, such as 1 3 5."),
        ("1,2", "'1,2' is not a number; give numbers from 1 to 5, such as 1 3 5."),
        ("1 2 3 4", "1 2 3 4: four cards can be discarded only if the one kept is an ace."),
        (
            "1 2 3 4 5",
            "1 2 3 4 5: up to three cards can be discarded, or four to keep only an ace.",
        ),
    ],
)
def test_invalid_discard_is_refused_with_a_reason_and_asked_again(
    deck: str, typed: str, says: str
) -> None:
    game = ("--console", "--opponents", "1", "--deck", deck)
    code, said, _ = casino(*game, typed=f"{typed}\n2 3 4 5\n")
    assert code == 0
    assert said.count(WHICH) == 2
    assert says in said
    assert "You have discarded 4 cards." in said


@pytest.mark.parametrize("typed", ["\n", "0\n", "", "   \n"])
def test_keeping_all_cards_is_confirmed_in_words(deck: str, typed: str) -> None:
    _, said, _ = casino("--console", "--opponents", "1", "--deck", deck, typed=typed)
    assert "You have discarded no cards." in said
    assert "You have AC AD 8D 4C 2S: One Pair, aces." in said


def test_classic_table_is_logged_and_moves_no_money(tmp_path: Path) -> None:
    folder = tmp_path / "logs"
    casino("--console", "--opponents", "3", "--log-dir", str(folder), typed="\n")
    (path,) = folder.glob("*.jsonl")
    log = read_log(path)
    assert log.header.players == ("human", "algorithm", "algorithm", "algorithm")
    assert run(["verify", str(path)]).code == 0


def test_table_with_stakes_is_played_on_the_console() -> None:
    typed = "d\nx\ns\n$\nq\n"
    game = ("--console", "--stakes", "ante", "--opponents", "2", "--seed", "4")
    code, said, err = casino(*game, typed=typed)
    assert code == 0
    assert "Everybody puts in 5." in said
    assert "your buy-in is 1,000.00" in err


@pytest.mark.parametrize(
    ("cards", "says"),
    [
        (PACK[:51], "a deck has 52 cards, not 51: KS is missing"),
        ((*PACK, PACK[0]), ":53:1: AC is already in line 1; a deck has each card once"),
        ((*PACK[:10], PACK[3]), ":11:1: 4C is already in line 4; a deck has each card once"),
    ],
    ids=["a card is missing", "a card is added", "a card is replaced"],
)
def test_invalid_deck_file_is_refused_at_the_classic_draw_table(
    tmp_path: Path, cards: Hand, says: str
) -> None:
    path = tmp_path / "deck.txt"
    path.write_text(format_cards(cards).replace(" ", "\n"))
    code, said, err = casino("--console", "--opponents", "1", "--deck", str(path))
    assert code == 2
    assert not said
    assert says in err


@pytest.mark.parametrize("opponents", ["0", "4", "x", "-1"])
def test_number_of_opponents_out_of_range_is_refused(opponents: str) -> None:
    code, said, err = casino("--console", "--opponents", opponents)
    assert code == 2
    assert not said
    assert "--opponents" in err
