"""The modules with NumPy that advice needs in some positions; each is imported at its first use."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....gamekit.lazy_import import LazyModule

if TYPE_CHECKING:
    from . import pegging, win_chance_choices
else:
    pegging = LazyModule(".pegging", __package__)
    win_chance_choices = LazyModule(".win_chance_choices", __package__)

__all__ = ["pegging", "win_chance_choices"]
