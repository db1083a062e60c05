"""A hand with known remaining cards, on the command line."""

from __future__ import annotations

import json

import pytest

from tests.helpers.command_runner import Output, output
from tests.helpers.parameter_ids import value_id
from tui_casino.games.thirty_one.brains.adviser import chance_of_31
from tui_casino.games.thirty_one.machine.rules import Rules

SHORT = "4 4 0 0 4 1 5 4 5 13"
TENS = "0 0 0 0 0 0 0 0 4 20"


def odds(*words: str, code: int = 0) -> Output:
    return output("odds", "thirty-one", *words, code=code)


def test_hand_report_of_threes_against_a_six_is_printed_as_json() -> None:
    found = json.loads(odds("--left", SHORT, "--hand", "3 3", "--dealer", "6", "--json").out)
    assert list(found) == ["stand", "hit", "double", "split"]
    assert found["hit"] == {"value": pytest.approx(0.0339, abs=5e-5), "error": 0}
    assert found["split"]["value"] > 0.277
    assert 0 < found["split"]["error"] < 0.01


def test_hand_report_leaves_out_choices_that_the_rules_forbid() -> None:
    rules = ("--dealer", "9", "--json", "--split-same-rank", "--double-two-cards")
    choices = {
        hand: list(json.loads(odds("--left", TENS, "--hand", hand, *rules).out))
        for hand in ("K Q", "10 T", "9")
    }
    assert choices["K Q"] == ["stand", "hit", "double"]
    assert "split" in choices["10 T"]
    assert choices["9"] == ["stand", "hit"]


def test_hand_report_evaluates_insurance_against_an_ace() -> None:
    hand = ("--left", SHORT, "--hand", "T", "--dealer", "a", "--insurance", "43:10")
    told = json.loads(odds(*hand, "--json").out)["insurance"]
    chance = chance_of_31(1, tuple(map(int, SHORT.split())), Rules())
    assert told == {"p31": chance, "value": pytest.approx(5.3 * chance - 1)}
    assert f"insurance at 43:10: EV {told['value']:+.4f}" in odds(*hand).out


def test_hand_report_as_text_lists_the_best_choice_first() -> None:
    lines = odds("--left", SHORT, "--hand", "3 3", "--dealer", "6").out.splitlines()
    assert [line.split()[0] for line in lines[1:]] == ["split", "hit", "stand", "double"]
    assert lines[2].endswith("+0.0339        exact")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--hand", "3 3", "--dealer", "6"), "must be given together"),
        (("--left", "1 2 3", "--hand", "3 3", "--dealer", "6"), "--left: 3 counts; give ten"),
        (
            ("--left", SHORT + "x", "--hand", "3 3", "--dealer", "6"),
            "--left: '13x' is not a number of cards",
        ),
        (("--left", "-" + SHORT, "--hand", "3 3", "--dealer", "6"), "--left"),
        (("--left", SHORT, "--hand", "3 11", "--dealer", "6"), "--hand: '11' is not a card"),
        (("--left", SHORT, "--hand", "", "--dealer", "6"), "leaves no choice"),
        (("--left", SHORT, "--hand", "K Q A", "--dealer", "6"), "leaves no choice"),
        (("--left", SHORT, "--hand", "3 3", "--dealer", "6 6"), "--dealer: '6 6' is not one card"),
        (("--left", "1 1 1 1 1 1 1 1 1 1", "--hand", "3", "--dealer", "6"), "may be too few"),
    ],
    ids=value_id,
)
def test_hand_report_refuses_an_invalid_hand(words: tuple[str, ...], said: str) -> None:
    out, err = odds(*words, code=2)
    assert not out
    assert said in err
