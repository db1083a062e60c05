"""Numbers as text, for the screen and the console."""

from __future__ import annotations

from fractions import Fraction


def percent(part: float | Fraction, digits: int = 2, *, of: float = 1) -> str:
    """Format a part of a whole as a percentage with ``digits`` decimals, like ``12.50%``."""
    return f"{100 * float(part) / of:.{digits}f}%"


def share_text(part: int, whole: int) -> str:
    """Format a share as a percentage, or as ``-`` if the whole is 0."""
    return percent(part, of=whole) if whole else "-"


def rough_percent(part: float | Fraction) -> str:
    """Format a probability with about two significant digits, like ``17%``, ``4.3%``, ``0.21%``.

    Only 0 and 1 become ``0%`` and ``100%``: a value close to them keeps enough decimals.
    """
    value = 100 * float(part)
    if part in (0, 1):
        return f"{value:.0f}%"
    rare = min(value, 100 - value)
    digits = 0 if rare >= 9.5 else 1 if rare >= 0.95 else 2
    return "under 0.01%" if value < 0.005 else f"{min(value, 99.99):.{digits}f}%"


def whole_percent(chance: float) -> str:
    """Format a chance in whole percent; only certain outcomes are ``0%`` or ``100%``."""
    if 0 < chance < 0.005:
        return "under 1%"
    if 0.995 <= chance < 1:
        return "over 99%"
    return f"{100 * chance:.0f}%"
