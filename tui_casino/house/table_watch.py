"""Watching a table with others: the rounds that are over, in lines."""

from __future__ import annotations

from collections.abc import Iterator

from ..gamekit.registry import listing_of
from .shared_tables import CONTINUES, FROZEN, SharedTablesClient, TableLine

WAITS = "Waiting for the round to end."
LATE = "watching, one round late"


class TableWatch:
    """Reads the rounds of a table that are over, until ``is_over``: then no more lines follow."""

    def __init__(self, tables: SharedTablesClient, table: TableLine) -> None:
        self._tables, self._code = tables, table.code
        self.title = f"{listing_of(table.game).title} {table.code}, {LATE}"
        self._after, self._is_first, self._was_frozen, self.is_over = 0, True, False, False

    def read(self, wait: float = 0.0) -> tuple[str, ...]:
        """Return the lines since the last call; if there are none, wait for them, in seconds.

        Raises :class:`~tui_casino.records.ledger.LedgerError`.
        """
        return (*self._read(wait),)

    def _read(self, wait: float) -> Iterator[str]:
        seen = self._tables.watch(self._code, self._after, wait)
        yield from seen.lines
        self._after = seen.after
        if seen.is_frozen != self._was_frozen:
            self._was_frozen = seen.is_frozen
            yield f"{FROZEN[:1].upper()}{FROZEN[1:]}." if seen.is_frozen else CONTINUES
        if seen.why:
            self.is_over = True
            yield f"The table is closed: {seen.why}."
        elif self._is_first and not seen.lines:
            yield WAITS
        self._is_first = False
