"""Widgets that are drawn line by line; only changed pieces are painted."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Generic, TypeVar

from rich.segment import Segment
from rich.style import Style
from textual.containers import Horizontal, Vertical
from textual.geometry import Region, Size
from textual.strip import Strip
from textual.widget import Widget

from ..draw.canvas import Canvas
from ..draw.look import Look
from .painter import PaintedWidget

C = TypeVar("C")


class HasLook:
    """An app with a ``look``, which these widgets require.

    While it ``lacks_room``, these widgets stay empty: layouts assume a window of the least size.
    """

    look: Look

    @property
    def lacks_room(self) -> bool:
        """Whether the window is too small for any layout."""
        return False


def lacks_room(widget: Widget) -> bool:
    """Return whether the window is too small for any layout."""
    app = widget.app
    return isinstance(app, HasLook) and app.lacks_room


class HasTempo:
    """An app with a ``tempo``: the factor for all waiting times on the screen, 0 without motion."""

    tempo: float


class HasWarnings:
    """An app whose trainer warns before a choice that costs ``warned_share`` of the bet, or never.

    With a share of 0, it warns of every cost.
    """

    warned_share: Fraction | None


def look_of(widget: Widget) -> Look:
    """Return the look of the widget's app. Raises ``TypeError`` for an app without one."""
    if not isinstance(app := widget.app, HasLook):
        raise TypeError(f"{type(app).__name__} has no look for cards")
    return app.look


class LineWidget(PaintedWidget):
    """A widget made of lines, each at most as wide as the widget, on the widget's background.

    It has neither border nor padding; its lines are complete, and the framework adds nothing. An
    app that changes its look refreshes these widgets.
    """

    def __init__(
        self, *, name: str | None = None, id: str | None = None, classes: str | None = None
    ) -> None:
        super().__init__(name=name, id=id, classes=classes)
        self._lines: tuple[Strip, ...] = ()
        self._lines_of: object = None
        self._finish = StripCache()

    def _shown(self) -> object:
        """Return all values on which the lines depend, except the look and the widget's size."""
        raise NotImplementedError

    def _draw(self, look: Look, area: Size) -> Iterable[Strip]:
        raise NotImplementedError

    def _drawn(self, area: Size) -> tuple[Strip, ...]:
        if lacks_room(self):
            return ()
        what = (self._shown(), area, look_of(self))
        if what != self._lines_of:
            self._lines, self._lines_of = tuple(self._draw(what[2], area)), what
        return self._lines

    def finished_lines(self, crop: Region) -> list[Strip]:
        """Return complete lines without the framework, which would be slower and add nothing.

        Without border and padding, both sizes are the same, but Textual searches for the inner one.
        """
        return self._finish.lines(self, self._drawn(self.outer_size), crop)


class BlankWidget(Widget):
    """A widget that only arranges others; mixed in after a class of Textual's.

    All its lines are alike. Textual renders them one by one, even where other widgets cover them.
    """

    def render_lines(self, crop: Region) -> list[Strip]:
        """Render one line and repeat it, unless there is a border or padding."""
        if self.gutter or not crop.height:
            return super().render_lines(crop)
        return super().render_lines(crop.crop_size((crop.width, 1))) * crop.height


class BlankRow(Horizontal, BlankWidget):
    """Widgets side by side."""


class BlankColumn(Vertical, BlankWidget):
    """Widgets one below the other."""


class ContentWidget(LineWidget, Generic[C]):
    """A widget that draws one value, its ``content``."""

    def __init__(
        self,
        content: C,
        *,
        name: str | None = None,
        id: str | None = None,
        classes: str | None = None,
    ) -> None:
        super().__init__(name=name, id=id, classes=classes)
        self.content = content

    def show(self, content: C) -> None:
        """Draw another value."""
        if content != self.content:
            self.content = content
            self.refresh()

    def _shown(self) -> object:
        return self.content


class CanvasWidget(LineWidget):
    """A widget that consists of one canvas; subclasses paint it in ``_paint``."""

    _canvas: Canvas | None = None

    def _paint(self, canvas: Canvas) -> None:
        """Paint the whole widget."""
        raise NotImplementedError

    def _draw(self, look: Look, area: Size) -> Sequence[Strip]:
        before, self._canvas = self._canvas, Canvas(area.width, area.height, look)
        self._paint(self._canvas)
        return self._canvas.strips(before)


class StripCache:
    """Completes a widget's lines, and caches those that have not changed."""

    def __init__(self) -> None:
        self._how: object = None
        self._lines: dict[int, tuple[Strip | None, Strip]] = {}

    def lines(self, widget: Widget, lines: Sequence[Strip], crop: Region) -> list[Strip]:
        """Put lines on their background, apply the app's filters, and crop them to a region."""
        width, style = widget.outer_size.width, widget.visual_style
        ground, background = style.rich_style, style.background
        assert background is not None, "a widget has a background, which may be transparent"
        filters = widget.get_line_filters()
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
    """Extend a line with its background to a width; a strip per step would be slower."""
    if line is None:
        return [Segment(" " * width, ground)]
    spare = width - line.cell_length
    segments = [*Segment.apply_style(line if spare >= 0 else line.crop(0, width), ground)]
    if spare > 0:
        segments.append(Segment(" " * spare, ground.background_style))
    return segments
