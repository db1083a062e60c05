"""The exact probability of a total result over several rounds, from each round's distribution.

A distribution lists the amounts that a round may return, and their probabilities. The generating
functions of the rounds are multiplied, and cut off above the requested result.

>>> coin = ((0, 0.5), (2, 0.5))
>>> chance_at_most({coin: 3}, 2)
0.5
"""

from __future__ import annotations

from collections.abc import Mapping
from math import gcd
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

ReturnDistribution: TypeAlias = tuple[tuple[int, float], ...]
"""The amounts (0 or more) that a round may return, and the probability of each."""
Floats: TypeAlias = npt.NDArray[np.float64]

MOST_AMOUNTS = 1 << 20
"""The largest number of different total amounts for which the distribution is computed."""


def chance_at_most(rounds: Mapping[ReturnDistribution, int], maximum: int) -> float | None:
    """Return the probability that these rounds together return at most ``maximum``.

    ``rounds`` maps each distribution to its number of rounds. The result is exact to about fourteen
    decimals, or ``None`` if it would take too long. It is meant for small numbers of rounds, for
    which the normal distribution is a bad approximation.
    """
    if maximum < 0:
        return 0.0
    unit = gcd(*(back for distribution in rounds for back, _ in distribution)) or 1
    size = maximum // unit + 1
    if size > MOST_AMOUNTS:
        return None
    total = np.ones(1)
    for distribution, times in rounds.items():
        total = _times(total, convolution_power(distribution, times, size, unit), size)
    return min(1.0, float(total.sum()))


def convolution_power(distribution: ReturnDistribution, times: int, size: int, unit: int) -> Floats:
    """Return the probabilities that ``times`` rounds together return 0, 1, … ``size - 1`` units."""
    once = np.zeros(min(size, max(back for back, _ in distribution) // unit + 1))
    for back, chance in distribution:
        if back // unit < len(once):
            once[back // unit] += chance
    total = np.ones(1)
    while times:
        if times & 1:
            total = _times(total, once, size)
        if times := times >> 1:
            once = _times(once, once, size)
    return total


def _times(one: Floats, other: Floats, size: int) -> Floats:
    """Multiply two power series; keep the first ``size`` terms."""
    length = len(one) + len(other) - 1
    places = 1 << (length - 1).bit_length()
    product = np.fft.irfft(np.fft.rfft(one, places) * np.fft.rfft(other, places), places)
    return np.maximum(product[: min(size, length)], 0.0)
