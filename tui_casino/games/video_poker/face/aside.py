"""What stands beside the rows of the pay table: how often they come."""

from __future__ import annotations

from fractions import Fraction

from ..brains.adviser import Ranked
from ..machine.rules import PayTable
from .tally import Tally
from .widgets.pay_table import Aside, Cell

CHANCE, CAME = "chance", "came"


def chances(hold: Ranked) -> Aside:
    """Give how often each row comes of a hold, and what it adds to its worth."""
    found = hold.outcomes
    paid = found.share_paid
    return Aside(
        CHANCE,
        tuple(
            Cell(per_cent(share), float(share / paid), f"{float(share * pay):,.2f}")
            if (share := Fraction(count, found.total))
            else None
            for pay, count in zip(found.pays[:-1], found.counts[:-1], strict=True)
        ),
    )


def came(tally: Tally, paytable: PayTable) -> Aside:
    """Give how often each row has come in this sitting."""
    counts = [tally.counts[row.name] for row in paytable.rows]
    every = sum(counts) or 1
    cells = (Cell(f"{count:,}", count / every) if count else None for count in counts)
    return Aside(CAME, tuple(cells))


def per_cent(share: Fraction) -> str:
    """Write a share in a few digits, small ones finer: ``19.1 %``, ``0.012 %``, ``100 %``."""
    value = 100 * float(share)
    if share == 1:
        return "100 %"
    digits = 1 if value >= 1 else 2 if value >= 0.1 else 3
    return f"{value:.{digits}f} %"
