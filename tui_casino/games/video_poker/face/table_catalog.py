"""The tables of video poker: one machine for each built-in pay table."""

from __future__ import annotations

from functools import partial

from ....gamekit.table_catalog import NamedTable, TableCatalog, TableSetup, fixed_table
from ..machine.game import Options
from ..machine.paytables import DEFAULT, load, names
from ..machine.rules import PayTable

RETURNS = {
    "double-bonus-10-6": "98.88%",
    "double-bonus-10-7": "100.17%",
    "double-bonus-9-6": "97.81%",
    "jacks-or-better-8-5": "97.30%",
    "jacks-or-better-9-6": "99.54%",
}
"""The return of each built-in table with perfect play and 5 coins.

They are constants because computing all of them takes a second.
"""


def _machine(name: str) -> NamedTable[Options]:
    options = Options(paytable=load(name))
    return fixed_table(options.paytable.title, partial(TableSetup, options), RETURNS.get(name, ""))


TABLES = TableCatalog(
    Options,
    {name: _machine(name) for name in names()},
    default=DEFAULT,
    title="Returns for bets of 5 credits",
    round="hand",
    reseat=False,
    describe=lambda options, players: options.paytable.title,
)


def return_of(paytable: PayTable) -> str:
    """Return the return of a built-in pay table, such as ``99.54%``; "" for any other table."""
    if paytable.name not in RETURNS:
        return ""
    ships = TABLES.setup(paytable.name).options.paytable
    return RETURNS.get(paytable.name, "") if paytable == ships else ""
