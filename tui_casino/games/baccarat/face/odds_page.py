"""Charts of the odds of baccarat: the outcomes of a coup, and the house edge of each bet."""

from __future__ import annotations

from collections.abc import Iterator

from ....inputs.numbers import count_noun
from ....tui.draw.plots import share_bars
from ..brains.odds import odds_of, rank_counts
from .odds_report import OUTCOMES, SPOTS
from .pages import BaccaratGlance

WIDTH = 52


def odds_page(glance: BaccaratGlance) -> Iterator[str]:
    """Chart the odds of the first coup from the table's shoe."""
    options = glance.view.options
    decks = options.decks
    if not decks:
        yield "All cards of this shoe are known, so there are no odds."
        return
    odds = odds_of(rank_counts(options.pack))
    yield f"Outcomes of the first coup from {count_noun(decks, 'deck')}"
    chances = [(spot.label, float(odds.chance(spot))) for spot in OUTCOMES]
    yield from share_bars(
        ((name, share, f"{share:.4%}") for name, share in chances), WIDTH, glance.plain
    )
    yield ""
    yield "House edge: the share of each bet that the house keeps"
    edges = [(spot.label, float(odds.edge(spot, options))) for spot in SPOTS]
    yield from share_bars(
        ((name, edge, f"{edge:.4%}") for name, edge in edges), WIDTH, glance.plain
    )
