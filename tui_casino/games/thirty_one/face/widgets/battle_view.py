"""The battle of the dealers in figures, and how its result moved."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from textual.geometry import Region

from .....gamekit.number_formats import percent
from .....tui.draw.bars import draw_bar
from .....tui.draw.canvas import Canvas
from .....tui.draw.number_formats import with_minus_signs
from .....tui.draw.plots import plot
from .....tui.draw.styles import line_styles_of
from .....tui.draw.table_rows import write_line
from .....tui.terminal.detection import GlyphSet
from .....tui.widgets.line_widget import CanvasWidget
from ..report import BattleFigure

COLUMNS = (("rounds", 26, 12), ("share", 38, 12), ("std. error", 50, 12), ("infinite", 62, 14))
"""The columns of figures: what stands over them, where they begin, and how wide they are."""
LEAST_PLOT = 4
"""Rows without which there is no plot."""
SKIPPED_SHARE = 20
"""One in so many of the first rounds is left out of the plot: they lie far from all others."""


@dataclass(frozen=True, slots=True)
class BattleStatus:
    """How far a battle is: the figures, if any, and the course of what a bet of 1 gained.

    ``said`` stands over them, and ``share`` is the part of the battle that is fought.
    """

    said: str
    share: float = 0
    figures: tuple[BattleFigure, ...] = ()
    course: tuple[tuple[int, float], ...] = ()


class BattleView(CanvasWidget):
    """Draws a battle that is fought or over."""

    def __init__(self, fought: BattleStatus) -> None:
        super().__init__()
        self._fought = fought

    @property
    def fought(self) -> BattleStatus:
        """What it shows."""
        return self._fought

    def show(self, fought: BattleStatus) -> None:
        """Show this from now on."""
        if fought != self._fought:
            self._fought = fought
            self.refresh()

    def _shown(self) -> object:
        return self._fought

    def _paint(self, canvas: Canvas) -> None:
        fought, width = self._fought, canvas.width
        inner = min(width - 2, 76)
        x = max(1, (width - inner) // 2)
        write_line(canvas, x, 0, ((fought.said, "gold"),))
        self._progress(canvas, Region(x, 1, inner, 1))
        shown = [column for column in COLUMNS if column[1] + column[2] <= inner]
        for name, start, wide in shown:
            write_line(canvas, x + start, 2, ((f"{name:>{wide}}", "muted"),))
        for y, figure in enumerate(fought.figures, 3):
            write_line(canvas, x, y, ((figure.words, ""),))
            for (_, start, wide), text in zip(shown, _texts(figure), strict=False):
                tone = "strong" if start == COLUMNS[1][1] else "muted"
                write_line(canvas, x + start, y, ((f"{text:>{wide}}", tone),))
        top = 4 + len(fought.figures)
        if fought.course and canvas.height - top >= LEAST_PLOT:
            self._plot(canvas, Region(x, top, inner, canvas.height - top))

    def _progress(self, canvas: Canvas, place: Region) -> None:
        if not 0 < self._fought.share < 1:
            return
        filled = round(place.width * self._fought.share)
        draw_bar(
            canvas, place.x, place.y, filled, place.width, line_styles_of(canvas.look.palette).good
        )

    def _plot(self, canvas: Canvas, place: Region) -> None:
        """Plot the gain of a bet, without the wild beginning."""
        course = self._fought.course
        rounds = course[-1][0]
        gains = [100 * gain for done, gain in course if done * SKIPPED_SHARE >= rounds]
        plain = canvas.look.tier is not GlyphSet.UNICODE
        rows = plot(gains, place.width, place.height - 1, plain, label="{:.2f} %".format)
        for y, row in enumerate(rows, place.y):
            canvas.write(place.x, y, row, line_styles_of(canvas.look.palette).gold)
        last = f"what a bet gained, after {rounds // SKIPPED_SHARE:,} to {rounds:,} rounds"
        write_line(canvas, place.right - len(last), place.bottom - 1, ((last, "muted"),))


def _texts(figure: BattleFigure) -> Sequence[str]:
    count = "" if figure.count is None else f"{figure.count:,}"
    shares = figure.share, figure.error, figure.exact
    return count, *(with_minus_signs(percent(share, 4)) for share in shares)
