"""Keys: what they are called, what clashes, the list of all, and the window that changes them."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from textual.binding import Binding
from textual.dom import DOMNode
from textual.events import Key
from textual.screen import Screen

from tests.helpers.arcade_pilot import (
    STILL,
    arcade,
    click,
    lines,
    notes,
    practice,
    press,
    run_app,
    screen_after,
    settle,
    shuffles,
    strike,
    table,
    text,
    text_after,
    until,
)
from tests.helpers.parameter_ids import size_id, value_id
from tests.helpers.quick_cases import first_of
from tests.tui.key_list import PATH, document
from tui_casino.gamekit.registry import GAMES
from tui_casino.house.settings import Settings, load
from tui_casino.house.sitting import House
from tui_casino.tui.app import Arcade
from tui_casino.tui.history.leaks_screen import LeaksScreen
from tui_casino.tui.menu.game_list import GameList
from tui_casino.tui.menu.screen import Menu
from tui_casino.tui.modals import MarkedOptionList, TextPage
from tui_casino.tui.settings.keymap import places, wrong_keys
from tui_casino.tui.settings.screen import KeyPrompt, KeysScreen
from tui_casino.tui.widgets.key_names import (
    KeyContext,
    is_portable_key,
    key_conflicts,
    key_name,
    key_names,
    unknown_ids,
)

TITLES = {game.slug: game.title for game in GAMES}
HERE = KeyContext(
    "Here",
    (
        Binding("space,enter", "primary", "Deal", id="game.deal"),
        Binding("a", "advice", "Advice", id="game.advice"),
        Binding("f1,question_mark", "help", "Help", id="game.help"),
        Binding("f5", "refresh"),
    ),
    typed=frozenset("b"),
)
THERE = KeyContext("There", (Binding("h", "hit", "Hit", id="word.h"),), HERE.own)


@pytest.fixture
def house(tmp_path: Path) -> House:
    return practice(tmp_path)


# ---- what can be wrong --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("keymap", "problems"),
    [
        ({}, []),
        ({"game.help": "x, f2"}, []),
        ({"game.help": "?"}, []),
        ({"game.advice": "f1", "game.help": "a"}, []),
        ({"other.help": "a"}, []),
        ({"game.help": "h"}, ["h cannot be Help (game.help): it is already Hit in There"]),
        (
            {"game.advice": "x", "game.help": "x"},
            ["x cannot be Advice (game.advice): it is already Help in Here, Help in There"],
        ),
        (
            {"game.advice": "?"},
            ["? cannot be Advice (game.advice): it is already Help in Here, Help in There"],
        ),
        (
            {"game.advice": "enter"},
            ["Enter cannot be Advice (game.advice): it is already Deal in Here, Deal in There"],
        ),
        (
            {"game.help": "f5"},
            ["F5 cannot be Help (game.help): it is already Refresh in Here, Refresh in There"],
        ),
        (
            {"game.help": "b"},
            ["b cannot be Help (game.help): it is already the first letter of a typed command"],
        ),
        ({"game.help": "ctrl+a"}, ["ctrl+a for Help (game.help): GNU screen intercepts it"]),
        ({"game.help": "ctrl+b"}, ["ctrl+b for Help (game.help): tmux intercepts it"]),
        ({"game.help": "ctrl+enter"}, ["ctrl+enter for Help (game.help): it acts as enter"]),
        ({"game.help": "x,f13"}, ["f13 for Help (game.help): not every terminal sends it"]),
        ({"game.help": "spcae"}, ["spcae for Help (game.help): not every terminal sends it, or"]),
        (
            {"game.help": "F1"},
            ["F1 for Help (game.help): not every terminal sends it, or there is"],
        ),
        ({"game.help": "é"}, ["é for Help (game.help): not every terminal sends it"]),
    ],
    ids=value_id,
)
def test_conflicting_custom_keys_are_reported(keymap: dict[str, str], problems: list[str]) -> None:
    found = key_conflicts(keymap, [HERE, THERE])
    assert len(found) == len(problems)
    for said, expected in zip(found, problems, strict=True):
        assert said.startswith(expected)


def test_shared_default_keys_are_not_reported_as_conflicts() -> None:
    twice = KeyContext("Twice", (Binding("enter", "draw", "Draw", id="game.draw"),), HERE.own)
    assert key_conflicts({"game.help": "x"}, [twice]) == []


def test_key_conflicts_can_be_limited_to_one_action_id() -> None:
    keymap = {"game.advice": "h", "game.help": "f5"}
    assert key_conflicts(keymap, [HERE, THERE], "game.advice") == [
        "h cannot be Advice (game.advice): it is already Hit in There"
    ]


def test_key_conflict_message_names_at_most_three_screens() -> None:
    many = [KeyContext(f"No. {n}", (Binding("h", "x", "X"),), HERE.own) for n in range(1, 6)]
    assert key_conflicts({"game.help": "h"}, many) == [
        "h cannot be Help (game.help): it is already X in No. 1, X in No. 2, X in No. 3 and 2 more"
    ]


def test_unknown_action_id_in_the_key_settings_gets_a_suggestion() -> None:
    assert unknown_ids({"game.help": "h"}, [HERE]) == []
    problems = unknown_ids({"game.hlep": "h", "qqq": "z"}, [HERE])
    assert problems == [
        "'game.hlep' is not the id of an action; did you mean game.help? F3, Keys lists all ids",
        "'qqq' is not the id of an action. F3, Keys lists all ids",
    ]


@pytest.mark.parametrize(
    ("key", "name"),
    [
        ("f1", "F1"),
        ("escape", "Esc"),
        ("space", "space"),
        ("question_mark", "?"),
        ("minus", "-"),
        ("plus", "+"),
        ("dollar_sign", "$"),
        ("ctrl+p", "ctrl+p"),
        ("U", "U"),
        ("pageup", "PgUp"),
        ("f", "f"),
        ("colon", ":"),
    ],
)
def test_each_key_has_a_readable_name(key: str, name: str) -> None:
    assert key_name(key) == name
    assert name.isascii()
    assert is_portable_key(key)


def test_readable_names_of_several_keys_are_joined() -> None:
    assert key_names("f1, question_mark,?") == "F1 ? ?"


# ---- all keys there are -------------------------------------------------------------------------


def test_documented_list_of_keys_is_up_to_date() -> None:
    assert document() == PATH.read_text(encoding="utf-8"), "python -m tests.tui.key_list"


def kinds_of(kind: type[DOMNode]) -> Iterator[type[DOMNode]]:
    """Give a class and all that are made of it."""
    yield kind
    for sub in kind.__subclasses__():
        yield from kinds_of(sub)


def test_every_key_binding_id_belongs_to_a_listed_screen() -> None:
    known = {one.id for place in places(Arcade) for one in (*place.own, *place.shared)}
    ours = {kind for kind in kinds_of(DOMNode) if kind.__module__.startswith("tui_casino.")}
    bindings = (
        (kind.__qualname__, one.id)
        for kind in ours
        for one in Binding.make_bindings(kind.__dict__.get("BINDINGS", ()))
    )
    assert not {(kind, name) for kind, name in bindings if name and name not in known}
    assert any(issubclass(kind, Screen) for kind in ours)


def test_documented_custom_key_causes_no_conflict_in_any_game() -> None:
    for manual in (Path(__file__).parents[2] / "docs/terminals.md", PATH):
        assert 'game.step_back = "u, z"' in manual.read_text()
    assert wrong_keys({"game.step_back": "u, z"}, Arcade) == []
    assert wrong_keys({"game.step_back": "u, a"}, Arcade), "which would be found"


@pytest.mark.parametrize(("first", "verb"), [("thirty-one", "Hit in "), ("cribbage", "Cards in ")])
def test_key_conflict_message_names_the_current_game_first(first: str, verb: str) -> None:
    (problems,) = wrong_keys({"game.help": "f1, h"}, Arcade, TITLES[first])
    assert problems.startswith(
        f"h cannot be Help (game.help): it is already {verb}{TITLES[first]}, "
    )
    assert "a typed command in Video poker" in problems


# ---- at a table ---------------------------------------------------------------------------------


async def test_conflicting_keys_are_reported_in_the_title_row(house: House) -> None:
    keys = {"game.primary": "t", "game.dance": "x", "menu.help": "ctrl+b"}
    async with run_app(arcade(house, settings=Settings(animation=False, keys=keys))) as pilot:
        notices = notes(pilot.app)
        assert len(notices) == 3
        assert any("'game.dance' is not the id" in note for note in notices)
        clash = "t cannot be Main action (game.primary): it is already Trainer in"
        assert any(clash in note for note in notices)
        assert any("ctrl+b for Help (menu.help): tmux" in note for note in notices)
        assert max(map(len, notices)) < 160


async def test_actions_keep_their_order_in_the_hints_with_custom_keys(house: House) -> None:
    usual, own = [], {"hold1": "x", "game.primary": "e", "game.help": "f1"}
    for keys in ({}, own):
        app = arcade(house, settings=Settings(animation=False, keys=keys))
        async with run_app(app) as pilot:
            await press(pilot, "1", "e" if keys else "space", "2")
            usual.append([hint.action for hint in table(app).line.hints])
            if keys:
                assert " e  Draw 4" in text(app)
                assert "F1 Help" in text(app), "and what stands on keys is called the same"
    assert usual[0] == usual[1]


async def test_q_at_a_table_needs_enter_to_leave(house: House) -> None:
    async with run_app(arcade(house)) as pilot:
        await press(pilot, "1", "q")
        assert ": q   leave " in lines(pilot.app)[-2]
        assert isinstance(await screen_after(pilot, "enter"), Menu)


async def test_sentences_name_the_keys_chosen_by_the_player(house: House) -> None:
    keys = {"word.r": "z", "game.odds": "f7", "game.mistakes": "f9", "spot1": "j"}
    async with run_app(arcade(house, settings=Settings(animation=False, keys=keys))) as pilot:
        await press(pilot, "2", "space")
        right = "bet with j; z repeats bets, d deals without a bet. Place your bets"
        assert lines(pilot.app)[-2].strip() == f"! space  {right}"
        await press(pilot, "t")
        assert "f7 shows the odds" in lines(pilot.app)[-2].lower()
        await press(pilot, "escape", "f9")
        assert lines(pilot.app)[-2].strip().startswith("! F9  the trainer does not evaluate")


# ---- the window ---------------------------------------------------------------------------------


async def at_keys(pilot: Any) -> KeysScreen:
    """Open the window over the settings, and wait until all places are listed."""
    await press(pilot, "f3", "up", "up", "enter")
    screen = pilot.app.screen
    assert isinstance(screen, KeysScreen)
    await until(pilot, lambda: screen.query_one(MarkedOptionList).option_count > 0, workers=True)
    return screen


def go_to(screen: KeysScreen, name: str) -> None:
    """Put the cursor on an id's row."""
    screen.query_one(MarkedOptionList).highlighted = [row[0] for row in screen._rows].index(name)


def why(screen: KeysScreen) -> str:
    return " ".join(str(screen.query_one("#why").render()).split())


async def test_pressing_a_key_on_the_keys_screen_assigns_it(house: House, tmp_path: Path) -> None:
    app = arcade(house, settings=STILL)
    async with run_app(app) as pilot:
        await press(pilot, "1")
        screen = await at_keys(pilot)
        go_to(screen, "game.advice")
        await press(pilot, "enter")
        assert any(isinstance(window, KeyPrompt) for window in app.screen_stack)
        assert "Press the new key for Advice." in text(app)
        await press(pilot, "z")
        assert app.screen is screen
        assert load(tmp_path / "settings.toml").keys == {"game.advice": "z"}
        assert any("Advice" in line and "z *" in line for line in lines(app))
        await press(pilot, "escape", "escape")
        assert "z Advice" in lines(app)[-1]
        await press(pilot, "f3", "right")
        assert load(tmp_path / "settings.toml").keys == {"game.advice": "z"}, "it stays"


async def test_only_the_first_key_of_a_burst_is_assigned(house: House, tmp_path: Path) -> None:
    """The others close nothing that lies below."""
    app = arcade(house, settings=STILL)
    async with run_app(app) as pilot:
        await press(pilot, "1")
        screen = await at_keys(pilot)
        go_to(screen, "game.advice")
        await press(pilot, "enter")
        question = app.screen
        for key in "zxy":
            question.post_message(Key(key, key))
        await settle(pilot)
        assert app.screen is screen
        assert load(tmp_path / "settings.toml").keys == {"game.advice": "z"}


async def test_assigning_a_key_with_another_meaning_is_refused(
    house: House, tmp_path: Path
) -> None:
    app = arcade(house, settings=STILL)
    async with run_app(app) as pilot:
        await press(pilot, "4")
        screen = await at_keys(pilot)
        go_to(screen, "game.advice")
        for key, problems in (
            ("h", "h cannot be Advice (game.advice): it is already Hit in Hit Me, "),
            ("o", "o cannot be Advice (game.advice): it is already Odds in "),
            ("ctrl+b", "ctrl+b for Advice (game.advice): tmux intercepts it."),
        ):
            await press(pilot, "enter", key)
            assert why(screen).startswith(problems)
        await press(pilot, "enter", "escape")
        assert app.screen is screen
        assert not app.settings.keys
        assert not (tmp_path / "settings.toml").exists()


async def test_default_key_can_be_restored_on_the_keys_screen(house: House, tmp_path: Path) -> None:
    app = arcade(house, settings=Settings(animation=False, keys={"game.advice": "z"}))
    async with run_app(app) as pilot:
        screen = await at_keys(pilot)
        go_to(screen, "game.advice")
        await press(pilot, "delete")
        assert not app.settings.keys
        assert not load(tmp_path / "settings.toml").keys
        assert "default >" in await text_after(pilot, "delete", "escape")


@pytest.mark.parametrize(
    "size", first_of([(40, 15), (80, 24), (60, 20), (132, 43)], 2), ids=size_id
)
async def test_every_line_of_the_keys_window_fits(house: House, size: tuple[int, int]) -> None:
    async with run_app(arcade(house), *size) as pilot:
        screen = await at_keys(pilot)
        inner = screen.query_one(MarkedOptionList).size.width
        assert all(len(screen._line(*row)) + 2 <= inner for row in screen._rows if row[0])
        assert "Everywhere" in text(pilot.app)
        assert "Enter changes the key" in " ".join(text(pilot.app).split())


async def test_repeated_key_press_does_not_answer_the_next_question(house: House) -> None:
    app = arcade(house)
    async with run_app(app) as pilot:
        screen = await at_keys(pilot)
        go_to(screen, "game.advice")
        await press(pilot, "enter")
        for _ in range(2):
            await strike(pilot, "z")
        await asyncio.sleep(0)
        await settle(pilot)
        assert app.screen is screen
        assert app.settings.keys == {"game.advice": "z"}


@pytest.mark.parametrize(
    "game",
    [
        pytest.param(game, id=game.slug, marks=() if place == 1 else pytest.mark.prove)
        for place, game in enumerate(GAMES)
    ],
)
async def test_reassigned_key_is_shown_and_acts_in_every_game(house: House, game: Any) -> None:
    keys = {"game.primary": "e", "game.help": "f8", "game.leave": "f10"}
    app = arcade(house, settings=Settings(animation=False, keys=keys))
    async with run_app(app) as pilot:
        await press(pilot, str(GAMES.index(game) + 1))
        assert any(hint.display == "e" for hint in table(app).line.hints)
        assert "F8 Help" in lines(app)[-1]
        assert lines(app)[-1].endswith("F10 Leave ")
        before = text(app)
        assert await text_after(pilot, "e") != before
        assert "no such key" not in text(app)
        if table(app).line.current_message is not None:  # it cannot act before a bet
            await press(pilot, "escape")
        assert "no action here" in await text_after(pilot, "space"), "the usual one is free"
        assert "F8 lists the keys" in text(app)
        await press(pilot, "f8")
        keys_told = str(app.screen.query_one("#text").render())
        assert "F8" in keys_told
        await press(pilot, "escape", "f10")
        assert not isinstance(app.screen, KeysScreen)


async def test_refused_key_of_the_settings_does_not_act(house: House) -> None:
    """Neither the key of another deed, nor Enter, which sends what is typed."""
    for key in ("a", "enter"):
        settings = Settings(animation=False, keys={"game.odds": key, "game.trainer": "T"})
        async with run_app(arcade(house, settings=settings)) as pilot:
            await until(pilot, lambda: "cannot be Odds" in text(pilot.app))
            footer = (await text_after(pilot, "1")).splitlines()[-1]
            assert " a Advice" in footer
            assert " o Odds" in footer
            assert " T Trainer" in footer, "those that are right hold"
            await press(pilot, "f3", "right", "escape")
            assert text(pilot.app).splitlines()[-1] == footer, "another setting changes no key"
            await press(pilot, "escape")


async def test_refused_key_of_the_settings_is_marked_and_can_be_replaced(house: House) -> None:
    settings = Settings(animation=False, keys={"game.odds": "a"})
    app = arcade(house, settings=settings)
    async with run_app(app) as pilot:
        await until(pilot, lambda: "cannot be Odds" in text(app))
        await press(pilot, "1")
        screen = await at_keys(pilot)
        assert why(screen).endswith("! marks refused keys.")
        assert any("Odds" in line and "o !" in line for line in lines(pilot.app))
        go_to(screen, "game.odds")
        await press(pilot, "enter", "z", "escape", "escape")
        assert app.settings.keys == {"game.odds": "z"}
        assert " z Odds" in lines(pilot.app)[-1]


async def test_default_key_with_a_new_meaning_is_not_restored(house: House) -> None:
    keys = {"game.odds": "z", "game.trainer": "o"}
    app = arcade(house, settings=Settings(animation=False, keys=keys))
    async with run_app(app) as pilot:
        screen = await at_keys(pilot)
        go_to(screen, "game.odds")
        await press(pilot, "delete")
        assert why(screen).startswith("o cannot be Trainer (game.trainer): it is already Odds in ")
        assert app.settings.keys == keys


async def test_pressing_the_default_key_stores_no_custom_key(house: House, tmp_path: Path) -> None:
    async with run_app(arcade(house)) as pilot:
        screen = await at_keys(pilot)
        go_to(screen, "game.odds")
        await press(pilot, "enter", "o")
        assert "game.odds" not in screen.keys


# ---- Caps Lock ---------------------------------------------------------------------------------


async def test_letter_keys_keep_their_meaning_with_caps_lock(house: House) -> None:
    # of some hands, the advice is too long for the message line
    async with run_app(arcade(house, fresh=shuffles(1))) as pilot:
        app = pilot.app
        assert isinstance(await screen_after(pilot, "L"), LeaksScreen)
        await press(pilot, "escape", "1", "space", "T")
        assert table(app).view.trains, "the trainer is on"
        before = text(app)
        await press(pilot, "A")
        await until(pilot, lambda: text(app) != before)  # the advice, once it is computed
        await press(pilot, "H")
        assert table(app).line.value == "H", "in a typed command the capital stays"


async def test_capital_letter_can_have_its_own_meaning(house: House) -> None:
    async with run_app(arcade(house)) as pilot:
        assert isinstance(await screen_after(pilot, "1", "O"), TextPage)
        odds = text(pilot.app)
        assert await text_after(pilot, "escape", "o") != odds


@pytest.mark.parametrize(
    ("name", "opened", "usual", "own"),
    [
        ("menu.leaks", (), "m, l, r    mistakes", "m, z, r    mistakes"),
        ("records.star", ("r",), "*          star or", "z          star or"),
        ("leaks.drill", ("l",), "d          drill this", "z          drill this"),
        ("daily.lesson", ("d",), "l             yesterday", "z             yesterday"),
        ("practice.drill", ("m",), "d             drill: new", "z             drill: new"),
        ("practice.kind", ("m",), "d             drill: new", "d             drill: new"),
    ],
    ids=["menu", "history", "leaks", "daily deal", "practice", "capital letter"],
)
async def test_help_of_a_room_names_the_keys_that_the_player_has_chosen(
    house: House, name: str, opened: tuple[str, ...], usual: str, own: str
) -> None:
    for keys, named in (({}, usual), ({name: "z"}, own)):
        app = arcade(house, settings=Settings(animation=False, keys=keys))
        async with run_app(app, 132, 43) as pilot:
            assert f" {named}" in await text_after(pilot, *opened, "f1")


async def test_rooms_in_the_menu_show_the_keys_that_the_player_has_chosen(house: House) -> None:
    keys = {"menu.leaks": "z", "menu.statistics": "x"}
    async with run_app(arcade(house, settings=Settings(animation=False, keys=keys))) as pilot:
        shown = text(pilot.app)
        assert all(
            re.search(rf" {row}", shown) for row in ("z  Leaks", "x +Statistics", "r  History")
        )
        games = pilot.app.screen.query_one(GameList)
        row = next(y for y, line in enumerate(lines(pilot.app)) if " z  Leaks" in line)
        await click(pilot, games, 4, row - games.region.y)
        assert isinstance(pilot.app.screen, LeaksScreen)
