"""At every moment of every table the hint line tells the truth: what acts, what does not, and why.

Tables are walked by random play, of hints that were drawn by lot; a key's effect is looked for in
the log, in the marks, on the screen and in what is open.
"""

from __future__ import annotations

import random
from pathlib import Path
from string import ascii_letters, digits
from typing import Any

import pytest
from textual.app import App
from textual.pilot import Pilot

from tests.cases import by_game_first
from tests.tui.houses import (
    arcade,
    notes,
    practice,
    press,
    run_app,
    settle,
    table,
    text,
    with_purse,
)
from tui_casino.gamekit.registry import GAMES, GameListing
from tui_casino.tui.table.live import LiveTable
from tui_casino.tui.table.view import PRIMARY
from tui_casino.tui.widgets.command_line import OPENS_ANY
from tui_casino.tui.widgets.hint_strips import Hint

MOMENTS = 30
KEYS = {"?": "question_mark", "$": "dollar_sign", "+": "plus", "-": "minus"}


def log_of(app: App[Any]) -> list[Any]:
    """Give what the seat has done at the table so far."""
    sitting = table(app).sitting
    return [sitting.log.steps, sitting.id]


def looks(app: App[Any]) -> tuple[object, ...]:
    """Give all that a key may change."""
    shown = table(app)
    return (*log_of(app), shown.view.selection, text(app), len(app.screen_stack))


async def strike(pilot: Pilot[None], hint: Hint) -> None:
    await press(pilot, KEYS.get(hint.key, hint.key))


@by_game_first("five-card-draw")
async def test_hints_act_and_greyed_ones_say_why(listing: GameListing, tmp_path: Path) -> None:
    dice = random.Random(listing.slug)
    number = GAMES.index(listing) + 1
    async with run_app(arcade(practice(tmp_path), seed=7), 100, 30) as pilot:
        await press(pilot, str(number))
        for moment in range(MOMENTS):
            line, before = table(pilot.app).line, looks(pilot.app)
            hints = line.hints
            assert any(hint.enabled for hint in hints), f"no way on: {before}"
            assert hints[0].enabled, hints
            for hint in hints:
                if not hint.enabled:
                    await strike(pilot, hint)
                    said = line.meaning if line.value else line.current_message
                    assert said is not None, f"{hint} is silent"
                    assert said.mark == "refused"
                    assert len(said.text) > 3, hint
                    assert log_of(pilot.app) == [*before[:2]], f"{hint} is greyed and acts"
                    if line.value:
                        await press(pilot, "escape")
            able = [hint for hint in hints if hint.enabled]
            hint = able[0] if dice.random() < 0.6 else dice.choice(able)
            await press(pilot, "f24")  # a key that does nothing: what is said goes
            before = looks(pilot.app)
            await strike(pilot, hint)
            assert looks(pilot.app) != before, f"{hint} does nothing at {moment}"
            if not isinstance(pilot.app.screen, LiveTable):
                await press(pilot, "escape")
            assert isinstance(pilot.app.screen, LiveTable)


@by_game_first("cribbage", "baccarat")
async def test_space_does_what_it_says(listing: GameListing, tmp_path: Path) -> None:
    number = GAMES.index(listing) + 1
    async with run_app(arcade(practice(tmp_path), seed=9), 100, 30) as pilot:
        await press(pilot, str(number))
        done: list[object] = []
        for _ in range(MOMENTS):
            view, line = table(pilot.app).view, table(pilot.app).line
            view.after_action = done.append
            space = next(hint for hint in line.hints if hint.action == PRIMARY)
            deeds, wish = view.default_actions, view.primary
            done.clear()
            if not space.enabled:
                assert not deeds
                assert wish is None
                await strike(pilot, next(hint for hint in line.hints if hint.enabled))
                continue
            if deeds:
                first, last = map(view.name_of_action, (deeds[0], deeds[-1]))
                assert space.words == last or space.words.startswith(f"{first} and "), "or both"
            await press(pilot, "space")
            if deeds:
                assert done == [*deeds]


@by_game_first("video-poker")
async def test_no_key_is_silent(listing: GameListing, tmp_path: Path) -> None:
    number = GAMES.index(listing) + 1
    async with run_app(arcade(practice(tmp_path), seed=7), 100, 30) as pilot:
        await press(pilot, str(number))
        for key in (*ascii_letters, *digits, "f7", "tab", "insert", "dollar_sign", "number_sign"):
            screen, line = table(pilot.app), table(pilot.app).line
            if key in line._openers or key == OPENS_ANY:
                continue
            if line.value:
                await press(pilot, "escape")
            await press(pilot, "f24")
            before = looks(pilot.app)
            await press(pilot, key)
            after = looks(pilot.app) if screen in pilot.app.screen_stack else ()
            assert after != before, f"{key} is silent"
            while not isinstance(pilot.app.screen, LiveTable):
                await press(pilot, "escape")


@pytest.mark.parametrize("game", ["video-poker", "thirty-one", "baccarat"])
async def test_out_of_credit_two_ways_on_are_named(game: str, tmp_path: Path) -> None:
    house = with_purse(tmp_path, 0)
    number = [listing.slug for listing in GAMES].index(game) + 1
    async with run_app(arcade(house), 80, 24) as pilot:
        await press(pilot, str(number), "y")
        screen = table(pilot.app)
        assert notes(pilot.app)[-1] == "The house lends you 1,000.00."
        pilot.app.clear_notifications()
        await settle(pilot)
        assert "debt 1,000.00" in text(pilot.app)
        assert not screen.labels.is_over
