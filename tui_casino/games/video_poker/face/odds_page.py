"""The odds of a table in pictures: how often each row pays, and how long a bankroll lasts."""

from __future__ import annotations

from collections.abc import Iterator

from ....cards.draw_odds import TOTAL_WEIGHT
from ....tui.draw.plots import plot, share_bars
from ..brains.odds import odds_of
from ..brains.ruin import ruin_chance, survival_chances
from .hold_advice import HandGlance
from .risk import HANDS

WIDTH, ROWS = 52, 7
BANKROLLS = (100, 200, 500, 1_000, 2_000)
"""Bets of which it is told how surely they are lost, ever."""


def odds_page(glance: HandGlance) -> Iterator[str]:
    """Tell what best play of the table brings at the bet of this moment."""
    table, coins = glance.view.options.paytable, glance.view.coins or 1
    optimum = odds_of(table, coins).report("optimal")
    yield f"{table.title}, {coins} coin{'s' * (coins > 1)}"
    yield f"Best play returns {float(optimum.expected_return):.4%}"
    yield ""
    yield "How often each row pays, of rounds by the best play"
    rows_and_pays = zip(optimum.rows, optimum.pays, optimum.counts, strict=True)
    rows = [(row, count) for row, pay, count in rows_and_pays if pay]
    bars = ((row, count / TOTAL_WEIGHT, f"{count / TOTAL_WEIGHT:.4%}") for row, count in rows)
    yield from share_bars(bars, WIDTH, glance.plain)
    try:
        lasts = [float(chance) for chance in survival_chances(optimum, HANDS)[: HANDS + 1]]
        ever = [(bets, ruin_chance(optimum, bets)) for bets in BANKROLLS]
    except ValueError:  # a table of one's own that does not pay whole bets
        return
    yield ""
    yield f"Chance that a bankroll lasts {HANDS:,} hands, percent"
    yield from plot([100 * chance for chance in lasts], WIDTH, ROWS, glance.plain, floor=0.0)
    yield f"{'0 bets':<{WIDTH - 12}}{f'{HANDS:,} bets':>12}"
    if optimum.expected_return <= 1:  # then all are lost some day
        return
    yield ""
    yield "Chance that all bets are lost, ever"
    yield from share_bars(
        ((f"{n:,} bets", chance, f"{chance:.2%}") for n, chance in ever), WIDTH, glance.plain
    )
