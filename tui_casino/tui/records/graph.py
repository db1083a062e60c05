"""The course of a sitting as a line: what the seat had, its mistakes below, and where one is."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rich.style import Style
from textual.geometry import Size
from textual.strip import Strip

from ...records.course import Course
from ..terminal.detection import Tier
from ..widgets.card_art import Look
from ..widgets.drawn import Drawn
from ..widgets.hints import inks_of
from ..widgets.plots import plot
from .pieces import Piece, apart, line

LEAST = 5
"""Rows: the title, two of the plot, the marks, and what stands at both ends."""
SPARE = 1
"""Columns left of it."""


@dataclass(frozen=True, slots=True)
class Curve:
    """What is drawn: what the seat had after these steps, up to the ``last`` step there is.

    ``marks`` are the steps of mistakes, in their order, ``left`` and ``right`` stand below the
    ends.
    """

    title: str = ""
    steps: tuple[int, ...] = ()
    values: tuple[float, ...] = ()
    last: int = 0
    marks: tuple[int, ...] = ()
    left: str = ""
    right: str = ""


def curve_of(course: Course[object, object], last: int, unit: int, points: bool) -> Curve:
    """Give the curve of a course; money of a game in cents is told in dollars."""
    parts = 100 if unit == 1 and not points else 1
    return Curve(
        "POINTS AHEAD" if points else "MONEY",
        tuple(course.steps),
        tuple(value / parts for value in course.fortunes),
        last,
        tuple(slip.step for slip in course.slips),
        "the beginning",
        f"step {last:,}",
    )


class Graph(Drawn):
    """A curve; ``now`` is the step that is shown elsewhere, if one is."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._curve, self._now = Curve(), -1

    def put(self, curve: Curve, now: int = -1) -> None:
        """Draw this curve, and this step in it."""
        if (curve, now) != (self._curve, self._now):
            self._curve, self._now = curve, now
            self.refresh()

    def _shown(self) -> object:
        return self._curve, self._now

    def _draw(self, look: Look, area: Size) -> Iterable[Strip]:
        curve, tier, inks = self._curve, look.tier, inks_of(look.palette)
        width = area.width - SPARE
        rows = area.height - 3
        if not curve.values or rows < 2 or width < 20:
            return
        plotted, left = drawn_rows(curve, width, rows, tier)
        room = width - left
        here = left + _column(self._now, curve.last, room) if self._now >= 0 else None
        legend: list[Piece] = []
        if curve.marks:
            legend = [("mistakes ", inks.muted), ("▲", inks.bad)]
        if here is not None:
            bar = "┃" if tier is Tier.UNICODE else "│"
            legend += [("  now ", inks.muted), (bar, inks.gold)]
        edge = (" " * SPARE, inks.text)
        yield apart([edge, (curve.title, inks.gold)], legend, area.width, tier)
        for text in plotted:
            yield line(
                [edge, *_row(text, left, here, inks.muted, inks.gold, tier)], width + 1, tier
            )
        yield line([edge, (_marks(curve, left, room), inks.bad)], width + SPARE, tier)
        ends = [edge, (" " * left + curve.left, inks.muted)]
        yield apart(ends, [(curve.right, inks.muted)], area.width, tier)


def drawn_rows(curve: Curve, width: int, rows: int, tier: Tier) -> tuple[list[str], int]:
    """Plot a curve, and tell in which column it begins, behind the figures."""
    fine = 1 if tier is not Tier.UNICODE else 2
    samples = _sampled(curve, max(2, width * fine))
    plotted = plot(samples, width, rows, tier is not Tier.UNICODE)
    left = max(len(f"{value:,.0f}") for value in (min(samples), max(samples))) + 1
    return [text[:left].replace("-", "−") + text[left:] for text in plotted], left


def _sampled(curve: Curve, count: int) -> list[float]:
    """Give the values at steps that lie evenly between the first and the last."""
    samples, place = [], 0
    for number in range(count):
        step = number * curve.last / (count - 1)
        while place + 1 < len(curve.steps) and curve.steps[place + 1] <= step:
            place += 1
        samples.append(curve.values[place])
    return samples


def _column(step: int, last: int, room: int) -> int:
    return round(min(step, last) * (room - 1) / last) if last else 0


def _row(
    text: str, left: int, here: int | None, figures: Style, ink: Style, tier: Tier
) -> Sequence[Piece]:
    text = text.ljust(left)
    if here is None:
        return ((text[:left], figures), (text[left:], ink))
    bar = "┃" if tier is Tier.UNICODE else "│"
    text = text.ljust(here + 1)
    return (
        (text[:left], figures),
        (f"{text[left:here]}{bar}{text[here + 1 :]}", ink),
    )


def _marks(curve: Curve, left: int, room: int) -> str:
    """Give the line of the mistakes by their numbers; where two would meet, the first stays."""
    text = ""
    for number, step in enumerate(curve.marks, 1):
        column = left + _column(step, curve.last, room)
        if column >= len(text) + bool(text):
            text = text.ljust(column) + f"▲{number}"
    return text
