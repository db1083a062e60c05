"""The time in the records: milliseconds since 1970."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, date, datetime

Clock = Callable[[], int]
"""Returns the time in milliseconds since 1970."""
LAST_MOMENT = 253_402_300_800_000  # the year 10,000
MINUTE = 60_000
"""One minute in milliseconds."""
AWAY = 5 * MINUTE
"""The longest gap between two actions, in milliseconds, that counts as play."""


def now() -> int:
    """Return the time in milliseconds since 1970, limited to valid times if the clock is wrong."""
    return min(max(time.time_ns() // 1_000_000, 0), LAST_MOMENT - 1)


def format_utc(at: int) -> str:
    """Return a time in milliseconds since 1970 as readable text.

    >>> format_utc(1_767_225_600_000)
    '2026-01-01 00:00 UTC'
    """
    return f"{datetime.fromtimestamp(at / 1000, UTC):%Y-%m-%d %H:%M} UTC"


def time_played(last: int, now: int) -> int:
    """Return how much of the time between two actions counts as play, in milliseconds.

    A longer gap than :data:`AWAY` means that the player was away: a log does not record when its
    table began to wait. If the clock was set back, nothing counts.
    """
    return min(max(0, now - last), AWAY)


def local_date(at: int) -> date:
    """Return the local date of a time in milliseconds since 1970."""
    return local_time(at).date()


WEEKDAYS = 7
"""The number of days for which a date is shown as a weekday."""


def local_time(at: int) -> datetime:
    """Convert milliseconds since 1970 into the local time of the machine."""
    return datetime.fromtimestamp(at / 1000, UTC).astimezone()


def format_time(at: int, now: int) -> str:
    """Format a time as hour and minute if it is today, otherwise as a date.

    Both arguments are in milliseconds since 1970.
    """
    moment, today = local_time(at), local_time(now)
    if moment.date() == today.date():
        return f"{moment:%H:%M}"
    if 0 < (today.date() - moment.date()).days < WEEKDAYS:
        return f"{moment:%a}"
    return f"{moment.day} {moment:%b}" + (f" {moment.year}" if moment.year != today.year else "")
