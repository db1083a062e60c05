"""The statistics page of video poker: the course's table beside the share of every row."""

from __future__ import annotations

from functools import partial

from ....tui.table.glance import StatisticsPage
from ..machine.rules import MAX_COINS, NOTHING, PayTable
from .figures import HandGlance
from .tally import Tally, table


def statistics(glance: HandGlance) -> StatisticsPage:
    """Say how often each row came, and how often it should with the best play."""
    tally, paytable = glance.tally, glance.view.options.paytable
    return StatisticsPage(
        counts=table(tally, glance.view.credit, paytable),
        expected=partial(_shares, tally, paytable),
        report=tally.report(),
        columns=(49, 80),
    )


def _shares(tally: Tally, paytable: PayTable) -> str:
    """Give the share of every row, and the one that the exact odds expect."""
    from ..brains.odds import odds_of  # numpy, late

    found = odds_of(paytable, MAX_COINS).report("optimal")
    counts, rounds = tally.counts, tally.rounds
    lines = [f"{'Row':<20}{'came':>8}{'share':>10}{'expected':>11}"]
    for row, count in found.hands.items():
        share = f"{100 * counts[row] / rounds:.3f}%" if rounds else "-"
        name = row.capitalize() if row != NOTHING else "Nothing"
        lines.append(f"{name:<20}{counts[row]:>8,}{share:>10}{100 * count / found.total:>10.4f}%")
    lines.append("Expected: best play with 5 coins")
    return "\n".join(lines)
