"""The odds of baccarat in pictures: who wins a coup, and what each bet costs."""

from __future__ import annotations

from collections.abc import Iterator

from ....tui.draw.plots import share_bars
from ..brains.odds import full_shoe, odds_of
from .panel import BaccaratGlance
from .report import OUTCOMES, SPOTS

WIDTH = 52


def odds_page(glance: BaccaratGlance) -> Iterator[str]:
    """Tell the odds of the first coup of the table's shoe."""
    decks, commission = glance.view.options.decks, glance.view.options.commission
    if not decks:
        yield "This shoe is known: there are no odds."
        return
    odds = odds_of(full_shoe(decks))
    yield f"The first coup of {decks} deck{'s' * (decks > 1)}"
    chances = [(spot.label, float(odds.chance(spot))) for spot in OUTCOMES]
    yield from share_bars(
        ((name, share, f"{share:.4%}") for name, share in chances), WIDTH, glance.plain
    )
    yield ""
    yield "What the house keeps of each bet"
    edges = [(spot.label, float(odds.edge(spot, commission=commission))) for spot in SPOTS]
    yield from share_bars(
        ((name, edge, f"{edge:.4%}") for name, edge in edges), WIDTH, glance.plain
    )
