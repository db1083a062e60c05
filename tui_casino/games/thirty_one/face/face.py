"""The screen definition of Hit Me: its view, tables, keys, pages and windows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from textual.screen import Screen

from ....gamekit.lazy_import import LazyModule
from ....tui.table.face import AdviceSettings, Face, GamePages
from .advice import advice_lines
from .lab_screen import LabScreen
from .pages import COUNT_NAMES, decision_cards, figures, statistics
from .table_catalog import TABLES
from .table_view import ThirtyOneView

if TYPE_CHECKING:
    from . import odds_page  # late: needs numpy
else:
    odds_page = LazyModule(".odds_page", __package__)

KEYS = """\
  space   the next step: bet, hit, or stand on a 14
  1 to 5  bet 20, 50, 100, 150 or 200; arrows: 10 more or less
  t       the trainer: strategy chart, EV and cost of each choice
  g       with the trainer: guess first, then see the answer
  c       the chart's other page: pairs
  l       the rules lab: change rules and see the house edge
  F4      other house rules, or known cards from a file
  F6      the dealer simulation"""


def _battle() -> type[Screen[Any]]:
    from .battle_screen import BattleScreen  # late: needs numpy

    return BattleScreen


FACE = Face(
    ThirtyOneView,
    TABLES,
    KEYS,
    pages=GamePages(
        statistics,
        figures,
        odds_page.odds_page,
        windows={"dealer simulation": _battle, "rules lab": lambda: LabScreen},
        count_names=COUNT_NAMES,
    ),
    advice=AdviceSettings({"a": lambda snapshot: advice_lines(snapshot.view)}),
    decision_cards=decision_cards,
)
