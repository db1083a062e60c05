"""The other servers that share the tables of a desk.

Without a database that is shared, there are no others: the time is that of this server, and nothing
is watched.
"""

from __future__ import annotations

from collections.abc import Callable

from ...records.clock import Clock
from ...records.ledger import LedgerBusy, LedgerError
from ...records.shared_tables import Heard, SharedTables, TablesHeard, TablesWatch

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
    tables that this server cannot read, each with its last row, if that is known.
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

    def is_unread(self, code: str, last: int) -> bool:
        """Return whether a table still cannot be read, because its ``last`` row is the same."""
        if code not in self.unread:
            return False
        if self.unread[code] is None:
            self.unread[code] = last
        return self.unread[code] == last


def as_busy(error: LedgerError) -> LedgerBusy:
    """Return an error of the database as one after which a session tries again."""
    busy = LedgerBusy(str(error))
    busy.public = error.public
    return busy
