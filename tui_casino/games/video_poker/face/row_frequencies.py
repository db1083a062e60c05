"""The column next to the pay table: how often each row hits."""

from __future__ import annotations

from fractions import Fraction

from ..brains.adviser import RankedHold
from ..machine.rules import PayTable
from .tally import Tally
from .widgets.pay_table import FrequencyCell, FrequencyColumn

CHANCE, HITS = "chance", "hits"
LEAST = 0.0005
"""The share, in %, below which three decimals would show ``0.000%``."""


def hold_frequencies(hold: RankedHold) -> FrequencyColumn:
    """Return the chance of each row after a hold, and the credits that it adds to the EV.

    A full bar stands for certainty, so that bars of different hands can be compared.
    """
    distribution = hold.outcomes
    return FrequencyColumn(
        CHANCE,
        tuple(
            FrequencyCell(per_cent(share), float(share), f"{float(share * pay):,.2f}")
            if (share := Fraction(count, distribution.total))
            else None
            for pay, count in zip(distribution.pays[:-1], distribution.counts[:-1], strict=True)
        ),
    )


def sitting_frequencies(tally: Tally, paytable: PayTable) -> FrequencyColumn:
    """Return how often each row has hit in this session."""
    counts = [tally.counts[row.name] for row in paytable.rows]
    every = sum(counts) or 1
    cells = (FrequencyCell(f"{count:,}", count / every) if count else None for count in counts)
    return FrequencyColumn(HITS, tuple(cells))


def per_cent(share: Fraction) -> str:
    """Format a share with few digits, more for small ones: ``19.1%``, ``0.012%``, ``1 in 1.2M``."""
    value = 100 * float(share)
    if 0 < value < LEAST:
        every = round(1 / share)
        return f"1 in {every / 1e6:.1f}M" if every >= 1e6 else f"1 in {round(every / 1e3)}k"
    if share == 1:
        return "100%"
    digits = 1 if value >= 1 else 2 if value >= 0.1 else 3
    return f"{value:.{digits}f}%"
