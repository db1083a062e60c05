"""The tables of baccarat: the number of decks, and the pay of Banker."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from ....gamekit.table_catalog import NamedTable, TableCatalog, TableSetup, fixed_table
from ..machine.rules import DECKS, Options

_RULES = {True: ("commission", "5% commission"), False: ("free", "Banker pays half on 6")}


def rules_text(options: Options, players: Sequence[str] = ()) -> str:
    """Return the rules of a table in a few words."""
    decks = f"{options.decks} deck{'s' if options.decks > 1 else ''}" if options.decks else "known"
    return f"{decks}, {_RULES[options.commission][1]}"


def _table(decks: int, commission: bool) -> NamedTable[Options]:
    options = Options(decks=decks, commission=commission)
    return fixed_table(rules_text(options), partial(TableSetup, options))


TABLES = TableCatalog(
    Options,
    {f"{decks}-{_RULES[rule][0]}": _table(decks, rule) for decks in DECKS for rule in _RULES},
    default=f"{DECKS[0]}-commission",
    round="coup",
    describe=rules_text,
)
