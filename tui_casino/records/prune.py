"""The removal of old logs; open and damaged logs are never removed.

A session that has not ended can be resumed, even in free play. A file that cannot be read as a log
may contain anything, so it is not removed. A log with an incomplete last line is also kept, so that
it can be examined. The catalog knows only the ends of a log, so a caller gives a function that
returns whether a whole log is ``intact``, such as one with :func:`log_damage`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from pathlib import Path

from ..inputs.files import BadFile
from .cache import Cache
from .ledger import Ledger
from .log_catalog import CatalogEntry, hold_lock
from .replay import LogMismatch, check_chain
from .session_log import read_log

IntactCheck = Callable[[CatalogEntry], bool]


def logs_before(
    entries: Iterable[CatalogEntry], before: int, intact: IntactCheck
) -> list[CatalogEntry]:
    """Return the removable logs that began before a time (milliseconds), oldest first."""
    return [entry for entry in _may_go(entries) if entry.started < before and intact(entry)]


def logs_over_size(
    entries: Iterable[CatalogEntry], maximum: int, intact: IntactCheck
) -> list[CatalogEntry]:
    """Return the oldest logs whose removal leaves at most ``maximum`` bytes in total.

    If that is not enough, return all removable logs.
    """
    entries = list(entries)
    size, going = sum(entry.size for entry in entries), []
    for entry in _may_go(entries):
        if size <= maximum:
            break
        if intact(entry):
            going.append(entry)
            size -= entry.size
    return going


def log_damage(path: Path) -> str | None:
    """Read all lines of a log; return the damage and its place, or ``None`` if it is intact.

    The rules of the game are not checked, because those of an older program may differ.
    """
    try:
        log = read_log(path)
        check_chain(log)
        for _ in log.steps():
            pass
    except LogMismatch as error:
        return str(error)
    except BadFile as error:
        return error.reason if error.line is None else f"line {error.line}: {error.reason}"
    return None


def _may_go(entries: Iterable[CatalogEntry]) -> list[CatalogEntry]:
    may = (entry for entry in entries if entry.finished and not entry.fault and not entry.torn)
    return sorted(may, key=lambda entry: (entry.started, entry.path.name))


def remove_log(entry: CatalogEntry, ledger: Ledger | None, cache: Cache) -> str | None:
    """Remove a log and its cached data; if that is not possible, return the reason.

    The log is locked, and then checked again for an open session. Raises
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
        return "it no longer exists"
    except OSError as error:
        return f"it cannot be removed: {error.strerror}"
    cache.forget(entry.path)
    return None
