"""Textual's list to choose from, made to live with keys that come before there is room."""

from __future__ import annotations

from typing import Literal

from rich.segment import Segment
from textual.strip import Strip
from textual.widgets import OptionList

MARKS = {True: ">", False: "▌"}
"""What stands before the option at the cursor: plain, and not."""


class Options(OptionList):
    """A list to choose from. Before it is laid out, a page up or down does nothing."""

    def _move_page(self, direction: Literal[-1, 1]) -> None:
        if self.scrollable_content_region:  # else no option has a line yet
            super()._move_page(direction)


class Marked(Options):
    """A list in a window, with a mark at the cursor that can be seen without colours, too."""

    def render_line(self, y: int) -> Strip:
        """Put the mark in the empty column before the option."""
        strip = super().render_line(y)
        if not self._at_cursor(self.scroll_offset.y + y):
            return strip
        style = next((segment.style for segment in strip), None)
        mark = Segment(MARKS[self.app.has_class("-ascii")], style)
        return Strip([mark, *strip.crop(1)], strip.cell_length)

    def _at_cursor(self, line: int) -> bool:
        return 0 <= line < len(self._lines) and self._lines[line][0] == self.highlighted
