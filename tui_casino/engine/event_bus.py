"""The event bus of a table: record each step, then publish it to all subscribers."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import Final, Generic, Literal, TypeAlias, TypeVar

from msgspec import Struct

from .game import A, Chance, E, Game, O, S, Seat

V = TypeVar("V")


class UnfilteredViewer(Enum):
    """The viewer who sees all cards, such as the log."""

    ALL_CARDS = "house"


ALL_CARDS: Final = UnfilteredViewer.ALL_CARDS
Viewer: TypeAlias = Seat | Literal[UnfilteredViewer.ALL_CARDS] | None
"""A seat; :data:`ALL_CARDS`; or ``None`` for a watcher, who sees only open cards."""


class TableUpdate(Struct, Generic[S, E], frozen=True):
    """One step as a viewer may see it: its actor (``None`` for the croupier), state and events."""

    actor: Seat | None
    state: S
    events: tuple[E, ...]


Subscriber: TypeAlias = Callable[[TableUpdate[S, E]], None]
Recorder: TypeAlias = Callable[[Seat | None, A | Chance, tuple[E, ...]], None]


class Accumulator(Struct, Generic[V]):
    """A value that the bus keeps up to date, such as a seat's statistics."""

    value: V


class EventBus(Generic[O, S, A, E]):
    """Passes each step of a table to its recorder, its accumulators and its subscribers.

    The ``recorder`` is called first. If it raises an exception, the step is refused and does not
    happen. All accumulators are up to date before the first subscriber is called, so subscribers
    may read them in any order. The view and the events are filtered once per viewer and step.
    """

    def __init__(self, game: Game[O, S, A, E], recorder: Recorder[A, E] | None = None) -> None:
        self.game, self.recorder = game, recorder
        self.faults: list[Exception] = []
        self._folds: list[tuple[Viewer, Subscriber[S, E]]] = []
        self._subscribers: list[tuple[Viewer, Subscriber[S, E]]] = []
        self._publishing = False

    def subscribe(self, viewer: Viewer, subscriber: Subscriber[S, E]) -> Callable[[], None]:
        """Call a subscriber with every step as the viewer may see it.

        Return a function that ends the subscription.
        """
        entry = (viewer, subscriber)
        self._subscribers.append(entry)
        return lambda: self._subscribers.remove(entry)

    def accumulate(self, viewer: Viewer, start: V, add: Callable[[V, E], V]) -> Accumulator[V]:
        """Fold the events that the viewer may see into a value that begins as ``start``."""
        accumulator = Accumulator(start)

        def update(step: TableUpdate[S, E]) -> None:
            for event in step.events:
                accumulator.value = add(accumulator.value, event)

        self._folds.append((viewer, update))
        return accumulator

    def record(self, actor: Seat | None, action: A | Chance, events: tuple[E, ...]) -> None:
        """Record a step that is about to happen. Raises whatever the recorder raises.

        Raises ``RuntimeError`` if a subscriber plays a step at the table that it listens to.
        """
        if self._publishing:
            raise RuntimeError("a subscriber may not drive its table")
        if self.recorder is not None:
            self.recorder(actor, action, events)

    def publish(self, update: TableUpdate[S, E]) -> None:
        """Pass a step to all subscribers; an error in one subscriber does not affect the others."""
        updates: dict[Viewer, TableUpdate[S, E]] = {ALL_CARDS: update}
        self._publishing = True
        try:
            for viewer, subscriber in (*self._folds, *self._subscribers):
                try:
                    if viewer not in updates and viewer is not ALL_CARDS:
                        updates[viewer] = self._as_seen_by(viewer, update)
                    subscriber(updates[viewer])
                except Exception as fault:  # must stop neither the game nor the other subscribers
                    self.on_fault(fault)
        finally:
            self._publishing = False

    def _as_seen_by(self, viewer: Seat | None, update: TableUpdate[S, E]) -> TableUpdate[S, E]:
        events = tuple(self.game.hear(update.state, event, viewer) for event in update.events)
        return TableUpdate(update.actor, self.game.view(update.state, viewer), events)

    def on_fault(self, fault: Exception) -> None:
        """Remember an error that a subscriber raised, so that the program can show it later."""
        self.faults.append(fault)
