"""The table of the toy."""

from __future__ import annotations

from functools import partial

from tui_casino.gamekit.seating import Seating
from tui_casino.gamekit.tables import Tables, fixed

from ..machine.game import SEATS, Options

_SIT = partial(Seating, Options(), players={SEATS[0]: None, SEATS[1]: "keeper"})
TABLES = Tables(Options, {"usual": fixed("Against the keeper", _SIT)}, usual="usual")
