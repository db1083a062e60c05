"""The other servers that share the tables of a desk.

Without a database that is shared, there are no others: the time is that of this server, and nothing
is watched.
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TypeVar

from msgspec import Struct

from ...records.clock import Clock
from ...records.ledger import AWAY, LedgerBusy, LedgerDamaged, LedgerError
from ...records.shared_tables import (
    Heard,
    PhraseHeard,
    RowHeard,
    SharedTable,
    SharedTables,
    TablesHeard,
    TablesUnheard,
    TablesWatch,
)
from .ledger_writer import LedgerWriter
from .table_answers import Replica, unread_text
from .table_talk import SpokenPhrase, TableTalk

T = TypeVar("T")

READ = 1000
"""Milliseconds after a request for which a player still reads a table."""
SLACK = 3
"""Seconds after which a server knows who reads a table at another one."""
LATE = 2000
"""Milliseconds for which the clock of a table waits if people read it only at other servers."""
BACK = 5000
"""Milliseconds after an outage of the database in which players can choose before the clocks do."""


class OtherServers:
    """The servers that share the tables.

    ``elsewhere`` are the tables and the ids of the players who read them there. ``is_cut`` is true
    while the database cannot be reached; no clock acts before ``patient_until``. ``unread`` are the
    tables that this server could not read, each with its last row then, if that is known.
    """

    def __init__(self, tables: SharedTables, clock: Clock) -> None:
        self._tables, self._own_clock = tables, clock
        self._watch: TablesWatch | None = None
        self._ahead = 0
        self.elsewhere = frozenset[tuple[str, str]]()
        self._read_elsewhere = frozenset[str]()
        self.is_cut, self.patient_until = False, 0
        self.unread: dict[str, int | None] = {}

    @property
    def are_there(self) -> bool:
        """Whether other servers may share the tables."""
        return self._watch is not None

    def now(self) -> int:
        """Return the time of the tables, which all servers share, in milliseconds since 1970."""
        return self._own_clock() + self._ahead

    def own_time(self, at: int | None) -> int | None:
        """Return the time that the clock of this server shows at a time of the tables."""
        return None if at is None else at - self._ahead

    def begin(self, hear: Callable[[Heard], None]) -> None:
        """Begin to watch, on another thread, which calls ``hear``. Raises :class:`LedgerError`."""
        self._ahead = self._tables.time_ahead(self._own_clock)
        self._watch = self._tables.watch(hear, self._own_clock)

    def close(self) -> None:
        """Watch no longer."""
        if self._watch is not None:
            self._watch.close()

    def report(self, readers: frozenset[tuple[str, str]]) -> None:
        """Set the tables and the ids of the players who read them here."""
        if self._watch is not None:
            self._watch.report(readers)

    def take_over(self, heard: TablesHeard) -> bool:
        """Note what was heard; return whether the database could not be reached before."""
        self._ahead, self.elsewhere = heard.ahead, heard.elsewhere
        self._read_elsewhere = frozenset(code for code, _ in heard.elsewhere)
        was_cut, self.is_cut = self.is_cut, False
        if was_cut:
            self.patient_until = self.now() + BACK
        open_tables = {entry.code for entry, _ in heard.tables}
        for code in [one for one in self.unread if one not in open_tables]:
            del self.unread[code]
        return was_cut

    def read_table(self, code: str) -> bool:
        """Return whether somebody reads a table at another server."""
        return code in self._read_elsewhere

    @contextmanager
    def patience(self) -> Iterator[None]:
        """Let sessions try again after an error while the database cannot be reached."""
        if self.is_cut:
            raise LedgerBusy(AWAY)  # others may have appended something
        try:
            yield
        except LedgerDamaged:
            raise
        except LedgerError as error:
            if not self.are_there or error.public is None:
                raise
            busy = LedgerBusy(str(error))
            busy.public = error.public
            raise busy from None

    def why_missing(self, code: str) -> str:
        """Return why nobody can use a table of this code."""
        if code in self.unread:
            return unread_text(code)
        return f"there is no table {code}"

    def is_unread(self, code: str, last: int) -> bool:
        """Return whether a table still cannot be read, because its ``last`` row is the same."""
        if code not in self.unread:
            return False
        if self.unread[code] is None:
            self.unread[code] = last
        return self.unread[code] == last


class TablePresence(Struct):
    """The sessions of a player that read a table, and since when there has been none.

    ``read_at`` is when the last one has read; ``away_since`` may be later, if the player is at
    another server.
    """

    readers: int = 0
    away_since: int | None = None
    read_at: int | None = None


class SharingDesk(ABC):
    """The part of a desk that follows what other servers do at its tables."""

    _scribe: LedgerWriter
    _tables: SharedTables
    _clock: Clock
    _others: OtherServers
    _entries: dict[str, SharedTable]
    _replicas: dict[str, Replica]
    _changed: defaultdict[str, asyncio.Event]
    _seated: dict[str, defaultdict[str, TablePresence]]
    _talk: TableTalk

    def __init__(self) -> None:
        self._following: dict[str, int] = {}  # the rows that others have appended
        self._tasks = set[asyncio.Task[None]]()

    @abstractmethod
    async def _on(self, code: str, work: Callable[[Replica], T]) -> T:
        """Read something from the replica of a table."""

    @abstractmethod
    def _wake(self, code: str) -> None:
        """Wake those who wait for a table."""

    @abstractmethod
    def _leave_out(self, code: str, error: Exception) -> None:
        """Close a table to everybody that cannot be read."""

    @abstractmethod
    def _note_fault(self, code: str, error: Exception) -> None:
        """Report a fault at a table to the operator."""

    @abstractmethod
    def _presence(self, code: str, player: str) -> TablePresence:
        """Return the sessions of a player that read a table."""

    def close(self) -> None:
        """Watch no longer what other servers do."""
        self._others.close()

    async def _watch_others(self) -> None:
        loop = asyncio.get_running_loop()

        def hear(heard: Heard) -> None:
            loop.call_soon_threadsafe(self._hear, heard)

        await self._scribe.do(lambda: self._others.begin(hear))

    def _set_aside(self, code: str, error: Exception) -> None:
        """Remember that a table cannot be read."""
        if self._others.are_there:
            self._wake(code)
            if not _is_passing(error):
                self._others.unread[code] = self._following.get(code)

    async def _is_elsewhere(self, code: str, player: str) -> bool:
        """Return whether a player reads a table at another server just now."""
        if not self._others.are_there:
            return False
        return await self._scribe.do(lambda: self._tables.is_present(code, player))

    async def _say_elsewhere(self, spoken: PhraseHeard) -> None:
        if self._others.are_there:
            await self._scribe.do(lambda: self._tables.say(spoken))

    async def look_up(self, code: str) -> None:
        """Learn of a table that another server may have made just now."""
        if not self._others.are_there or code in self._entries or code in self._others.unread:
            return
        for entry in await self._scribe.do(self._tables.open_tables):
            if entry.code not in self._others.unread:
                self._entries.setdefault(entry.code, entry)

    def _hear(self, heard: Heard) -> None:
        """Take over what another server has done."""
        match heard:
            case RowHeard(code, row):
                if code not in self._others.unread:  # else the next look at all tables tries it
                    self._follow(code, row)
            case PhraseHeard(code, player, phrase, at):
                said = SpokenPhrase(at, player, phrase)
                if code in self._entries and self._talk.take_over(code, said):
                    self._wake(code)
            case TablesHeard():
                self._hear_all(heard)
            case TablesUnheard():
                self._others.is_cut = True
                for code in [*self._changed]:
                    self._wake(code)

    def _hear_all(self, heard: TablesHeard) -> None:
        if self._others.take_over(heard):  # readers elsewhere could not be reported
            every = (one for seats in self._seated.values() for one in seats.values())
            for seated in every:
                seated.away_since = None if seated.away_since is None else self._clock()
        self._talk.blocks = {*heard.blocks}
        for entry, last in heard.tables:
            code = entry.code
            if self._others.is_unread(code, last):
                continue
            if self._entries.get(code) != entry:
                self._entries[code] = entry
                self._replicas.pop(code, None)  # the clock may also be another one
            self._follow(code, last)
        is_open = {entry.code for entry, _ in heard.tables}
        for code in [one for one in self._entries if one not in is_open]:
            self._follow(code, self._replicas[code].rows if code in self._replicas else 0)

    def _follow(self, code: str, row: int) -> None:
        """Read the rows of a table up to this one, if they were not read."""
        replica = self._replicas.get(code)
        if replica is not None and replica.rows > row:
            return
        if code in self._following:
            self._following[code] = max(row, self._following[code])
            return
        self._following[code] = row
        task = asyncio.get_running_loop().create_task(self._catch_up(code))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _catch_up(self, code: str) -> None:
        row = -1
        try:
            await self.look_up(code)
            while code in self._entries and row < self._following[code]:
                row = self._following[code]
                await self._on(code, lambda replica: replica.refresh())
                self._others.unread.pop(code, None)
                self._wake(code)
        except LedgerError as error:
            if _is_passing(error):
                self._wake(code)  # the next look at all tables repeats it
            elif code in self._entries:
                self._leave_out(code, error)
        except Exception as error:
            self._note_fault(code, error)
        finally:
            del self._following[code]

    def _note_elsewhere(self, code: str, replica: Replica) -> bool:
        """Note which players of a table are at no server.

        Return whether people read it at other servers only; then the clocks there act first.
        """
        for occupant in replica.occupants.values():
            seated = self._presence(code, occupant.player)
            is_elsewhere = (code, occupant.player) in self._others.elsewhere
            if not seated.readers and (is_elsewhere or seated.away_since is None):
                seated.away_since = self._clock()
        now = self._clock()
        seats: Mapping[str, TablePresence] = self._seated.get(code, {})
        is_here = any(_reads(one, now) for one in seats.values())
        return not is_here and self._others.read_table(code)

    def _report_readers(self) -> None:
        """Report who reads which table here."""
        if not self._others.are_there:
            return
        now = self._clock()
        readers = (
            (code, player)
            for code, seats in self._seated.items()
            for player, one in seats.items()
            if _reads(one, now)
        )
        self._others.report(frozenset(readers))


def _is_passing(error: Exception) -> bool:
    """Return whether an error may not occur again: the database is busy or away."""
    is_damage = isinstance(error, LedgerDamaged)
    return isinstance(error, LedgerBusy) or (
        isinstance(error, LedgerError) and error.public is not None and not is_damage
    )


def _reads(seated: TablePresence, now: int) -> bool:
    """Return whether a player reads a table, or has done so a moment ago."""
    return bool(seated.readers) or now - (seated.read_at or 0) < READ
