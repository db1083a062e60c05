"""Charts of a pay table's odds: how often each row pays, and how long a bankroll lasts."""

from __future__ import annotations

from collections.abc import Iterator

from ....cards.draw_odds import TOTAL_WEIGHT
from ....tui.draw.plots import plot, share_bars
from ..brains.bankroll import ruin_chance, survival_chances
from ..brains.odds import odds_of
from .hold_advice import HandGlance
from .risk import HANDS

WIDTH, ROWS = 52, 7
BANKROLLS = (100, 200, 500, 1_000, 2_000)
"""The bankrolls, in bets, whose risk of ruin is listed."""


def odds_page(glance: HandGlance) -> Iterator[str]:
    """Chart the odds of perfect play at the present bet."""
    table, coins = glance.view.options.paytable, glance.view.coins or glance.view.last
    optimum = odds_of(table, coins).report("optimal")
    yield f"{table.title}, bet {coins}"
    yield f"Perfect play returns {float(optimum.expected_return):.4%} of each bet"
    yield ""
    yield "Share of rounds that each row pays, with perfect play"
    rows_and_pays = zip(optimum.rows, optimum.pays, optimum.counts, strict=True)
    rows = [(row, count) for row, pay, count in rows_and_pays if pay]
    bars = ((row, count / TOTAL_WEIGHT, f"{count / TOTAL_WEIGHT:.4%}") for row, count in rows)
    yield from share_bars(bars, WIDTH, glance.plain)
    try:
        lasts = [float(chance) for chance in survival_chances(optimum, HANDS)[: HANDS + 1]]
        ever = [(bets, ruin_chance(optimum, bets)) for bets in BANKROLLS]
    except ValueError:  # a player's own table may pay fractions of a bet
        return
    yield ""
    yield f"Chance, in %, that a bankroll lasts {HANDS:,} hands"
    yield from plot([100 * chance for chance in lasts], WIDTH, ROWS, glance.plain, floor=0.0)
    yield f"{'0 bets':<{WIDTH - 12}}{f'{HANDS:,} bets':>12}"
    if optimum.expected_return <= 1:  # then every bankroll is lost in the long run
        return
    yield ""
    yield "Risk of ruin: chance of ever losing the bankroll"
    yield from share_bars(
        ((f"{n:,} bets", chance, f"{chance:.2%}") for n, chance in ever), WIDTH, glance.plain
    )
