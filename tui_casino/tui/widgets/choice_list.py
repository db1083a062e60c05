"""The trainer's list of choices as a widget."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from textual import events
from textual.geometry import Size
from textual.message import Message
from textual.strip import Strip

from ..draw.choice_list import ChoiceList, choice_at, choice_lines
from ..draw.look import Look
from .line_widget import LineWidget

MOST_ROWS = 9
"""The most rows of a list in a side panel."""


class ChoiceListView(LineWidget):
    """Draws a list of choices, or nothing without one."""

    @dataclass
    class Chosen(Message):
        """A choice was clicked; ``place`` is its index in the list."""

        place: int

    choices: ChoiceList | None = None
    _fitted: int | None = None

    def show(self, choices: ChoiceList | None) -> None:
        if choices != self.choices:
            self.choices = choices
            self.refresh()

    def show_fitted(self, choices: ChoiceList | None, most: int = MOST_ROWS) -> None:
        """Show a list in at most ``most`` rows, and take no room without one."""
        rows = 0
        if choices is not None:
            below = len(choices.rows) > most - 1 or bool(choices.details or choices.frame)
            rows = min(len(choices.rows) + 1 + below, most)
        if rows != self._fitted:
            self._fitted = self.styles.height = rows
            self.display = bool(rows)
        self.show(choices)

    def on_click(self, event: events.Click) -> None:
        """Report the choice that was clicked; a click below the last one opens the whole list."""
        if self.choices is None:
            return
        place = choice_at(self.choices, self.size, event.x, event.y)
        if place is not None:
            self.post_message(self.Chosen(place))
        elif self.choices.rows and event.y == self.size.height - 1 and not self.choices.details:
            self.app.simulate_key("o")

    def _shown(self) -> object:
        return self.choices

    def _draw(self, look: Look, area: Size) -> Iterable[Strip]:
        return choice_lines(self.choices, area, look) if self.choices else ()
