"""The filters that every line of the screen passes last.

They remove control sequences, and give 16-colour text a black background.
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
    """Takes out of the text of a line what is not printable, whatever widget brought it there.

    The terminal's own sequences are made of styles and moves, not of text, and so they stay. What
    takes up columns is replaced by a sign that does so, too: the layout has been made by then.
    """

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """Give the segments; those that are printable are the same ones."""
        if all(segment.text.isprintable() for segment in segments):
            return segments
        return [
            segment
            if segment.text.isprintable()
            else Segment(_cells(segment.text), segment.style, segment.control)
            for segment in segments
        ]


def _cells(text: str) -> str:
    """Give what takes up as many columns as a text does, joined letters as such."""
    letters = (
        letter if letter.isprintable() else (" " if letter.isspace() else "?") * cell_len(letter)
        for letter in text
    )
    return set_cell_size("".join(letters), cell_len(text))


PRINTABLE_FILTER = PrintableFilter()


class BlackBackgroundFilter(LineFilter):
    """Puts black and bright white in place of the terminal's own ground and ink.

    Bright colours can be read on black alone, and a terminal's own ground may be white.
    """

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """Give the segments."""
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
