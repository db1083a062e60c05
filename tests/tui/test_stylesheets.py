"""The sheets come with the screens that want them, and overrule each other in one order."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.helpers.arcade_pilot import arcade, practice, press, run_app
from tests.helpers.screen_walks import key_of
from tui_casino.house.paths import styles_folder
from tui_casino.tui.app import Arcade
from tui_casino.tui.theme import ORDER, sheets_of

LATE = (
    *("engine.game", "engine.table", "gamekit.definition", "gamekit.seating", "house.lobby"),
    *("house.sitting", "records.log", "records.shelf", "tui.modals", "tui.table"),
)
"""What plays, and what is opened later: most of the menu's start was once the import of these."""


def worn(app: Arcade) -> dict[str, int]:
    """Give the sheets that have been read, each with its rank; a game's by the game's folder."""
    matches = {}
    for (path, kind), source in app.stylesheet.source.items():
        if not kind:
            name = Path(path).stem
            matches[name if name != "sheet" else Path(path).parts[-3]] = source.tie_breaker
    return matches


def test_every_stylesheet_has_a_place_in_the_loading_order() -> None:
    assert {path.stem for path in styles_folder().glob("*.tcss")} == {*ORDER}


def test_game_without_a_stylesheet_uses_the_table_stylesheet() -> None:
    assert [path.stem for path in sheets_of("no-such-game")] == ["tables"]


async def test_stylesheet_is_loaded_once_with_its_screen_in_order(tmp_path: Path) -> None:
    app = arcade(practice(tmp_path))
    async with run_app(app) as pilot:
        assert worn(app) == {"app": 0}
        await press(pilot, "f3", "escape")
        assert worn(app) == {"app": 0, "windows": 1, "settings": 5}
        await press(pilot, key_of("video-poker"))
        assert worn(app)["tables"] == 2
        assert worn(app)["video_poker"] == len(ORDER), "what a game says comes last"
        rules = len(app.stylesheet.rules)
        await press(pilot, "f3", "escape")
        assert len(app.stylesheet.rules) == rules, "each is read once"


def test_menu_is_painted_without_loading_the_games() -> None:
    program = f"""
import sys
import tui_casino.cli.arcade, tui_casino.tui.app
print([name for name in {LATE} if "tui_casino." + name in sys.modules])
"""
    process = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    assert process.stdout.decode().strip() == "[]"
