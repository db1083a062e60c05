"""The tie between a sitting's log and the ledger: what it may go on with is what was played."""

from __future__ import annotations

from typing import Any

from ..engine.bus import HOUSE
from ..engine.table import Table
from ..records.ledger import Known, Ledger, LedgerError
from ..records.log import LogWriter
from .stakes import cents_of, is_staked


class Binding:
    """Notes in the ledger how far a sitting's log goes whenever a round has ended.

    Play goes on if that fails: a note that another program is in the way of is made up for by the
    next one, and all else is told, once. ``known`` is what the ledger knows of the log.
    """

    def __init__(
        self,
        ledger: Ledger,
        sitting: str,
        log: LogWriter,
        table: Table[Any, Any, Any, Any],
        known: Known,
    ) -> None:
        self._ledger, self._sitting, self._log = ledger, sitting, log
        self._table, self.known = table, known
        self._was_staked = is_staked(table)
        self._told: set[str] = set()
        self._news: list[str] = []
        table.bus.subscribe(HOUSE, self._hear)

    def _hear(self, update: object) -> None:  # the step is in the log by now
        staked = is_staked(self._table)
        if self._was_staked and not staked:
            self.note()
        self._was_staked = staked

    def note(self) -> None:
        """Note where the log stands now."""
        steps, mark = self._log.steps, self._log.hash
        if steps == self.known.steps:
            return
        try:
            self.confirm()
            if self._ledger.mark(self._sitting, steps, mark, cents_of(self._table)):
                self.known = Known(self.known.head, steps, mark)
        except LedgerError as error:
            if (said := str(error)) not in self._told:
                self._told.add(said)
                self._news.append(said)

    def take_news(self) -> list[str]:
        """Say what has gone wrong since the last call."""
        said, self._news = self._news, []
        return said

    def confirm(self) -> None:
        """See that the ledger still knows what it was told. Raises :class:`LedgerError`."""
        self._ledger.confirm(self._sitting, self.known)
