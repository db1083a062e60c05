"""At every moment of every table the hint line tells the truth: what acts, what does not, and why.

Tables are walked by random play, of hints that were drawn by lot; a key's effect is looked for in
the log, in the marks, on the screen and in what is open.
"""

from __future__ import annotations

import math
import random
from pathlib import Path
from string import ascii_letters, digits
from typing import Any

import pytest
from textual.app import App
from textual.pilot import Pilot

from tests.helpers.arcade_pilot import (
    arcade,
    clear_notices,
    notes,
    practice,
    press,
    run_app,
    table,
    text,
    with_purse,
)
from tests.helpers.quick_cases import by_game, by_game_first
from tui_casino.gamekit.registry import GAMES, GameListing
from tui_casino.tui.table.listed_view import PRIMARY
from tui_casino.tui.table.live import READING_SECONDS, LiveTable
from tui_casino.tui.widgets import hint_line
from tui_casino.tui.widgets.command_line import OPENS_ANY
from tui_casino.tui.widgets.hint_line import Hint

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
async def test_key_of_an_active_hint_acts_and_of_a_greyed_hint_shows_a_reason(
    listing: GameListing, tmp_path: Path
) -> None:
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
                    said = line.current_message
                    assert said is not None, f"{hint} is silent"
                    assert not line.value, f"{hint} is greyed and opens the line"
                    assert said.mark == "refused"
                    assert len(said.text) > 3, hint
                    assert log_of(pilot.app) == [*before[:2]], f"{hint} is greyed and acts"
            able = [hint for hint in hints if hint.enabled]
            hint = able[0] if dice.random() < 0.6 else dice.choice(able)
            await press(pilot, "f24")  # a key that does nothing: what is said goes
            before = looks(pilot.app)
            await strike(pilot, hint)
            assert looks(pilot.app) != before, f"{hint} does nothing at {moment}"
            if not isinstance(pilot.app.screen, LiveTable):
                await press(pilot, "escape")
            assert isinstance(pilot.app.screen, LiveTable)


@by_game
async def test_main_action_key_acts_a_second_after_an_unavailable_key(
    listing: GameListing, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Press every greyed key, and every letter without a meaning, before each action."""
    monkeypatch.setattr(hint_line, "STRAY_SECONDS", -1.0)  # as after a second
    async with run_app(arcade(practice(tmp_path), seed=7), 100, 30) as pilot:
        await press(pilot, str(GAMES.index(listing) + 1))
        pressed = 0
        for _ in range(MOMENTS):
            screen, line = table(pilot.app), table(pilot.app).line
            for key in ascii_letters:
                bound = screen.active_bindings
                active = bound.get(key) or bound.get(key.lower())
                if active.enabled if active else screen.labels.begins_command(key):
                    continue
                log = log_of(pilot.app)
                await press(pilot, key)
                assert not line.value, f"{key} opens the line"
                assert line.current_message is not None, f"{key} is silent"
                assert line.current_message.mark == "refused"
                assert log_of(pilot.app) == log, f"{key} is refused and acts"
                pressed += 1
            gold = next(hint for hint in line.hints if hint.enabled)
            before = looks(pilot.app)
            await strike(pilot, gold)
            assert looks(pilot.app) != before, f"{gold} does nothing"
            if not isinstance(pilot.app.screen, LiveTable):
                await press(pilot, "escape")
        assert pressed > 5 * MOMENTS


@by_game
async def test_keys_typed_quickly_after_a_refused_letter_do_nothing(
    listing: GameListing, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hint_line, "STRAY_SECONDS", math.inf)
    async with run_app(arcade(practice(tmp_path), seed=7), 100, 30) as pilot:
        await press(pilot, str(GAMES.index(listing) + 1))
        screen, line = table(pilot.app), table(pilot.app).line
        letter = next(
            key
            for key in "zyjv"
            if key not in screen.active_bindings and not screen.labels.begins_command(key)
        )
        before = log_of(pilot.app)
        await press(pilot, letter, "space", letter, "space", "enter")
        assert log_of(pilot.app) == before
        assert line.current_message is not None
        assert line.current_message.mark == "refused"
        await press(pilot, letter, "right")
        gold = next(hint for hint in line.hints if hint.enabled)
        looked = looks(pilot.app)
        await strike(pilot, gold)
        assert looks(pilot.app) != looked, "any other key ends the refused line"


@pytest.mark.parametrize("typed", [("z",), ("z", "z", "space")], ids=["letter", "word"])
@pytest.mark.parametrize("game", ["video-poker", "five-card-draw", "cribbage"])
async def test_cards_are_marked_even_after_a_refused_key_but_space_is_asked_for_again(
    game: str, typed: tuple[str, ...], tmp_path: Path
) -> None:
    """Mark two cards right after a refused line; give each key its own time."""
    number = [listing.slug for listing in GAMES].index(game) + 1
    async with run_app(arcade(practice(tmp_path), seed=7), 100, 30) as pilot:
        await press(pilot, str(number))
        for _ in range(12):
            if table(pilot.app).view.open_slot() is not None:
                break
            await press(pilot, "space")
        screen, line = table(pilot.app), table(pilot.app).line
        assert screen.view.open_slot() is not None
        before = log_of(pilot.app)
        keys, at = (*typed, "1", "3", "space"), 1e9
        for place, key in enumerate(keys):
            await press(pilot, key, time=at + 0.2 * place)
        assert screen.view.selection == (1, 3)
        assert log_of(pilot.app) == before
        assert line.current_message is not None
        assert line.current_message.mark == "refused"
        assert line.current_message.details == "Press it again."
        after = 0.2 * len(keys) + hint_line.STRAY_SECONDS
        await press(pilot, "space", time=at + after)
        assert log_of(pilot.app) != before


@by_game_first("video-poker", "thirty-one", without="baccarat")
async def test_trainer_key_acts_even_after_a_refused_key(
    listing: GameListing, tmp_path: Path
) -> None:
    async with run_app(arcade(practice(tmp_path), seed=7), 100, 30) as pilot:
        await press(pilot, str(GAMES.index(listing) + 1))
        view = table(pilot.app).view
        trains = view.trains
        await press(pilot, "z", time=1e9)
        await press(pilot, "t", time=1e9 + 0.1)
        assert view.trains != trains


@by_game_first("video-poker", "thirty-one")
async def test_question_that_appears_by_itself_is_not_answered_before_it_can_be_read(
    listing: GameListing, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with run_app(arcade(practice(tmp_path), seed=7), 100, 30) as pilot:
        await press(pilot, str(GAMES.index(listing) + 1))
        screen = table(pilot.app)
        if next(hint for hint in screen.line.hints if hint.enabled).key != "space":
            await press(pilot, "1", "2")  # they mark cards or place chips
        monkeypatch.setattr(type(screen), "tempo", 1.0)
        screen._asked_at = 1e9
        before = log_of(pilot.app)
        await press(pilot, "space", time=1e9 + 0.9 * READING_SECONDS)
        assert log_of(pilot.app) == before
        assert screen.line.current_message is not None
        assert screen.line.current_message.details == "Press it again."
        await press(pilot, "space", time=1e9 + 1.1 * READING_SECONDS)
        assert log_of(pilot.app) != before


@by_game
async def test_keys_act_again_after_a_pause_following_a_refused_line(
    listing: GameListing, tmp_path: Path
) -> None:
    """Give each key its own time, so that the speed of the machine does not matter."""
    async with run_app(arcade(practice(tmp_path), seed=7), 100, 30) as pilot:
        await press(pilot, str(GAMES.index(listing) + 1))
        line = table(pilot.app).line
        gold = next(hint for hint in line.hints if hint.enabled)
        key = KEYS.get(gold.key, gold.key)
        soon = 0.9 * hint_line.STRAY_SECONDS
        for place in range(4):
            await press(pilot, "y" if place == 0 else "9", time=100 + place * soon)
            assert line.current_message.mark == "refused"
        assert line.current_message.word == "y999", "the pause begins with the last key"
        assert line.current_message.details.endswith(hint_line.STRAY_ENDS)
        looked = looks(pilot.app)
        await press(pilot, key, time=100 + 3 * soon + 1.1 * hint_line.STRAY_SECONDS)
        assert looks(pilot.app) != looked, f"{key} acts"


@pytest.mark.parametrize("word", ["stats", "why", "help"])
async def test_word_typed_from_a_refused_letter_opens_the_command_line(
    word: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hint_line, "STRAY_SECONDS", math.inf)
    async with run_app(arcade(practice(tmp_path), seed=7), 100, 30) as pilot:
        await press(pilot, "4")  # s is stand, which is greyed before a bet
        await press(pilot, *word)
        assert table(pilot.app).line.value == word


@by_game_first("cribbage", "baccarat")
async def test_space_key_does_the_action_named_in_its_hint(
    listing: GameListing, tmp_path: Path
) -> None:
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
async def test_every_key_at_a_table_changes_the_screen_or_shows_an_answer(
    listing: GameListing, tmp_path: Path
) -> None:
    number = GAMES.index(listing) + 1
    async with run_app(arcade(practice(tmp_path), seed=7), 100, 30) as pilot:
        await press(pilot, str(number))
        for key in (*ascii_letters, *digits, "f7", "tab", "insert", "dollar_sign", "number_sign"):
            screen, line = table(pilot.app), table(pilot.app).line
            if screen.labels.opens(key) or key == OPENS_ANY:
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
async def test_accepted_loan_opens_the_table_for_a_player_without_money(
    game: str, tmp_path: Path
) -> None:
    house = with_purse(tmp_path, 0)
    number = [listing.slug for listing in GAMES].index(game) + 1
    async with run_app(arcade(house), 80, 24) as pilot:
        await press(pilot, str(number), "y")
        screen = table(pilot.app)
        assert notes(pilot.app)[-1] == "The house lends you 1,000.00."
        await clear_notices(pilot)
        assert "debt 1,000.00" in text(pilot.app)
        assert not screen.labels.is_over
