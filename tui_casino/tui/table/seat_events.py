"""The events of a table as the players at this screen see them: earlier ones and updates."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Generic

from ...engine.event_bus import ALL_CARDS, TableUpdate
from ...engine.game import A, E, O, S
from ...gamekit.tally import T
from ...house.sitting import Sitting
from ...records.replay import replay_log
from ...records.session_log import read_log

MOST_RECALLED = 10_000
"""The maximum number of replayed steps when a session is resumed; they take half a second."""


def raise_error(error: Exception) -> None:
    """Raise an error, for example later in the event loop."""
    raise error


class SeatEvents(Generic[O, S, A, E, T]):
    """Passes the updates of a session's table on, and keeps them if players share the keyboard.

    The next player at a shared keyboard may see other cards, so earlier events are filtered again.
    """

    def __init__(self, sitting: Sitting[O, S, A, E, T]) -> None:
        self._sitting = sitting
        self._history: list[tuple[S, tuple[E, ...]]] = []
        self._subscriptions: list[Callable[[], None]] = []

    def subscribe(self, update: Callable[[TableUpdate[S, E]], None]) -> None:
        """Call ``update`` with each update as the present player sees it, instead of before."""
        self.unsubscribe()
        bus, dialogue = self._sitting.table.bus, self._sitting.dialogue
        self._subscriptions = [bus.subscribe(dialogue.viewer, update)]
        if dialogue.shared:
            self._subscriptions.append(bus.subscribe(ALL_CARDS, self._record))

    def unsubscribe(self) -> None:
        """End all subscriptions."""
        for end in self._subscriptions:
            end()
        self._subscriptions = []

    def earlier(self) -> Iterable[tuple[S, tuple[E, ...]]]:
        """Return all earlier states and events, or nothing if there are too many to replay."""
        sitting = self._sitting
        if not 0 < sitting.log.steps <= MOST_RECALLED:
            return ()
        happened: Iterable[tuple[S, tuple[E, ...]]] = self._history or (
            (played.state, played.events)
            for played in replay_log(sitting.table.game, read_log(sitting.log.path))
        )
        if sitting.dialogue.shared:
            happened = self._history = [*happened]
        return happened

    def _record(self, update: TableUpdate[S, E]) -> None:
        self._history.append((update.state, update.events))
