"""Bands of the bankroll after N hands: the net that a given share of sessions stays below.

From the exact law of a hand: a royal flush makes the law of some thousand hands so skew that mean
and standard deviation would draw another picture.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import ceil, gcd, sqrt

import numpy as np

from ....gamekit.distributions import MOST_AMOUNTS, convolution_power
from .odds import PayoutDistribution

SHARES = (0.05, 0.5, 0.95)
"""One sitting in twenty is below the first band, half of all below the second."""

_FAR = 8  # standard deviations above the mean: one sitting in 64 is beyond at most


def bankroll_bands(
    outcomes: PayoutDistribution, hands: Sequence[int], shares: Sequence[float] = SHARES
) -> list[tuple[int, ...]]:
    """Give for each number of hands the least net, in credits, that a share of all do not exceed.

    No bet is too large for the bankroll here. Raises ``ValueError`` for so many hands that it
    would take too long.
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
            raise ValueError(f"the bands of {count:,} hands would take too long")
        cumulative = convolution_power(distribution, count, size, unit).cumsum()
        payouts = (unit * int(np.searchsorted(cumulative, share - 1e-12)) for share in shares)
        bands.append(tuple(payout - count * outcomes.coins for payout in payouts))
    return bands
