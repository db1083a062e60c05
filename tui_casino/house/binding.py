"""The tie between a sitting's log and the ledger: what it may go on with is what was played."""

from __future__ import annotations

from collections.abc import Callable

from ..records.ledger import Known, Ledger, LedgerError
from ..records.log import LogWriter


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
        known: Known,
        staked: Callable[[], bool],
        cents: Callable[[], int],
    ) -> None:
        self._ledger, self._sitting, self._log = ledger, sitting, log
        self.known, self._staked, self._cents = known, staked, cents
        self._was_staked = staked()
        self._told: set[str] = set()
        self._news: list[str] = []

    def hear(self, told: object) -> None:
        """Hear of a step that is in the log: with the last one a round may have ended."""
        staked = self._staked()
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
            if self._ledger.mark(self._sitting, steps, mark, self._cents()):
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
