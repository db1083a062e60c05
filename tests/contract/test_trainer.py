"""The trainer is the same in all games: its list, its warning before a choice, and its verdict.

With the trainer off, nothing of it is shown.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import astuple
from textual.pilot import Pilot

from tests.contract.toy.brains.players import Keeper
from tests.contract.toy.face.face import FACE
from tests.contract.toy.machine.game import Action, Change, Keep, Options, State
from tests.helpers.arcade_pilot import (
    arcade,
    hint_text,
    lines,
    message_after,
    message_text,
    practice,
    press,
    run_app,
    settle,
    table,
    text,
    text_after,
    until,
)
from tests.helpers.faulty_toy import toy
from tests.helpers.narrow import not_none
from tests.helpers.parameter_ids import size_id
from tests.helpers.quick_cases import by_game
from tui_casino.engine.chance import SeededSource
from tui_casino.engine.croupier import ShuffledShoe
from tui_casino.engine.game import Seat
from tui_casino.gamekit.adviser import ActionValue, Adviser, Mistake, ValuesScope
from tui_casino.gamekit.registry import GAMES, GameListing
from tui_casino.gamekit.verdict import short_verdicts
from tui_casino.games.video_poker.machine.game import Hold
from tui_casino.house.settings import Settings
from tui_casino.house.sitting import begin_sitting
from tui_casino.structs import replace
from tui_casino.tui.draw.choice_list import SPACE
from tui_casino.tui.table.action_text import with_card_signs
from tui_casino.tui.table.live import LiveTable

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


@pytest.mark.parametrize("trained", [True, False], ids=["with trainer", "without trainer"])
@by_game
async def test_trainer_holds_a_costly_choice_back_once_with_a_warning(
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


@pytest.mark.parametrize(
    ("warn", "is_warned"), [("always", True), ("never", False)], ids=["always", "never"]
)
async def test_warn_setting_decides_if_a_costly_choice_is_held_back(
    warn: str, is_warned: bool, tmp_path: Path
) -> None:
    settings = Settings(animation=False, warn=warn)
    async with run_app(arcade(practice(tmp_path), settings=settings, seed=7)) as pilot:
        await press(pilot, "1", "t", "space")
        live = table(pilot.app)
        second = live.view.ranking.holds[1]
        assert second.cost > 0
        state = live.table.state
        live.submit(Hold(second.positions))
        await settle(pilot)
        assert (live.table.state is state) == is_warned
        assert ("osts " in message_text(pilot.app)) == is_warned


@pytest.mark.parametrize("size", [(80, 24), (132, 43)], ids=size_id)
@pytest.mark.parametrize("trained", [True, False], ids=["with trainer", "without trainer"])
@by_game
async def test_trainer_verdict_with_cost_is_shown_until_the_next_choice(
    listing: GameListing, trained: bool, size: tuple[int, int], tmp_path: Path
) -> None:
    definition = listing.definition()
    if not definition.adviser.has_judge:
        return
    async with at_costly_choice(listing, tmp_path, size, trained=trained) as at:
        pilot, live, action = at
        seen, seat = live.view.seen, live.view.seat
        decision = not_none(definition.decision(seen, seat, action, ValuesScope.OF_ALL))
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
        assert "Best: " not in await message_after(pilot, "t"), "the trainer is off"


@pytest.mark.parametrize("size", [(80, 24), (132, 43)], ids=size_id)
@pytest.mark.parametrize("trained", [True, False], ids=["with trainer", "without trainer"])
@by_game
async def test_trainer_list_marks_the_best_choice_and_that_of_the_space_key(
    listing: GameListing, trained: bool, size: tuple[int, int], tmp_path: Path
) -> None:
    definition = listing.definition()
    if not definition.adviser.has_judge:
        return
    async with at_costly_choice(listing, tmp_path, size, trained=trained) as (pilot, live, action):
        view = live.view
        if view.open_slot() is not None:  # Space makes the choice that is marked
            for value in astuple(action)[0]:
                view.mark(value)
        await settle(pilot)
        choices, shown = view.choice_list, text(pilot.app)
        if not trained:
            assert choices is None
            assert " EV " not in shown
            return
        (spaced,) = view.default_actions
        best, *_ = definition.adviser.values(view.seen, view.seat)
        assert choices.rows[0].cost == "best"
        assert choices.rows[0].ev == expected_text(definition.in_units(best.value))
        assert choices.rows[0].ev in shown
        if view.open_slot() is not None:
            assert spaced == action
        decision = not_none(definition.decision(view.seen, view.seat, spaced, ValuesScope.OF_ALL))
        assert decision.value is not None
        assert choices.lit.label == SPACE
        assert choices.lit.ev == expected_text(definition.in_units(decision.value))
        lit = [line for line in lines(pilot.app) if choices.lit.ev in line and "▌" in line]
        assert any(choices.lit.cost in line for line in lit) or size == (80, 24)
        assert lit


@by_game
async def test_guess_first_hides_evs_and_warning_until_the_choice(
    listing: GameListing, tmp_path: Path
) -> None:
    definition = listing.definition()
    if not definition.adviser.has_judge:
        return
    key = "G" if "g" in definition.words.verbs else "g"
    async with at_costly_choice(listing, tmp_path, (132, 43), trained=False) as at:
        pilot, live, action = at
        await press(pilot, key)
        assert "the trainer is off: t switches it on." in hint_text(pilot.app)
        await press(pilot, "escape", "t")
        await until(pilot, lambda: live.view.choice_list and live.view.choice_list.rows)
        assert "trainer, guess first" in await text_after(pilot, key)
        assert " EV " not in text(pilot.app)
        assert not live.view.knows_values
        assert " EV " in await text_after(pilot, key)
        await press(pilot, key)
        state = live.table.state
        live.submit(action)
        await settle(pilot)
        assert live.table.state is not state, "a warning would give the best choice away"
        cost = definition.format_cost(live.view.totals.last)
        assert f"−{cost}. Best: " in message_text(pilot.app)


def expected_text(value: float) -> str:
    sign = "+" if round(value, 2) > 0 else "−" if round(value, 2) < 0 else ""
    return f"{sign}{abs(value):.2f}"


async def test_added_game_gets_trainer_list_and_warning_from_its_adviser(tmp_path: Path) -> None:
    """The toy's adviser says that to keep the card is worth a chip more than to change it."""

    def values(view: State, seat: Seat) -> tuple[ActionValue[Action], ...]:
        worths = ((Keep(), 1), (Change(1), Fraction(1, 4)), (Change(2), 0))
        return tuple(ActionValue(act, Fraction(worth)) for act, worth in worths if view.staked)

    def judge(view: State, seat: Seat, action: Action) -> Mistake[Action] | None:
        worth = {one.action: Fraction(one.value) for one in values(view, seat)}
        return Mistake(1 - worth[action], Keep()) if worth.get(action, 1) != 1 else None

    adviser: Adviser[Any, State, Action, Any]
    adviser = Adviser(judge=judge, action_values=values)
    definition = replace(toy(players={"keeper": Keeper}), adviser=adviser)
    players = {Seat(0): None, Seat(1): "keeper"}
    house = practice(tmp_path)
    sitting = begin_sitting(house, definition, Options(), ShuffledShoe(), SeededSource(1), players)
    async with run_app(arcade(house)) as pilot:
        live: Any = LiveTable("Toy", FACE, sitting)
        pilot.app.push_screen(live)
        assert "CHOICES" not in await text_after(pilot, "d")
        await press(pilot, "t")
        await until(pilot, lambda: "CHOICES" in text(pilot.app))
        rows = live.view.choice_list.rows
        assert [(row.name, row.ev, row.cost, row.label) for row in rows] == [
            ("k", "+1.00", "best", SPACE),
            ("c 1", "+0.25", "0.75", ""),
            ("c 2", "0.00", "1.00", ""),
        ]
        live.submit(Change(2))
        await settle(pilot)
        assert message_text(pilot.app).startswith("! That costs 1.00")
        assert "CHOICES" not in await text_after(pilot, "t")


@by_game
async def test_click_in_the_trainer_list_marks_or_makes_the_choice(
    listing: GameListing, tmp_path: Path
) -> None:
    if not listing.definition().adviser.has_judge:
        return
    async with at_costly_choice(listing, tmp_path, (132, 43), trained=True) as (pilot, live, _):
        view, state = live.view, live.table.state
        await until(pilot, lambda: view.choice_list and view.choice_list.rows)
        second = view.choice_list.rows[1]
        y = next(
            row
            for row, line in enumerate(lines(pilot.app))
            if second.ev in line and second.cost in line and "chance" not in line
        )
        x = lines(pilot.app)[y].index(second.ev)
        await pilot.click(offset=(x, y))
        await settle(pilot)
        if view.open_slot() is not None:
            assert view.choice_list.rows[1].label == SPACE
            assert live.table.state is state
        else:  # the key of the choice, which a warning may hold back
            assert live.table.state is not state or "Best: " in message_text(pilot.app)
