"""Measure the odds of five-card draw, the adviser and the course's algorithm.

    python tests/bench/bench_five_card_draw.py [--short]

Print Markdown tables. Each job is also done in a plain way, which must give the same result: all
draws of one hand in bulk and in a loop over our evaluator, and decisions from cards as text.
Enumerating every draw of every class is timed on a sample of the classes.

"From nothing" means that no sum is known, but modules are imported and the evaluator has its
tables. Results are medians of nine runs, except for the loop and the sample, which run once.
"""

from __future__ import annotations

from functools import partial
from itertools import combinations
from math import comb
from random import Random
from typing import NamedTuple

import numpy as np

from tests.bench.measure import chosen, heading, once, seconds
from tui_casino.cards import hand_indexing
from tui_casino.cards.card import PACK, Hand, format_cards, parse_hand
from tui_casino.cards.draw_odds import Int64s
from tui_casino.cards.poker import (
    CARD_CODES,
    STRENGTHS,
    HandCategory,
    category_of,
    evaluator,
    strengths_of_codes,
    strengths_of_indices,
)
from tui_casino.games.five_card_draw.brains import odds
from tui_casino.games.five_card_draw.brains.adviser import sample_wins
from tui_casino.games.five_card_draw.brains.odds import (
    after_each_discard,
    after_the_algorithm,
    algorithm_masks,
)
from tui_casino.games.five_card_draw.brains.players import decide
from tui_casino.games.five_card_draw.machine.rules import Positions, every_discard, kept_cards

DEALT = parse_hand("AS KH 9D 6C 2S")
CATEGORIES = np.array([0, *map(category_of, STRENGTHS)])

ORDER = "23456789TJQKA"
SEQUENCES = [set(("A" + ORDER)[low : low + 4]) for low in range(11)]
STRAIGHTS = [set(("A" + ORDER)[low : low + 5]) for low in range(10)]


class Sizes(NamedTuple):
    """The amount of work: runs, classes of hands, decisions."""

    runs: int
    classes: int
    hands: int


FULL = Sizes(runs=9, classes=1_000, hands=5_000)
SHORT = Sizes(runs=1, classes=20, hands=500)


def main(sizes: Sizes) -> None:
    """Print the tables. Raises ``AssertionError`` if a plain way gives another result."""
    print(heading("numpy"))
    evaluator()
    strengths_of_indices(np.arange(5)[None])  # so that the ranker has its tables
    all_deals(sizes)
    print()
    one_hand(sizes)
    print()
    chances_to_win(sizes)
    print()
    decisions(sizes)


def chances_to_win(sizes: Sizes) -> None:
    """Time the adviser at the draw against one to three opponents, before and after their draws."""
    print("| the adviser, all 27 discards, 10,000 deals | ms | times the exact categories |")
    print("|---|---:|---:|")
    first = once(lambda: sample_wins(DEALT, [()], [None]))
    ways = list(every_discard(DEALT))
    exact = seconds(lambda: after_each_discard(DEALT), sizes.runs)
    for name, others in (
        ("one opponent who has not drawn yet", [None]),
        ("three who have not drawn yet", [None, None, None]),
        ("three who drew 3, 1 and 3", [3, 1, 3]),
    ):
        time = seconds(partial(sample_wins, DEALT, ways, others), sizes.runs)
        print(f"| {name} | {1e3 * time:.1f} | {time / exact:,.0f} |")
    print(f"\nIts first answer sorts all deals and takes {first:.2f} s.")


# ---- all deals and draws ---------------------------------------------------------------------


def all_deals(sizes: Sizes) -> None:
    ours = seconds(from_nothing, sizes.runs)
    known = {
        "the same, sums by class known": seconds(after_the_algorithm, sizes.runs),
        "what the algorithm keeps of 134,459 classes": seconds(algorithm_masks, sizes.runs),
    }
    plain, classes = dealing_out(sizes.classes)
    known[f"every draw of every class, estimated from {sizes.classes:,} of {classes:,}"] = plain
    print("| all deals and draws | seconds | relative time |")
    print("|---|---:|---:|")
    print(f"| after the algorithm, from nothing | {ours:.3f} | 1 |")
    for name, time in known.items():
        print(f"| {name} | {time:,.3f} | {time / ours:.3g} |")


def from_nothing() -> None:
    for known in (hand_indexing.subset_classes, hand_indexing.hand_classes, odds._draws):
        known.cache_clear()
    after_the_algorithm()


def dealing_out(count: int) -> tuple[float, int]:
    """Return the estimated seconds for the draws of all classes, from a sample."""
    cards = hand_indexing.hand_classes().cards.T
    sample = Random("classes").sample(range(len(cards)), count)
    hands = [tuple(PACK[card] for card in cards[place]) for place in sample]
    taken = once(lambda: [in_bulk(dealt, decide(dealt).discards) for dealt in hands])
    return taken / count * len(cards), len(cards)


# ---- one hand --------------------------------------------------------------------------------


def one_hand(sizes: Sizes) -> None:
    exact = after_each_discard(DEALT)
    print(f"| the draws of {format_cards(DEALT)} dealt out | in bulk, µs | by a loop, µs | times |")
    print("|---|---:|---:|---:|")
    for discards in ((5,), (4, 5), (3, 4, 5), (2, 3, 4, 5)):
        bulk = seconds(partial(in_bulk, DEALT, discards), sizes.runs)
        by_strength = in_bulk(DEALT, discards).tolist()
        plain = once(partial(check_by_loop, DEALT, discards, by_strength))
        of_kind = np.bincount(CATEGORIES, by_strength, len(HandCategory)).astype(np.int64)
        assert exact[discards].counts == tuple(of_kind.tolist())
        print(
            f"| {len(discards)} discarded | {bulk * 1e6:,.0f} | {plain * 1e6:,.0f} "
            f"| {plain / bulk:,.0f} |"
        )
    allowed = list(every_discard(DEALT))
    whole = seconds(lambda: [in_bulk(DEALT, gone) for gone in allowed], sizes.runs)
    each = seconds(lambda: after_each_discard(DEALT), sizes.runs)
    print(
        f"\nAll {len(allowed)} legal discards: {whole * 1e3:.1f} ms dealt out. "
        f"All 32 by sums: {each * 1e3:.2f} ms."
    )


def in_bulk(dealt: Hand, discards: Positions) -> Int64s:
    """Count the final hands by strength, with all draws ranked together."""
    stub = [CARD_CODES[card.index] for card in PACK if card not in dealt]
    drawn = np.zeros(1, np.int32)
    for size in range(len(discards)):
        # of `size` cards, the sets below card i come first, and number comb(i, size)
        drawn = np.concatenate([drawn[: comb(i, size)] + code for i, code in enumerate(stub)])
    held = sum(CARD_CODES[card.index] for card in kept_cards(dealt, discards))
    return np.bincount(strengths_of_codes(drawn + held), minlength=len(STRENGTHS) + 1)


def check_by_loop(dealt: Hand, discards: Positions, known: list[int]) -> None:
    """Raise ``AssertionError`` if the loop counts other final hands."""
    assert by_loop(dealt, discards) == known, discards


def by_loop(dealt: Hand, discards: Positions) -> list[int]:
    """Count the final hands by strength, one by one."""
    rate = evaluator()
    stub = [CARD_CODES[card.index] for card in PACK if card not in dealt]
    held = [CARD_CODES[card.index] for card in kept_cards(dealt, discards)]
    counts = [0] * (len(STRENGTHS) + 1)
    for drawn in combinations(stub, len(discards)):
        counts[rate(*held, *drawn)] += 1
    return counts


# ---- the algorithm ---------------------------------------------------------------------------


def decisions(sizes: Sizes) -> None:
    hands = [tuple(Random(number).sample(PACK, 5)) for number in range(sizes.hands)]
    assert [decide(dealt).discards for dealt in hands] == list(map(by_text, hands))
    ours = len(hands) / seconds(lambda: [decide(dealt) for dealt in hands], sizes.runs)
    text = len(hands) / seconds(lambda: [by_text(dealt) for dealt in hands], sizes.runs)
    print("| the algorithm | decisions per second | relative speed |")
    print("|---|---:|---:|")
    print(f"| ours | {ours:,.0f} | 1 |")
    print(f"| plain Python, on the cards as text | {text:,.0f} | {text / ours:.3g} |")


def by_text(dealt: Hand) -> Positions:
    """Return the discards by the course's algorithm, from the cards as text."""
    texts = [str(card) for card in dealt]
    ranks = [text[0] for text in texts]
    suits = [text[1] for text in texts]
    if set(ranks) in STRAIGHTS or len(set(suits)) == 1:
        return ()
    if len(set(ranks)) < 5:
        return places([ranks.count(rank) == 1 for rank in ranks])
    for suit in "CDHS":
        if suits.count(suit) == 4:
            return places([other != suit for other in suits])
    for four in SEQUENCES:
        if four <= set(ranks):
            return places([rank not in four for rank in ranks])
    if "A" in ranks:
        return places([rank != "A" for rank in ranks])
    lower = sorted(ranks, key=ORDER.index)[:3]
    return places([rank in lower for rank in ranks])


def places(thrown: list[bool]) -> Positions:
    """Return the positions of the discards, from 1."""
    return tuple(place for place, gone in enumerate(thrown, 1) if gone)


if __name__ == "__main__":
    main(chosen(__doc__, FULL, SHORT))
