"""The bankroll: its exact risk of ruin, and its bands after a number of hands.

A hand costs one bet and returns g bets with probability p(g). If the mean of g is above 1, exactly
one z between 0 and 1 satisfies ∑ p(g) z^(g - 1) = 1. The bankroll never falls by more than one bet
at a time, so it passes through every whole number on its way down. A bankroll of B bets is
therefore lost sooner or later with probability z^B exactly. (Feller, An Introduction to Probability
Theory I, chapter XIV; Epstein, The Theory of Gambling, chapter 3; Dunbar and Math Boy, Risk of Ruin
for Video Poker, Blackjack Forum XIX 3, 1999, after Sorokin.) This is exact if all pays are whole
bets. With other pays, or with cash back, the bankroll found is wrong by at most one bet.

Let u(x) be the probability of losing x bets before reaching 2B. It is 1 at 0, 0 from 2B on, and
elsewhere the mean of u after a hand. Since a hand takes at most one bet, w(n) = u(2B - n) can be
computed from w at fewer bets. Up to a factor, w is the same series for all B: the scale function of
a walk that goes down in steps of one. So u(x) = w(2B - x) / w(2B).

Mistakes are modelled as lost wins: each win, of any size, is lost with probability cost / return,
so that the mean falls by the cost. If mistakes mainly cost big wins, the variance also falls; the
model does not include this effect.

The bands are computed from the exact distribution of the result of one hand. Royal flushes make the
distribution of even a few thousand hands so skewed that mean and standard deviation would be
misleading.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import ceil, exp, expm1, fsum, gcd, log, sqrt
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from ....gamekit.distributions import MOST_AMOUNTS, convolution_power
from .hand_odds import PayoutDistribution

Floats: TypeAlias = npt.NDArray[np.float64]
GainDistribution: TypeAlias = tuple[tuple[Fraction, float], ...]
"""The possible gains of a hand, in bets, and their probabilities."""

MOST_HANDS = 20_000
"""The largest number of hands over which a bankroll is followed."""
MOST_BETS = 200_000
"""The largest bankroll, in bets, for questions about doubling."""

_CERTAIN = (
    300.0  # below a risk of e**-300 the scale function overflows, and doubling hardly matters
)


def gain_distribution(
    outcomes: PayoutDistribution, cash_back: Fraction = Fraction(0), cost: Fraction = Fraction(0)
) -> GainDistribution:
    """Return the distribution of a hand's gain, in bets.

    ``cost`` is the share of each bet that is lost by mistakes; ``cash_back`` is the share that is
    returned whatever the result. Raises ``ValueError`` for a cost below 0, and for a cost that is
    not below the whole return.
    """
    if not 0 <= cost < outcomes.expected_return:
        raise ValueError("the cost of mistakes must be at least 0 and less than the table's return")
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
    """Return the smallest bankroll, in bets, whose risk of ruin is at most ``chance``.

    Raises ``ValueError`` if the game returns no more than is bet on average, because then every
    bankroll is lost in the end; also raises like :func:`gain_distribution`.
    """
    if outcomes.expected_return + cash_back - cost <= 1:
        raise ValueError("every bankroll is lost in the end, because the return is at most 100%")
    if chance >= 1:
        return 0
    return ceil(-log(chance) / _decay(gain_distribution(outcomes, cash_back, cost)))


def ruin_chance(outcomes: PayoutDistribution, bets: int, cost: Fraction = Fraction(0)) -> float:
    """Return the chance of ever losing ``bets``. Raises the errors of :func:`gain_distribution`."""
    if outcomes.expected_return - cost <= 1:
        return 1.0
    return exp(-bets * _decay(gain_distribution(outcomes, cost=cost)))


def _decay(distribution: GainDistribution) -> float:
    """Find -log z by bisection: each bet in the bankroll lowers log(risk of ruin) by this much."""

    def excess(decay: float) -> float:
        return fsum(p * expm1(-decay * float(gain)) for gain, p in distribution)

    low, high = 0.0, 1.0
    while excess(high) < 0:
        low, high = high, 2 * high
    while (middle := (low + high) / 2) not in (low, high):
        low, high = (middle, high) if excess(middle) < 0 else (low, middle)
    return high


# ---- ruin before doubling --------------------------------------------------------------------


def chance_of_ruin_before_doubling(
    outcomes: PayoutDistribution, bets: int, cost: Fraction = Fraction(0)
) -> float:
    """Return the chance of losing ``bets`` before they have at least doubled.

    Raises ``ValueError`` for less than one bet or more than :data:`MOST_BETS`, for pays that are
    not whole bets, and as :func:`gain_distribution` does.
    """
    if not 1 <= bets <= MOST_BETS:
        raise ValueError(
            f"doubling is only computed for bankrolls of 1 to {MOST_BETS:,} bets, not {bets:,}"
        )
    rises = outcomes.expected_return - cost > 1
    if rises and bets * _decay(gain_distribution(outcomes, cost=cost)) > _CERTAIN:
        return ruin_chance(outcomes, bets, cost)
    return float(_ruin_before_doubling(outcomes, bets, cost)[bets])


def bets_to_double(
    outcomes: PayoutDistribution, chance: float, cost: Fraction = Fraction(0)
) -> tuple[int, float]:
    """Return the smallest bankroll that is lost before it doubles with at most this chance.

    The result is in bets, with the exact chance. Raises ``ValueError`` if there is no such
    bankroll or it is above :data:`MOST_BETS`, and as :func:`chance_of_ruin_before_doubling` does.
    """
    if outcomes.expected_return - cost <= 1:
        raise ValueError(
            "the return is at most 100%, so a larger bankroll is less likely to double"
        )
    largest = bets_against_ruin(outcomes, chance, cost=cost)
    if not 1 <= largest <= MOST_BETS:
        raise ValueError(f"this probability needs a bankroll of more than {MOST_BETS:,} bets")
    ruin_chances = _ruin_before_doubling(outcomes, largest, cost)
    above = np.flatnonzero(ruin_chances[1:] > chance)
    bets = int(above[-1]) + 2 if len(above) else 1
    return bets, float(ruin_chances[bets])


def _ruin_before_doubling(outcomes: PayoutDistribution, largest: int, cost: Fraction) -> Floats:
    """Return the chance of ruin before doubling for each bankroll of 0 to ``largest`` bets."""
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


# ---- a limited number of hands ---------------------------------------------------------------


def survival_chances(
    outcomes: PayoutDistribution, hands: int, cost: Fraction = Fraction(0)
) -> Floats:
    """Return the chance that each bankroll lasts for ``hands``, indexed by whole bets.

    The bankrolls are 0 to ``hands + 1`` bets; the largest one is certain to last. Raises
    ``ValueError`` for more than :data:`MOST_HANDS` hands, for pays that are not whole bets, and
    as :func:`gain_distribution` does.
    """
    if not 0 <= hands <= MOST_HANDS:
        raise ValueError(f"the number of hands must be 0 to {MOST_HANDS:,}, not {hands:,}")
    steps = _in_whole_bets(outcomes, cost)
    lasts = np.ones(hands + 2)
    lasts[0] = 0.0
    for _ in range(hands):
        next_lasts = np.zeros_like(lasts)
        for gain, chance in steps:
            # a bankroll with more bets than hands left is certain to last
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
    """Return the smallest bankroll that is lost within ``hands`` with at most this chance.

    The result is in bets, with the chance that it lasts. Raises the errors of
    :func:`survival_chances`.
    """
    lasts = survival_chances(outcomes, hands, cost)
    bets = int(np.argmax(lasts >= 1 - chance)) if chance < 1 else 0
    return bets, float(lasts[bets])


def _in_whole_bets(outcomes: PayoutDistribution, cost: Fraction) -> list[tuple[int, float]]:
    """Return the distribution of the gain in whole bets. Raises ``ValueError`` for fractions."""
    if any(pay % outcomes.coins for pay in outcomes.pays):
        raise ValueError("this table does not pay whole bets")
    return [(int(gain), chance) for gain, chance in gain_distribution(outcomes, cost=cost)]


SHARES = (0.05, 0.5, 0.95)
"""The shares of sessions that end at or below each band: one in twenty, half, and 19 in twenty."""

_FAR = 8  # standard deviations above the mean; at most one session in 64 ends beyond


def bankroll_bands(
    outcomes: PayoutDistribution, hands: Sequence[int], shares: Sequence[float] = SHARES
) -> list[tuple[int, ...]]:
    """Return, for each number of hands, the net results in credits at each of the ``shares``.

    A share of 0.05 means that 5% of sessions end at or below that net. The bankroll is assumed to
    cover every bet. Raises ``ValueError`` if the calculation for this number of hands would take
    too long.
    """
    distribution = tuple(
        (pay, float(Fraction(count, outcomes.total)))
        for pay, count in zip(outcomes.pays, outcomes.counts, strict=True)
    )
    unit = gcd(*outcomes.pays) or 1
    mean, scatter = float(outcomes.credits), outcomes.coins * sqrt(outcomes.variance)
    bands = []
    for count in hands:
        size = ceil((count * mean + _FAR * sqrt(count) * scatter) / unit) + 1
        if size > MOST_AMOUNTS:
            raise ValueError(f"the bands for {count:,} hands would take too long")
        cumulative = convolution_power(distribution, count, size, unit).cumsum()
        payouts = (unit * int(np.searchsorted(cumulative, share - 1e-12)) for share in shares)
        bands.append(tuple(payout - count * outcomes.coins for payout in payouts))
    return bands
