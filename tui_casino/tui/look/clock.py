"""Moments as the player's own clock has them."""

from __future__ import annotations

from datetime import UTC, datetime


def here(at: int) -> datetime:
    """Give a moment in milliseconds since 1970 by the time of the place where the program runs."""
    return datetime.fromtimestamp(at / 1000, UTC).astimezone()
