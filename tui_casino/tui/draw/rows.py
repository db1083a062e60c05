"""Rows that are put together piece by piece."""

from __future__ import annotations

from rich.style import Style
from rich.text import Span, Text
from textual.strip import Strip

from ..terminal.detection import Tier
from .glyphs import cut, spelled
from .segments import strip_of


class Row:
    """A line of so many cells on a ground, with pieces put where they belong; none is too long."""

    def __init__(self, width: int, tier: Tier) -> None:
        self._tier = tier
        self._text, self._spans = " " * width, list[Span]()

    @property
    def width(self) -> int:
        """Columns."""
        return len(self._text)

    def ground(self, start: int, end: int, style: Style) -> None:
        """Lay a ground under a part of the row, before anything is put there."""
        self._spans.append(Span(start, end, style))

    def put(self, x: int, text: str, style: Style, end: int | None = None) -> int:
        """Put a piece at a column, cut where it would go on behind ``end``; give where it ends."""
        limit = len(self._text) if end is None else end
        text = cut(spelled(text, self._tier), max(0, limit - x), self._tier)
        self._text = self._text[:x] + text + self._text[x + len(text) :]
        self._spans.append(Span(x, x + len(text), style))
        return x + len(text)

    def right(self, end: int, text: str, style: Style) -> int:
        """Put a piece so that it ends before a column; give where it begins."""
        start = max(0, end - len(text))
        self.put(start, text, style)
        return start

    def picture(self, x: int, piece: Text) -> None:
        """Put a piece with its own styles."""
        self._text = self._text[:x] + piece.plain + self._text[x + len(piece) :]
        self._spans += [Span(x + s.start, x + s.end, s.style) for s in piece.spans]

    def strip(self) -> Strip:
        """Give the finished row."""
        return strip_of(Text(self._text, spans=self._spans, no_wrap=True, end=""))
