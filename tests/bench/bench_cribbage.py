"""Measure scoring, discards and the sampled play of cribbage.

    python tests/bench/bench_cribbage.py [--short]

Print Markdown tables. All programs score the same random hands in their preferred form, prepared
outside the timed loop, and must agree with our result for every hand. A discard is also computed by
dealing all 46 starters and 45,540 cribs, in bulk and, for a sample, one by one. Results are
medians of nine rounds with all programs in turn, unless the table says that it was a single run.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from itertools import combinations
from random import Random
from statistics import median
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tests.bench.measure import chosen, heading, once, seconds
from tui_casino.cards.card import PACK, Hand, parse_hand
from tui_casino.games.cribbage.brains import bulk_points
from tui_casino.games.cribbage.brains.bulk_points import points_of_hands, points_table
from tui_casino.games.cribbage.brains.discards import shipped_frequencies, weigh
from tui_casino.games.cribbage.brains.odds import odds_of
from tui_casino.games.cribbage.brains.pegging import SAMPLES, PeggingPosition, weigh_cards
from tui_casino.games.cribbage.brains.show_points import CARD_CLASSES
from tui_casino.games.cribbage.machine.rules import ACC, points_of, show_scores

LEAD = PeggingPosition(parse_hand("7C QC QD KH"), (), 4, parse_hand("2C 2H 7C QC QD KH 8H"))


class Sizes(NamedTuple):
    """The amount of work: rounds, hands, hands in bulk, hands of six, single cribs."""

    rounds: int
    hands: int
    bulk: int
    sixes: int
    cribs: int


FULL = Sizes(rounds=9, hands=5_000, bulk=1 << 20, sixes=500, cribs=2_000)
SHORT = Sizes(rounds=1, hands=500, bulk=1 << 16, sixes=50, cribs=100)


class Job(NamedTuple):
    """A job that handles a given number of items per run."""

    name: str
    times: int
    run: Callable[[], object]


def main(sizes: Sizes) -> None:
    """Print the tables. Raises ``AssertionError`` if a program gives another result."""
    print(heading("numpy"))
    cold_start()
    scoring(sizes)
    print()
    weighing(sizes)
    print()
    pegging(sizes)


def cold_start() -> None:
    bulk_points._table.cache_clear()
    tables = once(
        lambda: [points_table(ACC, look, crib) for look in CARD_CLASSES for crib in (False, True)]
    )
    ready = once(lambda: [bulk_points._tables(ACC, look) for look in CARD_CLASSES])
    odds = once(lambda: odds_of(ACC))
    print("| from nothing, once | seconds |")
    print("|---|---:|")
    print(f"| the table of points for a rule set | {tables:.2f} |")
    print(f"| the tables of the discard adviser | {ready:.3f} |")
    print(f"| odds of 12,994,800 hands and as many cribs | {odds:.2f} |\n")


# ---- scoring -----------------------------------------------------------------------------------


def dealt(count: int, each: int) -> list[Hand]:
    """Return random hands."""
    return [tuple(Random(number).sample(PACK, each)) for number in range(count)]


def scoring(sizes: Sizes) -> None:
    hands = dealt(sizes.hands, 5)
    other = import_module("cribbage_scorer.cribbage_scorer").show_calc_score
    texts = [[(int(card.rank), card.suit.letter) for card in cards] for cards in hands]
    split = [(text[4], text[:4]) for text in texts]
    ours = [points_of(show_scores(cards[:4], cards[4], ACC)) for cards in hands]
    assert [other(starter, kept)[0] for starter, kept in split] == ours
    few = np.array([[card.index for card in cards] for cards in hands], np.uint8).T.copy()
    assert points_of_hands(few, ACC).tolist() == ours
    many = np.tile(few, (1, -(-sizes.bulk // len(hands))))[:, : sizes.bulk].copy()
    report(
        "hands with starter",
        [
            Job("ours, with every combination", len(hands), lambda: one_by_one(hands)),
            Job("cribbage-scorer", len(hands), lambda: [other(*each) for each in split]),
            _in_bulk(few),
            _in_bulk(many),
        ],
        sizes.rounds,
    )


def _in_bulk(hands: npt.NDArray[np.uint8]) -> Job:
    count = hands.shape[1]
    return Job(f"points_of_hands, {count:,}", count, lambda: points_of_hands(hands, ACC))


def one_by_one(hands: Sequence[Hand]) -> None:
    for cards in hands:
        points_of(show_scores(cards[:4], cards[4], ACC))


# ---- the advisers -------------------------------------------------------------------------------


def weighing(sizes: Sizes) -> None:
    weights = shipped_frequencies().weights_against(dealer=True)
    sixes = dealt(sizes.sixes, 6)
    six = sixes[0]
    exact = {one.discard: (one.hand[0], one.crib[0]) for one in weigh(six, True, ACC)}
    assert dealt_out(six) == exact
    report(
        "decisions of fifteen discards",
        [
            Job("ours, all pairs alike", len(sixes), lambda: [weigh(x, True, ACC) for x in sixes]),
            Job(
                "ours, pairs weighted by good players",
                len(sixes),
                lambda: [weigh(x, True, ACC, weights) for x in sixes],
            ),
            Job("every case dealt in bulk", 1, lambda: dealt_out(six)),
        ],
        sizes.rounds,
    )
    plain = sampled_one_by_one(six, sizes.cribs)
    print(f"\nOne by one, from {sizes.cribs:,} of its 683,100 cribs, ", end="")
    print(f"a decision takes {plain:,.0f} s.")


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


def sampled_one_by_one(six: Hand, count: int) -> float:
    """Return the estimated seconds for all cribs of a decision, from a sample."""
    random, left = Random("cribs"), [card for card in PACK if card not in six]
    cribs = [random.sample(left, 3) for _ in range(count)]

    def score() -> None:
        for a, b, starter in cribs:
            points_of(show_scores((six[0], six[1], a, b), starter, ACC, crib=True))

    return once(score) / count * 15 * 45_540


def pegging(sizes: Sizes) -> None:
    told = weigh_cards(LEAD, ACC)  # the results of the play are cached
    seeds = iter(range(sizes.rounds))
    time = seconds(lambda: weigh_cards(LEAD, ACC, seed=next(seeds)), sizes.rounds)
    error = max(one.error for one in told)
    print(
        f"The lead from four cards, {SAMPLES} samples: {time * 1e3:.0f} ms, "
        f"with errors up to {error:.2f} points."
    )


# ---- time --------------------------------------------------------------------------------------


def report(what: str, jobs: Sequence[Job], rounds: int) -> None:
    """Run the jobs in turn, and print a row for each with its ratio to the first."""
    times: list[list[float]] = [[] for _ in jobs]
    for _ in range(rounds):
        for job, taken in zip(jobs, times, strict=True):
            taken.append(once(job.run))
    rates = [job.times / median(taken) for job, taken in zip(jobs, times, strict=True)]
    print(f"| {what} | per second | microseconds each | relative speed |")
    print("|---|---:|---:|---:|")
    for job, rate in zip(jobs, rates, strict=True):
        print(f"| {job.name} | {rate:,.0f} | {1e6 / rate:,.3g} | {rate / rates[0]:,.3g} |")


if __name__ == "__main__":
    main(chosen(__doc__, FULL, SHORT))
