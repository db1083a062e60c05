"""The screen of baccarat: its view, tables, keys, panel and pages."""

from typing import TYPE_CHECKING

from ....gamekit.lazy_import import LazyModule
from ....tui.table.face import Face, GamePages
from ....tui.table.snapshot import FiguresPage
from .advice import next_coup
from .pages import PANEL, statistics
from .table_catalog import TABLES
from .table_view import BaccaratView
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
  F4      choose another table: decks, commission

Five roads record the results. The bead plate lists every coup. The big
road begins a new column when the winner changes. Three roads are derived
from it: EYE (the big eye boy), SMALL (the small road) and ROACH (the
cockroach pig). They compare a column with the one before it, with the
second before it and with the third: red if the shoe repeats a pattern,
blue if it does not. P and B next to a road: the mark that it gets if
Player or Banker wins the next coup. The roads do not predict the next
coup."""

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
