"""The parts of the toy game that the screen uses."""

from tui_casino.tui.table.face import Face

from .table_catalog import TABLES
from .table_view import ToyView

FACE = Face(ToyView, TABLES, "  space   ante; keep the card")
