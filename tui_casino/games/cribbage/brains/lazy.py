"""The modules of this game that load numpy, each imported at its first use."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....gamekit.lazy import LazyModule

if TYPE_CHECKING:
    from . import adviser, discards, habits, kinds, pegging
else:
    adviser = LazyModule(".adviser", __package__)
    discards = LazyModule(".discards", __package__)
    habits = LazyModule(".habits", __package__)
    kinds = LazyModule(".kinds", __package__)
    pegging = LazyModule(".pegging", __package__)

__all__ = ["adviser", "discards", "habits", "kinds", "pegging"]
