"""Measure results without luck in video poker: whether they are unbiased, and how much they help.

    python tests/studies/video_poker_luck.py [--short]

Print a Markdown table. Each player bets 5 credits on Double Bonus 10/7, holds by the list of 34
lines, and chooses at random in some of the hands. Raises ``AssertionError`` if the mean of the luck
is more than three standard errors from zero, or if a player with few random holds does not need at
least ten times fewer hands for the same error. A player who only holds at random gains
nothing: the costs of their mistakes vary as much as their luck, and stay in the result.
"""

from __future__ import annotations

from fractions import Fraction
from math import sqrt
from random import Random
from typing import NamedTuple

import numpy as np

from tests.bench.measure import chosen, heading
from tests.helpers.narrow import not_none
from tui_casino.cards.card import PACK, Hand
from tui_casino.engine.game import Seat
from tui_casino.games.video_poker.brains.adviser import expect, judge
from tui_casino.games.video_poker.brains.strategy import advise
from tui_casino.games.video_poker.machine.game import Hold, Options, Phase, RoundPaid, State
from tui_casino.games.video_poker.machine.rules import row_of
from tui_casino.records.result_split import ResultSplit

OPTIONS, COINS = Options(), 5
RANDOM_HOLDS = (0.01, 0.1, 1.0)
FEW = 0.1
FULL, SHORT = 1_000_000, 20_000


class Round(NamedTuple):
    """What a hand was worth: the net result and the result without luck, in credits."""

    net: float
    play: float


def main(hands: int) -> None:
    """Print the table."""
    print(heading("numpy"))
    print("| holds at random | hands | raw result | result without luck | luck | variances |")
    print("|---:|---:|---:|---:|---:|---:|")
    deviation = perfect_deviation()
    for share in RANDOM_HOLDS:
        random = Random(f"luck {share}")
        net, play = np.array([a_round(random, share) for _ in range(hands)]).T
        luck, ratio = net - play, net.var() / play.var()
        rows = ((net, deviation), (play, 0.0), (luck, deviation))
        means = (f"{one.mean():+.4f} ± {error(one, least):.4f}" for one, least in rows)
        print(f"| {share:.0%} | {hands:,} | {' | '.join(means)} | {ratio:,.1f} |")
        assert abs(luck.mean()) <= 3 * error(luck, deviation), "the result without luck is biased"
        assert ratio >= 10 or share > FEW, "it needs more than a tenth of the hands"


def error(values: np.ndarray[tuple[int], np.dtype[np.float64]], least: float = 0.0) -> float:
    """Return the standard error of a mean; the standard deviation is at ``least`` this large."""
    return float(max(values.std(), least) / np.sqrt(len(values)))


def perfect_deviation() -> float:
    """Return the exact standard deviation of a hand with perfect play.

    Royal flushes cause nearly half of the variance. A sample with fewer of them than usual has both
    a low mean and a small deviation, so its own error would be too small.
    """
    known = not_none(expect(OPTIONS, RoundPaid((), None, COINS, 0, 0)))
    return sqrt(known.variance)


def a_round(random: Random, share: float) -> Round:
    """Play a hand from a new shuffled pack."""
    cards = random.sample(PACK, 10)
    dealt, drawn = tuple(cards[:5]), cards[5:]
    held = advise(dealt).positions
    if random.random() < share:
        held = tuple(place for place in range(1, 6) if random.random() < 0.5)
    final: Hand = tuple(dealt[n] if n + 1 in held else drawn[n] for n in range(5))
    row = row_of(OPTIONS.paytable, final, COINS)
    won = row.pays[COINS - 1] if row else 0
    view = State(OPTIONS, 0, phase=Phase.HOLD, coins=COINS, hand=dealt)
    mistake = judge(view, Seat(0), Hold(held))
    known = not_none(expect(OPTIONS, RoundPaid(final, row.name if row else None, COINS, won, 0)))
    cost = mistake.cost if mistake else Fraction(0)
    split = ResultSplit(won - COINS, known.mean - COINS - cost)
    return Round(split.net, float(split.play))


if __name__ == "__main__":
    main(chosen(__doc__, FULL, SHORT))
