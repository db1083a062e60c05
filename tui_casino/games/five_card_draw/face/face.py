"""The screen definition of five-card draw: its view, tables, keys, panel and pages."""

from typing import TYPE_CHECKING

from ....gamekit.lazy_import import LazyModule
from ....tui.table.face import AdviceSettings, Face, GamePages
from .panel import PANEL, answer, figures
from .statistics_page import statistics
from .table_catalog import TABLES
from .view import FiveCardDrawView

if TYPE_CHECKING:
    from . import odds_page  # late: needs numpy
else:
    odds_page = LazyModule(".odds_page", __package__)

KEYS = """\
  space    the next step: deal, check or call, draw
  1 to 5   mark or unmark a card to discard
  o        chances of the final hand and of winning, for the marked cards
  t        the trainer: chances to win and EV before you act
  F4       choose another table: stakes, opponents, how they play"""

FACE = Face(
    FiveCardDrawView,
    TABLES,
    KEYS,
    PANEL,
    GamePages(statistics, figures, odds_page.odds_page),
    AdviceSettings({"a": answer}, "Your hand is being analysed"),
)
