"""Lazily imported modules for the menu's windows and the tables.

The menu is painted without windows and tables, and a table that opens directly needs no menu.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..gamekit.lazy_import import LazyModule

if TYPE_CHECKING:
    from . import modals, watch_page
    from .table import face, live, table_choice
else:
    face = LazyModule(".table.face", __package__)
    live = LazyModule(".table.live", __package__)
    modals = LazyModule(".modals", __package__)
    table_choice = LazyModule(".table.table_choice", __package__)
    watch_page = LazyModule(".watch_page", __package__)

__all__ = ["face", "live", "modals", "table_choice", "watch_page"]
