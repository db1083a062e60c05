"""Format numbers for the screen: signed amounts, and the rows of a game's counts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any

from ...engine.money import dollars

MINUS = "−"
SUMS = ("rounds", "wagered", "won", "net", "return_percent", "return")
"""Figures of a game's report that the screen already shows; within a group, they are in cents."""

SHARE = "share"
"""The last word in the names of figures that are shown as percentages."""


def with_minus_signs(figure: str) -> str:
    """Replace the hyphens in a figure with minus signs."""
    return figure.replace("-", MINUS)


def with_negative_numbers(text: str) -> str:
    """Write negative numbers in a text with minus signs; keep hyphens within words.

    >>> with_negative_numbers("hit  -0.47, 34-line strategy")
    'hit  −0.47, 34-line strategy'
    """
    return re.sub(r"(?<!\S)-(?=\d)", MINUS, text)


def with_sign(amount: float, figure: str) -> str:
    """Put the sign of an amount before an unsigned figure; 0 has no sign."""
    return f"{'+' if amount > 0 else MINUS if amount < 0 else ''}{figure}"


def signed_money(cents: int) -> str:
    """Format cents with their sign: ``+12.00``."""
    return with_sign(cents, dollars(abs(cents)))


def signed_count(amount: int) -> str:
    """Format a number (of credits, for example) with its sign: ``+1,200``."""
    return with_sign(amount, f"{abs(amount):,}")


def game_figures(
    report: Mapping[str, Any], names: Mapping[str, str] = MappingProxyType({})
) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """Yield groups of a game's counts, each with the names and values of its counts.

    The first group has no name. It contains the counts outside of groups, without :data:`SUMS`;
    ``names`` replaces names of these counts.
    """
    ungrouped = _figures({key: value for key, value in report.items() if key not in SUMS})
    yield "", [(names.get(name, name), figure) for name, figure in ungrouped]
    for group, counts in report.items():
        if isinstance(counts, Mapping) and counts:
            flat = _figures(counts)
            nested = (
                (f"{key.replace('_', ' ')} {name}", figure)
                for key, value in counts.items()
                if isinstance(value, Mapping)
                for name, figure in _figures(value)
            )
            yield group.replace("_", " "), [*flat, *nested]


def full_names(
    groups: Iterable[tuple[str, list[tuple[str, str]]]],
) -> Iterator[tuple[str, str]]:
    """Yield the counts of all groups, each with the name of its group before its own."""
    for group, rows in groups:
        yield from ((f"{group} {name}".strip(), figure) for name, figure in rows)


def _figures(counts: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for key, value in counts.items():
        name = key.replace("_", " ")
        if isinstance(value, float):
            yield name, f"{value:.2%}" if name.endswith(SHARE) else f"{value:,.4g}"
        elif isinstance(value, int):
            yield name, dollars(value) if key in SUMS else f"{value:,}"
