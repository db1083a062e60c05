"""The tables of five-card draw: what is played for, and how many opponents sit there."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from ....gamekit.seating import Seating
from ....gamekit.tables import NamedTable, Tables, fixed
from ....records.header import HUMAN
from ..brains.players import MIXED, NAMES, seats_of
from ..machine.rules import MOST_OPPONENTS
from ..machine.state import Options, Stakes

USUAL = Stakes.ANTE
_STAKES = {
    Stakes.ANTE: "An ante of 5",
    Stakes.LIMIT: "Fixed limit 10 and 20",
    Stakes.NOTHING: "For nothing",
}

_SHORT = {Stakes.ANTE: "ante 5", Stakes.LIMIT: "limit 10/20", Stakes.NOTHING: "for nothing"}


def _table(stakes: Stakes, opponents: int) -> NamedTable[Options]:
    title = f"{_STAKES[stakes]}, {opponents} opponent{'s' if opponents > 1 else ''}"
    options = Options(opponents=opponents, stakes=stakes)
    players = seats_of(opponents, MIXED)
    return fixed(title, partial(Seating, options, players=players))


def _described(options: Options, players: Sequence[str]) -> str:
    others = [NAMES[seat] for seat, name in enumerate(players) if name != HUMAN]
    return f"{_SHORT[options.stakes]}, {' '.join(others)}"


TABLES = Tables(
    Options,
    {
        f"{stakes.value}-{opponents}": _table(stakes, opponents)
        for stakes in _STAKES
        for opponents in range(1, MOST_OPPONENTS + 1)
    },
    usual=f"{USUAL.value}-{MOST_OPPONENTS}",
    round="hand",
    describe=_described,
)
