"""The screen of video poker: its view, tables, keys, panel and pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....gamekit.adviser import ValuesScope
from ....gamekit.lazy_import import LazyModule
from ....tui.table.face import AdviceSettings, Face, GamePages
from .hold_advice import advice, figures
from .pages import PANEL, decision_cards, statistics
from .table_catalog import TABLES
from .table_view import VideoPokerView

if TYPE_CHECKING:
    from . import odds_page  # late: loads numpy
else:
    odds_page = LazyModule(".odds_page", __package__)

KEYS = """\
  space   bet and deal, or draw
  1 to 5  hold or release a card; between rounds, choose the bet
  + and - change the bet
  p       the pay table, if the window is too small to show it
  t       trainer: shows chances and the best holds, and warns
          you before a mistake
  o       the EV of all 32 holds
  F2      statistics
  F4      choose another pay table"""

FACE = Face(
    VideoPokerView,
    TABLES,
    KEYS,
    PANEL,
    GamePages(statistics, figures, odds_page.odds_page),
    AdviceSettings({"a": advice}, values=ValuesScope.OF_ALL),
    decision_cards=decision_cards,
)
