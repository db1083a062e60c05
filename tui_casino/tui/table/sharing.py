"""A keyboard that several humans share: from turn to turn another of them sits at the table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic

from textual.screen import Screen

from ...engine.game import A, E, O, S
from ...gamekit.tally import T
from ...gamekit.words import SEAT_NAMES
from ...house.dialogue import Dialogue
from .cover import Cover
from .view import TableView


class Sharing(Generic[O, S, A, E, T]):
    """Turns a table to who is asked, under a cover if he has to look at his cards.

    ``retell`` tells the view all that the present eyes have seen, ``looked`` is called when a
    player looks at his cards, and ``leave`` leaves the table.
    """

    def __init__(
        self,
        screen: Screen[Any],
        title: str,
        view: TableView[O, S, A, E, T],
        dialogue: Dialogue[O, S, A, E, T],
        retell: Callable[[], None],
        looked: Callable[[], None],
        leave: Callable[[], None],
    ) -> None:
        self._screen, self._title = screen, title
        self._view, self._dialogue = view, dialogue
        self._retell, self._looked, self._leave = retell, looked, leave
        self._late: list[str] | None = None

    @property
    def covers(self) -> bool:
        """Whether nothing can be done before the player who is asked has come."""
        return self._dialogue.hides

    def turn(self, said: list[str]) -> None:
        """Turn to who is asked, if he is another one; ``said`` is what has happened since."""
        covers = self.covers
        self._sit(looks=False)
        if not covers:
            return
        self._view.awaited = False
        if self._screen.is_active:
            player = SEAT_NAMES[self._dialogue.seat]
            cover = Cover(self._title, player, said, self._look, self._leave)
            self._screen.app.push_screen(cover)
        else:  # a window lies over the table: it is covered when that is closed
            self._late = said

    def resume(self) -> None:
        """Cover the table that is seen again, if it should have been covered before."""
        if (said := self._late) is not None:
            self._late = None
            self.turn(said)

    def _look(self) -> None:
        self._view.awaited = True
        self._sit(looks=True)
        self._looked()

    def _sit(self, *, looks: bool) -> None:
        view, dialogue = self._view, self._dialogue
        if not dialogue.turn(looks=looks):
            return
        before = view.eyes
        view.sits(dialogue.seat, dialogue.eyes)
        if view.eyes != before:
            self._retell()
        view.tally, view.seen = dialogue.tally, dialogue.table.view(view.eyes)
        view.present(view.seen)
