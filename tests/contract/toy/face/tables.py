"""The table of the toy."""

from __future__ import annotations

from tui_casino.gamekit.seating import Seating
from tui_casino.gamekit.tables import NamedTable, Tables
from tui_casino.inputs.files import GivenPath

from ..machine.game import SEATS, Options

_PLAYERS = {SEATS[0]: None, SEATS[1]: "keeper"}


def _sit(now: Options, file: GivenPath) -> Seating:
    return Seating(Options(), players=_PLAYERS)


TABLES = Tables(Options, {"usual": NamedTable("Against the keeper", _sit)}, usual="usual")
