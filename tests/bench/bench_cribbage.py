"""How fast cribbage is scored, discards are weighed and the play is sampled; in one run.

    python tests/bench/bench_cribbage.py

Prints Markdown. Everyone scores the same random hands and must agree with us about every one; what
is timed is in the form each likes best, made outside the timed loop. A discard is also weighed by
dealing out all 46 starters and 45,540 cribs, in bulk and, from a sample, one by one. Figures are
medians of nine rounds, in which all take their turns; single ones are said to be.
"""

from __future__ import annotations

import platform
from collections.abc import Callable, Sequence
from importlib import import_module
from itertools import combinations
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter
from typing import NamedTuple

import numpy as np

from tui_casino.cards.card import PACK, Hand, hand
from tui_casino.games.cribbage.brains import discards, points
from tui_casino.games.cribbage.brains.discards import weigh
from tui_casino.games.cribbage.brains.habits import good_players
from tui_casino.games.cribbage.brains.odds import odds_of
from tui_casino.games.cribbage.brains.pegging import SAMPLES, Position, advise
from tui_casino.games.cribbage.brains.points import LOOKS, points_of_hands, table
from tui_casino.games.cribbage.machine.rules import ACC, points_of, show_scores

ROUNDS = 9
HANDS = [tuple(Random(number).sample(PACK, 5)) for number in range(5_000)]
SIXES = [tuple(Random(number).sample(PACK, 6)) for number in range(500)]
BULK = 1 << 20
CRIBS = 2_000
LEAD = Position(hand("7C QC QD KH"), (), None, 4, hand("2C 2H 7C QC QD KH 8H"))


class Job(NamedTuple):
    """Something done so many times a run."""

    name: str
    times: int
    run: Callable[[], object]


def main() -> None:
    """Print the tables. Raises ``AssertionError`` if anyone finds something else."""
    print(f"{cpu()}; Python {platform.python_version()}, NumPy {np.__version__}\n")
    cold_start()
    scoring()
    print()
    weighing()
    print()
    pegging()


def cold_start() -> None:
    points._table.cache_clear()
    start = perf_counter()
    for look in LOOKS:
        for crib in (False, True):
            table(ACC, look, crib)
    tables = perf_counter() - start
    start = perf_counter()
    discards._tables(ACC)
    ready = perf_counter() - start
    start = perf_counter()
    odds_of(ACC)
    odds = perf_counter() - start
    print("| from nothing, once | seconds |")
    print("|---|---:|")
    print(f"| the points of a rule set, tabled | {tables:.2f} |")
    print(f"| laid out for the discard adviser | {ready:.3f} |")
    print(f"| odds of 12,994,800 hands and as many cribs | {odds:.2f} |\n")


# ---- scoring -----------------------------------------------------------------------------------


def scoring() -> None:
    other = import_module("cribbage_scorer.cribbage_scorer").show_calc_score
    texts = [[(int(card.rank), card.suit.letter) for card in cards] for cards in HANDS]
    split = [(text[4], text[:4]) for text in texts]
    ours = [points_of(show_scores(cards[:4], cards[4], ACC)) for cards in HANDS]
    assert [other(starter, kept)[0] for starter, kept in split] == ours
    few = np.array([[card.index for card in cards] for cards in HANDS], np.uint8).T.copy()
    assert points_of_hands(few, ACC).tolist() == ours
    many = np.tile(few, (1, -(-BULK // len(HANDS))))[:, :BULK].copy()
    report(
        "hands with starter",
        [
            Job("ours, every combination told", len(HANDS), lambda: one_by_one(HANDS)),
            Job("cribbage-scorer", len(HANDS), lambda: [other(*each) for each in split]),
            Job("points_of_hands, 5,000", len(HANDS), lambda: points_of_hands(few, ACC)),
            Job("points_of_hands, 1,048,576", BULK, lambda: points_of_hands(many, ACC)),
        ],
    )


def one_by_one(hands: Sequence[Hand]) -> None:
    for cards in hands:
        points_of(show_scores(cards[:4], cards[4], ACC))


# ---- the advisers -------------------------------------------------------------------------------


def weighing() -> None:
    weights = good_players().against(dealer=True)
    six = SIXES[0]
    exact = {one.discard: (one.hand[0], one.crib[0]) for one in weigh(six, True, ACC)}
    assert dealt_out(six) == exact
    report(
        "decisions of fifteen discards",
        [
            Job("ours, all pairs alike", len(SIXES), lambda: [weigh(x, True, ACC) for x in SIXES]),
            Job(
                "ours, as good players throw",
                len(SIXES),
                lambda: [weigh(x, True, ACC, weights) for x in SIXES],
            ),
            Job("every case dealt out in bulk", 1, lambda: dealt_out(six)),
        ],
    )
    plain = sampled_one_by_one(six)
    print(f"\nOne by one, from {CRIBS:,} of its 683,100 cribs, a decision takes {plain:,.0f} s.")


def dealt_out(six: Hand) -> dict[Hand, tuple[int, int]]:
    unseen = np.array([card.index for card in PACK if card not in six])
    a, b, starter = (way.ravel() for way in np.meshgrid(unseen, unseen, unseen))
    able = (a < b) & (starter != a) & (starter != b)
    a, b, starter = a[able], b[able], starter[able]
    found: dict[Hand, tuple[int, int]] = {}
    for thrown in combinations(six, 2):
        kept = [np.full(len(unseen), card.index) for card in six if card not in thrown]
        gone = [np.full(len(a), card.index) for card in thrown]
        hands = points_of_hands(np.array([*kept, unseen]), ACC).sum(dtype=np.int64)
        cribs = points_of_hands(np.array([*gone, a, b, starter]), ACC, crib=True)
        found[thrown] = int(hands), int(cribs.sum(dtype=np.int64))
    return found


def sampled_one_by_one(six: Hand) -> float:
    """Give the seconds that all cribs of a decision take, by those of a sample."""
    random, left = Random("cribs"), [card for card in PACK if card not in six]
    cribs = [random.sample(left, 3) for _ in range(CRIBS)]
    start = perf_counter()
    for a, b, starter in cribs:
        points_of(show_scores((six[0], six[1], a, b), starter, ACC, crib=True))
    return (perf_counter() - start) / CRIBS * 15 * 45_540


def pegging() -> None:
    advise(LEAD, ACC)  # the play's answers are remembered
    times = []
    for seed in range(ROUNDS):
        start = perf_counter()
        advise(LEAD, ACC, seed=seed)
        times.append(perf_counter() - start)
    told = advise(LEAD, ACC)
    error = max(one.error for one in told)
    print(
        f"The lead from four cards, {SAMPLES} samples: {median(times) * 1e3:.0f} ms, "
        f"with errors up to {error:.2f} points."
    )


# ---- time --------------------------------------------------------------------------------------


def report(what: str, jobs: Sequence[Job]) -> None:
    """Run the jobs in turns and print a row for each, beside the first of them."""
    times: list[list[float]] = [[] for _ in jobs]
    for _ in range(ROUNDS):
        for job, taken in zip(jobs, times, strict=True):
            start = perf_counter()
            job.run()
            taken.append(perf_counter() - start)
    rates = [job.times / median(taken) for job, taken in zip(jobs, times, strict=True)]
    print(f"| {what} | a second | microseconds each | times the first |")
    print("|---|---:|---:|---:|")
    for job, rate in zip(jobs, rates, strict=True):
        print(f"| {job.name} | {rate:,.0f} | {1e6 / rate:,.3g} | {rate / rates[0]:,.3g} |")


def cpu() -> str:
    """Name the processor."""
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.machine()


if __name__ == "__main__":
    main()
