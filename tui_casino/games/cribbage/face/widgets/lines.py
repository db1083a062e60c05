"""A line of a table that is put together piece by piece."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from .....tui.draw.glyphs import spelled
from .....tui.draw.segments import BARE
from .....tui.terminal.detection import Tier


class Line:
    """A line that grows to the right; equal styles side by side are one piece.

    ``ground`` is the style of what is left blank.
    """

    def __init__(self, tier: Tier, ground: Style = BARE) -> None:
        self._tier, self._ground = tier, ground
        self._pieces: list[tuple[str, Style]] = []
        self.width = 0

    def add(self, text: str, style: Style = BARE) -> Line:
        """Add a piece in the glyphs of the terminal, on the line's own ground."""
        text, style = spelled(text, self._tier), self._ground + style
        self.width += len(text)
        if self._pieces and self._pieces[-1][1] == style:
            text = self._pieces.pop()[0] + text
        self._pieces.append((text, style))
        return self

    def to(self, column: int) -> Line:
        """Leave blank what lies before a column."""
        if column > self.width:
            self.add(" " * (column - self.width))
        return self

    def put(self, strip: Strip) -> Line:
        """Add a finished piece."""
        for text, style, _ in strip:
            self._pieces.append((text, self._ground + (style or BARE)))
            self.width += len(text)
        return self

    def strip(self) -> Strip:
        """Give the line."""
        return Strip([Segment(*piece) for piece in self._pieces], self.width)


def beside(width: int, *blocks: tuple[int, Sequence[Strip]]) -> list[Strip]:
    """Put blocks of lines side by side, each with the column where it begins, from left to right.

    A block that would cover the one before, or reach beyond the width, is left out.
    """
    height = max((len(lines) for _, lines in blocks), default=0)
    rows: list[list[Strip]] = [[] for _ in range(height)]
    end = 0
    for column, lines in blocks:
        across = max((line.cell_length for line in lines), default=0)
        if not across or column < end or column + across > width:
            continue
        for place, row in enumerate(rows):
            row.append(Strip.blank(column - end, BARE))
            line = lines[place] if place < len(lines) else Strip([], 0)
            row.append(line.adjust_cell_length(across, BARE))
        end = column + across
    return [Strip.join(row) for row in rows]


def padded(lines: Iterable[Strip], height: int) -> list[Strip]:
    """Give exactly so many lines, blank ones at the end."""
    kept = [*lines][:height]
    return kept + [Strip([], 0)] * (height - len(kept))
