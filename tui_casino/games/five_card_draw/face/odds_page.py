"""The odds of five-card draw: GTO charts at the limit table, and bar charts of hands."""

from __future__ import annotations

from collections.abc import Iterator

from ....cards.poker import HandCategory
from ....tui.draw.plots import share_bars
from ..brains.odds import after_the_algorithm, before_the_draw
from ..machine.state import Stakes
from .gto_chart_text import charts_before_draw
from .pages import DrawSnapshot

WIDTH = 52


def odds_page(snapshot: DrawSnapshot) -> Iterator[str]:
    """Yield the GTO charts before the draw, if there are bets, and the chances of each category."""
    if snapshot.view.options.stakes is Stakes.LIMIT:
        yield from charts_before_draw(snapshot.view.options.opponents)
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
