"""The modules of this game that only advice needs; each is imported at its first use."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....gamekit.lazy_import import LazyModule

if TYPE_CHECKING:
    from . import (
        adviser,
        discard_counts,
        discard_frequencies,
        discards,
        luck,
        mistake_kinds,
        reasons,
    )
else:
    adviser = LazyModule(".adviser", __package__)
    discard_counts = LazyModule(".discard_counts", __package__)
    discards = LazyModule(".discards", __package__)
    discard_frequencies = LazyModule(".discard_frequencies", __package__)
    luck = LazyModule(".luck", __package__)
    mistake_kinds = LazyModule(".mistake_kinds", __package__)
    reasons = LazyModule(".reasons", __package__)

__all__ = [
    "adviser",
    "discard_counts",
    "discard_frequencies",
    "discards",
    "luck",
    "mistake_kinds",
    "reasons",
]
