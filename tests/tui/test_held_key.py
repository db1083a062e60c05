"""A key that is held down, by a book on the keyboard or over a stuck connection, risks no money."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.helpers.arcade_pilot import (
    arcade,
    hint_text,
    hold,
    press,
    run_app,
    shuffles,
    with_purse,
)
from tui_casino.gamekit.registry import DEFINITIONS

SPACE = "space", " "
BETS = {
    "video-poker": ((), SPACE),
    "baccarat": (("1", "space"), ("r", "r")),
    "five-card-draw": ((), SPACE),
    "thirty-one": ((), SPACE),
}
"""For each game for money: the keys before the first bet, and the key that bets as before."""


@pytest.mark.parametrize("game", BETS)
@pytest.mark.parametrize("seed", [1, 2, 3])
async def test_held_key_ends_the_round_but_does_not_bet_on_the_next(
    game: str, seed: int, tmp_path: Path
) -> None:
    app = arcade(with_purse(tmp_path), game=game, fresh=shuffles(seed))
    before, (key, character) = BETS[game]
    async with run_app(app) as pilot:
        await press(pilot, *before)
        assert True not in await hold(pilot, key, character), "not on this round"
        assert "held down" in hint_text(app)
        await press(pilot, key)
        staked = await hold(pilot, key, character)
        assert staked == sorted(staked, reverse=True), "at stake, and then no more"
        if not staked[-1]:
            assert "held down" in hint_text(app)
            await press(pilot, key)
            assert "held down" not in hint_text(app)


def test_all_games_for_money_are_tried() -> None:
    assert {*BETS} == {*DEFINITIONS} - {"cribbage"}
