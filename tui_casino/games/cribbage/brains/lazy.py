"""The modules of this game that only advice needs; each is imported at its first use."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....gamekit.lazy_import import LazyModule

if TYPE_CHECKING:
    from . import adviser, discards, luck, mistake_kinds, pegging, reasons, win_chances
else:
    adviser = LazyModule(".adviser", __package__)
    discards = LazyModule(".discards", __package__)
    luck = LazyModule(".luck", __package__)
    mistake_kinds = LazyModule(".mistake_kinds", __package__)
    pegging = LazyModule(".pegging", __package__)
    reasons = LazyModule(".reasons", __package__)
    win_chances = LazyModule(".win_chances", __package__)

__all__ = ["adviser", "discards", "luck", "mistake_kinds", "pegging", "reasons", "win_chances"]
