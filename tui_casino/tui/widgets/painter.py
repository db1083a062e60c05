"""The painter writes only what changed in a widget to the terminal, in one step.

Textual's own method takes more steps. A widget that asks to be painted wakes its message pump, then
the screen's, then a timer. Then every widget that overlaps the bounding box of all changes is
rendered in full and cut to pieces. This was most of the work that a key press caused. A
:class:`PaintedWidget` passes its changed regions to the painter instead, which renders only the
changed lines of this widget.

Widgets derive from :class:`PaintedWidget`, and the app derives from :class:`HasPainter`.
:func:`put_cursor` moves the terminal's cursor. With versions of Textual that are not in
:data:`KNOWN`, there is no painter, and Textual paints the same widgets.

The painter leaves a widget to Textual if it is not sure of the widget's position: while a layout is
pending, below windows, on a screen that is not on top, and if the widget is clipped.
"""

from __future__ import annotations

import asyncio
from collections.abc import Generator, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

import textual
from rich.cells import cell_len
from rich.console import Console
from rich.segment import Segment
from rich.style import Style
from textual.app import App
from textual.geometry import Offset, Region
from textual.screen import Screen
from textual.strip import Strip
from textual.widget import Widget

from ..textual_compat import (
    CompositorUpdate,
    awaits_textual,
    fail_app,
    has_changed,
    leave_to_textual,
    mark_painted,
    take_changes,
    widget_regions,
    write_to_terminal,
)

LEAST_GAP = 8
"""The gap between two changes, in columns, below which rewriting it is shorter than a move."""
SOON = 0.004
"""Seconds during which related requests are collected; the effect of a key press takes several
turns of the event loop.

The framework's own painting comes after 16 ms.
"""
KNOWN: tuple[str, ...] = ("8.2.",)
"""Prefixes of the versions of Textual that the painter works with; an empty tuple turns it off.

With other versions, Textual paints everything.
"""


class StripPieces(CompositorUpdate):
    """Pieces of lines, each with its first column and row."""

    def __init__(self, pieces: list[tuple[int, int, Strip]]) -> None:
        self.pieces = pieces

    def render_segments(self, console: Console) -> str:
        """Return the pieces as the terminal needs them; the app then puts the cursor in place."""
        return "".join(
            f"\x1b[{y + 1};{x + 1}H{strip.render(console)}" for x, y, strip in self.pieces
        )


class HasPainter(App[None]):
    """An app whose widgets are painted by its painter, if it has one, otherwise by Textual."""

    painter: Painter | None = None
    batches = 0
    """The number of open batches of updates; nothing is painted while a batch is open."""

    @contextmanager
    def batch_update(self) -> Generator[None]:
        """Suspend painting by the painter and by Textual."""
        self.batches += 1
        try:
            with super().batch_update():
                yield
        finally:
            self.batches -= 1


class Painter:
    """Paints an app's widgets; all requests within a moment are written together."""

    def __init__(self, app: HasPainter) -> None:
        self._app = app
        self._waiting: dict[PaintedWidget, None] = {}
        self._scheduled = self._moves = False
        self._visible: Mapping[Widget, tuple[Region, Region]] = {}
        self._open: dict[Widget, bool] = {}

    def has_pending(self, widget: PaintedWidget) -> bool:
        """Return whether a widget has changed since it was painted."""
        return widget in self._waiting or has_changed(widget)

    def forget_layout(self) -> None:
        """Drop the stored layout, which contains removed widgets."""
        self._visible, self._open = {}, {}

    def paint(self, widget: PaintedWidget) -> None:
        self._waiting[widget] = None
        self._ask()

    def put_cursor(self, place: Offset) -> None:
        """Move the terminal's cursor soon, together with whatever is painted then."""
        if place != self._app.cursor_position:
            self._app.cursor_position = place
            self._moves = True
            self._ask()

    def _ask(self) -> None:
        if not self._scheduled:
            self._scheduled = True
            asyncio.get_running_loop().call_later(SOON, self._paint_all)

    def _paint_all(self) -> None:
        self._scheduled = False
        waiting, self._waiting = self._waiting, {}
        try:
            self._write(waiting)
        except Exception as error:  # otherwise the game would continue unseen
            fail_app(self._app, error)

    def _write(self, waiting: Iterable[PaintedWidget]) -> None:
        pieces: list[tuple[int, int, Strip]] = []
        screen = self._app.screen_stack[-1] if self._app.screen_stack else None
        able = screen is not None and self._knows_places(screen)
        for widget in waiting:
            region = self._place(widget) if able else None
            if region is not None:
                pieces += self.pieces_of(widget, region)
            elif widget.is_attached:
                leave_to_textual(widget)
        moves, self._moves = self._moves, False
        if (pieces or moves) and screen is not None:
            write_to_terminal(screen, StripPieces(pieces))

    def _knows_places(self, screen: Screen[Any]) -> bool:
        """Return whether all widgets of the top screen are where they were last painted."""
        visible = None if self._app.batches else widget_regions(screen)
        if visible is None:
            return False
        if visible is not self._visible:  # the screen has been laid out again
            self._visible, self._open = visible, {}
        return True

    def _place(self, widget: Widget) -> Region | None:
        """Return the region of a widget on the screen, if the whole widget is visible."""
        is_open = self._open.get(widget)
        if is_open is None:
            is_open = self._open[widget] = self._is_open(widget)
        return self._visible[widget][0] if is_open else None

    def _is_open(self, widget: Widget) -> bool:
        region, clip = self._visible.get(widget, (Region(), Region()))
        if not region or not clip.contains_region(region):
            return False
        family = {*widget.ancestors_with_self}
        others = ((w, r.intersection(c)) for w, (r, c) in self._visible.items())
        return not any(w not in family and region.overlaps(r) for w, r in others)

    def pieces_of(self, widget: PaintedWidget, region: Region) -> Iterator[tuple[int, int, Strip]]:
        """Render the changed lines of a widget, and yield the pieces that differ from before."""
        changed = take_changes(widget)
        inside = [r for each in changed if (r := each.intersection(region.reset_offset))]
        if not inside:
            return
        box, before = Region.from_union(inside), {**widget.on_screen}
        strips = widget.render_lines(Region(0, box.y, region.width, box.height))
        for y, strip in zip(box.line_range, strips, strict=True):
            for start, end in changed_spans(before.get(y), strip, region.width):
                yield region.x + start, region.y + y, cut_columns(strip, start, end, region.width)


def painter_for(app: HasPainter) -> Painter | None:
    """Return a painter for an app, or ``None`` if the version of Textual is not known."""
    return Painter(app) if is_known() else None


def is_known() -> bool:
    """Return whether the painter works with the installed version of Textual."""
    return version_of_textual().startswith(KNOWN)


def put_cursor(app: App[Any], place: Offset) -> None:
    """Move the terminal's cursor soon or, if Textual paints, with its next update."""
    painter = app.painter if isinstance(app, HasPainter) else None
    if painter is None:
        app.cursor_position = place
    else:
        painter.put_cursor(place)


def version_of_textual() -> str:
    """Return the version of Textual, from the folder that the installer has put next to it.

    Without that folder, ask Textual, which is slower because it imports a parser for e-mail
    headers.
    """
    folders = Path(textual.__file__).parents[1].glob("textual-*.dist-info")
    name = next((folder.stem for folder in folders), "")
    return name.partition("-")[2] or textual.__version__


class PaintedWidget(Widget):
    """A widget without children that the painter may paint; mixed in after a class of Textual's.

    If it came before that class, stylesheets would not know the widget by its name. ``on_screen``
    holds the lines as they were last painted, by the painter or by Textual.
    """

    on_screen: dict[int, Strip]
    _wakes_pump = True

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.on_screen = {}

    def on_unmount(self) -> None:
        if (painter := self._painter) is not None:
            painter.forget_layout()

    @property
    def _painter(self) -> Painter | None:
        return app.painter if isinstance(app := self.app, HasPainter) else None

    def finished_lines(self, crop: Region) -> list[Strip]:
        """Render lines with their background and filters."""
        return super().render_lines(crop)

    def render_lines(self, crop: Region) -> list[Strip]:
        """Return finished lines, and store them as painted, because the caller paints them.

        If changed lines are requested before the painter runs, their stored copies are dropped,
        because Textual paints some part of them but does not say which.
        """
        strips, painter = self.finished_lines(crop), self._painter
        if painter is None:
            return strips
        owed = painter.has_pending(self)
        for y, strip in zip(crop.line_range, strips, strict=True):
            if not owed:
                self.on_screen[y] = strip
            elif self.on_screen.get(y) != strip:
                self.on_screen.pop(y, None)
        return strips

    def refresh(
        self, *regions: Region, repaint: bool = True, layout: bool = False, recompose: bool = False
    ) -> Self:
        """Request that the widget is painted; layout and recomposition are left to Textual."""
        painter = self._painter if self.is_mounted else None
        if layout or recompose or not repaint or painter is None:
            return super().refresh(*regions, repaint=repaint, layout=layout, recompose=recompose)
        awaited, self._wakes_pump = awaits_textual(self), False
        super().refresh(*regions)
        self._wakes_pump = True
        if not awaited:
            mark_painted(self)
        if self.size:  # an invisible widget waits for its layout
            painter.paint(self)
        return self

    def check_idle(self) -> None:
        """Wake the widget's message pump, except for changes that the painter handles."""
        if self._wakes_pump:
            super().check_idle()


def changed_spans(old: Strip | None, new: Strip, width: int) -> list[tuple[int, int]]:
    """Return the column ranges in which two lines differ, as start and end (exclusive).

    Two ranges are joined if rewriting the columns between them is shorter than moving the cursor.
    """
    if old is new or old == new:
        return []
    if old is None or not old.cell_length == new.cell_length == width:
        return [(0, width)]
    before, now = [*old], [*new]
    if any(cell_len(text) != len(text) for text, _, _ in (*before, *now)):
        return [(0, width)]  # wide characters: columns and letters differ
    start = same = 0
    for one, other in zip(before, now, strict=False):
        if one != other:
            break
        start, same = start + len(other.text), same + 1
    del before[:same], now[:same]
    while before and now and before[-1] == now[-1]:
        del before[-1], now[-1]
    spans = list[tuple[int, int]]()
    for x, (was, is_) in enumerate(zip(_cells(before), _cells(now), strict=True), start):
        if was == is_:
            continue
        if spans and x - spans[-1][1] < LEAST_GAP:
            spans[-1] = spans[-1][0], x + 1
        else:
            spans.append((x, x + 1))
    return spans


def cut_columns(strip: Strip, start: int, end: int, width: int) -> Strip:
    """Cut out the columns of a change; only a change of the whole line may contain wide letters.

    The strip's own method would cache every text that it cuts, but texts with figures never recur.
    """
    if (start, end) == (0, width):
        return strip.crop(0, width)
    pieces, x = list[Segment](), 0
    for segment in strip:
        text = segment.text[max(0, start - x) : max(0, end - x)]
        if text:
            pieces.append(Segment(text, segment.style, segment.control))
        x += len(segment.text)
    return Strip(pieces, end - start)


def _cells(segments: Iterable[Segment]) -> list[tuple[str, Style | None]]:
    return [(letter, style) for text, style, _ in segments for letter in text]
