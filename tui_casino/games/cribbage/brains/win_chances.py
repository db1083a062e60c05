"""The shipped chances to win at cribbage from any score, for two players with the same policy.

`bulk_play` describes the policy. `tests/build_data/cribbage/win_chances.py` calculates the counts
and the chances, and writes the file.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from ....cards.memo import memoize
from ..machine.rules import ACC

Floats: TypeAlias = npt.NDArray[np.float64]
Integers: TypeAlias = npt.NDArray[np.int64]

TARGET = ACC.target
UNIT = 100_000
"""Shipped chances are integers in units of 1/100,000."""
FILE = Path(__file__).parents[1] / "data" / "winning.json"
SIZE = 128
"""The length of each axis of the tables: more points than either player can score in a deal."""

TABLES = (
    "dealer_reaches",
    "pone_reaches",
    "play",
    "pone_shown",
    "dealer_first",
    "all_shown",
)


class DealOutcomes(Struct, frozen=True):
    """The number of cases (a deal with a starter) by the dealer's points, then the pone's points.

    ``play`` contains the points after the play, including his heels; ``pone_shown`` adds the pone's
    hand; ``all_shown`` contains the points at the end of the deal. ``dealer_first`` is ``play``
    plus the dealer's hand, as if it were counted before the pone's.

    The first index of ``dealer_reaches`` is a number of points that the dealer reaches in the play,
    the second the points of the pone at that moment. In ``pone_reaches`` the roles are swapped. All
    tables have the same shape.
    """

    dealer_reaches: Integers
    pone_reaches: Integers
    play: Integers
    pone_shown: Integers
    dealer_first: Integers
    all_shown: Integers

    @property
    def cases(self) -> int:
        """The number of cases: each deal is counted once with each possible starter."""
        return int(self.play.sum())

    def __add__(self, other: DealOutcomes) -> DealOutcomes:
        return DealOutcomes(*(getattr(self, name) + getattr(other, name) for name in TABLES))


class WinChances(Struct, frozen=True):
    """The deal outcomes, and the dealer's chance to win, indexed by the dealer's and pone's scores.

    ``deals`` is the number of deals played, each counted with every starter. ``error`` is the
    largest standard error of all chances.
    """

    chances: Floats
    outcomes: DealOutcomes
    deals: int
    error: float

    def chance(self, score: int, other: int, dealer: bool) -> float:
        """Return the chance to win at a score, as the next dealer or as pone.

        Raises ``ValueError`` for a score at which the game is over.
        """
        for points in (score, other):
            if not 0 <= points < TARGET:
                raise ValueError(f"a score during the game is 0 to {TARGET - 1}, not {points}")
        return float(self.chances[score, other] if dealer else 1 - self.chances[other, score])


@memoize()
def shipped_win_chances() -> WinChances:
    """Read the shipped chances to win."""
    read = json.loads(FILE.read_text(encoding="utf-8"))
    outcomes = DealOutcomes(*(_square(read["counts"][name]) for name in TABLES))
    win = np.array(read["win"]) / UNIT
    return WinChances(win, outcomes, read["deals"], read["error"])


def _square(rows: Sequence[Sequence[int]]) -> Integers:
    table = np.zeros((SIZE, SIZE), np.int64)
    table[: len(rows), : len(rows[0])] = rows
    return table


def trim_table(table: Integers) -> Integers:
    """Return the table without the empty rows and columns at its end."""
    rows, columns = np.argwhere(table).max(axis=0) + 1
    return table[:rows, :columns]
