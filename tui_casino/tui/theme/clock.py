"""Format times for the player's own clock."""

from __future__ import annotations

from datetime import UTC, datetime

WEEKDAYS = 7
"""Days that are told by their names."""


def local_time(at: int) -> datetime:
    """Give a moment in milliseconds since 1970 by the time of the place where the program runs."""
    return datetime.fromtimestamp(at / 1000, UTC).astimezone()


def format_time(at: int, now: int) -> str:
    """Tell a moment, both in milliseconds since 1970: the hour of today, else the day."""
    moment, today = local_time(at), local_time(now)
    if moment.date() == today.date():
        return f"{moment:%H:%M}"
    if 0 < (today.date() - moment.date()).days < WEEKDAYS:
        return f"{moment:%a}"
    return f"{moment.day} {moment:%b}" + (f" {moment.year}" if moment.year != today.year else "")
