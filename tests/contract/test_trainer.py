"""The trainer is the same in all games: its list, its warning before a choice, and its verdict.

With the trainer off, nothing of it is shown.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from tests.helpers.arcade_pilot import (
    arcade,
    message_text,
    practice,
    press,
    run_app,
    settle,
    table,
    text,
)
from tests.helpers.quick_cases import by_game
from tui_casino.gamekit.adviser import ValuesScope
from tui_casino.gamekit.registry import GAMES, GameListing
from tui_casino.gamekit.verdict import short_verdicts
from tui_casino.tui.table.action_text import with_card_signs

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


@asynccontextmanager
async def at_costly_choice(
    listing: GameListing, folder: Path, size: tuple[int, int], *, trained: bool
) -> AsyncIterator[tuple[Pilot[None], Any, Any]]:
    """Open a table at a choice with a costly alternative; give the table and that alternative."""
    async with run_app(arcade(practice(folder), seed=7), *size) as pilot:
        await press(pilot, str(GAMES.index(listing) + 1), *["t"] * trained)
        live = table(pilot.app)
        for _ in range(MOST_KEYS):
            if (action := costly_choice(live)) is not None:
                break
            await press(pilot, "space")
        assert action is not None
        await settle(pilot)
        yield pilot, live, action


@pytest.mark.parametrize("trained", [True, False])
@by_game
async def test_costly_choice_is_held_back_once(
    listing: GameListing, trained: bool, tmp_path: Path
) -> None:
    if not listing.definition().adviser.has_judge:
        return
    async with at_costly_choice(listing, tmp_path, (100, 30), trained=trained) as at:
        pilot, live, action = at
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


@pytest.mark.parametrize("size", [(80, 24), (132, 43)])
@pytest.mark.parametrize("trained", [True, False])
@by_game
async def test_verdict_is_shown_until_the_next_choice(
    listing: GameListing, trained: bool, size: tuple[int, int], tmp_path: Path
) -> None:
    definition = listing.definition()
    if not definition.adviser.has_judge:
        return
    async with at_costly_choice(listing, tmp_path, size, trained=trained) as at:
        pilot, live, action = at
        seen, seat = live.view.seen, live.view.seat
        decision = definition.decision(seen, seat, action, ValuesScope.OF_ALL)
        assert decision is not None
        live.evaluator.warned = action  # no warning
        live.submit(action)
        await settle(pilot)
        full, short, shortest = map(with_card_signs, short_verdicts(definition, decision))
        told = message_text(pilot.app)
        assert any(text in told for text in (full, short, shortest)) == trained
        assert full.startswith(short.partition(". Best")[0])
        reason = with_card_signs(next(iter(definition.reasons(decision))))
        assert full.endswith(reason), "cause"
        cost = definition.format_cost(decision)
        assert all(f"−{cost}" in text and "Best: " in text for text in (full, short, shortest))
        if not trained:
            assert cost not in text(pilot.app).replace("0.00", "")
            return
        await press(pilot, "t")
        assert "Best: " not in message_text(pilot.app), "the trainer is off"
