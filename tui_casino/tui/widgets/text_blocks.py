"""Text widgets that change during play and are painted immediately."""

from __future__ import annotations

import re
from itertools import groupby
from textwrap import wrap
from typing import Self

from textual.geometry import Region
from textual.widgets import Digits, Static

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
