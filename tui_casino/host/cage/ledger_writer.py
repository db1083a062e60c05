"""The only thread that writes the ledger; it commits waiting jobs together."""

from __future__ import annotations

import asyncio
import queue
from collections.abc import Callable
from enum import IntEnum
from threading import Thread
from typing import Any, NamedTuple, TypeVar

from ...records.ledger import LedgerError
from ..storage import HostLedger

T = TypeVar("T")
MOST = 500
"""The maximum number of entries in one commit."""


class Durability(IntEnum):
    """How durable an entry must be before its caller gets an answer."""

    READS = 0
    NOTES = 1
    """Written: the entry survives a crash of this program, but perhaps not a power failure."""
    MOVES = 2
    """Written and synced to the disk."""


class _Entry(NamedTuple):
    job: Callable[[], Any]
    weight: Durability
    answer: asyncio.Future[Any]


class LedgerWriter:
    """Runs jobs on a ledger in the order of their arrival. ``commits`` counts the commits."""

    def __init__(self, book: HostLedger) -> None:
        self.book, self.commits = book, 0
        self._loop = asyncio.get_running_loop()
        self._waiting: queue.SimpleQueue[_Entry | None] = queue.SimpleQueue()
        self._thread = Thread(target=self._write, name="scribe", daemon=True)
        self._thread.start()

    async def do(self, job: Callable[[], T], weight: Durability = Durability.READS) -> T:
        """Run a job and, if it writes, commit it. Raises errors of the job and of the commit."""
        entry = _Entry(job, weight, self._loop.create_future())
        self._waiting.put(entry)
        done: T = await entry.answer
        return done

    def close(self) -> None:
        """Accept no more jobs, run those that are waiting, and close the ledger."""
        self._waiting.put(None)
        self._thread.join()
        self.book.close()

    def _write(self) -> None:
        while batch := self._next():
            answers = self._done(batch)
            self._loop.call_soon_threadsafe(_answer, answers)

    def _next(self) -> list[_Entry]:
        """Wait for an entry, and return all waiting entries; after :meth:`close`, an empty list."""
        entry = self._waiting.get()
        batch: list[_Entry] = []
        while entry is not None:
            batch.append(entry)
            if len(batch) == MOST or self._waiting.empty():
                return batch
            entry = self._waiting.get()
        self._waiting.put(None)
        return batch

    def _done(self, batch: list[_Entry]) -> list[tuple[_Entry, Any]]:
        weight = max(entry.weight for entry in batch)
        if weight is Durability.READS:
            return [(entry, _tried(entry.job)) for entry in batch]
        try:
            with self.book.together(lasting=weight is Durability.MOVES):
                answers = [(entry, _tried(entry.job)) for entry in batch]
        except LedgerError as error:  # the whole batch was rolled back
            return [(entry, error) for entry in batch]
        self.commits += 1
        return answers


def _tried(job: Callable[[], Any]) -> Any:
    try:
        return job()
    except Exception as error:
        return error


def _answer(answers: list[tuple[_Entry, Any]]) -> None:
    for entry, value in answers:
        if entry.answer.cancelled():
            continue
        if isinstance(value, BaseException):
            entry.answer.set_exception(value)
        else:
            entry.answer.set_result(value)
