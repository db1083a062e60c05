"""Adviser, battles and odds on the command line."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys

import pytest

from tests.documents.command_output import CRIBBAGE, shown_commands
from tests.helpers.command_runner import output
from tests.helpers.parameter_ids import value_id
from tui_casino.cards.card import parse_hand
from tui_casino.games.cribbage.brains.discards import shipped_frequencies, weigh
from tui_casino.games.cribbage.machine.rules import ACC, TRAINER

SIX = "2C 2H 7C QC QD KH"


def output_text(*arguments: str) -> str:
    return output(*arguments).out


def test_json_advice_equals_the_exact_ranking() -> None:
    report = json.loads(output_text("cribbage", "--discard", SIX, "--dealer", "--json"))
    assert len(report) == 15
    for one, exact in zip(report, weigh(parse_hand(SIX), True, TRAINER), strict=True):
        assert one == {
            "discard": [str(card) for card in exact.discard],
            "hand": list(exact.hand),
            "crib": list(exact.crib),
            "ev": float(exact.ev),
        }
        assert (one["hand"][1], one["crib"][1]) == (46, 45_540)


def test_discard_advice_with_acc_rules_and_weights_equals_the_ranking() -> None:
    arguments = ["cribbage", "--discard", SIX.replace(" ", ","), "--pone", "--json", "--weighted"]
    report = json.loads(output_text(*arguments, "--rules", "acc"))
    expected = weigh(
        parse_hand(SIX), False, ACC, shipped_frequencies().weights_against(dealer=False)
    )
    assert [one["crib"] for one in report] == [list(one.crib) for one in expected]


def test_text_advice_has_costs_and_values() -> None:
    lines = output_text("cribbage", "--discard", SIX, "--pone").splitlines()
    assert lines[0].split() == ["discard", "hand", "crib", "EV,", "points", "cost"]
    best, second = weigh(parse_hand(SIX), False, TRAINER)[:2]
    assert lines[1].split()[:2] == list(map(str, best.discard))
    assert lines[1].split()[-1] == "0.000"
    assert lines[2].split()[-1] == f"{float(best.ev - second.ev):.3f}"
    assert len(lines) == 16


def test_json_odds_are_those_of_the_trainer() -> None:
    report = json.loads(output_text("odds", "cribbage", "--json"))
    assert set(report) == {"rules", "hand", "crib", "par", "played"}
    assert report["played"] == {"hand": 8.06, "crib": 4.78, "dealer": 12.77, "pone": 3.35}
    assert report["par"] == {"hand": 8.1, "crib": 4.7, "dealer": 12.7, "pone": 3.4}
    assert report["rules"] == "trainer"
    assert report["hand"] == report["crib"]
    assert (report["hand"]["0"], report["hand"]["29"]) == (1_009_008, 4)


def test_odds_of_a_hand_are_listed_by_starter() -> None:
    """Three fives and the right jack: with the last five it is the best hand there is."""
    asked = ["odds", "cribbage", "--hand", "5C 5D 5H JS", "--thrown", "2C 9H"]
    report = json.loads(output_text(*asked, "--json"))
    assert report["hand"] == ["5C", "5D", "5H", "JS"]
    assert len(report["starters"]) == 46
    assert report["starters"]["5S"] == max(report["starters"].values()) == 29
    assert not {"2C", "9H", "JS"} & set(report["starters"])
    assert report["mean"] == pytest.approx(sum(report["starters"].values()) / 46)
    lines = output_text(*asked).splitlines()
    assert lines[3].split() == ["29", "1", "5"]
    assert lines[-1] == f"average {report['mean']:.3f} points"
    assert all(line.isascii() for line in lines), "cards are letters there"


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["--hand", "5C 5D 5H"], "has 3 cards; give four"),
        (["--hand", "5C 5D 5H 5H"], "card 4: 5H appears twice"),
        (["--hand", "5C 5D 5H JS", "--thrown", "JS 2C"], "--thrown: card 1: JS appears twice"),
        (["--hand", "5C 5D 5H ??"], "--hand: card 4"),
        (["--thrown", "2C 9H"], "--thrown needs --hand"),
        (["--win", "--hand", "5C 5D 5H JS"], "cannot be combined with --win"),
    ],
    ids=value_id,
)
def test_cribbage_odds_refuse_an_invalid_hand(arguments: list[str], why: str) -> None:
    assert why in output("odds", "cribbage", *arguments, code=2).err


def test_battle_is_printed_as_json_and_as_text() -> None:
    asked = [
        "cribbage",
        "--battle",
        "2",
        "--players",
        "greedy,random",
        "--seed",
        "7",
        "--jobs",
        "1",
    ]
    report = json.loads(output_text(*asked, "--json"))
    assert (report["pairs"], report["games"], report["seed"]) == (2, 4, "7")
    assert [one["player"] for one in report["players"]] == ["greedy", "random"]
    assert sum(one["wins"] for one in report["players"]) == 4
    text = output_text(*asked)
    assert f"4 games with acc rules, {report['deals']} deals, seed 7" in text
    assert f"{report['lead']['value']:+.3f} ± {report['lead']['margin']:.3f}" in text


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["--discard", SIX], "--discard needs --dealer (your crib) or --pone"),
        (["--discard", "2C 2H", "--pone"], "'2C 2H' has 2 cards; give six"),
        (["--discard", "", "--pone"], "'nothing' has 0 cards; give six"),
        (["--discard", "2C"], "'2C' has 1 card; give six; --discard needs --dealer (your crib)"),
        (["--battle", "2", "--opponent", "human"], "--opponent is for a table"),
        (["--battle", "2", "--game"], "--game is for a table"),
        (["--discard", SIX, "--pone", "--console"], "--console is for a table"),
        (["55510", "--battle", "2"], "SEED is for a table"),
        (["--discard", "2C 2H 7C QC QD 2C", "--pone"], "card 6: 2C appears twice"),
        (["--discard", "2C 2H 7C QC QD ??", "--pone"], "card 6: ?? is face down"),
        (["--discard", "2C 2H 7C QX QD KH", "--pone"], "card 4: 'QX' is not a card"),
        (["--discard", SIX, "--battle", "2"], "cannot be combined"),
        (["--pone"], "need --discard"),
        (["--weighted"], "need --discard"),
        (["--players", "expert,greedy"], "needs --battle"),
        (["--jobs", "2"], "needs --battle"),
        (["--json"], "needs --discard or --battle"),
        (["--battle", "1"], "from 2 to 1000000"),
        (["--battle", "many"], "'many' is not a whole number"),
        (
            ["--battle", "2", "--players", "expert"],
            "does not name two players; give two of random, greedy, expert, master",
        ),
        (
            ["--battle", "2", "--players", "expert,nobody"],
            "does not name two players; give two of random, greedy, expert, master",
        ),
        (["--battle", "2", "--players", "expert,expert"], "names one player twice"),
        (["--battle", "2", "--jobs", "0"], "from 1 to 1024"),
        (["--battle", "2", "--seed", "x"], "'x' is not a whole number"),
    ],
    ids=value_id,
)
def test_cribbage_advice_and_battle_refuse_invalid_options_with_a_reason(
    arguments: list[str], why: str
) -> None:
    assert why in output("cribbage", *arguments, code=2).err


def test_cribbage_output_in_the_documents_is_up_to_date() -> None:
    shown = shown_commands(CRIBBAGE)
    assert len(shown) == 5
    for command, text in shown:
        assert output_text(*shlex.split(command)) == text


def test_playing_cribbage_does_not_load_numpy() -> None:
    program = "import sys, tui_casino.games.cribbage.face.command; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


def test_win_chance_at_a_score_is_printed() -> None:
    """The figures of A come first, regardless of the dealer."""
    score = ("odds", "cribbage", "--win", "--score", "100", "110")
    dealer = json.loads(output_text(*score, "--dealer", "--json"))
    pone = json.loads(output_text(*score, "--json"))
    assert list(dealer) == ["dealer 100-110"]
    assert list(pone) == ["pone 100-110"]
    assert pone["pone 100-110"] < 0.1 < dealer["dealer 100-110"] < 0.5
    share = f"{pone['pone 100-110']:.2%}"
    assert output_text(*score).startswith(f"pone 100-110: {share} ± 0.0")


def test_win_chances_are_listed_in_steps_of_ten() -> None:
    every = json.loads(output_text("odds", "cribbage", "--win", "--json"))
    assert len(every) == 2 * 13 * 13
    assert every["dealer 0-0"] + every["pone 0-0"] == pytest.approx(1)
    assert every["dealer 60-30"] + every["pone 30-60"] == pytest.approx(1)
    page = output_text("odds", "cribbage", "--win").splitlines()
    assert page[0] == "Cribbage, acc rules: the dealer's chance to win, in %"
    assert page[3].split()[:2] == ["0", f"{100 * every['dealer 0-0']:.1f}"]
    assert len(page) == 3 + 13 + 3


@pytest.mark.parametrize(
    ("args", "why"),
    [
        (["--score", "1", "2"], "--score and --dealer need --win"),
        (["--win", "--dealer"], "--dealer needs --score"),
        (
            ["--win", "--score", "121", "0"],
            "--score: 121 is out of range; give a whole number from 0 to 120",
        ),
        (
            ["--win", "--rules", "trainer"],
            "--win: the chances are known for the acc rules only, not trainer",
        ),
    ],
    ids=value_id,
)
def test_odds_refuse_a_score_without_a_known_win_chance(args: list[str], why: str) -> None:
    assert why in output("odds", "cribbage", *args, code=2).err
