"""The modules of this game that load numpy, each imported at its first use."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....gamekit.lazy import LazyModule

if TYPE_CHECKING:
    from . import dealt_out, moments, shoe_dealer, shoe_odds, simulation, split_odds
else:
    dealt_out = LazyModule(".dealt_out", __package__)
    moments = LazyModule(".moments", __package__)
    shoe_dealer = LazyModule(".shoe_dealer", __package__)
    shoe_odds = LazyModule(".shoe_odds", __package__)
    simulation = LazyModule(".simulation", __package__)
    split_odds = LazyModule(".split_odds", __package__)

__all__ = ["dealt_out", "moments", "shoe_dealer", "shoe_odds", "simulation", "split_odds"]
