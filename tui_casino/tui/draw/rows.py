"""Rows that are put together piece by piece, and small pictures of money that go into them."""

from __future__ import annotations

from collections.abc import Sequence

from rich.style import Style
from rich.text import Span, Text
from textual.strip import Strip

from ...cards.card import Hand
from ...engine.money import dollars
from ..terminal.detection import Tier
from ..theme.colours import Palette, mixed
from ..widgets.bars import cut
from ..widgets.card_art import Look, Size, State, draw, overlap, style_of
from ..widgets.drawn import strip_of
from ..widgets.hints import spelled
from .nets import spelled_net
from .plots import sparkline

SIGNS = {
    Tier.UNICODE: {"cursor": "▌", "waits": "●", "won": "▲", "lost": "▼", "even": "·", "wall": "│"},
    Tier.CP437: {"cursor": "▌", "waits": "•", "won": "▲", "lost": "▼", "even": "·", "wall": "│"},
    Tier.ASCII: {"cursor": ">", "waits": "*", "won": "+", "lost": "-", "even": "=", "wall": "|"},
}
LEVELS = 6
"""Of the eight heights of a bar those that are used: over them runs the next line."""
_SOFTENED = 0.4


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


def fan(hand: Hand, size: Size, look: Look) -> list[Text]:
    """Draw cards that overlap, the last one whole, line by line."""
    drawn = [draw(card, size, State.NORMAL, look, place > 0) for place, card in enumerate(hand)]
    shown = [overlap(card, size) for card in hand[:-1]]
    return [
        Text.assemble(*(row[:n] for row, n in zip(rows, shown, strict=False)), rows[-1])
        for rows in zip(*drawn, strict=True)
    ]


def net_of(cents: int) -> str:
    """Write what was won or lost with its sign: ``+1,000.00``."""
    return spelled_net(cents, dollars(abs(cents)))


def bars(course: Sequence[int], width: int, look: Look) -> str:
    """Draw a course of money as a line of bars over the whole width."""
    stretched = [course[place * len(course) // width] for place in range(width)]
    values = stretched if len(course) <= width else course
    return sparkline(values, width, look.tier is not Tier.UNICODE, LEVELS)


def softened(colour: str, palette: Palette) -> Style:
    """Give a colour for pictures, near the table's; one of the terminal's own is left to it."""
    return style_of(mixed(colour, palette.bg, _SOFTENED))


def thin(palette: Palette) -> Style:
    """Give the style of lines between parts, which nobody has to read."""
    named = not palette.lit.startswith("#")
    return Style(dim=True) if named else style_of(palette.lit)


def tone_of(cents: int, palette: Palette) -> str:
    """Give the colour of what was won or lost."""
    return palette.good if cents > 0 else palette.bad if cents < 0 else palette.muted
