"""The periods of a game as a text table: results, averages and cost of mistakes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from ..engine.money import dollars
from .session_statistics import Period

NAME_WIDTH, COLUMN_WIDTH = 17, 7
"""The widths of a name and of a figure, in columns."""


def format_trend(eras: Sequence[Period], day: Callable[[int], str], points: bool) -> Iterator[str]:
    """Yield a line for each figure, with a column for each period, headed by its first ``day``.

    A single period yields no lines, because there is nothing to compare. Money is in dollars; with
    ``points``, figures are in points.
    """
    if len(eras) < 2:
        return
    yield _line("period from", (day(era.started) for era in eras))
    yield _line("rounds", (f"{era.figures.rounds:,}" for era in eras))
    unit = 1 if points else 100
    nets = (f"{era.net / unit:+,.0f}" for era in eras)
    yield _line("points ahead" if points else "net in dollars", nets)
    for name in eras[0].averages:
        yield _line(f"average {name}".replace("_", " "), (_figure(era, name) for era in eras))
    if any(era.cost is not None for era in eras):
        costs = ("" if era.cost is None else _cost(float(era.cost), points) for era in eras)
        yield _line("mistakes/round", costs)


def _line(name: str, figures: Iterator[str]) -> str:
    return f"{name:<{NAME_WIDTH}}" + "".join(f"{figure:>{COLUMN_WIDTH}}" for figure in figures)


def _figure(era: Period, name: str) -> str:
    average = era.averages.get(name)
    return "" if average is None else f"{average:.2f}"


def _cost(cost: float, points: bool) -> str:
    return f"{cost:.2f}" if points else dollars(round(cost))
