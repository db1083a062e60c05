"""The screen definition of five-card draw: its view, tables, keys, panel and pages."""

from typing import TYPE_CHECKING

from ....gamekit.adviser import ValuesScope
from ....gamekit.lazy_import import LazyModule
from ....tui.table.face import AdviceSettings, Face, GamePages
from .pages import PANEL, answer, decision_cards, figures, statistics
from .table_catalog import TABLES
from .table_view import FiveCardDrawView

if TYPE_CHECKING:
    from . import gto_chart_page, odds_page  # late: needs numpy
else:
    gto_chart_page = LazyModule(".gto_chart_page", __package__)
    odds_page = LazyModule(".odds_page", __package__)

KEYS = """\
Hands, best first:
  straight flush   9♥ 8♥ 7♥ 6♥ 5♥
  four of a kind   7♠ 7♥ 7♦ 7♣ K♦
  full house       Q♠ Q♥ Q♦ 6♣ 6♠
  flush            A♦ J♦ 8♦ 4♦ 3♦
  straight         9♠ 8♦ 7♦ 6♣ 5♥
  three of a kind  8♠ 8♥ 8♦ K♣ 2♠
  two pair         J♠ J♥ 4♦ 4♣ A♠
  one pair         2♦ 2♣ Q♦ 9♠ 5♠
  high card        A♣ J♠ 9♥ 6♦ 3♣

  space    the next step: deal, check or call, draw
  1 to 5   mark or unmark a card to discard
  o        chances of the final hand and of winning, for the marked cards
  t        the trainer: chances to win and EV before you act
  C        with the trainer, at fixed limit: the GTO chart of this choice
  F4       choose another table: stakes, opponents, how they play"""

FACE = Face(
    FiveCardDrawView,
    TABLES,
    KEYS,
    PANEL,
    GamePages(statistics, figures, odds_page.odds_page, gto_chart_page.chart_page),
    AdviceSettings({"a": answer}, "Your hand is being analysed", ValuesScope.OF_ALL),
    decision_cards=decision_cards,
)
