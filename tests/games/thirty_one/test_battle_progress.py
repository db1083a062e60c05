"""A running simulation: its reports add up, and it can be stopped."""

from __future__ import annotations

import pytest

from tui_casino.games.thirty_one.brains.dealer_simulation import (
    BattleProgress,
    BattleStopped,
    run_battle,
)
from tui_casino.games.thirty_one.face.odds_report import GAIN, battle_figures
from tui_casino.games.thirty_one.machine.rules import Rules


@pytest.mark.parametrize("decks", [2, None])
def test_battle_progress_reports_add_up_to_the_result(decks: int | None) -> None:
    running = BattleProgress(decks, 5)
    before = running.result
    assert before is None
    fought = run_battle(Rules(), 3_001, decks=decks, seed=5, listener=running.add_rounds)
    assert running.result == fought == run_battle(Rules(), 3_001, decks=decks, seed=5)
    rounds, gain = running.gain_history[-1]
    assert rounds == 3_001
    (figure,) = (each for each in battle_figures(fought, Rules()) if each.label == GAIN)
    assert gain == pytest.approx(figure.share)
    assert [rounds for rounds, _ in running.gain_history] == sorted(
        {n for n, _ in running.gain_history}
    )


def test_stopped_hit_me_battle_ends_without_a_result() -> None:
    running = BattleProgress(2, 5)
    running.stop()
    with pytest.raises(BattleStopped):
        run_battle(Rules(), 10_000, seed=5, listener=running.add_rounds)
    assert running.result is None
