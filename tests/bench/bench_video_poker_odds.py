"""Measure the exact odds of video poker, in bulk and in plain Python.

    python tests/bench/bench_video_poker_odds.py [--short]

Print Markdown tables for Double Bonus 10/7 with 5 coins. "From nothing" means that no class, sum
or row is known, but modules are imported and the evaluator has its tables. A loop in plain
Python uses the same method and must find the same return.

We know of no package on PyPI or npm that computes the holds of video poker. So a hand is also
computed with a fast evaluator, which ranks the final hand of every draw. Results are medians of
nine runs, except for the loop, which runs once.
"""

from __future__ import annotations

import resource
from collections import defaultdict
from collections.abc import Callable, Iterator
from fractions import Fraction
from importlib import import_module
from itertools import pairwise
from math import comb
from random import Random
from typing import NamedTuple

import numpy as np

from tests.bench.measure import chosen, heading, once, seconds
from tui_casino.cards import hand_indexing
from tui_casino.cards.card import PACK, Hand
from tui_casino.cards.draw_odds import DRAW_SCALE, TOTAL_WEIGHT
from tui_casino.cards.poker import (
    STRENGTHS,
    evaluator,
    example_hand,
    strength_of,
    strengths_of_indices,
)
from tui_casino.games.video_poker.brains import odds
from tui_casino.games.video_poker.brains.odds import hold_masks, odds_of
from tui_casino.games.video_poker.brains.strategy import advise
from tui_casino.games.video_poker.machine.paytables import load
from tui_casino.games.video_poker.machine.rules import row_of

TABLE = load("double-bonus-10-7")
COINS = 5
DRAWS = sum(comb(5, size) * comb(47, 5 - size) for size in range(6))


class Sizes(NamedTuple):
    """The amount of work: runs, hands, draws ranked one by one, and whether the plain loop runs."""

    runs: int
    hands: int
    sample: int
    plainly: bool


FULL = Sizes(runs=9, hands=2_000, sample=20_000, plainly=True)
SHORT = Sizes(runs=1, hands=200, sample=2_000, plainly=False)


def main(sizes: Sizes) -> None:
    """Print both tables. Raises ``AssertionError`` if the plain loop finds another return."""
    print(heading("numpy"))
    all_deals(sizes)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"\nPeak memory so far: {peak:,.0f} MiB. With the sums by class known:\n")
    one_hand(sizes)


def all_deals(sizes: Sizes) -> None:
    evaluator()
    strengths_of_indices(np.arange(5)[None])  # so that the ranker has its tables
    optimum = seconds(optimum_from_nothing, sizes.runs)
    ways = {
        "the same, with its return, variance and counts": optimum_report,
        "the same for perfect play and the 34-line list": both_reports,
        "a hold for each of 2,598,960 deals, sums known": hold_for_every_deal,
    }
    peers = {name: seconds(way, sizes.runs) for name, way in ways.items()}
    if sizes.plainly:
        peers["perfect play from nothing, in plain Python"] = once(check_plainly)
    print("| all deals | seconds | relative time |")
    print("|---|---:|---:|")
    print(f"| perfect play from nothing | {optimum:.3f} | 1 |")
    for name, time in peers.items():
        print(f"| {name} | {time:.3f} | {time / optimum:.3g} |")


def one_hand(sizes: Sizes) -> None:
    hands = [tuple(Random(number).sample(PACK, 5)) for number in range(sizes.hands)]

    def a_hand(job: Callable[[Hand], object]) -> float:
        return seconds(lambda: [job(dealt) for dealt in hands], sizes.runs) / len(hands)

    machine = odds_of(TABLE, COINS)
    values = a_hand(machine.holds)
    peers = {
        "outcomes by row, everything discarded": a_hand(lambda dealt: machine.outcomes(dealt, ())),
        "advice by the list of 34 lines": a_hand(advise),
        f"its 32 holds by {DRAWS:,} draws, from {sizes.sample:,} of them": every_draw(sizes),
    }
    print("| one hand | microseconds | relative time |")
    print("|---|---:|---:|")
    print(f"| its 32 holds, the best first | {values * 1e6:.0f} | 1 |")
    for name, time in peers.items():
        print(f"| {name} | {time * 1e6:,.0f} | {time / values:.3g} |")


def optimum_from_nothing() -> None:
    for known in (
        hand_indexing.subset_classes,
        hand_indexing.hand_classes,
        odds_of,
        odds._list_masks,
    ):
        known.cache_clear()
    odds_of(TABLE, COINS).masks("optimal")


def optimum_report() -> None:
    optimum_from_nothing()
    odds_of(TABLE, COINS).report("optimal")


def both_reports() -> None:
    optimum_report()
    odds_of(TABLE, COINS).report("list")


def hold_for_every_deal() -> None:
    hold_masks(TABLE, COINS, "optimal")


def every_draw(sizes: Sizes) -> float:
    """Return the estimated seconds for a hand by enumeration, from a sample of its draws."""
    random, draws = Random("draws"), DRAWS / sizes.sample
    finals = [random.sample(PACK, 5) for _ in range(sizes.sample)]
    try:
        rate = import_module("phevaluator").evaluate_cards
    except ImportError:
        print("phevaluator is not installed; our own evaluator stands in for it.\n")
        return seconds(lambda: [strength_of(final) for final in finals], sizes.runs) * draws
    named = [[4 * ((card.rank + 11) % 13) + card.suit - 1 for card in final] for final in finals]
    return seconds(lambda: [rate(*final) for final in named], sizes.runs) * draws


# ---- the same job in plain Python ------------------------------------------------------------


def check_plainly() -> None:
    """Raise ``AssertionError`` if the plain loop finds another return."""
    assert plain_optimum() == odds_of(TABLE, COINS).report("optimal").expected_return


def plain_optimum() -> Fraction:
    """Find the return of perfect play: sums by class, then inclusion and exclusion in each hand."""
    pays = [0]
    for strength in STRENGTHS:
        row = row_of(TABLE, example_hand(strength), COINS)
        pays.append(row.pays[COINS - 1] if row else 0)
    hands = [(dealt, deals_like(suits_of(sets(dealt)[-1]))) for dealt in every_hand()]
    sums: defaultdict[tuple[int, ...], int] = defaultdict(int)
    for dealt, deals in hands:
        paid = pays[strength_of(PACK[card] for card in dealt)] * deals
        for held in sets(dealt):
            sums[suits_of(held)] += paid
    paid_by = {suits: total // deals_like(suits) for suits, total in sums.items()}
    total = 0
    for dealt, deals in hands:
        kept = [paid_by[suits_of(held)] for held in sets(dealt)]
        for bit in range(5):
            for mask in range(32):
                if not mask >> bit & 1:
                    kept[mask] -= kept[mask | 1 << bit]
        draws = (comb(47, 5 - mask.bit_count()) for mask in range(32))
        total += deals * max(paid * (DRAW_SCALE // n) for paid, n in zip(kept, draws, strict=True))
    return Fraction(total, TOTAL_WEIGHT * COINS)


def every_hand(dealt: tuple[int, ...] = ()) -> Iterator[tuple[int, ...]]:
    """Yield one deal of each class."""
    if len(dealt) == 5:
        yield dealt
        return
    for card in range(dealt[-1] + 1 if dealt else 0, 52):
        more = (*dealt, card)
        suits = in_order(sets(more)[-1])
        if all(one >= following for one, following in pairwise(suits)):
            yield from every_hand(more)


def sets(dealt: tuple[int, ...]) -> list[int]:
    """Return the cards that each hold keeps, as a bit for each card."""
    kept = [0]
    for card in dealt:
        kept += [held | 1 << card for held in kept]
    return kept


def in_order(cards: int) -> tuple[int, ...]:
    return (cards & 8191, cards >> 13 & 8191, cards >> 26 & 8191, cards >> 39)


def suits_of(cards: int) -> tuple[int, ...]:
    return tuple(sorted(in_order(cards)))


def deals_like(suits: tuple[int, ...]) -> int:
    alike, count = 1, 24
    for one, following in pairwise(suits):
        alike = alike + 1 if one == following else 1
        count //= alike
    return count


if __name__ == "__main__":
    main(chosen(__doc__, FULL, SHORT))
