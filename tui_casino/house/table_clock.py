"""Texts of the time that a choice at a table may still take."""

from __future__ import annotations

from ..inputs.numbers import count_noun

SECONDS_BELOW = 120
"""Less time than this is shown in seconds."""


def seconds_until(end: int, now: int) -> int:
    """Return the whole seconds between two times in milliseconds; 0 if the end is over."""
    return max(0, end - now) // 1000


def clock_text(seconds: int) -> str:
    """Return a time in short: ``23 h 40 min``, ``59 min`` or ``45 s``."""
    if seconds < SECONDS_BELOW:
        return f"{seconds} s"
    hours, minutes = divmod(seconds // 60, 60)
    return " ".join([f"{hours} h"] * bool(hours) + [f"{minutes} min"] * bool(minutes))


def clock_words(seconds: int) -> str:
    """Return a time in words: ``23 hours and 40 minutes``, ``59 minutes`` or ``45 seconds``."""
    if seconds < SECONDS_BELOW:
        return count_noun(seconds, "second")
    hours, minutes = divmod(seconds // 60, 60)
    texts = [count_noun(hours, "hour")] * bool(hours)
    return " and ".join(texts + [count_noun(minutes, "minute")] * bool(minutes))
