"""The five roads of baccarat, as casinos draw them, and the forecast of the next marks.

A road is a tuple of cells in the order in which they were marked. It depends only on the coups, so
after an undone or replayed coup it is simply computed again. The bead plate shows every coup, the
big road the runs of Player and Banker. The other three are derived from the big road: red means
that the shoe repeats a pattern, blue that it does not. They depend only on the lengths of the runs,
not on how the big road is laid out.

The rules are those of casino displays, as the Wizard of Odds describes them for baccarat score
boards.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from itertools import count, groupby
from typing import Generic, TypeAlias, TypeVar

from msgspec import Struct

from ....inputs.numbers import count_noun
from ..machine.rules import Coup, CoupOutcome

ROWS = 6
"""The number of rows of every road."""


class RoadColour(StrEnum):
    """The mark of a derived road: red is a pattern and blue a break, on either side."""

    RED = "red"
    BLUE = "blue"


class RoadEntry(Struct, frozen=True):
    """A cell of the big road: the coup that was won, and the number of ties after it.

    There is no coup if the shoe has had only ties so far. Pairs and naturals of ties are only shown
    on the bead plate.
    """

    coup: Coup | None = None
    ties: int = 0


Mark_co = TypeVar("Mark_co", covariant=True)


class RoadCell(Struct, Generic[Mark_co], frozen=True):
    """A cell of a road and its mark; columns and rows count from 0 at the top left."""

    column: int
    row: int
    mark: Mark_co


Road: TypeAlias = tuple[RoadCell[Mark_co], ...]
"""Cells in the order of their marks; the last is the newest, but not always the rightmost."""


def bead_plate(coups: Sequence[Coup]) -> Road[Coup]:
    """Return the road of every coup, including ties, column by column."""
    return tuple(RoadCell(*divmod(number, ROWS), coup) for number, coup in enumerate(coups))


def big_road(coups: Sequence[Coup]) -> Road[RoadEntry]:
    """Return the road of the runs of Player and Banker, each in its own column.

    A run with no room below turns right and stays in its row (a "dragon tail"). Ties have no cells
    of their own; they are counted on the last cell, or on the first if no side has won yet.
    """
    return _lay_out(run for _, run in groupby(_entries(coups), _side))


def big_eye_boy(coups: Sequence[Coup]) -> Road[RoadColour]:
    """Return the derived road that compares each run with the previous one.

    All three derived roads mark the entries of the big road by the same rule. The first entry of a
    run is red if the run just finished is as long as the run it is compared with, otherwise blue.
    Any other entry is blue if the run it is compared with ended in the row above, otherwise red.
    There is no mark as long as there is no run to compare with.
    """
    return _derived(coups, _BIG_EYE_BOY)


def small_road(coups: Sequence[Coup]) -> Road[RoadColour]:
    """Return the derived road that compares each run with the one two runs before it."""
    return _derived(coups, _SMALL_ROAD)


def cockroach_pig(coups: Sequence[Coup]) -> Road[RoadColour]:
    """Return the derived road that compares each run with the one three runs before it."""
    return _derived(coups, _COCKROACH_PIG)


class RoadForecast(Struct, frozen=True):
    """The mark that the next coup would add to each derived road; ``None`` for no mark."""

    big_eye_boy: RoadColour | None
    small_road: RoadColour | None
    cockroach_pig: RoadColour | None


def road_forecast(coups: Sequence[Coup], outcome: CoupOutcome) -> RoadForecast:
    """Return the marks of the derived roads if the next coup had this outcome; a tie has none.

    On each road Player and Banker have opposite colours, or both have none.
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
    """Return the cells of the last ``width`` columns, renumbered from 0.

    The newest cell is always included, even if an old dragon tail reaches far beyond it.
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


SPOKEN_MARKS = 6
"""The number of coups, or of runs, that a sentence about a road names."""


def describe_roads(coups: Sequence[Coup]) -> Iterator[str]:
    """Yield a sentence for each road with its last coups or runs, then the forecast."""
    if not coups:
        yield "The roads are empty: no coup of this shoe has been played."
        return
    runs = [_run_text([*run]) for _, run in groupby(_entries(coups), _side)]
    yield _sentence("Bead plate", "coup", [coup.outcome for coup in coups])
    yield _sentence("Big road", "run", runs)
    lengths = _lengths(coup.outcome for coup in coups)
    derived = {
        "Big eye boy": _BIG_EYE_BOY,
        "Small road": _SMALL_ROAD,
        "Cockroach pig": _COCKROACH_PIG,
    }
    for name, runs_back in derived.items():
        marks = groupby(_colours(lengths, runs_back))
        yield _sentence(name, "run", [f"{len([*run])} {colour}" for colour, run in marks])
    forecast = road_forecast(coups, CoupOutcome.PLAYER)
    colours = (forecast.big_eye_boy, forecast.small_road, forecast.cockroach_pig)
    named = zip(derived, colours, strict=True)
    if next_marks := [f"{name} {colour}" for name, colour in named if colour]:
        yield f"If Player wins next: {', '.join(next_marks)}; if Banker wins, the other colours."


def _sentence(name: str, noun: str, marks: Sequence[str]) -> str:
    last = f", the last {SPOKEN_MARKS}" if len(marks) > SPOKEN_MARKS else ""
    if not marks:
        return f"{name}: no marks yet."
    named = ", ".join(marks[-SPOKEN_MARKS:])
    return f"{name}, {count_noun(len(marks), noun)}{last}: {named}."


def _run_text(run: Sequence[RoadEntry]) -> str:
    """Return a run of the big road, such as ``3 Banker with 1 tie``."""
    ties = count_noun(sum(entry.ties for entry in run), "tie")
    side = _side(run[0])
    if side is None:
        return ties
    return f"{len(run)} {side}" + f" with {ties}" * any(entry.ties for entry in run)


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
    """Lay out each run in its own column, with dragon tails.

    A run starts in the first column after the previous run's start whose top cell is free. So a
    tail in the top row pushes the new run to the right; any other tail only leaves it less room.
    """
    cells: list[RoadCell[Mark_co]] = []
    occupied: set[tuple[int, int]] = set()
    start = -1
    for run in runs:
        start = next(column for column in count(start + 1) if (column, 0) not in occupied)
        column, row, turned = start, -1, False
        for mark in run:
            # once turned, a run never goes down again, even if there is room below
            turned = turned or row + 1 == ROWS or (column, row + 1) in occupied
            column, row = (column + 1, row) if turned else (column, row + 1)
            occupied.add((column, row))
            cells.append(RoadCell(column, row, mark))
    return tuple(cells)


# ---- derived roads -----------------------------------------------------------------------------

_BIG_EYE_BOY, _SMALL_ROAD, _COCKROACH_PIG = 1, 2, 3  # number of runs back to compare with


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
    """Return the mark for one entry of the big road, given by its run and row."""
    if row == 0:
        run -= 1  # the first entry compares the run that has just finished
    if run < runs_back:
        return None
    repeats = runs[run] == runs[run - runs_back] if row == 0 else runs[run - runs_back] != row
    return RoadColour.RED if repeats else RoadColour.BLUE
