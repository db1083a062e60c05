"""Risk of ruin: how many bets a player needs so as not to lose them all.

A hand brings g bets back with a chance p(g) each and costs one. If the mean of g is above 1, there
is one z between 0 and 1 with ∑ p(g) z^(g - 1) = 1, the root of the generating function. The
bankroll never falls by more than one bet at a time, so it passes through all whole numbers on its
way down, and whoever has B bets loses them all, sooner or later, with chance z^B exactly. (Feller,
An Introduction to Probability Theory I, chapter XIV; Epstein, The Theory of Gambling, chapter 3.)
That holds for pays in whole bets. With others, or with cash back, z^B is off by one bet at most.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import ceil, expm1, fsum, log

import numpy as np
import numpy.typing as npt

from .odds import Outcomes

MOST_HANDS = 20_000
"""So many hands a bankroll is followed through at most."""


def bets_against_ruin(outcomes: Outcomes, chance: float, cash_back: Fraction = Fraction(0)) -> int:
    """Give the least bankroll, in bets, that is ever lost with no more than this chance.

    ``cash_back`` is a share of each bet that comes back whatever happens. Raises ``ValueError``
    unless more comes back on average than is bet: without that every bankroll is lost in the end.
    """
    if outcomes.expected_return + cash_back <= 1:
        raise ValueError("no bankroll lasts where no more comes back than is bet")
    if chance >= 1:
        return 0
    return ceil(-log(chance) / _decay(outcomes, cash_back))


def _decay(outcomes: Outcomes, cash_back: Fraction) -> float:
    """Give -log z, by halving: so much is there of each bet against ruin."""
    gains = [float(Fraction(pay, outcomes.coins) - 1 + cash_back) for pay in outcomes.pays]
    chances = [float(Fraction(count, outcomes.total)) for count in outcomes.counts]

    def excess(decay: float) -> float:
        return fsum(p * expm1(-decay * gain) for p, gain in zip(chances, gains, strict=True))

    low, high = 0.0, 1.0
    while excess(high) < 0:
        low, high = high, 2 * high
    while (middle := (low + high) / 2) not in (low, high):
        low, high = (middle, high) if excess(middle) < 0 else (low, middle)
    return high


def lasting(outcomes: Outcomes, hands: int) -> npt.NDArray[np.float64]:
    """Give by whole bets, from 0 to ``hands``, the chance to be able to play so many hands.

    Raises ``ValueError`` for more than :data:`MOST_HANDS` hands, or for pays not in whole bets.
    """
    if not 0 <= hands <= MOST_HANDS:
        raise ValueError(f"a bankroll is followed through 0 to {MOST_HANDS} hands, not {hands}")
    steps = _steps(outcomes)
    lasts = np.ones(hands + 1)
    for _ in range(hands):
        more = np.zeros_like(lasts)
        for gain, chance in steps:
            # whoever has a bet for each hand to come plays them all
            kept = lasts[max(gain, 0) :]
            if gain < 0:
                more[1:] += chance * lasts[:-1]
            else:
                more[: len(kept)] += chance * kept
                more[len(kept) :] += chance
        more[0] = 0.0
        lasts = more
    return lasts


def bets_to_last(outcomes: Outcomes, hands: int, chance: float) -> tuple[int, float]:
    """Give the least bankroll that is lost within so many hands with no more than this chance.

    In bets; with the chance that it lasts. Raises as :func:`lasting`.
    """
    lasts = lasting(outcomes, hands)
    bets = int(np.argmax(lasts >= 1 - chance)) if chance < 1 else 0
    return bets, float(lasts[bets])


def _steps(outcomes: Outcomes) -> Sequence[tuple[int, float]]:
    """Give what a hand gains in bets, and the chance of it."""
    if any(pay % outcomes.coins for pay in outcomes.pays):
        raise ValueError("this table does not pay whole bets")
    return [
        (pay // outcomes.coins - 1, float(Fraction(count, outcomes.total)))
        for pay, count in zip(outcomes.pays, outcomes.counts, strict=True)
    ]
