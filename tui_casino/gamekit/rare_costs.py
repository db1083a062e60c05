"""The error of the cost of mistakes, whose costliest kinds are rare.

The mistakes of a short session vary less than those that the player makes in the long run, because
the session probably has not seen the costliest ones. So the plain standard error of a total cost is
too small, and zero without a mistake. Here the variance of a total cost is computed as for a
compound Poisson sum in which the costliest mistake is counted :data:`TAIL` more times, and this
mistake costs at least :data:`UNSEEN` bets or points.
"""

from __future__ import annotations

from math import sqrt

TAIL = 4
"""The number of additional times that the error of a total counts the costliest mistake."""
UNSEEN = 0.4
"""The assumed cost of mistakes not seen yet, if all others were cheaper, in bets or points.

Without a mistake in n rounds, a player probably makes fewer than about four in n rounds. A random
hold in video poker costs 0.65 bets on average.
"""
UPPER = 1.96
"""The 97.5% quantile of the standard normal distribution."""


def total_error(total: float, variance: float, costliest: float, stake: float = 1.0) -> float:
    """Return the standard error of a total cost.

    ``variance`` is that of the total, without the mistakes that were not seen, and ``costliest``
    the cost of the costliest mistake, or 0 without mistakes. All amounts are in the same unit, in
    which ``stake`` is the value of a bet or point.
    """
    return skewed_error(total, variance + TAIL * max(costliest, UNSEEN * stake) ** 2)


def skewed_error(mean: float, variance: float) -> float:
    """Return half the distance from the mean to a gamma distribution's 97.5% quantile.

    The quantile is computed by Wilson and Hilferty's formula. The result is at least the standard
    deviation. So the mean plus and minus two errors contains the true cost about 95 times in 100.
    """
    deviation = sqrt(variance)
    if not mean or not variance:
        return deviation
    shape = mean**2 / variance
    quantile = mean * (1 - 1 / (9 * shape) + UPPER / (3 * sqrt(shape))) ** 3
    return max(deviation, (quantile - mean) / 2)
