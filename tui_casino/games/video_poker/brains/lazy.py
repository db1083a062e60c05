"""The modules of this game that load numpy; each is imported at its first use."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....gamekit.lazy_import import LazyModule

if TYPE_CHECKING:
    from . import bankroll_bands, odds, ruin, simulation
else:
    bankroll_bands = LazyModule(".bankroll_bands", __package__)
    odds = LazyModule(".odds", __package__)
    ruin = LazyModule(".ruin", __package__)
    simulation = LazyModule(".simulation", __package__)

__all__ = ["bankroll_bands", "odds", "ruin", "simulation"]
