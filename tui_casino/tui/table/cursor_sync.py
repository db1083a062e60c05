"""The terminal's own cursor stands on the card that the player is at.

Nobody sees it there, for it is hidden; but screen readers, magnifiers and Braille displays follow
it. It costs nothing: with every picture the cursor is put somewhere anyway.
"""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable

from textual.geometry import Offset

from ..widgets.painter import put_cursor
from .view import TableView

CORNER = Offset(1, 1)
"""Within a card, of its rank."""


@runtime_checkable
class CardLocator(Protocol):
    """A widget with cards that may be marked."""

    def corner(self, place: int) -> Offset | None:
        """Give where the card at a place begins on the screen, if one lies there; from 1."""
        ...


class CursorSync:
    """Points at the card that was marked last, or at the first one where cards are asked for."""

    def __init__(self, view: TableView[Any, Any, Any, Any, Any]) -> None:
        self._view = view
        self._marked: frozenset[object] | None = None

    def update(self) -> None:
        """Put the cursor where the player is, if he is asked for cards; else leave it."""
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
