"""Measure the exact odds and the simulation of baccarat.

    python tests/bench/bench_baccarat.py [--short]

Print Markdown tables. The exact odds of a shoe are also computed in two plain ways, which must
agree exactly: with NumPy from all 10**6 sequences of six values and their known outcomes, and in
plain Python through the rules, card by card. Results are medians of nine runs, except for the
last way, which runs once. The table of outcomes is made at its first use and timed separately.

The simulation plays from 8 decks. A plain loop over the rules does the same, and both must come
near the exact odds. Rates in bulk do not include the start: the time of 1 million coups is
subtracted from that of a longer run. A result is the median of three turns.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import partial
from math import perm, sqrt
from random import Random
from statistics import median
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tests.bench.measure import chosen, heading, once, seconds
from tui_casino.cards.card import RANKS, Card, Suit, whole_packs
from tui_casino.engine.parallel import Workers
from tui_casino.games.baccarat.brains import odds as odds_module
from tui_casino.games.baccarat.brains.odds import (
    CARD_OF_VALUE,
    Unseen,
    full_shoe,
    odds_of,
    rank_counts,
)
from tui_casino.games.baccarat.brains.simulation import simulate
from tui_casino.games.baccarat.machine.rules import (
    BetSpot,
    Coup,
    CoupOutcome,
    Hand,
    HandSide,
    coup_of,
    next_to_receive,
    value_of,
)

DECKS = 8
START = 1_000_000
OUTCOMES = tuple(CoupOutcome)
SEQUENCES = np.indices((10,) * 6, np.uint8).reshape(6, -1)

Counts = dict[CoupOutcome, int]


class Sizes(NamedTuple):
    """The amount of work: runs, sizes of the shoes, turns, coups in bulk, coups in a loop."""

    runs: int
    shoes: tuple[int, ...]
    turns: int
    bulk: int
    one_by_one: int


FULL = Sizes(runs=9, shoes=(416, 208, 20), turns=3, bulk=101_000_000, one_by_one=20_000)
SHORT = Sizes(runs=1, shoes=(20,), turns=1, bulk=11_000_000, one_by_one=1_000)
NAMES = {
    416: "416 cards, a full shoe",
    208: "208 cards, half a shoe",
    20: "20 cards, its last cards",
}


def main(sizes: Sizes) -> None:
    """Print both tables. Raises ``AssertionError`` if any two ways disagree."""
    print(heading("numpy"))
    exact_odds(sizes)
    print()
    bulk_play(sizes)


# ---- exact odds ------------------------------------------------------------------------------


def exact_odds(sizes: Sizes) -> None:
    """Count the outcomes of the next coup from each shoe, in three ways."""
    start = once(odds_module.endings)
    ends = sequence_ends()
    print(
        "| the odds of a coup from | ours, ms | by NumPy, ms | times | plain Python, ms | times |"
    )
    print("|---|---:|---:|---:|---:|---:|")
    for size in sizes.shoes:
        unseen = rank_counts(Random(size).sample(whole_packs(DECKS), size))
        ours = seconds(partial(odds_of, unseen), sizes.runs)
        tensor = seconds(partial(by_sequences, unseen, ends), sizes.runs)
        odds = odds_of(unseen)
        known = dict(zip(OUTCOMES, (odds.player, odds.banker, odds.tie), strict=True))
        assert known == by_sequences(unseen, ends), NAMES[size]
        plain = once(partial(check_by_enumeration, unseen, known))
        print(
            f"| {NAMES[size]} | {1000 * ours:.2f} | {1000 * tensor:.1f} | {tensor / ours:.1f} "
            f"| {1000 * plain:,.0f} | {plain / ours:,.0f} |"
        )
    print(f"\nThe first time takes {1000 * start:.0f} ms more.")


def sequence_ends() -> npt.NDArray[np.uint8]:
    """Return the outcome of each sequence of six values by the rules."""
    ends = np.empty((10,) * 6, np.uint8)

    def deal(player: Hand, banker: Hand, values: tuple[int, ...]) -> None:
        side = next_to_receive(player, banker)
        if side is None:
            ends[values] = OUTCOMES.index(coup_of(player, banker).outcome)
            return
        for value, card in enumerate(CARD_OF_VALUE):
            if side is HandSide.PLAYER:
                deal(player.receive(card), banker, (*values, value))
            else:
                deal(player, banker.receive(card), (*values, value))

    deal(Hand(), Hand(), ())
    return ends.ravel()


def by_sequences(unseen: Unseen, ends: npt.NDArray[np.uint8]) -> Counts:
    """Add up the weights of all sequences of values by their outcome."""
    left = np.array(values_of(unseen))
    ways = np.ones(10**6, np.int64)
    for place, values in enumerate(SEQUENCES):
        ways *= left[values] - (SEQUENCES[:place] == values).sum(axis=0)
    return {outcome: int(ways[ends == i].sum()) for i, outcome in enumerate(OUTCOMES)}


def check_by_enumeration(unseen: Unseen, known: Counts) -> None:
    """Raise ``AssertionError`` if dealing every coup gives other counts."""
    assert by_enumeration(unseen) == known, sum(unseen)


def by_enumeration(unseen: Unseen) -> Counts:
    """Deal value by value according to the rules, and count the continuations of finished coups."""
    left = values_of(unseen)
    size = sum(left)
    counts = dict.fromkeys(OUTCOMES, 0)

    def deal(player: Hand, banker: Hand, ways: int) -> None:
        side = next_to_receive(player, banker)
        dealt = len(player) + len(banker)
        if side is None:
            outcome = coup_of(player, banker).outcome
            counts[outcome] += ways * perm(size - dealt, 6 - dealt)
            return
        for value, card in enumerate(CARD_OF_VALUE):
            if count := left[value]:
                left[value] -= 1
                if side is HandSide.PLAYER:
                    deal(player.receive(card), banker, ways * count)
                else:
                    deal(player, banker.receive(card), ways * count)
                left[value] += 1

    deal(Hand(), Hand(), 1)
    return counts


def values_of(unseen: Unseen) -> list[int]:
    """Count cards by value."""
    left = [0] * 10
    for rank, count in zip(RANKS, unseen, strict=True):
        left[value_of(Card(rank, Suit.CLUBS))] += count
    return left


# ---- coups in bulk ---------------------------------------------------------------------------


def bulk_play(sizes: Sizes) -> None:
    """Play coups in a plain loop, and on one and two cores."""
    start = once(lambda: simulate(DECKS, 1, seed=10))
    cores = os.cpu_count()
    rates = {"plain Python: sample six cards, deal by the rules": loop_rate(sizes)}
    rates |= {f"in bulk, {jobs} of {cores} cores": bulk_rate(jobs, sizes) for jobs in (1, 2)}
    base = next(iter(rates.values()))
    print("| simulation | coups per second | times the loop |")
    print("|---|---:|---:|")
    for name, rate in rates.items():
        print(f"| {name} | {rate:,.0f} | {rate / base:,.1f} |")
    print(f"\nThe start of the bulk simulation takes {start:.2f} s.")


def bulk_rate(jobs: int, sizes: Sizes) -> float:
    """Return coups per second on a number of cores."""

    def play(coups: int) -> None:
        check_share(
            simulate(DECKS, coups, seed=10, workers=Workers(jobs)).counts[BetSpot.BANKER], coups
        )

    turns = [
        (once(lambda: play(sizes.bulk)), once(lambda: play(START))) for _ in range(sizes.turns)
    ]
    return (sizes.bulk - START) / median(whole - start for whole, start in turns)


def loop_rate(sizes: Sizes) -> float:
    """Return coups per second of a loop over the rules."""
    random = Random(10)
    shoe = whole_packs(DECKS)
    ended: list[CoupOutcome] = []

    def coups() -> None:
        deals = (iter(random.sample(shoe, 6)) for _ in range(sizes.one_by_one))
        ended.extend(coup_from(cards).outcome for cards in deals)

    taken = seconds(coups, sizes.turns)
    check_share(ended.count(CoupOutcome.BANKER), len(ended))
    return sizes.one_by_one / taken


def coup_from(cards: Iterator[Card]) -> Coup:
    """Deal a coup by the rules."""
    player, banker = Hand(), Hand()
    while side := next_to_receive(player, banker):
        if side is HandSide.PLAYER:
            player = player.receive(next(cards))
        else:
            banker = banker.receive(next(cards))
    return coup_of(player, banker)


def check_share(won: int, coups: int) -> None:
    """Raise ``AssertionError`` if the banker's share is more than five standard errors off."""
    chance = float(odds_of(full_shoe(DECKS)).chance(BetSpot.BANKER))
    assert abs(won / coups - chance) < 5 * sqrt(chance * (1 - chance) / coups), won


if __name__ == "__main__":
    main(chosen(__doc__, FULL, SHORT))
