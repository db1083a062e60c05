"""The stylesheets: the app's own is loaded at startup, the others with their screens.

A screen's stylesheet is neither read nor matched against widgets before that screen opens. A screen
lists its stylesheets in ``CSS_PATH``, as usual in Textual.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

from textual.app import App
from textual.screen import Screen

from ...house.paths import game_stylesheet, styles_folder

ORDER = ("app", "windows", "tables", "records", "practice", "settings")
"""The stylesheets; later ones take precedence, and those of the games come last."""


@lru_cache(64)
def sheet(name: str) -> Path:
    """Return the path of a stylesheet."""
    return styles_folder() / f"{name}.tcss"


def sheets_of(game: str) -> list[Path]:
    """Return the paths of a game's stylesheets, by its slug: the shared one and its own."""
    own = game_stylesheet(game)
    return [sheet("tables"), *([own] if own.exists() else [])]


class HasSheets(App[None]):
    """An app that loads stylesheets when a screen needs them; all windows share one stylesheet."""

    CSS_PATH = [sheet("app")]  # noqa: RUF012 - as Textual has it

    def push_screen(self, screen: Any, *args: Any, **options: Any) -> Any:
        """Read the stylesheets of a screen before it is styled.

        Textual would read them later, parse all stylesheets again and style everything again.
        """
        if isinstance(screen, Screen):
            self.load_sheets(*([sheet("windows")] if screen.is_modal else []), *screen.css_path)
        return super().push_screen(screen, *args, **options)

    def load_sheets(self, *paths: Path) -> None:
        """Load stylesheets that are not loaded yet; the order of loading does not matter."""
        for path in paths:
            if not self.stylesheet.has_source(str(path)):
                rank = ORDER.index(path.stem) if path.stem in ORDER else len(ORDER)
                text = path.read_text(encoding="utf-8")
                self.stylesheet.add_source(text, (str(path), ""), tie_breaker=rank)
