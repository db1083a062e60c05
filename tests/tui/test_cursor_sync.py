"""The terminal's own cursor, which screen readers follow, stands on the card of the player's."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.app import App

from tests.helpers.arcade_pilot import arcade, leave, practice, press, table
from tests.helpers.parameter_ids import value_id
from tests.tui.emulated_terminal import OnEmulator, rest, run_on_emulator
from tui_casino.tui.table.live import CardLocator


def under_cursor(app: App[None]) -> str:
    """Give the letter at the terminal's cursor, as its screen has it."""
    driver = app._driver
    assert isinstance(driver, OnEmulator)
    cursor = driver.screen.cursor
    return str(driver.screen.buffer[cursor.y][cursor.x].data)


@pytest.mark.parametrize(
    ("digit", "keys"),
    [("1", ["space"]), pytest.param("5", [], marks=pytest.mark.prove)],
    ids=value_id,
)
async def test_terminal_cursor_is_on_the_last_marked_card(
    digit: str, keys: list[str], tmp_path: Path
) -> None:
    app = arcade(practice(tmp_path), seed=1)
    async with run_on_emulator(app) as pilot:
        await press(pilot, digit, *keys)
        view = table(app).view
        cards = view.seen.hand if digit == "1" else view.seen.hands[view.seat]
        for key in ("", "2", "1", "2"):
            await press(pilot, *([key] if key else []))
            await rest(pilot)
            assert under_cursor(app) == cards[int(key or 1) - 1].rank.pip[0]
        await leave(pilot)


def test_card_row_and_cribbage_hand_can_locate_cards_for_the_cursor() -> None:
    from tui_casino.games.cribbage.face.widgets.own_hand import OwnHand
    from tui_casino.tui.widgets.cards import CardRow

    for cards in (CardRow(5), OwnHand()):
        assert isinstance(cards, CardLocator)
        assert cards.corner(1) is None
