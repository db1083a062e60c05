"""The screen of baccarat: its view, tables, keys, panel and pages."""

from typing import TYPE_CHECKING

from ....gamekit.lazy_import import LazyModule
from ....tui.table.face import Face, GamePages
from ....tui.table.snapshot import FiguresPage
from .advice import next_coup
from .panel import PANEL
from .statistics_page import statistics
from .table_catalog import TABLES
from .view import BaccaratView
from .widgets.roads import RoadsPage

if TYPE_CHECKING:
    from . import odds_page  # late: loads numpy
else:
    odds_page = LazyModule(".odds_page", __package__)

KEYS = """\
  space   deal with the bets on the table; begin the next shoe
  d       deal, with or without a bet
  1 to 5  bet a chip on Player, Banker, Tie, Player pair, Banker pair
  + and - choose a larger or smaller chip
  v       show all five roads
  F4      choose another table: decks, commission"""

FACE = Face(
    BaccaratView,
    TABLES,
    KEYS,
    PANEL,
    GamePages(
        statistics,
        lambda glance: FiguresPage("The next coup", tuple(next_coup(glance.view))),
        odds_page.odds_page,
        windows={"the roads": lambda: RoadsPage},
    ),
)
