"""The sheets: the house's own is there from the start, the others come with their screens.

Until a screen is opened, what its sheet says need neither be read nor gone through for every
widget that is styled. A screen names its sheets as Textual has it, in ``CSS_PATH``.
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
        """Read sheets, unless that has been done. Who comes first must not decide who overrules."""
        for path in paths:
            if not self.stylesheet.has_source(str(path)):
                rank = ORDER.index(path.stem) if path.stem in ORDER else len(ORDER)
                text = path.read_text(encoding="utf-8")
                self.stylesheet.add_source(text, (str(path), ""), tie_breaker=rank)
