"""How often good players discard each pair of ranks, as dealer and as pone.

The shipped figures come from this program's own adviser. It chose discards in many deals: first
against an opponent who discards at random, then in two more passes against an opponent who discards
as the adviser did in the previous pass. `tests/build_data/cribbage/discard_frequencies.py` creates
the file.
"""

from __future__ import annotations

import json
from functools import cache, lru_cache
from pathlib import Path

from msgspec import Struct

from ....cards.card import RANKS
from .discard_counts import Weights

Counts = tuple[tuple[int, ...], ...]
"""How often each pair of ranks was discarded; each row ends with the pair of two equal ranks."""


class DiscardFrequencies(Struct, frozen=True):
    """How often players discarded each pair of ranks, as ``dealer`` and as ``pone``."""

    dealer: Counts
    pone: Counts

    def weights_against(self, dealer: bool) -> Weights:
        """Return the weights of the opponent's discards, as seen by the dealer or by the pone."""
        return _weights(self.pone if dealer else self.dealer)


@lru_cache(maxsize=8)  # two are shipped
def _weights(counts: Counts) -> Weights:
    """Return each count per pair of cards (16 pairs of two ranks, 6 of one rank), times 48."""
    each = {
        (high, low): count * (8 if high == low else 3)
        for high, row in enumerate(counts)
        for low, count in enumerate(row)
    }
    every = range(len(RANKS))
    return tuple(tuple(each[max(a, b), min(a, b)] for b in every) for a in every)


@cache
def shipped_frequencies() -> DiscardFrequencies:
    """Read the shipped discard frequencies."""
    text = (Path(__file__).parents[1] / "data" / "discards.json").read_text(encoding="utf-8")
    data = json.loads(text)
    return DiscardFrequencies(*(tuple(map(tuple, data[role])) for role in ("dealer", "pone")))
