"""The player's panel in the menu: balance over time, net results, the last sessions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from rich.style import Style
from textual.geometry import Size
from textual.strip import Strip

from ...engine.money import dollars
from ...house.balance_history import WEEK, BalanceHistory
from ..draw.glyphs import SIGNS
from ..draw.number_formats import signed_money
from ..draw.plots import plot
from ..draw.segments import BARE, EMPTY_LINE, LineBuilder, Piece, join_pieces
from ..draw.styles import LineStyles, Look, line_styles_of, result_colour, rule_style, style_of
from ..terminal.detection import GlyphSet
from ..theme.clock import format_time
from ..widgets.line_widget import LineWidget

NARROW_PLOT, WIDE_PLOT = 4, 8
"""Rows of the graph of the balance, in a narrow and in a wide panel."""
WIDE = 40
"""Width from which the panel shows the dates of the last results."""
TALL = 30
"""Height from which the panel shows these dates."""
FEW, MANY = 5, 8
"""Number of last results shown, in a narrow and in a wide panel."""


DAY = 20
"""The column of a result's date."""


class PlayerPanel(LineWidget):
    """The player's balance and results, with a wall on the left; ``titles`` are the games'."""

    def __init__(self, titles: Mapping[str, str]) -> None:
        super().__init__(id="side")
        self._titles = titles
        self._course: BalanceHistory | None = None
        self._now = 0

    def show(self, course: BalanceHistory | None, now: int) -> None:
        """Show this history of the balance; ``now`` is the time in milliseconds since 1970."""
        if course != self._course:
            self._course, self._now = course, now
            self.refresh()

    def _shown(self) -> object:
        return self._course, self._now

    def _draw(self, look: Look, area: Size) -> Iterable[Strip]:
        walled = area.width < WIDE or not look.palette.surface.startswith("#")
        written: list[Strip] = []
        if self._course is not None:
            wide = area.width >= WIDE and area.height >= TALL
            width = area.width - 3 - wide
            written = [*_Written(self._course, self._now, self._titles, look, width, wide).lines()]
        for y in range(area.height):
            row = LineBuilder(look.tier)
            if walled and 0 < y < area.height - 1:
                row.add(SIGNS[look.tier]["wall"], rule_style(look.palette))
            if 0 < y <= len(written):
                row.pad_to(2).join(written[y - 1])
            yield row.strip()


class _Written(NamedTuple):
    """The balance history as lines of text and graphs of a given width."""

    course: BalanceHistory
    now: int
    titles: Mapping[str, str]
    look: Look
    width: int
    wide: bool

    @property
    def inks(self) -> LineStyles:
        """Return the line styles of the palette."""
        return line_styles_of(self.look.palette)

    def lines(self) -> Iterator[Strip]:
        """Yield all lines, from the top down."""
        course, inks, wide = self.course, self.inks, self.wide
        sittings = len(course.sittings)
        count = f"{sittings:,} session{'s' * (sittings != 1)}"
        yield self._line([("BALANCE", inks.gold)], count, inks.muted)
        plain = self.look.tier is not GlyphSet.UNICODE
        height = WIDE_PLOT if wide else NARROW_PLOT
        for row in plot(course.all, self.width, height, plain, figures=False):
            yield self._line([(row, style_of(self.look.palette.gold))])
        if wide and sittings:
            first = format_time(course.sittings[0].at, self.now)
            last = format_time(course.sittings[-1].at, self.now)
            yield self._line([(first, inks.muted)], last, inks.muted)
            yield EMPTY_LINE
        week = course.since(self.now - WEEK)
        yield self._figure("this week", signed_money(week), self._tone(week))
        marker = dollars(course.lent) if course.lent else "none"
        yield self._figure("debt", marker, inks.bad if course.lent else inks.text)
        if sittings:
            yield EMPTY_LINE
            yield from self._last(MANY if wide else FEW)
        if best := course.best:
            yield EMPTY_LINE
            yield self._line([("BEST", inks.gold)])
            name = self.titles.get(best.game, best.game)
            name = f"session of {name}" if wide else name
            yield self._figure(name, signed_money(best.cents), inks.good)

    def _last(self, most: int) -> Iterator[Strip]:
        yield self._line([("LAST SESSIONS" if self.wide else "LAST", self.inks.gold)])
        for sitting in self.course.sittings[: -most - 1 : -1]:
            tone, won = self._tone(sitting.cents), sitting.cents
            sign = SIGNS[self.look.tier]["won" if won > 0 else "lost" if won < 0 else "even"]
            name = self.titles.get(sitting.game, sitting.game)
            pieces = [(f"{sign} ", tone), (name, self.inks.text)]
            if self.wide:
                day = format_time(sitting.at, self.now)
                pieces += [(" " * (DAY - 2 - len(name)), BARE), (day, self.inks.muted)]
            yield self._line(pieces, signed_money(won), tone)

    def _figure(self, name: str, figure: str, tone: Style) -> Strip:
        return self._line([(name, self.inks.muted)], figure, tone)

    def _line(self, pieces: list[Piece], right: str = "", tone: Style = BARE) -> Strip:
        room = self.width - len(right) - bool(right)
        left = join_pieces(pieces, room, self.look.tier)
        return LineBuilder(self.look.tier).join(left).put_before(self.width, right, tone).strip()

    def _tone(self, cents: int) -> Style:
        return style_of(result_colour(cents, self.look.palette))
