"""How often good players discard each pair of ranks, as dealer and as pone.

The shipped figures come from this program's own adviser. It chose discards in many deals: first
against an opponent who discards at random, then in two more passes against an opponent who discards
as the adviser did in the previous pass. This command creates the file again:

    python -m tui_casino.games.cribbage.brains.discard_frequencies >
    tui_casino/games/cribbage/data/discards.json
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from functools import cache, lru_cache
from pathlib import Path
from random import Random

from msgspec import Struct

from ....cards.card import PACK, RANKS, Card
from ..machine.rules import ACC, DEALT, RuleSet
from .discard_counts import EVERY_PAIR, Weights
from .discards import weigh

DEALS = 200_000
PASSES = 3
SEED = 121

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


def learn_frequencies(deals: int, passes: int, seed: int, rules: RuleSet) -> DiscardFrequencies:
    """Let the adviser discard from ``deals`` random deals per pass, as dealer and as pone."""
    random = Random(seed)
    weights = {True: EVERY_PAIR, False: EVERY_PAIR}
    for _ in range(passes):
        hands = [random.sample(PACK, DEALT) for _ in range(deals)]
        counts = {
            dealer: _count_discards(hands, dealer, rules, weights[dealer]) for dealer in weights
        }
        frequencies = DiscardFrequencies(counts[True], counts[False])
        weights = {dealer: frequencies.weights_against(dealer) for dealer in weights}
    return frequencies


def _count_discards(
    hands: Sequence[Sequence[Card]], dealer: bool, rules: RuleSet, weights: Weights
) -> Counts:
    counts = [[0] * rank for rank in RANKS]
    for hand in hands:
        low, high = sorted(card.rank for card in weigh(hand, dealer, rules, weights)[0].discard)
        counts[high - 1][low - 1] += 1
    return tuple(map(tuple, counts))


def as_json(frequencies: DiscardFrequencies) -> str:
    """Return the figures in the format of the shipped file, one rank per line."""
    tables = (("dealer", frequencies.dealer), ("pone", frequencies.pone))
    lines = [(role, ",\n    ".join(str(list(row)) for row in counts)) for role, counts in tables]
    return "{\n" + ",\n".join(f'  "{role}": [\n    {rows}\n  ]' for role, rows in lines) + "\n}\n"


if __name__ == "__main__":
    sys.stdout.write(as_json(learn_frequencies(DEALS, PASSES, SEED, ACC)))
