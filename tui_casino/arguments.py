"""Arguments of the command line that are numbers: read exactly, refused clearly."""

from __future__ import annotations

from .errors import BadInput
from .lines import whole


def number(name: str, text: str, low: int | None = None, high: int | None = None) -> int:
    """Read a whole number within limits. Raises :class:`BadInput` that says what is right."""
    limits = "" if low is None or high is None else f" from {low} to {high}"
    try:
        value = whole(text)
    except ValueError:
        raise BadInput(f"{name}: {_short(text)!r} is no whole number; give one{limits}") from None
    if (low is not None and value < low) or (high is not None and value > high):
        raise BadInput(f"{name}: {_short(text)} is out of range; give a whole number{limits}")
    return value


def _short(text: str) -> str:
    return text if len(text) <= 40 else f"{text[:36]}…"
