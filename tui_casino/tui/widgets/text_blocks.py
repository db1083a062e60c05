"""Text widgets that are painted immediately: the side panel of a table, and meters with figures."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from textwrap import wrap
from typing import Self

from msgspec import Struct
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.geometry import Region, Size
from textual.strip import Strip
from textual.widget import Widget
from textual.widgets import Digits, Label, Static

from ...gamekit.number_formats import MINUS, with_sign
from ..draw.look import Look, line_styles_of, result_tone
from ..draw.segments import LineBuilder, centre_strip
from .line_widget import BlankColumn, ContentWidget
from .painter import PaintedWidget

GAP = re.compile(r" *\S.*? {2,}(?=\S)")
"""Matches the text before the second column of a list line."""


class TextBlock(Static, PaintedWidget):
    """A widget for lines of text without markup."""

    def __init__(
        self, content: str = "", *, id: str | None = None, classes: str | None = None
    ) -> None:
        super().__init__(content, id=id, classes=classes, markup=False)


class LargeDigits(Digits, PaintedWidget):
    """A figure in large digits, in a space of fixed size."""

    def refresh(
        self, *regions: Region, repaint: bool = True, layout: bool = False, recompose: bool = False
    ) -> Self:
        """Paint the figure without a new layout."""
        return super().refresh(*regions, repaint=repaint, recompose=recompose)


def wrap_lines(text: str, width: int) -> str:
    """Wrap lines that are too long: paragraphs as a whole, list lines under their second column.

    The gaps of a table are narrowed first. A text whose lines all fit is not changed.
    """
    lines: list[str] = []
    for kind, group in groupby(text.split("\n"), _kind):
        part = [*group]
        if all(len(line) <= width for line in part):
            lines += part
        elif kind == "prose":
            lines += wrap_text(" ".join(part), width)
        else:
            for line in _narrowed(part, width) if kind == "table" else part:
                lines += _hung(line, width)
    return "\n".join(lines)


def wrap_text(text: str, width: int, indent: int = 0) -> list[str]:
    """Wrap a text and indent its further lines; a window may be so small that no width is left."""
    width = max(1, width)
    return wrap(text, width, subsequent_indent=" " * min(indent, width - 1))


def _kind(line: str) -> str:
    if line[:1] in ("", " "):
        return "list"
    return "table" if "  " in line.rstrip() else "prose"


def _narrowed(rows: list[str], width: int) -> list[str]:
    """Remove spaces that all rows share until the rows fit; each gap keeps one space."""
    longest = max(map(len, rows))
    blank = [all(row[at : at + 1] in ("", " ") for row in rows) for at in range(longest)]
    spare = [at for at in range(1, longest) if blank[at] and blank[at - 1]]
    removed = set(spare[: max(0, longest - width)])
    return ["".join(c for at, c in enumerate(row) if at not in removed) for row in rows]


def _hung(line: str, width: int) -> list[str]:
    if len(line) <= width:
        return [line]
    match = GAP.match(line)
    indent = len(match[0]) if match and len(match[0]) < width // 2 else 2
    return wrap_text(line, width, indent)


PANEL_WIDTH = 30


class TailText(TextBlock):
    """Shows as many of a text's last lines as fit."""

    _whole: str | None = None

    def put(self, text: str) -> None:
        self._whole = text
        self.on_resize()

    def on_resize(self) -> None:
        if self._whole is not None:
            rows = self.size.height or len(self._whole)
            self.update("\n".join(self._whole.split("\n")[-rows:]))


class LateColumn(BlankColumn):
    """A column whose widgets are mounted when it is first visible; most windows never show it."""

    def __init__(self, *widgets: Widget, classes: str | None = None) -> None:
        super().__init__(classes=classes)
        self._widgets, self._is_filled = widgets, False

    def widgets(self) -> Iterable[Widget]:
        """Return the widgets to mount; called once."""
        return self._widgets

    def compose(self) -> ComposeResult:
        if self.display:
            self._is_filled = True
            yield from self.widgets()

    def on_show(self) -> None:
        self.fill()

    def fill(self) -> None:
        """Mount the widgets, unless that has happened or the screen is closing."""
        if not self._is_filled and self.is_attached:
            self._is_filled = True
            self.mount(*self.widgets())


class Panel(LateColumn):
    """Sections one below the other, each with a title; texts are up to :data:`PANEL_WIDTH` wide.

    A game may put its own widget ``above`` them.
    """

    def __init__(self, *parts: str, above: Widget | None = None) -> None:
        super().__init__()
        self._parts, self._above = parts, above
        self._titles: dict[str, Label] = {}

    def widgets(self) -> Iterator[Widget]:
        if self._above is not None:
            yield self._above
        for part in self._parts:
            title = Label(part.upper(), classes="panel-title", markup=False)
            text = TailText(id=f"panel-{part.replace(' ', '-')}", classes="panel-part")
            title.display = text.display = False
            self._titles[part] = title
            yield from (title, text)

    def put(self, part: str, text: Content | str, *, tail: bool = False) -> None:
        """Write one of the sections; for a ``tail``, write only the last lines that fit.

        The title of an empty section is hidden.
        """
        self.fill()
        widgets = self.query(f"#panel-{part.replace(' ', '-')}").results(Static)
        for shown in widgets:  # there is none while the screen is closing
            if tail and isinstance(text, str) and isinstance(shown, TailText):
                shown.put(text)
            else:
                shown.update(text)
            self._titles[part].display = shown.display = bool(text)


class Meter(Struct, frozen=True):
    """A figure with its name; ``tone`` is ``gold``, ``good``, ``bad``, or empty.

    ``details`` follows it in grey.
    """

    name: str
    figure: str
    tone: str = ""
    details: str = ""


def net_meter(name: str, amount: int | None, figure: str) -> Meter:
    """Return the meter of a net result, or a dash if there is no result yet.

    ``figure`` is the amount without a sign, as the game writes money.
    """
    if amount is None:
        return Meter(name, "–")
    return Meter(name, with_sign(amount, figure), result_tone(amount, even=""))


class MeterLine(ContentWidget[tuple[Meter, ...]]):
    """The meters on one centred line, as many as fit."""

    def __init__(self) -> None:
        super().__init__(())

    @property
    def text(self) -> str:
        return "   ".join(_words(meter) for meter in self.content)

    def _draw(self, look: Look, area: Size) -> Iterable[Strip]:
        inks, meters = line_styles_of(look.palette), [*self.content]
        gap = next((gap for gap in (3, 2) if _width(meters, gap) <= area.width - 2), 1)
        while len(meters) > 1 and _width(meters, gap) > area.width:
            meters.pop()
        line = LineBuilder(look.tier)
        for place, meter in enumerate(meters):
            line.add(" " * gap * bool(place)).add(meter.name.upper(), inks.muted)
            if meter.figure:
                line.add(" ", inks.muted).add(meter.figure, inks.style(meter.tone or "strong"))
            if meter.details:
                line.add(f" {meter.details}", inks.muted)
        yield centre_strip(line.cut(area.width).strip(), area.width)


def _words(meter: Meter) -> str:
    return " ".join(filter(None, (meter.name.upper(), meter.figure, meter.details)))


def _width(meters: Sequence[Meter], gap: int) -> int:
    return sum(len(_words(meter)) for meter in meters) + gap * (len(meters) - 1)


class Meters(Horizontal):
    """The meters; ``large`` ones are also shown in large digits if the stylesheet allows it.

    Between other panels, digits would take rows from the table, so most games have none.
    """

    def __init__(self, *large: str) -> None:
        super().__init__(classes="-digits" if large else "")
        self._large = large
        self.line = MeterLine()
        self._boxes: dict[str, tuple[Vertical, LargeDigits]] = {}

    def compose(self) -> ComposeResult:
        yield self.line
        yield from self._make_boxes()

    def on_resize(self) -> None:
        """Mount the large digits as soon as there is room for them."""
        self.mount(*self._make_boxes())

    def _make_boxes(self) -> Iterator[Vertical]:
        """Create the boxes of the large meters, once the stylesheet gives them rows."""
        height = self.styles.height
        if self._boxes or height is None or height.value <= 1:
            return
        for name in self._large:
            digits = LargeDigits(id=f"meter-{name.replace(' ', '-')}")
            box = Vertical(digits, classes="meter")
            box.border_title = Content(name.upper())
            self._boxes[name] = box, digits
            yield box
        self._show_boxes()

    def show(self, meters: Iterable[Meter]) -> None:
        """Show these figures, if they have changed."""
        every = tuple(meters)
        if every != self.line.content:
            self.line.show(every)
            self._show_boxes()

    def _show_boxes(self) -> None:
        figures = {meter.name: meter.figure for meter in self.line.content}
        for name, (box, digits) in self._boxes.items():
            box.display = name in figures
            if box.display:
                digits.update(figures[name].replace(MINUS, "-"))
