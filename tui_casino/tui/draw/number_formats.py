"""Numbers as the screen writes them: signed amounts, and the rows of a game's counts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from ...engine.money import dollars

MINUS = "−"
SUMS = ("rounds", "wagered", "won", "net")
"""Figures of a game's report that the screen already shows in money."""


def with_minus_signs(figure: str) -> str:
    """Replace the hyphens of a figure by minus signs."""
    return figure.replace("-", MINUS)


def with_negative_numbers(text: str) -> str:
    """Write the negative numbers of a text with minus signs; hyphens within words stay.

    >>> with_negative_numbers("hit  -0.47, 34-line strategy")
    'hit  −0.47, 34-line strategy'
    """
    return re.sub(r"(?<!\S)-(?=\d)", MINUS, text)


def with_sign(amount: float, figure: str) -> str:
    """Put the sign of an amount before a figure without sign; 0 has no sign."""
    return f"{'+' if amount > 0 else MINUS if amount < 0 else ''}{figure}"


def signed_money(cents: int) -> str:
    """Format cents with their sign: ``+12.00``."""
    return with_sign(cents, dollars(abs(cents)))


def signed_count(amount: int) -> str:
    """Format a number, such as of credits, with its sign: ``+1,200``."""
    return with_sign(amount, f"{abs(amount):,}")


def game_figures(report: Mapping[str, Any], group: str = "") -> Iterator[tuple[str, str]]:
    """Yield the names and values of a game's counts except :data:`SUMS`, with groups flattened."""
    for key, value in report.items():
        name = f"{group}{key.replace('_', ' ')}"
        if isinstance(value, Mapping):
            yield from game_figures(value, f"{name} ")
        elif isinstance(value, float):
            yield name, f"{value:,.4g}"
        elif isinstance(value, int) and name not in SUMS:
            yield name, f"{value:,}"
