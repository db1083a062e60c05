"""The trainer's list of choices as a widget."""

from __future__ import annotations

from collections.abc import Iterable

from textual import events
from textual.geometry import Size
from textual.strip import Strip

from ..draw.choice_list import ChoiceList, choice_lines, visible_choices
from ..draw.styles import Look
from .line_widget import LineWidget

MOST_ROWS = 9
"""The most rows of a list in a side panel."""


class ChoiceListView(LineWidget):
    """Draws a list of choices, or nothing without one; a click on a choice presses its key."""

    choices: ChoiceList | None = None

    def show(self, choices: ChoiceList | None) -> None:
        """Show a list."""
        if choices != self.choices:
            self.choices = choices
            self.refresh()

    def show_fitted(self, choices: ChoiceList | None, most: int = MOST_ROWS) -> None:
        """Show a list in at most ``most`` rows, and take no room without one."""
        rows = 0
        if choices is not None:
            below = len(choices.rows) > most - 1 or bool(choices.details or choices.frame)
            rows = min(len(choices.rows) + 1 + below, most)
        self.styles.height, self.display = rows, bool(rows)
        self.show(choices)

    def on_click(self, event: events.Click) -> None:
        """Press the key of the choice that was clicked."""
        rows = visible_choices(self.choices, self.size) if self.choices else ()
        if 0 < event.y <= len(rows):
            key = rows[event.y - 1].key if rows[event.y - 1].ev else ""
        else:
            key = "o" if rows and event.y > len(rows) else ""
        if key:
            self.app.simulate_key(key)

    def _shown(self) -> object:
        return self.choices

    def _draw(self, look: Look, area: Size) -> Iterable[Strip]:
        return choice_lines(self.choices, area, look) if self.choices else ()
