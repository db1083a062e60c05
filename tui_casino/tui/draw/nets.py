"""How what was won or lost is written."""

from __future__ import annotations

MINUS = "−"


def spelled_net(amount: int, figure: str) -> str:
    """Write what was won or lost with its sign."""
    return f"{'+' if amount > 0 else MINUS if amount < 0 else ''}{figure}"
