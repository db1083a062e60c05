"""Measure the simulation of video poker, in bulk and round by round in plain Python.

    python tests/bench/bench_simulation.py [--short]

Print a Markdown table. All ways play Double Bonus 10/7 with 5 coins by the 34-line strategy and
must come near its exact return. We know of no package on PyPI or npm that simulates video poker
in bulk. So the comparison is with two loops: one over the rules, and one with prepared holds and
with phevaluator as evaluator.

Rates in bulk do not include the start, which is printed separately: the time of 1 million rounds
is subtracted from that of a longer run. A result is the median of three turns.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from importlib import import_module
from math import sqrt
from random import Random
from statistics import median
from typing import NamedTuple

from tests.bench.measure import chosen, heading, once, seconds
from tui_casino.cards.card import PACK, Card
from tui_casino.cards.hand_indexing import all_deals as every_deal
from tui_casino.cards.poker import STRENGTHS, example_hand
from tui_casino.engine.parallel import Workers
from tui_casino.games.video_poker.brains.odds import hold_masks, odds_of
from tui_casino.games.video_poker.brains.simulation import simulate
from tui_casino.games.video_poker.brains.strategy import advise
from tui_casino.games.video_poker.machine.paytables import load
from tui_casino.games.video_poker.machine.rules import row_of

TABLE = load("double-bonus-10-7")
COINS = 5
START = 1_000_000


class Sizes(NamedTuple):
    """The amount of work: turns, rounds in bulk, rounds in a loop."""

    turns: int
    bulk: int
    one_by_one: int


FULL = Sizes(turns=3, bulk=61_000_000, one_by_one=20_000)
SHORT = Sizes(turns=1, bulk=6_000_000, one_by_one=1_000)


def main(sizes: Sizes) -> None:
    """Print the table. Raises ``AssertionError`` if a return is not near the exact one."""
    print(heading("numpy"))
    start = once(lambda: simulate(TABLE, COINS, 0))  # now, before anything is prepared
    loops = {"plain Python: sample, `advise`, draw, `row_of`": rate_of(plain_loop, sizes)}
    try:
        loops["plain Python: sample, look up, draw, phevaluator"] = rate_of(prepared_loop(), sizes)
    except ImportError as missing:
        print(f"{missing.name} is not installed and is left out.\n")
    bulk = {f"in bulk, {jobs} of {os.cpu_count()} cores": bulk_rate(jobs, sizes) for jobs in (1, 2)}

    base = next(iter(loops.values()))
    print("| simulation | rounds per second | times the loop |")
    print("|---|---:|---:|")
    for name, rate in (loops | bulk).items():
        print(f"| {name} | {rate:,.0f} | {rate / base:,.1f} |")
    print(f"\nThe start of the bulk simulation takes {start:.2f} s.")


def bulk_rate(jobs: int, sizes: Sizes) -> float:
    """Return rounds per second on a number of cores."""

    def play(rounds: int) -> None:
        played = simulate(TABLE, COINS, rounds, seed=10, workers=Workers(jobs))
        pays = {row.name: row.pays[COINS - 1] for row in TABLE.rows}
        won = sum(count * pays.get(row, 0) for row, count in played.counts.items())
        check_return(won, rounds)

    turns = [
        (once(lambda: play(sizes.bulk)), once(lambda: play(START))) for _ in range(sizes.turns)
    ]
    return (sizes.bulk - START) / median(whole - start for whole, start in turns)


def rate_of(play: Callable[[Random], int], sizes: Sizes) -> float:
    """Return rounds per second of a function that plays one round and returns its pay."""
    random = Random(10)
    paid: list[int] = []

    def rounds() -> None:
        paid.extend(play(random) for _ in range(sizes.one_by_one))

    taken = seconds(rounds, sizes.turns)
    check_return(sum(paid), len(paid))
    return sizes.one_by_one / taken


def plain_loop(random: Random) -> int:
    """Play a round with the functions of the game."""
    cards = iter(random.sample(PACK, 10))
    hand = [next(cards) for _ in range(5)]
    held = advise(hand).positions
    row = row_of(TABLE, list(replace_cards(hand, held, cards)), COINS)
    return row.pays[COINS - 1] if row else 0


def replace_cards(hand: list[Card], held: tuple[int, ...], cards: Iterator[Card]) -> Iterator[Card]:
    """Replace the cards that are not held."""
    for position, card in enumerate(hand, 1):
        yield card if position in held else next(cards)


def prepared_loop() -> Callable[[Random], int]:
    """Play rounds with prepared holds and pays. Raises ``ImportError`` without phevaluator."""
    rate = import_module("phevaluator").evaluate_cards
    identity = [4 * ((card.rank - 2) % 13) + card.suit - 1 for card in PACK]
    rows = [row_of(TABLE, example_hand(strength), COINS) for strength in reversed(STRENGTHS)]
    pays = [0, *(row.pays[COINS - 1] if row else 0 for row in rows)]
    masks = hold_masks(TABLE, COINS, "list").tolist()
    holds = dict(zip(map(bytes, every_deal()), masks, strict=True))

    def play(random: Random) -> int:
        cards = random.sample(range(52), 10)
        hand = sorted(cards[:5])
        mask = holds[bytes(hand)]
        for place in range(5):
            if not mask >> place & 1:
                hand[place] = cards.pop()
        rated: int = rate(*[identity[card] for card in hand])
        return pays[rated]

    return play


def check_return(won: int, rounds: int) -> None:
    """Raise ``AssertionError`` if a return is more than five standard errors off."""
    exact = odds_of(TABLE, COINS).report("list")
    error = sqrt(exact.variance / rounds)
    assert abs(won / (COINS * rounds) - exact.expected_return) < 5 * error, won


if __name__ == "__main__":
    main(chosen(__doc__, FULL, SHORT))
