"""Widgets drawn line by line; only changed pieces are painted."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.segment import Segment
from rich.style import Style
from textual.geometry import Region, Size
from textual.strip import Strip
from textual.widget import Widget

from ..draw.canvas import Canvas
from ..draw.styles import Look
from .painter import PaintedWidget


class HasLook:
    """What these widgets ask of the app: it is one of these, too."""

    look: Look


def look_of(widget: Widget) -> Look:
    """Give the look of the widget's app. Raises ``TypeError`` for an app that has none."""
    if not isinstance(app := widget.app, HasLook):
        raise TypeError(f"{type(app).__name__} has no look for cards")
    return app.look


class LineWidget(PaintedWidget):
    """A widget made of lines, each as wide as it is or shorter, on its own ground.

    It has neither border nor padding: its lines are finished, and the framework adds nothing. An
    app that changes its look refreshes them.
    """

    def __init__(
        self, *, name: str | None = None, id: str | None = None, classes: str | None = None
    ) -> None:
        super().__init__(name=name, id=id, classes=classes)
        self._lines: tuple[Strip, ...] = ()
        self._lines_of: object = None
        self._finish = StripCache()

    def _shown(self) -> object:
        """Everything that the lines depend on but for the look and the widget's own size."""
        raise NotImplementedError

    def _draw(self, look: Look, area: Size) -> Iterable[Strip]:
        raise NotImplementedError

    def _drawn(self, area: Size) -> tuple[Strip, ...]:
        what = (self._shown(), area, look_of(self))
        if what != self._lines_of:
            self._lines, self._lines_of = tuple(self._draw(what[2], area)), what
        return self._lines

    def finished_lines(self, crop: Region) -> list[Strip]:
        """Give finished lines: the framework would ask for each, and find nothing to add."""
        return self._finish.lines(self, self._drawn(self.size), crop)


class CanvasWidget(LineWidget):
    """A widget that is one canvas, painted by its own ``_paint``."""

    _canvas: Canvas | None = None

    def _paint(self, canvas: Canvas) -> None:
        """Paint all that is shown."""
        raise NotImplementedError

    def _draw(self, look: Look, area: Size) -> Sequence[Strip]:
        before, self._canvas = self._canvas, Canvas(area.width, area.height, look)
        self._paint(self._canvas)
        return self._canvas.strips(before)


class StripCache:
    """Finishes a widget's lines; those that are as they were, on the same ground, are at hand."""

    def __init__(self) -> None:
        self._how: object = None
        self._lines: dict[int, tuple[Strip | None, Strip]] = {}

    def lines(self, widget: Widget, lines: Sequence[Strip], crop: Region) -> list[Strip]:
        """Put lines on their ground, through the filters of the app, and cut a region out."""
        width, ground = widget.size.width, widget.visual_style.rich_style
        filters, background = widget.get_line_filters(), widget.background_colors[1]
        how = width, ground, (*filters,), background
        if how != self._how:
            self._how, self._lines = how, {}
        cut = []
        for y in crop.line_range:
            line = lines[y] if y < len(lines) else None
            cached = self._lines.get(y)
            if cached is None or (cached[0] is not line and cached[0] != line):
                segments = _on_ground(line, width, ground)
                for line_filter in filters:
                    segments = line_filter.apply(segments, background)
                cached = self._lines[y] = line, Strip(segments, width)
            cut.append(cached[1].crop(*crop.column_span))
        return cut


def _on_ground(line: Strip | None, width: int, ground: Style) -> list[Segment]:
    """Put a line on its ground, as wide as it is to be: one strip for each step would cost more."""
    if line is None:
        return [Segment(" " * width, ground)]
    spare = width - line.cell_length
    segments = [*Segment.apply_style(line if spare >= 0 else line.crop(0, width), ground)]
    if spare > 0:
        segments.append(Segment(" " * spare, ground.background_style))
    return segments
