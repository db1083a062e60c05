"""Every registered game has a screen with keys for all that acts at once, and its pictures."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from textual.binding import Binding
from textual.keys import key_to_character
from textual.screen import Screen

from tests.helpers.arcade_pilot import arcade, lines, practice, press, run_app
from tests.helpers.parameter_ids import size_id
from tests.helpers.quick_cases import by_game, first_of
from tests.helpers.screen_walks import SHAPES
from tests.tui import snapshots
from tui_casino.gamekit.action_grammar import takes_arguments
from tui_casino.gamekit.registry import GAMES, GameListing
from tui_casino.tui.table.face import face_of
from tui_casino.tui.table.live import LiveTable
from tui_casino.tui.table.view import TableView
from tui_casino.tui.widgets.key_bar import KeyBar
from tui_casino.tui.widgets.key_names import bindings_of

SCREENSHOTS = Path(__file__).parents[2] / "screenshots"

SHARED = {"a": "advice"}
"""Questions that the shared screen asks by an action of its own."""


def own_bindings(listing: GameListing) -> list[Binding]:
    """Give the keys of a game's table, its view's before the shared ones."""
    textuals = {(binding.key, binding.action) for binding in bindings_of(Screen)}
    view = bindings_of(face_of(listing).view)
    keys = {binding.key for binding in view}
    shared = [binding for binding in bindings_of(LiveTable) if binding.key not in keys]
    return [one for one in (*view, *shared) if (one.key, one.action) not in textuals]


@by_game
def test_view_of_each_game_defines_compose_table_and_show(listing: GameListing) -> None:
    view = face_of(listing).view
    assert issubclass(view, TableView)
    assert view.compose_table is not TableView.compose_table
    assert view.show is not TableView.show


@by_game
def test_every_key_binding_of_a_game_has_a_unique_id_and_key(listing: GameListing) -> None:
    bindings = own_bindings(listing)
    assert all(binding.id for binding in bindings), "keys without a name cannot be changed"
    acts = {(binding.id, binding.action) for binding in bindings}
    names = Counter(name for name, _ in acts)
    assert max(names.values()) == 1, names.most_common(1)
    keys = Counter(binding.key for binding in bindings)
    assert max(keys.values()) == 1, keys.most_common(1)


@by_game
def test_every_one_letter_command_without_arguments_has_its_own_key(listing: GameListing) -> None:
    """Its own letter, and nothing else on that letter; longer words are typed behind a colon."""
    words = listing.definition().words
    at_once = [verb for verb, kind in words.verbs.items() if not takes_arguments(kind)]
    by_character = {
        key_to_character(binding.key) or binding.key: binding for binding in own_bindings(listing)
    }
    for word in (*at_once, *words.questions):
        if len(word) > 1:
            continue
        assert word in by_character, f"no key does {word!r}"
        action = by_character[word].action
        assert action in (f"word('{word}')", f"ask('{word}')", SHARED.get(word)), action


@by_game
def test_no_key_is_the_first_letter_of_a_typed_command(listing: GameListing) -> None:
    """Such a key could never be pressed: the command line takes it."""
    words = listing.definition().words
    typed = {verb[0] for verb, kind in words.verbs.items() if takes_arguments(kind)}
    keys = {key_to_character(binding.key) for binding in own_bindings(listing)}
    assert not typed & keys


@by_game
@pytest.mark.parametrize("size", first_of([(60, 20), (80, 24), (132, 43)]), ids=size_id)
async def test_last_line_of_a_table_names_the_keys_of_all_screens_and_leave(
    listing: GameListing, size: tuple[int, int], tmp_path: Path
) -> None:
    async with run_app(arcade(practice(tmp_path)), *size) as pilot:
        await press(pilot, str(GAMES.index(listing) + 1))
        placed = {entry.key: x for x, entry in pilot.app.screen.query_one(KeyBar).placed()}
        assert {"a", "o", "t", "f1", "f2", "f3", "f4", "escape"} <= placed.keys()
        assert placed["escape"] == size[0] - 1 - len("Esc Leave"), "at the right edge"
        named = " F3 Setup  F4 Table " if size[0] == 80 else " F3 "
        assert named in lines(pilot.app)[-1]


@by_game
@pytest.mark.parametrize(("size", "look"), SHAPES, ids=str)
def test_each_game_has_snapshots(listing: GameListing, size: tuple[int, int], look: str) -> None:
    width, height = size
    pictures = [*(snapshots.FOLDER / listing.slug).glob(f"*-{width}x{height}-{look}.txt")]
    scenes = {path.name.removesuffix(f"-{width}x{height}-{look}.txt") for path in pictures}
    assert {"before-bet", "won", "lost", "help", "statistics", "leaving"} <= scenes


@by_game
@pytest.mark.parametrize("size", ["80x24", "132x43"])
def test_each_game_has_screenshots(listing: GameListing, size: str) -> None:
    assert [*SCREENSHOTS.glob(f"{listing.slug}*{size}*.svg")], "make screenshots"
