"""Modules that load numpy or that only advice needs; each is imported at its first use."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....gamekit.lazy_import import LazyModule

if TYPE_CHECKING:
    from . import (
        adviser,
        discard_frequencies,
        discard_tables,
        discards,
        mistake_kinds,
        pegging,
        play_policy,
        win_chance_choices,
    )
else:
    adviser = LazyModule(".adviser", __package__)
    discards = LazyModule(".discards", __package__)
    discard_tables = LazyModule(".discard_tables", __package__)
    discard_frequencies = LazyModule(".discard_frequencies", __package__)
    mistake_kinds = LazyModule(".mistake_kinds", __package__)
    pegging = LazyModule(".pegging", __package__)
    play_policy = LazyModule(".play_policy", __package__)
    win_chance_choices = LazyModule(".win_chance_choices", __package__)

__all__ = [
    "adviser",
    "discard_frequencies",
    "discard_tables",
    "discards",
    "mistake_kinds",
    "pegging",
    "play_policy",
    "win_chance_choices",
]
