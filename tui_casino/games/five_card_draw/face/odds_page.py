"""The odds of five-card draw as bar charts: hands as dealt, and hands after the draw."""

from __future__ import annotations

from collections.abc import Iterator

from ....cards.poker import HandCategory
from ....tui.draw.plots import share_bars
from ..brains.odds import after_the_algorithm, before_the_draw
from .panel import DrawSnapshot

WIDTH = 52


def odds_page(snapshot: DrawSnapshot) -> Iterator[str]:
    """Yield bar charts of the exact chance of each hand category; they fit every table."""
    charts = (
        ("Dealt", before_the_draw()),
        ("After the algorithm's draw", after_the_algorithm()),
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
