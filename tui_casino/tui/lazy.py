"""Lazily imported modules for the menu's windows and the tables.

The menu is painted without windows and tables, and a table that opens directly needs no menu.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..gamekit.lazy_import import LazyModule

if TYPE_CHECKING:
    from . import modals
    from .table import face, hot_seat_screen, live, statistics_screen, table_choice
else:
    face = LazyModule(".table.face", __package__)
    hot_seat_screen = LazyModule(".table.hot_seat_screen", __package__)
    live = LazyModule(".table.live", __package__)
    modals = LazyModule(".modals", __package__)
    statistics_screen = LazyModule(".table.statistics_screen", __package__)
    table_choice = LazyModule(".table.table_choice", __package__)

__all__ = ["face", "hot_seat_screen", "live", "modals", "statistics_screen", "table_choice"]
