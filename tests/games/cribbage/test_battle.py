"""Battles: the same for the same seed, fair to both sides, and counted right."""

from __future__ import annotations

from math import sqrt

import pytest

from tui_casino.engine.parallel import Workers
from tui_casino.games.cribbage.brains.battle import (
    BattleGame,
    CribbageBattle,
    PairedMean,
    run_battle,
)


def test_battle_with_the_same_seed_is_the_same_on_any_number_of_processes() -> None:
    names = ("greedy", "random")
    told: list[int] = []
    alone = run_battle(names, 5, rules="acc", seed=-3, progress=told.append)
    assert told == [5]
    assert run_battle(names, 5, rules="acc", seed=-3, workers=Workers(2)) == alone
    assert run_battle(names, 2, rules="acc", seed=-3).pairs == alone.pairs[:2]
    assert run_battle(names, 2, rules="acc", seed=4).pairs != alone.pairs[:2]


def test_battle_of_a_player_against_itself_is_even() -> None:
    """Both games of a pair are then one game, seen from both sides."""
    battle = run_battle(("greedy", "greedy"), 3, rules="trainer", seed=1)
    assert battle.share.value == 0.5
    assert battle.lead.value == 0
    for one, other in battle.pairs:
        assert one.points == other.points[::-1]
        assert one.deals == other.deals


def test_greedy_beats_random_in_a_battle_to_121_points() -> None:
    battle = run_battle(("greedy", "random"), 5, rules="acc", seed=2)
    assert battle.share.value > 0.8
    assert battle.lead.value > battle.lead.margin
    for game in battle.games:
        assert max(game.points) == 121
        assert min(game.points) < 121
        assert game.worth == 1 + (min(game.points) <= 90)


def test_battle_counts_wins_skunks_and_lead_of_known_games() -> None:
    pairs = (
        (BattleGame((121, 80), 9, 2), BattleGame((100, 121), 10, 1)),
        (BattleGame((121, 60), 8, 3), BattleGame((121, 119), 11, 1)),
    )
    battle = CribbageBattle(("expert", "greedy"), "acc", 1, pairs)
    assert (battle.wins(0), battle.wins(1)) == (3, 1)
    assert (battle.skunks(0, 2), battle.skunks(0, 3), battle.skunks(1, 2)) == (1, 1, 0)
    assert battle.deals == 38
    assert battle.points_a_deal(0) == (121 + 100 + 121 + 121) / 38
    assert battle.share.value == 0.75
    leads = [(41 - 21) / 19, (61 + 2) / 19]
    assert battle.lead == PairedMean.of_values(leads)
    spread = abs(leads[0] - leads[1]) / sqrt(2)
    assert battle.lead.margin == pytest.approx(1.96 * spread / sqrt(2))


def test_battle_won_in_every_game_has_a_margin_of_error() -> None:
    won = (BattleGame((121, 80), 9, 2), BattleGame((121, 80), 9, 2))
    battle = CribbageBattle(("expert", "random"), "acc", 1, (won,) * 4)
    assert battle.share.value == 1
    assert battle.share.margin > 0.2


def test_battle_needs_at_least_two_pairs() -> None:
    with pytest.raises(ValueError, match="2 to 1000000 pairs of games, not 1"):
        run_battle(("greedy", "random"), 1, rules="acc", seed=1)


@pytest.mark.prove
def test_expert_beats_greedy_in_a_cribbage_battle() -> None:
    battle = run_battle(("expert", "greedy"), 60, rules="acc", seed=5)
    assert battle.lead.value > battle.lead.margin
    assert battle.share.value > 0.5
