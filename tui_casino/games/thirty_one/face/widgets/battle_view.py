"""The figures of a dealer simulation, and a plot of its EV."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from textual.geometry import Region

from .....gamekit.number_formats import percent
from .....tui.draw.canvas import Canvas, write_line
from .....tui.draw.look import line_styles_of
from .....tui.draw.plots import draw_bar, plot
from .....tui.draw.text import with_minus_signs
from .....tui.terminal.detection import GlyphSet
from .....tui.widgets.line_widget import CanvasWidget
from ..odds_report import BattleFigure

COLUMNS = (("rounds", 26, 12), ("share", 38, 12), ("std. error", 50, 12), ("infinite", 62, 14))
"""The columns of figures: heading, start and width."""
LEAST_PLOT = 4
"""The minimum number of rows of a plot."""
SKIPPED_SHARE = 20
"""The first 1/20 of the rounds are not plotted, because their averages vary too much."""


class BattleStatus(Struct, frozen=True):
    """The progress of a simulation: its figures so far, and the average gain of a bet of 1.

    ``headline`` is shown above the figures; ``share`` is the finished part of the simulation.
    """

    headline: str
    share: float = 0
    figures: tuple[BattleFigure, ...] = ()
    gain_history: tuple[tuple[int, float], ...] = ()


class BattleView(CanvasWidget):
    """Draws a running or a finished simulation."""

    def __init__(self, status: BattleStatus) -> None:
        super().__init__()
        self._status = status

    @property
    def status(self) -> BattleStatus:
        """The status that is shown."""
        return self._status

    def show(self, status: BattleStatus) -> None:
        """Show a status."""
        if status != self._status:
            self._status = status
            self.refresh()

    def _shown(self) -> object:
        return self._status

    def _paint(self, canvas: Canvas) -> None:
        status, width = self._status, canvas.width
        inner = min(width - 2, 76)
        x = max(1, (width - inner) // 2)
        write_line(canvas, x, 0, ((status.headline, "gold"),))
        self._progress(canvas, Region(x, 1, inner, 1))
        columns = [column for column in COLUMNS if column[1] + column[2] <= inner]
        for name, start, column_width in columns:
            write_line(canvas, x + start, 2, ((f"{name:>{column_width}}", "muted"),))
        for y, figure in enumerate(status.figures, 3):
            write_line(canvas, x, y, ((figure.label, ""),))
            for (_, start, column_width), text in zip(columns, _texts(figure), strict=False):
                tone = "strong" if start == COLUMNS[1][1] else "muted"
                write_line(canvas, x + start, y, ((f"{text:>{column_width}}", tone),))
        top = 4 + len(status.figures)
        if status.gain_history and canvas.height - top >= LEAST_PLOT:
            self._plot(canvas, Region(x, top, inner, canvas.height - top))

    def _progress(self, canvas: Canvas, place: Region) -> None:
        if not 0 < self._status.share < 1:
            return
        filled = round(place.width * self._status.share)
        draw_bar(
            canvas, place.x, place.y, filled, place.width, line_styles_of(canvas.look.palette).good
        )

    def _plot(self, canvas: Canvas, place: Region) -> None:
        """Plot the average gain per bet, leaving out the first rounds."""
        history = self._status.gain_history
        rounds = history[-1][0]
        gains = [
            100 * gain for rounds_done, gain in history if rounds_done * SKIPPED_SHARE >= rounds
        ]
        plain = canvas.look.tier is not GlyphSet.UNICODE
        rows = plot(
            gains, place.width, place.height - 1, plain, label=lambda gain: percent(gain / 100)
        )
        for y, row in enumerate(rows, place.y):
            canvas.write(place.x, y, row, line_styles_of(canvas.look.palette).gold)
        caption = f"average gain per bet after {rounds // SKIPPED_SHARE:,} to {rounds:,} rounds"
        write_line(canvas, place.right - len(caption), place.bottom - 1, ((caption, "muted"),))


def _texts(figure: BattleFigure) -> Sequence[str]:
    count = "" if figure.count is None else f"{figure.count:,}"
    shares = figure.share, figure.error, figure.exact
    return count, *(with_minus_signs(percent(share, 4)) for share in shares)
