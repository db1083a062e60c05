"""Numbers as text, for the screen and the console."""

from __future__ import annotations

from fractions import Fraction


def percent(part: float | Fraction, digits: int = 2, *, of: float = 1) -> str:
    """Format a part of a whole as a percentage with ``digits`` decimals, like ``12.50%``."""
    return f"{100 * float(part) / of:.{digits}f}%"
