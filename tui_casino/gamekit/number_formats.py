"""Numbers as text, for the screen and the console."""

from __future__ import annotations

from fractions import Fraction


def percent(part: float | Fraction, digits: int = 2, *, of: float = 1) -> str:
    """Write a part of a whole as a percentage with so many decimals: ``12.50 %``."""
    return f"{100 * float(part) / of:.{digits}f} %"
