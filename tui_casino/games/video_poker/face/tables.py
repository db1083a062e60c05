"""The tables of video poker: a machine for each pay table that ships."""

from __future__ import annotations

from functools import partial

from ....gamekit.seating import Seating
from ....gamekit.tables import NamedTable, Tables, fixed
from ..machine.game import Options
from ..machine.paytables import DEFAULT, load, names
from ..machine.rules import PayTable


def _machine(paytable: PayTable) -> NamedTable[Options]:
    options = Options(paytable=paytable)
    return fixed(paytable.title, partial(Seating, options))


TABLES = Tables(
    Options,
    {name: _machine(load(name)) for name in names()},
    usual=DEFAULT,
    title="Pay table",
    round="hand",
    again=False,
    describe=lambda options, players: options.paytable.title,
)
