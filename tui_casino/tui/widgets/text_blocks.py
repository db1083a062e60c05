"""Text widgets that change during play and are painted immediately; the side panel of a table."""

from __future__ import annotations

import re
from itertools import groupby
from textwrap import wrap
from typing import Self

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.geometry import Region
from textual.widget import Widget
from textual.widgets import Digits, Label, Static

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
            lines += wrap(" ".join(part), width)
        else:
            for line in _narrowed(part, width) if kind == "table" else part:
                lines += _hung(line, width)
    return "\n".join(lines)


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
    return wrap(line, width, subsequent_indent=" " * indent, drop_whitespace=True)


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


class Panel(Vertical):
    """Sections one below the other, each with a title; texts are up to :data:`PANEL_WIDTH` wide.

    A game may put its own widget ``above`` them.
    """

    def __init__(self, *parts: str, above: Widget | None = None) -> None:
        super().__init__()
        self._parts, self._above = parts, above
        self._titles: dict[str, Label] = {}

    def compose(self) -> ComposeResult:
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
        widgets = self.query(f"#panel-{part.replace(' ', '-')}").results(Static)
        for shown in widgets:  # there is none while the screen is closing
            if tail and isinstance(text, str) and isinstance(shown, TailText):
                shown.put(text)
            else:
                shown.update(text)
            self._titles[part].display = shown.display = bool(text)
