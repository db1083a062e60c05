"""The modules of this game that load numpy; each is imported at its first use."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....gamekit.lazy_import import LazyModule

if TYPE_CHECKING:
    from . import round_variance, sampled_ev, shoe_dealer_odds, shoe_odds, simulation, split_odds
else:
    sampled_ev = LazyModule(".sampled_ev", __package__)
    round_variance = LazyModule(".round_variance", __package__)
    shoe_dealer_odds = LazyModule(".shoe_dealer_odds", __package__)
    shoe_odds = LazyModule(".shoe_odds", __package__)
    simulation = LazyModule(".simulation", __package__)
    split_odds = LazyModule(".split_odds", __package__)

__all__ = [
    "round_variance",
    "sampled_ev",
    "shoe_dealer_odds",
    "shoe_odds",
    "simulation",
    "split_odds",
]
