"""The modules of this game that load numpy, each imported at its first use.

The coach is not in this list, because it imports players that use the list.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....gamekit.lazy import LazyModule

if TYPE_CHECKING:
    from . import adviser, odds
    from .equilibrium import characters, lookup
else:
    adviser = LazyModule(".adviser", __package__)
    characters = LazyModule(".equilibrium.characters", __package__)
    lookup = LazyModule(".equilibrium.lookup", __package__)
    odds = LazyModule(".odds", __package__)

__all__ = ["adviser", "characters", "lookup", "odds"]
