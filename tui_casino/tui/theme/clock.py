"""Format times in the local time zone."""

from __future__ import annotations

from datetime import UTC, datetime

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
