"""The removal of old logs; open and damaged logs are never removed.

What has not ended can be taken up, be it practice. A file that cannot be read as a log may be
anything, so it is not ours to remove; nor is one with a torn line, which somebody may look into.
"""

from __future__ import annotations

import os
from collections.abc import Iterable

from .cache import Cache
from .ledger import Ledger
from .log_catalog import CatalogEntry, hold_lock


def logs_before(entries: Iterable[CatalogEntry], before: int) -> list[CatalogEntry]:
    """Give the logs that may go and began before a time (milliseconds), the oldest first."""
    return [entry for entry in _may_go(entries) if entry.started < before]


def logs_over_size(entries: Iterable[CatalogEntry], maximum: int) -> list[CatalogEntry]:
    """Give the oldest logs that must go so that all together have at most so many bytes.

    If what may go is too little, that is all of it.
    """
    entries = list(entries)
    size, going = sum(entry.size for entry in entries), []
    for entry in _may_go(entries):
        if size <= maximum:
            break
        going.append(entry)
        size -= entry.size
    return going


def _may_go(entries: Iterable[CatalogEntry]) -> list[CatalogEntry]:
    may = (entry for entry in entries if entry.finished and not entry.fault and not entry.torn)
    return sorted(may, key=lambda entry: (entry.started, entry.path.name))


def remove_log(entry: CatalogEntry, ledger: Ledger | None, cache: Cache) -> str | None:
    """Remove a log, and what the cache has of it; else say why not.

    Looks again whether it is open, with the log locked. Raises
    :class:`~tui_casino.records.ledger.LedgerError`.
    """
    try:
        with hold_lock(entry.path) as ours:
            if not ours:
                return "it is being played by another program"
            if ledger is not None and ledger.open_sitting(entry.path.stem) is not None:
                return "its session is open"
            os.unlink(entry.path)
    except FileNotFoundError:
        return "it is no longer there"
    except OSError as error:
        return f"it cannot be removed: {error.strerror}"
    cache.forget(entry.path)
    return None
