"""The stylesheets: the app's own from the start, the others with their screens.

The sheet of a screen is not read, and not matched against widgets, before that screen opens. A
screen names its sheets in ``CSS_PATH``, as usual in Textual.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

from textual.app import App
from textual.screen import Screen

from ...house.paths import game_stylesheet, styles_folder

ORDER = ("app", "windows", "tables", "records", "practice", "settings")
"""The sheets, each before those that may overrule it; those of the games come last."""


@lru_cache(64)
def sheet(name: str) -> Path:
    """Give the path of a sheet."""
    return styles_folder() / f"{name}.tcss"


def sheets_of(game: str) -> list[Path]:
    """Give the paths of a game's sheets, by its slug: what tables share, and its own."""
    own = game_stylesheet(game)
    return [sheet("tables"), *([own] if own.exists() else [])]


class HasSheets(App[None]):
    """An app whose screens bring their sheets along; the one of windows comes with any window."""

    CSS_PATH = [sheet("app")]  # noqa: RUF012 - as Textual has it

    def push_screen(self, screen: Any, *args: Any, **options: Any) -> Any:
        """Read the sheets of a screen before it is styled.

        Textual would read them behind that, parse all sheets anew and style everything again.
        """
        if isinstance(screen, Screen):
            self.load_sheets(*([sheet("windows")] if screen.is_modal else []), *screen.css_path)
        return super().push_screen(screen, *args, **options)

    def load_sheets(self, *paths: Path) -> None:
        """Load sheets that are not loaded yet; the order of loading decides no precedence."""
        for path in paths:
            if not self.stylesheet.has_source(str(path)):
                rank = ORDER.index(path.stem) if path.stem in ORDER else len(ORDER)
                text = path.read_text(encoding="utf-8")
                self.stylesheet.add_source(text, (str(path), ""), tie_breaker=rank)
