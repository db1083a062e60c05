"""The five roads of baccarat, as casinos draw them, and the forecast of the next marks.

A road is a tuple of cells in the order in which they were marked; it is drawn from the coups
alone, so an undone or replayed coup needs no more than another call. The bead plate holds every
coup, the big road the runs of Player and Banker. The other three are derived from the big road:
red says that the shoe repeats itself, blue that it does not. They know runs only, never where the
big road had room to draw them.

The rules are those of casino displays, as in the Wizard of Odds' account of baccarat score boards.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import count, groupby
from typing import Generic, TypeAlias, TypeVar

from ..machine.rules import Coup, CoupOutcome

ROWS = 6
"""How many rows every road has."""


class RoadColour(StrEnum):
    """What a derived road marks: red for a pattern, blue for a break. No side is meant."""

    RED = "red"
    BLUE = "blue"


@dataclass(frozen=True, slots=True)
class RoadEntry:
    """What a cell of the big road holds: the coup that was won, and the ties counted on it.

    While only ties have come there is no coup. The pairs and the natural of the coup are its own;
    those of the ties are on the bead plate.
    """

    coup: Coup | None = None
    ties: int = 0


Mark_co = TypeVar("Mark_co", covariant=True)


@dataclass(frozen=True, slots=True)
class RoadCell(Generic[Mark_co]):
    """A cell of a road and its mark; column and row count from 0, at the top left."""

    column: int
    row: int
    mark: Mark_co


Road: TypeAlias = tuple[RoadCell[Mark_co], ...]
"""Cells in the order of their marks: the last one is the newest, but not always the rightmost."""


def bead_plate(coups: Sequence[Coup]) -> Road[Coup]:
    """Draw every coup, ties as well, column by column."""
    return tuple(RoadCell(*divmod(number, ROWS), coup) for number, coup in enumerate(coups))


def big_road(coups: Sequence[Coup]) -> Road[RoadEntry]:
    """Draw the runs of Player and Banker, each in a column of its own.

    A run that finds no room below turns right and keeps to its row: a dragon tail. Ties take no
    cell but are counted on the last one; those before the first decision on the first.
    """
    return _lay_out(run for _, run in groupby(_entries(coups), _side))


def big_eye_boy(coups: Sequence[Coup]) -> Road[RoadColour]:
    """Draw the derived road that compares each run with the one before.

    All three mark an entry of the big road by the same rule. The first of a run is red if the
    finished run and the one that it is compared with are equally long, else blue. Any other is
    blue if the run that it is compared with ended in the row above, else red. The mark is left
    out as long as there is no run to compare with.
    """
    return _derived(coups, _BIG_EYE_BOY)


def small_road(coups: Sequence[Coup]) -> Road[RoadColour]:
    """Draw the derived road that compares each run with the second before."""
    return _derived(coups, _SMALL_ROAD)


def cockroach_pig(coups: Sequence[Coup]) -> Road[RoadColour]:
    """Draw the derived road that compares each run with the third before."""
    return _derived(coups, _COCKROACH_PIG)


@dataclass(frozen=True, slots=True)
class RoadForecast:
    """What each derived road would mark for a next coup; ``None`` if nothing."""

    big_eye_boy: RoadColour | None
    small_road: RoadColour | None
    cockroach_pig: RoadColour | None


def road_forecast(coups: Sequence[Coup], outcome: CoupOutcome) -> RoadForecast:
    """Tell what the derived roads would mark if the next coup ended so; for a tie, nothing.

    Player and Banker give opposite colours on each road, or neither gives any.
    """
    if outcome is CoupOutcome.TIE:
        return RoadForecast(None, None, None)
    runs = _lengths([*(coup.outcome for coup in coups), outcome])
    newest = len(runs) - 1, runs[-1] - 1
    return RoadForecast(
        _colour(runs, _BIG_EYE_BOY, *newest),
        _colour(runs, _SMALL_ROAD, *newest),
        _colour(runs, _COCKROACH_PIG, *newest),
    )


def last_columns(road: Road[Mark_co], width: int) -> Road[Mark_co]:
    """Give the cells of the last columns, at most so many, with columns counted from 0 again.

    The newest cell is always among them, even where an old dragon tail reaches far beyond it.
    """
    if not road:
        return road
    rightmost = max(cell.column for cell in road)
    first = max(0, min(rightmost - width + 1, road[-1].column))
    return tuple(
        RoadCell(cell.column - first, cell.row, cell.mark)
        for cell in road
        if first <= cell.column < first + width
    )


# ---- runs and their layout ---------------------------------------------------------------------


def _entries(coups: Iterable[Coup]) -> list[RoadEntry]:
    entries: list[RoadEntry] = []
    for coup in coups:
        tie = coup.outcome is CoupOutcome.TIE
        joins = entries and (tie or entries[-1].coup is None)
        last = entries.pop() if joins else RoadEntry()
        entries.append(RoadEntry(last.coup, last.ties + 1) if tie else RoadEntry(coup, last.ties))
    return entries


def _side(entry: RoadEntry) -> CoupOutcome | None:
    return entry.coup.outcome if entry.coup else None


def _lay_out(runs: Iterable[Iterable[Mark_co]]) -> Road[Mark_co]:
    """Give each run a column, with dragon tails.

    A run starts in the first column after the last start whose top cell is free: a tail along the
    top row pushes it to the right, any other tail only shortens it.
    """
    cells: list[RoadCell[Mark_co]] = []
    occupied: set[tuple[int, int]] = set()
    start = -1
    for run in runs:
        start = next(column for column in count(start + 1) if (column, 0) not in occupied)
        column, row, turned = start, -1, False
        for mark in run:
            # a tail has turned for good: beyond the one under it there is room below again
            turned = turned or row + 1 == ROWS or (column, row + 1) in occupied
            column, row = (column + 1, row) if turned else (column, row + 1)
            occupied.add((column, row))
            cells.append(RoadCell(column, row, mark))
    return tuple(cells)


# ---- derived roads -----------------------------------------------------------------------------

_BIG_EYE_BOY, _SMALL_ROAD, _COCKROACH_PIG = 1, 2, 3  # how many runs back each one compares


def _derived(coups: Iterable[Coup], runs_back: int) -> Road[RoadColour]:
    runs = _lengths(coup.outcome for coup in coups)
    return _lay_out(run for _, run in groupby(_colours(runs, runs_back)))


def _lengths(outcomes: Iterable[CoupOutcome]) -> list[int]:
    decisions = (outcome for outcome in outcomes if outcome is not CoupOutcome.TIE)
    return [sum(1 for _ in run) for _, run in groupby(decisions)]


def _colours(runs: Sequence[int], runs_back: int) -> Iterator[RoadColour]:
    for run, length in enumerate(runs):
        for row in range(length):
            colour = _colour(runs, runs_back, run, row)
            if colour is not None:
                yield colour


def _colour(runs: Sequence[int], runs_back: int, run: int, row: int) -> RoadColour | None:
    """Mark one entry of the big road, by the lengths of the runs and its own run and row."""
    if row == 0:
        run -= 1  # it is the finished run that is compared
    if run < runs_back:
        return None
    repeats = runs[run] == runs[run - runs_back] if row == 0 else runs[run - runs_back] != row
    return RoadColour.RED if repeats else RoadColour.BLUE
