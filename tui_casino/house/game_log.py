"""A game's own log, kept next to the session's log, of what everybody may see."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from ..engine.event_bus import ALL_CARDS, TableUpdate
from ..engine.game import A, E, Game, O, S, Seat
from ..engine.table import Table
from ..gamekit.definition import AnyDefinition
from ..gamekit.table_setup import EventListener, ListenerFactory
from .house import House


def attach_game_log(
    house: House,
    definition: AnyDefinition,
    table: Table[Any, Any, Any, Any],
    players: Sequence[str],
    maker: ListenerFactory | None = None,
) -> None:
    """Let a log of the game's own be kept from now on, by ``maker`` or as the game does it.

    Who plays finds nothing there that is hidden from him: it is told once it lies open. Raises what
    ``maker`` raises.
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
    """Let all be heard that lies open now, also after what was not; then raise what was wrong."""
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
