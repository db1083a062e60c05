"""The modules of this game that load numpy; each is imported at its first use."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....gamekit.lazy_import import LazyModule

if TYPE_CHECKING:
    from . import adviser, discard_frequencies, discards, mistake_kinds, pegging
else:
    adviser = LazyModule(".adviser", __package__)
    discards = LazyModule(".discards", __package__)
    discard_frequencies = LazyModule(".discard_frequencies", __package__)
    mistake_kinds = LazyModule(".mistake_kinds", __package__)
    pegging = LazyModule(".pegging", __package__)

__all__ = ["adviser", "discard_frequencies", "discards", "mistake_kinds", "pegging"]
