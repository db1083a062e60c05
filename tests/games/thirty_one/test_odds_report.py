"""The odds as a page and as JSON, the chart, and the document that shows them."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.helpers.command_runner import output
from tests.helpers.parameter_ids import value_id
from tui_casino.games.thirty_one.brains.odds import HandInPlay, PerfectPlay, PlayerChoice
from tui_casino.games.thirty_one.brains.strategy_chart import (
    UP_CARDS,
    ChartRow,
    build_chart,
    chart_lines,
)
from tui_casino.games.thirty_one.face.odds_report import odds_json, odds_text
from tui_casino.games.thirty_one.machine.rules import Odds, Rules, Total

USUAL = Rules()
DOCUMENT = Path(__file__).parents[3] / "docs/theory/hit-me.md"


@pytest.fixture(scope="module")
def report() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(odds_json(USUAL))
    return found


@pytest.fixture(scope="module")
def page() -> str:
    return odds_text(USUAL)


def test_odds_document_shows_the_printed_hit_me_report(page: str) -> None:
    found = re.search(r"```text\n(.*?)```", DOCUMENT.read_text(), re.DOTALL)
    assert found
    assert found[1] == page + "\n"


def test_exact_column_of_the_document_equals_the_solver(report: dict[str, Any]) -> None:
    text = DOCUMENT.read_text()
    for name, row in (("win", "the player wins"), ("push", "pushes"), ("lose", "the dealer wins")):
        assert f"| {row} | {100 * report['battle'][name]:.4f}% |" in text
    gain = report["battle"]["win"] - report["battle"]["lose"]
    assert f"| gain of a bet of 1 | {gain:.6f} |" in text


def test_hit_me_odds_report_is_printed_as_json(report: dict[str, Any]) -> None:
    assert list(report)[:5] == ["rules", "dealer", "ev", "battle", "insurance"]
    assert report["rules"]["insurance"] == {"paid": 1, "staked": 1}
    assert list(report["dealer"]) == [*map(str, range(2, 11)), "A"]
    for finals in report["dealer"].values():
        assert list(finals) == ["14", "27", "28", "29", "30", "31", "bust"]
        assert sum(finals.values()) == pytest.approx(1)
    assert list(report["ev"]) == ["basic", "double", "split", "both"]
    assert sum(report["battle"].values()) == pytest.approx(1)
    insurance = report["insurance"]
    assert insurance["fair_odds"] == pytest.approx(1 / insurance["p31_given_ace"] - 1)
    assert insurance["p31_given_ace"] == report["dealer"]["A"]["31"]
    assert report["house_edge"] == pytest.approx(-report["ev"]["both"])  # insurance never pays
    assert report["lab"]["the rules as they are"] == report["house_edge"]
    assert report["chart"]["hard"]["14"]["6"] == "S"


def test_rule_options_change_the_hit_me_odds_report() -> None:
    rules = Rules(dealer_hits_soft=True, insurance=Odds(5))
    report = json.loads(odds_json(rules))
    assert report["rules"]["dealer_hits_soft"] is True
    assert report["house_edge"] < -report["ev"]["both"]


def test_hit_me_odds_report_fits_a_terminal(page: str) -> None:
    assert max(map(len, page.splitlines())) <= 80
    assert not any(line.endswith(" ") for line in page.splitlines())


# ---- the chart -------------------------------------------------------------------------------


def test_hit_me_chart_has_a_row_for_every_hand(page: str) -> None:
    rows = build_chart(USUAL)
    kinds = [row.kind for row in rows]
    counts = {kind: kinds.count(kind) for kind in dict.fromkeys(kinds)}
    assert counts == {"first card": 10, "hard": 27, "soft": 18, "two soft": 9, "pair": 10}
    assert all(list(row.plays) == list(UP_CARDS) for row in rows)


@pytest.mark.parametrize("rules", [USUAL, Rules(double_two_cards=True)], ids=value_id)
def test_chart_shows_the_choice_with_the_highest_ev(rules: Rules) -> None:
    codes = {
        "H": PlayerChoice.HIT,
        "S": PlayerChoice.STAND,
        "D": PlayerChoice.DOUBLE,
        "d": PlayerChoice.DOUBLE,
    }
    for row in build_chart(rules):
        if row.kind != "hard" or int(row.name) > 20:
            continue
        for up, code in row.plays.items():
            values = PerfectPlay(rules, up).values(HandInPlay(Total(int(row.name)), 2))
            assert values[codes[code]] == max(values.values())


def test_equal_neighbouring_chart_rows_share_a_line() -> None:
    hit, stand = dict.fromkeys(UP_CARDS, "H"), dict.fromkeys(UP_CARDS, "S")
    rows = (ChartRow("hard", "4", hit), ChartRow("hard", "5", hit), ChartRow("hard", "6", stand))
    lines = [line.split() for line in chart_lines((*rows, ChartRow("soft", "13", stand)))]
    assert [line[: -len(UP_CARDS)] for line in lines[1:]] == [
        ["hard", "4", "to", "5"],
        ["hard", "6"],
        ["soft", "13"],
    ]


# ---- the command line ------------------------------------------------------------------------


def test_odds_command_prints_the_report(page: str) -> None:
    assert output("odds", "thirty-one") == (page + "\n", "")
    out = output("odds", "thirty-one", "--json", "--insurance", "9:2").out
    assert json.loads(out)["rules"]["insurance"] == {"paid": 9, "staked": 2}


def test_battle_command_prints_and_exports_the_result(tmp_path: Path) -> None:
    target = tmp_path / "battle.csv"
    arguments = ["thirty-one", "--battle", "1000", "--seed", "5", "--decks", "inf"]
    out, err = output(*arguments, "--json", "--export", str(target))
    assert not err
    report = json.loads(out)
    assert (report["rounds"], report["decks"], report["seed"]) == (1000, "inf", "5")
    assert report["wins"] + report["pushes"] + report["losses"] == 1000
    assert f"wins,{report['wins']}" in target.read_text().splitlines()
    assert f"{report['wins']:,}" in output(*arguments, "--jobs", "1").out


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["--battle", "0"], "--battle: 0 is out of range"),
        (["--battle", "many"], "--battle: 'many' is not a whole number"),
        (["--battle", "5", "--decks", "3"], "--decks: '3' is not possible; give 2 or inf"),
        (["--battle", "5", "--jobs", "0"], "--jobs: 0 is out of range"),
        (["--battle", "5", "--seed", "x"], "--seed: 'x' is not a whole number"),
        (["--battle", "5", "--export", "a.txt"], "the name of an export must end in .csv or .json"),
        (["--battle", "5", "--console"], "--battle needs no player; leave out"),
        (["--json"], "--json can only be used with --battle"),
        (["--export", "a.csv"], "--export can only be used with --battle"),
    ],
    ids=value_id,
)
def test_invalid_options_of_a_battle_are_refused(arguments: list[str], why: str) -> None:
    out, err = output("thirty-one", *arguments, code=2)
    assert not out
    assert why in err
