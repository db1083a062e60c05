"""With the trainer on, each game warns once before a costly choice; with it off, never."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.cases import by_game
from tests.tui.houses import arcade, message_text, practice, press, run_app, settle, table
from tui_casino.gamekit.registry import GAMES, GameListing

MOST_KEYS = 6
"""Space leads to a choice with a costly alternative within so many presses."""


def costly_choice(live: Any) -> Any:
    """Return the worst choice of the position if it is a clear mistake, or ``None``."""
    definition, seen, seat = live.view.definition, live.view.seen, live.view.seat
    values = definition.adviser.values(seen, seat) if live.view.offers else ()
    for one in reversed(values):
        decision = definition.decision(seen, seat, one.action)
        staked = definition.game.money(seen, seat).staked
        if decision is not None and decision.mistake and decision.cost > staked / 10:
            return one.action
    return None


@pytest.mark.parametrize("trained", [True, False])
@by_game
async def test_costly_choice_is_held_back_once(
    listing: GameListing, trained: bool, tmp_path: Path
) -> None:
    if not listing.definition().adviser.has_judge:
        return
    async with run_app(arcade(practice(tmp_path), seed=7), 100, 30) as pilot:
        await press(pilot, str(GAMES.index(listing) + 1), *["t"] * trained)
        live = table(pilot.app)
        for _ in range(MOST_KEYS):
            if (action := costly_choice(live)) is not None:
                break
            await press(pilot, "space")
        assert action is not None
        await settle(pilot)
        assert live.view.knows_values == trained
        steps = live.table.state
        live.submit(action)
        await settle(pilot)
        if trained:
            assert live.table.state is steps, "nothing has happened"
            assert "osts " in message_text(pilot.app)
            assert "Best: " in message_text(pilot.app)
            live.submit(action)
            await settle(pilot)
        assert live.table.state is not steps
