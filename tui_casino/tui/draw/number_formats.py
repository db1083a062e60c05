"""Numbers as the screen writes them: signed amounts, and the rows of a game's counts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ...engine.money import dollars

MINUS = "−"
SUMS = ("rounds", "wagered", "won", "net")
"""What a game's own figures would say again, in its units."""


def with_minus_signs(figure: str) -> str:
    """Write the minus signs of a figure as the screen does."""
    return figure.replace("-", MINUS)


def with_sign(amount: float, figure: str) -> str:
    """Put the sign of an amount before its figure, which has none; 0 has no sign."""
    return f"{'+' if amount > 0 else MINUS if amount < 0 else ''}{figure}"


def signed_money(cents: int) -> str:
    """Write cents with their sign: ``+12.00``."""
    return with_sign(cents, dollars(abs(cents)))


def signed_count(amount: int) -> str:
    """Write a number, such as of credits, with its sign: ``+1,200``."""
    return with_sign(amount, f"{abs(amount):,}")


def game_figures(report: Mapping[str, Any], group: str = "") -> Iterator[tuple[str, str]]:
    """Give what a game counts beside the sums by name, groups below each other."""
    for key, value in report.items():
        name = f"{group}{key.replace('_', ' ')}"
        if isinstance(value, Mapping):
            yield from game_figures(value, f"{name} ")
        elif isinstance(value, float):
            yield name, f"{value:,.4g}"
        elif isinstance(value, int) and name not in SUMS:
            yield name, f"{value:,}"
