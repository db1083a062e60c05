"""A table that is played elsewhere, as one of its seats sees it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Generic, Protocol

from msgspec import Struct

from .chance import ChanceSource
from .croupier import Croupier
from .event_bus import Recorder, TableUpdate
from .game import (
    A,
    Chance,
    E,
    Game,
    IllegalAction,
    O,
    Refusal,
    S,
    Seat,
    SittingOver,
    check_legal,
    is_asked,
)
from .offers import Dice, Offer
from .table import Table


class Seen(Struct, Generic[A], frozen=True):
    """A step as it is recorded: its row, who acted, and the fields of the view that changed.

    The ``action`` is ``None`` unless the seat's player acted; ``kind`` is the name of its class.
    """

    row: int
    actor: Seat | None
    kind: str
    action: A | None
    changes: Mapping[str, Any]


class SeenStep(Struct, Generic[S, A, E], frozen=True):
    """A step of a table as a seat sees it: its row, who acted, the view after it, and the events.

    The ``action`` is ``None`` unless the seat's player acted; ``kind`` is the name of its class.
    """

    row: int
    actor: Seat | None
    kind: str
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


class PlaysElsewhere:
    """The player of a seat whose choices come from elsewhere."""

    def choose(self, view: Any, seat: Seat, offers: tuple[Offer[Any], ...], dice: Dice, /) -> Any:
        """Refuse: the choice comes as a step."""
        raise RuntimeError(f"seat {seat} plays elsewhere")


class SeatTable(Table[O, S, A, E]):
    """A table whose steps come from elsewhere; its state is the view of one seat, the ``own``.

    ``row`` is that of the last step. The table waits once it has played every known step and its
    own seat ``is_asked``; if it never ``blocks``, it waits whenever no step is known. An action is
    sent away, and is played here when it comes back as a step.
    """

    blocks = True

    def __init__(
        self,
        game: Game[O, S, A, E],
        options: O,
        croupier: Croupier,
        source: ChanceSource,
        own: Seat,
        steps: TableSteps[S, A, E],
        recorder: Recorder[A, E] | None = None,
    ) -> None:
        others = PlaysElsewhere()
        players = {
            seat: None if seat == own else others for seat in map(Seat, range(game.seats(options)))
        }
        super().__init__(game, options, croupier, source, players, recorder)
        self.own, self.row, self._steps = own, 0, steps

    def view(self, viewer: Seat | None) -> S:
        """Return the state, which is the view of the own seat."""
        return self.state

    @property
    def waiting(self) -> bool:
        """Whether every known step is played, and nothing more is waited for."""
        return not self._steps.has_next and (self.is_asked or not self.blocks)

    @property
    def is_asked(self) -> bool:
        """Whether the own seat must choose, or all is over."""
        turn = self.game.turn(self.state)
        return isinstance(turn, SittingOver) or is_asked(turn, self.own)

    def ask(self) -> tuple[Seat | None, Any]:
        """Return the next step, without playing it; wait for it if necessary."""
        step = self._steps.next()
        return step.actor, step

    def play(self, actor: Seat | None, action: A | Chance | SeenStep[S, A, E]) -> tuple[E, ...]:
        """Play a step; or send an action of the own seat away, and play on until it is a step.

        Raises :class:`IllegalAction`, or whatever the recorder raises; in both cases nothing has
        changed here.
        """
        if isinstance(action, SeenStep):
            changes = changed_fields(self.state, action.state)
            seen: Any = Seen(action.row, action.actor, action.kind, action.action, changes)
            self.bus.record(None, seen, action.events)
            self._steps.take()
            self.repeat(action)
            return action.events
        assert actor == self.own, "others act elsewhere"
        check_legal(self.game, self.state, actor, action)
        if not self._steps.send(action):  # type: ignore[arg-type]
            raise IllegalAction(Refusal.BARRED, "the table has continued")
        while True:
            step = self._steps.next()
            events = self.play(step.actor, step)
            if step.actor == self.own:
                return events

    def repeat(self, step: SeenStep[S, A, E]) -> None:
        """Publish a step that is recorded already."""
        self.state, self.row = step.state, step.row
        self.bus.publish(TableUpdate(step.actor, step.state, step.events))


def changed_fields(before: Any, after: Any) -> Mapping[str, Any]:
    """Return the fields of a frozen struct that differ from another one of its class."""
    names = type(after).__struct_fields__
    return {
        name: getattr(after, name)
        for name in names
        if getattr(before, name) != getattr(after, name)
    }
