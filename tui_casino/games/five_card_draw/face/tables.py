"""The tables of five-card draw: what is played for, how many opponents sit there, how they play."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from ....gamekit.seating import Seating
from ....gamekit.tables import First, NamedTable, Tables, fixed
from ....records.header import HUMAN
from ..brains.players import LEVELS, MIXED, NAMES, seats_of
from ..machine.rules import MOST_OPPONENTS
from ..machine.state import Options, Stakes

USUAL = Stakes.ANTE
_STAKES = {
    Stakes.ANTE: "An ante of 5",
    Stakes.LIMIT: "Fixed limit 10 and 20",
    Stakes.NOTHING: "For nothing",
}
_LEVELS = {
    MIXED: "Mixed: each plays differently",
    "algorithm": "By the algorithm: they draw by rule and bet often",
    "tight": "Tight: they bet good hands only",
    "exact": "Exact: tight, and they draw for the best odds",
}


def _sitting(options: Options, level: str) -> Seating[Options]:
    return Seating(options, players=seats_of(options.opponents, level))


_SHORT = {Stakes.ANTE: "ante 5", Stakes.LIMIT: "limit 10/20", Stakes.NOTHING: "for nothing"}


def _table(stakes: Stakes, opponents: int) -> NamedTable[Options]:
    title = f"{_STAKES[stakes]}, {opponents} opponent{'s' if opponents > 1 else ''}"
    options = Options(opponents=opponents, stakes=stakes)
    levels = {
        level: fixed(_LEVELS.get(level, level), partial(_sitting, options, level))
        for level in (MIXED, *LEVELS)
    }
    ways = Tables(Options, levels, usual=MIXED, title="How they play", round="hand")
    return replace(levels[MIXED], title=title, ways=ways)


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
    first=First(
        "How many opponents?",
        {
            f"{USUAL.value}-{count}": f"{count} opponent{'s' * (count > 1)}"
            for count in range(1, MOST_OPPONENTS + 1)
        },
    ),
    describe=_described,
)
