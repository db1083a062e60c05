"""The sentences that players can say at a table with others; nothing else reaches them."""

from __future__ import annotations

PHRASES = (
    "hello",
    "nice hand",
    "well played",
    "good luck",
    "thank you",
    "one moment, please",
    "take your time",
    "good night",
)
"""The phrases, which are sent by their numbers from 1."""


def phrase_text(number: int) -> str | None:
    """Return the phrase with a number, or ``None`` if there is none.

    >>> phrase_text(2)
    'nice hand'
    """
    return PHRASES[number - 1] if 0 < number <= len(PHRASES) else None
