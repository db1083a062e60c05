"""Doubling, mistakes and bands, compared with equations, published bankrolls and enumeration."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from tests.games.video_poker.test_ruin import EVEN, POOR, odds
from tests.helpers.arcade_pilot import practice
from tests.helpers.parameter_ids import labelled, value_id
from tests.helpers.quick_cases import first_of
from tests.helpers.scripted_sessions import ME, play_sessions
from tests.tui.sample_logs import play
from tui_casino.engine.offers import Dice, Offer
from tui_casino.games.video_poker import DEFINITION
from tui_casino.games.video_poker.brains.bankroll import (
    MOST_BETS,
    bankroll_bands,
    bets_against_ruin,
    bets_to_double,
    bets_to_last,
    chance_of_ruin_before_doubling,
    gain_distribution,
    ruin_chance,
    survival_chances,
)
from tui_casino.games.video_poker.brains.hand_odds import PayoutDistribution
from tui_casino.games.video_poker.brains.odds import odds_of
from tui_casino.games.video_poker.brains.players import ListPlayer
from tui_casino.games.video_poker.face.risk import own_cost, risk_lines
from tui_casino.games.video_poker.machine.game import Action, Hold, Phase, State
from tui_casino.games.video_poker.machine.paytables import load
from tui_casino.inputs.errors import BadInput
from tui_casino.records.log_review import weigh_decisions
from tui_casino.records.session_log import read_log
from tui_casino.records.summaries import review_log


def optimum(name: str) -> PayoutDistribution:
    return odds_of(load(name), 5).report("optimal")


def by_equations(outcomes: PayoutDistribution, bets: int, cost: Fraction = Fraction(0)) -> float:
    """Solve u(x) = sum p(g) u(x - 1 + g) for 0 < x < 2 bets: u(0) = 1, u(2 bets) = 0."""
    size = 2 * bets
    system, right = np.eye(size + 1), np.zeros(size + 1)
    right[0] = 1
    for x in range(1, size):
        for gain, chance in gain_distribution(outcomes, cost=cost):
            if x + int(gain) < size:
                system[x, x + int(gain)] -= chance
    return float(np.linalg.solve(system, right)[bets])


def test_doubling_at_even_money_equals_the_gamblers_ruin_formula() -> None:
    for bets in (1, 5, 20):
        assert chance_of_ruin_before_doubling(EVEN, bets) == pytest.approx(1 / (1 + 1.5**bets))
        assert ruin_chance(EVEN, bets) == pytest.approx(1.5**-bets)


@pytest.mark.parametrize("name", ["double-bonus-10-7", "jacks-or-better-8-5"])
@pytest.mark.parametrize("bets", first_of([30, 1, 450]), ids=labelled("bankroll of {} bets"))
@pytest.mark.parametrize("cost", [Fraction(0), Fraction(1, 50)], ids=value_id)
def test_doubling_chance_equals_a_system_of_equations(name: str, bets: int, cost: Fraction) -> None:
    found = chance_of_ruin_before_doubling(optimum(name), bets, cost)
    assert found == pytest.approx(by_equations(optimum(name), bets, cost), abs=1e-10)


def test_smallest_bankroll_that_doubles_is_found() -> None:
    best = optimum("double-bonus-10-7")
    bets, chance = bets_to_double(best, 0.45)
    assert (
        chance
        == chance_of_ruin_before_doubling(best, bets)
        <= 0.45
        < chance_of_ruin_before_doubling(best, bets - 1)
    )
    assert bets < bets_against_ruin(best, 0.45)
    with pytest.raises(ValueError, match="is less likely to double"):
        bets_to_double(POOR, 0.1)
    with pytest.raises(ValueError, match="1 to 200,000 bets, not 0"):
        chance_of_ruin_before_doubling(best, 0)


def test_ruin_chance_of_a_very_large_bankroll_is_zero() -> None:
    assert chance_of_ruin_before_doubling(EVEN, MOST_BETS) == 0.0


def test_cost_of_mistakes_lowers_the_mean_return_by_that_amount() -> None:
    best = optimum("double-bonus-10-7")
    cost = Fraction(1, 1000)
    law = gain_distribution(best, cost=cost)
    assert sum(chance for _, chance in law) == pytest.approx(1, abs=1e-14)
    mean = sum(float(gain) * chance for gain, chance in law)
    assert mean == pytest.approx(float(best.expected_return - cost - 1), abs=1e-13)
    assert bets_against_ruin(best, 0.05, cost=cost) > 2 * bets_against_ruin(best, 0.05)
    assert ruin_chance(best, 10**6, Fraction(2, 1000)) == 1
    with pytest.raises(ValueError, match="the cost of mistakes must be at least 0"):
        gain_distribution(best, cost=Fraction(2))


@pytest.mark.parametrize(
    ("name", "bets", "hands", "lost"),
    [
        ("jacks-or-better-9-6", 160, 1_600, 0.08),  # $200 at a quarter, 4 hours of 400 hands
        ("jacks-or-better-9-6", 132, 1_000, 0.05),  # $165, 2 hours of 500
        ("jacks-or-better-8-5", 148, 1_000, 0.05),  # $185
        ("jacks-or-better-9-6", 360, 5_000, 0.05),  # $450, 10 hours of 500
        ("double-bonus-10-7", 540, 5_000, 0.05),  # $675
    ],
)
def test_survival_chances_equal_published_ones(
    name: str, bets: int, hands: int, lost: float
) -> None:
    """The first is from Dunbar (in Tamburin, Risk of Ruin), the rest from Grochowski's columns."""
    assert 1 - survival_chances(optimum(name), hands)[bets] == pytest.approx(lost, abs=0.005)


def test_mistakes_raise_the_bankroll_needed_to_last() -> None:
    best = optimum("jacks-or-better-9-6")
    assert bets_to_last(best, 300, 0.05, Fraction(1, 20))[0] > bets_to_last(best, 300, 0.05)[0]


def test_bankroll_bands_equal_an_enumeration_of_all_courses() -> None:
    """Six hands of three outcomes each, 729 courses."""
    nets = []
    for course in product(zip(POOR.pays, POOR.counts, strict=True), repeat=6):
        ways = int(np.prod([count for _, count in course]))
        nets.append((sum(pay for pay, _ in course) - 30, ways))
    nets.sort()
    (found,) = bankroll_bands(POOR, [6])
    for share, net in zip((0.05, 0.5, 0.95), found, strict=True):
        upto = sum(ways for value, ways in nets if value <= net)
        below = sum(ways for value, ways in nets if value < net)
        assert below < share * 10**6 <= upto
    assert bankroll_bands(POOR, [0]) == [(0, 0, 0)]


def test_median_after_1000_hands_is_far_below_zero() -> None:
    """Without a royal flush most players lose: half are down after 1,000 hands."""
    ((low, middle, high),) = bankroll_bands(optimum("double-bonus-10-7"), [1_000])
    assert low < middle < -100 < 0 < high


def test_bankroll_page_shows_perfect_play_and_own_play() -> None:
    told = list(risk_lines(load("jacks-or-better-9-6"), 5, 1_000, Fraction(1, 100)))
    assert told[1].split() == ["With", "200", "bets", "of", "5", "perfect", "play", "your", "play"]
    assert told[3].startswith("last 1,000 hands")
    best, own = (float(word.rstrip("%")) for word in told[3].split()[3:])
    assert own < best == pytest.approx(99, abs=1)
    assert any(
        line.startswith("ever lose all")
        for line in risk_lines(load("double-bonus-10-7"), 5, 50, None)
    )
    assert list(risk_lines(load("double-bonus-10-7"), 5, 4, None)) == []


@pytest.mark.parametrize("cost", [Fraction(51, 100), Fraction(2)], ids=value_id)
def test_bankroll_page_leaves_out_a_cost_that_the_command_refuses(cost: Fraction) -> None:
    table = load("jacks-or-better-9-6")
    assert [*risk_lines(table, 5, 1_000, cost)] == [*risk_lines(table, 5, 1_000, None)]
    assert [*risk_lines(table, 5, 1_000, Fraction(1, 2))] != [*risk_lines(table, 5, 1_000, None)]


@pytest.mark.parametrize("words", [("--bankroll", "200"), ("--ruin", "0.1", "--hands", "100")])
def test_bankroll_command_refuses_a_recorded_cost_above_the_largest(
    words: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Perfect play returns about all bets, and five new cards about a third of them."""
    logs = tmp_path / "logs"
    monkeypatch.setenv("TUI_CASINO_LOG_DIR", str(logs))
    play_sessions(DEFINITION, discard_everything, logs, 40)
    assert "50" in odds(*words, "--mine", code=2).err
    with pytest.raises(BadInput, match=r"--mine: your mistakes cost [5-9].\.\d\d% of your bets"):
        own_cost({"TUI_CASINO_LOG_DIR": str(logs)})


def discard_everything(view: State, able: tuple[Offer[Action], ...], dice: Dice) -> Action:
    return Hold(()) if view.phase is Phase.HOLD else ListPlayer().choose(view, ME, able, dice)


def test_bankroll_command_prints_the_chances() -> None:
    found = json.loads(odds("--bankroll", "200", "--hands", "1000", "--cost", "0.1", "--json").out)
    best, cost = optimum("double-bonus-10-7"), Fraction(1, 1000)
    assert found == {
        "bets": 200,
        "ever": ruin_chance(best, 200, cost),
        "before_doubling": chance_of_ruin_before_doubling(best, 200, cost),
        "hands": 1000,
        "lasts": survival_chances(best, 1000, cost)[200],
    }
    found = json.loads(odds("--ruin", "0.45", "--double", "--json").out)
    bets, chance = bets_to_double(best, 0.45)
    assert found == {"bets": bets, "before_doubling": chance}
    assert "before it doubles" in odds("--bankroll", "200").out


def test_bankroll_command_takes_the_cost_of_mistakes_from_the_records(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = practice(tmp_path)
    monkeypatch.setenv("TUI_CASINO_LOG_DIR", str(house.logs))
    assert "no finished session" in odds("--bankroll", "200", "--mine", code=2).err
    paths = [play(house, 3, seed) for seed in (3, 7)]
    costs = [
        Fraction(choice.cost)
        for path in paths
        for choice in weigh_decisions(DEFINITION, read_log(path))
    ]
    lost = DEFINITION.game.unit * sum(costs, Fraction(0))
    cost = lost / sum(review_log(DEFINITION, path)[0].wagered for path in paths)
    assert cost
    assert own_cost({"TUI_CASINO_LOG_DIR": str(house.logs)}) == cost
    found = json.loads(odds("--bankroll", "20", "--mine", "--json").out)
    best = optimum("double-bonus-10-7")
    assert found["before_doubling"] == chance_of_ruin_before_doubling(best, 20, cost)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--double",), "--double can only be used with --ruin"),
        (("--bankroll", "0"), "--bankroll: 0 is out of range"),
        (("--bankroll", "5", "--ruin", "0.1"), "cannot be used together"),
        (("--ruin", "0.1", "--cost", "60"), "give a number from 0 to 50 (percent)"),
        (("--ruin", "0.1", "--double", "--hands", "5"), "--double cannot be used with"),
        (("--bankroll", "5", "--double"), "can only be used with --ruin"),
    ],
    ids=value_id,
)
def test_bankroll_command_refuses_invalid_options(words: tuple[str, ...], said: str) -> None:
    assert said in odds(*words, code=2).err
