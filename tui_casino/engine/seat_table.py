"""A table that is played elsewhere, as one of its seats sees it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Generic, Protocol

from msgspec import Struct

from ..structs import replace
from .chance import ChanceSource
from .croupier import Croupier
from .event_bus import Recorder, TableUpdate
from .game import A, Chance, E, Game, IllegalAction, O, Refusal, S, Seat, check_legal, is_asked
from .table import Table


class Seen(Struct, Generic[A], frozen=True):
    """A step of a table as a seat sees it: who acted, and the fields of the state that changed.

    The ``action`` is ``None`` unless the seat itself acted.
    """

    actor: Seat | None
    action: A | None
    changes: Mapping[str, Any]


class SeenStep(Struct, Generic[S, A, E], frozen=True):
    """A step of a table: who acted, the state and the events that the seat may see.

    The ``action`` is ``None`` unless the seat itself acted.
    """

    actor: Seat | None
    action: A | None
    state: S
    events: tuple[E, ...]


class TableSteps(Protocol[S, A, E]):
    """The steps of a table that is played elsewhere, as a seat sees them, in their order."""

    @property
    def has_next(self) -> bool:
        """Whether the next step is known here."""
        ...

    def next(self) -> SeenStep[S, A, E]:
        """Return the next step, and wait for it if necessary; until it is taken, the same one."""
        ...

    def take(self) -> None:
        """Go on to the step after the next one."""
        ...

    def send(self, action: A, /) -> bool:
        """Let the seat act there; return false if the table has continued in the meantime."""
        ...


class SeatTable(Table[O, S, A, E]):
    """A table whose steps come from elsewhere; its state is the view of one seat.

    The table waits once it has played every known step and its own seat is asked. An action is sent
    away, and is played here when it comes back as a step.
    """

    def __init__(
        self,
        game: Game[O, S, A, E],
        options: O,
        croupier: Croupier,
        source: ChanceSource,
        players: Mapping[Seat, None],
        steps: TableSteps[S, A, E],
        recorder: Recorder[A, E] | None = None,
    ) -> None:
        super().__init__(game, options, croupier, source, players, recorder)
        self._steps, self._sent = steps, False
        (self._own,) = self.humans

    def view(self, viewer: Seat | None) -> S:
        """Return the state, which is the view of the own seat."""
        return self.state

    @property
    def waiting(self) -> bool:
        """Whether the own seat must choose, or nothing more comes."""
        return not self._sent and not self._steps.has_next and self._has_turn

    @property
    def _has_turn(self) -> bool:
        return is_asked(self.game.turn(self.state), self._own)

    def ask(self) -> tuple[Seat | None, Any]:
        """Return the next step, without playing it; wait for it if necessary."""
        step = self._steps.next()
        return step.actor, step

    def play(self, actor: Seat | None, action: A | Chance | SeenStep[S, A, E]) -> tuple[E, ...]:
        """Record and publish a step; any other action of the own seat is sent away.

        Raises :class:`IllegalAction`, or whatever the recorder raises; in both cases nothing has
        changed here.
        """
        if not isinstance(action, SeenStep):
            assert actor == self._own, "others act elsewhere"
            check_legal(self.game, self.state, actor, action)
            if not self._steps.send(action):  # type: ignore[arg-type]
                raise IllegalAction(Refusal.BARRED, "the table has continued")
            self._sent = True
            return ()
        seen: Any = Seen(action.actor, action.action, changed_fields(self.state, action.state))
        self.bus.record(None, seen, action.events)
        self._steps.take()
        self.state = action.state
        self._sent = self._sent and action.actor != self._own
        self.bus.publish(TableUpdate(action.actor, action.state, action.events))
        return action.events


def changed_fields(before: Any, after: Any) -> Mapping[str, Any]:
    """Return the fields of a frozen struct that differ from another one of its class."""
    names = type(after).__struct_fields__
    return {
        name: getattr(after, name)
        for name in names
        if getattr(before, name) != getattr(after, name)
    }


def with_changes(state: S, changes: Mapping[str, Any]) -> S:
    """Return a state with the fields of :func:`changed_fields`."""
    changed: S = replace(state, **changes)  # type: ignore[type-var]
    return changed
