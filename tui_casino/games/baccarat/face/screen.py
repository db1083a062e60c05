"""What baccarat gives to the screen."""

from ....tui.table.face import Face
from .panel import PANEL
from .statistics import statistics
from .tables import TABLES
from .view import BaccaratView

KEYS = """\
  space   deal; begin the next shoe
  1 to 5  put a chip on Player, Banker, Tie, Player pair, Banker pair
  + and - a larger or smaller chip
  v       view all five roads
  F2      statistics
  F4      another table: decks, commission"""

FACE = Face(BaccaratView, TABLES, KEYS, PANEL, statistics)
