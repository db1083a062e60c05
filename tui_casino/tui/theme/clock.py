"""Moments as the player's own clock has them."""

from __future__ import annotations

from datetime import UTC, datetime

WEEKDAYS = 7
"""Days that are told by their names."""


def local_time(at: int) -> datetime:
    """Give a moment in milliseconds since 1970 by the time of the place where the program runs."""
    return datetime.fromtimestamp(at / 1000, UTC).astimezone()


def format_time(at: int, now: int) -> str:
    """Tell a moment, both in milliseconds since 1970: the hour of today, else the day."""
    then, today = local_time(at), local_time(now)
    if then.date() == today.date():
        return f"{then:%H:%M}"
    if 0 < (today.date() - then.date()).days < WEEKDAYS:
        return f"{then:%a}"
    return f"{then.day} {then:%b}" + (f" {then.year}" if then.year != today.year else "")
