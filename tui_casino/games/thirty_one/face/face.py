"""Hit me on the screen: all that the shared screen needs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from textual.screen import Screen

from ....gamekit.lazy_import import LazyModule
from ....tui.table.face import AdviceSettings, Face, GamePages
from .advice import advice_lines
from .position_page import figures
from .statistics import statistics
from .tables import TABLES
from .view import ThirtyOneView

if TYPE_CHECKING:
    from . import odds_page  # numpy, late
else:
    odds_page = LazyModule(".odds_page", __package__)

KEYS = """\
  space   the next thing to do: bet, hit, stand on a 14
  1 to 5  a bet of 20, 50, 100, 150, 200; arrows: 10 more or less
  t       the trainer: the chart, what each choice is worth or cost
  g       with the trainer: guess first, see the answer afterwards
  c       the chart's other page: pairs
  l       the rules lab: switch rules, and see what the house keeps
  F4      other house rules, or known cards from a file
  F6      the battle of the dealers"""


def _battle() -> type[Screen[Any]]:
    from .battle_screen import BattleScreen  # late: numpy

    return BattleScreen


def _lab() -> type[Screen[Any]]:
    from .lab_screen import LabScreen  # late: only when its key is pressed

    return LabScreen


FACE = Face(
    ThirtyOneView,
    TABLES,
    KEYS,
    pages=GamePages(
        statistics,
        figures,
        odds_page.odds_page,
        windows={"battle of the dealers": _battle, "rules lab": _lab},
    ),
    advice=AdviceSettings({"a": lambda snapshot: advice_lines(snapshot.view)}),
)
