"""Cribbage on the screen: its view, its pages and its panel."""

from typing import TYPE_CHECKING

from ....gamekit.lazy_import import LazyModule
from ....tui.table.face import AdviceSettings, Face, GamePages
from .pages import PANEL, answer, decision_cards, figures, statistics
from .table_catalog import TABLES
from .table_view import WEIGHING_MESSAGE, CribbageView

if TYPE_CHECKING:
    from . import odds_page  # numpy, late
else:
    odds_page = LazyModule(".odds_page", __package__)

KEYS = """\
  space    do the main action in the hint line
  1 to 6   mark a card for the crib, or play it; a click marks a card,
           during the play a double-click plays it
  t        trainer: show the EV of each choice before you make it
  up down  with the trainer: look through the discards, best first
  o        odds: show the EV and cost of each choice now
  v        the log so far
  F4       another table: the trainer or a game, other opponents
  F5       the same cards again; space after the end: new cards"""

FACE = Face(
    CribbageView,
    TABLES,
    KEYS,
    PANEL,
    GamePages(figures=figures, odds=odds_page.odds_page, statistics=statistics),
    AdviceSettings({"a": answer}, WEIGHING_MESSAGE),
    decision_cards=decision_cards,
)
