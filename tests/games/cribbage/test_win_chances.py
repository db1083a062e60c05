"""The chance to win: its deals against the machine, its recursion by hand, games against it."""

from __future__ import annotations

from itertools import groupby
from math import sqrt
from random import Random

import numpy as np
import pytest

from tests.build_data.cribbage import game_simulation
from tests.build_data.cribbage.win_chances import (
    count_outcomes,
    main,
    play_block,
    shuffled,
    solve_win_chances,
)
from tests.games.cribbage.policy_games import by_the_machine, counted, games_won, ordered
from tui_casino.cards.card import PACK
from tui_casino.engine.monte_carlo import seeded_generator
from tui_casino.engine.parallel import Workers
from tui_casino.games.cribbage.brains.bulk_play import play_deals
from tui_casino.games.cribbage.brains.bulk_points import CHOICES, best_discards, sorted_hands
from tui_casino.games.cribbage.brains.discards import shipped_frequencies, weigh
from tui_casino.games.cribbage.brains.win_chances import (
    FILE,
    SIZE,
    TABLES,
    TARGET,
    UNIT,
    DealOutcomes,
    shipped_win_chances,
)
from tui_casino.games.cribbage.machine.rules import ACC


@pytest.mark.parametrize("dealer", [True, False], ids=["dealer", "pone"])
def test_discards_in_bulk_equal_those_of_the_adviser_one_by_one(dealer: bool) -> None:
    weights = shipped_frequencies().weights_against(dealer)
    random = Random(5)
    hands = sorted_hands(np.array([random.sample(range(52), 6) for _ in range(60)]))
    for hand, choice in zip(
        hands.tolist(), best_discards(hands, dealer, ACC, weights), strict=True
    ):
        cards = [PACK[card] for card in hand]
        assert cards == sorted(cards)
        best = weigh(cards, dealer, ACC, weights)[0].discard
        assert tuple(cards[place] for place in CHOICES[choice]) == best


def test_bulk_deal_scores_as_the_game_does() -> None:
    packs = shuffled(seeded_generator(3), 25)
    deals = play_deals(packs)
    for number, pack in enumerate(ordered(packs)):
        found = in_turns(counted(deals, number, pack[12]))
        assert found == in_turns(by_the_machine(pack))


def in_turns(told: object) -> list[tuple[tuple[str, int], int]]:
    """Add up what one side scores without the other between."""
    some = [one for one in told if one[2]]  # type: ignore[attr-defined]
    return [(key, sum(p for _, _, p in same)) for key, same in groupby(some, lambda one: one[:2])]


def test_counts_of_points_by_stage_cover_every_starter_in_scoring_order() -> None:
    deals = play_deals(shuffled(seeded_generator(4), 6))
    expected = {name: np.zeros((SIZE, SIZE), np.int64) for name in TABLES}
    for number in range(6):
        for card in deals.undealt[number].tolist():
            has = {1: 0, 0: 0}
            pegged: tuple[int, int] = (0, 0)
            for part, seat, points in counted(deals, number, PACK[card]):
                if part in ("starter", "play"):
                    table = expected["dealer_reaches" if seat else "pone_reaches"]
                    for _ in range(points):
                        has[seat] += 1
                        table[has[seat], has[1 - seat]] += 1
                    continue
                if part == "hand" and seat == 0:
                    pegged = has[1], has[0]
                    expected["play"][pegged] += 1
                has[seat] += points
                if part == "hand":
                    name = "dealer_first" if seat else "pone_shown"
                    expected[name][has[1], pegged[1] if seat else has[0]] += 1
            expected["all_shown"][has[1], has[0]] += 1
    found = count_outcomes(deals)
    assert found.cases == 6 * 40
    for name in TABLES:
        assert (getattr(found, name) == expected[name]).all(), name


def brought(**tables: dict[tuple[int, int], int]) -> DealOutcomes:
    made = {name: np.zeros((SIZE, SIZE), np.int64) for name in TABLES}
    for name, counts in tables.items():
        for place, ways in counts.items():
            made[name][place] = ways
    return DealOutcomes(**made)


def test_win_chance_with_one_point_per_deal_equals_a_hand_calculation() -> None:
    """In 1 of 4 deals the crib brings the dealer one, in the others pone's hand brings one."""
    some = brought(
        play={(0, 0): 4},
        pone_shown={(0, 0): 1, (0, 1): 3},
        dealer_first={(0, 0): 4},
        all_shown={(1, 0): 1, (0, 1): 3},
    )
    win = solve_win_chances(some)
    assert win[120, 120] == pytest.approx(1 / 4)
    assert win[120, 119] == pytest.approx(1 / 4 + 3 / 4 * (1 - 1 / 4))  # then pone deals at 120
    assert win[119, 120] == pytest.approx(1 / 4 * (1 - 1 / 4))


def test_win_chance_with_both_scoring_equals_a_hand_calculation() -> None:
    """Pone has a point in the play, then the dealer two; pone's hand has two, the dealer's four."""
    some = brought(
        pone_reaches={(1, 0): 1},
        dealer_reaches={(1, 1): 1, (2, 1): 1},
        play={(2, 1): 1},
        pone_shown={(2, 3): 1},
        dealer_first={(6, 1): 1},
        all_shown={(6, 3): 1},
    )
    win = solve_win_chances(some)
    assert win[119, 119] == 1  # pone has one point, then the dealer two
    assert win[119, 120] == 0  # one is enough for pone
    assert win[118, 118] == 0  # two in the play; pone's hand comes first
    assert win[118, 117] == 1  # three of four: the dealer's hand
    assert win[114, 117] == 1  # to 120-120: now he is pone, whose point comes first


def test_shipped_chances_follow_from_the_shipped_counts() -> None:
    shipped = shipped_win_chances()
    assert shipped.outcomes.cases == 40 * shipped.deals
    assert np.abs(solve_win_chances(shipped.outcomes) - shipped.chances).max() <= 0.5 / UNIT + 1e-12
    assert shipped.error < 0.001
    assert FILE.stat().st_size < 200_000


@pytest.mark.prove
def test_the_shipped_counts_agree_with_deals_of_another_seed() -> None:
    fresh, shipped = count_outcomes(play_block(2, 0, 1 << 11)), shipped_win_chances().outcomes
    for name in ("pone_shown", "all_shown"):
        for side in (0, 1):
            mean, spread = moments(getattr(shipped, name), side)
            found, _ = moments(getattr(fresh, name), side)
            assert abs(found - mean) < 5 * spread / sqrt(1 << 11)


def moments(
    table: np.ndarray[tuple[int, int], np.dtype[np.int64]], side: int
) -> tuple[float, float]:
    counts, points = table.sum(axis=1 - side), np.arange(SIZE)
    mean = float(counts @ points / counts.sum())
    return mean, sqrt(float(counts @ (points - mean) ** 2 / counts.sum()))


def test_chances_of_both_players_add_up_to_one() -> None:
    shipped = shipped_win_chances()
    assert shipped.chance(100, 110, True) + shipped.chance(110, 100, False) == pytest.approx(1)
    assert shipped.chance(100, 90, True) > shipped.chance(100, 90, False)
    with pytest.raises(ValueError, match="0 to 120, not 121"):
        shipped.chance(121, 0, True)


def test_first_dealer_wins_as_often_as_published() -> None:
    """Cribbage Pro, from its players' games: 56.0% between its best, 55.5% between all."""
    assert shipped_win_chances().chance(0, 0, True) == pytest.approx(0.56, abs=0.006)


GAMES = 40_000


def test_winners_of_bulk_deals_equal_those_by_the_rules() -> None:
    """Play deal by deal by the rules, and return who reaches 121 first."""
    for dealer in (0, 1):
        deals = play_deals(shuffled(seeded_generator(5), 60))
        points = np.array([[105] * 60, [111] * 60])
        winners = game_simulation._add_deal(points, deals, dealer).tolist()
        for number, winner in enumerate(winners):
            has, first = [105, 111], -1
            starter = PACK[int(deals.undealt[number, 0])]
            for _, seat, more in counted(deals, number, starter):  # seat 1 deals
                who = dealer if seat else 1 - dealer
                has[who] += more
                first = who if first < 0 and has[who] >= TARGET else first
            assert (winner, points[:, number].tolist()) == (first, has)
        assert {-1, 0, 1} == set(winners)


@pytest.mark.prove
def test_simulated_cribbage_games_are_the_same_on_one_and_two_jobs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(game_simulation, "BLOCK", 40)
    alone = game_simulation.games_won(110, 112, 100, seed=1)
    assert alone == game_simulation.games_won(110, 112, 100, 1, Workers(2))
    assert 0 < alone < 100


def test_simulation_of_zero_cribbage_games_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert game_simulation.main("0") == 2
    assert "GAMES: 0 is out of range" in capsys.readouterr().err


@pytest.mark.prove
def test_thirty_thousand_games_from_each_score_agree_with_the_table() -> None:
    assert game_simulation.main("30000", "--seed", "3", "--jobs", "2") == 0


@pytest.mark.prove
@pytest.mark.parametrize(("dealer", "pone"), [(0, 0), (60, 60), (100, 110), (110, 100)])
def test_simulated_games_are_won_as_often_as_the_win_chance_table_says(
    dealer: int, pone: int
) -> None:
    expected = shipped_win_chances().chance(dealer, pone, True)
    share = games_won(dealer, pone, GAMES, seed=7) / GAMES
    assert abs(share - expected) < 4 * sqrt(expected * (1 - expected) / GAMES)


@pytest.mark.prove
def test_shipped_win_chances_equal_the_output_of_their_command() -> None:
    assert main("--check", "--jobs", "2") == 0


def test_every_pair_of_scores_has_a_win_chance_from_0_to_1() -> None:
    table = shipped_win_chances().chances
    assert table.shape == (TARGET, TARGET)
    assert ((table >= 0) & (table <= 1)).all()
    assert (np.diff(table, axis=1)[:, ::10] <= 0.02).all()  # a point more for pone is no help
