"""Lazily imported windows of a table, without which it is painted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...gamekit.lazy_import import LazyModule

if TYPE_CHECKING:
    from .. import modals
    from . import hot_seat_screen, statistics_screen
else:
    hot_seat_screen = LazyModule(".hot_seat_screen", __package__)
    modals = LazyModule("..modals", __package__)
    statistics_screen = LazyModule(".statistics_screen", __package__)

__all__ = ["hot_seat_screen", "modals", "statistics_screen"]
