"""The base of lists with a cursor, the keys that move it, and the list of choices."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Generic, TypeVar

from textual import events
from textual.binding import Binding
from textual.geometry import Size
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from ..draw.canvas import CanvasRow
from ..draw.choice_list import ChoiceList, choice_at, choice_lines
from ..draw.look import Look, line_styles_of, style_of
from ..draw.text import SIGNS
from .line_widget import LineWidget

Row = TypeVar("Row")
FAR = 1_000_000
"""More rows than any list has."""


def list_bindings(room: str, *, pages: bool = True, ends: bool = True) -> list[Binding]:
    """Return the hidden bindings that move a cursor by rows, by pages, and to the ends.

    ``room`` is the first part of their ids. They call the actions ``go`` and ``page``.
    """
    keys = [("up", "go(-1)", "Up", "up"), ("down", "go(1)", "Down", "down")]
    if pages:
        keys.append(("pageup", "page(-1)", "Page up", "page-up"))
        keys.append(("pagedown", "page(1)", "Page down", "page-down"))
    if ends:
        keys.append(("home", f"go(-{FAR})", "First", "first"))
        keys.append(("end", f"go({FAR})", "Last", "last"))
    return [
        Binding(key, action, words, show=False, id=f"{room}.{name}")
        for key, action, words, name in keys
    ]


class CursorList(Widget, Generic[Row]):
    """A list of rows with a cursor, which keys and the mouse move; precedes the drawing class.

    A click moves the cursor to a row, or chooses the row if the cursor is already there.
    Subclasses return the row at a line in :meth:`place_at`, and the rows of a page in
    :attr:`page_rows`.
    """

    class Chosen(Message):
        """The player clicked on the row at the cursor."""

    class Moved(Message):
        """The cursor is on another row."""

    rows: Sequence[Row] = ()
    at = 0
    """The index of the row at the cursor."""

    @property
    def pointed(self) -> Row | None:
        """The row at the cursor, or ``None`` in an empty list."""
        return self.rows[self.at] if self.rows else None

    @property
    def page_rows(self) -> int:
        """The number of rows by which Page Up and Page Down move."""
        return 10

    def go_to(self, place: int) -> None:
        """Move the cursor to a row, within the list."""
        before, self.at = self.at, max(0, min(place, len(self.rows) - 1))
        if self.at != before:
            self.show_cursor(before)

    def show_cursor(self, before: int) -> None:
        """Show the cursor, which was at the index ``before``."""
        self.refresh()
        self.post_message(self.Moved())

    def visible_rows(self, room: int) -> range:
        """Return the indices of the rows to show in ``room`` lines, those around the cursor."""
        first = max(0, min(self.at - room // 2, len(self.rows) - room))
        return range(first, min(first + room, len(self.rows)))

    def place_at(self, y: int) -> int | None:
        """Return the index of the row at a line of the widget, if there is one."""
        return None

    def action_go(self, rows: int) -> None:
        self.go_to(self.at + rows)

    def action_page(self, pages: int) -> None:
        self.go_to(self.at + pages * self.page_rows)

    def on_click(self, event: events.Click) -> None:
        if (place := self.place_at(event.y)) is None:
            return
        if place == self.at:
            self.post_message(self.Chosen())
        else:
            self.go_to(place)


def mark_cursor(row: CanvasRow, start: int, end: int, look: Look) -> None:
    """Draw the ground and the mark of the row at the cursor."""
    row.ground(start, end, style_of(look.palette.text, look.palette.panel))
    row.put(start, SIGNS[look.tier]["cursor"], line_styles_of(look.palette).gold)


MOST_ROWS = 9
"""The most rows of a list in a side panel."""


class ChoiceListView(LineWidget):
    """Draws a list of choices, or nothing without one."""

    class Chosen(Message):
        """A choice was clicked; ``place`` is its index in the list."""

        def __init__(self, place: int) -> None:
            super().__init__()
            self.place = place

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
