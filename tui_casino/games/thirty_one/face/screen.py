"""Hit me on the screen: all that the shared screen needs."""

from __future__ import annotations

from ....tui.table.face import Face
from .advice import advice_lines
from .panel import PANEL, figures
from .statistics import statistics
from .tables import TABLES
from .view import ThirtyOneView

KEYS = """\
  space   the next thing to do: deal, hit, stand on a 14
  1 to 5  a bet of 20, 50, 100, 150, 200; arrows: 10 more or less
  o       the odds: each choice, and what the dealer ends on
  t       the trainer: tells what a mistake cost
  F2      statistics, as :stats
  F4      another house, or known cards from a file"""

FACE = Face(
    ThirtyOneView,
    TABLES,
    KEYS,
    PANEL,
    statistics=statistics,
    figures=figures,
    trains=True,
    answers={"a": lambda glance: advice_lines(glance.view)},
)
