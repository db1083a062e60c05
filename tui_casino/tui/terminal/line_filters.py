"""The last filters that every line of the screen passes.

They remove control characters, and give 16-colour text a black background.
"""

from __future__ import annotations

from functools import lru_cache

from rich.cells import cell_len, set_cell_size
from rich.color import Color as RichColor
from rich.segment import Segment
from rich.style import Style
from textual.color import Color
from textual.filter import LineFilter


class PrintableFilter(LineFilter):
    """Replaces unprintable characters in the text of a line, whichever widget it comes from.

    The terminal's own sequences consist of styles and moves, not of text, so they stay. Each
    replacement has the width of its character, because the layout is already done.
    """

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """Return the segments; printable segments are unchanged."""
        if all(segment.text.isprintable() for segment in segments):
            return segments
        return [
            segment
            if segment.text.isprintable()
            else Segment(_cells(segment.text), segment.style, segment.control)
            for segment in segments
        ]


def _cells(text: str) -> str:
    """Return a printable text of the same width, in which a combined character counts as one."""
    letters = (
        letter if letter.isprintable() else (" " if letter.isspace() else "?") * cell_len(letter)
        for letter in text
    )
    return set_cell_size("".join(letters), cell_len(text))


PRINTABLE_FILTER = PrintableFilter()


class BlackBackgroundFilter(LineFilter):
    """Replaces the terminal's own background and text colours by black and bright white.

    Bright colours are legible only on black, and a terminal's own background may be white.
    """

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """Return the segments with the replaced colours."""
        return [
            segment
            if segment.control
            else Segment(segment.text, _grounded(segment.style or Style.null()))
            for segment in segments
        ]


_INK, _GROUND = RichColor.parse("bright_white"), RichColor.parse("black")


@lru_cache(maxsize=1024)
def _grounded(style: Style) -> Style:
    ink, ground = style.color, style.bgcolor
    own = Style.from_color(
        _INK if ink is None or ink.is_default else None,
        _GROUND if ground is None or ground.is_default else None,
    )
    return style + own


BLACK_BACKGROUND_FILTER = BlackBackgroundFilter()
