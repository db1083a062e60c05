"""The statistics page of video poker: the classic table, and the share of every row."""

from __future__ import annotations

from functools import partial

from ....tui.draw.glyphs import capitalize
from ....tui.table.snapshot import ReferenceLines, StatisticsPage
from ..brains.lazy import bankroll_bands, odds
from ..machine.rules import MAX_COINS, NOTHING, PayTable
from .hold_advice import HandGlance
from .risk import risk_lines
from .tally import Tally, row_in_words, table

POINTS = 16
"""The number of steps in which the bankroll bands are worked out."""


def statistics(glance: HandGlance) -> StatisticsPage:
    """Return the hits of each row, the hits expected with perfect play, and the bankroll bands."""
    tally, view = glance.tally, glance.view
    paytable = view.options.paytable
    return StatisticsPage(
        counts=table(tally, view.credit, paytable),
        expected=partial(_expected, glance),
        report=tally.report(),
        columns=(49, 80),
        bands=partial(_bands, tally, paytable) if tally.rounds else None,
    )


def _expected(glance: HandGlance) -> str:
    tally, journal, view = glance.tally, glance.totals, glance.view
    cost = journal.cost / tally.wagered if journal.choices and tally.wagered else None
    paytable, coins = view.options.paytable, view.coins or MAX_COINS
    return "\n".join([_shares(tally, paytable), *risk_lines(paytable, coins, view.credit, cost)])


def _bands(tally: Tally, paytable: PayTable, rounds: int) -> ReferenceLines:
    """Return the bankroll bands of perfect play at the session's average bet."""
    coins = max(1, min(MAX_COINS, round(tally.wagered / tally.rounds)))
    hands = [round(rounds * place / POINTS) for place in range(POINTS + 1)]
    try:
        bands = bankroll_bands.bankroll_bands(
            odds.odds_of(paytable, coins).report("optimal"), hands
        )
    except ValueError:
        return ReferenceLines((), "")
    lines = tuple(zip(*bands, strict=True))
    return ReferenceLines(lines, "(dotted: 5%, 50%, 95% of results are lower)")


def _shares(tally: Tally, paytable: PayTable) -> str:
    """List the share of every row next to its exact probability."""
    optimum = odds.odds_of(paytable, MAX_COINS).report("optimal")
    counts, rounds = tally.counts, tally.rounds
    lines = [f"{'Row':<20}{'hits':>8}{'share':>10}{'expected':>11}"]
    for row, count in optimum.hands.items():
        share = f"{100 * counts[row] / rounds:.3f}%" if rounds else "-"
        name = capitalize(row_in_words(row)) if row != NOTHING else "Nothing"
        lines.append(f"{name:<20}{counts[row]:>8,}{share:>10}{100 * count / optimum.total:>10.4f}%")
    lines.append("Expected: perfect play with 5 coins")
    return "\n".join(lines)
