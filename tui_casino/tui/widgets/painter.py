"""The painter: writes what has changed in a widget to the terminal, at once and no more than that.

The framework's own way is longer. A widget that asks to be painted wakes its own message pump,
that the screen's, that a timer; then every widget that meets the box around all changes is
rendered whole and cut to pieces. Most of the work of a key went there. A :class:`Painted` widget
hands its changed regions to the painter instead, who renders these lines of this widget alone.

The painter stands on private names of Textual; all of them are in this module. Where he cannot be
sure of a place he leaves the widget to the framework: while a layout is due, under windows and
toasts, in another than the screen on top, where a widget is cut off, and in a Textual that he does
not know.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Self

import textual
from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderResult
from rich.control import Control
from rich.segment import Segment
from rich.style import Style
from textual._compositor import CompositorUpdate
from textual.app import App
from textual.geometry import Offset, Region
from textual.screen import Screen
from textual.strip import Strip
from textual.widget import Widget

LEAST_GAP = 8
"""Columns between two differences over which moving costs less than writing them anew."""
SOON = 0.004
"""Seconds in which what belongs together is asked for: a key's effect takes some turns of the loop.

The framework's own painting comes after 16 ms.
"""
KNOWN = "8.2."
"""How the versions of Textual begin whose inner parts are known here."""


class Pieces(CompositorUpdate):
    """Pieces of lines, each with the column and the row where it begins."""

    def __init__(self, pieces: list[tuple[int, int, Strip]]) -> None:
        self.pieces = pieces

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for x, y, strip in self.pieces:
            yield Control.move_to(x, y).segment
            yield from strip

    def render_segments(self, console: Console) -> str:
        """Give what writes them on a terminal."""
        return "".join(
            f"\x1b[{y + 1};{x + 1}H{strip.render(console)}" for x, y, strip in self.pieces
        )


class Painter:
    """Paints an app's widgets; what is asked for within a moment is written as one."""

    def __init__(self, app: App[None]) -> None:
        self._app = app
        self._waiting: dict[Painted, None] = {}
        self._asked = self._moves = False
        self._visible: Mapping[Widget, tuple[Region, Region]] = {}
        self._open: dict[Widget, bool] = {}

    def owes(self, widget: Painted) -> bool:
        """Tell whether a widget looks otherwise by now than it was painted."""
        return widget in self._waiting or bool(widget._repaint_regions)

    def forget(self) -> None:
        """Let go of a layout of which parts are gone."""
        self._visible, self._open = {}, {}

    def paint(self, widget: Painted) -> None:
        """Paint the regions of a widget that want it, soon."""
        self._waiting[widget] = None
        self._ask()

    def put_cursor(self, place: Offset) -> None:
        """Put the terminal's cursor somewhere, soon, with whatever is painted then."""
        if place != self._app.cursor_position:
            self._app.cursor_position = place
            self._moves = True
            self._ask()

    def _ask(self) -> None:
        if not self._asked:
            self._asked = True
            asyncio.get_running_loop().call_later(SOON, self._paint_all)

    def _paint_all(self) -> None:
        self._asked = False
        waiting, self._waiting = self._waiting, {}
        try:
            self._write(waiting)
        except Exception as error:  # the loop would note it down, and the game go on unseen
            self._app._handle_exception(error)

    def _write(self, waiting: Iterable[Painted]) -> None:
        pieces: list[tuple[int, int, Strip]] = []
        screen = self._app.screen_stack[-1] if self._app.screen_stack else None
        able = screen is not None and self._may_paint(screen)
        for widget in waiting:
            region = self._place(widget) if able else None
            if region is not None:
                pieces += self.pieces_of(widget, region)
            elif widget.is_attached:
                widget._repaint_required = True
                widget.check_idle()
        moves, self._moves = self._moves, False
        if (pieces or moves) and screen is not None:
            self._app._display(screen, Pieces(pieces))

    def _may_paint(self, screen: Screen[Any]) -> bool:
        """Tell whether all places on the screen on top are as they were painted last."""
        if (
            self._app._batch_count
            or screen._layout_required
            or screen._compositor.size != (self._app.size)
        ):
            return False
        visible = screen._compositor.visible_widgets
        if visible is not self._visible:  # laid out anew
            self._visible, self._open = visible, {}
        return True

    def _place(self, widget: Widget) -> Region | None:
        """Give the region of a widget on the screen, if all of it is in sight."""
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

    def pieces_of(self, widget: Painted, region: Region) -> Iterator[tuple[int, int, Strip]]:
        """Render what wants to be painted of a widget, and give what differs from before."""
        wanted = {*widget._exchange_repaint_regions()}
        inside = [r for each in wanted if (r := each.intersection(region.reset_offset))]
        if not inside:
            return
        box, before = Region.from_union(inside), {**widget.on_screen}
        strips = widget.render_lines(Region(0, box.y, region.width, box.height))
        for y, strip in zip(box.line_range, strips, strict=True):
            for start, end in differences(before.get(y), strip, region.width):
                yield region.x + start, region.y + y, cut(strip, start, end, region.width)


def painter_for(app: App[None]) -> Painter | None:
    """Give an app's painter; none for a Textual that is not known here."""
    return Painter(app) if version_of_textual().startswith(KNOWN) else None


def version_of_textual() -> str:
    """Give the version of Textual: by the folder that its installer has put beside it.

    Where there is none, as it says itself; for that it loads what reads the headers of mails.
    """
    beside = Path(textual.__file__).parents[1].glob("textual-*.dist-info")
    name = next((folder.stem for folder in beside), "")
    return name.partition("-")[2] or textual.__version__


class HasPainter:
    """An app whose widgets a painter may paint, if not the framework alone."""

    painter: Painter | None = None


class Painted(Widget):
    """A widget without parts that the painter paints; mixed in behind a class of Textual's own.

    Before it the sheets would not know the widget by that class. ``on_screen`` are its lines as
    they were painted last, by whom ever.
    """

    on_screen: dict[int, Strip]

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.on_screen = {}

    def on_unmount(self) -> None:
        """Be forgotten."""
        if (painter := self._painter) is not None:
            painter.forget()

    @property
    def _painter(self) -> Painter | None:
        return app.painter if isinstance(app := self.app, HasPainter) else None

    def finished_lines(self, crop: Region) -> list[Strip]:
        """Render lines with all that belongs to them."""
        return super().render_lines(crop)

    def render_lines(self, crop: Region) -> list[Strip]:
        """Give finished lines, and remember them: who asks for them paints them.

        Those that have changed, and are asked for before the painter comes, are forgotten: the
        framework paints them, or some other part, and which of it is not told.
        """
        strips, painter = self.finished_lines(crop), self._painter
        if painter is None:
            return strips
        owed = painter.owes(self)
        for y, strip in zip(crop.line_range, strips, strict=True):
            if not owed:
                self.on_screen[y] = strip
            elif self.on_screen.get(y) != strip:
                self.on_screen.pop(y, None)
        return strips

    def refresh(
        self, *regions: Region, repaint: bool = True, layout: bool = False, recompose: bool = False
    ) -> Self:
        """Have it painted; laid out, or composed, anew it is painted by the framework."""
        painter = self._painter if self._is_mounted else None
        if layout or recompose or not repaint or painter is None:
            return super().refresh(*regions, repaint=repaint, layout=layout, recompose=recompose)
        self._layout_cache.clear()
        self._set_dirty(*regions)
        self.clear_cached_dimensions()
        self._rich_style_cache.clear()
        if self.size:  # out of sight it waits for its layout
            painter.paint(self)
        return self


def differences(old: Strip | None, new: Strip, width: int) -> list[tuple[int, int]]:
    """Give the columns where two lines differ, each time the first and the one behind the last.

    What lies between two differences is left out where moving on costs less than writing it.
    """
    if old is new or old == new:
        return []
    if old is None or not old.cell_length == new.cell_length == width:
        return [(0, width)]
    before, now = [*old], [*new]
    if any(cell_len(text) != len(text) for text, _, _ in (*before, *now)):
        return [(0, width)]  # wide characters: a column is no letter
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


def cut(strip: Strip, start: int, end: int, width: int) -> Strip:
    """Cut out the columns of a difference; where it is not the whole line, no letter is wide.

    The strip's own way keeps each text that it ever cut, and those with figures never come again.
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
