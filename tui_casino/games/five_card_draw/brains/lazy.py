"""The modules of this game that load numpy; each is imported at its first use.

The limit adviser is not in this list, because it imports players that use the list.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....gamekit.lazy_import import LazyModule

if TYPE_CHECKING:
    from . import adviser, odds
    from .equilibrium import blueprint, player_profiles
else:
    adviser = LazyModule(".adviser", __package__)
    player_profiles = LazyModule(".equilibrium.player_profiles", __package__)
    blueprint = LazyModule(".equilibrium.blueprint", __package__)
    odds = LazyModule(".odds", __package__)

__all__ = ["adviser", "blueprint", "odds", "player_profiles"]
