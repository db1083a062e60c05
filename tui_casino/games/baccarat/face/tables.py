"""The tables of baccarat: how many decks, and what Banker pays."""

from __future__ import annotations

from functools import partial

from ....gamekit.seating import Seating
from ....gamekit.tables import NamedTable, Tables, fixed
from ..machine.rules import DECKS
from ..machine.state import Options

_RULES = {True: ("commission", "5 % commission"), False: ("free", "no commission, 6 pays half")}


def _table(decks: int, commission: bool) -> NamedTable[Options]:
    title = f"{decks} deck{'s' if decks > 1 else ''}, {_RULES[commission][1]}"
    options = Options(decks=decks, commission=commission)
    return fixed(title, partial(Seating, options))


TABLES = Tables(
    Options,
    {f"{decks}-{_RULES[rule][0]}": _table(decks, rule) for decks in DECKS for rule in _RULES},
    usual=f"{DECKS[0]}-commission",
    round="coup",
)
