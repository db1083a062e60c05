"""Bands of the bankroll after N hands: the net result that a given share of sessions stays below.

The bands are computed from the exact distribution of the result of one hand. Royal flushes make the
distribution of even a few thousand hands so skewed that mean and standard deviation would be
misleading.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import ceil, gcd, sqrt

import numpy as np

from ....gamekit.distributions import MOST_AMOUNTS, convolution_power
from .hand_odds import PayoutDistribution

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
