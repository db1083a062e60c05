"""Exact risk of ruin: the chance that a bankroll lasts, doubles or is lost.

A hand brings g bets back with a chance p(g) each and costs one. If the mean of g is above 1, there
is one z between 0 and 1 with ∑ p(g) z^(g - 1) = 1, the root of the generating function. The
bankroll never falls by more than one bet at a time, so it passes through all whole numbers on its
way down, and whoever has B bets loses them all, sooner or later, with chance z^B exactly. (Feller,
An Introduction to Probability Theory I, chapter XIV; Epstein, The Theory of Gambling, chapter 3;
Dunbar and Math Boy, Risk of Ruin for Video Poker, Blackjack Forum XIX 3, 1999, after Sorokin.)
That holds for pays in whole bets. With others, or with cash back, z^B is off by one bet at most.

The chance u(x) to lose x bets before there are 2B is 1 at 0, nothing from 2B on, and between
them the mean of u after a hand. Read from above, w(n) = u(2B - n) follows from w at fewer bets,
for a hand takes one bet at most: up to a factor it is the same series for all B, the scale function
of a walk that goes down by ones, and u(x) = w(2B - x) / w(2B).

Mistakes are taken to cost wins: so much of a bet a hand is lost if a win, whichever, is thrown away
with chance cost / return. Where mistakes lose big hands the scatter falls; little is known of it.
"""

from __future__ import annotations

from fractions import Fraction
from math import ceil, exp, expm1, fsum, log
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from .odds import PayoutDistribution

Floats: TypeAlias = npt.NDArray[np.float64]
GainDistribution: TypeAlias = tuple[tuple[Fraction, float], ...]
"""What a hand gains in bets, and the chance of it."""

MOST_HANDS = 20_000
"""So many hands a bankroll is followed through at most."""
MOST_BETS = 200_000
"""So large a bankroll is asked to double at most."""

_CERTAIN = 300.0  # of e**-300 and less nothing is lost by doubling: the scale function overflows


def gain_distribution(
    outcomes: PayoutDistribution, cash_back: Fraction = Fraction(0), cost: Fraction = Fraction(0)
) -> GainDistribution:
    """Give what a hand gains and how likely, where mistakes cost a share of each bet.

    ``cash_back`` is a share of each bet that comes back whatever happens. Raises ``ValueError``
    for a cost below 0, and for one that leaves nothing to win.
    """
    if not 0 <= cost < outcomes.expected_return:
        raise ValueError("mistakes cost nothing or more, and less than all that comes back")
    share_kept = 1 - cost / outcomes.expected_return
    chances = {cash_back - 1: Fraction(1)}
    for pay, count in zip(outcomes.pays, outcomes.counts, strict=True):
        if pay:
            gain, chance = cash_back - 1 + Fraction(pay, outcomes.coins), count * share_kept
            chances[gain] = chances.get(gain, Fraction(0)) + chance / outcomes.total
            chances[cash_back - 1] -= chance / outcomes.total
    return tuple((gain, float(chance)) for gain, chance in chances.items())


def bets_against_ruin(
    outcomes: PayoutDistribution,
    chance: float,
    cash_back: Fraction = Fraction(0),
    cost: Fraction = Fraction(0),
) -> int:
    """Give the least bankroll, in bets, that is ever lost with no more than this chance.

    Raises ``ValueError`` unless more comes back on average than is bet, and as
    :func:`gain_distribution`: without that every bankroll is lost in the end.
    """
    if outcomes.expected_return + cash_back - cost <= 1:
        raise ValueError("no bankroll lasts where no more comes back than is bet")
    if chance >= 1:
        return 0
    return ceil(-log(chance) / _decay(gain_distribution(outcomes, cash_back, cost)))


def ruin_chance(outcomes: PayoutDistribution, bets: int, cost: Fraction = Fraction(0)) -> float:
    """Return the chance to ever lose N bets. Raises as :func:`gain_distribution`."""
    if outcomes.expected_return - cost <= 1:
        return 1.0
    return exp(-bets * _decay(gain_distribution(outcomes, cost=cost)))


def _decay(distribution: GainDistribution) -> float:
    """Give -log z, by halving: so much is there of each bet against ruin."""

    def excess(decay: float) -> float:
        return fsum(p * expm1(-decay * float(gain)) for gain, p in distribution)

    low, high = 0.0, 1.0
    while excess(high) < 0:
        low, high = high, 2 * high
    while (middle := (low + high) / 2) not in (low, high):
        low, high = (middle, high) if excess(middle) < 0 else (low, middle)
    return high


# ---- before it doubles -----------------------------------------------------------------------


def chance_of_ruin_before_doubling(
    outcomes: PayoutDistribution, bets: int, cost: Fraction = Fraction(0)
) -> float:
    """Give the chance to lose so many bets before there are twice as many, or more.

    Raises ``ValueError`` for less than one bet or more than :data:`MOST_BETS`, for pays not in
    whole bets, and as :func:`gain_distribution`.
    """
    if not 1 <= bets <= MOST_BETS:
        raise ValueError(f"a bankroll that is to double has 1 to {MOST_BETS} bets, not {bets}")
    rises = outcomes.expected_return - cost > 1
    if rises and bets * _decay(gain_distribution(outcomes, cost=cost)) > _CERTAIN:
        return ruin_chance(outcomes, bets, cost)
    return float(_ruin_before_doubling(outcomes, bets, cost)[bets])


def bets_to_double(
    outcomes: PayoutDistribution, chance: float, cost: Fraction = Fraction(0)
) -> tuple[int, float]:
    """Give the least bankroll that is lost before it doubles with no more than this chance.

    In bets; with that chance. Raises ``ValueError`` where it is above :data:`MOST_BETS` or there is
    none, and as :func:`chance_of_ruin_before_doubling`.
    """
    if outcomes.expected_return - cost <= 1:
        raise ValueError("a bankroll is the less likely to double, the larger it is")
    largest = bets_against_ruin(outcomes, chance, cost=cost)
    if not 1 <= largest <= MOST_BETS:
        raise ValueError(f"more than {MOST_BETS} bets are needed to double so surely")
    ruin_chances = _ruin_before_doubling(outcomes, largest, cost)
    above = np.flatnonzero(ruin_chances[1:] > chance)
    bets = int(above[-1]) + 2 if len(above) else 1
    return bets, float(ruin_chances[bets])


def _ruin_before_doubling(outcomes: PayoutDistribution, largest: int, cost: Fraction) -> Floats:
    """Give by bets, from 0, the chance that so many are lost before they are doubled."""
    chances = {int(gain): chance for gain, chance in _in_whole_bets(outcomes, cost)}
    loss_chance, stay = chances[-1], chances.get(0, 0.0)
    up = [(gain, chance) for gain, chance in chances.items() if gain > 0]
    w = [0.0, 1.0, *[0.0] * (2 * largest - 1)]
    for n in range(1, 2 * largest):
        value = w[n] * (1 - stay)
        for gain, chance in up:
            if n > gain:
                value -= chance * w[n - gain]
        w[n + 1] = value / loss_chance
    return np.array([1.0, *(w[bets] / w[2 * bets] for bets in range(1, largest + 1))])


# ---- so many hands ---------------------------------------------------------------------------


def survival_chances(
    outcomes: PayoutDistribution, hands: int, cost: Fraction = Fraction(0)
) -> Floats:
    """Give by whole bets the chance that some are left after so many hands.

    The bankrolls are 0 to ``hands + 1`` bets; the last one, and any larger, surely lasts. Raises
    ``ValueError`` for more than :data:`MOST_HANDS` hands, for pays not in whole bets, and as
    :func:`gain_distribution`.
    """
    if not 0 <= hands <= MOST_HANDS:
        raise ValueError(f"a bankroll is followed through 0 to {MOST_HANDS} hands, not {hands}")
    steps = _in_whole_bets(outcomes, cost)
    lasts = np.ones(hands + 2)
    lasts[0] = 0.0
    for _ in range(hands):
        next_lasts = np.zeros_like(lasts)
        for gain, chance in steps:
            # with more bets than hands to come some are left
            after_gain = lasts[max(gain, 0) :]
            if gain < 0:
                next_lasts[1:] += chance * lasts[:-1]
            else:
                next_lasts[: len(after_gain)] += chance * after_gain
                next_lasts[len(after_gain) :] += chance
        next_lasts[0] = 0.0
        lasts = next_lasts
    return lasts


def bets_to_last(
    outcomes: PayoutDistribution, hands: int, chance: float, cost: Fraction = Fraction(0)
) -> tuple[int, float]:
    """Give the least bankroll that is lost within so many hands with no more than this chance.

    In bets; with the chance that it lasts. Raises as :func:`survival_chances`.
    """
    lasts = survival_chances(outcomes, hands, cost)
    bets = int(np.argmax(lasts >= 1 - chance)) if chance < 1 else 0
    return bets, float(lasts[bets])


def _in_whole_bets(outcomes: PayoutDistribution, cost: Fraction) -> list[tuple[int, float]]:
    """Give the law in whole bets."""
    if any(pay % outcomes.coins for pay in outcomes.pays):
        raise ValueError("this table does not pay whole bets")
    return [(int(gain), chance) for gain, chance in gain_distribution(outcomes, cost=cost)]
