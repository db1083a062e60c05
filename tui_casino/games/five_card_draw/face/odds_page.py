"""The odds of five-card draw: GTO charts at the limit table, and bar charts of hands."""

from __future__ import annotations

from collections.abc import Iterator

from ....cards.poker import HandCategory
from ....tui.draw.plots import share_bars
from ..brains.equilibrium.betting_tree import SEATS
from ..brains.gto_chart import GtoChart, Spot, group_frequencies
from ..brains.odds import after_the_algorithm, before_the_draw
from ..machine.state import Phase, Stakes
from .gto_chart_text import table_rows
from .panel import DrawSnapshot

WIDTH = 52
MARK = 2
"""The columns of the mark before the group of your hand."""
DECISIONS = {
    "": "First to act",
    "k": "After a check",
    "b": "Facing a bet",
    "kb": "After check, bet",
    "br": "After bet, raise",
}


def odds_page(snapshot: DrawSnapshot) -> Iterator[str]:
    """Yield the GTO charts before the draw, if there are bets, and the chances of each category."""
    if snapshot.view.options.stakes is Stakes.LIMIT:
        yield from _gto_charts(snapshot.view.options.opponents)
    charts = (
        ("Dealt", before_the_draw()),
        ("After a draw by the classic algorithm", after_the_algorithm()),
    )
    for title, chances in charts:
        yield title
        rows = [
            (one.words.capitalize(), float(chances.chance(one))) for one in reversed(HandCategory)
        ]
        yield from share_bars(
            ((name, share, f"{share:.4%}") for name, share in rows), WIDTH, snapshot.plain
        )
        yield ""
    yield "tui-casino odds five-card-draw prints the exact counts."


def _gto_charts(opponents: int) -> Iterator[str]:
    """Yield the charts of the most common decisions before the draw."""
    yield "The GTO level before the draw, two players"
    if opponents > 1:
        yield f"Against {opponents} opponents this is only roughly right."
    for acts, when in DECISIONS.items():
        spot = Spot(Phase.OPENING, len(acts) % len(SEATS), acts)
        heads, *rows = table_rows(GtoChart(spot, group_frequencies(spot)))
        yield ""
        yield f"{when}{heads[len(when) + MARK :]}"
        yield from (row[MARK:] for row in rows)
    yield ""
