"""The money of a seat, and cents as text."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Money:
    """A seat's money in the game's own units: free to take away, and at stake in the round."""

    free: int
    staked: int = 0


def dollars(cents: int) -> str:
    """Print cents as ``1,000.00``."""
    return f"{'-' if cents < 0 else ''}{abs(cents) // 100:,}.{abs(cents) % 100:02}"
