"""Listeners at a table: the ledger's checkpoints of the log, and the game's own log."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from queue import Empty, SimpleQueue
from typing import Any, NamedTuple

from ..engine.event_bus import ALL_CARDS, TableUpdate
from ..engine.game import A, E, Game, O, S, Seat
from ..engine.money import Money
from ..engine.table import Table
from ..gamekit.definition import AnyDefinition
from ..gamekit.table_catalog import EventListener, ListenerFactory
from ..inputs.files import os_error_reason
from ..records.ledger import Ledger, LedgerError, LogCheckpoint
from ..records.session_log import LogWriter
from .house import House


def money_at_table(table: Table[O, S, A, E]) -> int:
    """Return the humans' money, free and at stake, in cents."""
    return table.game.unit * sum(one.free + one.staked for one in _money(table))


def is_staked(table: Table[O, S, A, E]) -> bool:
    """Return whether a human has a bet at stake."""
    return any(one.staked for one in _money(table))


def _money(table: Table[O, S, A, E]) -> list[Money]:
    return [table.game.money(table.state, seat) for seat in table.humans]


class _Place(NamedTuple):
    """The end of a log: the number of steps, the hash of the last step, and the money in cents."""

    steps: int
    mark: str
    cents: int


class LedgerCheckpoint:
    """Writes a checkpoint of a session's log into the ledger after every round.

    The log is synced to the disk before its checkpoint is written. Otherwise a power cut could
    leave a log that is shorter than its checkpoint. A thread waits for the disk, so that the table
    never has to. Play continues if a checkpoint fails. If the ledger was locked by another program,
    the next checkpoint replaces the failed one; every other error is reported once. ``known`` is
    the last checkpoint in the ledger.
    """

    def __init__(
        self,
        ledger: Ledger,
        sitting: str,
        log: LogWriter,
        table: Table[Any, Any, Any, Any],
        known: LogCheckpoint,
    ) -> None:
        self._ledger, self._sitting, self._log = ledger, sitting, log
        self._table, self.known = table, known
        self._was_staked = is_staked(table)
        self._thread: ThreadPoolExecutor | None = None
        self._latest: _Place | None = None
        self._reported: set[str] = set()
        self._news = SimpleQueue[str]()
        table.bus.subscribe(ALL_CARDS, self._hear)

    def _hear(self, update: object) -> None:  # called after the step is in the log
        staked = is_staked(self._table)
        if self._was_staked and not staked:
            self._note_soon()
        self._was_staked = staked

    def _note_soon(self) -> None:
        self._latest = _Place(self._log.steps, self._log.hash, money_at_table(self._table))
        if self._thread is None:
            self._thread = ThreadPoolExecutor(1, "notes")
        self._thread.submit(self._note, self._latest)

    def _note(self, place: _Place) -> None:
        if place is not self._latest or place.steps == self.known.steps:
            return
        try:
            if self._ledger.persistent:
                self._log.sync()
            self.confirm()
            if self._ledger.checkpoint(self._sitting, *place):
                self.known = LogCheckpoint(self.known.head, place.steps, place.mark)
        except LedgerError as error:
            self._report(str(error))
        except OSError as error:
            self._report(f"the log cannot be written to the disk: {os_error_reason(error)}")

    def _report(self, message: str) -> None:
        if message not in self._reported:
            self._reported.add(message)
            self._news.put(message)

    def note(self) -> None:
        """Write a checkpoint for the end of the log, and wait until it is written."""
        self._note_soon()
        self.wait()

    def wait(self) -> None:
        """Wait until every checkpoint in progress has been written or has failed."""
        if self._thread is not None:
            self._thread.shutdown()
            self._thread = None

    def take_news(self) -> list[str]:
        """Return the error messages since the last call."""
        messages = []
        with suppress(Empty):
            while True:
                messages.append(self._news.get_nowait())
        return messages

    def confirm(self) -> None:
        """Check that the ledger still has the last checkpoint. Raises :class:`LedgerError`."""
        self._ledger.confirm(self._sitting, self.known)


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
