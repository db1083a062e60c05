"""Keep the terminal's cursor on the card that the player marks.

The cursor is hidden, but screen readers, magnifiers and Braille displays follow it. Moving it costs
no extra output, because every screen update moves the cursor anyway.
"""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable

from textual.geometry import Offset

from ..widgets.painter import put_cursor
from .view import TableView

CORNER = Offset(1, 1)
"""The position of the rank within a card."""


@runtime_checkable
class CardLocator(Protocol):
    """A widget with cards that may be marked."""

    def corner(self, place: int) -> Offset | None:
        """Return the screen position of the card at a place, counted from 1, or ``None``."""
        ...


class CursorSync:
    """Keeps the cursor on the last card marked, or on the first card if none is marked yet."""

    def __init__(self, view: TableView[Any, Any, Any, Any, Any]) -> None:
        self._view = view
        self._marked: frozenset[object] | None = None

    def update(self) -> None:
        """Move the cursor to the last card marked, if the player has to choose cards."""
        view, before = self._view, self._marked
        if view.open_slot() is None:
            self._marked = None
            return
        self._marked = frozenset(view.selection)
        touched = {1} if before is None else self._marked ^ before
        places = sorted(place for place in touched if isinstance(place, int))
        cards = next((w for w in view.walk_children() if isinstance(w, CardLocator)), None)
        if places and cards is not None and (corner := cards.corner(places[0])) is not None:
            put_cursor(view.app, corner + CORNER)
