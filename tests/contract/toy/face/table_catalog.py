"""The table of the toy game."""

from __future__ import annotations

from functools import partial

from tui_casino.gamekit.table_catalog import TableCatalog, TableSetup, fixed_table

from ..machine.game import SEATS, Options

_SIT = partial(TableSetup, Options(), players={SEATS[0]: None, SEATS[1]: "keeper"})
TABLES = TableCatalog(Options, {"usual": fixed_table("Against the keeper", _SIT)}, default="usual")
