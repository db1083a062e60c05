"""Compare our evaluators of five-card hands with those of other packages.

    python tests/bench/bench_evaluators.py [--short]

Print Markdown tables. All evaluators get the same random hands in their preferred form, prepared
outside the timed loop, and must agree with our result for every hand. A result is the median of
five rounds. In each round the evaluators take turns, so other load on the machine affects all of
them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from itertools import chain, combinations
from math import comb
from random import Random
from statistics import median
from typing import Any, NamedTuple

import numpy as np

from tests.bench.measure import chosen, heading, once
from tui_casino.cards.card import PACK, Hand
from tui_casino.cards.poker import (
    CARD_CODES,
    STRENGTHS,
    evaluator,
    strengths_of_codes,
    strengths_of_indices,
)


class Sizes(NamedTuple):
    """The amount of work: rounds, hands one by one, hands in bulk."""

    rounds: int
    sample: int
    bulk: int


FULL = Sizes(rounds=5, sample=20_000, bulk=comb(52, 5))
SHORT = Sizes(rounds=1, sample=1_000, bulk=100_000)


class Contest(NamedTuple):
    """An evaluator: ``run`` ranks all hands and keeps no result."""

    name: str
    hands: int
    run: Callable[[], object]


def main(sizes: Sizes) -> None:
    """Print both tables. Raises ``AssertionError`` if an evaluator disagrees with ours."""
    print(heading("numpy"))
    random = Random(7_462)
    hands = [tuple(random.sample(PACK, 5)) for _ in range(sizes.sample)]
    print("One hand at a time:\n")
    report([one_by_one(hands), *peers(hands)], sizes.rounds)
    print(f"\nIn bulk, {sizes.bulk:,} of all {comb(52, 5):,} hands, in random order:\n")
    report(bulk(sizes.bulk, 10 * sizes.sample), sizes.rounds)


def report(contests: Sequence[Contest], rounds: int) -> None:
    """Run the evaluators in turn, and print a row for each with its ratio to the first."""
    times: list[list[float]] = [[] for _ in contests]
    for _ in range(rounds):
        for contest, taken in zip(contests, times, strict=True):
            taken.append(once(contest.run))
    rates = [contest.hands / median(t) for contest, t in zip(contests, times, strict=True)]
    print("| evaluator | hands per second | relative speed |")
    print("|---|---:|---:|")
    for contest, rate in zip(contests, rates, strict=True):
        print(f"| {contest.name} | {rate:,.0f} | {rate / rates[0]:.3g} |")


# ---- one hand after the other ----------------------------------------------------------------


def one_by_one(hands: Sequence[Hand]) -> Contest:
    """Return our evaluator in plain Python."""
    codes = [tuple(CARD_CODES[card.index] for card in hand) for hand in hands]
    return spread("tui_casino", evaluator(), codes)


def peers(hands: Sequence[Hand]) -> Iterator[Contest]:
    """Return every installed evaluator, and print the names of missing ones."""
    ours = [evaluator()(*(CARD_CODES[card.index] for card in hand)) for hand in hands]
    for peer in treys, phevaluator, pokerkit:
        try:
            for contest, strengths in peer(hands):
                assert strengths == ours, f"{contest.name} rates hands in another order"
                yield contest
        except ImportError as missing:
            print(f"Not installed, so left out: {missing.name}.\n")


def treys(hands: Sequence[Hand]) -> Iterator[tuple[Contest, list[int]]]:
    """Return treys, which uses products of primes in plain Python."""
    library = import_module("treys")
    five = library.Evaluator().hand_size_map[5]  # what its evaluate method calls
    cards = [
        [library.Card.new(card.rank.letter + card.suit.letter.lower()) for card in hand]
        for hand in hands
    ]
    yield whole("treys", five, cards), [_from_best(five(hand)) for hand in cards]


def phevaluator(hands: Sequence[Hand]) -> Iterator[tuple[Contest, list[int]]]:
    """Return phevaluator, a compiled perfect hash behind a function for all card formats."""
    library = import_module("phevaluator")
    ids = [tuple((card.rank - 2) % 13 * 4 + card.suit - 1 for card in hand) for hand in hands]
    public = library.evaluate_cards
    yield spread("phevaluator", public, ids), [_from_best(public(*hand)) for hand in ids]
    inner = import_module("phevaluator._pheval").evaluate_5cards
    name = "phevaluator, only its compiled part (private)"
    yield spread(name, inner, ids), [_from_best(inner(*hand)) for hand in ids]


def pokerkit(hands: Sequence[Hand]) -> Iterator[tuple[Contest, list[int]]]:
    """Return pokerkit, a table of products of primes in plain Python."""
    library = import_module("pokerkit")
    rate = library.StandardLookup().get_entry
    cards = [
        tuple(library.Card.parse("".join(f"{c.rank.letter}{c.suit.letter.lower()}" for c in hand)))
        for hand in hands
    ]
    yield whole("pokerkit", rate, cards), [rate(hand).index + 1 for hand in cards]


def _from_best(place: int) -> int:
    return len(STRENGTHS) + 1 - place


def spread(name: str, rate: Callable[..., int], hands: Sequence[Sequence[int]]) -> Contest:
    """Return an evaluator for a function that takes a hand as five arguments."""

    def run() -> None:
        for a, b, c, d, e in hands:
            rate(a, b, c, d, e)

    return Contest(name, len(hands), run)


def whole(name: str, rate: Callable[[Any], object], hands: Sequence[Any]) -> Contest:
    """Return an evaluator for a function that takes a hand as one argument."""

    def run() -> None:
        for hand in hands:
            rate(hand)

    return Contest(name, len(hands), run)


# ---- in bulk ---------------------------------------------------------------------------------


def bulk(count: int, one_by_one: int) -> list[Contest]:
    """Return our plain loop and our bulk functions, which must agree with it."""
    indices = np.fromiter(chain.from_iterable(combinations(range(52), 5)), np.uint8)
    indices = np.random.default_rng(7_462).permutation(indices.reshape(-1, 5))[:count]
    codes = np.array(CARD_CODES, np.int32)[indices]
    columns = [np.ascontiguousarray(column) for column in codes.T]
    sums = codes.sum(axis=1, dtype=np.int32)
    some = [tuple(CARD_CODES[i] for i in hand) for hand in indices[:one_by_one].tolist()]
    strengths = strengths_of_indices(indices)
    assert strengths[: len(some)].tolist() == [evaluator()(*hand) for hand in some]
    assert (strengths == strengths_of_codes(*columns)).all()
    assert (strengths == strengths_of_codes(sums)).all()
    return [
        spread(f"a loop in Python, of {len(some):,}", evaluator(), some),
        Contest("bulk_strength, of bytes", count, lambda: strengths_of_indices(indices)),
        Contest("bulk_strength_of_codes, of five", count, lambda: strengths_of_codes(*columns)),
        Contest("bulk_strength_of_codes, of sums", count, lambda: strengths_of_codes(sums)),
    ]


if __name__ == "__main__":
    main(chosen(__doc__, FULL, SHORT))
