"""The course dialogue: the nine coups of the known shoe, the question, and option conflicts."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.helpers.command_runner import run
from tests.helpers.parameter_ids import value_id
from tui_casino.cards.card import Card
from tui_casino.records.session_log import read_log

COUPS = Path("tests/data/baccarat/test-shoe-coups.txt")
QUESTION = "Play another coup? (y/n)"


def casino(*arguments: str, typed: str = "") -> tuple[int, list[str], str]:
    ran = run(["baccarat", *arguments], typed)
    return ran.code, ran.out.splitlines(), ran.err


def worked_out() -> list[tuple[list[str], int, list[str], int, str, bool]]:
    """Read the coups computed by hand: hands, totals, outcome, and whether it was a natural."""
    coups = []
    for line in COUPS.read_text().splitlines()[:9]:
        found = re.match(
            r"\s*\d+ left_before=\s*\d+ P (\S+)\s+\d->(\d)  B (\S+)\s+\d->(\d)(.*)", line
        )
        assert found, line
        ours, our_total, theirs, their_total, rest = found.groups()
        cards = [[str(Card.parse(card)) for card in hand.split(",")] for hand in (ours, theirs)]
        *natural, outcome = rest.split()
        coups.append((cards[0], int(our_total), cards[1], int(their_total), outcome, bool(natural)))
    return coups


def test_coups_of_the_known_shoe_are_printed_as_json() -> None:
    code, said, _ = casino("-test", "--yes", "--json")
    assert code == 0
    expected = [
        {
            "coup": number,
            "player": ours,
            "banker": theirs,
            "player_total": our_total,
            "banker_total": their_total,
            "outcome": outcome,
        }
        for number, (ours, our_total, theirs, their_total, outcome, _) in enumerate(worked_out(), 1)
    ]
    assert [json.loads(line) for line in said] == expected


def test_coups_of_the_known_shoe_are_printed_in_words() -> None:
    code, said, _ = casino("-test", typed="y\n" * 20)
    assert code == 0
    expected: list[str] = []
    for number, (ours, our_total, theirs, their_total, outcome, natural) in enumerate(worked_out()):
        if number:
            expected.append(QUESTION)
        first, final = (
            [
                f"{name}: {','.join(Card.parse(card).name for card in cards)} ({total})"
                for name, cards, total in pairs
            ]
            for pairs in (
                (
                    ("Player", ours[:2], points(ours[:2])),
                    ("Banker", theirs[:2], points(theirs[:2])),
                ),
                (("Player", ours, our_total), ("Banker", theirs, their_total)),
            )
        )
        expected += ["Initial Deal", *first]
        if not natural:
            expected += ["After Draw", *final]
        expected += ["Winner", outcome]
    assert said == [*expected, "The shoe is finished after 9 coups"]


def points(cards: list[str]) -> int:
    return sum("A23456789".find(card[0]) + 1 for card in cards) % 10


def test_first_coup_of_the_course_table_is_printed_as_prescribed() -> None:
    _, said, _ = casino("-test", typed="n\n")
    assert said == [
        "Initial Deal",
        "Player: 3 of Clubs,2 of Clubs (5)",
        "Banker: 3 of Diamonds,5 of Clubs (8)",
        "Winner",
        "Banker",
        QUESTION,
    ]


@pytest.mark.parametrize(
    ("typed", "coups", "questions"),
    [
        ("", 1, 1),
        ("n\n", 1, 1),
        ("y\nn\n", 2, 2),
        ("maybe\n\nyep\n1\ny\n", 2, 6),
        ("Y\nyes\nYES\n Yes \nNO\n", 5, 5),
        ("no\ny\n", 1, 1),
        ("N\ny\n", 1, 1),
        ("y\ny\ny", 4, 4),
    ],
)
def test_yes_to_the_question_plays_another_coup_and_no_ends_the_shoe(
    typed: str, coups: int, questions: int
) -> None:
    code, said, _ = casino("-test", typed=typed)
    assert code == 0
    assert said.count("Winner") == coups
    assert said.count(QUESTION) == questions


def test_question_is_printed_to_standard_error_with_json_output() -> None:
    _, said, err = casino("-test", "--json", typed="y\nn\n")
    assert [json.loads(line)["coup"] for line in said] == [1, 2]
    assert err.count(QUESTION) == 2


def test_eight_decks_are_dealt_until_too_few_cards_are_left() -> None:
    _, said, _ = casino("--console", "--yes", "--json", "--seed", "7")
    coups = [json.loads(line) for line in said]
    dealt = [card for coup in coups for card in (*coup["player"], *coup["banker"])]
    assert 411 <= len(dealt) <= 416
    assert max(map(dealt.count, dealt)) <= 8
    _, again, _ = casino("--console", "--yes", "--json", "--seed", "7")
    assert again == said


def test_course_table_is_logged_and_moves_no_money(tmp_path: Path) -> None:
    casino("-test", "--log-dir", str(tmp_path), typed="y\nn\n")
    (path,) = tmp_path.glob("*.jsonl")
    log = read_log(path)
    assert log.header.croupier.name == "cards"
    assert log.end is not None
    assert run(["verify", str(path)]).code == 0
    assert not (tmp_path / "ledger.sqlite").exists()


def test_baccarat_table_with_chips_accepts_bets() -> None:
    typed = "b 25 p\nb 5 t\nc\nb 10 b\nd\nr\n$\nq\n"
    code, said, _ = casino("--console", "--bets", "--decks", "6", "--seed", "3", typed=typed)
    assert code == 0
    assert said[0].startswith("The burn card is the ")
    assert "Bets: 25 Player, 5 Tie" in said
    assert "Bets: none" in said
    assert "Winner" in said
    assert QUESTION not in said


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--bets",), "--bets can only be used with --console"),
        (("--bets", "--console", "-test"), "--bets cannot be used with"),
        (("-gui", "--console"), "-gui opens the screen"),
        (("-gui", "--json"), "-gui opens the screen"),
        (("-test", "--decks", "6"), "-test has a fixed shoe"),
        (("--console", "--decks", "7"), "7 is not possible; give 8, 6 or 1"),
        (("--console", "--decks", "many"), "'many' is not a whole number"),
        (("--console", "--no-commission"), "--no-commission needs bets"),
        (("-gui", "-test"), "needs a terminal"),
    ],
    ids=value_id,
)
def test_options_that_exclude_each_other_are_refused(arguments: tuple[str, ...], says: str) -> None:
    code, said, err = casino(*arguments)
    assert code == 2
    assert not said
    assert says in err
