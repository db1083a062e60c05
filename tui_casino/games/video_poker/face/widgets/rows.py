"""Lines of figures, each piece at its column, and bars of so many parts of a cell."""

from __future__ import annotations

from rich.style import Style
from rich.text import Span, Text
from textual.strip import Strip

from .....tui.draw.glyphs import spelled
from .....tui.draw.segments import strip_of
from .....tui.terminal.detection import Tier

_PARTS = {Tier.UNICODE: " ▏▎▍▌▋▊▉█", Tier.CP437: " ▌█", Tier.ASCII: " #"}


class Row:
    """A line that is written piece by piece, from the left; ``ground`` lies behind all of it."""

    def __init__(self, width: int, tier: Tier, ground: Style | None = None) -> None:
        self._width, self._tier = width, tier
        self._text = ""
        self._spans = [] if ground is None else [Span(0, width, ground)]

    def put(self, column: int, text: str, style: Style) -> None:
        """Write from a column on; no column that is written on is written on again."""
        self._text = self._text.ljust(column) + spelled(text, self._tier)
        self._spans.append(Span(column, len(self._text), style))

    @property
    def width(self) -> int:
        """Columns that are written on."""
        return len(self._text)

    def end(self, column: int, text: str, style: Style) -> None:
        """Write what ends before a column."""
        self.put(column - len(text), text, style)

    def strip(self) -> Strip:
        """Give the line, as wide as it is to be."""
        text = self._text[: self._width].ljust(self._width)
        return strip_of(Text(text, spans=self._spans, no_wrap=True, end=""))


def bar(share: float, width: int, tier: Tier) -> str:
    """Draw a share, 0 to 1, as a bar within so many columns; what is above 0 is seen."""
    parts = _PARTS[tier]
    finest = len(parts) - 1
    length = min(width * finest, max(round(share * width * finest), int(share > 0)))
    whole, rest = divmod(length, finest)
    return (parts[-1] * whole + parts[rest] * bool(rest)).ljust(width)


def dash(tier: Tier) -> str:
    """Give what stands where there is nothing to count."""
    return "-" if tier is Tier.ASCII else "─" if tier is Tier.CP437 else "—"
