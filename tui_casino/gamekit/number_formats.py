"""Numbers as text, for the screen and the console."""

from __future__ import annotations

from fractions import Fraction

from ..engine.money import dollars

MINUS = "\N{MINUS SIGN}"


def percent(part: float | Fraction, digits: int = 2, *, of: float = 1) -> str:
    """Format a part of a whole as a percentage with ``digits`` decimals, like ``12.50%``."""
    return f"{100 * float(part) / of:.{digits}f}%"


def share_text(part: int, whole: int) -> str:
    """Format a share as a percentage, or as ``-`` if the whole is 0."""
    return percent(part, of=whole) if whole else "-"


def rounded_cost(best: float | Fraction, other: float | Fraction) -> float:
    """Return what the worse of two amounts costs, so that the three rounded figures add up."""
    return round(round(float(best), 2) - round(float(other), 2), 2)


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


def with_minus_signs(figure: str) -> str:
    """Replace the hyphens in a figure with minus signs."""
    return figure.replace("-", MINUS)


def with_sign(amount: float, figure: str) -> str:
    """Put the sign of an amount before an unsigned figure; 0 has no sign."""
    return f"{'+' if amount > 0 else MINUS if amount < 0 else ''}{figure}"


def signed_money(cents: int) -> str:
    """Format cents with their sign: ``+12.00``."""
    return with_sign(cents, dollars(abs(cents)))


def signed_count(amount: int) -> str:
    """Format a number (of credits, for example) with its sign: ``+1,200``."""
    return with_sign(amount, f"{abs(amount):,}")
