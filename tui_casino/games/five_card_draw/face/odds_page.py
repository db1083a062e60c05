"""The odds of five-card draw as bar charts: hands as dealt, and after the draw."""

from __future__ import annotations

from collections.abc import Iterator

from ....cards.poker import HandCategory
from ....tui.draw.plots import share_bars
from ..brains.odds import after_the_algorithm, before_the_draw
from .panel import DrawSnapshot

WIDTH = 52


def odds_page(snapshot: DrawSnapshot) -> Iterator[str]:
    """Tell how often each category comes, exactly; the same at every table."""
    charts = (
        ("Dealt", before_the_draw()),
        ("After the draw of the course's algorithm", after_the_algorithm()),
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
    yield "tui-casino odds five-card-draw has the counts."
