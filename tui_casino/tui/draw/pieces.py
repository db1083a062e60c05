"""Lines put together of pieces, each with a style of its own."""

from __future__ import annotations

from collections.abc import Iterable

from rich.style import Style
from rich.text import Span, Text
from textual.strip import Strip

from ..terminal.detection import Tier
from ..widgets.bars import cut
from ..widgets.drawn import strip_of
from ..widgets.hints import spelled

Piece = tuple[str, Style]


def line(pieces: Iterable[Piece], width: int, tier: Tier) -> Strip:
    """Put pieces one behind the other; what does not fit is cut off, and marked so."""
    text, spans = "", list[Span]()
    for words, style in pieces:
        words = "".join(letter for letter in spelled(words, tier) if letter.isprintable())
        spans.append(Span(len(text), len(text) + len(words), style))
        text += words
    return strip_of(Text(cut(text, width, tier), spans=spans, no_wrap=True, end=""))


def wide(pieces: Iterable[Piece]) -> int:
    """Count the columns of pieces."""
    return sum(len(words) for words, _ in pieces)


def fitting(width: int, *ways: list[Piece]) -> list[Piece]:
    """Give the first of some ways to say it that has room; the last, if none has."""
    return next((pieces for pieces in ways if wide(pieces) <= width), ways[-1])


def apart(left: list[Piece], right: list[Piece], width: int, tier: Tier) -> Strip:
    """Put some pieces at the left edge and others at the right; the left ones give way."""
    room = max(0, width - wide(right) - 1)
    if wide(left) > room:
        kept: list[Piece] = []
        for words, style in left:
            kept.append((cut(words, room - wide(kept), tier), style))
        left = kept
    gap = " " * max(1, width - wide(left) - wide(right))
    return line([*left, (gap, Style.null()), *right], width, tier)
