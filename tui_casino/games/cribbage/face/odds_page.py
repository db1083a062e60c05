"""The odds of cribbage in pictures: points of hands, par, and the chance to win by the score."""

from __future__ import annotations

from collections.abc import Iterator

from ....tui.widgets.plots import plot, shares
from ..brains.odds import HANDS, odds_of
from ..brains.par import PAR, PAR_CRIB, PAR_HAND
from ..brains.winning import TARGET, winning
from ..machine.state import State

WIDTH, ROWS = 52, 7
OTHERS = (30, 60, 90)
"""Scores of the other at which the chance to win is drawn."""


def odds_page(view: State, plain: bool) -> Iterator[str]:
    """Tell what hands bring by the rules of the table, and what a score is worth to 121."""
    rules = view.options.rule_set
    odds = odds_of(rules).hand
    yield f"Points of four cards with a starter, {rules.name} rules"
    counts = sorted(odds.counts.items())
    yield from shares(((f"{n}", c / HANDS, f"{c / HANDS:.4%}") for n, c in counts), WIDTH, plain)
    yield f"on average {float(odds.mean):.3f}"
    yield ""
    yield "Par, with good discards"
    yield f"  a hand {PAR_HAND}, a crib of one's own {PAR_CRIB}"
    yield f"  as dealer hand and crib {PAR[True]}"
    yield f"  else the hand less the other's crib {PAR[False]}"
    figures = winning()
    for other in OTHERS:
        yield ""
        yield f"Dealer's chance to win, the other at {other}, percent"
        chances = [100 * figures.chance(mine, other, True) for mine in range(TARGET)]
        yield from plot(chances, WIDTH, ROWS, plain, least=0.0)
        yield f"{'at 0':<{WIDTH - 8}}{f'at {TARGET - 1}':>8}"
