"""A game's own log, written next to the session log, with only what everybody may see."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from ..engine.event_bus import ALL_CARDS, TableUpdate
from ..engine.game import A, E, Game, O, S, Seat
from ..engine.table import Table
from ..gamekit.definition import AnyDefinition
from ..gamekit.table_catalog import EventListener, ListenerFactory
from .house import House


def attach_game_log(
    house: House,
    definition: AnyDefinition,
    table: Table[Any, Any, Any, Any],
    players: Sequence[str],
    maker: ListenerFactory | None = None,
) -> None:
    """Write the game's own log from now on, with ``maker`` or with the game's default.

    The log does not reveal cards that are hidden from the player: an event is written only when
    everybody may see it. Raises the errors of ``maker``.
    """
    if maker is not None:
        hearer: EventListener | None = maker(table.source)
    else:
        hearer = definition.records.own_log(table.options, players, table.source, house.folder)
    if hearer is not None:
        humans = table.humans
        viewer = humans[0] if len(humans) == 1 else None
        open_to = partial(_open_to, table.game, viewer) if humans else _open
        table.bus.subscribe(ALL_CARDS, partial(_hear, hearer, open_to, []))


def _hear(
    hearer: EventListener,
    is_open: Callable[[Any], bool],
    pending: list[Any],
    update: TableUpdate[Any, Any],
) -> None:
    """Pass on all events that are public by now; then raise the first error, if there was one."""
    pending.extend(update.events)
    if is_open(update.state):
        updates, pending[:] = [*pending], []
        faults: list[Exception] = []
        for event in updates:
            try:
                hearer(event)
            except Exception as fault:
                faults.append(fault)
        if faults:
            raise faults[0]


def _open_to(game: Game[O, S, A, E], viewer: Seat | None, state: S) -> bool:
    return game.view(state, viewer) == state


def _open(state: object) -> bool:
    return True
