"""The menu, the settings and the player's own keys."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from textual.renderables.background_screen import BackgroundScreen
from textual.widgets import Input

from tests.helpers.arcade_pilot import (
    ME,
    STILL,
    arcade,
    clear_notices,
    leave,
    notes,
    practice,
    press,
    resize,
    run_app,
    screen_after,
    settle,
    shuffles,
    table,
    text,
    text_after,
)
from tests.helpers.parameter_ids import size_id
from tests.helpers.quick_cases import first_of
from tests.tui.snapshots import SEED
from tests.tui.test_video_poker import LOSING
from tui_casino.gamekit.registry import GAMES, GameListing
from tui_casino.gamekit.table_catalog import TableSetup
from tui_casino.games.video_poker.machine.game import Options
from tui_casino.games.video_poker.machine.paytables import load as load_table
from tui_casino.house.settings import Settings, load
from tui_casino.house.sitting import House
from tui_casino.records.log_header import Identity
from tui_casino.records.session_log import read_log
from tui_casino.structs import replace
from tui_casino.teacher.practice_tasks import MistakeRequest
from tui_casino.tui.command_palette import CommandPalette
from tui_casino.tui.history.statistics_screen import HistoryStatisticsScreen
from tui_casino.tui.menu.game_list import GameList
from tui_casino.tui.menu.screen import Menu
from tui_casino.tui.modals import MarkedOptionList, TerminalTooSmall, TextPage
from tui_casino.tui.settings.screen import SettingsScreen
from tui_casino.tui.table.live import LiveTable


async def test_leaving_an_unplayed_table_shows_no_notice(house: House) -> None:
    async with run_app(arcade(house)) as pilot:
        assert isinstance(await screen_after(pilot, "1", "escape"), Menu)
        assert not [note for note in notes(pilot.app) if "cash out" in note]


async def test_game_opens_with_a_digit_enter_or_the_mouse(house: House) -> None:
    async with run_app(arcade(house)) as pilot:
        app = pilot.app
        assert isinstance(await screen_after(pilot, "1"), LiveTable)
        assert isinstance(await screen_after(pilot, "escape", "enter"), LiveTable)
        await press(pilot, "escape")
        await pilot.click(app.screen.query_one(GameList), offset=(4, 1))
        await settle(pilot)
        assert isinstance(app.screen, LiveTable)
        await press(pilot, "escape")
        app.clear_notifications()  # they lie above the results
        await settle(pilot)
        assert "LAST" not in text(app), "nothing was played"
        assert "FIRST STEPS" in text(app), "still a new player"
    assert not [*house.logs.iterdir()]


async def test_session_results_are_shown_in_notice_menu_and_statistics(house: House) -> None:
    assert house.ledger is not None
    async with run_app(arcade(house, fresh=shuffles(LOSING))) as pilot:
        assert "No finished session here." in await text_after(pilot, "f2")
        await press(pilot, "escape", "1", "space", "space", "escape")
        assert notes(pilot.app)[-1].startswith("You cash out 995.00.")
        await clear_notices(pilot)
        assert "balance 995.00" in text(pilot.app)
        assert re.search(r"▼ Video poker +−5.00", text(pilot.app))
        assert re.search(r"1  Video poker +▆{7}▁{7} +−5.00", text(pilot.app))
        assert re.search(r"this week +−5.00", text(pilot.app))
        assert isinstance(await screen_after(pilot, "s"), HistoryStatisticsScreen)
        assert re.search(r"net +−5.00", text(pilot.app))
        assert "Choose a game" in await text_after(pilot, "escape", "question_mark")
        await press(pilot, "q")
        assert isinstance(pilot.app.screen, Menu), "q closed the help"
        await press(pilot, "q")
        assert pilot.app._exit


def more_games(monkeypatch: pytest.MonkeyPatch, count: int) -> list[str]:
    """Let the menu list so many games, and give their titles."""
    new = (
        GameListing(f"new-{n}", f"New game {n}", "Two cards, and the higher takes the pot")
        for n in range(len(GAMES) + 1, count + 1)
    )
    games = (*GAMES, *new)
    monkeypatch.setattr("tui_casino.tui.menu.screen.GAMES", games)
    return [game.title for game in games]


@pytest.mark.parametrize("size", first_of([(80, 24), (132, 43), (60, 20), (200, 60)]), ids=size_id)
async def test_six_games_fit_into_every_usual_window(
    house: House, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int]
) -> None:
    six = more_games(monkeypatch, 6)
    async with run_app(arcade(house), *size) as pilot:
        for keys in ([], ["up"]):  # the last of them has no less room
            shown = await text_after(pilot, *keys)
            assert all(f" {number}  {title}" in shown for number, title in enumerate(six, 1))
            assert shown.count("Two cards, and the higher takes the pot") == 1
            assert re.search(r"^ +r +History", shown, re.MULTILINE)


@pytest.mark.parametrize("size", first_of([(80, 24), (40, 15)]), ids=size_id)
async def test_selected_game_is_visible_in_a_long_menu(
    house: House, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int]
) -> None:
    """Whichever way one comes to it, and after a page that lay over it."""
    many = more_games(monkeypatch, 9)
    async with run_app(arcade(house), *size) as pilot:
        choices = [*["down"] * 8, *["up"] * 8, "up", "down"]
        for key, number in zip(choices, [*range(1, 9), *reversed(range(8)), 8, 0], strict=True):
            assert f"{number + 1}  {many[number]}" in await text_after(pilot, key)
            assert f"{number + 1}  {many[number]}" in await text_after(pilot, "f1", "escape")
            assert pilot.app.screen.query_one(GameList).at == number


async def test_table_given_on_the_command_line_opens_first(tmp_path: Path) -> None:
    seating = TableSetup(Options(paytable=load_table("jacks-or-better-8-5")))
    app = arcade(practice(tmp_path), seed=SEED, game="video-poker", seating=seating)
    async with run_app(app) as pilot:
        assert "Jacks or Better 8/5" in text(app)
        assert "CREDIT 1,000" in text(app)
        assert isinstance(await screen_after(pilot, "escape"), Menu)
        app.clear_notifications()
        await settle(pilot)
        assert "free play" in text(app)


async def test_too_small_window_asks_for_space_and_loses_nothing(house: House) -> None:
    async with run_app(arcade(house)) as pilot:
        before = await text_after(pilot, "1", "space", "3", "h", "space", "2")
        await resize(pilot, 39, 24)
        assert isinstance(pilot.app.screen, TerminalTooSmall)
        assert "40x15" in text(pilot.app)
        await press(pilot, "space", "escape", "enter", "4")
        await resize(pilot, 12, 3)
        await resize(pilot, 200, 60)
        assert isinstance(pilot.app.screen, LiveTable)
        await resize(pilot, 80, 24)
        assert text(pilot.app).split("\n") == before.split("\n")
        await press(pilot, "escape", "space", "escape")


TINY = ((80, 1), (80, 2), (80, 3), (80, 4), (500, 3), (5, 3), (1, 1), (2, 60), (39, 15), (40, 14))
STARTS: dict[str, dict[str, Any]] = {
    "menu": {},
    "daily": {"daily": ""},
    "practice": {"practice": MistakeRequest()},
    **{game.slug: {"game": game.slug} for game in GAMES},
}
"""The options that open each room that the program can start in."""


@pytest.mark.parametrize("room", STARTS)
async def test_program_starts_in_a_tiny_window_and_continues_in_a_larger_one(
    room: str, tmp_path: Path
) -> None:
    for width, height in TINY:
        app = arcade(practice(tmp_path), **STARTS[room])
        async with run_app(app, width, height) as pilot:
            assert type(app.screen) is TerminalTooSmall
            await press(pilot, "space", "1")
            await resize(pilot, 80, 24)
            assert type(app.screen) is not TerminalTooSmall
            assert len([line for line in text(app).split("\n") if line.strip()]) > 3
            for rows in (1, 2, 3, 4):
                await resize(pilot, width, rows)


NARROW = ((1, 1), (3, 24), (5, 60), (8, 3), (80, 1))


@pytest.mark.parametrize("room", STARTS)
async def test_windows_of_each_room_survive_tiny_sizes(room: str, tmp_path: Path) -> None:
    app = arcade(practice(tmp_path), **STARTS[room])
    async with run_app(app, 80, 24) as pilot:
        await press(pilot, "space" if room in {game.slug for game in GAMES} else "f1", "escape")
        for key in ("f1", "f2", "f3", "f4", "o", "h", "l", "g", "D", "S"):
            await press(pilot, key)
            for width, height in NARROW:
                await resize(pilot, width, height)
            await resize(pilot, 80, 24)
            assert len(text(app).strip()) > 100
            await press(pilot, "escape", "n")


# ---- settings -----------------------------------------------------------------------------------


async def test_settings_changed_at_a_table_apply_immediately_and_are_saved(
    house: House, tmp_path: Path
) -> None:
    app = arcade(house)
    async with run_app(app) as pilot:
        await press(pilot, "1", "space")
        two_colours, soft = app.look, text(app)
        await press(pilot, "f3", "down", "right")
        assert app.look.four_colour
        assert not two_colours.four_colour
        await press(pilot, "down", "right", "right")
        assert not app.look.soft
        await press(pilot, "up", "up", "right", "right", "right")
        assert app.look.palette.name == app.theme == "midnight"
        await press(pilot, "down", "down", "down", "enter", *(["down"] * 13))
        await press(pilot, "A", "n", "n", "escape")
        assert app.animation_level == "full"
        assert text(app) != soft
        assert "╭───────╮" in text(app), "cards have boxes now"
        stored = load(tmp_path / "settings.toml")
        assert stored == app.settings
        assert stored == Settings("midnight", True, "boxed", animation=True, name="Ann")
        await press(pilot, "space", "escape")
    async with run_app(arcade(house, settings=stored)) as pilot:
        assert pilot.app.theme == "midnight"


async def test_settings_that_cannot_be_saved_apply_to_this_visit(
    house: House, tmp_path: Path
) -> None:
    (tmp_path / "settings.toml").mkdir()
    app = arcade(house)
    async with run_app(app) as pilot:
        await press(pilot, "f3", "down", "right")
        assert app.look.four_colour
        assert "the settings apply to this visit only" in notes(app)[-1]
        await press(pilot, "escape")


async def test_letters_typed_as_player_name_are_not_read_as_keys(house: House) -> None:
    app = arcade(house)
    async with run_app(app) as pilot:
        await press(pilot, "f3", "up", "q", "1", "s", "space", "y")
        assert isinstance(app.screen, SettingsScreen)
        assert app.screen.query_one(Input).value == "q1s y"
        await press(pilot, "f3")
        assert app.settings.name == "q1s y"


async def test_renamed_player_keeps_the_balance(house: House) -> None:
    """The settings say what one is called; whose the purse and the logs are they do not."""
    app = arcade(house, settings=Settings(animation=False, name="Ann"), fresh=shuffles(LOSING, 1))
    async with run_app(app) as pilot:
        assert "Ann" in text(app)
        await press(pilot, "1", "space", "space", "escape")
        await press(pilot, "f3", "up", *["backspace"] * 3, "B", "o", "b", "escape")
        app.clear_notifications()
        await settle(pilot)
        assert "Bob" in text(app)
        assert "Ann" not in text(app)
        assert "balance 995.00" in text(app)
        await press(pilot, "1", "space", "space", "escape")
        await press(pilot, "f3", "up", *["backspace"] * 3, "escape")
        app.clear_notifications()
        await settle(pilot)
        assert ME in text(app)
    who = {read_log(path).header.who for path in house.logs.glob("*.jsonl")}
    assert who == {(Identity(ME, "Ann"),), (Identity(ME, "Bob"),)}


async def test_name_given_by_the_server_overrides_the_setting(tmp_path: Path) -> None:
    guest = replace(practice(tmp_path), player="bob", name="bob")
    app = arcade(guest, settings=Settings(animation=False, name="Ann"))
    async with run_app(app):
        assert "bob" in text(app)
        assert "Ann" not in text(app)


async def test_error_in_the_settings_file_is_shown_as_a_notice(house: House) -> None:
    app = arcade(house, error="settings.toml:1: theme is 'tartan'")
    async with run_app(app):
        assert notes(app) == ["Settings: settings.toml:1: theme is 'tartan'"]


# ---- own keys -----------------------------------------------------------------------------------


async def test_custom_keys_of_the_settings_act_in_menu_and_tables(house: House) -> None:
    keys = {"game.primary": "e", "menu.help": "h", "hold1": "1,z"}
    async with run_app(arcade(house, settings=Settings(animation=False, keys=keys))) as pilot:
        assert not notes(pilot.app)
        assert "Choose a game" in await text_after(pilot, "h")
        await press(pilot, "escape", "1", "space")
        assert not table(pilot.app).sitting.staked, "space is free now"
        await press(pilot, "e", "z", "2")
        assert table(pilot.app).view.selection == (1, 2)
        assert " e  Draw 3 " in text(pilot.app)
        await press(pilot, "e", "escape")


async def test_no_window_opens_over_the_request_for_a_larger_window(house: House) -> None:
    async with run_app(arcade(house)) as pilot:
        await resize(pilot, 20, 6)
        assert isinstance(await screen_after(pilot, "ctrl+p", "pagedown", "f3"), TerminalTooSmall)
        await resize(pilot, 80, 24)
        assert isinstance(pilot.app.screen, Menu)


async def test_page_keys_in_a_list_without_height_do_nothing(house: House) -> None:
    async with run_app(arcade(house)) as pilot:
        await resize(pilot, 40, 15)
        await press(pilot, "ctrl+p")
        await resize(pilot, 20, 5)
        await resize(pilot, 40, 15)
        pilot.app.screen.query_one(MarkedOptionList).styles.max_height = 0
        assert isinstance(await screen_after(pilot, "s", "pagedown", "pageup"), CommandPalette)


@pytest.mark.parametrize("theme", first_of(["felt", "none"]))
async def test_full_screen_does_not_render_the_screen_below_it(house: House, theme: str) -> None:
    """In the terminal's own colours, too, where every screen lets through what lies below."""
    app = arcade(house, settings=replace(STILL, theme=theme))
    async with run_app(app, width=60, height=20) as pilot:
        await press(pilot, "1", "space", "space", "escape", "r", "enter", "f3")
        *_, menu, records, replay, settings = app.screen_stack
        assert isinstance(settings, SettingsScreen)
        for screen in (menu, records, replay):
            assert not isinstance(screen.render(), BackgroundScreen)
        settings.styles.background = "black 50%"
        window = settings.render()
        assert isinstance(window, BackgroundScreen)
        assert window.screen is replay


async def test_markup_in_a_notice_is_shown_literally(house: House) -> None:
    """It may come from a file that somebody else has written."""
    app = arcade(house, error="settings.toml: [red]x[/red] [oops")
    async with run_app(app):
        assert "[red]x[/red] [oops" in text(app)


async def test_table_given_on_the_command_line_waits_for_a_larger_window(house: House) -> None:
    app = arcade(house, game="video-poker")
    async with run_app(app, width=39, height=14) as pilot:
        assert isinstance(app.screen, TerminalTooSmall)
        await resize(pilot, 80, 24)
        assert not table(app).sitting.ending
        await leave(pilot)


async def test_long_error_notice_is_shown_completely(house: House) -> None:
    names = ", ".join(f"key-{number}" for number in range(12))
    trouble = f"settings.toml:3: unknown key 'teme'; there are {names}"
    app = arcade(house, error=trouble)
    async with run_app(app) as pilot:
        assert isinstance(app.screen, TextPage)
        assert "".join(trouble.split()) in re.sub(r"[│\s]", "", text(app))
        assert isinstance(await screen_after(pilot, "escape"), Menu)
