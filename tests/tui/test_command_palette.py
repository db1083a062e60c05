"""The palette: everything that can be done at this moment, by its name, in plain characters too."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from rich.style import Style
from textual.app import App
from textual.events import Click

from tests.helpers.arcade_pilot import (
    ME,
    STILL,
    arcade,
    leave,
    lines,
    practice,
    press,
    run_app,
    screen_after,
    settle,
    table,
    text,
    with_purse,
)
from tests.helpers.parameter_ids import size_id
from tests.helpers.quick_cases import first_of
from tests.helpers.screen_walks import LOOKS, key_of
from tui_casino.gamekit.registry import GAMES, GameListing, lower_title
from tui_casino.house.settings import load
from tui_casino.house.sitting import House
from tui_casino.tui.command_palette import CommandPalette
from tui_casino.tui.history.screen import HistoryScreen
from tui_casino.tui.menu.screen import Menu
from tui_casino.tui.modals import ConfirmationDialog, MarkedOptionList
from tui_casino.tui.table.live import LiveTable
from tui_casino.tui.widgets.key_bar import KeyBar


@pytest.fixture
def house(tmp_path: Path) -> House:
    return practice(tmp_path)


def offered(app: App[Any]) -> list[str]:
    """Give what the palette lists."""
    assert isinstance(app.screen, CommandPalette)
    return [deed.words for deed in app.screen._matches]


async def typed(pilot: Any, words: str) -> None:
    await press(pilot, *("space" if letter == " " else letter for letter in words))


@pytest.mark.parametrize("listing", first_of(GAMES, 2), ids=lambda listing: listing.slug)
async def test_palette_lists_every_action_and_place_once_by_name(
    house: House, listing: GameListing
) -> None:
    async with run_app(arcade(house)) as pilot:
        app = pilot.app
        await press(pilot, key_of(listing.slug), "space")
        deeds = [hint.words for hint in table(app).line.hints if hint.enabled]
        footer = [hint.words for hint in table(app).query_one(KeyBar).hints if hint.enabled]
        await press(pilot, "ctrl+p")
        names = offered(app)
        assert names[: len(dict.fromkeys(deeds))] == [*dict.fromkeys(deeds)]
        assert {*footer} <= {*names}
        assert {"Keys", "Notices", "Quit", "Theme: Felt"} <= {*names}
        assert len(names) == len({*names})
        assert "All actions" not in names


async def test_palette_of_the_menu_lists_games_and_rooms_only(house: House) -> None:
    async with run_app(arcade(house)) as pilot:
        app = pilot.app
        await press(pilot, "ctrl+p")
        names = offered(app)
        assert {f"Play {lower_title(game.title)}" for game in GAMES} <= {*names}
        assert len({words.casefold() for words in names}) == len(names), "each by one name once"
        assert "Game" not in names
        assert {"Your mistakes", "Leaks", "History", "Settings", "Help"} <= {*names}
        assert "Mistakes" not in names, "the key has the name of its room"
        assert not {"Screenshot", "Maximize", "Theme"} & {*names}
        await typed(pilot, "play bac")
        assert offered(app)[0] == "Play baccarat"
        assert isinstance(await screen_after(pilot, "enter"), LiveTable)
        assert "BACCARAT" in lines(app)[0]


async def test_click_on_a_vanished_palette_option_does_nothing(house: House) -> None:
    """The list was narrowed by a key that came before the click, and is not painted yet."""
    async with run_app(arcade(house)) as pilot:
        await press(pilot, "ctrl+p")
        options = pilot.app.screen.query_one(MarkedOptionList)
        gone = Style(meta={"option": options.option_count})
        x, y = options.region.offset
        options.post_message(Click(options, 0, 0, 0, 0, 1, False, False, False, x, y, gone))
        await settle(pilot)
        assert isinstance(pilot.app.screen, CommandPalette)


async def test_action_chosen_in_the_palette_is_carried_out(house: House) -> None:
    async with run_app(arcade(house, seed=5)) as pilot:
        app = pilot.app
        await press(pilot, "1", "ctrl+p")
        assert offered(app)[0] == "Deal for 5"
        await press(pilot, "enter")
        assert table(app).sitting.staked
        await press(pilot, "ctrl+p")
        assert offered(app)[0] == "Draw 5"
        await typed(pilot, "qqqq")
        assert "No action matches." in text(app)
        await press(pilot, "enter")
        assert isinstance(app.screen, CommandPalette), "nothing is chosen"
        await press(pilot, "escape")
        assert app.screen is table(app)


async def test_palette_changes_the_table_between_rounds(house: House) -> None:
    async with run_app(arcade(house)) as pilot:
        app = pilot.app
        await press(pilot, "1", "ctrl+p")
        await typed(pilot, "9/6")
        assert offered(app)[0].startswith("Change table: ")
        wanted = offered(app)[0].removeprefix("Change table: ")
        await press(pilot, "enter")
        assert wanted in lines(app)[0]
        await press(pilot, "space", "ctrl+p")
        assert not any(words.startswith("Sit down") for words in offered(app)), "a bet is at stake"


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("anim", "Setting: Animation"),
        ("four", "Setting: Four-colour deck"),
        ("th", "Setting: Theme"),
        ("mist", "Your mistakes"),
        ("drill", "Your mistakes"),
        ("leak", "Leaks"),
        ("record", "History"),
        ("hist", "History"),
        ("baccarat", "Play baccarat"),
        ("thirty", "Play Hit Me"),
    ],
)
async def test_palette_search_finds_settings_rooms_and_games(
    house: House, words: str, found: str
) -> None:
    async with run_app(arcade(house)) as pilot:
        await press(pilot, "1", "ctrl+p")
        assert "Play video poker" not in offered(pilot.app), "the player is there"
        await typed(pilot, words)
        assert offered(pilot.app)[0] == found


async def test_game_opened_by_the_palette_in_a_room_replaces_the_table(tmp_path: Path) -> None:
    """A bet at stake is asked about; it waits, and no table stays open."""
    house = with_purse(tmp_path)
    async with run_app(arcade(house, seed=5)) as pilot:
        app = pilot.app
        await press(pilot, "1", "ctrl+p")
        await typed(pilot, "hist")
        assert isinstance(await screen_after(pilot, "enter"), HistoryScreen)
        await press(pilot, "escape")
        assert app.screen is table(app)
        await press(pilot, "space", "ctrl+p")
        await typed(pilot, "leaks")
        await press(pilot, "enter", "ctrl+p")
        await typed(pilot, "cribbage")
        assert isinstance(await screen_after(pilot, "enter"), ConfirmationDialog)
        await press(pilot, "n")
        assert app.screen is table(app)
        assert table(app).name_of_game == "Video poker"
        await press(pilot, "ctrl+p")
        await typed(pilot, "cribbage")
        await press(pilot, "enter", "y")
        assert table(app).name_of_game == "Cribbage"
        assert len(app.screen_stack) == 2
        await leave(pilot)
        assert "waiting" in text(app)
    assert house.ledger is not None
    assert len(house.ledger.open_sittings(ME)) == 1


async def test_palette_opens_a_setting_to_be_changed(house: House) -> None:
    app = arcade(house)
    async with run_app(app) as pilot:
        await press(pilot, "1", "ctrl+p")
        await typed(pilot, "anim")
        await press(pilot, "enter", "right", "escape")
        assert app.settings.animation
        assert app.screen is table(app)


@pytest.mark.prove
async def test_theme_selected_in_the_palette_is_previewed(house: House, tmp_path: Path) -> None:
    app = arcade(house, settings=STILL)
    async with run_app(app) as pilot:
        await press(pilot, "1", "space", "ctrl+p")
        await typed(pilot, "midnight")
        assert app.theme == app.look.palette.name == "midnight"
        assert app.settings == STILL
        await press(pilot, *["backspace"] * 8)
        assert app.theme == "felt"
        await typed(pilot, "midnight")
        await press(pilot, "escape")
        assert app.theme == app.look.palette.name == "felt"
        assert not (tmp_path / "settings.toml").exists()
        await press(pilot, "ctrl+p")
        await typed(pilot, "midnight")
        await press(pilot, "enter")
        assert app.theme == app.settings.theme == "midnight"
        assert load(tmp_path / "settings.toml").theme == "midnight"


async def test_palette_offers_only_themes_that_the_terminal_can_show(house: House) -> None:
    async with run_app(arcade(house, LOOKS["256-colours"])) as pilot:
        await press(pilot, "ctrl+p")
        themes = [words for words in offered(pilot.app) if words.startswith("Theme: ")]
        assert "Theme: Midnight, with dark cards" in themes
        assert "Theme: Felt" not in themes


@pytest.mark.parametrize("size", first_of([(80, 24), (40, 15)]), ids=size_id)
async def test_ascii_palette_contains_only_ascii(house: House, size: tuple[int, int]) -> None:
    async with run_app(arcade(house, LOOKS["ascii"]), *size) as pilot:
        await press(pilot, "1", "space", "ctrl+p")
        for _ in range(30):
            assert text(pilot.app).isascii()
            await press(pilot, "down")
        await typed(pilot, "xyz")
        assert text(pilot.app).isascii()


async def test_palette_shows_earlier_notices_again(house: House) -> None:
    app = arcade(house)
    async with run_app(app) as pilot:
        long = f"/{'folder/' * 30}settings.toml cannot be read"
        app.notify(long)
        app.notify("And this.")
        await press(pilot, "ctrl+p")
        await typed(pilot, "notices")
        await press(pilot, "enter")
        text = str(app.screen.query_one("#text").render())
        assert text.index("And this.") < text.index("/folder/")
        assert "".join(long.split()) in "".join(text.split()), "all of it"
        assert isinstance(await screen_after(pilot, "escape"), Menu)


async def test_palette_does_not_open_over_a_window(house: House) -> None:
    async with run_app(arcade(house)) as pilot:
        await press(pilot, "f3", "ctrl+p")
        assert not isinstance(pilot.app.screen, CommandPalette)
