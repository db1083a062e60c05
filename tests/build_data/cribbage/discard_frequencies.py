"""Learn how often good players discard each pair of ranks, from this program's own adviser.

It chooses discards in many deals: first against an opponent who discards at random, then in two
more passes against an opponent who discards as the adviser did in the previous pass. This command
creates the file again:

    python -m tests.build_data.cribbage.discard_frequencies >
    tui_casino/games/cribbage/data/discards.json
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from random import Random

from tui_casino.cards.card import PACK, RANKS, Card
from tui_casino.games.cribbage.brains.discards import (
    EVERY_PAIR,
    Counts,
    DiscardFrequencies,
    Weights,
    weigh,
)
from tui_casino.games.cribbage.machine.rules import ACC, DEALT, RuleSet

DEALS = 200_000
PASSES = 3
SEED = 121


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
