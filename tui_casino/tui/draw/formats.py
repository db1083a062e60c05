"""Figures as text: signed amounts of money, and the rows of a game's own counts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ...engine.money import dollars

MINUS = "−"
SUMS = ("rounds", "wagered", "won", "net")
"""What a game's own figures would say again, in its units."""


def spelled_net(amount: int, figure: str) -> str:
    """Write what was won or lost with its sign."""
    return f"{'+' if amount > 0 else MINUS if amount < 0 else ''}{figure}"


def signed(cents: int) -> str:
    """Print cents with their sign: ``+12.00``."""
    return spelled_net(cents, dollars(abs(cents)))


def figures_of(report: Mapping[str, Any], group: str = "") -> Iterator[tuple[str, str]]:
    """Give what a game counts beside the sums by name, groups below each other."""
    for key, value in report.items():
        name = f"{group}{key.replace('_', ' ')}"
        if isinstance(value, Mapping):
            yield from figures_of(value, f"{name} ")
        elif isinstance(value, float):
            yield name, f"{value:,.4g}"
        elif isinstance(value, int) and name not in SUMS:
            yield name, f"{value:,}"
