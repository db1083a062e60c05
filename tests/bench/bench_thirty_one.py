"""Measure the solver, the adviser and the dealer simulation of Hit Me.

    python tests/bench/bench_thirty_one.py [--short]

Print Markdown tables. A loop in plain Python over the same rules also plays the dealer simulation,
and both must come near the exact chances. Rates in bulk do not include the start: the time of 1
million rounds is subtracted from that of a longer run. A result is the median of three turns.

The solver is timed from nothing. A plain solver represents hands as cards, without doubling and
splitting; both must find the same values. A choice is timed from a shuffled shoe for each first
card against each of the dealer's. Its lists of hands are already cached; their computation is
timed separately.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable
from functools import cache, partial
from math import sqrt
from random import Random
from statistics import median
from typing import NamedTuple

from tests.bench.measure import chosen, heading, once, seconds
from tui_casino.engine.parallel import Workers
from tui_casino.games.thirty_one.brains import odds, shoe_dealer_odds, shoe_odds
from tui_casino.games.thirty_one.brains.dealer_simulation import run_battle
from tui_casino.games.thirty_one.brains.odds import (
    BUST,
    WEIGHTS,
    Ending,
    battle_endings,
    battle_return,
    card_total,
    game_ev,
    house_edge,
)
from tui_casino.games.thirty_one.brains.rules_lab import lab_rules
from tui_casino.games.thirty_one.machine.rules import Rules, Total, dealer_draws

START = 1_000_000
USUAL = Rules()
VALUES = tuple(Counter(WEIGHTS).elements())


class Sizes(NamedTuple):
    """The amount of work: runs, turns, rounds in bulk and in a loop, first cards.

    ``plainly`` says whether the plain solver also runs.
    """

    runs: int
    turns: int
    bulk: int
    one_by_one: int
    firsts: tuple[int, ...]
    plainly: bool


FULL = Sizes(9, 3, bulk=21_000_000, one_by_one=100_000, firsts=(*WEIGHTS,), plainly=True)
SHORT = Sizes(1, 1, bulk=3_000_000, one_by_one=10_000, firsts=(10,), plainly=False)


def main(sizes: Sizes) -> None:
    """Print the tables. Raises ``AssertionError`` if two ways disagree."""
    print(heading("numpy"))
    battle(sizes)
    print()
    solver(sizes)
    print()
    decisions(sizes)


# ---- the battle ------------------------------------------------------------------------------


def battle(sizes: Sizes) -> None:
    plain = sizes.one_by_one / once(lambda: check(by_loop(sizes.one_by_one)))
    print("| battle | rounds per second | times the loop |")
    print("|---|---:|---:|")
    print(f"| plain Python, an infinite shoe | {plain:,.0f} | 1.0 |")
    cores = os.cpu_count() or 1
    for name, decks in (("an infinite shoe", None), ("two decks", 2)):
        for jobs in sorted({1, cores}):
            rate = median(bulk_rate(decks, jobs, sizes.bulk) for _ in range(sizes.turns))
            print(
                f"| in bulk, {name}, {jobs} of {cores} cores | {rate:,.0f} | {rate / plain:,.1f} |"
            )


def bulk_rate(decks: int | None, jobs: int, bulk: int) -> float:
    """Return rounds per second, without the start."""

    def play(rounds: int) -> None:
        fought = run_battle(USUAL, rounds, decks=decks, seed=rounds, workers=Workers(jobs))
        if decks is None:
            check(Counter(fought.ends))

    start, whole = once(lambda: play(START)), once(lambda: play(bulk))
    return (bulk - START) / (whole - start)


def by_loop(rounds: int) -> Counter[Ending]:
    """Play one round after the other, card by card."""
    draw = partial(Random(31).choice, VALUES)
    ended: Counter[Ending] = Counter()
    soft = Rules(dealer_hits_soft=True)
    for _ in range(rounds):
        ours, theirs = card_total(draw()), card_total(draw())
        while dealer_draws(ours, soft):
            ours = ours.plus(draw())
        if ours.bust:
            ended[BUST, None] += 1
            continue
        while dealer_draws(theirs, USUAL, only_31=ours.points == 14):
            theirs = theirs.plus(draw())
        ended[ours.points, min(theirs.points, BUST)] += 1
    return ended


def check(ended: Counter[Ending]) -> None:
    """Raise ``AssertionError`` if a gain is more than five standard errors off."""
    exact = float(
        sum((battle_return(e) - 1) * chance for e, chance in battle_endings(USUAL).items())
    )
    rounds = ended.total()
    gain = sum((battle_return(e) - 1) * count for e, count in ended.items()) / rounds
    assert abs(gain - exact) < 5 / sqrt(rounds), gain


# ---- the solver ------------------------------------------------------------------------------


def solver(sizes: Sizes) -> None:
    exact = partial(from_nothing, lambda: game_ev(USUAL, double=False, split=False))
    jobs = {
        "the game without side actions": exact,
        "with double and split": partial(from_nothing, lambda: game_ev(USUAL)),
        "the rules lab, 11 houses": partial(
            from_nothing, lambda: [house_edge(rules) for _, rules in lab_rules()]
        ),
    }
    ours = seconds(exact, sizes.runs)
    print("| exact values from nothing | milliseconds | relative time |")
    print("|---|---:|---:|")
    for name, job in jobs.items():
        time = seconds(job, sizes.runs)
        print(f"| {name} | {1000 * time:,.1f} | {time / ours:,.1f} |")
    if sizes.plainly:
        plain = once(check_by_hands)
        name = "without side actions, plain solver with floats"
        print(f"| {name} | {1000 * plain:,.0f} | {plain / ours:,.0f} |")


def from_nothing(job: Callable[[], object]) -> None:
    for known in (odds._nexts, odds._dealer, odds._against_an_ace, odds.game_ev, odds.house_edge):
        known.cache_clear()
    job()


def check_by_hands() -> None:
    """Raise ``AssertionError`` if the plain solver finds another value."""
    assert abs(by_hands() - float(game_ev(USUAL, double=False, split=False))) < 1e-12


def by_hands() -> float:
    """Solve the game in the simplest way: hands are sorted cards, and chances are floats."""
    weights = {value: weight / 13 for value, weight in WEIGHTS.items()}

    @cache
    def counted(hand: tuple[int, ...]) -> Total:
        total = Total(0)
        for value in hand:
            total = total.plus(value)
        return total

    @cache
    def dealer(hand: tuple[int, ...], only_31: bool) -> dict[int, float]:
        total = counted(hand)
        if not dealer_draws(total, USUAL, only_31=only_31):
            return {min(total.points, BUST): 1.0}
        found: dict[int, float] = {}
        for value, weight in weights.items():
            for final, chance in dealer(tuple(sorted((*hand, value))), only_31).items():
                found[final] = found.get(final, 0.0) + weight * chance
        return found

    @cache
    def best(hand: tuple[int, ...], up: int) -> float:
        total = counted(hand)
        if total.bust:
            return -1.0
        finals = dealer((up,), total.points == 14)
        stand = sum(
            chance * (battle_return((total.points, final)) - 1) for final, chance in finals.items()
        )
        if total.points == 31:
            return stand
        hit = sum(w * best(tuple(sorted((*hand, v))), up) for v, w in weights.items())
        return max(stand, hit)

    return sum(weights[v] * weights[up] * best((v,), up) for v in weights for up in weights)


# ---- a decision ------------------------------------------------------------------------------


def decisions(sizes: Sizes) -> None:
    lists = 0.0
    times = []
    for first in sizes.firsts:
        for up in WEIGHTS:
            left = shoe(100 * first + up)
            job = partial(
                shoe_odds.choice_values, card_total(first), up, left, USUAL, cards=1, double=True
            )
            for known in (shoe_odds.player_draw_tree, shoe_dealer_odds.dealer_outcomes):
                known.cache_clear()
            cold = once(job)
            warm = seconds(job, sizes.turns)
            times.append((warm, first, up))
            lists = max(lists, cold - warm)
    of_two = [
        seconds(
            partial(
                shoe_odds.choice_values,
                card_total(one).plus(two),
                up,
                shoe(up),
                USUAL,
                cards=2,
                double=True,
            ),
            sizes.turns,
        )
        for one, two, up in ((2, 2, 2), (5, 8, 6), (10, 6, 10), (1, 7, 1))
    ]
    longest, first, up = max(times)
    usual = median(time for time, _, _ in times)
    print("| a choice from the real shoe | milliseconds |")
    print("|---|---:|")
    print(f"| one card, the median of {len(times)} | {1000 * usual:.0f} |")
    print(f"| the longest: {first} against {up} | {1000 * longest:.0f} |")
    print(f"| two cards: 2-2, 5-8, 6-10, A-7 | {', '.join(f'{1000 * t:.0f}' for t in of_two)} |")
    print(f"| the lists of hands, first computation, at most | {1000 * lists:.0f} |")


def shoe(seed: int) -> list[int]:
    """Yield the number of cards left of each value, from two decks without 2 to 74 cards."""
    random = Random(seed)
    pack = list(VALUES) * 8
    left = random.sample(pack, len(pack) - random.randint(2, 74))
    return [left.count(value) for value in WEIGHTS]


if __name__ == "__main__":
    main(chosen(__doc__, FULL, SHORT))
