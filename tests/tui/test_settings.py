"""The settings: the file, the keys, and the screen."""

from __future__ import annotations

import os
import stat
import tomllib
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from threading import Thread
from typing import Any, ClassVar
from unittest.mock import Mock

import pytest
import tomlkit
from hypothesis import given
from hypothesis import strategies as st
from textual.app import App
from textual.widgets import Input
from tomlkit.exceptions import ParseError

from tests.helpers.arcade_pilot import arcade, practice, press, run_app, until
from tests.helpers.parameter_ids import labelled, size_id, value_id
from tests.helpers.quick_cases import first_of
from tui_casino.house.paths import settings_file
from tui_casino.house.settings import (
    CARD_STYLES,
    LONGEST_NAME,
    SETTING_CHOICES,
    SettingChoices,
    Settings,
    invalid_settings_warning,
    load,
    save,
)
from tui_casino.inputs.errors import BadInput
from tui_casino.inputs.files import BadFile
from tui_casino.records.log_header import Identity
from tui_casino.structs import replace
from tui_casino.tui.app import Arcade
from tui_casino.tui.settings.screen import WHY_KEYS, WHY_NAME, SettingRow, SettingsScreen
from tui_casino.tui.theme import PALETTES, THEMES, sheet
from tui_casino.tui.widgets.key_names import KeyContext

ALL = Settings(
    theme="midnight",
    four_colour=True,
    card_style="boxed",
    animation=False,
    name="Zoë",
    keys={"game.help": "f1,question_mark", "game.deal": "d"},
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "tui-casino" / "settings.toml"


# ---- the file ---------------------------------------------------------------------------------


def test_settings_file_is_in_the_config_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert settings_file().name == "settings.toml"
    assert settings_file().parent.name == "tui-casino"


def test_missing_settings_file_gives_the_defaults(path: Path) -> None:
    assert load(path) == Settings()


@pytest.mark.parametrize(
    "settings",
    [Settings(), ALL, Settings(name="Ann"), Settings(theme="none")],
    ids=["defaults", "every setting changed", "name", "theme"],
)
def test_saved_settings_are_loaded(path: Path, settings: Settings) -> None:
    save(path, settings)
    assert load(path) == settings


names = st.text(max_size=LONGEST_NAME).filter(str.isprintable)
keys = st.dictionaries(
    st.text(st.characters(codec="utf-8"), min_size=1, max_size=20),
    st.lists(st.sampled_from(["f1", "?", "ctrl+q", '"', "ä"]), min_size=1).map(",".join),
    max_size=5,
)


@given(
    st.builds(
        Settings,
        theme=st.none() | st.sampled_from(list(PALETTES)),
        four_colour=st.booleans(),
        card_style=st.none() | st.sampled_from(CARD_STYLES),
        animation=st.booleans(),
        name=names,
        keys=keys,
    )
)
def test_any_settings_are_saved_and_loaded(
    tmp_path_factory: pytest.TempPathFactory, settings: Settings
) -> None:
    path = tmp_path_factory.mktemp("any") / "settings.toml"
    save(path, settings)
    assert load(path) == settings


def test_settings_file_contains_only_values_other_than_the_defaults(path: Path) -> None:
    save(path, Settings())
    assert path.read_text() == ""
    save(path, Settings(four_colour=True, keys={"game.help": "h"}))
    assert path.read_text() == 'four_colour = true\n\n[keys]\n"game.help" = "h"\n'


WRITTEN = """\
# mine, for the laptop
theme = "midnight"   # dark
four_colour = true # as on the web
name = 'Zoë'

[keys] # few
game.help = "f1, h" # as in vi
"game.deal" = "d"
"""


def test_saving_settings_keeps_comments_and_layout_of_the_file(path: Path) -> None:
    """Comments, order, spaces, ways of writing: all but the values that have changed."""
    path.parent.mkdir()
    path.write_text(WRITTEN)
    now = load(path)
    save(path, now)
    assert path.read_text() == WRITTEN
    changed = replace(now, four_colour=False, keys={**now.keys, "game.help": "f1"})
    save(path, changed)
    expected = WRITTEN.replace("true", "false").replace('"f1, h"', '"f1"')
    assert path.read_text() == expected
    save(path, replace(changed, theme=None, animation=False, keys={"game.deal": "x"}))
    assert path.read_text() == (
        "# mine, for the laptop\nfour_colour = false # as on the web\nname = 'Zoë'\n"
        'animation = false\n\n[keys] # few\n"game.deal" = "x"\n'
    )


def test_saving_settings_changes_only_changed_values_in_the_file(path: Path) -> None:
    """Edits by hand while the program runs are not undone."""
    path.parent.mkdir()
    path.write_text('name = "Ann"\n[keys]\ngame.help = "h"\n')
    before = Settings(name="Bob", keys={"game.deal": "x"})
    save(path, replace(before, four_colour=True, keys={}), before)
    assert load(path) == Settings(name="Ann", four_colour=True, keys={"game.help": "h"})


@pytest.mark.parametrize("text", ['theme = "felt', 'four_colour = "yes"', "name = 'a'\nname = 'b'"])
def test_saving_does_not_change_an_invalid_settings_file(path: Path, text: str) -> None:
    path.parent.mkdir()
    path.write_text(text)
    with pytest.raises(BadInput, match=r"to this visit only: .*; the file is not changed"):
        save(path, ALL)
    assert path.read_text() == text
    assert [left.name for left in path.parent.iterdir()] == [path.name]


def test_key_settings_may_be_written_as_toml_tables_or_dotted_keys(path: Path) -> None:
    path.parent.mkdir()
    forms = [
        '[keys]\ngame.help = "h"\ngame.deal = "d"\nquit = "q"',
        '[keys]\n"game.help" = "h"\n"game.deal" = "d"\nquit = "q"',
        '[keys]\nquit = "q"\n[keys.game]\nhelp = "h"\ndeal = "d"',
        'keys = {game = {help = "h", deal = "d"}, quit = "q"}',
    ]
    for form in forms:
        path.write_text(form)
        assert load(path).keys == {"game.help": "h", "game.deal": "d", "quit": "q"}


@pytest.mark.parametrize(
    ("text", "where", "reason"),
    [
        (
            'theme = "tartan"',
            ":1",
            "theme is 'tartan'; it must be one of felt, felt-256, midnight, six",
        ),
        ("\n\ntheme = 3", ":3", "theme is 3; it must be one of felt"),
        ("theme = ['felt']", ":1", "theme is ['felt']; it must be one of felt"),
        ("# as usual\nfour_colour = 1", ":2", "four_colour is 1; it must be true or false"),
        ('animation = "off"', ":1", "animation is 'off'; it must be true or false"),
        ('card_style = "round"', ":1", "card_style is 'round'; it must be one of soft, boxed"),
        (
            'name = "a\\tb"',
            ":1",
            "name is 'a\\tb'; it must be one line of plain text with up to 24",
        ),
        (f'name = "{"x" * 25}"', ":1", "name is 'xxxxx"),
        ("name = true", ":1", "name is True; it must be one line of plain text"),
        ('keys = "f1"', ":1", "keys is 'f1'; it must have lines such as game.help = \"f1\""),
        ("[keys]\nquit = 'q'\nhelp = 1", ":3", "'help' is 1; it must be keys separated by commas"),
        ("[keys]\ngame.help = ''", ":2", "'game.help' is ''; it must be keys separated by commas"),
        ("[keys]\n'game.help' = 'a,,b'", ":2", "'game.help' is 'a,,b'; it must be keys"),
        ("[keys]\n\n[keys.game]\nhelp = ','", ":4", "'game.help' is ','; it must be keys"),
        ("[keys]\na.b.c = 'x'", ":2", "'a.b' is {'c': 'x'}; it must be keys"),
        ("[keys]\na = {}", ":2", "'a' is {}; it must be keys"),
        ("name = 'Ann'\ntheme = felt", ":2:9", "is not TOML: Invalid value, in 'theme = felt'"),
        ("theme = 'felt", ":1", "is not TOML: "),
        ("name = 'a'\nname = 'b'", ":2", "is not TOML: Cannot overwrite a value"),
        ("\ntheme = " + "9" * 5000, ":2", "has a number with too many digits for a settings file"),
        ("theme = " + "[" * 3000, "", "is nested too deeply for a settings file"),
        ("#" * 10_001, "", "cannot be read: it has 10,001 bytes; at most 10,000 are allowed"),
    ],
)
def test_bad_settings_file_is_refused_with_its_line(
    path: Path, text: str, where: str, reason: str
) -> None:
    path.parent.mkdir()
    path.write_text(text)
    with pytest.raises(BadFile) as caught:
        load(path)
    message = str(caught.value)
    assert message.startswith(f"{path}{where}")
    assert f": {reason}" in message
    assert "\n" not in message


@pytest.mark.parametrize(
    ("text", "line", "key"),
    [
        ("four_colour = true\ncolour = 4", 2, "colour"),
        ("four_colour = true\n[video]\nx = 1", 2, "video"),
    ],
)
def test_invalid_setting_is_reported_and_the_rest_applies(
    path: Path, text: str, line: int, key: str
) -> None:
    path.parent.mkdir()
    path.write_text(text)
    settings = load(path)
    assert settings == Settings(four_colour=True)
    warning = invalid_settings_warning(path)
    assert warning is not None
    assert warning.startswith(
        f"{path}:{line}: unknown key '{key}'; the keys are theme, four_colour, "
    )
    save(path, replace(settings, four_colour=False), settings)
    assert path.read_text() == text.replace("true", "false")
    assert invalid_settings_warning(path) == warning


def test_valid_settings_file_gives_no_warning(path: Path) -> None:
    assert invalid_settings_warning(path) is None
    save(path, ALL)
    assert invalid_settings_warning(path) is None


def test_settings_file_that_is_not_utf_8_is_refused(path: Path) -> None:
    path.parent.mkdir()
    path.write_bytes(b'name = "Zo\xeb"')
    with pytest.raises(BadFile, match=r"settings.toml:1:11: byte 0xeb is not UTF-8 text"):
        load(path)


def test_folder_in_place_of_the_settings_file_is_refused(path: Path) -> None:
    path.mkdir(parents=True)
    with pytest.raises(BadFile, match="cannot be read: Is a directory"):
        load(path)
    with pytest.raises(BadInput, match=r"to this visit only: .*; the file is not"):
        save(path, ALL)
    assert [left.name for left in path.parent.iterdir()] == [path.name]


def test_unwritable_settings_are_reported(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path.parent.mkdir()
    path.write_text('name = "Ann"\n')

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(BadInput, match=r"to this visit only: .* No space left on device"):
        save(path, ALL)
    assert load(path) == Settings(name="Ann")
    assert [left.name for left in path.parent.iterdir()] == [path.name]


def test_file_in_place_of_the_settings_folder_is_reported(path: Path) -> None:
    path.parent.write_text("")
    assert load(path) == Settings()
    with pytest.raises(BadInput, match=r"to this visit only: .* cannot be written: "):
        save(path, ALL)


def test_saving_settings_keeps_a_symbolic_link(path: Path, tmp_path: Path) -> None:
    """As those have it who keep their files in a repository."""
    path.parent.mkdir()
    stored = tmp_path / "kept.toml"
    stored.write_text("")
    path.symlink_to(stored)
    save(path, ALL)
    assert path.is_symlink()
    assert load(stored) == ALL


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o664], ids=labelled("mode {:o}"))
def test_settings_file_keeps_its_mode(path: Path, mode: int) -> None:
    save(path, Settings())
    assert stat.S_IMODE(path.stat().st_mode) == 0o600, "a new file is the owner's"
    path.chmod(mode)
    save(path, Settings(four_colour=True))
    assert stat.S_IMODE(path.stat().st_mode) == mode


def test_simultaneous_saves_leave_a_complete_settings_file(path: Path) -> None:
    one, other = ALL, Settings(name="x" * LONGEST_NAME)
    save(path, one)

    def write(settings: Settings) -> None:
        for _ in range(50):
            save(path, settings)

    writers = [Thread(target=write, args=(settings,)) for settings in (one, other)]
    for writer in writers:
        writer.start()
    while any(writer.is_alive() for writer in writers):
        assert load(path) in (one, other)
    for writer in writers:
        writer.join()
    assert [left.name for left in path.parent.iterdir()] == [path.name]


def test_invalid_setting_values_are_refused() -> None:
    with pytest.raises(BadInput, match="theme is 'tartan'"):
        Settings(theme="tartan")
    with pytest.raises(BadInput, match="name is 'x"):
        replace(ALL, name="x" * 25)


# ---- the screen -------------------------------------------------------------------------------


class NoKeys:
    """A keyboard without places."""

    def places(self) -> Sequence[KeyContext]:
        return ()

    def wrong(self, keys: Mapping[str, str]) -> Sequence[str]:
        return ()

    def refused(self, keys: Mapping[str, str]) -> Sequence[str]:
        return ()


class House(App[None]):
    """An app with nothing but settings, which keeps all that it was given."""

    CSS_PATH: ClassVar[Any] = [sheet("app"), sheet("windows"), sheet("settings")]
    HORIZONTAL_BREAKPOINTS = Arcade.HORIZONTAL_BREAKPOINTS
    VERTICAL_BREAKPOINTS = Arcade.VERTICAL_BREAKPOINTS

    def __init__(self, settings: Settings, ascii_only: bool = False) -> None:
        super().__init__()
        for theme in THEMES.values():
            self.register_theme(theme)
        self.theme = "felt"
        self.animation_level = "none"  # scrolls at once
        self.settings = settings
        self.given: list[Settings] = []
        self.trouble: str | None = None
        self.known_as: str | None = None
        self.set_class(ascii_only, "-ascii")

    def on_mount(self) -> None:
        self.push_screen(SettingsScreen(self.settings, NoKeys(), self.known_as))

    def apply_settings(self, settings: Settings) -> str | None:
        self.given.append(settings)
        self.theme = settings.theme or "felt"
        return self.trouble


def screen_lines(app: App[None]) -> list[str]:
    """Give the lines of the screen."""
    return [strip.text for strip in app.screen._compositor.render_strips()]


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        ("right", Settings(theme="felt")),
        ("left", Settings(theme="none")),
        ("enter", Settings(theme="felt")),
        ("right right right", Settings(theme="midnight")),
        ("down space", Settings(four_colour=True)),
        ("down down right", Settings(card_style="soft")),
        ("down down left", Settings(card_style="boxed")),
        ("down down down enter", Settings(animation=False)),
        ("up Z o e enter", Settings(name="Zoe")),
        ("up Z o e up", Settings(name="Zoe")),
        ("up Z o e escape", Settings(name="Zoe")),
        ("up space A n n space escape", Settings(name="Ann")),
    ],
    ids=value_id,
)
async def test_keys_on_the_settings_screen_change_the_settings(
    keys: str, expected: Settings
) -> None:
    app = House(Settings())
    async with app.run_test() as pilot:
        await press(pilot, *keys.split())
        assert app.given[-1] == expected


@pytest.mark.prove
async def test_cycling_through_all_choices_of_a_setting_ends_at_its_old_value() -> None:
    app = House(ALL)
    async with app.run_test() as pilot:
        for choice in SETTING_CHOICES:
            await press(
                pilot, *["right"] * len(choice.words), *["left"] * len(choice.words), "down"
            )
        assert app.given[-1] == ALL
        values = len(app.given)
        await press(pilot, "down", "down", "escape")
        assert len(app.given) == values
        assert len(app.screen_stack) == 1


@pytest.mark.parametrize("key", ["escape", "f3"])
async def test_closing_the_settings_screen_changes_no_setting(key: str) -> None:
    app = House(ALL)
    async with app.run_test() as pilot:
        await press(pilot, key)
        assert len(app.screen_stack) == 1
        assert app.given == []


async def test_clicks_on_the_settings_screen_change_the_settings() -> None:
    app = House(Settings())
    async with run_app(app) as pilot:
        await pilot.click("#four_colour")
        assert app.given[-1].four_colour
        row = app.screen.query_one("#theme", SettingRow)
        for _ in range(2):
            await pilot.click(row, offset=(row.size.width - 1, 0))
        for _ in range(3):
            await pilot.click(row, offset=(row.render().plain.index("<"), 0))
        themes = [settings.theme for settings in app.given[1:]]
        assert themes == ["felt", "felt-256", "felt", None, "none"]
        await pilot.click("#name")
        assert isinstance(app.focused, Input)


async def test_theme_chosen_in_the_settings_is_shown_immediately() -> None:
    app = House(Settings())
    async with app.run_test() as pilot:
        await press(pilot, "right", "right", "right")
        window = app.screen.query_one(".window")
        assert window.styles.background.hex.lower() == PALETTES["midnight"].surface


async def test_settings_error_is_shown_next_to_the_changed_row() -> None:
    app = House(Settings())
    many = ", ".join(f"key-{number}" for number in range(40))
    app.trouble = f"settings.toml:1: is not TOML; there are {many}; the file is not changed"
    async with app.run_test(size=(60, 28)) as pilot:
        await press(pilot, "right")
        assert "key-39; the file is not changed" in " ".join(" ".join(screen_lines(app)).split())
        await press(pilot, "down")
        assert "is not TOML" not in "".join(screen_lines(app))


@pytest.mark.parametrize("ascii_only", [False, True], ids=["unicode", "ascii"])
async def test_focused_settings_row_is_marked_with_a_sign(ascii_only: bool) -> None:
    """By a sign too: not every terminal has colours."""
    app, mark = House(Settings(), ascii_only), ">" if ascii_only else "▌"
    async with app.run_test() as pilot:
        for choice in SETTING_CHOICES:
            assert [f"{mark}{choice.title}" in line for line in screen_lines(app)].count(True) == 1
            await press(pilot, "down")
        assert any(f"{mark}Keys" in line for line in screen_lines(app))


async def test_name_given_by_the_server_is_shown_but_cannot_be_changed() -> None:
    app = House(Settings(name="Somebody"))
    app.known_as = "Zoë"
    async with app.run_test(size=(60, 24)) as pilot:
        screen = "\n".join(screen_lines(app))
        assert "Name (set by the server)" in screen
        assert "Zoë" in screen
        assert "Somebody" not in screen
        await press(pilot, "up", "x", "escape")
    assert not app.given


async def test_typed_name_becomes_a_line_of_plain_text() -> None:
    app = House(Settings())
    async with app.run_test() as pilot:
        app.screen.query_one(Input).value = " a\tb\x1b[2J" + "x" * 40
        await press(pilot, "escape")
        assert app.given[-1].name == "ab[2J" + "x" * 19


def row_is_visible(app: App[None], title: str, value: str) -> bool:
    return any(title in line and value in line for line in screen_lines(app))


@pytest.mark.parametrize("size", [(40, 15), (60, 20), (80, 24), (132, 43)], ids=size_id)
@pytest.mark.parametrize("ascii_only", first_of([False, True]), ids=["unicode", "ascii"])
async def test_every_setting_is_shown_completely_at_every_window_size(
    size: tuple[int, int], ascii_only: bool
) -> None:
    settings = replace(ALL, name="Zoe")
    app = House(settings, ascii_only)
    async with run_app(app, *size) as pilot:
        lines = screen_lines(app)
        assert all(line.isascii() for line in lines) == ascii_only
        assert any("arrows change, Esc closes" in line for line in lines)
        rows = [
            (choice.title, f"< {choice.words[getattr(settings, choice.key)]} >", choice.help_text)
            for choice in SETTING_CHOICES
        ]
        rows += [("Keys", "2 changed >", WHY_KEYS), ("Name", "Zoe", WHY_NAME)]
        for title, value, reason in rows:
            await until(pilot, partial(row_is_visible, app, title, value))
            lines = screen_lines(app)
            region = app.screen.query_one("#why").region
            words = [line[region.x : region.right] for line in lines[region.y : region.bottom]]
            assert " ".join(" ".join(words).split()) == reason
            await press(pilot, "down")


@pytest.mark.parametrize("choice", SETTING_CHOICES, ids=lambda choice: choice.key)
def test_all_setting_values_fit_into_40_columns(
    choice: SettingChoices[str | None] | SettingChoices[bool],
) -> None:
    for words in choice.words.values():
        assert len(f"{choice.title} < {words} >") <= 36
        amount, _, unit = words.partition(" ")
        assert unit != "credits" or int(amount.replace(",", "")) % 50 == 0, "amounts are round"


def test_documented_settings_example_is_valid(path: Path) -> None:
    from tui_casino.house import settings as module

    assert module.__doc__ is not None
    example = module.__doc__.split("::\n")[1]
    path.parent.mkdir()
    path.write_text("\n".join(line.strip() for line in example.splitlines()))
    assert tomllib.loads(path.read_text())
    assert load(path).keys == {"game.step_back": "u, z"}


async def test_blank_player_name_counts_as_no_name(path: Path, tmp_path: Path) -> None:
    """It is the player's own, and no reason not to let him in."""
    path.parent.mkdir()
    path.write_text('name = "   "  # mine\n')
    settings = load(path)
    house = arcade(practice(tmp_path), settings=settings).desk.house
    assert house.identity == Identity(house.player, house.player)
    save(path, replace(settings, four_colour=True), settings)
    assert path.read_text() == 'name = "   "  # mine\nfour_colour = true\n'


def test_settings_that_could_not_be_read_back_are_not_written(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path.parent.mkdir()
    path.write_text(text := "four_colour = true  # mine\n")
    for broken in (lambda document: "four_colour = [", lambda document: 'four_colour = "yes"'):
        monkeypatch.setattr(tomlkit, "dumps", broken)
        with pytest.raises(BadInput, match=r"to this visit only: .*; the file is not changed"):
            save(path, Settings())
    for error in (ParseError(1, 1), RecursionError()):
        monkeypatch.setattr(tomlkit, "parse", Mock(side_effect=error))
        with pytest.raises(BadInput, match=r"to this visit only: .*cannot be changed"):
            save(path, Settings())
    assert path.read_text() == text
