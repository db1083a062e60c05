"""The modules of this game that load numpy; each is imported at its first use."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....gamekit.lazy_import import LazyModule

if TYPE_CHECKING:
    from . import bankroll, odds, simulation
else:
    bankroll = LazyModule(".bankroll", __package__)
    odds = LazyModule(".odds", __package__)
    simulation = LazyModule(".simulation", __package__)

__all__ = ["bankroll", "odds", "simulation"]
