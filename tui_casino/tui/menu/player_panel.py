"""The player's panel in the menu: balance over time, net results, and the last sessions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from rich.style import Style
from textual.geometry import Size
from textual.strip import Strip

from ...engine.money import dollars
from ...gamekit.number_formats import signed_money
from ...house.balance_history import WEEK, BalanceHistory
from ...inputs.numbers import count_noun
from ...records.clock import format_time
from ..draw.look import LineStyles, Look, line_styles_of, result_colour, rule_style, style_of
from ..draw.plots import plot
from ..draw.segments import BARE, EMPTY_LINE, LineBuilder, Piece, join_pieces
from ..draw.text import SIGNS
from ..terminal.detection import GlyphSet
from ..widgets.line_widget import LineWidget

NARROW_PLOT, WIDE_PLOT = 4, 8
"""Rows of the graph of the balance, in a narrow and in a wide panel."""
WIDE = 40
"""The minimum width at which the panel shows the dates of the last results."""
TALL = 30
"""The minimum height at which the panel shows these dates."""
FEWEST, FEW, MANY = 3, 5, 8
"""Number of last results shown: if there is little room, in a narrow and in a wide panel."""
DAY = 20
"""The column of a result's date."""
NEW_PLAYER = 3
"""The number of finished sessions after which a player is not new any more."""
STEPS = ("Deal a hand", "Switch on the trainer", "Leave the table")
"""The first steps of a new player."""


class PlayerStanding(NamedTuple):
    """The content of the panel: the balance history, which is ``None`` in free play, and streaks.

    ``steps`` lists for each first step whether it is done; it is empty if the steps are not shown.
    ``streak`` is the current and the longest streak of rounds without a mistake, if known.
    """

    course: BalanceHistory | None = None
    steps: tuple[bool, ...] = ()
    streak: tuple[int, int] | None = None


def first_steps(course: BalanceHistory | None, *, waits: bool, trained: bool) -> tuple[bool, ...]:
    """Return which of the :data:`STEPS` a new player has done, or an empty tuple for other players.

    ``waits`` says whether a session is waiting, and ``trained`` whether the trainer was ever on.
    """
    if course is None or len(course.sittings) >= NEW_PLAYER:
        return ()
    finished = bool(course.sittings)
    steps = (finished or waits, trained, finished)
    return () if all(steps) else steps


class PlayerPanel(LineWidget):
    """The player's balance and results, with a vertical line at the left.

    ``titles`` maps the slug of each game to its title.
    """

    def __init__(self, titles: Mapping[str, str]) -> None:
        super().__init__(id="side")
        self._titles = titles
        self._standing, self._now = PlayerStanding(), 0

    def show(self, standing: PlayerStanding, now: int) -> None:
        """Show this standing; ``now`` is the current time in milliseconds since 1970."""
        if standing != self._standing:
            self._standing, self._now = standing, now
            self.refresh()

    def _shown(self) -> object:
        return self._standing, self._now

    def _draw(self, look: Look, area: Size) -> Iterable[Strip]:
        walled = area.width < WIDE or not look.palette.surface.startswith("#")
        written: list[Strip] = []
        if self._standing.course is not None:
            wide = area.width >= WIDE and area.height >= TALL
            size = Size(area.width - 3 - wide, area.height - 1)
            written = [*_Written(self._standing, self._now, self._titles, look, size, wide).lines()]
        for y in range(area.height):
            row = LineBuilder(look.tier)
            if walled and 0 < y < area.height - 1:
                row.add(SIGNS[look.tier]["wall"], rule_style(look.palette))
            if 0 < y <= len(written):
                row.pad_to(2).join(written[y - 1])
            yield row.strip()


class _Written(NamedTuple):
    """Renders a standing as text and graphs of a given size."""

    standing: PlayerStanding
    now: int
    titles: Mapping[str, str]
    look: Look
    size: Size
    wide: bool

    @property
    def inks(self) -> LineStyles:
        return line_styles_of(self.look.palette)

    def lines(self) -> Iterator[Strip]:
        """Yield all lines from top to bottom; a block for which there is no room is left out."""
        blocks = [[*self._balance()], [*self._streaks()], [*self._best()]]
        rest = self.size.height - sum(len(block) + 1 for block in blocks if block)
        blocks.insert(1, [*self._last(rest - 1)])
        used = 0
        for block in filter(None, blocks):
            if used + bool(used) + len(block) > self.size.height:
                return
            if used:
                yield EMPTY_LINE
            yield from block
            used += bool(used) + len(block)

    def _balance(self) -> Iterator[Strip]:
        course, inks, wide = self.standing.course, self.inks, self.wide
        assert course is not None, "without a balance, nothing is shown"
        yield self._line([("BALANCE", inks.gold)], dollars(course.cents), inks.strong)
        if self.standing.steps:
            yield EMPTY_LINE
            yield from self._first_steps()
            yield EMPTY_LINE
        else:
            plain = self.look.tier is not GlyphSet.UNICODE
            height = WIDE_PLOT if wide else NARROW_PLOT
            for row in plot(course.all, self.size.width, height, plain, figures=False):
                yield self._line([(row, style_of(self.look.palette.gold))])
            if wide and course.sittings:
                first = format_time(course.sittings[0].at, self.now)
                last = format_time(course.sittings[-1].at, self.now)
                yield self._line([(first, inks.muted)], last, inks.muted)
                yield EMPTY_LINE
        if course.at_tables:
            yield self._figure("at tables", dollars(course.at_tables), inks.text)
        week = course.since(self.now - WEEK)
        yield self._figure("this week", signed_money(week), self._tone(week))
        debt = dollars(course.lent) if course.lent else "none"
        name = "debt · p repays" if course.repayments else "debt"
        yield self._figure(name, debt, inks.bad if course.lent else inks.text)

    def _first_steps(self) -> Iterator[Strip]:
        steps, inks = self.standing.steps, self.inks
        done = f"{sum(steps)} of {len(steps)}"
        yield self._line([("FIRST STEPS", inks.gold)], done, inks.muted)
        for name, ticked in zip(STEPS, steps, strict=True):
            mark, ink = ("✓ ", inks.good) if ticked else ("· ", inks.muted)
            yield self._line([(mark, ink), (name, inks.muted if ticked else inks.text)])

    def _last(self, room: int) -> Iterator[Strip]:
        course = self.standing.course
        if course is None or not course.sittings:
            return
        most = min(MANY if self.wide else FEW, max(FEWEST, room))
        heading = "LAST SESSIONS" if self.wide else "LAST"
        count = count_noun(len(course.sittings), "session")
        yield self._line([(heading, self.inks.gold)], count, self.inks.muted)
        for sitting in course.sittings[: -most - 1 : -1]:
            tone, won = self._tone(sitting.cents), sitting.cents
            sign = SIGNS[self.look.tier]["won" if won > 0 else "lost" if won < 0 else "even"]
            name = self.titles.get(sitting.game, sitting.game)
            pieces = [(f"{sign} ", tone), (name, self.inks.text)]
            if self.wide:
                day = format_time(sitting.at, self.now)
                pieces += [(" " * (DAY - 2 - len(name)), BARE), (day, self.inks.muted)]
            yield self._line(pieces, signed_money(won), tone)

    def _streaks(self) -> Iterator[Strip]:
        course, streak = self.standing.course, self.standing.streak
        days = 0 if course is None else course.days_in_a_row(self.now)
        if not days and streak is None:
            return
        yield self._line([("STREAKS", self.inks.gold)])
        yield self._figure("days in a row", f"{days:,}", self.inks.text)
        if streak is not None:
            name = "rounds without a mistake" if self.wide else "mistake-free"
            yield self._figure(name, f"{streak[0]:,}, best {streak[1]:,}", self.inks.text)

    def _best(self) -> Iterator[Strip]:
        course = self.standing.course
        if course is not None and (best := course.best) is not None:
            yield self._line([("BEST", self.inks.gold)])
            name = self.titles.get(best.game, best.game)
            name = f"session of {name}" if self.wide else name
            yield self._figure(name, signed_money(best.cents), self.inks.good)

    def _figure(self, name: str, figure: str, tone: Style) -> Strip:
        return self._line([(name, self.inks.muted)], figure, tone)

    def _line(self, pieces: list[Piece], right: str = "", tone: Style = BARE) -> Strip:
        room = self.size.width - len(right) - bool(right)
        left = join_pieces(pieces, room, self.look.tier)
        return (
            LineBuilder(self.look.tier).join(left).put_before(self.size.width, right, tone).strip()
        )

    def _tone(self, cents: int) -> Style:
        return style_of(result_colour(cents, self.look.palette))
