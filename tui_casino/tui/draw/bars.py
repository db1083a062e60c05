"""Bars of so many parts of a cell."""

from __future__ import annotations

from ..terminal.detection import Tier

_PARTS = {Tier.UNICODE: " ▏▎▍▌▋▊▉█", Tier.CP437: " ▌█", Tier.ASCII: " #"}


def bar(share: float, width: int, tier: Tier) -> str:
    """Draw a share, 0 to 1, as a bar within so many columns; what is above 0 is seen."""
    parts = _PARTS[tier]
    finest = len(parts) - 1
    length = min(width * finest, max(round(share * width * finest), int(share > 0)))
    whole, rest = divmod(length, finest)
    return (parts[-1] * whole + parts[rest] * bool(rest)).ljust(width)
