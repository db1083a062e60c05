"""The bulk simulation, replayed card by card and compared with the exact odds."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from math import perm, sqrt
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from tests.helpers.parameter_ids import labelled, value_id
from tui_casino.cards.card import RANKS, Card, Rank, Suit
from tui_casino.engine.monte_carlo import seeded_generator
from tui_casino.games.baccarat.brains import simulation
from tui_casino.games.baccarat.brains.odds import full_shoe, odds_of
from tui_casino.games.baccarat.brains.simulation import Simulation, deal, ordered_draws, simulate
from tui_casino.games.baccarat.face.odds_report import as_json, as_text
from tui_casino.games.baccarat.machine.rules import (
    DECKS,
    SPOTS,
    BetSpot,
    Coup,
    CoupOutcome,
    Hand,
    HandSide,
    Options,
    coup_of,
    next_to_receive,
)

# ---- a coup in plain Python, from the module's description alone -----------------------------


def fair_numbers(block: int, decks: int, coups: int, seed: int) -> Iterator[int]:
    """Return the ranges of the words; words without a range are drawn again together."""
    stream = seeded_generator(seed).jumped(block)
    below = perm(52 * decks, 6)
    numbers = dict.fromkeys(range(coups), below)
    while wanted := [place for place, number in numbers.items() if number >= below]:
        for place in wanted:
            numbers[place] = int(stream.random_raw()) // (2**64 // below)
    yield from numbers.values()


def cards_of_number(number: int, decks: int) -> list[Rank]:
    """Return the six cards of a number, taken from a shoe in the order of ranks."""
    shoe = [rank for rank in RANKS for _ in range(4 * decks)]
    digits: list[int] = []
    for base in range(len(shoe) - 5, len(shoe) + 1):
        number, digit = divmod(number, base)
        digits.insert(0, digit)
    assert number == 0
    taken = []
    for digit in digits:
        taken.append(shoe[digit])
        shoe[digit] = shoe[-1]
        shoe.pop()
    return taken


def replay(block: int, decks: int, coups: int, seed: int) -> Iterator[list[Rank]]:
    for number in fair_numbers(block, decks, coups, seed):
        yield cards_of_number(number, decks)


def played(ranks: Sequence[Rank]) -> Coup:
    """Deal a coup from these six cards, using only the rules."""
    hands = {HandSide.PLAYER: Hand(), HandSide.BANKER: Hand()}
    shoe = iter(ranks)
    while side := next_to_receive(hands[HandSide.PLAYER], hands[HandSide.BANKER]):
        hands[side] = hands[side].receive(Card(next(shoe), Suit.SPADES))
    return coup_of(hands[HandSide.PLAYER], hands[HandSide.BANKER])


def counted(coups: Sequence[Coup]) -> tuple[dict[BetSpot, int], int]:
    """Return the counts of a simulation."""
    outcomes = Counter(coup.outcome for coup in coups)
    counts = {
        BetSpot.PLAYER: outcomes[CoupOutcome.PLAYER],
        BetSpot.BANKER: outcomes[CoupOutcome.BANKER],
        BetSpot.TIE: outcomes[CoupOutcome.TIE],
        BetSpot.PLAYER_PAIR: sum(coup.player_pair for coup in coups),
        BetSpot.BANKER_PAIR: sum(coup.banker_pair for coup in coups),
    }
    return counts, sum(c.outcome is CoupOutcome.BANKER and c.value == 6 for c in coups)


@pytest.mark.parametrize("decks", DECKS)
def test_simulated_baccarat_cards_equal_a_replay_of_the_random_words(decks: int) -> None:
    dealt = deal(seeded_generator(8).jumped(3), decks, 2000)
    assert [[RANKS[rank] for rank in six] for six in dealt.T.tolist()] == list(
        replay(3, decks, 2000, 8)
    )


def test_random_words_that_would_bias_a_baccarat_draw_are_discarded() -> None:
    below = perm(416, 6)
    raw = seeded_generator(1).jumped(0).random_raw(40_000).tolist()
    kept = list(fair_numbers(0, 8, 40_000, 1))
    thrown = [place for place, word in enumerate(raw) if word // 3690 >= below]
    assert 0 < len(thrown) < 20  # about 6: one in 7,000
    assert all(kept[place] < below for place in thrown)
    dealt = deal(seeded_generator(1), 8, 40_000)
    for place in thrown:
        assert [RANKS[rank] for rank in dealt[:, place]] == cards_of_number(kept[place], 8)


@pytest.mark.parametrize("decks", DECKS)
def test_simulated_counts_over_several_blocks_equal_coups_played_by_the_rules(
    decks: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(simulation, "ROUNDS_PER_BLOCK", 1500)
    coups = [
        played(six)
        for block, size in enumerate((1500, 1500, 45))
        for six in replay(block, decks, size, -7)
    ]
    came = simulate(decks, 3045, seed=-7)
    assert (came.counts, came.banker_six) == counted(coups)


# ---- chance ----------------------------------------------------------------------------------


@pytest.mark.parametrize("size", range(6, 11), ids=labelled("{} cards"))
def test_each_draw_number_gives_six_different_cards_and_a_different_draw(size: int) -> None:
    everything = ordered_draws(np.arange(perm(size, 6), dtype=np.uint64), size)
    in_order = np.sort(everything, axis=0)
    assert in_order.max() < size
    assert (in_order[1:] > in_order[:-1]).all()  # six different cards
    as_numbers = size ** np.arange(6) @ everything.astype(np.int64)
    assert len(np.unique(as_numbers)) == perm(size, 6)


def test_largest_draw_number_gives_the_last_six_cards_in_descending_order() -> None:
    for size in (52, 312, 416):
        last = ordered_draws(np.array([perm(size, 6) - 1], np.uint64), size)
        assert last.ravel().tolist() == list(range(size - 1, size - 7, -1))


@pytest.mark.parametrize("decks", DECKS)
def test_pairs_of_ranks_are_uniform_at_any_two_positions(decks: int) -> None:
    coups = 1_000_000
    dealt = deal(seeded_generator(4), decks, coups).astype(np.intp)
    alike, others = 4 * decks - 1, 4 * decks
    chance = np.where(np.eye(13, dtype=bool), alike, others) / (13 * (52 * decks - 1))
    for one in range(6):
        for other in range(one):
            often = np.bincount(13 * dealt[one] + dealt[other], minlength=169)
            assert_chi_square(often, coups * chance.ravel())


def assert_chi_square(often: npt.NDArray[np.int64], expected: npt.NDArray[np.float64]) -> None:
    freedom = len(often) - 1
    statistic = float(((often - expected) ** 2 / expected).sum())
    assert abs(statistic - freedom) < 4.5 * sqrt(2 * freedom)


@pytest.mark.parametrize("decks", DECKS)
def test_two_million_coups_agree_with_the_exact_odds(decks: int) -> None:
    coups = 2_000_000
    odds = odds_of(full_shoe(decks))
    came = simulate(decks, coups, seed=2024)
    outcomes = [came.counts[spot] for spot in (BetSpot.PLAYER, BetSpot.BANKER, BetSpot.TIE)]
    assert sum(outcomes) == came.coups == coups
    exact = {spot: float(odds.chance(spot)) for spot in SPOTS}
    for spot, chance in exact.items():
        error = sqrt(coups * chance * (1 - chance))
        assert abs(came.counts[spot] - coups * chance) < 4 * error, spot
    chance = odds.banker_six / odds.total
    assert abs(came.banker_six - coups * chance) < 4 * sqrt(coups * chance * (1 - chance))


# ---- seeds, jobs, progress -------------------------------------------------------------------


def test_simulation_of_one_coup_equals_its_replay() -> None:
    came = simulate(1, 1, seed=3)
    assert (came.counts, came.banker_six) == counted([played(*replay(0, 1, 1, 3))])


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ({"coups": 0}, "the number of coups must be 1 or more, not 0"),
        ({"coups": -1}, "the number of coups must be 1 or more, not -1"),
        ({"decks": 0}, "a shoe has 8, 6 or 1 decks, not 0"),
        ({"decks": 2}, "a shoe has 8, 6 or 1 decks, not 2"),
    ],
    ids=value_id,
)
def test_simulation_refuses_numbers_of_coups_or_decks_out_of_range(
    wrong: dict[str, Any], why: str
) -> None:
    with pytest.raises(ValueError, match=why):
        simulate(**{"decks": 8, "coups": 10, **wrong})


# ---- the report ------------------------------------------------------------------------------

COUNTS = {
    BetSpot.PLAYER: 446_000,
    BetSpot.BANKER: 459_000,
    BetSpot.TIE: 95_000,
    BetSpot.PLAYER_PAIR: 74_000,
    BetSpot.BANKER_PAIR: 75_000,
}


@pytest.fixture
def known_result() -> Simulation:
    return Simulation(8, 10**17, 1_000_000, COUNTS, 53_000)


def test_json_report_has_the_exact_counts() -> None:
    report = json.loads(as_json(Options()))
    assert list(report) == ["decks", "banker", "player", "tie", "total", "edges"]
    assert report["decks"] == 8
    assert report["banker"] == 2_292_252_566_437_888
    assert report["player"] == 2_230_518_282_592_256
    assert report["tie"] == 475_627_426_473_216
    assert report["total"] == 4_998_398_275_503_360
    assert {bet: f"{100 * edge:.4f}" for bet, edge in report["edges"].items()} == {
        "banker": "1.0579",
        "player": "1.2351",
        "tie": "14.3596",
        "player_pair": "10.3614",
        "banker_pair": "10.3614",
    }


def test_json_report_has_simulated_and_exact_odds(known_result: Simulation) -> None:
    report = json.loads(as_json(Options(), known_result))["simulation"]
    assert (report["coups"], report["seed"]) == (1_000_000, "1" + 17 * "0")
    assert report["counts"] == {
        "banker": 459_000,
        "player": 446_000,
        "tie": 95_000,
        "player_pair": 74_000,
        "banker_pair": 75_000,
    }
    assert report["shares"].keys() == report["counts"].keys()
    pair = 31 / 415
    error = sqrt(pair * (1 - pair) / 1_000_000)
    assert report["shares"]["player_pair"] == pytest.approx(
        {"share": 0.074, "standard_error": error, "off": (0.074 - pair) / error}
    )
    assert report["shares"]["player_pair"]["off"] < 0 < report["shares"]["banker_pair"]["off"]


@pytest.mark.parametrize("decks", DECKS)
def test_baccarat_simulation_report_fits_80_columns(decks: int) -> None:
    came = Simulation(decks, -(10**18), 10**12, dict.fromkeys(SPOTS, 10**11), 1)
    page = as_text(Options(decks=decks), came)
    assert max(map(len, page.splitlines())) <= 80
    assert not any(line.endswith(" ") for line in page.splitlines())


def test_text_report_has_counts_and_edges(known_result: Simulation) -> None:
    page = [line.split() for line in as_text(Options(), known_result).splitlines()]
    assert ["Banker", "2,292,252,566,437,888", "45.859742%"] in page
    assert ["total", "4,998,398,275,503,360"] in page
    assert ["Banker", "0.95:1", "1.0579%"] in page
    assert ["Banker,", "no", "commission", "1:1,", "6", "half", "1.4581%"] in page
    assert ["Tie", "8:1", "14.3596%"] in page
    assert ["Player", "pair", "11:1", "10.3614%"] in page
    assert any(line[:4] == ["Tie", "95,000", "9.500000%", "9.515597%"] for line in page)
    assert not any("seed" in line for line in as_text(Options()).splitlines())


def test_documented_baccarat_mathematics_has_the_exact_figures() -> None:
    page = (Path(__file__).parents[3] / "docs" / "theory" / "baccarat.md").read_text("utf-8")
    printed = {word for line in as_text(Options()).splitlines() for word in line.split()}
    tables = [word for line in page.splitlines() if line[:1] == "|" for word in line.split()]
    figures = {word for word in tables if word.endswith("%") or word.count(",") > 1}
    assert len(figures) == 11
    assert figures <= printed
