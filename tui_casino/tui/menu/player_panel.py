"""The player's side of the hall: the purse over time, what was won and lost, the last results."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from rich.style import Style

from ...engine.money import dollars
from ...house.purse import WEEK, Course
from ..draw.canvas import Canvas
from ..draw.formats import signed_money
from ..draw.glyphs import SIGNS
from ..draw.plots import plot
from ..draw.segments import BARE
from ..draw.styles import Inks, Look, inks_of, style_of, thin, tone_of
from ..terminal.detection import Tier
from ..theme.clock import when
from ..widgets.drawn import CanvasWidget

NARROW_PLOT, WIDE_PLOT = 4, 8
"""Rows of the purse over time."""
WIDE = 40
"""Columns of a side that has room for the days of the last results."""
TALL = 30
"""Rows from which on there is."""
FEW, MANY = 5, 8
"""So many of the last results are shown."""


class Side(CanvasWidget):
    """What a player has, with a wall to its left; ``titles`` are those of the games."""

    def __init__(self, titles: Mapping[str, str]) -> None:
        super().__init__(id="side")
        self._titles = titles
        self._course: Course | None = None
        self._now = 0

    def show(self, course: Course | None, now: int) -> None:
        """Show this course of the purse; ``now`` is the time in milliseconds since 1970."""
        if course != self._course:
            self._course, self._now = course, now
            self.refresh()

    def _shown(self) -> object:
        return self._course, self._now

    def _paint(self, canvas: Canvas) -> None:
        look, area = canvas.look, canvas.size
        inks, rows = inks_of(look.palette), canvas.rows()
        walled = area.width < WIDE or not look.palette.surface.startswith("#")
        for row in rows[1:-1] if walled else ():
            row.put(0, SIGNS[look.tier]["wall"], thin(look.palette))
        if self._course is not None:
            wide = area.width >= WIDE and area.height >= TALL
            width = area.width - 3 - wide
            written = _Written(self._course, self._now, self._titles, look, inks)
            for row, line in zip(rows[1:], written.lines(width, wide), strict=False):
                end = row.right(2 + width, line.right, line.tone) - bool(line.right)
                for x, text, style in line.pieces:
                    row.put(2 + x, text, style, end)


class _Line(NamedTuple):
    """Pieces of a line by their columns, and what stands at its right edge in which style."""

    pieces: tuple[tuple[int, str, Style], ...] = ()
    right: str = ""
    tone: Style = BARE


class _Written(NamedTuple):
    """A course of the purse, in words and pictures."""

    course: Course
    now: int
    titles: Mapping[str, str]
    look: Look
    inks: Inks

    def lines(self, width: int, wide: bool) -> Iterator[_Line]:
        """Give all lines, from the top down."""
        course, inks = self.course, self.inks
        sittings = len(course.sittings)
        count = f"{sittings:,} session{'s' * (sittings != 1)}"
        yield _Line(((0, "PURSE", inks.gold),), count, inks.muted)
        plain = self.look.tier is not Tier.UNICODE
        height = WIDE_PLOT if wide else NARROW_PLOT
        for row in plot(course.all, width, height, plain, figures=False):
            yield _Line(((0, row, style_of(self.look.palette.gold)),))
        if wide and sittings:
            first = when(course.sittings[0].at, self.now)
            yield _Line(
                ((0, first, inks.muted),), when(course.sittings[-1].at, self.now), inks.muted
            )
            yield _Line()
        week = course.since(self.now - WEEK)
        yield self._figure("this week", signed_money(week), self._tone(week))
        marker = dollars(course.lent) if course.lent else "none"
        name = "marker at the house"
        yield self._figure(
            name if len(name) + len(marker) < width else "marker",
            marker,
            inks.bad if course.lent else inks.text,
        )
        if sittings:
            yield _Line()
            yield from self._last(MANY if wide else FEW, wide)
        if best := course.best:
            yield _Line()
            yield _Line(((0, "BEST", inks.gold),))
            name = self.titles.get(best.game, best.game)
            yield self._figure(
                f"session of {name}" if wide else name, signed_money(best.cents), inks.good
            )

    def _last(self, most: int, wide: bool) -> Iterator[_Line]:
        yield _Line(((0, "LAST SESSIONS" if wide else "LAST", self.inks.gold),))
        for sitting in self.course.sittings[: -most - 1 : -1]:
            tone, won = self._tone(sitting.cents), sitting.cents
            sign = SIGNS[self.look.tier]["won" if won > 0 else "lost" if won < 0 else "even"]
            name = self.titles.get(sitting.game, sitting.game)
            day = ((20, when(sitting.at, self.now), self.inks.muted),) if wide else ()
            pieces = ((0, sign, tone), (2, name, self.inks.text), *day)
            yield _Line(pieces, signed_money(won), tone)

    def _figure(self, name: str, figure: str, tone: Style) -> _Line:
        return _Line(((0, name, self.inks.muted),), figure, tone)

    def _tone(self, cents: int) -> Style:
        return style_of(tone_of(cents, self.look.palette))
