"""What the toy gives to the screen."""

from tui_casino.tui.table.face import Face

from .table_catalog import TABLES
from .view import ToyView

FACE = Face(ToyView, TABLES, "  space   ante; keep the card")
