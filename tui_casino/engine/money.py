"""The money of a seat, and amounts of money as text."""

from __future__ import annotations

from msgspec import Struct


class Money(Struct, frozen=True):
    """A seat's money in the game's units: ``free`` money, and money ``staked`` in this round."""

    free: int
    staked: int = 0


def dollars(cents: int) -> str:
    """Format cents as dollars, like ``1,000.00``."""
    return f"{'-' if cents < 0 else ''}{abs(cents) // 100:,}.{abs(cents) % 100:02}"
